#!/usr/bin/env bash
# Prints the lines of Cost.java, after making the package's jar if it is not there or older than its sources.
. "$(dirname "${BASH_SOURCE[0]}")/../../../scripts/lib.sh"
. "$ROOT/bindings/java/tools.sh"
set -e
need_java >&2
jar=$BUILD/java/bankml-$(cat "$ROOT/VERSION").jar
sources=("$ROOT/bindings/java" "$ROOT/bindings/swig" "$ROOT/core" "$ROOT/capi")
if [ ! -f "$jar" ] || [ -n "$(find "${sources[@]}" -type f -newer "$jar" | head -n 1)" ]; then
  run_logged java-package maven -f "$ROOT/bindings/java" package -DskipTests
fi
exec java -cp "$jar" "$(dirname "${BASH_SOURCE[0]}")/Cost.java"
