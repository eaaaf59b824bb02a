// core/steps/by_id, and the test helpers themselves: a comparison that could not fail would prove nothing.
#include "core/math/fp_env.h"

#include "core/steps/by_id.h"

#include <gtest/gtest.h>

#include "core/steps/logit_bias.h"
#include "tests/steps/rows.h"

namespace bankml {
namespace {

using test::SetBox;

TEST(ById, ids_are_at_home_in_a_fresh_set_only) {
  SetBox box(test::fresh({1, 2, 3}));
  const std::vector<int32_t> ids = {0, 2};
  const auto self = [](int32_t id) { return id; };
  EXPECT_TRUE(all_at_home(box.set, ids.begin(), ids.end(), self));
  std::swap(box.set.data[1], box.set.data[2]);
  EXPECT_FALSE(all_at_home(box.set, ids.begin(), ids.end(), self));
  EXPECT_TRUE(all_at_home(box.set, ids.begin(), ids.begin() + 1, self));
  box.set.size = 1;
  EXPECT_FALSE(all_at_home(box.set, ids.begin(), ids.begin() + 1, self)) << "a cut set may hold id 0 and still lack others";
  const std::vector<int32_t> outside = {3, -1};
  box.set.size = 3;
  EXPECT_FALSE(all_at_home(box.set, outside.begin(), outside.begin() + 1, self));
  EXPECT_FALSE(all_at_home(box.set, outside.begin() + 1, outside.end(), self));
}

TEST(ById, the_comparison_of_sets_sees_every_field) {
  const plain::Set s = test::fresh({1, 2, 3});
  const auto differs = [&](auto change) {
    SetBox box(s);
    change(box.set);
    return !test::same_set(box.set, s);
  };
  EXPECT_FALSE(differs([](Candidates&) {}));
  EXPECT_TRUE(differs([](Candidates& c) { c.size = 2; }));
  EXPECT_TRUE(differs([](Candidates& c) { c.sorted = true; }));
  EXPECT_TRUE(differs([](Candidates& c) { c.selected = 0; }));
  EXPECT_TRUE(differs([](Candidates& c) { c.data[2].id = 0; }));
  EXPECT_TRUE(differs([](Candidates& c) { c.data[1].logit = std::nextafter(2.0f, 3.0f); }));
  EXPECT_TRUE(differs([](Candidates& c) { c.data[0].p = -0.0f; }));
}

TEST(ById, the_comparison_of_edits_sees_a_difference) {
  class OneSided : public Step {
   public:
    const char* name() const noexcept override { return "one_sided"; }
    Status apply(Candidates& set, ErrorText&) noexcept override {
      set.data[1].logit += 1.0f;
      return Status::ok;
    }
    bool edit(Row&, Work&) noexcept override { return true; }
    std::unique_ptr<Step> clone() const override { return std::make_unique<OneSided>(*this); }
  } step;
  EXPECT_FALSE(test::edits_equal_apply({&step}, {1, 2, 3}, nullptr));
}

}  // namespace
}  // namespace bankml
