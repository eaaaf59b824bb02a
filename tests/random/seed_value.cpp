// Random seeds: never the value that asks for one, and not the same each time.
#include "core/random/seed_value.h"

#include <gtest/gtest.h>

#include <set>

namespace {

TEST(SeedValue, differs_and_is_never_the_request_for_one) {
  std::set<uint32_t> seen;
  for (int i = 0; i < 200; ++i) {
    const uint32_t value = bankml::random::random_seed_value();
    EXPECT_NE(value, bankml::random::random_seed);
    seen.insert(value);
  }
  EXPECT_GT(seen.size(), 190u);
}

}  // namespace
