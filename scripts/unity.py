#!/usr/bin/env python3
"""Rewrites capi/src/bankml_unity.cpp: the list of every source of the library, rooms lowest first, then the C border.

Without arguments it writes the file; with --check it fails if the file differs from what it would write (tests/layering does that).
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
UNITY = ROOT / "capi/src/bankml_unity.cpp"
HEAD = """\
// The whole library as one translation unit, for consumers without CMake: pip, Go and the amalgamation compile this file alone.
// Written by scripts/unity.py. Rooms lowest first, so that fp_env.h's pragmas stand before any arithmetic.
// Tested by tests/layering/check.py (complete) and tests/consumers/run.sh (compiles, gives the same tokens).
#include "core/math/fp_env.h"

"""


def rooms():
    """Names of the rooms in the order of core/CMakeLists.txt."""
    text = (ROOT / "core/CMakeLists.txt").read_text()
    return re.findall(r"^bankml_room\((\w+)", text, re.M)


def sources():
    found = []
    for room in rooms():
        found += sorted((ROOT / "core" / room).rglob("*.cpp"))
    found += [p for p in sorted((ROOT / "capi/src").glob("*.cpp")) if p != UNITY]
    return [p.relative_to(ROOT).as_posix() for p in found]


def text():
    return HEAD + "".join(f'#include "{name}"\n' for name in sources())


def main():
    if sys.argv[1:] == ["--check"]:
        if not UNITY.is_file() or UNITY.read_text() != text():
            raise SystemExit("capi/src/bankml_unity.cpp is not the list of all sources: run scripts/unity.py")
    elif sys.argv[1:]:
        raise SystemExit("usage: unity.py [--check]")
    else:
        UNITY.write_text(text())


if __name__ == "__main__":
    main()
