"""The parameters by name and type, for keyword arguments, and how a Python value becomes one that the library reads.

``ParamValues`` follows the library's table; tests/python/test_params.py holds the two against each other.
"""

from __future__ import annotations

import json
import operator
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict, Union

import numpy as np

from . import _native
from ._errors import InvalidArgumentError

Bias = Union[float, bool]


class ParamValues(TypedDict, total=False):
    """Keyword parameters of :class:`Params` and :class:`Sampler`; ``python -m bankml --params`` prints what each does."""

    seed: int
    samplers: Union[str, Sequence[str]]
    logit_bias: Union[Mapping[int, Bias], Mapping[str, Bias], Sequence[tuple[Union[int, str], Bias]], Sequence[list[Any]]]
    ignore_eos: bool
    repeat_last_n: int
    penalty_last_n: int
    repeat_penalty: float
    repetition_penalty: float
    penalty_repeat: float
    frequency_penalty: float
    penalty_freq: float
    presence_penalty: float
    penalty_present: float
    dry_multiplier: float
    dry_base: float
    dry_allowed_length: int
    dry_penalty_last_n: int
    dry_sequence_breakers: Sequence[str]
    dry_breaker_tokens: Sequence[Sequence[int]]
    top_n_sigma: float
    top_k: int
    typical_p: float
    typ_p: float
    typical: float
    top_p: float
    nucleus: float
    min_p: float
    xtc_probability: float
    xtc_threshold: float
    temperature: float
    temp: float
    dynatemp_range: float
    dynatemp_exponent: float
    dynatemp_exp: float
    mirostat: int
    mirostat_tau: float
    mirostat_ent: float
    mirostat_eta: float
    mirostat_lr: float
    adaptive_target: float
    adaptive_decay: float
    min_keep: int
    n_probs: int
    logprobs: int
    disable: Union[str, Sequence[str]]


def _plain(value: Any) -> Any:
    """What json cannot write: numpy's numbers and arrays, and tuples of them."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, np.number):
        return value.item()
    raise TypeError(f"a parameter cannot be a {type(value).__name__}")


def _biases(value: Any) -> Any:
    """A ban is ``false`` in JSON, which has no -inf; an object's keys are texts there, and digits are token ids."""

    def bias(b: Any) -> Any:
        return False if isinstance(b, (float, np.floating)) and b == -np.inf else b

    if isinstance(value, Mapping):
        return {(key if isinstance(key, str) else str(operator.index(key))): bias(b) for key, b in value.items()}
    if not isinstance(value, (list, tuple)):
        raise TypeError(f"logit_bias must be a mapping or a list of pairs, not {type(value).__name__}")
    return [[pair[0], bias(pair[1])] if isinstance(pair, (list, tuple)) and len(pair) == 2 else pair for pair in value]


def set_value(handle: _native._Params, name: str, value: Any) -> None:
    """Sets one parameter to a number, a boolean, a string, a list or a mapping."""
    if isinstance(value, (bool, np.bool_)):
        _native.params_set_json(handle, name, "true" if value else "false")
    elif isinstance(value, str):
        _native.params_set_string(handle, name, value)
    elif isinstance(value, (int, float, np.number)):
        try:
            number = float(value)
        except OverflowError:
            raise InvalidArgumentError(f"{name}: {value} is outside the range of a number") from None
        _native.params_set_number(handle, name, number)
    elif value is None:
        raise TypeError(f"{name} is None: leave the parameter out to keep its value")
    else:
        try:
            text = json.dumps(_biases(value) if name == "logit_bias" else value, default=_plain, allow_nan=False)
        except ValueError:
            raise InvalidArgumentError(f"{name} has a NaN, an infinity or a cycle in it") from None
        _native.params_set_json(handle, name, text)
