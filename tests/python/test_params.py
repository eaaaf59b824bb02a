"""Parameters: the table, setters of every kind, requests, model defaults, open texts."""

from __future__ import annotations

import copy
import json
import re
import typing

import bankml
import numpy as np
import pytest
from test_vocab import GGUF_FOLDER, TINY_GGUF


def test_keyword_types_follow_the_table() -> None:
    names = {name for row in bankml.param_table() for name in (row.name, *row.aliases)}
    assert set(bankml.ParamValues.__annotations__) == names
    assert all(row.doc and row.min <= row.max for row in bankml.param_table())


def test_every_default_is_readable() -> None:
    params = bankml.Params()
    table = bankml.param_table()
    texts = bankml.param_defaults_json()
    assert len(table) == len(texts)
    for row in table:
        assert params.get_json(row.name) == texts[row.name]
        assert json.loads(texts[row.name]) == row.default
        assert params.origin(row.name) == "default"
        for alias in row.aliases:
            assert params.get_json(alias) == texts[row.name]


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("temperature", 0.5, 0.5),
        ("temp", np.float32(0.25), 0.25),
        ("temperature", 1, 1.0),
        ("top_k", 7, 7),
        ("top_k", np.int64(7), 7),
        ("seed", -1, 4294967295),
        ("ignore_eos", True, True),
        ("ignore_eos", np.bool_(True), True),
        ("samplers", ["top_k", "temperature"], ["top_k", "temperature"]),
        ("samplers", "kt", ["top_k", "temperature"]),
        ("samplers", "top_k;temperature", ["top_k", "temperature"]),
        ("disable", "top_k", ["top_k"]),
        ("logit_bias", {3: -np.inf, "4": 1.5}, [[3, False], [4, 1.5]]),
        ("logit_bias", [(3, False), ["ab", 2]], [[3, False], ["ab", 2]]),
        ("logit_bias", [[np.int32(1), np.float32(2.5)]], [[1, 2.5]]),
        ("dry_sequence_breakers", ("x", "y"), ["x", "y"]),
        ("dry_breaker_tokens", [np.array([1, 2]), [np.int32(3)]], [[1, 2], [3]]),
    ],
)
def test_values_of_every_kind(name: str, value: object, expected: object) -> None:
    params = bankml.Params()
    params.set(name, value)
    assert params.get(name) == expected
    assert params.origin(name) == "set"
    by_keyword = bankml.Params(**typing.cast(bankml.ParamValues, {name: value}))
    assert by_keyword.get_json(name) == params.get_json(name)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("temperature", float("nan")),
        ("temperature", float("inf")),
        ("temperature", "warm"),
        ("temperature", True),
        ("temperature", [1]),
        ("repeat_penalty", 0),
        ("min_keep", -1),
        ("min_keep", 1.5),
        ("top_k", 10**400),
        ("samplers", ["top_k", "nonsense"]),
        ("samplers", ["dist", "top_k"]),
        ("logit_bias", [[1, float("nan")]]),
        ("logit_bias", [[1, float("inf")]]),
        ("logit_bias", [[1]]),
        ("nonsense", 1),
        ("temper\0ature", 1),
    ],
)
def test_refusals_name_the_parameter_and_change_nothing(name: str, value: object) -> None:
    params = bankml.Params()
    before = params.to_json()
    with pytest.raises(bankml.InvalidArgumentError) as refused:
        params.set(name, value)
    if "\0" not in name:
        assert name.split("_")[0] in str(refused.value)
    assert params.to_json() == before


def test_values_of_foreign_types_are_type_errors() -> None:
    params = bankml.Params()
    for value in (None, object(), {1, 2}):
        with pytest.raises(TypeError):
            params.set("logit_bias", value)
        with pytest.raises(TypeError):
            params.set("temperature", value)
    with pytest.raises(TypeError):
        params.set(5, 1)  # type: ignore[arg-type]


def test_a_request_is_text_or_parsed() -> None:
    request = {"temperature": 0.3, "top_k": 5, "nonsense": "x"}
    one, other = bankml.Params(), bankml.Params()
    one.load(json.dumps(request))
    other.load(request)
    assert one.to_json() == other.to_json()
    assert one.get("top_k") == 5 and one.origin("top_k") == "request"
    one.strict()
    with pytest.raises(bankml.InvalidArgumentError, match="nonsense"):
        one.load(request)
    one.strict(False)
    one.load(request)
    with pytest.raises(bankml.InvalidArgumentError) as malformed:
        one.load("{")
    assert malformed.value.code is bankml.Status.PARSE
    with pytest.raises(bankml.InvalidArgumentError, match="nonsense"):
        one.load("{}", format="nonsense")
    with pytest.raises(bankml.InvalidArgumentError, match="nonsense"):
        bankml.Params("nonsense")


def test_set_json_and_numbers() -> None:
    params = bankml.Params()
    params.set_json("temperature", "0.1")
    assert params.get_json("temperature") == "0.1"
    assert params.get("temperature") == float(np.float32(0.1)) == params.get_number("temp")
    with pytest.raises(bankml.InvalidArgumentError, match="samplers"):
        params.get_number("samplers")
    for reader in (params.get, params.get_json, params.get_number, params.origin):
        with pytest.raises(bankml.InvalidArgumentError, match="nonsense"):
            reader("nonsense")


def test_clone_is_independent() -> None:
    params = bankml.Params(temperature=0.5)
    for twin in (params.clone(), copy.copy(params), copy.deepcopy(params)):
        twin.set("temperature", 0.9)
        assert params.get("temperature") == 0.5
    assert re.match(r"<bankml.Params \{.*\"temperature\":0.5", repr(params))


def test_a_model_files_own_defaults() -> None:
    for source in (TINY_GGUF, str(TINY_GGUF), TINY_GGUF.read_bytes()):
        params = bankml.Params()
        params.load_gguf(source)
        assert params.origin("temperature") == "gguf:general.sampling.temp"
        assert params.warnings == []
    with pytest.raises(bankml.FileReadError, match="nowhere"):
        bankml.Params().load_gguf("nowhere.gguf")
    with pytest.raises(bankml.InvalidArgumentError):
        bankml.Params().load_gguf(b"no such file")


def test_open_texts_are_answered_by_the_host() -> None:
    params = bankml.Params(logit_bias=[["ab", -1]])
    texts = params.open_texts()
    assert texts == [bankml.OpenText(b"ab", "logit_bias")]
    with pytest.raises(bankml.InvalidArgumentError, match='the text "ab" needs its tokens'):
        bankml.Sampler(params, n_vocab=5)
    for index in (-1, 1):
        with pytest.raises(bankml.InvalidArgumentError):
            params.answer(index, [1])
    params.answer(0, [2, 3])
    assert params.open_texts() == []
    sampler = bankml.Sampler(params, n_vocab=5, samplers=[])
    sampler.keep()
    sampler.sample([0.0] * 5)
    assert sampler.candidates().logits.tolist() == [0, 0, -1, -1, 0]


def test_a_sentencepiece_vocabulary_answers_itself() -> None:
    vocab = bankml.Vocab.from_gguf(GGUF_FOLDER / "spm-test.gguf")
    params = bankml.Params(logit_bias=[["ab cd", -1]])
    assert params.open_texts() and not params.open_texts(vocab)
    bankml.Sampler(params, vocab)
