"""A sampler as users write it with numpy, on the rows of bench/rivals: numpy_rows.py DIR prints `ROW MICROSECONDS AGREE`.

Each function gives the surviving ids and their logits; the draw is temperature, softmax and Generator.choice, as in any notebook. Top-k uses
argpartition and top-p sorts once, which is as well as numpy does it.
"""
import json
import sys
import time
from pathlib import Path

import numpy as np


def softmax(x):
    e = np.exp(x - x.max())
    return e / e.sum()


def top_k(ids, x, k):
    best = np.argpartition(x, -k)[-k:]
    return ids[best], x[best]


def top_p(ids, x, p):
    order = np.argsort(-x, kind="stable")
    keep = np.searchsorted(np.cumsum(softmax(x[order])), p) + 1
    return ids[order[:keep]], x[order[:keep]]


def min_p(ids, x, p):
    keep = x >= x.max() + np.float32(np.log(p))
    return ids[keep], x[keep]


def typical(ids, x, p):
    probs = softmax(x)
    surprise = -np.log(probs)
    order = np.argsort(np.abs(surprise - (probs * surprise).sum()), kind="stable")
    keep = np.searchsorted(np.cumsum(probs[order]), p) + 1
    return ids[order[:keep]], x[order[:keep]]


def penalties(x, history):
    tokens, counts = np.unique(history, return_counts=True)
    x = x.copy()
    x[tokens] = np.where(x[tokens] <= 0, x[tokens] * np.float32(1.1), x[tokens] / np.float32(1.1))
    x[tokens] -= counts * np.float32(0.1) + np.float32(0.1)
    return x


def common(ids, x, k=40):
    return min_p(*top_p(*top_k(ids, x, k), 0.95), 0.05)


ROWS = {
    "default": lambda ids, x, history: common(ids, x),
    "greedy": lambda ids, x, history: (ids[[x.argmax()]], x[[x.argmax()]]),
    "penalties_64": lambda ids, x, history: common(ids, penalties(x, history)),
    "top_k_200": lambda ids, x, history: common(ids, x, 200),
    "top_p": lambda ids, x, history: top_p(ids, x, 0.95),
    "min_p": lambda ids, x, history: min_p(ids, x, 0.05),
    "none": lambda ids, x, history: (ids, x),
    "typical": lambda ids, x, history: typical(ids, x, 0.9),
}


def main(folder):
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    logits = np.fromfile(folder / "logits.f32", dtype="<f4").reshape(-1, expected["n_vocab"])
    ids = np.arange(expected["n_vocab"], dtype=np.int32)
    rng = np.random.default_rng(1)
    for name, row in expected["rows"].items():
        if name not in ROWS:
            continue
        history = np.array(row["history"][-64:], dtype=np.int64)
        agree = sum(set(ROWS[name](ids, x, history)[0].tolist()) == set(wanted) for x, wanted in zip(logits, row["survivors"]))
        times = []
        start = time.perf_counter()
        while len(times) < 6 or time.perf_counter() - start < 1:
            x = logits[len(times) % len(logits)]
            before = time.perf_counter()
            left, values = ROWS[name](ids, x, history)
            rng.choice(left, p=softmax(values.astype(np.float64) / 0.8))
            times.append((time.perf_counter() - before) * 1e6)
        print(name, f"{sorted(times)[len(times) // 2]:.1f}", agree, flush=True)


main(Path(sys.argv[1]))
