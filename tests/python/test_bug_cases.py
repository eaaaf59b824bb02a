"""Real trouble of other samplers, through this package; each test carries the id of its case."""

from __future__ import annotations

from typing import Any

import bankml
import numpy as np
import pytest
from rows import NEUTRAL, flat, neutral, row, stream


def flat_stream(sampler: bankml.Sampler, count: int = 20) -> list[int]:
    return [sampler.sample(flat(sampler.n_vocab)) for _ in range(count)]


def test_B38_a_penalty_counts_once_and_the_generator_goes_on() -> None:
    sampler = neutral(1, repeat_penalty=2.0)
    sampler.keep()
    sampler.accept([0, 0, 0])
    sampler.sample([4.0])
    assert sampler.candidates().logits.tolist() == [2.0]
    assert len(set(flat_stream(neutral(1000, repeat_penalty=2.0, seed=1)))) > 1


@pytest.mark.parametrize("version", [1, 2])
def test_B59_mirostats_mu_belongs_to_its_sampler(version: int) -> None:
    def made(seed: int) -> bankml.Sampler:
        return bankml.Sampler(n_vocab=300, mirostat=version, seed=seed)

    alone = [stream(made(seed), 40) for seed in (1, 2)]
    pair = [made(1), made(2)]
    together: list[list[int]] = [[], []]
    for i in range(40):
        for sampler, tokens in zip(pair, together):
            tokens += stream(sampler, 1, first=i)
    assert together == alone


def test_B67_the_default_seed_is_random_readable_and_replays() -> None:
    samplers = [neutral(1000) for _ in range(20)]
    assert len({flat_stream(sampler, 1)[0] for sampler in samplers}) >= 2
    fresh = neutral(1000)
    assert fresh.seed != 0xFFFFFFFF
    assert flat_stream(neutral(1000, seed=fresh.seed)) == flat_stream(fresh)


def test_B68_seed_0_is_a_fixed_seed() -> None:
    assert neutral(1000, seed=0).seed == 0
    assert flat_stream(neutral(1000, seed=0)) == flat_stream(neutral(1000, seed=0))
    assert neutral(1000, seed=0xFFFFFFFF).seed != 0xFFFFFFFF
    assert len({neutral(1000, seed=-1).seed for _ in range(10)}) > 1


def test_B70_reset_replays_a_given_seed_and_replaces_a_random_one() -> None:
    fixed = neutral(1000, seed=5)
    first = flat_stream(fixed, 5)
    fixed.reset()
    assert flat_stream(fixed, 5) == first
    default = neutral(1000)
    seeds = {default.seed}
    for _ in range(5):
        default.reset()
        seeds.add(default.seed)
    assert len(seeds) > 1
    flat_stream(default, 3)
    default.reset()
    assert flat_stream(neutral(1000, seed=default.seed)) == flat_stream(default)


def test_B71_children_use_the_seed_plus_their_index() -> None:
    params = bankml.Params(**NEUTRAL)
    children = [bankml.Sampler(params, n_vocab=1000, seed=7 + j) for j in range(3)]
    streams = [flat_stream(child) for child in children]
    assert streams[0] != streams[1] != streams[2] != streams[0]
    assert streams == [flat_stream(neutral(1000, seed=7 + j)) for j in range(3)]


def test_B74_a_request_is_reproducible_beside_others() -> None:
    alone = flat_stream(neutral(500, seed=5), 30)
    a, b = neutral(500, seed=5), neutral(500, seed=6)
    beside = []
    for _ in range(30):
        flat_stream(b, 1)
        beside += flat_stream(a, 1)
    assert beside == alone


STAGES: dict[str, dict[str, Any]] = {
    "penalties": {"repeat_penalty": 1.3, "frequency_penalty": 0.2, "presence_penalty": 0.1},
    "dry": {"dry_multiplier": 0.9, "dry_allowed_length": 1, "dry_sequence_breakers": []},
    "mirostat 1": {"mirostat": 1},
    "mirostat 2": {"mirostat": 2},
    "xtc": {"xtc_probability": 0.5, "xtc_threshold": 0.01},
    "adaptive_p": {"samplers": ["top_k", "adaptive_p"], "adaptive_target": 0.4},
    "draw": {},
}


@pytest.mark.parametrize("stage", STAGES)
def test_B76_reset_replays_clone_continues_and_nothing_leaks(stage: str) -> None:
    values = STAGES[stage] | {"seed": 11}
    sampler = bankml.Sampler(values, n_vocab=60)
    assert stage.split()[0] in [{"dist": "draw"}.get(name, name) for name in sampler.steps] or stage.startswith("mirostat")
    first = stream(sampler, 100)
    assert stream(bankml.Sampler(values, n_vocab=60), 100) == first
    sampler.reset()
    assert stream(sampler, 50) == first[:50]
    clone, untouched = sampler.clone(), sampler.clone()
    assert stream(sampler, 50, first=50) == first[50:]
    clone.accept([1, 2, 3] * 10)  # the original's history must not see it, nor the clone's the original's draws
    assert stream(untouched, 50, first=50) == first[50:]
    sampler.reset()
    assert stream(sampler, 100) == first


def test_B01_B02_B04_rows_without_a_choice_or_with_no_numbers() -> None:
    for logits, error in (
        ([-np.inf] * 3, bankml.NoLegalTokenError),
        ([np.nan] * 3, bankml.InvalidArgumentError),
        ([0.0, np.inf, 1.0], bankml.InvalidArgumentError),
    ):
        sampler, other = neutral(3, seed=1), neutral(3, seed=1)
        with pytest.raises(error):
            sampler.sample(logits)
        assert [sampler.sample(row(3)) for _ in range(20)] == [other.sample(row(3)) for _ in range(20)]
