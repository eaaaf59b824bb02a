# what: scripts/demo, as a newcomer runs it
# depths: default long
. "$(dirname "$0")/common.sh"
log=$LOGS/demo-output.log
count "scripts/demo" bash -c "scripts/demo >'$log'"
count "its last lines" grep -E '^1000 tokens drawn by bankml .* 1000 equal|^Not compared with llama.cpp: ' "$log"
finish
