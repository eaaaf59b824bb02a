// core/steps/infill.
#include "core/math/fp_env.h"

#include "core/steps/infill.h"

#include <gtest/gtest.h>

#include "tests/reference/set_box.h"

namespace bankml {
namespace {

using test::SetBox;

struct Pieces {
  std::vector<std::string> texts;
  std::vector<uint32_t> flags;
  int32_t eos = -1;
  int32_t eot = -1;

  std::shared_ptr<const Vocab> vocab() const {
    std::string bytes;
    std::vector<size_t> offsets = {0};
    for (const std::string& t : texts) {
      bytes += t;
      offsets.push_back(bytes.size());
    }
    return Vocab::from_pieces(reinterpret_cast<const uint8_t*>(bytes.data()), offsets.data(), flags.data(), texts.size(), eos, eot);
  }
  std::vector<std::string> rendered() const {
    std::vector<std::string> out = texts;
    for (size_t i = 0; i < out.size(); ++i) {
      if ((flags[i] & token_control) != 0) out[i].clear();
    }
    return out;
  }
  std::vector<bool> ends() const {
    std::vector<bool> out;
    for (size_t i = 0; i < flags.size(); ++i) {
      out.push_back((flags[i] & token_eog) != 0 || static_cast<int32_t>(i) == eos || static_cast<int32_t>(i) == eot);
    }
    return out;
  }
  int32_t end_of_turn() const { return eot >= 0 ? eot : eos; }
};

Pieces small() {
  Pieces p;
  p.texts = {"a", "ab", "abc", "b", "", "<end>", "<eot>"};
  p.flags = {0, 0, 0, 0, 0, token_control | token_eog, token_control};
  p.eos = 5;
  p.eot = 6;
  return p;
}

std::vector<float> logs(const std::vector<float>& p) {
  std::vector<float> logits;
  for (const float x : p) logits.push_back(x > 0 ? std::log(x) : plain::minus_infinity);
  return logits;
}

TEST(Infill, doubtful_text_gives_way_to_the_end) {
  SetBox box(test::fresh(logs({0.3f, 0.2f, 0.1f, 0.2f, 0.05f, 0.1f, 0.05f})));
  ASSERT_EQ(Infill(small().vocab()).apply(box.set, box.error), Status::ok);
  EXPECT_EQ(box.ids(), (std::vector<int32_t>{5, 6}));
  EXPECT_NEAR(box.ps()[0], 2.0f / 3, 1e-6f);
}

TEST(Infill, tokens_that_begin_alike_are_merged) {
  SetBox box(test::fresh(logs({0.1f, 0.5f, 0.1f, 0.299f, 0, 0.0005f, 0.0005f})));
  ASSERT_EQ(Infill(small().vocab()).apply(box.set, box.error), Status::ok);
  // ab is the likeliest and takes abc, then a is a prefix of it and gives its p up to it; b stays alone, below 1 / 3. The rest is
  // 0.7 for ab and 0.001 for the ends.
  EXPECT_EQ(box.ids()[0], 1);
  EXPECT_NEAR(box.ps()[0], 0.7f / 0.701f, 1e-5f);
}

TEST(Infill, no_text_left_gives_one_end_of_turn) {
  Pieces p = small();
  for (size_t i = 0; i < 60; ++i) {
    p.texts.push_back(std::to_string(100 + i));
    p.flags.push_back(0);
  }
  const std::vector<float> equal(p.texts.size() - 7, 1.0f);
  std::vector<float> logits(7, plain::minus_infinity);
  logits.insert(logits.end(), equal.begin(), equal.end());
  SetBox box(test::fresh(logits));
  ASSERT_EQ(Infill(p.vocab()).apply(box.set, box.error), Status::ok);
  EXPECT_EQ(box.ids(), std::vector<int32_t>{6});
  EXPECT_EQ(box.logits(), std::vector<float>{1});
  p.eot = p.eos = -1;
  p.flags[5] = 0;
  SetBox none(test::fresh(logits));
  EXPECT_EQ(Infill(p.vocab()).apply(none.set, none.error), Status::no_candidate);
}

TEST(Infill, an_empty_set_stays_empty_and_ids_beyond_the_vocabulary_are_text) {
  SetBox none(test::fresh({}));
  EXPECT_EQ(Infill(small().vocab()).apply(none.set, none.error), Status::ok);
  std::vector<float> logits(10, -5.0f);
  logits[9] = 5.0f;
  logits[5] = logits[6] = -30.0f;
  SetBox box(test::fresh(logits));
  ASSERT_EQ(Infill(small().vocab()).apply(box.set, box.error), Status::ok);
  EXPECT_EQ(box.ids()[0], 9);
}

TEST(Infill, equals_the_plain_one) {
  for (int seed = 0; seed < test::cases(1500); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    test::RandomSets random(static_cast<uint64_t>(seed));
    plain::Set expected = random.next(1 + random.below(40));
    Pieces p;
    for (size_t i = 0; i < expected.n_vocab; ++i) {
      std::string text;
      for (uint64_t n = random.below(4); n > 0; --n) text += static_cast<char>('a' + random.below(2));
      p.texts.push_back(text);
      p.flags.push_back(random.below(6) == 0 ? token_eog | (random.below(2) == 0 ? token_control : 0u) : 0u);
    }
    p.eos = static_cast<int32_t>(random.below(expected.n_vocab));
    if (random.below(2) == 0) p.eot = static_cast<int32_t>(random.below(expected.n_vocab));
    const float cold = random.below(2) == 0 ? 8.0f : 1.0f;  // ends are rare in cold sets, so that the merge is reached
    for (plain::Token& t : expected.tokens) {
      if (p.ends()[static_cast<size_t>(t.id)]) t.logit -= cold;
    }
    expected.sorted = false;
    SetBox box(expected);
    plain::infill(expected, p.rendered(), p.ends(), p.end_of_turn());
    ASSERT_EQ(Infill(p.vocab()).apply(box.set, box.error), Status::ok);
    ASSERT_TRUE(test::same_set(box.set, expected));
  }
}

}  // namespace
}  // namespace bankml
