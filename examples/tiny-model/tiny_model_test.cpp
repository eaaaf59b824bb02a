// The example model: its tokenizer against recorded tokens of train.py, its network against a recorded row, its file reader
// against damaged files. A plain program, so that the example needs no test library; every failed check is printed and counted.
#include "examples/tiny-model/tiny_model.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "examples/tiny-model/gguf_file.h"

namespace {

int passed = 0, failed = 0;

void check(bool ok, const char* what) {
  ok ? ++passed : ++failed;
  if (!ok) std::printf("FAILED: %s\n", what);
}

std::vector<int32_t> tokens_of(const tiny_model* m, const std::string& text) {
  std::vector<int32_t> ids(text.size());
  ids.resize(tiny_model_tokenize(m, text.data(), text.size(), ids.data(), ids.size()));
  return ids;
}

std::string text_of(const tiny_model* m, const std::vector<int32_t>& ids) {
  std::string out;
  for (const int32_t id : ids) {
    size_t n = 0;
    const char* piece = tiny_model_piece(m, id, &n);
    out.append(piece, n);
  }
  return out;
}

void tokenizer(const tiny_model* m) {
  const std::string texts[] = {
      "Once upon a time there was a miller.",   "", " ", "\n\n", "a  b   c\t d\n", "\"Do you?\" 1234 it's (x)",
      std::string("caf\xc3\xa9 \x00\xff z", 10)};
  for (const std::string& text : texts) check(text_of(m, tokens_of(m, text)) == text, ("round trip of '" + text + "'").c_str());
  check(tokens_of(m, "Once upon a time there was a clever fox.") ==
            std::vector<int32_t>{562, 560, 259, 365, 409, 266, 259, 717, 699, 13},
        "tokens equal those of train.py");
}

void network(const tiny_model* m) {
  tiny_context* a = tiny_context_new(m);
  tiny_context* b = tiny_context_new(m);
  const std::vector<int32_t> ids = tokens_of(m, "Once upon a time there was a clever fox.");
  const std::vector<float> start(tiny_context_logits(a), tiny_context_logits(a) + tiny_model_n_vocab(m));
  const float* whole = tiny_context_eval(a, ids.data(), ids.size());
  const float* stepwise = nullptr;
  for (const int32_t id : ids) stepwise = tiny_context_step(b, id);
  check(std::memcmp(whole, stepwise, start.size() * sizeof(float)) == 0, "eval equals its steps");
  const float expected[] = {-2.41702f, -1.79938f, -2.59234f, 1.33442f, 1.88923f, -2.05570f, 0.78925f, 10.58526f};
  bool near = true;
  for (size_t i = 0; i < 8; ++i) near = near && std::fabs(whole[i * 100] - expected[i]) < 1e-3f;
  check(near, "logits equal those of the numpy network with the same weights");
  tiny_context_reset(a);
  check(std::memcmp(tiny_context_logits(a), start.data(), start.size() * sizeof(float)) == 0, "reset goes back to the start");
  tiny_context_free(a);
  tiny_context_free(b);
}

void files() {
  char err[200] = "";
  check(tiny_model_load("/nonexistent.gguf", err, sizeof err) == nullptr && std::strstr(err, "nonexistent") != nullptr,
        "missing file");
  tiny_model* m = tiny_model_load(TINY_MODEL_FILE, err, sizeof err);
  check(m != nullptr, "the file on disk loads");
  size_t n = 0;
  const auto* bytes = static_cast<const uint8_t*>(tiny_model_gguf(m, &n));
  check(n > 0 && n <= 1'000'000, "the file has at most 1 MB");
  int refused = 0, tried = 0;
  for (size_t cut = 0; cut < n; cut += cut < 2000 ? 1 : 997) {
    const std::vector<uint8_t> part(bytes, bytes + cut);
    ++tried;
    try {
      const tiny::GgufFile file(part);
      file.tensor("gru.state.bias", 768);
      file.tensor("token_embd.weight", 1024 * 256);
      file.tensor("gru.input.weight", 768 * 256);
      file.tensor("gru.state.weight", 768 * 256);
      file.tensor("output.bias", 1024);
      file.tensor("gru.input.bias", 768);
    } catch (const std::exception&) {
      ++refused;
    }
  }
  check(refused == tried, "every cut file is refused");
  tiny_model_free(m);
}

}  // namespace

int main() {
  char err[200] = "";
  tiny_model* m = tiny_model_load(nullptr, err, sizeof err);
  if (m == nullptr) {
    std::printf("the embedded model does not load: %s\n", err);
    return 1;
  }
  check(tiny_model_n_vocab(m) == 1024 && tiny_model_eos(m) == 1023, "sizes");
  size_t n = 1;
  check(tiny_model_piece(m, 1023, &n) != nullptr && n == 0, "the end token is rendered as nothing");
  check(tiny_model_piece(m, 1024, &n) == nullptr && tiny_model_piece(m, -1, &n) == nullptr, "no piece outside the vocabulary");
  tokenizer(m);
  network(m);
  files();
  tiny_model_free(m);
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed != 0;
}
