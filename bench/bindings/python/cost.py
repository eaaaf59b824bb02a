"""What one draw costs through the Python package: prints `python KIND V NANOSECONDS`, as ../README.md says.

The row and the batches are those of ../c/cost.c, the measure.
"""

from __future__ import annotations

import array
import statistics
import time
from typing import Any

import bankml
import numpy as np

CALLS = 20_000


def logits_of(n: int) -> np.ndarray:
    i = np.arange(n, dtype=np.uint64)
    row = ((i * 2654435761 % 2**32) >> 8).astype(np.float32) * np.float32(12 / 2**24) - np.float32(6)
    for k in range(5):
        row[7 * k % n] = 8 + k / 2
    return row


def median_ns(n: int, batch: int, logits: Any) -> float:
    sample = bankml.Sampler(n_vocab=n, seed=1).sample
    for _ in range(CALLS // 10):
        sample(logits)
    times = []
    for _ in range(CALLS // batch):
        start = time.perf_counter_ns()
        for _ in range(batch):
            sample(logits)
        times.append((time.perf_counter_ns() - start) / batch)
    return statistics.median(times)


def main() -> None:
    for n, batch in ((151_936, 10), (8, 100)):
        row = logits_of(n)
        for kind, logits in (("ndarray", row), ("array", array.array("f", row)), ("bytes", row.tobytes())):
            print(f"python {kind} {n} {median_ns(n, batch, logits):.1f}")


if __name__ == "__main__":
    main()
