#include "core/regular/alphabet.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace bankml::regular {
namespace alphabets {

constexpr uint32_t nowhere = 0xFFFFFFFFu;

// Numbers the classes by their first interval.
void renumber(Alphabet& alphabet, std::vector<uint32_t>& new_number) {
  new_number.clear();
  uint32_t count = 0;
  for (uint32_t& owner : alphabet.owners) {
    if (owner >= new_number.size()) new_number.resize(owner + 1, nowhere);
    if (new_number[owner] == nowhere) new_number[owner] = count++;
    owner = new_number[owner];
  }
  alphabet.classes = count;
}

size_t interval_of(const std::vector<uint32_t>& starts, uint32_t code) {
  return static_cast<size_t>(std::upper_bound(starts.begin(), starts.end(), code) - starts.begin()) - 1;
}

}  // namespace alphabets

Set normal(Set set) {
  std::sort(set.begin(), set.end(), [](const Range& a, const Range& b) { return a.lo < b.lo; });
  Set out;
  const auto add = [&](uint32_t lo, uint32_t hi) {
    if (lo > hi) return;
    if (!out.empty() && lo <= out.back().hi + 1) {
      out.back().hi = std::max(out.back().hi, hi);
    } else {
      out.push_back({lo, hi});
    }
  };
  for (const Range& range : set) {
    const uint32_t hi = std::min(range.hi, last_code);
    add(range.lo, std::min(hi, first_surrogate - 1));
    add(std::max(range.lo, last_surrogate + 1), hi);
  }
  return out;
}

Set all_codes() { return {{0, first_surrogate - 1}, {last_surrogate + 1, last_code}}; }

Set without(const Set& set) {
  Set out;
  uint32_t from = 0;
  for (const Range& range : set) {
    if (range.lo > from) out.push_back({from, range.lo - 1});
    from = range.hi + 1;
  }
  if (from <= last_code) out.push_back({from, last_code});
  return normal(std::move(out));
}

Set unite(const Set& a, const Set& b) {
  Set out = a;
  out.insert(out.end(), b.begin(), b.end());
  return normal(std::move(out));
}

Set common(const Set& a, const Set& b) {
  Set out;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const uint32_t lo = std::max(a[i].lo, b[j].lo);
    const uint32_t hi = std::min(a[i].hi, b[j].hi);
    if (lo <= hi) out.push_back({lo, hi});
    a[i].hi < b[j].hi ? ++i : ++j;
  }
  return out;
}

bool contains(const Set& set, uint32_t code) noexcept {
  const auto after = std::upper_bound(set.begin(), set.end(), code, [](uint32_t c, const Range& range) { return c < range.lo; });
  return after != set.begin() && code <= (after - 1)->hi;
}

uint32_t Alphabet::class_of(uint32_t code) const noexcept {
  return code < ascii.size() ? ascii[code] : owners[alphabets::interval_of(starts, code)];
}

Set Alphabet::members(uint32_t cls) const {
  Set out;
  for (size_t i = 0; i < starts.size(); ++i) {
    if (owners[i] == cls) out.push_back({starts[i], i + 1 < starts.size() ? starts[i + 1] - 1 : last_code});
  }
  return normal(std::move(out));
}

uint32_t Alphabet::first_member(uint32_t cls) const {
  return starts[static_cast<size_t>(std::find(owners.begin(), owners.end(), cls) - owners.begin())];
}

void Alphabet::finish() {
  size_t kept = 0;
  for (size_t i = 0; i < starts.size(); ++i) {
    if (kept > 0 && owners[i] == owners[kept - 1]) continue;
    starts[kept] = starts[i];
    owners[kept++] = owners[i];
  }
  starts.resize(kept);
  owners.resize(kept);
  for (uint32_t code = 0, i = 0; code < ascii.size(); ++code) {
    while (i + 1 < starts.size() && starts[i + 1] <= code) ++i;
    ascii[code] = owners[i];
  }
}

Partition partition(std::span<const Set> sets) {
  auto alphabet = std::make_shared<Alphabet>();
  std::vector<uint32_t>& starts = alphabet->starts;
  starts.push_back(0);
  for (const Set& set : sets) {
    for (const Range& range : set) {
      starts.push_back(range.lo);
      if (range.hi != last_code) starts.push_back(range.hi + 1);
    }
  }
  std::sort(starts.begin(), starts.end());
  starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
  const auto surrogate = [](uint32_t code) { return code >= first_surrogate && code <= last_surrogate; };
  starts.erase(std::remove_if(starts.begin(), starts.end(), surrogate), starts.end());

  // Every set splits the classes that it meets and does not contain.
  std::vector<uint32_t>& owners = alphabet->owners;
  owners.assign(starts.size(), 0);
  std::vector<uint32_t> size{static_cast<uint32_t>(starts.size())};  // intervals of each class
  std::vector<uint32_t> met{0};                                      // those of them inside the set
  std::vector<uint32_t> moved{0};                                    // the class they go to
  std::vector<uint32_t> inside;
  const auto intervals = [&](const Set& set) {
    inside.clear();
    for (const Range& range : set) {
      for (size_t i = alphabets::interval_of(starts, range.lo); i < starts.size() && starts[i] <= range.hi; ++i) {
        inside.push_back(static_cast<uint32_t>(i));
      }
    }
  };
  for (const Set& set : sets) {
    intervals(set);
    for (const uint32_t i : inside) ++met[owners[i]];
    for (const uint32_t i : inside) {
      const uint32_t old = owners[i];
      if (met[old] == 0) continue;  // moved already, or wholly inside
      if (met[old] == size[old]) continue;
      if (moved[old] == 0) {
        moved[old] = static_cast<uint32_t>(size.size());
        size.push_back(0);
        met.push_back(0);
        moved.push_back(0);
      }
      owners[i] = moved[old];
      ++size[moved[old]];
    }
    for (const uint32_t i : inside) {
      const uint32_t now = owners[i];
      met[now] = 0;
    }
    for (uint32_t cls = 0; cls < size.size(); ++cls) {
      if (moved[cls] == 0) continue;
      size[cls] -= met[cls];
      met[cls] = moved[cls] = 0;
    }
  }
  std::vector<uint32_t> new_number;
  alphabets::renumber(*alphabet, new_number);

  Partition out;
  out.classes_of_set.reserve(sets.size());
  for (const Set& set : sets) {
    intervals(set);
    std::vector<uint32_t> classes;
    for (const uint32_t i : inside) classes.push_back(owners[i]);
    std::sort(classes.begin(), classes.end());
    classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
    out.classes_of_set.push_back(std::move(classes));
  }
  alphabet->finish();
  out.alphabet = std::move(alphabet);
  return out;
}

Refinement refine(const AlphabetPtr& a, const AlphabetPtr& b) {
  Refinement out;
  if (a == b || a->classes == 1 || b->classes == 1) {
    const AlphabetPtr& finer = a->classes == 1 ? b : a;
    out.alphabet = finer;
    for (uint32_t cls = 0; cls < finer->classes; ++cls) {
      out.first.push_back(a->classes == 1 ? 0 : cls);
      out.second.push_back(b->classes == 1 ? 0 : cls);
    }
    return out;
  }
  auto alphabet = std::make_shared<Alphabet>();
  std::unordered_map<uint64_t, uint32_t> number_of;
  const std::vector<uint32_t>& x = a->starts;
  const std::vector<uint32_t>& y = b->starts;
  for (size_t i = 0, j = 0;;) {
    const uint64_t pair = uint64_t{a->owners[i]} << 32 | b->owners[j];
    const auto [place, fresh] = number_of.try_emplace(pair, alphabet->classes);
    if (fresh) {
      ++alphabet->classes;
      out.first.push_back(a->owners[i]);
      out.second.push_back(b->owners[j]);
    }
    alphabet->starts.push_back(std::max(x[i], y[j]));
    alphabet->owners.push_back(place->second);
    const uint32_t next_x = i + 1 < x.size() ? x[i + 1] : last_code + 1;
    const uint32_t next_y = j + 1 < y.size() ? y[j + 1] : last_code + 1;
    if (next_x > last_code && next_y > last_code) break;
    if (next_x <= next_y) ++i;
    if (next_y <= next_x) ++j;
  }
  alphabet->finish();
  out.alphabet = std::move(alphabet);
  return out;
}

}  // namespace bankml::regular
