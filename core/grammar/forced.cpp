// UTF-8 orders texts as code points do, so what the lowest and the highest possible character share is shared by all between.
// Tested by tests/grammar/grammar.cpp
#include "core/grammar/forced.h"

#include <algorithm>

#include "core/base/utf8.h"

namespace bankml::grammar {

std::string forced_text(Machine& machine, Config config, Unfinished inside, size_t most) {
  std::string out;
  std::string lowest_bytes, highest_bytes;
  while (out.size() < most && !machine.complete(config) && !machine.has_tokens(config)) {
    // Of an unfinished character, only those that begin as it does.
    const uint64_t floor = static_cast<uint64_t>(inside.value) << (6 * inside.need);
    const uint64_t ceiling = inside.need == 0 ? 0x10FFFF : floor | ((uint64_t{1} << (6 * inside.need)) - 1);
    uint64_t lowest = UINT64_MAX, highest = 0;
    for (const Item& item : machine.items(config)) {
      for (const Program::Interval& run : machine.program().intervals(machine.program().element(item.state).value)) {
        const uint64_t lo = std::max<uint64_t>(machine.program().lowest(run.lo), floor);
        const uint64_t hi = std::min(machine.program().behind(run.hi) - 1, ceiling);
        if (lo > hi) continue;
        lowest = std::min(lowest, lo);
        highest = std::max(highest, hi);
      }
    }
    if (lowest > highest || highest > 0x10FFFF) break;
    lowest_bytes.clear();
    highest_bytes.clear();
    utf8_append(lowest_bytes, static_cast<uint32_t>(lowest));
    utf8_append(highest_bytes, static_cast<uint32_t>(highest));
    if (lowest_bytes.size() != highest_bytes.size() || lowest_bytes.size() < inside.need + (inside.need > 0 ? 1u : 0u)) break;
    const size_t given = inside.need == 0 ? 0 : lowest_bytes.size() - inside.need;
    const auto [end, other] = std::mismatch(lowest_bytes.begin(), lowest_bytes.end(), highest_bytes.begin());
    const auto common = static_cast<size_t>(end - lowest_bytes.begin());
    if (common > given) out += lowest_bytes.substr(given, common - given);
    if (lowest != highest) break;
    config = machine.step(config, machine.program().class_of(static_cast<uint32_t>(lowest)));
    inside = {};
  }
  if (out.size() > most) out.resize(most);
  return out;
}

}  // namespace bankml::grammar
