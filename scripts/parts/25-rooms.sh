# what: the GoogleTest programs of every room and test folder
# depths: quick default long
. "$(dirname "$0")/common.sh"
# Some tests ask llama.cpp's library; without it they skip themselves by name.
if llama=$(peer_llama); then export BANKML_LLAMA_DIR=$llama; fi
gtests "$BUILD/release"
finish
