#!/usr/bin/env bash
# A Maven project that depends on the installed package, on the class path and on the module path: both print what the C program
# prints. Needs build/release and the package installed in the local repository of bindings/java/tools.sh. Ends with `N passed, N
# failed`.
. "$(dirname "$0")/../../../scripts/parts/common.sh"
. "$ROOT/bindings/java/tools.sh"
need "Java, Maven or SWIG is missing" need_java

here=$ROOT/tests/consumers/java
expected=$(
  gcc "$ROOT/tests/consumers/main.c" -I"$ROOT/capi/include" "$BUILD/release/capi/libbankml.a" -lstdc++ -lm -o "$BUILD/java-twin" &&
    "$BUILD/java-twin"
)
rm -rf "$BUILD/java-consumer"

printed=$(maven -q -f "$here" -Dbankml.version="$(cat "$ROOT/VERSION")" compile exec:exec@class-path exec:exec@module-path)
# prints LINE: that line of what Maven printed is the C program's.
prints() {
  [ -n "$expected" ] && [ "$(printf '%s\n' "$printed" | sed -n "$1p")" = "$expected" ] && return 0
  printf 'printed: %s\nnot: %s\n' "$printed" "$expected"
  return 1
}
count "Maven, class path" prints 1
count "Maven, module path" prints 2
finish
