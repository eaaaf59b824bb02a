#!/usr/bin/env bash
# What each binding adds to the C call (README.md here): run.sh [JSON FILE]. Called by scripts/bench --bindings.
set -euo pipefail
. "$(dirname "$0")/../../scripts/lib.sh"
need_toolchain || fail "the build needs these packages"
configure_and_build build/release "-DCMAKE_BUILD_TYPE=Release" bankml_static || fail "the library does not build"
mkdir -p "$BUILD/bench"
gcc -O2 -I"$ROOT/capi/include" "$ROOT/bench/bindings/c/cost.c" "$BUILD/release/capi/libbankml.a" -lstdc++ -lm -o "$BUILD/bench/cost"
lines=$BUILD/bench/bindings.txt
: >"$lines"
for round in 1 2 3 4 5 6; do
  note "round $round of 6"
  "$BUILD/bench/cost" >>"$lines"
  for language in go java python; do bash "$ROOT/bench/bindings/$language/run.sh" >>"$lines" || fail "the $language program failed"; done
done
grep -m 1 'model name' /proc/cpuinfo 2>/dev/null | sed 's/.*: //' || true
python3 "$ROOT/bench/bindings/table.py" ${1:+"$1"} <"$lines"
