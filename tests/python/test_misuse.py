"""Misuse gives Python's own clear error, and both the object and the process go on."""

from __future__ import annotations

import copy
import pickle
import signal
import threading
import time
from collections.abc import Callable
from typing import Any

import bankml
import numpy as np
import pytest
from bankml import _native
from rows import NEUTRAL, flat, row, stream

V = 151_936


@pytest.mark.parametrize(
    "call",
    [
        lambda s: s.sample(flat(4)),
        lambda s: s.sample([1.0] * 4),
        lambda s: s.sample_masked(flat(4), [15]),
        lambda s: s.sample_candidates([1], [1.0]),
        lambda s: s.accept(1),
        lambda s: s.accept([1]),
        lambda s: s.token_probs(flat(4), 1),
        lambda s: s.post_probs(1),
        lambda s: s.candidates(),
        lambda s: s.keep(),
        lambda s: s.clone(),
        lambda s: s.reset(),
        lambda s: s.seed,
        lambda s: setattr(s, "seed", 1),
        lambda s: s.steps,
        lambda s: s.plan_name,
        lambda s: s.warnings,
        lambda s: s.nbytes,
        lambda s: s.n_vocab,
        lambda s: s.perf(),
        lambda s: s.clock(),
        lambda s: s.use_workspace(None),
        copy.copy,
    ],
)
def test_a_closed_sampler(call: Callable[[bankml.Sampler], Any]) -> None:
    sampler = bankml.Sampler(n_vocab=4)
    sampler.close()
    sampler.close()
    with pytest.raises(bankml.ClosedError, match="the sampler is closed"):
        call(sampler)


@pytest.mark.parametrize(
    "made",
    [bankml.Sampler(n_vocab=4), bankml.Params(), bankml.Vocab(["a"]), bankml.Workspace(4)],
    ids=["sampler", "params", "vocab", "workspace"],
)
def test_pickling_is_refused(made: Any) -> None:
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(TypeError, match="cannot be pickled"):
            pickle.dumps(made, protocol)


def test_errors_can_be_pickled() -> None:
    error = pickle.loads(pickle.dumps(bankml.InvalidArgumentError("text", bankml.Status.TOKEN)))
    assert isinstance(error, bankml.InvalidArgumentError) and error.code is bankml.Status.TOKEN and str(error) == "text"


def test_handles_of_another_kind_are_refused() -> None:
    params, sampler = bankml.Params(), bankml.Sampler(n_vocab=4)
    for wrong in (params._handle, object(), 5):
        with pytest.raises((TypeError, ValueError)):
            _native.sampler_sample(wrong, flat(4))  # type: ignore[arg-type]
    with pytest.raises((TypeError, ValueError)):
        _native.params_get_number(sampler._handle, "top_k")  # type: ignore[arg-type]
    assert 0 <= sampler.sample(flat(4)) < 4


def test_wrong_number_of_arguments() -> None:
    with pytest.raises(TypeError):
        _native.sampler_sample()  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        bankml.Sampler(n_vocab=4).sample()  # type: ignore[call-arg]


def test_a_failed_call_changes_nothing() -> None:
    sampler, never_saw = (bankml.Sampler(n_vocab=60, seed=2, repeat_penalty=1.2, mirostat=2) for _ in range(2))
    stream(sampler, 10)
    stream(never_saw, 10)
    nan = row(60)
    nan[59] = np.nan
    bad_rows: list[Any] = [nan, flat(59), np.full(60, -np.inf, np.float32), np.arange(60), "x"]
    for bad in bad_rows:
        with pytest.raises((TypeError, bankml.BankmlError)):
            sampler.sample(bad)
    with pytest.raises(bankml.InvalidArgumentError):
        sampler.accept([1, 60])
    assert stream(sampler, 30, first=50) == stream(never_saw, 30, first=50)


def test_two_threads_on_one_sampler_are_told_apart_never_mixed() -> None:
    """Each call succeeds or is refused as busy. Refused calls change nothing, so the tokens are those of one thread."""
    sampler = bankml.Sampler(NEUTRAL | {"seed": 8}, n_vocab=V)
    alone = sampler.clone()
    logits = row(V)
    drawn: list[int] = []
    busy = [0, 0]
    stop = time.monotonic() + 20

    def work(me: int) -> None:
        while (len(drawn) < 300 or sum(busy) == 0) and min(busy) == 0 and time.monotonic() < stop:
            try:
                drawn.append(sampler.sample(logits))
            except bankml.BusyError as error:
                assert error.code is bankml.Status.BUSY and "another thread" in str(error)
                busy[me] += 1

    threads = [threading.Thread(target=work, args=(me,)) for me in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(busy) > 0, "the threads never met"
    assert sorted(drawn) == sorted(alone.sample(logits) for _ in drawn)


def test_a_workspace_that_another_thread_draws_with_is_busy() -> None:
    workspace = bankml.Workspace(V)
    samplers = [bankml.Sampler(NEUTRAL | {"typical_p": 0.9, "seed": 1}, n_vocab=V) for _ in range(2)]
    for sampler in samplers:
        sampler.use_workspace(workspace)
    logits = row(V)
    outcomes: list[object] = []
    stop = time.monotonic() + 20

    def work(sampler: bankml.Sampler) -> None:
        while "busy" not in outcomes and time.monotonic() < stop:
            try:
                outcomes.append(sampler.sample(logits))
            except bankml.BusyError:
                outcomes.append("busy")

    threads = [threading.Thread(target=work, args=(sampler,)) for sampler in samplers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert "busy" in outcomes


def test_close_during_a_running_call_lets_it_end() -> None:
    logits = row(V)
    expected = bankml.Sampler(NEUTRAL | {"typical_p": 0.9, "seed": 1}, n_vocab=V).sample(logits)
    for _ in range(20):
        sampler = bankml.Sampler(NEUTRAL | {"typical_p": 0.9, "seed": 1}, n_vocab=V)
        started = threading.Event()
        result: list[object] = []

        def work(sampler: bankml.Sampler = sampler, started: threading.Event = started, result: list[object] = result) -> None:
            started.set()
            try:
                result.append(sampler.sample(logits))
            except bankml.ClosedError:
                result.append("closed")

        thread = threading.Thread(target=work)
        thread.start()
        started.wait()
        sampler.close()
        thread.join()
        assert result in ([expected], ["closed"])


def test_an_array_cannot_be_resized_under_a_call() -> None:
    logits = bytearray(row(V).tobytes())
    sampler = bankml.Sampler(NEUTRAL | {"typical_p": 0.9}, n_vocab=V)
    drawing = threading.Thread(target=lambda: [sampler.sample(logits) for _ in range(20)])
    drawing.start()
    refused = 0
    while drawing.is_alive():
        try:
            logits.append(0)
            logits.pop()
        except BufferError:
            refused += 1
    drawing.join()
    assert refused > 0 and len(logits) == 4 * V


def test_an_interrupt_arrives_and_the_sampler_goes_on() -> None:
    sampler = bankml.Sampler(n_vocab=V, seed=3)
    logits = row(V)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell starts its background jobs with SIGINT ignored
    try:
        for _ in range(5):
            timer = threading.Timer(0.02, signal.raise_signal, [signal.SIGINT])
            ends = time.monotonic() + 60
            with pytest.raises(KeyboardInterrupt):
                timer.start()
                while time.monotonic() < ends:
                    sampler.sample(logits)
            timer.join()
    finally:
        signal.signal(signal.SIGINT, before)
    assert 0 <= sampler.sample(logits) < V
