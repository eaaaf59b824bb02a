#!/usr/bin/env bash
# Runs DrawBench under JMH's gc profiler; one test a benchmark: less than one byte allocated per call. Needs the installed package.
# Ends with `N passed, N failed`.
. "$(dirname "$0")/../../../../scripts/parts/common.sh"
. "$ROOT/bindings/java/tools.sh"
need "Java, Maven or SWIG is missing" need_java

report=$(maven -q -f "$ROOT/bench/bindings/java/jmh" -Dbankml.version="$(cat "$ROOT/VERSION")" compile exec:exec)
printf '%s\n' "$report" | grep -E '^DrawBench' || printf '%s\n' "$report" | tail -n 20
# DrawBench.direct:gc.alloc.rate.norm  avgt  3  0.005 ± 0.002  B/op; nothing at all is written as ≈ 0 or ≈ 10⁻³
allocates_nothing() {
  printf '%s\n' "$report" | grep -E "^DrawBench\\.$1:.*gc\\.alloc\\.rate\\.norm +avgt +[0-9]+ +(0\\.[0-9]+|≈) "
}
for name in direct directWithPosition array masked sampleAndAccept; do count "$name allocates" allocates_nothing "$name"; done
finish
