"""Every public call of Sampler and Workspace, with exact expectations on small rows."""

from __future__ import annotations

import copy

import bankml
import numpy as np
import pytest
from rows import NEUTRAL, flat, neutral, row, stream

ROW = np.array([0.5, 2.0, -1.0, 3.5, 3.0], np.float32)


def test_greedy_takes_the_best() -> None:
    assert bankml.Sampler(n_vocab=5, temperature=0).sample(ROW) == 3


def test_params_may_be_a_mapping_a_request_text_params_or_keywords() -> None:
    params = bankml.Params(temperature=0.7, seed=3)
    ways = [
        bankml.Sampler(params, n_vocab=1000),
        bankml.Sampler({"temperature": 0.7, "seed": 3}, n_vocab=1000),
        bankml.Sampler('{"temperature": 0.7, "seed": 3, "prompt": "unknown fields are ignored"}', n_vocab=1000),
        bankml.Sampler(b'{"temperature": 0.7, "seed": 3}', n_vocab=1000),
        bankml.Sampler(n_vocab=1000, temperature=0.7, seed=3),
        bankml.Sampler(bankml.Params(temperature=0.1), n_vocab=1000, temperature=0.7, seed=3),
    ]
    streams = [stream(sampler, 20) for sampler in ways]
    assert streams.count(streams[0]) == len(streams)


def test_keywords_do_not_change_the_params_they_are_set_on() -> None:
    params = bankml.Params(temperature=0.1)
    bankml.Sampler(params, n_vocab=5, temperature=0.7)
    assert params.get_json("temperature") == "0.1"


def test_a_request_is_clamped_as_the_server_does_and_a_mapping_is_strict() -> None:
    with pytest.raises(bankml.InvalidArgumentError, match="temprature"):
        bankml.Sampler({"temprature": 1}, n_vocab=5)
    bankml.Sampler('{"temprature": 1}', n_vocab=5)
    with pytest.raises(TypeError, match="params"):
        bankml.Sampler(5, n_vocab=5)  # type: ignore[arg-type]


def test_masked() -> None:
    sampler = bankml.Sampler(n_vocab=5, temperature=0)
    allowed = np.array([True, True, False, False, True])
    words = bankml.pack_mask(allowed)
    assert words.dtype == np.uint32 and words.tolist() == [0b10011]
    assert sampler.sample_masked(ROW, words) == 4
    assert sampler.sample_masked(ROW, words.view(np.int32)) == 4
    assert sampler.sample_masked(ROW, [0b10]) == 1
    assert sampler.perf().redraws == 3


def test_pack_mask_follows_the_bit_order_over_word_borders() -> None:
    allowed = np.zeros(70, bool)
    allowed[[0, 31, 32, 69]] = True
    assert bankml.pack_mask(allowed).tolist() == [1 | 1 << 31, 1, 1 << 5]
    with pytest.raises(TypeError, match="booleans"):
        bankml.pack_mask(np.zeros(4, np.int32))


def test_candidates_from_elsewhere() -> None:
    sampler = bankml.Sampler(n_vocab=1000, temperature=0)
    assert sampler.sample_candidates([7, 900, 3], [0.5, 2.0, 1.0]) == 900
    assert sampler.sample_candidates(np.array([7, 900], np.int32), np.array([3.0, 2.0], np.float32)) == 7
    with pytest.raises(bankml.InvalidArgumentError, match="ids has 2 entries, logits has 1"):
        sampler.sample_candidates([1, 2], [0.5])
    with pytest.raises(bankml.InvalidArgumentError) as twice:
        sampler.sample_candidates([1, 1], [0.5, 0.5])
    assert twice.value.code is bankml.Status.TOKEN


def test_accept_takes_one_or_many() -> None:
    sampler = neutral(6, repeat_penalty=2.0)
    sampler.keep()
    sampler.accept(0)
    sampler.accept(np.int64(1))
    sampler.accept([2])
    sampler.accept(np.array([3], np.int64))
    sampler.accept((4,))
    sampler.accept([])
    sampler.sample(np.full(6, 4, np.float32))
    ids, logits, _ = sampler.candidates()
    assert dict(zip(ids.tolist(), logits.tolist())) == {0: 2, 1: 2, 2: 2, 3: 2, 4: 2, 5: 4}
    assert sampler.perf().accepts == 5


def test_accept_of_many_is_all_or_nothing() -> None:
    sampler = neutral(4, repeat_penalty=2.0)
    for bad in ([0, 4], [0, -1], [0, 2**31], [0, 2**40]):
        with pytest.raises(bankml.InvalidArgumentError) as refused:
            sampler.accept(bad)
        assert refused.value.code is bankml.Status.TOKEN
    for one in (4, -1, 2**31, 2**80):
        with pytest.raises(bankml.InvalidArgumentError):
            sampler.accept(one)
    assert sampler.perf().accepts == 0
    for wrong in (1.5, [1.5], "1", None, [None], np.array([True])):
        with pytest.raises((TypeError, ValueError)):
            sampler.accept(wrong)  # type: ignore[arg-type]


def test_candidates_and_post_probs_of_a_draw() -> None:
    sampler = neutral(4)
    with pytest.raises(bankml.BankmlError) as not_kept:
        sampler.candidates()
    assert not_kept.value.code is bankml.Status.NOT_KEPT
    sampler.keep()
    sampler.sample(np.array([0, 1, -np.inf, 1], np.float32))
    ids, logits, p = sampler.candidates()
    assert ids.dtype == np.int32 and logits.dtype == np.float32 and p.dtype == np.float32
    assert ids.tolist() == [0, 1, 2, 3] and logits.tolist() == [0, 1, -np.inf, 1]
    assert p.sum() == pytest.approx(1, abs=1e-6)
    best, best_p = sampler.post_probs(10)
    assert best.tolist() == [1, 3, 0]  # ends before the first p = 0
    assert best_p.tolist() == [p[1], p[3], p[0]]
    assert sampler.post_probs(1).ids.tolist() == [1]
    assert sampler.post_probs(0).ids.tolist() == []
    sampler.keep(False)
    with pytest.raises(bankml.BankmlError):
        sampler.candidates()


def test_token_probs() -> None:
    sampler = bankml.Sampler(n_vocab=4)
    logits = np.log(np.array([0.1, 0.2, 0.4, 0.3], np.float32))
    sampled_p, ids, p = sampler.token_probs(logits, 1, 3)
    assert sampled_p == pytest.approx(0.2, rel=1e-5)
    assert ids.tolist() == [2, 3, 1] and ids.dtype == np.int32
    assert p == pytest.approx([0.4, 0.3, 0.2], rel=1e-5) and p.dtype == np.float32
    assert sampled_p == p[2]
    none, ids, p = sampler.token_probs(logits.tolist(), n_top=100)
    assert none is None and len(ids) == len(p) == 4
    assert sampler.token_probs(logits, 3).ids.tolist() == []
    for bad in (4, -1, 2**40):
        with pytest.raises(bankml.InvalidArgumentError) as refused:
            sampler.token_probs(logits, bad)
        assert refused.value.code is bankml.Status.TOKEN
    with pytest.raises(bankml.InvalidArgumentError, match="n_top"):
        sampler.token_probs(logits, 1, -1)


def test_clone_and_copy_continue_on_their_own() -> None:
    sampler = bankml.Sampler(n_vocab=200, seed=4, repeat_penalty=1.3)
    stream(sampler, 10)
    twins = [sampler.clone(), copy.copy(sampler), copy.deepcopy(sampler)]
    rest = stream(sampler, 20, first=10)
    for twin in twins:
        assert stream(twin, 20, first=10) == rest


def test_seed_reset_steps_and_description() -> None:
    sampler = bankml.Sampler(n_vocab=100, seed=9)
    assert sampler.seed == 9
    first = stream(sampler, 10)
    sampler.reset()
    assert stream(sampler, 10) == first
    sampler.seed = 10
    assert sampler.seed == 10
    sampler.seed = -1
    assert sampler.seed not in (-1, 0xFFFFFFFF)
    for bad in (-2, 2**32):
        with pytest.raises(bankml.InvalidArgumentError, match="seed"):
            sampler.seed = bad
    assert sampler.steps == ["top_k", "top_p", "min_p", "temperature", "dist"]
    assert sampler.plan_name and sampler.n_vocab == 100 and sampler.nbytes > 100
    assert repr(sampler).startswith("<bankml.Sampler of 100 tokens: top_k top_p")
    assert bankml.Sampler(NEUTRAL | {"logit_bias": {9: -1}}, n_vocab=4).warnings[0].find("9") >= 0
    assert sampler.warnings == []


def test_a_saved_state_goes_on_in_another_sampler() -> None:
    options = NEUTRAL | {"repeat_penalty": 1.3, "xtc_probability": 0.5}
    saved, loaded = bankml.Sampler(options | {"seed": 3}, n_vocab=60), bankml.Sampler(options | {"seed": 4}, n_vocab=60)
    stream(saved, 20)
    loaded.load(saved.save())
    assert loaded.save() == saved.save() and loaded.seed == saved.seed
    assert stream(loaded, 20) == stream(saved, 20)
    for bad in (b"", saved.save()[:-1], bankml.Sampler(options, n_vocab=61).save()):
        with pytest.raises(bankml.InvalidArgumentError) as error:
            loaded.load(bad)
        assert error.value.code is bankml.Status.STATE
    assert stream(loaded, 20, first=90) == stream(saved, 20, first=90)


def test_perf_counts_and_the_clock() -> None:
    sampler = bankml.Sampler(n_vocab=100)
    for _ in range(3):
        sampler.accept(sampler.sample(row(100)))
    sampler.token_probs(row(100), 1)
    perf = sampler.perf(reset=True)
    assert (perf.draws, perf.accepts, perf.redraws, perf.prob_calls) == (3, 3, 0, 1)
    assert perf.random_outputs == 6 and perf.sample_us == 0 and perf.accept_us == 0
    assert not any(sampler.perf())
    sampler.clock()
    sampler.sample(row(100))
    assert sampler.perf().sample_us > 0


def test_one_workspace_for_the_samplers_of_a_thread() -> None:
    values = {"top_k": 0, "typical_p": 0.9}
    own = bankml.Sampler(values | {"seed": 1}, n_vocab=5000)
    borrower = bankml.Sampler(values | {"seed": 1}, n_vocab=5000)
    workspace = bankml.Workspace(5000)
    assert workspace.nbytes > 5000 * 8
    borrower.use_workspace(workspace)
    del workspace  # the sampler holds it
    assert borrower.nbytes < own.nbytes
    assert stream(borrower, 10) == stream(own, 10)
    borrower.use_workspace(None)
    assert borrower.nbytes == own.nbytes
    with pytest.raises(bankml.InvalidArgumentError) as small:
        own.use_workspace(bankml.Workspace(100))
    assert small.value.code is bankml.Status.LENGTH
    with pytest.raises(bankml.InvalidArgumentError):
        bankml.Workspace(0)


def test_a_vocabulary_gives_the_size_and_padded_rows_are_longer() -> None:
    vocab = bankml.Vocab(["a", "b", "c"], eos=2)
    assert bankml.Sampler(vocab=vocab).n_vocab == 3
    assert bankml.Sampler(vocab=vocab, n_vocab=8).n_vocab == 8
    with pytest.raises(bankml.InvalidArgumentError, match="n_vocab"):
        bankml.Sampler(vocab=vocab, n_vocab=2)
    with pytest.raises(bankml.InvalidArgumentError, match="n_vocab"):
        bankml.Sampler()
    with pytest.raises(bankml.InvalidArgumentError, match="-1"):
        bankml.Sampler(n_vocab=-1)
    ignoring = bankml.Sampler(vocab=vocab, ignore_eos=True, temperature=0)
    assert ignoring.sample([0.0, 1.0, 9.0]) == 1


def test_context_manager_closes() -> None:
    with bankml.Sampler(n_vocab=4) as sampler:
        assert not sampler.closed
        sampler.sample(flat(4))
    assert sampler.closed and repr(sampler) == "<bankml.Sampler, closed>"
