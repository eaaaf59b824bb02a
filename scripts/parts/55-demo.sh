# what: scripts/demo, with the tokens of the example model compared with llama.cpp's library
# depths: default long
. "$(dirname "$0")/common.sh"
demo() { scripts/demo | tee /dev/stderr | grep -q '^Done: bankml works here, and draws what llama.cpp draws'; }
need "llama.cpp's library cannot be had here" peer_llama
count demo demo
finish
