"""Rows of logits and samplers that several tests share; every value is fixed, so that expectations are."""

from __future__ import annotations

from typing import Any

import bankml
import numpy as np
import numpy.typing as npt

FloatRow = npt.NDArray[np.float32]

# A chain in which nothing but what a test turns on changes the logits.
NEUTRAL: dict[str, Any] = {"top_k": 0, "top_p": 1.0, "min_p": 0.0, "temperature": 1.0}


def neutral(n_vocab: int, **values: Any) -> bankml.Sampler:
    return bankml.Sampler(NEUTRAL | values, n_vocab=n_vocab)


def row(n: int, seed: int = 0) -> FloatRow:
    """A row like a model's: normal scores with a few high ones."""
    rng = np.random.default_rng(seed)
    scores = rng.standard_normal(n).astype(np.float32) * np.float32(2)
    scores[rng.integers(0, n, 5)] += np.float32(6)
    return scores


def flat(n: int) -> FloatRow:
    return np.zeros(n, np.float32)


def stream(sampler: bankml.Sampler, count: int, first: int = 0) -> list[int]:
    """Draws and accepts `count` tokens, from rows first, first + 1, ..."""
    tokens = []
    for i in range(count):
        token = sampler.sample(row(sampler.n_vocab, first + i))
        sampler.accept(token)
        tokens.append(token)
    return tokens
