// Runs recorded cases through the public C ABI, or through another language's binding:
//   replay FILE... [--cpu NAME] [--threads N] [--max-vocab N] [--only ID] [--force-off]
//     [--adapter COMMAND]
//
// A file has one case a line (JSON). Rows are shared out to threads; failures are printed in file order, and the last line is
// `N passed, N failed`. Exit status 1 if anything failed, 2 if a file cannot be read. It loads nothing at run time, so that it can
// be linked statically for other processors.
#include <CLI/CLI.hpp>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <mutex>
#include <thread>

#include "tests/replay/row.h"

namespace bankml::replay {
namespace {

struct Options {
  std::vector<std::string> files;
  std::string cpu;
  size_t threads = 1;
  size_t max_vocab = 0;  // 0 = all
  std::vector<std::string> only;
  std::string vocab_folder = BANKML_REPLAY_VOCAB_DIR;
  std::string adapter;  // command; empty = the C ABI in this process
  bool quiet = false;
  bool force_off = false;
};

struct Line {
  std::string folder;
  std::string label;  // for rows without an id
  std::string text;
};

enum class Outcome { passed, failed, skipped };

struct Result {
  Outcome outcome = Outcome::skipped;
  std::string report;
};

std::vector<Line> read_lines(const std::vector<std::string>& files) {
  std::vector<Line> lines;
  for (const std::string& file : files) {
    std::ifstream stream(file);
    if (!stream) throw std::runtime_error("cannot read " + file);
    const std::filesystem::path path(file);
    std::string text;
    for (size_t number = 1; std::getline(stream, text); ++number)
      if (!text.empty())
        lines.push_back({path.parent_path().string(), path.filename().string() + ":" + std::to_string(number), text});
  }
  return lines;
}

Result run_line(const Line& line, const Options& options, RowContext& context) {
  std::string id = line.label;
  try {
    const json row = json::parse(line.text);
    id = row.value("id", line.label);
    if (!options.only.empty() && std::find(options.only.begin(), options.only.end(), id) == options.only.end()) return {};
    context.folder = line.folder;
    if (options.max_vocab != 0 && row_vocab_size(row, context) > options.max_vocab) return {};
    run_row(row, context);
    return {Outcome::passed, ""};
  } catch (const std::exception& error) {
    return {Outcome::failed, id + ": " + error.what()};
  }
}

// `plans`: how many chains took which opening.
std::vector<Result> run_all(const std::vector<Line>& lines, const Options& options, std::map<std::string, size_t>& plans) {
  std::vector<Result> results(lines.size());
  std::vector<std::unique_ptr<Library>> libraries;  // one for each thread, started before any of them
  for (size_t i = 0; i < options.threads; ++i)
    libraries.push_back(options.adapter.empty() ? c_library() : adapter(options.adapter));
  if (!options.quiet) std::cout << "library " << libraries[0]->name() << "\n";
  std::atomic<size_t> next{0};
  std::mutex lock;
  const auto work = [&](size_t thread) {
    RowContext context{*libraries[thread], options.vocab_folder, "", {}, {}, options.force_off, {}};
    for (size_t i = next++; i < lines.size(); i = next++) results[i] = run_line(lines[i], options, context);
    const std::lock_guard<std::mutex> guard(lock);
    for (const auto& [plan, count] : context.plans) plans[plan] += count;
  };
  std::vector<std::thread> others;
  for (size_t i = 1; i < options.threads; ++i) others.emplace_back(work, i);
  work(0);
  for (std::thread& thread : others) thread.join();
  return results;
}

int report(const std::vector<Result>& results, const Options& options, const std::map<std::string, size_t>& plans) {
  size_t passed = 0, failed = 0, skipped = 0;
  for (const Result& result : results) {
    passed += result.outcome == Outcome::passed;
    failed += result.outcome == Outcome::failed;
    skipped += result.outcome == Outcome::skipped;
    if (result.outcome == Outcome::failed) std::cout << "FAILED " << result.report << "\n";
  }
  if (skipped != 0 && !options.quiet) std::cout << skipped << " rows left out (--only, --max-vocab)\n";
  if (!options.quiet && options.adapter.empty()) std::cout << "cpu " << bankml_cpu_name() << "\n";
  if (options.force_off) {
    std::cout << "openings, each forced off:";
    for (const auto& [plan, count] : plans) std::cout << " " << plan << " " << count;
    std::cout << "\n";
  }
  std::cout << passed << " passed, " << failed << " failed\n";
  return failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace bankml::replay

int main(int argc, char** argv) {
  using namespace bankml::replay;
  Options options;
  CLI::App app("Runs recorded cases through bankml's C ABI (or a binding) and compares every bit.");
  app.add_option("files", options.files, "recorded cases, one JSON object a line")->required();
  app.add_option("--cpu", options.cpu, "CPU level to force: scalar, avx2, avx512, neon");
  app.add_option("--threads", options.threads, "threads (default 1)")->check(CLI::Range(1, 1024));
  app.add_option("--max-vocab", options.max_vocab, "leave out rows with more tokens");
  app.add_option("--only", options.only, "run these ids only")->delimiter(',')->allow_extra_args(false);
  app.add_option("--vocab-dir", options.vocab_folder, "where vocabularies are that do not lie beside their file");
  app.add_option("--adapter", options.adapter, "a program that runs the cases through its language's binding (see README.md)");
  app.add_flag("--force-off", options.force_off, "chains also without their fast path, and without those that follow it");
  app.add_flag("--quiet", options.quiet, "print failures and the counts only");
  CLI11_PARSE(app, argc, argv);
  try {
    if (!options.cpu.empty() && !options.adapter.empty()) throw std::runtime_error("--cpu does not reach an adapter");
    if (!options.cpu.empty() && bankml_cpu_force(options.cpu.c_str()) != BANKML_OK)
      throw std::runtime_error("this machine has no CPU level '" + options.cpu + "'");
    if (options.force_off && !options.adapter.empty()) throw std::runtime_error("--force-off does not reach an adapter");
    std::map<std::string, size_t> plans;
    const std::vector<Result> results = run_all(read_lines(options.files), options, plans);
    return report(results, options, plans);
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << "\n";
    return 2;
  }
}
