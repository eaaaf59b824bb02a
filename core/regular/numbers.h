// Sets of numbers as languages of JSON spellings, exact in decimal: bounds, multiples and values may have any number of digits.
//
// Spellings: JSON numbers with at most 40 digits before the point and 40 behind it, exponents with 1 to 3 digits. An automaton cannot
// shift a point by an exponent that it reads last, so of a spelling with an exponent it may not know whether the number belongs to the
// set. A NumberSet therefore holds two disjoint languages: `in`, the spellings whose number certainly belongs, and `out`, those whose
// number certainly does not. Complement swaps them, meet and join are as usual, and no operation ever lets an undecided spelling into
// `in`. What a schema allows is `in`.
//
// Spellings without exponent are always decided, except integers written with a point (1.0) in integer(). With an exponent decided
// are:
//   any()             all
//   integer()         0e5 and the like, nothing else (the plain spelling is wanted there)
//   at_least etc.     by sign: all of them for a bound of 0 that belongs to its own side, else those on the other side of 0
//   multiple_of       zeros
//   value             spellings of it with an exponent and no needless zeros (1e2, 1E+02, 10e1, 0.1e3, 1.0e2) are in; all whose
//                     digits differ are out
// Tested by tests/regular/numbers.cpp
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/regular/dfa.h"
#include "core/regular/limits.h"

namespace bankml::regular {

// A decimal number: (-1)^negative * digits * 10^exponent. Normal: no zeros at either end of the digits; zero has none and no sign.
struct Decimal {
  bool negative = false;
  std::string digits;
  int64_t exponent = 0;
  bool is_zero() const noexcept { return digits.empty(); }
  bool operator==(const Decimal&) const = default;
};
// Reads a JSON number of any length; Failure(arg) for other texts, Failure(limit) for exponents beyond 18 digits.
Decimal read_decimal(std::string_view json);
int compare(const Decimal& a, const Decimal& b) noexcept;  // -1, 0, 1
bool is_integer(const Decimal& a) noexcept;

struct NumberSet {
  Dfa in;
  Dfa out;
};

NumberSet any_number();
NumberSet no_number();
// Integers. Spelled plainly in `in` (-0 included); 1.0 and 1e2 are in neither language, as they are integers from draft 6 on. With
// `point_is_no_integer` (draft 4) 1.0 is in `out`.
NumberSet integer(bool point_is_no_integer = false);
NumberSet at_least(const Decimal& bound);      // minimum
NumberSet at_most(const Decimal& bound);       // maximum
NumberSet greater_than(const Decimal& bound);  // exclusiveMinimum
NumberSet less_than(const Decimal& bound);     // exclusiveMaximum
// divisor > 0, else Failure(arg). Failure(limit) where the remainders do not fit limits.remainders.
NumberSet multiple_of(const Decimal& divisor, const Limits& limits = {});
NumberSet value(const Decimal& number);
NumberSet values(std::span<const Decimal> numbers, const Limits& limits = {});  // any of them (enum)

NumberSet complement(const NumberSet& a);
NumberSet meet(const NumberSet& a, const NumberSet& b, const Limits& limits = {});
NumberSet join(const NumberSet& a, const NumberSet& b, const Limits& limits = {});
NumberSet minimised(const NumberSet& a);

// The numbers of `in`, if they are finitely many and their spellings at most `at_most`: for uniqueItems and for counting. Each number
// once, ascending.
std::optional<std::vector<Decimal>> numbers_of(const NumberSet& a, uint64_t at_most);

}  // namespace bankml::regular
