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
  if configure_and_build build/unity "-DCMAKE_BUILD_TYPE=Release -DBANKML_UNITY=ON -DBANKML_BUILD_EXAMPLES=OFF" bankml_replay; then
    tally vectors-unity build/unity/tests/replay/bankml_replay "${files[@]}"
  else
    count "unity build" false
  fi
fi
finish
