// Lists by the native setters: accepted forms, refusals, texts that read back.
#include "core/params/param_lists.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "core/base/status.h"
#include "core/params/param_set.h"

namespace bankml {
namespace {

std::string set_and_get(const char* name, const char* text) {
  ParamSet set;
  try {
    set.set_json(name, text);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), Status::arg);
    EXPECT_EQ(set.to_json(), ParamSet().to_json());
    return failure.text();
  }
  return set.get_json(name);
}

TEST(ParamLists, Samplers) {
  EXPECT_EQ(set_and_get("samplers", R"(["Typical","top-k","temp","adaptive_p","top_k"])"),
            R"(["typ_p","top_k","temperature","adaptive_p","top_k"])");
  EXPECT_EQ(set_and_get("samplers", "[]"), "[]");
  EXPECT_EQ(set_and_get("samplers", "\"kpt\""), R"(["top_k","top_p","temperature"])");
  EXPECT_EQ(set_and_get("samplers", R"(["top_k","tfs_z"])"), "samplers: unknown step \"tfs_z\"");
  EXPECT_EQ(set_and_get("samplers", R"(["top_k",1])"), "samplers: takes an array of strings; one is number");
  EXPECT_EQ(set_and_get("samplers", "{}"), "samplers: takes an array of strings, not object");
}

TEST(ParamLists, OrderAsAString) {
  const auto order = [](const char* text) {
    ParamSet set;
    set.set_string("samplers", text);
    return set.get_json("samplers");
  };
  EXPECT_EQ(order("edskypmxt"), R"(["penalties","dry","top_n_sigma","top_k","typ_p","top_p","min_p","xtc","temperature"])");
  EXPECT_EQ(order("top_k;typical;;temperature"), R"(["top_k","typ_p","temperature"])");
  EXPECT_EQ(order("xtc"), R"(["xtc"])");
  EXPECT_EQ(order(""), "[]");
  EXPECT_THROW(order("top_k;nope"), Failure);
  EXPECT_THROW(order("kpz"), Failure);
}

TEST(ParamLists, StringsOnlyWhereTheyMeanSomething) {
  ParamSet set;
  EXPECT_THROW(set.set_string("temperature", "0.5"), Failure);
  set.set_string("disable", "scan,lazy_sort");
  EXPECT_EQ(set.get_json("disable"), R"(["scan","lazy_sort"])");
  set.set_string("disable", "");
  EXPECT_EQ(set.get_json("disable"), "[]");
}

TEST(ParamLists, Biases) {
  EXPECT_EQ(set_and_get("logit_bias", R"([["ab",1.5],[3,false],[-4,2],["",9],["c",-1]])"),
            R"([["ab",1.5],[3,false],[-4,2],["c",-1]])");
  EXPECT_EQ(set_and_get("logit_bias", R"({"3":0.1,"x":false})"), R"([[3,0.1],["x",false]])");
  EXPECT_EQ(set_and_get("logit_bias", "[[3,-1e39]]"), "[[3,false]]");
  EXPECT_EQ(set_and_get("logit_bias", "[[3,1e39]]"), "logit_bias: the bias of token 3 is too large: 1e39");
  EXPECT_EQ(set_and_get("logit_bias", "[[3,true]]"), "logit_bias: the bias of token 3 must be a number or false, not true");
  EXPECT_EQ(set_and_get("logit_bias", R"([["a","1"]])"), "logit_bias: the bias of \"a\" must be a number or false, not string");
  EXPECT_EQ(set_and_get("logit_bias", "[[3.5,1]]"), "logit_bias: the first of a pair must be an integer token id, got 3.5");
  EXPECT_EQ(set_and_get("logit_bias", "[[4294967296,1]]"), "logit_bias: token id 4294967296 does not fit 32 bits");
  EXPECT_EQ(set_and_get("logit_bias", "[[1,2,3]]"), "logit_bias: an entry must be a pair [token or text, bias]");
  EXPECT_EQ(set_and_get("logit_bias", "3"), "logit_bias: takes an array of [token or text, bias] pairs, or an object, not number");
}

TEST(ParamLists, Breakers) {
  EXPECT_EQ(set_and_get("dry_sequence_breakers", R"(["\n","","é"])"), R"(["\n","","é"])");
  EXPECT_EQ(set_and_get("dry_sequence_breakers", "[]"), "[]");
  EXPECT_EQ(set_and_get("dry_sequence_breakers", "[1]"), "dry_sequence_breakers: takes an array of strings; one is number");
  EXPECT_EQ(set_and_get("dry_breaker_tokens", "[[1],[2,3]]"), "[[1],[2,3]]");
  EXPECT_EQ(set_and_get("dry_breaker_tokens", "[[]]"), "dry_breaker_tokens: a breaker needs at least one token, got []");
  EXPECT_EQ(set_and_get("dry_breaker_tokens", "[1]"), "dry_breaker_tokens: takes an array of token arrays, not number");
  EXPECT_EQ(set_and_get("dry_breaker_tokens", "[[1.5]]"),
            "dry_breaker_tokens: a breaker's token must be an integer token id, got 1.5");
}

}  // namespace
}  // namespace bankml
