# what: recorded cases of the reference, at every CPU level, with each fast path forced off, and with the unity build
# depths: quick default long
. "$(dirname "$0")/common.sh"
mapfile -t files < <(find tests/vectors -name '*.jsonl' | sort)
[ ${#files[@]} -gt 0 ] || { echo "no recorded cases"; finish; }
levels=$("$BUILD/release/tests/capi/levels")
replay=$BUILD/release/tests/replay/bankml_replay # what scripts/replay builds and runs
for level in $levels; do tally "vectors-$level" "$replay" --cpu "$level" "${files[@]}"; done
# Each chain again without its fast path, then without the one that follows, down to the plain chain; every opening must be among them.
forced=("${levels##*$'\n'}")
[ "$DEPTH" != long ] || mapfile -t forced <<<"$levels"
for level in "${forced[@]}"; do tally "vectors-forced-off-$level" "$replay" --force-off --threads 2 --cpu "$level" "${files[@]}"; done
every_opening_forced_off() {
  local names name
  names=$(sed -n '/Opening::name()/,/^}/s/.*return "\(.*\)";/\1/p' core/chain/opening.cpp)
  [ "$(wc -w <<<"$names")" -ge 10 ] || return 1
  for name in $names; do grep -q "^openings.* $name [1-9]" "$LOGS/vectors-forced-off-${forced[0]}.log" || { echo "no case takes $name"; return 1; }; done
}
count "every opening is among the cases" every_opening_forced_off
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
