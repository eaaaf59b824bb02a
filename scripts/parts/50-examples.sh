# what: the command, the examples and the example model, as ctest runs them
# depths: quick default long
. "$(dirname "$0")/common.sh"
# One of them asks llama.cpp's library; without it, it skips itself by name.
if llama=$(peer_llama); then export BANKML_LLAMA_DIR=$llama; fi
# The other parts run the rooms, the C programs and the comparison themselves.
ctests "$BUILD/release" -LE '^(room|capi)$' -E '^side_by_side'
finish
