// The table itself: complete, unambiguous, its defaults those of Params.
#include "core/params/table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <sstream>
#include <string>

#include "core/base/status.h"
#include "core/params/param_set.h"

namespace bankml {
namespace {

TEST(ParamTable, NamesAndAliasesAreUnique) {
  std::set<std::string> seen;
  for (size_t i = 0; i < param_count(); ++i) {
    std::stringstream names(std::string(param_row(i).name) + "," + param_row(i).aliases);
    for (std::string name; std::getline(names, name, ',');) {
      EXPECT_TRUE(seen.insert(name).second) << name;
      EXPECT_EQ(find_param(name), i) << name;
    }
  }
}

TEST(ParamTable, UnknownNames) {
  for (const char* name : {"", "Top_k", "top_k ", "typ", "temp,", "frobnicate", "repetition_penalty,penalty_repeat"}) {
    EXPECT_EQ(find_param(name), no_param) << name;
  }
}

TEST(ParamTable, DefaultsAreThoseOfParams) {
  const ParamSet set;
  for (size_t i = 0; i < param_count(); ++i)
    EXPECT_EQ(set.get_json(param_row(i).name), param_row(i).default_json) << param_row(i).name;
}

TEST(ParamTable, RowsAreComplete) {
  for (size_t i = 0; i < param_count(); ++i) {
    const ParamRow& row = param_row(i);
    SCOPED_TRACE(row.name);
    EXPECT_GT(std::string(row.doc).size(), 20u);
    EXPECT_EQ(std::string(row.doc).find('\n'), std::string::npos);
    const int places = (row.integer != nullptr) + (row.seed != nullptr) + (row.number != nullptr) + (row.boolean != nullptr) +
                       (row.json != JsonParam::none);
    EXPECT_EQ(places, 1);
    if (row.kind == ParamKind::json) {
      EXPECT_NE(row.json, JsonParam::none);
    } else {
      EXPECT_LT(row.min, row.max);
    }
  }
}

TEST(ParamTable, LimitsAreAcceptedAndTheNextValuesAreNot) {
  for (size_t i = 0; i < param_count(); ++i) {
    const ParamRow& row = param_row(i);
    if (row.kind == ParamKind::json) continue;
    SCOPED_TRACE(row.name);
    ParamSet set;
    for (double limit : {row.min, row.max}) EXPECT_NO_THROW(set.set_number(row.name, limit)) << limit;
    const float inf = std::numeric_limits<float>::infinity();
    const bool real = row.kind == ParamKind::number;
    EXPECT_THROW(set.set_number(row.name, real ? std::nextafter(static_cast<float>(row.min), -inf) : row.min - 1), Failure);
    EXPECT_THROW(set.set_number(row.name, real ? std::nextafter(static_cast<float>(row.max), inf) : row.max + 1), Failure);
  }
}

TEST(ParamTable, SmallestRepeatPenaltyIsTheSmallestWithAFiniteReciprocal) {
  const float smallest = static_cast<float>(param_row(find_param("repeat_penalty")).min);
  EXPECT_TRUE(std::isfinite(1 / smallest));
  EXPECT_TRUE(std::isinf(1 / std::nextafter(smallest, 0.0f)));
}

}  // namespace
}  // namespace bankml
