// scripts/bench: the rows side by side with llama.cpp's library, as a table and as JSON.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "bankml.h"
#include "bench/alone.h"
#include "bench/memory.h"
#include "bench/race.h"
#include "bench/rivals.h"

namespace bankml::bench {
namespace {

std::string cpu_model() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);) {
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  }
  return "unknown CPU";
}

struct Options {
  std::vector<std::string> rows, recipes;
  std::vector<size_t> vocabs;
  std::string json, cpu, rivals_folder;
  bool quick = false, no_memory = false, no_alone = false;
};

nlohmann::ordered_json to_json(const Result& r) {
  nlohmann::ordered_json json = {{"row", r.row},
                                 {"recipe", r.recipe},
                                 {"vocab", r.vocab},
                                 {"ours_us", r.ours.median},
                                 {"peer_us", r.peer.median},
                                 {"ratio", r.ratio()},
                                 {"scan_us", r.scan.median},
                                 {"target", nullptr},
                                 {"ours_p90_us", r.ours.p90},
                                 {"peer_p90_us", r.peer.p90},
                                 {"ours_min_us", r.ours.minimum},
                                 {"peer_min_us", r.peer.minimum},
                                 {"cpu", cpu_model()},
                                 {"level", bankml_cpu_name()}};
  if (r.target > 0) json["target"] = r.target;
  return json;
}

// Recipe peaked and V 151,936 come first; then the other kinds of logits; then the other sizes.
std::vector<std::pair<std::string, size_t>> plan(const Options& options) {
  std::vector<std::pair<std::string, size_t>> all;
  if (!options.recipes.empty() || !options.vocabs.empty() || options.quick) {
    const std::vector<std::string> recipes = options.recipes.empty() ? std::vector<std::string>{"peaked"} : options.recipes;
    const std::vector<size_t> vocabs = options.vocabs.empty() ? std::vector<size_t>{151936} : options.vocabs;
    for (const size_t vocab : vocabs) {
      for (const std::string& recipe : recipes) all.emplace_back(recipe, vocab);
    }
    return all;
  }
  for (const char* recipe : {"peaked", "real", "ties", "bf16", "f16"}) all.emplace_back(recipe, 151936);
  for (const size_t vocab : {32000, 262144}) all.emplace_back("peaked", vocab);
  return all;
}

int run(const Options& options) {
  if (!options.cpu.empty() && bankml_cpu_force(options.cpu.c_str()) != BANKML_OK) {
    std::fprintf(stderr, "bench: this machine has no CPU level %s\n", options.cpu.c_str());
    return 1;
  }
  for (const std::string& name : options.rows) {
    if (std::none_of(rows().begin(), rows().end(), [&](const Row& row) { return row.name == name; })) {
      std::fprintf(stderr, "bench: no row %s\n", name.c_str());
      return 1;
    }
  }
  if (!options.rivals_folder.empty()) {
    write_rivals(options.rivals_folder);
    return 0;
  }
  const auto library = reference::LlamaLibrary::open();
  nlohmann::ordered_json results = nlohmann::ordered_json::array();
  std::printf("%s, level %s; microseconds a call, one thread\n", cpu_model().c_str(), bankml_cpu_name());
  for (const auto& [recipe, vocab] : plan(options)) {
    std::printf("\n%s, V = %zu\n%-20s %10s %9s %10s %8s %8s %7s %7s\n", recipe.c_str(), vocab, "row", "llama.cpp", "ours",
                "ours p90", "scan", "x scan", "ratio", "target");
    for (const Row& row : rows()) {
      if (!options.rows.empty() && std::find(options.rows.begin(), options.rows.end(), row.name) == options.rows.end()) continue;
      const Result r = race(library, row, recipe, vocab, options.quick ? 0.1 : 0.5);
      char target[16] = "";
      if (r.target > 0) std::snprintf(target, sizeof target, "%.0f%s", r.target, r.ratio() >= r.target ? "" : " !");
      std::printf("%-20s %10.1f %9.1f %10.1f %8.1f %8.2f %7.1f %7s\n", r.row.c_str(), r.peer.median, r.ours.median, r.ours.p90,
                  r.scan.median, r.ours.median / r.scan.median, r.ratio(), target);
      std::fflush(stdout);
      results.push_back(to_json(r));
    }
  }
  if (!options.no_alone && options.rows.empty()) {
    std::printf("\nwithout a rival, peaked, V = 151936\n%-28s %10s %9s\n", "row", "median", "p90");
    alone(options.quick ? 0.1 : 0.5, [&](const Alone& a) {
      std::printf("%-28s %10.2f %9.2f  %s\n", a.row.c_str(), a.times.median, a.times.p90, a.what);
      std::fflush(stdout);
      results.push_back({{"row", a.row},
                         {"recipe", "peaked"},
                         {"vocab", 151936},
                         {"ours_us", a.times.median},
                         {"peer_us", nullptr},
                         {"ratio", nullptr},
                         {"scan_us", nullptr},
                         {"target", nullptr},
                         {"ours_p90_us", a.times.p90},
                         {"ours_min_us", a.times.minimum},
                         {"cpu", cpu_model()},
                         {"level", bankml_cpu_name()}});
    });
  }
  if (!options.no_memory) {
    std::printf("\nmemory, bytes\n");
    for (const Memory& m : memory())
      std::printf("%-44s %12.0f  of %.0f%s\n", m.what.c_str(), m.bytes, m.limit, m.bytes <= m.limit ? "" : " !");
  }
  if (!options.json.empty()) {
    std::ofstream file(options.json);
    file << results.dump(1) << '\n';
    if (!file) {
      std::fprintf(stderr, "bench: cannot write %s\n", options.json.c_str());
      return 1;
    }
  }
  return 0;
}

}  // namespace
}  // namespace bankml::bench

int main(int argc, char** argv) {
  bankml::bench::Options options;
  CLI::App app("The speed table, side by side with llama.cpp's own library on the same logits. '!' marks a target that is missed.");
  app.add_option("--row", options.rows, "only these rows (repeatable)");
  app.add_option("--recipe", options.recipes, "kinds of logits: peaked real ties bf16 f16 normal ...");
  app.add_option("--vocab", options.vocabs, "vocabulary sizes");
  app.add_option("--json", options.json, "write the results to this file");
  app.add_option("--cpu", options.cpu, "force a CPU level of ours: scalar avx2 avx512 neon");
  app.add_option("--write-rivals", options.rivals_folder, "only write what other samplers are compared on into this folder");
  app.add_flag("--quick", options.quick, "short timings; peaked at V = 151,936 unless said otherwise");
  app.add_flag("--no-alone", options.no_alone, "leave out what has no rival (masks, accept, construction, batches)");
  app.add_flag("--no-memory", options.no_memory, "leave the memory figures out");
  CLI11_PARSE(app, argc, argv);
  try {
    return bankml::bench::run(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench: %s\n", error.what());
    return 1;
  }
}
