"""A project that depends on bankml: prints its version and ten tokens of a fixed seed, those of tests/consumers/main.c.

Type-checked too (mypy --strict, pyright): the annotations below are what a user of the package may rely on.
"""

from __future__ import annotations

import array
from collections.abc import Iterator

import bankml
import numpy as np
import numpy.typing as npt


def logits(i: int) -> npt.NDArray[np.float32]:
    return (((np.arange(1000) * 7919 + i * 31) % 1009) / 128.0).astype(np.float32)


def tokens(sampler: bankml.Sampler) -> Iterator[int]:
    for i in range(10):
        token: int = sampler.sample(logits(i))
        sampler.accept(token)
        yield token


def accepted_types() -> None:
    """Never called: every spelling here must pass the type checkers."""
    sampler = bankml.Sampler({"temperature": 0.5}, n_vocab=8, top_k=4, logit_bias={1: False}, samplers=["top_k"])
    for row in (array.array("f", [0.0] * 8), bytes(32), bytearray(32), memoryview(bytes(32))):
        sampler.sample(row)
    sampler.sample([0.0, 1.0, 2])
    sampler.sample(np.zeros(8, np.float64))
    sampler.sample_masked(np.zeros(8, np.float32), bankml.pack_mask([True] * 8))
    sampler.accept([1, 2])
    sampler.accept(np.array([1, 2]))
    sampler.accept(np.int32(1))
    p: float | None = sampler.token_probs(np.zeros(8, np.float32), 1, 2).sampled_p
    ids: npt.NDArray[np.int32] = sampler.candidates().ids
    with sampler.clone() as twin:
        print(p, ids, twin.seed)
    with bankml.Pool(2, 8) as pool:
        drawn: list[int] = pool.sample([sampler], np.zeros((1, 8), np.float32), [None])
        drawn += bankml.sample_batch((sampler,), [[0.0] * 8], [np.zeros(1, np.uint32)])
        drawn += bankml.sample_batch([sampler], [bytes(32)])
    try:
        bankml.Params(temperature=0.7).get("temperature")
    except bankml.BatchError as failed:
        tokens: list[int | None] = failed.tokens
        print(tokens, drawn, [one.code for one in failed.errors if one is not None])
    except bankml.BankmlError as error:
        print(error.code.name)


def main() -> None:
    print(f"{bankml.version()}:", *tokens(bankml.Sampler(n_vocab=1000, seed=42)))
