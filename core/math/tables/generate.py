#!/usr/bin/env python3
"""Writes the tables of core/math: run `core/math/tables/generate.py`, or with --check to compare with what is there.

Every entry is worked out in 60-digit decimal arithmetic from its definition and rounded to nearest once. The definitions,
and the 16 reciprocals that have none, are facts of the method of Szabolcs Nagy's functions (ARM optimized-routines), which
are those of glibc's libm; tests/math compares every function with a libm.
"""
import struct
import sys
from decimal import Decimal, getcontext
from fractions import Fraction
from pathlib import Path

getcontext().prec = 60
LN2 = Decimal(2).ln()


def to_double(x):
    return float(Fraction(x))  # the division of two integers is correctly rounded


def exact(x):
    n, d = x.as_integer_ratio()
    return Decimal(n) / Decimal(d)


def bits(x):
    return struct.unpack("<Q", struct.pack("<d", x))[0]


def from_bits(b):
    return struct.unpack("<d", struct.pack("<Q", b))[0]


def number(x):
    mantissa, exponent = x.hex().split("p")
    return mantissa.rstrip("0").rstrip(".") + "p" + exponent if x else "0.0"


def exp2_32():
    rows = [f"0x{bits(to_double((LN2 * i / 32).exp())) - (i << 47):016x}u," for i in range(32)]
    return ("uint64_t exp2_32[32]",
            ["The bits of 2^(i/32), less i << 47; adding k << 47, k = 32 * e + i, gives the bits of 2^(k/32). For expf and powf."],
            rows, 6)


# 1/c for the 16 parts of [0x1.66p-1, 0x1.66p0): near the reciprocal of each part's centre, and such that ln(c) and log2(c)
# lie close to a double. Found by search by the method's author; 1 in the part that holds 1, so that logarithms near 1 keep
# their precision.
RECIPROCALS_16 = """
0x1.661ec79f8f3bep+0 0x1.571ed4aaf883dp+0 0x1.49539f0f010bp+0 0x1.3c995b0b80385p+0 0x1.30d190c8864a5p+0 0x1.25e227b0b8eap+0
0x1.1bb4a4a1a343fp+0 0x1.12358f08ae5bap+0 0x1.0953f419900a7p+0 0x1p+0 0x1.e608cfd9a47acp-1 0x1.ca4b31f026aap-1 0x1.b2036576afce6p-1
0x1.9c2d163a1aa2dp-1 0x1.886e6037841edp-1 0x1.767dcf5534862p-1""".split()


def log_16():
    rows = []
    for text in RECIPROCALS_16:
        r = float.fromhex(text)
        ln_c = -exact(r).ln()
        rows.append(f"{{{number(r)}, {number(to_double(ln_c))}, {number(to_double(ln_c / LN2))}}},")
    return ("LogPart16 log_16[16]",
            ["For logf, log2f and powf: part i of [0x1.66p-1, 0x1.66p0) by the top four bits of its offset."], rows, 1)


def exp2_128():
    rows = []
    for i in range(128):
        exact_power = (LN2 * i / 128).exp()
        head = to_double(exact_power)
        tail = to_double(exact_power / exact(head) - 1)
        rows.append(f"{{{number(tail)}, 0x{(bits(head) - (i << 45)) % 2**64:016x}u}},")
    return ("ExpPart128 exp2_128[128]", ["For exp and pow: 2^(i/128) = head * (1 + tail), head's bits less i << 45."], rows, 2)


def log_128():
    offset = 0x3FE6955500000000
    rows = []
    for i in range(128):
        low, high = (Fraction(from_bits(offset + (j << 45))) for j in (i, i + 1))
        inverse = 2 / (low + high)
        grid = 128 if inverse >= 1 else 256  # short reciprocals
        r = Fraction(round(inverse * grid), grid)
        ln_c = -exact(float(r)).ln()
        head = int((ln_c * 2**43).to_integral_value(rounding="ROUND_HALF_EVEN")) / 2.0**43
        rows.append(f"{{{number(float(r))}, {number(head)}, {number(to_double(ln_c - exact(head)))}}},")
    return ("LogPart128 log_128[128]",
            ["For pow: part i of [0x1.69555p-1, 0x1.69555p0) by the top seven bits of its offset. 1/c is the reciprocal of the",
             "part's centre rounded to a multiple of 2^-7 (2^-8 below 1); head is ln(c) rounded to a multiple of 2^-43, tail",
             "what is missing."], rows, 2)


STRUCTS = {
    "log_16": ["struct LogPart16 {", "  double reciprocal;  // 1/c", "  double ln;          // ln(c)",
               "  double log2;        // log2(c)", "};"],
    "exp2_128": ["struct ExpPart128 {", "  double tail;", "  uint64_t head_bits;", "};"],
    "log_128": ["struct LogPart128 {", "  double reciprocal;  // 1/c", "  double head;", "  double tail;", "};"],
}


def render(name, table):
    declaration, comment, rows, per_line = table
    lines = [f"// Written by core/math/tables/generate.py: do not edit. Tested by tests/math/{USERS[name]}.cpp", "#pragma once", "",
             "#include <cstdint>", "", "namespace bankml::math {", ""]
    if name in STRUCTS:
        lines += STRUCTS[name] + [""]
    lines += ["// " + text for text in comment]
    lines += ["// clang-format off", f"inline constexpr {declaration} = {{"]
    lines += ["    " + " ".join(rows[i:i + per_line]) for i in range(0, len(rows), per_line)]
    lines += ["};", "// clang-format on", "", "}  // namespace bankml::math", ""]
    return "\n".join(lines)


USERS = {"exp2_32": "one_argument", "log_16": "one_argument", "exp2_128": "exp", "log_128": "pow"}


def main():
    here = Path(__file__).resolve().parent
    stale = []
    for make in (exp2_32, log_16, exp2_128, log_128):
        name = make.__name__
        text = render(name, make())
        path = here / f"{name}.h"
        if "--check" in sys.argv[1:]:
            if not path.exists() or path.read_text() != text:
                stale.append(path.name)
        else:
            path.write_text(text)
    if stale:
        sys.exit("differs from what the generator writes: " + ", ".join(stale))


if __name__ == "__main__":
    main()
