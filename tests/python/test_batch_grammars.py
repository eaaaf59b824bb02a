"""Batches whose items have grammars: the tokens and redraws of single constrained draws; refusals change nothing."""

from __future__ import annotations

from typing import Any

import bankml
import numpy as np
import pytest
from rows import row
from test_grammar import VOCAB, N, grammar

RULES = ['root ::= "ab" [0-9]+', "root ::= [a-z]*", 'root ::= ("x" | "yz") "!"', "root ::= .*"]


@pytest.mark.parametrize("threads", [0, 1, 3])
@pytest.mark.parametrize("first", [False, True])
def test_grammars_in_batches_equal_single_constrained_draws(threads: int, first: bool) -> None:
    batched = [bankml.Sampler(vocab=VOCAB, seed=i) for i in range(8)]
    single = [bankml.Sampler(vocab=VOCAB, seed=i) for i in range(8)]
    rules = [None if i % 4 == 3 else grammar(RULES[i % 4]) for i in range(8)]
    places = [None if one is None else one.clone() for one in rules]
    pool = bankml.Pool(threads, N) if threads else None
    draw = pool.sample if pool else bankml.sample_batch
    redraws = 0
    for step in range(12):
        logits = np.stack([row(N, 50 * step + i) for i in range(8)])
        tokens = draw(batched, logits, grammars=rules, grammar_first=first)
        for i, sampler in enumerate(single):
            place = places[i]
            if place is None:
                assert tokens[i] == sampler.sample(logits[i])
                continue
            token, redrawn = sampler.sample_constrained(logits[i], place, first)
            assert tokens[i] == token
            redraws += redrawn
            for one in (place, rules[i]):
                assert one is not None
                one.accept(token)
                if one.is_complete() or one.is_dead():
                    one.reset()
    assert [a.perf() for a in batched] == [b.perf() for b in single]
    assert (redraws == 0) == first


def test_an_item_whose_grammar_fails_fails_alone() -> None:
    samplers = [bankml.Sampler(vocab=VOCAB, seed=i) for i in range(4)]
    closed = grammar()
    closed.close()
    words = np.full((N + 31) // 32, 0xFFFFFFFF, np.uint32)
    rules = [grammar("root ::= [z-a]"), closed, grammar("root ::= .*"), grammar()]
    with pytest.raises(bankml.BatchError) as raised:
        bankml.sample_batch(samplers, [row(N, 1)] * 4, [None, None, words, None], rules)
    errors = raised.value.errors
    assert isinstance(errors[0], bankml.NoLegalTokenError)
    assert isinstance(errors[1], bankml.ClosedError) and "the grammar is closed" in str(errors[1])
    assert isinstance(errors[2], bankml.InvalidArgumentError) and errors[3] is None
    assert raised.value.tokens == [None, None, None, ord("a")]


@pytest.mark.parametrize(
    ("rules", "error", "text"),
    [
        (lambda g: [g, g], bankml.InvalidArgumentError, "items 0 and 1 have the same grammar"),
        (lambda g: [g], bankml.InvalidArgumentError, "2 samplers, but 1 grammars"),
        (lambda g: [g, "root"], TypeError, "grammars must be a sequence of bankml.Grammar or None"),
    ],
)
def test_batches_with_grammars_that_are_refused(rules: Any, error: type[Exception], text: str) -> None:
    samplers = [bankml.Sampler(vocab=VOCAB, seed=i) for i in range(2)]
    before = [sampler.clone() for sampler in samplers]
    with pytest.raises(error, match=text):
        bankml.sample_batch(samplers, [row(N, 1)] * 2, grammars=rules(grammar()))
    for sampler, twin in zip(samplers, before):
        assert sampler.perf().draws == 0 and sampler.sample(row(N, 2)) == twin.sample(row(N, 2))
