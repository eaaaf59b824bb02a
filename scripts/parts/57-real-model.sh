# what: a real model, Gemma 3 270M, sampled side by side with llama.cpp
# depths: default long
. "$(dirname "$0")/common.sh"
log=$LOGS/real-model-run.log
if [ "$DEPTH" = long ]; then scripts/demo --real-model --long >"$log" 2>&1; else scripts/demo --real-model >"$log" 2>&1; fi
status=$?
[ $status -ne 77 ] || skip "$(sed -n 's/^skipped: //p' "$log" | tail -n 1)"
cat "$log"
if [ -n "$(counts_of "$log")" ]; then tally real-model bash -c "cat '$log'; exit $status"; else count real-model test $status -eq 0; fi
finish
