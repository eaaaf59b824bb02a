// Vocabularies of recorded cases: loaded once, by base name, from the folder of the recorded file or from the project's own.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "bankml.h"

namespace bankml::replay {

class VocabStore {
 public:
  explicit VocabStore(std::string project_folder) : project_folder_(std::move(project_folder)) {}
  // Throws std::runtime_error if neither folder has it, or if it does not load. Any thread.
  const bankml_vocab* find(const std::string& name, const std::string& folder);

 private:
  using Handle = std::unique_ptr<bankml_vocab, void (*)(bankml_vocab*)>;
  std::string project_folder_;
  std::mutex lock_;
  std::map<std::string, Handle> loaded_;  // by path
};

}  // namespace bankml::replay
