// What both mirostat steps share: the surprise limit mu with its feedback, and the engine.
//
// After a draw of probability p the surprise -log2(p) is compared with the target tau, and mu moves against the error by the
// learning rate eta. mu starts at 2 * tau.
//
// Tested by tests/steps/mirostat.cpp, tests/steps/mirostat_v2.cpp
#pragma once

#include "core/math/fp_env.h"

#include "core/candidates/softmax.h"
#include "core/math/log2f.h"
#include "core/random/discrete.h"
#include "core/random/engine.h"
#include "core/steps/drawable.h"
#include "core/steps/saved_state.h"

namespace bankml {

class MirostatState {
 public:
  MirostatState(float tau, float eta, uint32_t seed) : tau_(tau), eta_(eta), mu_(2.0f * tau), marked_mu_(mu_), engine_(seed) {}

  float mu() const noexcept { return mu_; }
  random::Engine& engine() noexcept { return engine_; }

  void reset(uint32_t seed) noexcept {
    mu_ = marked_mu_ = 2.0f * tau_;
    engine_.seed(seed);
  }
  void save(StateWriter& out) const {
    out.f32(mu_);
    save_engine(out, engine_);
  }
  void load(StateReader& in) {
    mu_ = marked_mu_ = in.f32();
    load_engine(in, engine_);
  }
  void mark() noexcept {
    marked_mu_ = mu_;
    engine_.mark();
  }
  void rewind() noexcept {
    mu_ = marked_mu_;
    engine_.rewind();
  }

  // The end of both steps: softmax over the cut set, a draw by the float p, and the feedback.
  Status draw(const char* step, Candidates& set, ErrorText& error) noexcept {
    const Softmax softmax_of_rest = softmax(set, true);
    const Status status = check_drawable(step, set.size, softmax_of_rest.maximum, static_cast<double>(softmax_of_rest.sum), error);
    if (status != Status::ok) return status;
    const uint64_t before = engine_.outputs();
    set.selected = random::discrete(&set.data[0].p, set.size, sizeof(Candidate) / sizeof(float), engine_);
    set.work->random_outputs += engine_.outputs() - before;
    settle(set.data[set.selected].p);
    return Status::ok;
  }
  // The feedback after a draw of probability p.
  void settle(float p) noexcept {
    const float surprise = -math::log2f(p);
    mu_ = mu_ - eta_ * (surprise - tau_);
  }

 private:
  float tau_;
  float eta_;
  float mu_;
  float marked_mu_;
  random::Engine engine_;
};

}  // namespace bankml
