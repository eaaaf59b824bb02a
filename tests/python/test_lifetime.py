"""Memory and processes: objects made and dropped by the thousand, cycles, allocations a draw, fork."""

from __future__ import annotations

import gc
import os
import sys
import tracemalloc
import weakref
from typing import Any

import bankml
import numpy as np
import pytest
from rows import flat, row, stream


def resident_bytes() -> int:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def make_and_drop(count: int) -> None:
    vocab = bankml.Vocab(["a", "b", "c", "d"])
    logits = flat(4)
    for i in range(count):
        sampler = bankml.Sampler(vocab=vocab)
        sampler.sample(logits)
        if i % 3 == 0:
            sampler.close()
        elif i % 3 == 1:
            sampler.clone()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_a_hundred_thousand_samplers_leave_no_memory_behind() -> None:
    make_and_drop(5_000)
    before = resident_bytes()
    make_and_drop(100_000)
    assert resident_bytes() - before < 4 << 20


def test_a_cycle_through_a_sampler_is_collected() -> None:
    class Sequence:
        def __init__(self) -> None:
            self.sampler = bankml.Sampler(n_vocab=4)
            self.me = self

    sequence = Sequence()
    gone = weakref.ref(sequence.sampler)
    del sequence
    gc.collect()
    assert gone() is None


def test_objects_may_be_dropped_in_any_order() -> None:
    vocab, workspace, params = bankml.Vocab(["a", "b\n"]), bankml.Workspace(2), bankml.Params(dry_multiplier=1)
    sampler = bankml.Sampler(params, vocab, top_k=0, typical_p=0.5)
    sampler.use_workspace(workspace)
    del vocab, workspace, params
    gc.collect()
    assert sampler.sample(flat(2)) in (0, 1)


@pytest.mark.parametrize("kind", ["ndarray", "bytes", "memoryview"])
def test_a_draw_allocates_nothing_but_its_result(kind: str) -> None:
    n = 151_936
    logits: Any = {"ndarray": row(n), "bytes": row(n).tobytes(), "memoryview": memoryview(row(n).data)}[kind]
    sampler = bankml.Sampler(n_vocab=n, seed=1)
    sampler.sample(logits)
    tracemalloc.start()
    try:
        sampler.accept(sampler.sample(logits))
        tracemalloc.reset_peak()
        start = tracemalloc.get_traced_memory()[0]
        token = sampler.sample(logits)
        peak = tracemalloc.get_traced_memory()[1] - start
    finally:
        tracemalloc.stop()
    # The int, the argument tuple of the native call and, for an ndarray, what numpy keeps to describe its buffer.
    assert token >= 0 and peak < 512


def in_child(work: bytes) -> bytes:
    """Forks; the child evaluates `work` in this module's globals; its repr comes back."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writer, repr(eval(work, globals())).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as answer:
        text = answer.read()
    os.waitpid(child, 0)
    return text


FORKED = bankml.Sampler(n_vocab=1000, top_k=0, min_p=0.0, top_p=1.0)


def tokens(sampler: bankml.Sampler) -> list[int]:
    return [sampler.sample(flat(1000)) for _ in range(10)]


def reseeded() -> list[int]:
    FORKED.seed = -1
    return tokens(FORKED)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_after_fork_the_child_draws_the_same_until_it_reseeds() -> None:
    same, other = in_child(b"tokens(FORKED)"), in_child(b"reseeded()")
    mine = repr(tokens(FORKED)).encode()
    assert same == mine
    assert other != mine and len(other) > 20


def test_the_history_of_a_clone_is_its_own() -> None:
    sampler = bankml.Sampler(n_vocab=50, seed=1, repeat_penalty=1.5, dry_multiplier=0.8, dry_sequence_breakers=[])
    stream(sampler, 20)
    clone = sampler.clone()
    del sampler
    gc.collect()
    assert len(stream(clone, 20, first=20)) == 20


def test_the_input_is_never_written() -> None:
    logits = row(500)
    before = logits.copy()
    sampler = bankml.Sampler(n_vocab=500, logit_bias={3: 5.0}, repeat_penalty=2.0)
    sampler.accept([1, 2, 3])
    sampler.sample(logits)
    sampler.sample_masked(logits, np.full(16, 0xFFFFFFFF, np.uint32))
    sampler.token_probs(logits, 3, 5)
    assert (logits.view(np.uint32) == before.view(np.uint32)).all()
