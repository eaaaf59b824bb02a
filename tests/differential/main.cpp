// Random live cases against llama.cpp's library: differential --cases N --seed S [--case I] [--recipe NAME] [--cpu NAME]
// [--threads N]
//
// Case I of seed S is always the same, so a failure is repeated by --seed S --case I. The last line is `N passed, N failed`.
#include <CLI/CLI.hpp>
#include <atomic>
#include <iostream>
#include <random>
#include <thread>

#include "tests/differential/compare.h"

namespace bankml::differential {
namespace {

struct Options {
  uint64_t cases = 1000;
  uint64_t seed = 0;
  int64_t only = -1;
  std::string cpu;
  std::string recipe;
  size_t threads = std::max(1u, std::thread::hardware_concurrency());
  size_t max_reports = 20;
  bool show = false;
};

World open_world() {
  World world;
  world.library = reference::LlamaLibrary::open();
  for (const char* name : {"spm-test.gguf", "bpe-test.gguf"}) {
    const std::string path = std::string(BANKML_SOURCE_DIR) + "/tests/vectors/vocab/" + name;
    char error[512] = "";
    reference::VocabHandle ours(bankml_vocab_from_gguf(path.c_str(), error, sizeof error), bankml_vocab_free);
    if (!ours) throw std::runtime_error(path + ": " + error);
    auto theirs = std::make_unique<reference::LlamaModel>(world.library, path, true);
    VocabFacts facts{static_cast<size_t>(theirs->n_vocab()), {}};
    for (int32_t token = 0; token < theirs->n_vocab(); ++token) facts.pieces.push_back(theirs->piece(token, true));
    world.vocabs.push_back({std::move(theirs), std::move(ours)});
    world.facts.push_back(std::move(facts));
  }
  return world;
}

struct Failure {
  uint64_t index;
  std::string text;
};

struct Summary {
  uint64_t passed = 0;
  std::vector<Failure> failures;
  Tally tally;
};

Summary run_share(const World& world, const Options& options, std::atomic<uint64_t>& next, uint64_t end) {
  Summary summary;
  for (uint64_t index = next++; index < end; index = next++) {
    LiveCase live;
    try {
      live = make_case(options.seed, index, world.facts);
      if (!options.recipe.empty()) live.use_recipe(options.recipe);
      if (options.show) std::cerr << "case " << index << ": " << describe(live) << std::endl;
      run_case(world, live, summary.tally);
      ++summary.passed;
    } catch (const std::exception& error) {
      summary.failures.push_back({index, std::string(error.what()) + "\n  " + describe(live)});
    }
  }
  return summary;
}

Summary run_all(const World& world, const Options& options) {
  std::atomic<uint64_t> next{options.only >= 0 ? static_cast<uint64_t>(options.only) : 0};
  const uint64_t end = options.only >= 0 ? static_cast<uint64_t>(options.only) + 1 : options.cases;
  std::vector<Summary> shares(options.threads);
  std::vector<std::thread> others;
  for (size_t i = 1; i < options.threads; ++i) others.emplace_back([&, i] { shares[i] = run_share(world, options, next, end); });
  shares[0] = run_share(world, options, next, end);
  for (std::thread& thread : others) thread.join();
  Summary total;
  for (Summary& share : shares) {
    total.passed += share.passed;
    total.tally += share.tally;
    total.failures.insert(total.failures.end(), share.failures.begin(), share.failures.end());
  }
  std::sort(total.failures.begin(), total.failures.end(), [](const Failure& a, const Failure& b) { return a.index < b.index; });
  return total;
}

int report(const Summary& summary, const Options& options) {
  for (size_t i = 0; i < summary.failures.size() && i < options.max_reports; ++i) {
    const Failure& failure = summary.failures[i];
    std::cout << "FAILED case " << failure.index << ": " << failure.text << "\n  again: scripts/differential --seed "
              << options.seed << " --case " << failure.index << (options.recipe.empty() ? "" : " --recipe " + options.recipe)
              << "\n";
  }
  if (summary.failures.size() > options.max_reports)
    std::cout << "... and " << summary.failures.size() - options.max_reports << " more\n";
  const Tally& tally = summary.tally;
  std::cout << tally.draws << " draws compared, of them " << tally.masked << " masked and " << tally.subsets << " over subsets; "
            << tally.prob_rows << " rows of probabilities, " << tally.clones << " clones, " << tally.resets << " resets; "
            << tally.refusals << " rows refused as they must be, " << tally.overflows << " overflows, " << tally.undecided
            << " undecided\nopenings:";
  for (const auto& [plan, count] : tally.plans) std::cout << " " << plan << " " << count;
  std::cout << "\nseed " << options.seed << ", cpu " << bankml_cpu_name() << "\n";
  std::cout << summary.passed << " passed, " << summary.failures.size() << " failed\n";
  return summary.failures.empty() ? 0 : 1;
}

}  // namespace
}  // namespace bankml::differential

int main(int argc, char** argv) {
  using namespace bankml::differential;
  Options options;
  options.seed = std::random_device{}();
  CLI::App app("Random cases against llama.cpp's own library, every surviving candidate compared bit for bit.");
  app.add_option("--cases", options.cases, "number of cases (default 1000)");
  app.add_option("--seed", options.seed, "seed of the cases (default: a random one, printed)");
  app.add_option("--case", options.only, "run this case only");
  app.add_option("--recipe", options.recipe, "draw every row by this recipe, unchanged (default: all of them)")
      ->check(CLI::IsMember(bankml::reference::recipe_names()));
  app.add_option("--cpu", options.cpu, "CPU level to force: scalar, avx2, avx512");
  app.add_option("--threads", options.threads, "threads (default: all processors)")->check(CLI::Range(1, 1024));
  app.add_option("--max-reports", options.max_reports, "failures to print (default 20)");
  app.add_flag("--show", options.show, "print every case before it runs");
  CLI11_PARSE(app, argc, argv);
  try {
    if (!options.cpu.empty() && bankml_cpu_force(options.cpu.c_str()) != BANKML_OK)
      throw std::runtime_error("this machine has no CPU level '" + options.cpu + "'");
    std::cout << "seed " << options.seed << ", " << (options.only >= 0 ? 1 : options.cases) << " cases\n" << std::flush;
    return report(run_all(open_world(), options), options);
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << "\n";
    return 2;
  }
}
