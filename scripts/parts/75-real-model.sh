# what: a real model (Gemma 3 270M), tokens and candidates against llama.cpp's own chain at every step
# depths: default long
. "$(dirname "$0")/common.sh"
options=(--real-model)
[ "$DEPTH" = long ] && options+=(--long)
log=$LOGS/real-model.log
scripts/demo "${options[@]}" >"$log"
status=$?
[ $status -ne 77 ] || skip "$(sed -n 's/^skipped: //p' "$log" | tail -n 1)"
tally real-model bash -c "cat '$log'; exit $status"
finish
