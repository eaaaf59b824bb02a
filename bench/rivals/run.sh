#!/usr/bin/env bash
# Two more samplers beside ours: run.sh FOLDER, where the bench wrote logits and survivors (README.md). Called by scripts/bench --rivals.
set -euo pipefail
. "$(dirname "$0")/../../scripts/lib.sh"
folder=$1
python=$(python_venv numpy==2.1.3) || fail "no numpy"
# One thread, and the kernels numpy chooses by itself.
env -u OPENBLAS_CORETYPE -u OPENBLAS_L2_SIZE OMP_NUM_THREADS=1 "$python" "$ROOT/bench/rivals/numpy_rows.py" "$folder" >"$folder/numpy.txt"
if need_command cargo cargo; then
  cargo run --quiet --release --manifest-path "$ROOT/bench/rivals/llm_samplers/Cargo.toml" --target-dir "$BUILD/rivals" -- "$folder" \
    >"$folder/llm_samplers.txt"
else
  note "without cargo there is no column for llm-samplers"
  : >"$folder/llm_samplers.txt"
fi
"$python" - "$folder" <<'PY'
import json, sys
folder = sys.argv[1]
rivals = {name: dict((line.split()[0], line.split()[1:]) for line in open(f"{folder}/{name}.txt")) for name in ("numpy", "llm_samplers")}
print(f"{'row':<16}{'ours, us':>10}" + "".join(f"{name + ', us':>18}{'ratio':>8}{'agree':>7}" for name in rivals))
for row, ours in json.load(open(f"{folder}/expected.json"))["rows"].items():
    line = f"{row:<16}{ours['ours_us']:>10.1f}"
    for times in rivals.values():
        us, agree = times.get(row, (None, None))
        line += f"{'-':>18}{'':>8}{'':>7}" if us is None else f"{us:>18}{float(us) / ours['ours_us']:>8.1f}{agree + '/6':>7}"
    print(line)
PY
