"""Different samplers from different threads at once: the same tokens as one thread, and the GIL is free during a draw."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import bankml
from rows import row

THREADS = 8
DRAWS = 10_000
ROWS = [row(1000, i) for i in range(16)]


def draws(seed: int, vocab: bankml.Vocab | None = None) -> list[int]:
    sampler = bankml.Sampler(vocab=vocab, n_vocab=1000, seed=seed, repeat_penalty=1.2, temperature=1.1)
    tokens = []
    for i in range(DRAWS):
        token = sampler.sample(ROWS[i % 16])
        sampler.accept(token)
        tokens.append(token)
    return tokens


def test_eight_threads_draw_what_one_draws() -> None:
    vocab = bankml.Vocab([f"piece {i}" for i in range(1000)])
    with ThreadPoolExecutor(THREADS) as pool:
        at_once = list(pool.map(lambda seed: draws(seed, vocab), range(THREADS)))
    assert at_once == [draws(seed) for seed in range(THREADS)]


def test_samplers_are_made_and_dropped_by_all_threads_at_once() -> None:
    def churn(seed: int) -> int:
        return sum(bankml.Sampler(n_vocab=1000, seed=seed + i).clone().sample(ROWS[i % 16]) for i in range(500))

    with ThreadPoolExecutor(THREADS) as pool:
        at_once = list(pool.map(churn, range(THREADS)))
    assert at_once == [churn(seed) for seed in range(THREADS)]


def test_other_threads_run_during_a_draw() -> None:
    """A draw that orders a million tokens takes many milliseconds; a clock beside it ticks on meanwhile.

    With the GIL held, the clock would tick once or twice between two draws and never within one.
    """
    n = 1_000_000
    sampler = bankml.Sampler(n_vocab=n, top_k=0, top_p=1.0, min_p=0.0, typical_p=0.9, seed=1)
    logits = row(n)
    ticks: list[float] = []
    spans: list[tuple[float, float]] = []

    def draw() -> None:
        for _ in range(4):
            start = time.perf_counter()
            sampler.sample(logits)
            spans.append((start, time.perf_counter()))

    thread = threading.Thread(target=draw)
    thread.start()
    while thread.is_alive():
        ticks.append(time.perf_counter())
        time.sleep(0.0005)
    thread.join()
    within = [sum(start < tick < end for tick in ticks) for start, end in spans]
    assert min(end - start for start, end in spans) > 0.02, spans
    assert max(within) > 8, within
