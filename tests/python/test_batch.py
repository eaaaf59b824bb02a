"""Batches: the tokens, states and errors of single calls, for lists and arrays, with and without a pool; refusals change nothing."""

from __future__ import annotations

import array
import pickle
import threading
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import bankml
import numpy as np
import numpy.typing as npt
import pytest
from rows import NEUTRAL, flat, row

CHAINS: list[dict[str, Any]] = [
    {},
    {"temperature": 0.0},
    {"top_k": 0, "typical_p": 0.9},
    {"mirostat": 2},
    {"repeat_penalty": 1.3, "dry_multiplier": 0.8, "dry_breaker_tokens": [[1], [2, 3]]},
    {"top_k": 0, "xtc_probability": 0.5, "xtc_threshold": 0.05},
]
N = 12
V = 300


def samplers(n: int = N, v: int = V) -> list[bankml.Sampler]:
    return [bankml.Sampler(CHAINS[i % len(CHAINS)], n_vocab=v, seed=i) for i in range(n)]


def matrix(seed: int, n: int = N, v: int = V) -> npt.NDArray[np.float32]:
    return np.stack([row(v, 1000 * seed + i) for i in range(n)])


def half_mask(i: int, v: int = V) -> npt.NDArray[np.uint32]:
    return bankml.pack_mask(np.arange(v) % 3 != i % 3)


Draw = Callable[..., list[int]]


@pytest.fixture(params=[0, 1, 2, 5], ids=["no pool", "1 thread", "2 threads", "5 threads"])
def draw(request: pytest.FixtureRequest) -> Any:
    if request.param == 0:
        yield bankml.sample_batch
        return
    with bankml.Pool(request.param, V) as pool:
        assert pool.threads == request.param
        yield pool.sample


def test_batches_equal_single_draws(draw: Draw) -> None:
    batched, single = samplers(), samplers()
    for step in range(25):
        logits = matrix(step)
        masks = None if step % 3 == 0 else [half_mask(i) if i % 2 else None for i in range(N)]
        tokens = draw(batched, logits, masks)
        for i, sampler in enumerate(single):
            mask = None if masks is None else masks[i]
            token = sampler.sample(logits[i]) if mask is None else sampler.sample_masked(logits[i], mask)
            assert tokens[i] == token and type(tokens[i]) is int
            sampler.accept(token)
            batched[i].accept(token)
    assert [a.perf() for a in batched] == [b.perf() for b in single]


def test_every_spelling_of_rows_gives_the_same_tokens(draw: Draw) -> None:
    logits = matrix(3)
    expected = draw(samplers(), logits)
    wide = np.zeros((N, V + 7), np.float32)
    wide[:, 3 : V + 3] = logits
    spellings: list[Any] = [
        list(logits),
        tuple(logits),
        [array.array("f", one) for one in logits],
        [one.tobytes() for one in logits],
        [memoryview(one.data) for one in logits],
        logits.astype(np.float64),
        wide[:, 3 : V + 3],
        np.asfortranarray(logits),
        logits.astype(logits.dtype.newbyteorder()),
        [one.tolist() for one in logits],
        [one if i % 2 else one.astype(np.float64) for i, one in enumerate(logits)],
        memoryview(logits.data),
    ]
    read_only = logits.copy()
    read_only.setflags(write=False)
    spellings.append(read_only)
    for spelling in spellings:
        assert draw(samplers(), spelling) == expected, type(spelling)
    assert draw(tuple(samplers()), logits) == expected


def test_every_spelling_of_masks_gives_the_same_tokens(draw: Draw) -> None:
    logits = matrix(4)
    masks = np.stack([half_mask(i) for i in range(N)])
    expected = [s.sample_masked(logits[i], masks[i]) for i, s in enumerate(samplers())]
    spellings: list[Any] = [masks, list(masks), masks.view(np.int32), [m.tolist() for m in masks], np.asfortranarray(masks)]
    for spelling in spellings:
        assert draw(samplers(), logits, spelling) == expected


class Tensor:
    """What a tensor library hands over."""

    def __init__(self, values: npt.NDArray[np.float32], device: int = 1) -> None:
        self.values, self.device = values, device

    def __dlpack__(self, **how: Any) -> Any:
        return self.values.__dlpack__(**how)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device, 0


def test_tensors(draw: Draw) -> None:
    logits = matrix(5)
    expected = draw(samplers(), logits)
    assert draw(samplers(), Tensor(logits)) == expected
    assert draw(samplers(), [Tensor(one) for one in logits]) == expected
    with pytest.raises(TypeError, match=r"pass logits\.cpu\(\)"):
        draw(samplers(), Tensor(logits, device=2))


def test_nothing_is_copied() -> None:
    n, v = 16, 100_000
    logits = matrix(1, n, v)
    lists = list(logits)
    drawn = [bankml.Sampler(n_vocab=v) for _ in range(n)]
    with bankml.Pool(2, v) as pool:
        pool.sample(drawn, logits)
        tracemalloc.start()
        pool.sample(drawn, logits)
        pool.sample(drawn, lists)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 50_000, peak  # a row has 400,000 bytes; numpy reports what it allocates


def test_each_failed_draw_has_its_own_error_and_the_others_draw(draw: Draw) -> None:
    batched = [bankml.Sampler(n_vocab=V, seed=i) for i in range(7)]
    rows: list[Any] = [row(V, i) for i in range(7)]
    rows[1] = rows[1].copy()
    rows[1][7] = np.nan
    rows[2] = flat(V - 1)
    rows[6] = np.full(V, -np.inf, np.float32)
    masks: list[Any] = [None] * 7
    masks[3] = np.zeros(10, np.uint32)
    masks[4] = np.zeros(1, np.uint32)
    batched[5].close()
    with pytest.raises(bankml.BatchError, match="6 of 7 draws failed; item 1: .*token 7") as raised:
        draw(batched, rows, masks)
    error = raised.value
    assert error.tokens == [bankml.Sampler(n_vocab=V, seed=0).sample(rows[0]), None, None, None, None, None, None]
    kinds = [None if one is None else (type(one), one.code) for one in error.errors]
    assert kinds == [
        None,
        (bankml.InvalidArgumentError, bankml.Status.NONFINITE),
        (bankml.InvalidArgumentError, bankml.Status.LENGTH),
        (bankml.NoLegalTokenError, bankml.Status.NO_CANDIDATE),
        (bankml.InvalidArgumentError, bankml.Status.LENGTH),
        (bankml.ClosedError, bankml.Status.ARG),
        (bankml.NoLegalTokenError, bankml.Status.NO_CANDIDATE),
    ]
    assert error.code is bankml.Status.NONFINITE and error.__cause__ is error.errors[1]
    copy = pickle.loads(pickle.dumps(error))
    assert copy.tokens == error.tokens and str(copy) == str(error) and len(copy.errors) == 7
    for i in (1, 2, 3, 4, 6):  # the failed draws left no trace
        assert batched[i].sample(row(V, 50)) == bankml.Sampler(n_vocab=V, seed=i).sample(row(V, 50))


def test_what_refuses_the_whole_batch_draws_nothing(draw: Draw) -> None:
    batched, never_saw = samplers(4), samplers(4)
    logits = matrix(0, 4)
    refusals: list[tuple[type[Exception], str, Callable[[], object]]] = [
        (bankml.InvalidArgumentError, "items 1 and 3 have the same sampler", lambda: draw([*batched[:3], batched[1]], logits)),
        (bankml.InvalidArgumentError, "3 samplers, but 4 rows of logits", lambda: draw(batched[:3], logits)),
        (bankml.InvalidArgumentError, "4 samplers, but 3 rows of logits", lambda: draw(batched, list(logits)[:3])),
        (bankml.InvalidArgumentError, "4 samplers, but 1 rows of masks", lambda: draw(batched, logits, [None])),
        (bankml.InvalidArgumentError, r"logits has shape \(300,\)", lambda: draw(batched, logits[0])),
        (bankml.InvalidArgumentError, r"logits has shape \(1, 4, 300\)", lambda: draw(batched, logits[None])),
        (bankml.InvalidArgumentError, r"logits\[0\] has shape \(1, 300\)", lambda: draw(batched, list(logits[:, None]))),
        (TypeError, r"logits\[0\] has dtype int64", lambda: draw(batched, np.zeros((4, V), np.int64))),
        (TypeError, r"logits\[2\] has dtype bool", lambda: draw(batched, [*logits[:2], np.zeros(V, bool), logits[3]])),
        (TypeError, r"masks\[0\] has dtype bool", lambda: draw(batched, logits, np.zeros((4, V), bool))),
        (TypeError, r"logits\[1\] must be an array", lambda: draw(batched, [logits[0], "row", logits[2], logits[3]])),
        (TypeError, "samplers must be a sequence", lambda: draw([*batched[:3], "sampler"], logits)),
        (TypeError, "samplers must be a sequence|not iterable", lambda: draw(batched[0], logits)),
        (TypeError, "must be an array or a sequence|0 rows|shape", lambda: draw(batched, {})),
    ]
    for kind, text, call in refusals:
        with pytest.raises(kind, match=text):
            call()
    assert draw(batched, logits) == draw(never_saw, logits)


def test_empty_batches(draw: Draw) -> None:
    assert draw([], []) == []
    assert draw([], np.zeros((0, V), np.float32), []) == []
    with pytest.raises(bankml.BatchError, match="2 of 2 draws failed") as raised:
        draw(samplers(2), np.zeros((2, 0), np.float32))
    assert [error.code for error in raised.value.errors if error is not None] == [bankml.Status.LENGTH] * 2


def test_pools_are_closed_and_refused() -> None:
    pool = bankml.Pool(2, 16)
    assert repr(pool) == "<bankml.Pool of 2 threads>" and not pool.closed
    pool.close()
    pool.close()
    assert pool.closed and repr(pool) == "<bankml.Pool, closed>"
    for call in (lambda: pool.threads, lambda: pool.sample([], [])):
        with pytest.raises(bankml.ClosedError, match="the pool is closed"):
            call()
    with pytest.raises(bankml.InvalidArgumentError, match="n_threads 5000 is above 1024"):
        bankml.Pool(5000, 0)
    with pytest.raises(bankml.InvalidArgumentError, match="threads -1"):
        bankml.Pool(-1, 0)
    with pytest.raises(bankml.InvalidArgumentError, match="n_vocab 2147483648"):
        bankml.Pool(1, 2**31)
    with pytest.raises(TypeError):
        bankml.Pool(*["two"])
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(bankml.Pool(1))
    assert bankml.Pool().threads >= 1


def slow(count: int, v: int) -> list[bankml.Sampler]:
    chain = NEUTRAL | {"typical_p": 0.9, "disable": ["typical"]}  # the plain step sorts the whole vocabulary
    return [bankml.Sampler(chain | {"seed": i}, n_vocab=v) for i in range(count)]


def test_a_pool_in_use_is_busy_and_close_waits_for_nobody() -> None:
    """One thread's batch holds the pool; another's is refused whole. Closing it under a batch lets the batch end."""
    v, n = 60_000, 8
    logits = matrix(1, n, v)
    pool = bankml.Pool(2, v)
    expected = slow(n, v)
    first = [expected[i].sample(logits[i]) for i in range(n)]
    own = slow(n, v)
    drawn: list[list[int]] = []
    others, twins = slow(1, v), slow(1, v)
    busy, ends = 0, time.monotonic() + 30

    def work() -> None:
        nonlocal busy
        while (busy == 0 or not drawn) and time.monotonic() < ends:
            try:
                drawn.append(pool.sample(own, logits))
            except bankml.BusyError:
                busy += 1

    thread = threading.Thread(target=work)
    thread.start()
    tokens: list[int] = []
    while busy == 0 and time.monotonic() < ends:
        try:
            tokens += pool.sample(others, logits[:1])
        except bankml.BusyError as error:
            assert "the pool is in use" in str(error)
            busy += 1
    while not drawn and time.monotonic() < ends:
        time.sleep(0.001)
    pool.close()
    thread.join()
    assert busy >= 1, "the two never met"
    assert drawn[0] == first
    assert tokens == [twins[0].sample(logits[0]) for _ in tokens]


def test_other_threads_run_during_a_batch() -> None:
    v = 1_000_000
    drawing = slow(2, v)
    logits = [row(v)] * 2
    within: list[int] = []
    ticks: list[float] = []

    def work() -> None:
        for _ in range(2):
            start = time.perf_counter()
            bankml.sample_batch(drawing, logits)
            end = time.perf_counter()
            within.append(sum(start < tick < end for tick in ticks))

    thread = threading.Thread(target=work)
    thread.start()
    while thread.is_alive():
        ticks.append(time.perf_counter())
        time.sleep(0.0005)
    thread.join()
    assert max(within) > 8, within


def test_rows_and_samplers_are_held_during_a_batch() -> None:
    """Rows cannot be resized, and samplers that are closed meanwhile end their draw undisturbed."""
    v, n = 100_000, 4
    logits = [bytearray(row(v, i).tobytes()) for i in range(n)]
    expected = [s.sample(logits[i]) for i, s in enumerate(slow(n, v))]
    refused = 0
    for _ in range(20):
        drawing = slow(n, v)
        lists: list[Any] = list(logits)
        result: list[object] = []
        started = threading.Event()

        def work(drawing: Any = drawing, lists: Any = lists, result: list[object] = result, started: Any = started) -> None:
            started.set()
            try:
                result.append(bankml.sample_batch(drawing, lists))
            except bankml.BatchError as error:
                result.append([type(one) for one in error.errors if one is not None])

        thread = threading.Thread(target=work)
        thread.start()
        started.wait()
        while thread.is_alive():
            try:
                logits[0].append(0)
                logits[0].pop()
            except BufferError:
                refused += 1
                for sampler in drawing:
                    sampler.close()
                drawing.clear()
                lists.clear()
        thread.join()
        assert result == [expected] or result == [[bankml.ClosedError] * n]
    assert refused > 0


def test_a_sampler_in_another_thread_is_busy_alone() -> None:
    v = 151_936
    logits = matrix(2, 2, v)
    taken, free = slow(2, v)
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            try:
                taken.sample(logits[0])
            except bankml.BusyError:
                pass

    thread = threading.Thread(target=work)
    thread.start()
    found, ends = None, time.monotonic() + 30
    while found is None and time.monotonic() < ends:
        try:
            bankml.sample_batch([taken, free], logits)
        except bankml.BatchError as error:
            found = error
    stop.set()
    thread.join()
    assert found is not None, "the two never met"
    assert isinstance(found.errors[0], bankml.BusyError) and found.errors[1] is None and found.tokens[1] is not None
