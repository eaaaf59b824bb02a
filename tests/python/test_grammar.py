"""Grammars: places, masks in the caller's memory, constrained draws, refusals, and threads."""

from __future__ import annotations

import array
import copy
import json
import pickle
import threading
import time
from collections.abc import Callable
from typing import Any

import bankml
import numpy as np
import pytest
from rows import row

EOS = 257
N = 258
VOCAB = bankml.Vocab(
    [bytes([i]) for i in range(256)] + ["<tool>", "</s>"],
    [0] * 256 + [bankml.TokenFlags.CONTROL, bankml.TokenFlags.CONTROL | bankml.TokenFlags.EOG],
    eos=EOS,
)
WORDS = (N + 31) // 32


def grammar(text: str = 'root ::= "ab" [0-9]+', **options: Any) -> bankml.Grammar:
    return bankml.Grammar.from_gbnf(VOCAB, text, **options)


def allowed(words: Any) -> list[int]:
    bits = np.unpackbits(np.asarray(words).view(np.uint8), bitorder="little")
    return [int(i) for i in np.flatnonzero(bits)]


def ids(text: str) -> list[int]:
    return list(text.encode())


def test_a_walk() -> None:
    g = grammar()
    assert allowed(g.mask()) == ids("a") and g.forced() == b"ab" and not g.is_complete() and not g.is_dead()
    assert g.test(ord("a")) and not g.test(ord("b")) and not g.test(100_000) and g.n_vocab == N
    g.accept(ord("a"))
    g.accept(np.int64(ord("b")))
    assert allowed(g.mask()) == ids("0123456789")
    g.accept(ids("12"))
    assert g.is_complete() and allowed(g.mask()) == [*ids("0123456789"), EOS] and g.forced() == b""
    g.accept(EOS)
    g.rollback()
    g.rollback(3)
    assert allowed(g.mask()) == ids("b")
    g.reset()
    assert allowed(g.mask()) == ids("a")


def test_bytes_tuples_and_arrays_of_tokens_are_accepted() -> None:
    for tokens in (b"ab7", "ab7".encode(), np.array(ids("ab7"), np.int32), np.array(ids("ab7")), tuple(ids("ab7")), array.array("i", ids("ab7"))):
        g = grammar()
        if isinstance(tokens, bytes):
            g.accept(list(tokens))
        else:
            g.accept(tokens)
        assert g.is_complete()


@pytest.mark.parametrize(
    "room",
    [
        lambda: np.full(WORDS, 77, np.uint32),
        lambda: np.full(WORDS, 77, np.int32),
        lambda: np.full((3, WORDS), 77, np.int32)[1],
        lambda: array.array("i", [77] * WORDS),
        lambda: memoryview(array.array("I", [77] * WORDS)),
        lambda: np.full(WORDS + 5, 77, np.int32),
    ],
    ids=["uint32", "int32", "row of a batch", "array", "memoryview", "longer"],
)
def test_a_mask_is_written_in_place(room: Callable[[], Any]) -> None:
    g, out = grammar(), room()
    words = g.mask(out)
    filled = np.asarray(out).view(np.uint32)
    assert (words == filled).all() and words.dtype == np.uint32 and np.shares_memory(words, np.asarray(out))
    assert (filled[:WORDS] == g.mask()).all() and (filled[WORDS:] == 0).all()


class Tensor:
    """A tensor of another library: no buffer protocol; numpy() shares its memory, as PyTorch's does."""

    def __init__(self, data: Any, device: int = 1) -> None:
        self._data, self._device = data, device

    def numpy(self) -> Any:
        return self._data

    def __dlpack__(self, **options: Any) -> Any:
        return self._data.__dlpack__()

    def __dlpack_device__(self) -> tuple[int, int]:
        return (self._device, 0)


def test_a_mask_goes_into_a_tensor() -> None:
    data = np.zeros(WORDS, np.int32)
    grammar().mask(Tensor(data))
    assert allowed(data) == ids("a")
    with pytest.raises(TypeError, match="not in host memory"):
        grammar().mask(Tensor(data, device=2))


def read_only() -> Any:
    made = np.zeros(WORDS, np.uint32)
    made.flags.writeable = False
    return made


@pytest.mark.parametrize(
    ("out", "error"),
    [
        (np.zeros(WORDS, np.float32), TypeError),
        (np.zeros(WORDS, np.int64), TypeError),
        (np.zeros(N, np.bool_), TypeError),
        (np.zeros(2 * WORDS, np.uint32)[::2], TypeError),
        (read_only(), TypeError),
        (bytes(4 * WORDS), TypeError),
        ([0] * WORDS, TypeError),
        (np.zeros((1, WORDS), np.uint32), bankml.InvalidArgumentError),
        (np.zeros(WORDS - 1, np.uint32), bankml.InvalidArgumentError),
    ],
    ids=["float", "int64", "bool", "strided", "read-only", "bytes", "list", "two dimensions", "short"],
)
def test_what_a_mask_cannot_be_written_into(out: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        grammar().mask(out)


def test_constrained_draws_are_those_of_hand_made_redraws() -> None:
    g, sampler, twin = grammar('root ::= [a-z]+ "!"'), bankml.Sampler(vocab=VOCAB, seed=3), bankml.Sampler(vocab=VOCAB, seed=3)
    redraws = 0
    for i in range(40):
        logits = row(N, i)
        token, redrawn = sampler.sample_constrained(logits, g)
        first = expected = twin.sample(logits)
        if not g.test(first):
            expected = twin.sample_masked(logits, g.mask())
        assert (token, redrawn) == (expected, not g.test(first)) and type(redrawn) is bool
        redraws += redrawn
        if token == ord("!"):
            break
        g.accept(token)
        sampler.accept(token)
        twin.accept(token)
        masked, again = sampler.sample_constrained(logits.tolist(), g, grammar_first=True)
        assert masked == twin.sample_masked(logits, g.mask()) and not again
    assert redraws > 1 and sampler.perf().redraws == redraws


def test_rows_longer_than_the_vocabulary_never_give_an_id_behind_it() -> None:
    sampler, g = bankml.Sampler(vocab=VOCAB, n_vocab=N + 60, seed=1), grammar("root ::= [^a]+")
    logits = np.zeros(N + 60, np.float32)
    logits[N:] = 30
    for first in (False, True):
        drawn = sampler.sample_constrained(logits, g, first)
        assert drawn.token < N and drawn.redrawn is not first


def test_where_nothing_is_allowed() -> None:
    dead, sampler = grammar("root ::= [z-a]"), bankml.Sampler(vocab=VOCAB, seed=1)
    assert dead.is_dead() and not dead.mask().any()
    before = sampler.clone()
    with pytest.raises(bankml.NoLegalTokenError):
        sampler.sample_constrained(row(N), dead)
    assert [sampler.sample(row(N, i)) for i in range(9)] == [before.sample(row(N, i)) for i in range(9)]


@pytest.mark.parametrize("bad", [ord("b"), [ord("a"), ord("x")], EOS])
def test_a_token_that_does_not_fit_changes_nothing(bad: Any) -> None:
    g = grammar()
    with pytest.raises(bankml.RejectedTokenError) as error:
        g.accept(bad)
    assert error.value.code is bankml.Status.REJECT and isinstance(error.value, ValueError)
    assert allowed(g.mask()) == ids("a")


def test_texts_and_options_that_are_refused() -> None:
    with pytest.raises(bankml.InvalidArgumentError, match=r"^grammar, line 2, column \d+: ") as error:
        grammar('root ::= "a"\nb ::= [c')
    assert error.value.code is bankml.Status.PARSE
    for options, match in (
        ({"root": "nothing"}, "nothing"),
        ({"root": "a\0b"}, "zero byte"),
        ({"max_states": 0}, "max_states is 0"),
        ({"max_bytes": -1}, "max_bytes is -1"),
        ({"token_texts": {"x": 1}}, "must begin with '<'"),
        ({"token_texts": {"<x>": -1}}, "negative"),
    ):
        with pytest.raises(bankml.InvalidArgumentError, match=match):
            grammar(**options)
    for wrong in ({"max_states": 1.5}, {"root": 7}, {"token_texts": {"<x>": "y"}}):
        with pytest.raises(TypeError):
            grammar(**wrong)
    with pytest.raises(TypeError):
        bankml.Grammar()


def test_options() -> None:
    g = grammar("value ::= <x> | <tool>", root="value", token_texts={"<x>": ord("q")})
    assert allowed(g.mask()) == [ord("q"), 256]
    for limit in ({"max_bytes": 200}, {"max_states": 4}):
        with pytest.raises(bankml.LimitError, match="more than max_") as error:
            grammar("root ::= [a-z]+ [a-z]+ [a-z]+", **limit)
        assert error.value.code is bankml.Status.LIMIT
    assert allowed(grammar("").mask()) == list(range(N))


@pytest.mark.parametrize(
    ("trigger", "text", "behind"),
    [
        (bankml.Trigger.word("<call>"), "so <call>", "<call>f()"),
        (bankml.Trigger.word(b"<call>"), "<call>", "<call>f()"),
        (bankml.Trigger.pattern("!+(<c[a-z]*>)$"), "!<call>", "<call>f()"),
        (bankml.Trigger.pattern_full("so (<call>)"), "so <call>", "<call>f()"),
    ],
)
def test_a_lazy_grammar_waits_for_its_trigger(trigger: bankml.Trigger, text: str, behind: str) -> None:
    g = grammar('root ::= "<call>" [a-z]+ "()"', triggers=[bankml.Trigger.token(256), trigger])
    for token in ids(text):
        assert len(allowed(g.mask())) == N and not g.is_dead() and g.forced() == b""
        g.accept(token)
    assert allowed(g.mask()) == ids("abcdefghijklmnopqrstuvwxyz")
    g.accept(ids("f()"))
    assert allowed(g.mask()) == [EOS]
    other = grammar('root ::= "<call>" [a-z]+ "()"', triggers=[bankml.Trigger.token(256), trigger])
    other.load(g.save())
    assert allowed(other.mask()) == [EOS]
    g.reset()
    assert len(allowed(g.mask())) == N


def test_triggers_that_are_refused() -> None:
    tool = grammar('root ::= <tool> "x"', triggers=[bankml.Trigger.token(256)])
    tool.accept([*ids("abc"), 256])
    assert allowed(tool.mask()) == ids("x")
    with pytest.raises(bankml.RejectedTokenError):
        grammar('root ::= "x"', triggers=[bankml.Trigger.word("y")]).accept(ord("y"))
    with pytest.raises(bankml.InvalidArgumentError, match="no triggers set"):
        grammar(triggers=[])
    with pytest.raises(bankml.InvalidArgumentError, match=r"trigger 1: pattern, position 3: ") as error:
        grammar(triggers=[bankml.Trigger.word("a"), bankml.Trigger.pattern("ab(")])
    assert error.value.code is bankml.Status.PARSE
    for token in (-1, N):
        with pytest.raises(bankml.InvalidArgumentError) as error:
            grammar(triggers=[bankml.Trigger.token(token)])
        assert error.value.code is bankml.Status.TOKEN
    for pattern in ("a{9999}{9999}", "(" * 5000 + ")" * 5000):
        with pytest.raises(bankml.LimitError):
            grammar(triggers=[bankml.Trigger.pattern(pattern)])
    with pytest.raises(TypeError, match="Trigger objects, not str"):
        grammar(triggers=["word"])
    with pytest.raises(TypeError):
        bankml.Trigger()
    assert repr([bankml.Trigger.token(3), bankml.Trigger.word("a")]) == "[Trigger.token(3), Trigger.word(b'a')]"


def test_the_strict_dialect_reads_utf_8_as_it_is_defined() -> None:
    loose, strict = grammar("root ::= [^a]*"), grammar("root ::= [^a]*", dialect="strict")
    assert loose.test(0xC0) != strict.test(0xC0) or loose.test(0xF5) != strict.test(0xF5)
    assert allowed(strict.mask()) == [*range(0, ord("a")), *range(ord("b"), 0x80), *range(0xC2, 0xF5), EOS]
    strict.accept(0xE2)
    assert allowed(strict.mask()) == list(range(0x80, 0xC0)) and not strict.is_complete()
    assert grammar('root ::= "x" root', dialect="strict").is_dead()
    with pytest.raises(bankml.InvalidArgumentError, match="dialect is 'other'"):
        grammar(dialect="other")


def test_schemas() -> None:
    schema = {"properties": {"a": {"type": "integer"}}, "required": ["a"]}
    for given in (schema, json.dumps(schema), json.dumps(schema).encode()):
        g = bankml.Grammar.from_schema(VOCAB, given, dialect="llama")
        g.accept(ids('{"a": 12}'))
        assert allowed(g.mask()) == [EOS]
        assert grammar(g.to_gbnf()).forced() == b"{"
    with pytest.raises(bankml.InvalidArgumentError, match="JSON schema error at #: unrecognized type odd") as error:
        bankml.Grammar.from_schema(VOCAB, {"type": "odd"}, dialect="llama")
    assert error.value.code is bankml.Status.SCHEMA
    with pytest.raises(bankml.InvalidArgumentError, match="dialect = llama"):
        bankml.Grammar.from_schema(VOCAB, {}, dialect="strict")  # type: ignore[arg-type]
    with pytest.raises(bankml.InvalidArgumentError):
        bankml.Grammar.from_schema(VOCAB, "{", dialect="llama")


def test_rollback_load_and_counts_refuse_what_does_not_fit() -> None:
    g = grammar()
    g.accept(ids("ab"))
    with pytest.raises(bankml.InvalidArgumentError):
        g.rollback(3)
    with pytest.raises(bankml.InvalidArgumentError) as error:
        g.accept(N)
    assert error.value.code is bankml.Status.TOKEN
    with pytest.raises(bankml.InvalidArgumentError):
        g.rollback(-1)
    with pytest.raises(TypeError):
        g.rollback(1.0)  # type: ignore[arg-type]
    with pytest.raises(bankml.InvalidArgumentError):
        g.test(-1)
    bad: list[Any] = [7, None, [1], "text"]
    for no_bytes in bad:
        with pytest.raises(TypeError, match="a bytes-like object in one piece is needed, not "):
            g.load(no_bytes)
    with pytest.raises(bankml.InvalidArgumentError):
        g.test(2**40)
    for damaged in (b"", b"nonsense", grammar('root ::= "x"').save()):
        with pytest.raises(bankml.InvalidArgumentError) as error:
            g.load(damaged)
        assert error.value.code is bankml.Status.STATE
    assert allowed(g.mask()) == ids("0123456789")


def test_saved_places_and_clones() -> None:
    g = grammar()
    g.accept(ids("ab1"))
    other = grammar()
    other.load(g.save())
    assert other.is_complete()
    for clone in (g.clone(), copy.copy(g), copy.deepcopy(g)):
        clone.rollback(2)
        assert allowed(clone.mask()) == ids("b") and g.is_complete()


def test_masks_are_found_again() -> None:
    g = grammar()
    assert g.warm(10) > 0 and g.nbytes > 0
    fills = g.mask_fills
    clone = g.clone()
    clone.mask()
    clone.accept(ord("a"))
    clone.mask()
    assert clone.mask_fills == fills


CALLS: list[Callable[[bankml.Grammar], Any]] = [
    lambda g: g.mask(),
    lambda g: g.mask(np.zeros(WORDS, np.uint32)),
    lambda g: g.test(1),
    lambda g: g.accept(1),
    lambda g: g.accept([1]),
    lambda g: g.rollback(0),
    lambda g: g.reset(),
    lambda g: g.clone(),
    lambda g: g.save(),
    lambda g: g.load(b""),
    lambda g: g.forced(),
    lambda g: g.warm(1),
    lambda g: g.is_complete(),
    lambda g: g.is_dead(),
    lambda g: g.nbytes,
    lambda g: g.mask_fills,
    lambda g: bankml.Sampler(n_vocab=N).sample_constrained(np.zeros(N, np.float32), g),
]


@pytest.mark.parametrize("call", CALLS)
def test_a_closed_grammar(call: Callable[[bankml.Grammar], Any]) -> None:
    with grammar() as g:
        assert not g.closed
    g.close()
    with pytest.raises(bankml.ClosedError, match="the grammar is closed"):
        call(g)
    assert g.closed and "closed" in repr(g)


def test_it_cannot_be_pickled_and_outlives_its_vocabulary() -> None:
    vocab = bankml.Vocab(["a", "b"])
    g = bankml.Grammar.from_gbnf(vocab, 'root ::= "ab"')
    del vocab
    g.accept(0)
    assert g.forced() == b"b"
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(g)


def test_a_sampler_of_fewer_tokens_is_refused() -> None:
    with pytest.raises(bankml.InvalidArgumentError, match="vocabulary has 258 tokens"):
        bankml.Sampler(n_vocab=9).sample_constrained(np.zeros(9, np.float32), grammar())


# ---- Threads

LARGE = bankml.Vocab([f"{i:x}" for i in range(200_000)])
DIGITS = 'root ::= ("a" root | [0-9b-f] root "x")?'


def test_other_threads_run_while_masks_are_computed() -> None:
    g = bankml.Grammar.from_gbnf(LARGE, DIGITS)
    ticks: list[float] = []
    spans: list[tuple[float, float]] = []

    def work() -> None:
        for _ in range(20):
            start = time.perf_counter()
            g.warm(8)
            g.mask()
            spans.append((start, time.perf_counter()))
            g.accept(1)

    thread = threading.Thread(target=work)
    thread.start()
    while thread.is_alive():
        ticks.append(time.perf_counter())
        time.sleep(0.0002)
    thread.join()
    longest = max(end - start for start, end in spans)
    within = max(sum(start < tick < end for tick in ticks) for start, end in spans)
    assert longest < 0.002 or within > 1, (longest, within)


def test_one_grammar_in_two_threads_is_busy_or_right_and_clones_are_free() -> None:
    shared = bankml.Grammar.from_gbnf(LARGE, DIGITS)
    expected = shared.mask()
    outcomes: list[str] = []
    stop = time.monotonic() + 10

    def work(g: bankml.Grammar, may_be_busy: bool) -> None:
        for _ in range(3000):
            try:
                same = bool((g.mask() == expected).all())
                outcomes.append("right" if same else "wrong")
            except bankml.BusyError:
                outcomes.append("busy" if may_be_busy else "wrong")
            if time.monotonic() > stop:
                break

    clones = [shared.clone() for _ in range(2)]
    threads = [threading.Thread(target=work, args=(shared, True)) for _ in range(2)]
    threads += [threading.Thread(target=work, args=(clone, False)) for clone in clones]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert "wrong" not in outcomes and outcomes.count("right") > 1000
