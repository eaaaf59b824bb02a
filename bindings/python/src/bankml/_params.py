"""Sampling parameters: values by name, whole requests, a model file's own defaults, and texts that need tokens."""

from __future__ import annotations

import json
import operator
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, Union

from . import _native
from ._arrays import Ids, id_row
from ._errors import InvalidArgumentError, NeedsConversion
from ._library import ParamKind, param_table
from ._values import ParamValues, set_value
from ._vocab import Vocab

if TYPE_CHECKING:
    from typing_extensions import Buffer, Unpack

_KINDS = {name: row.kind for row in param_table() for name in (row.name, *row.aliases)}


class OpenText(NamedTuple):
    """A text whose tokens the library cannot know."""

    text: bytes
    purpose: str  #: ``"dry_sequence_breakers"`` or ``"logit_bias"``


class Params:
    """Values of all parameters, each with its origin. Needs no vocabulary and no sampler.

    ``profile``: whose defaults to start from; ``"llama"`` is llama-server's. Keyword parameters are set as :meth:`set` does.
    A sampler copies its params. For one thread at a time; nothing detects overlap.
    """

    __slots__ = ("__weakref__", "_handle")
    _handle: _native._Params

    def __init__(self, profile: str = "llama", **values: Unpack[ParamValues]) -> None:
        self._handle = _native.params_new(profile)
        for name, value in values.items():
            set_value(self._handle, name, value)

    def set(self, name: str, value: Any) -> None:
        """Sets one parameter, by its name or an alias, to a number, a boolean, a string or a list or mapping.

        ``samplers`` takes a list of names, a string of step letters or names separated by ``;``. ``logit_bias`` takes a mapping or
        pairs ``(token or text, bias)``, where -inf or ``False`` bans the token. Raises ``InvalidArgumentError``, naming parameter
        and value, for an unknown name, a value outside the range, NaN or an infinity; nothing has changed then.
        """
        set_value(self._handle, name, value)

    def set_json(self, name: str, text: Union[str, bytes]) -> None:
        """Sets one parameter, any kind, to the value that a JSON text says. Raises as :meth:`set` does."""
        _native.params_set_json(self._handle, name, text)

    def load(self, request: Union[str, bytes, Mapping[str, Any]], format: str = "llama-server") -> None:
        """Takes over what a request says: its JSON text, or that text parsed already.

        Fields that are given replace the values in force. Clamps, refusals and the text of ``InvalidArgumentError`` are those of
        the server that ``format`` names. Unknown fields are ignored unless :meth:`strict` is on.
        """
        text = json.dumps(request, allow_nan=False) if isinstance(request, Mapping) else request
        _native.params_load_json(self._handle, format, text)

    def strict(self, on: bool = True) -> None:
        """On: :meth:`load` refuses fields that it does not know. Off at first."""
        _native.params_strict(self._handle, 1 if on else 0)

    def load_gguf(self, source: Union[str, os.PathLike[str], Buffer]) -> None:
        """Takes over a model file's own defaults, ``general.sampling.*`` of a GGUF file: its path or its bytes.

        A value of a wrong type is ignored and shows in :attr:`warnings`. Raises ``FileReadError`` if the file cannot be read and
        ``InvalidArgumentError`` if it is no GGUF file.
        """
        if isinstance(source, (str, os.PathLike)):
            _native.params_load_gguf(self._handle, os.fsencode(source))
        else:
            _native.py_params_load_gguf_bytes(self._handle, memoryview(source))

    def get(self, name: str) -> Any:
        """The value in force: ``int``, ``float`` (of the float32 in use), ``bool``, list or mapping."""
        kind = _KINDS.get(name)
        if kind is ParamKind.NUMBER:
            return _native.params_get_number(self._handle, name)
        return json.loads(_native.py_params_get_json(self._handle, name))

    def get_json(self, name: str) -> str:
        """The value in force as JSON text."""
        return _native.py_params_get_json(self._handle, name)

    def get_number(self, name: str) -> float:
        """The value in force of a parameter of any kind but JSON, as a float."""
        return _native.params_get_number(self._handle, name)

    def origin(self, name: str) -> str:
        """Where the value came from: ``default``, ``set``, ``request``, ``gguf:general.sampling.temp``, ..."""
        origin = _native.params_origin(self._handle, name)
        if origin is None:
            raise InvalidArgumentError(f"unknown parameter {name!r}")
        return origin

    def to_json(self) -> str:
        """All values in force as one JSON object."""
        return _native.py_params_to_json(self._handle)

    @property
    def warnings(self) -> list[str]:
        """What was ignored or dropped, oldest first."""
        lines = [_native.params_warning(self._handle, i) for i in range(_native.params_warning_count(self._handle))]
        return [line for line in lines if line is not None]

    def open_texts(self, vocab: Vocab | None = None) -> list[OpenText]:
        """Texts that still need tokens: tails of DRY's breakers and biases of strings. The library has no tokenizer of its own,
        except for SentencePiece vocabularies from GGUF, whose texts are not listed. A sampler is refused while one is open.
        """
        count = _native.params_text_count(self._handle, None if vocab is None else vocab._handle)
        return [OpenText(*_native.params_text(self._handle, i)) for i in range(count)]

    def answer(self, i: int, tokens: Ids) -> None:
        """Gives the tokens of the ``i``-th text of the last :meth:`open_texts`."""
        i = operator.index(i)
        if i < 0:
            raise InvalidArgumentError(f"text {i} is not one of the open texts")
        try:
            return _native.params_set_text_tokens(self._handle, i, tokens)
        except NeedsConversion:
            pass
        _native.params_set_text_tokens(self._handle, i, id_row(tokens))

    def clone(self) -> Params:
        """Independent params with the same values, origins and answers."""
        copy = type(self).__new__(type(self))
        copy._handle = _native.params_clone(self._handle)
        return copy

    __copy__ = clone

    def __deepcopy__(self, memo: object) -> Params:
        return self.clone()

    def __repr__(self) -> str:
        return f"<bankml.Params {self.to_json()}>"

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("bankml.Params cannot be pickled: send Params.to_json() and load that in the other process")
