// What becomes of the drawn tokens: their text on stdout as soon as no stop string can take it back, or one JSON object at the end.
#pragma once

#include <string>
#include <vector>

#include "examples/command/common.h"

namespace command {

struct OutputOptions {
  std::vector<std::string> stops;
  bool include_stop = false;
  std::string json;  // a format of bankml_reply_new, "" = text
};

class Output {
 public:
  Output(const OutputOptions& options, const bankml_vocab* vocab);

  // A token that was drawn from this row; n_top: how many of the row's best the JSON lists. True once a stop string ended the text.
  bool add(bankml_sampler* sampler, const float* logits, size_t n, int32_t token, size_t n_top);
  // The generation has ended; stop_type: llama-server's word for why, where it was no stop string.
  void end(const char* stop_type);

 private:
  void show(const uint8_t* bytes, size_t n);
  void add_probabilities(bankml_sampler* sampler, const float* logits, size_t n, int32_t token, size_t n_top);
  std::string reply_json() const;

  OutputOptions options_;
  const bankml_vocab* vocab_;
  std::unique_ptr<bankml_stop, Freer<bankml_stop_free>> stop_;
  std::unique_ptr<bankml_reply, Freer<bankml_reply_free>> reply_;
  std::vector<uint8_t> room_;
  std::vector<int32_t> tokens_;
  std::string text_;  // with JSON alone
  int32_t matched_ = -1;
};

}  // namespace command
