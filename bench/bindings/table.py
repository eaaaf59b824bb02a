"""Reads lines `LANGUAGE KIND V NANOSECONDS` and prints what each binding adds to the C call; with an argument, JSON goes to that file."""
import json
import sys

LIMITS_US = {("go", "slice"): 0.1, ("java", "direct"): 0.2, ("python", "ndarray"): 0.3}

best = {}
for line in sys.stdin:
    language, kind, vocab, ns = line.split()
    key = (language, kind, int(vocab))
    best[key] = min(best.get(key, float("inf")), float(ns))

rows = []
print(f"{'language':<10}{'logits as':<12}{'vocab':>8}{'us a draw':>12}{'over C, us':>12}{'limit':>8}")
for (language, kind, vocab), ns in best.items():
    over = (ns - best[("c", "pointer", vocab)]) / 1000
    limit = LIMITS_US.get((language, kind))
    mark = " !" if limit is not None and over > limit else ""
    print(f"{language:<10}{kind:<12}{vocab:>8}{ns / 1000:>12.3f}{over:>12.3f}{limit if limit is not None else '':>8}{mark}")
    rows.append({"language": language, "kind": kind, "vocab": vocab, "us": ns / 1000, "over_c_us": over, "limit_us": limit})
if len(sys.argv) > 1:
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump(rows, file, indent=1)
