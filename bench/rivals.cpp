#include "bench/rivals.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

#include "bench/rows.h"
#include "tests/reference/logits.h"

namespace bankml::bench {
namespace {

constexpr size_t n_vocab = 151936;
constexpr size_t n_rows = 6;
const char* const row_names[] = {"default", "greedy", "penalties_64", "top_k_200", "top_p", "min_p", "none", "typical"};

using Rows = std::vector<std::vector<float>>;

void check(bankml_status status, const bankml_sampler* sampler) {
  if (status != BANKML_OK) throw std::runtime_error(bankml_sampler_error(sampler));
}

std::vector<int32_t> survivors(bankml_sampler* sampler, const std::vector<float>& row) {
  int32_t token = -1;
  check(bankml_sampler_sample(sampler, row.data(), row.size(), &token), sampler);
  std::vector<bankml_candidate> kept(row.size());
  size_t count = 0;
  check(bankml_sampler_candidates(sampler, kept.data(), kept.size(), &count), sampler);
  std::vector<int32_t> ids;
  for (size_t i = 0; i < count; ++i) ids.push_back(kept[i].id);
  return ids;
}

double median_us(bankml_sampler* sampler, const Rows& rows) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> times;
  for (const auto end = Clock::now() + std::chrono::seconds(1); Clock::now() < end || times.size() < n_rows;) {
    const std::vector<float>& row = rows[times.size() % n_rows];
    int32_t token = -1;
    const auto before = Clock::now();
    check(bankml_sampler_sample(sampler, row.data(), row.size(), &token), sampler);
    times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - before).count());
  }
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
  return times[times.size() / 2];
}

nlohmann::ordered_json describe(const Row& row, const Rows& rows) {
  const std::vector<int32_t> history = history_of(row.history, n_vocab);
  const auto make = [&] {
    reference::SamplerHandle sampler = reference::make_sampler(row.setup, nullptr, n_vocab);
    check(bankml_sampler_accept_many(sampler.get(), history.data(), history.size()), sampler.get());
    return sampler;
  };
  nlohmann::ordered_json json = {{"history", history}, {"survivors", nlohmann::ordered_json::array()}};
  const reference::SamplerHandle keeper = make();
  check(bankml_sampler_keep(keeper.get(), 1), keeper.get());
  for (const std::vector<float>& logits : rows) json["survivors"].push_back(survivors(keeper.get(), logits));
  json["ours_us"] = median_us(make().get(), rows);
  return json;
}

}  // namespace

void write_rivals(const std::string& folder) {
  Rows logits(n_rows, std::vector<float>(n_vocab));
  std::ofstream raw(folder + "/logits.f32", std::ios::binary);
  for (size_t i = 0; i < n_rows; ++i) {
    reference::fill_logits("peaked", 1000 + i, n_vocab, logits[i].data());
    raw.write(reinterpret_cast<const char*>(logits[i].data()), static_cast<std::streamsize>(n_vocab * sizeof(float)));
  }
  nlohmann::ordered_json expected = {{"n_vocab", n_vocab}, {"rows", nlohmann::ordered_json::object()}};
  for (const char* name : row_names) {
    const auto row = std::find_if(rows().begin(), rows().end(), [&](const Row& r) { return r.name == name; });
    if (row != rows().end()) expected["rows"][name] = describe(*row, logits);
  }
  std::ofstream text(folder + "/expected.json");
  text << expected.dump() << '\n';
  if (!raw || !text) throw std::runtime_error("cannot write into " + folder);
}

}  // namespace bankml::bench
