# what: recorded cases of the reference, at every CPU level and with the unity build
# depths: quick default long
. "$(dirname "$0")/common.sh"
mapfile -t files < <(find tests/vectors -name '*.jsonl' | sort)
[ ${#files[@]} -gt 0 ] || { echo "no recorded cases"; finish; }
levels=$("$BUILD/release/tests/capi/levels")
replay=$BUILD/release/tests/replay/bankml_replay # what scripts/replay builds and runs
for level in $levels; do tally "vectors-$level" "$replay" --cpu "$level" "${files[@]}"; done
if [ "$DEPTH" != quick ]; then
  tally vectors-threads scripts/replay --threads 4 "${files[@]}"
  # The one-file form of the library under the same program.
  unity() {
    configure_and_build build/unity "-DCMAKE_BUILD_TYPE=Release -DBANKML_UNITY=ON -DBANKML_BUILD_TESTS=OFF -DBANKML_BUILD_EXAMPLES=OFF" \
      bankml_static && mapfile -t objects < <(find build/release/tests/replay/CMakeFiles/bankml_replay.dir -name '*.o') &&
      g++ "${objects[@]}" build/unity/capi/libbankml.a -lpthread -o build/unity/replay
  }
  count "unity build" unity
  tally vectors-unity build/unity/replay "${files[@]}"
fi
finish
