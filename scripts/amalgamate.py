#!/usr/bin/env python3
"""Writes the library as two files, bankml.h and bankml.cpp, into a folder.

bankml.cpp is capi/src/bankml_unity.cpp with every include of a project file replaced by that file's text, once (an .inl at each
place). The result needs a C++20 compiler and nothing else:  g++ -std=c++20 -O3 -c bankml.cpp

Tested by tests/consumers/run.sh, which compiles the pair and runs a program with it.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"\s*(?://.*|/\*.*\*/\s*)?$')
PUBLIC = ROOT / "capi/include/bankml.h"


def resolve(name, including):
    for folder in (ROOT, ROOT / "capi/include", including.parent):
        candidate = (folder / name).resolve()
        if candidate.is_file():
            return candidate
    raise SystemExit(f"error: {including.relative_to(ROOT)} includes {name}, which does not exist")


def inline(path, seen, out):
    """Appends the text of `path` to `out`, its project includes inlined at their first place."""
    text = path.read_text(encoding="utf-8")
    if "#pragma once" in text:  # a file without it is meant to be included several times
        seen.add(path)
    relative = path.relative_to(ROOT)
    out.append(f"// ---- {relative} " + "-" * max(4, 120 - len(str(relative))))
    for line in text.splitlines():
        if line.strip() == "#pragma once":
            continue
        match = INCLUDE.match(line)
        if not match:
            out.append(line)
            continue
        target = resolve(match.group(1), path)
        if target == PUBLIC:
            line = '#include "bankml.h"'
            if target not in seen:
                seen.add(target)
                out.append(line)
        elif target.suffix == ".inl" or target not in seen:  # an .inl is a body that several files include
            inline(target, seen, out)


def main():
    if len(sys.argv) != 2:
        raise SystemExit("usage: amalgamate.py FOLDER")
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    version = (ROOT / "VERSION").read_text().strip()
    out = [f"// bankml {version}, amalgamated: compile this one file as C++20 and include bankml.h. Licence: Apache-2.0."]
    inline(ROOT / "capi/src/bankml_unity.cpp", set(), out)
    (folder / "bankml.cpp").write_text("\n".join(out) + "\n", encoding="utf-8")
    (folder / "bankml.h").write_text(PUBLIC.read_text(encoding="utf-8"), encoding="utf-8")


if __name__ == "__main__":
    main()
