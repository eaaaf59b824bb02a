// Replies: exact texts, written out by hand.
#include "core/reply/reply.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/base/status.h"

namespace bankml::reply {
namespace {

// 0 "Hello", 1 "\n", 2 "<eos>" (control), 3 F0 9F, 4 98 80, 5 "Hello" again, 6 a quote.
std::shared_ptr<const Vocab> vocab() {
  const std::vector<std::string> pieces = {"Hello", "\n", "<eos>", "\xF0\x9F", "\x98\x80", "Hello", "\""};
  const std::vector<uint32_t> flags = {0, 0, token_control, 0, 0, 0, 0};
  std::string bytes;
  std::vector<size_t> offsets{0};
  for (const std::string& piece : pieces) {
    bytes += piece;
    offsets.push_back(bytes.size());
  }
  return Vocab::from_pieces(reinterpret_cast<const uint8_t*>(bytes.data()), offsets.data(), flags.data(), pieces.size(), 2, -1);
}

std::string written(Format format, Options options, const std::vector<TokenProb>& drawn, const std::vector<TokenProb>& top) {
  Reply reply(format, vocab(), options);
  for (const TokenProb& token : drawn) reply.add(token, top.data(), top.size(), nullptr);
  return reply.json();
}

TEST(Reply, LlamaServer) {
  EXPECT_EQ(written(Format::llama_server, {}, {{0, 0.5f}}, {{0, 0.5f}, {1, 0.25f}}),
            R"([{"id":0,"token":"Hello","bytes":[72,101,108,108,111],"logprob":-0.6931471824645996,"top_logprobs":[)"
            R"({"id":0,"token":"Hello","bytes":[72,101,108,108,111],"logprob":-0.6931471824645996},)"
            R"({"id":1,"token":"\n","bytes":[10],"logprob":-1.3862943649291992}]}])");
  EXPECT_EQ(written(Format::llama_server, {}, {}, {}), "[]");
}

TEST(Reply, LlamaServerAfterSampling) {
  EXPECT_EQ(written(Format::llama_server, {true, false}, {{6, 0.75f}, {1, 0.25f}}, {{6, 0.75f}}),
            R"([{"id":6,"token":"\"","bytes":[34],"prob":0.75,"top_probs":[{"id":6,"token":"\"","bytes":[34],"prob":0.75}]},)"
            R"({"id":1,"token":"\n","bytes":[10],"prob":0.25,"top_probs":[{"id":6,"token":"\"","bytes":[34],"prob":0.75}]}])");
}

TEST(Reply, LlamaServerChat) {
  EXPECT_EQ(written(Format::llama_server_chat, {}, {{1, 1.0f}}, {}),
            R"({"content":[{"id":1,"token":"\n","bytes":[10],"logprob":0.0,"top_logprobs":[]}]})");
}

TEST(Reply, LlamaServerCutCharactersAndZero) {
  EXPECT_EQ(written(Format::llama_server, {}, {{3, 0.0f}, {4, 1.0f}}, {}),
            "[{\"id\":3,\"token\":\"\",\"bytes\":[240,159],\"logprob\":-3.4028234663852886e+38,\"top_logprobs\":[]},"
            "{\"id\":4,\"token\":\"\xEF\xBF\xBD\xEF\xBF\xBD\",\"bytes\":[152,128],\"logprob\":0.0,\"top_logprobs\":[]}]");
}

TEST(Reply, ControlTokensAndIdsBehindTheVocabulary) {
  EXPECT_EQ(written(Format::llama_server, {}, {{2, 1.0f}}, {{7, 0.0f}}),
            R"([{"id":2,"token":"","bytes":[],"logprob":0.0,"top_logprobs":[)"
            R"({"id":7,"token":"","bytes":[],"logprob":-3.4028234663852886e+38}]}])");
  EXPECT_EQ(written(Format::llama_server, {false, true}, {{2, 1.0f}}, {}),
            R"([{"id":2,"token":"<eos>","bytes":[60,101,111,115,62],"logprob":0.0,"top_logprobs":[]}])");
}

TEST(Reply, OpenAiChat) {
  EXPECT_EQ(written(Format::openai_chat, {}, {{0, 0.5f}, {3, 0.0f}, {2, 1.0f}}, {{4, 0.25f}}),
            R"({"content":[{"token":"Hello","logprob":-0.6931472,"bytes":[72,101,108,108,111],"top_logprobs":[)"
            R"({"token":"\\x98\\x80","logprob":-1.3862944,"bytes":[152,128]}]},)"
            R"({"token":"\\xf0\\x9f","logprob":-9999.0,"bytes":[240,159],"top_logprobs":[)"
            R"({"token":"\\x98\\x80","logprob":-1.3862944,"bytes":[152,128]}]},)"
            R"({"token":"","logprob":0.0,"bytes":null,"top_logprobs":[)"
            R"({"token":"\\x98\\x80","logprob":-1.3862944,"bytes":[152,128]}]}],"refusal":null})");
}

TEST(Reply, OpenAiCompletions) {
  // The drawn token is added where it is not among the best; of two tokens with one text the first stays.
  EXPECT_EQ(written(Format::openai_completions, {}, {{0, 0.5f}, {3, 0.125f}, {4, 1.0f}, {1, 0.0f}}, {{0, 0.5f}, {5, 0.25f}}),
            R"({"tokens":["Hello","bytes:\\xf0\\x9f","bytes:\\x98\\x80","\n"],)"
            R"("token_logprobs":[-0.6931472,-2.0794415,0.0,-9999.0],)"
            R"("top_logprobs":[{"Hello":-0.6931472},{"Hello":-0.6931472,"bytes:\\xf0\\x9f":-2.0794415},)"
            R"({"Hello":-0.6931472,"bytes:\\x98\\x80":0.0},{"Hello":-0.6931472,"\n":-9999.0}],)"
            R"("text_offset":[0,5,6,6]})");
  EXPECT_EQ(written(Format::openai_completions, {}, {{0, 0.5f}}, {}),
            R"({"tokens":["Hello"],"token_logprobs":[-0.6931472],"top_logprobs":[{"Hello":-0.6931472}],"text_offset":[0]})");
}

TEST(Reply, TextSentInsteadOfThePiece) {
  Reply reply(Format::openai_completions, vocab(), {});
  reply.set_text_offset(16);
  const std::string_view text = "He";
  reply.add({0, 1.0f}, nullptr, 0, &text);
  EXPECT_EQ(reply.json(), R"({"tokens":["He"],"token_logprobs":[0.0],"top_logprobs":[{"He":0.0}],"text_offset":[16]})");
  reply.clear();
  reply.add({1, 1.0f}, nullptr, 0, nullptr);
  EXPECT_EQ(reply.json(), R"({"tokens":["\n"],"token_logprobs":[0.0],"top_logprobs":[{"\n":0.0}],"text_offset":[18]})");
}

template <class Body>
Status refused(Body body) {
  try {
    body();
  } catch (const Failure& failure) {
    return failure.status();
  }
  return Status::ok;
}

TEST(Reply, RefusalsAddNothing) {
  Reply reply(Format::llama_server, vocab(), {});
  const auto add = [&](TokenProb drawn, TokenProb top) { return refused([&] { reply.add(drawn, &top, 1, nullptr); }); };
  EXPECT_EQ(add({-1, 0.5f}, {0, 0.5f}), Status::token);
  EXPECT_EQ(add({0, 0.5f}, {-1, 0.5f}), Status::token);
  EXPECT_EQ(add({0, 1.5f}, {0, 0.5f}), Status::arg);
  EXPECT_EQ(add({0, 0.5f}, {0, std::numeric_limits<float>::quiet_NaN()}), Status::arg);
  EXPECT_EQ(reply.json(), "[]");
  EXPECT_EQ(refused([] { format_named("openai"); }), Status::arg);
  EXPECT_EQ(format_named("openai-completions"), Format::openai_completions);
  EXPECT_EQ(format_named("llama-server"), Format::llama_server);
  EXPECT_EQ(refused([] { Reply(Format::openai_chat, vocab(), {true, false}); }), Status::arg);
}

TEST(Reply, TooLong) {
  Reply reply(Format::llama_server, vocab(), {});
  const std::vector<TokenProb> top(Reply::max_bytes / 64, TokenProb{0, 0.5f});
  EXPECT_EQ(refused([&] { reply.add({0, 0.5f}, top.data(), top.size(), nullptr); }), Status::limit);
  EXPECT_EQ(reply.json(), "[]");
}

}  // namespace
}  // namespace bankml::reply
