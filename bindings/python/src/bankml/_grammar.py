"""Grammars: what a text may be, as masks over the vocabulary.

Masks are copied out of the library: a view on its memory would live only until the next call on the grammar, and the copy costs less
than making the array that holds it.
"""

from __future__ import annotations

import json
import operator
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Literal, NoReturn, SupportsIndex, Union

import numpy as np

from . import _native
from ._arrays import Ids, Words, id_row, word_room
from ._errors import InvalidArgumentError, NeedsConversion, Status
from ._vocab import Vocab

if TYPE_CHECKING:
    import numpy.typing as npt
    from typing_extensions import Buffer, Self

_mask = _native.grammar_mask


def _token(value: SupportsIndex) -> int:
    number = operator.index(value)
    if not -(2**31) <= number < 2**31:
        raise InvalidArgumentError(f"token {number} is outside the range of int32", Status.TOKEN)
    return number


def _count(value: SupportsIndex, name: str) -> int:
    number = operator.index(value)
    if not 0 <= number < 2**63:
        raise InvalidArgumentError(f"{name} {number} is outside [0, 9223372036854775807]")
    return number


class Trigger:
    """What wakes a lazy grammar: made by :meth:`token`, :meth:`word`, :meth:`pattern` or :meth:`pattern_full`. Immutable.

    Patterns are C++'s ``std::regex`` (ECMAScript over bytes), searched in linear time, without look-ahead and back-references. Where
    one has groups, the grammar's text begins with the first that is not empty, else with the whole match.
    """

    __slots__ = ("_bytes", "_kind", "_token")
    _kind: int
    _bytes: bytes
    _token: int

    def __init__(self) -> None:
        raise TypeError("triggers are made by Trigger.token, .word, .pattern or .pattern_full")

    @classmethod
    def _made(cls, kind: int, text: Union[str, bytes], token: int = -1) -> Self:
        self = cls.__new__(cls)
        self._kind = kind
        self._bytes = text.encode() if isinstance(text, str) else bytes(text)
        self._token = token
        return self

    @classmethod
    def token(cls, token: SupportsIndex) -> Self:
        """A token; the grammar's text begins with it."""
        return cls._made(_native.BANKML_TRIGGER_TOKEN, b"", _token(token))

    @classmethod
    def word(cls, word: Union[str, bytes]) -> Self:
        """These bytes, anywhere in the text since construction or reset; the grammar's text begins with them."""
        return cls._made(_native.BANKML_TRIGGER_WORD, word)

    @classmethod
    def pattern(cls, pattern: Union[str, bytes]) -> Self:
        """A match of this regular expression, anywhere in that text."""
        return cls._made(_native.BANKML_TRIGGER_PATTERN, pattern)

    @classmethod
    def pattern_full(cls, pattern: Union[str, bytes]) -> Self:
        """The whole of that text matches this regular expression."""
        return cls._made(_native.BANKML_TRIGGER_PATTERN_FULL, pattern)

    def __repr__(self) -> str:
        if self._kind == _native.BANKML_TRIGGER_TOKEN:
            return f"Trigger.token({self._token})"
        names = {
            _native.BANKML_TRIGGER_WORD: "word",
            _native.BANKML_TRIGGER_PATTERN: "pattern",
            _native.BANKML_TRIGGER_PATTERN_FULL: "pattern_full",
        }
        return f"Trigger.{names[self._kind]}({self._bytes!r})"


def _options(
    dialect: str,
    max_states: int | None,
    max_bytes: int | None,
    token_texts: Mapping[str, SupportsIndex] | None,
    triggers: Iterable[Trigger] | None,
) -> _native._GrammarOptions:
    options = _native.grammar_options_new()
    _native.grammar_options_set_string(options, "dialect", dialect)
    for name, value in (("max_states", max_states), ("max_bytes", max_bytes)):
        if value is not None:
            _native.grammar_options_set_number(options, name, float(operator.index(value)))
    for reference, token in (token_texts or {}).items():
        _native.grammar_options_token_text(options, reference.encode(), _token(token))
    if triggers is not None:
        _native.grammar_options_set_number(options, "lazy", 1.0)
        for trigger in triggers:
            if not isinstance(trigger, Trigger):
                raise TypeError(f"triggers must be Trigger objects, not {type(trigger).__name__}")
            _native.grammar_options_trigger(options, trigger._kind, trigger._bytes, trigger._token)
    return options


class Grammar:
    """Constrains one sequence; made by :meth:`from_gbnf` or :meth:`from_schema`. What it allows and accepts is what llama.cpp allows and accepts.

    :meth:`Sampler.sample_constrained` draws under it; :meth:`mask` gives the mask to other samplers, in the layout that xgrammar and
    llguidance use. Accept each token here first, then in the sampler. :meth:`clone` is cheap: clones share compiled rules and masks.
    After an error the grammar is as it was before the call.

    One grammar is for one thread at a time (else ``BusyError``); clones may be used in different threads. Masks, :meth:`warm` and
    :meth:`from_gbnf` release the GIL. :meth:`close` (or ``with``) frees it at once; the garbage collector does so otherwise.
    """

    __slots__ = ("__weakref__", "_handle", "_n_vocab")
    _handle: _native._Grammar | None
    _n_vocab: int

    def __init__(self) -> None:
        raise TypeError("grammars are made by Grammar.from_gbnf(vocab, text)")

    @classmethod
    def from_gbnf(
        cls,
        vocab: Vocab,
        text: Union[str, bytes],
        *,
        root: str = "root",
        dialect: Literal["llama", "strict"] = "llama",
        max_states: int | None = None,
        max_bytes: int | None = None,
        token_texts: Mapping[str, SupportsIndex] | None = None,
        triggers: Iterable[Trigger] | None = None,
    ) -> Self:
        """A grammar from GBNF text; an empty text constrains nothing.

        ``root``: the start rule. ``dialect``: ``llama`` allows what llama.cpp allows; in ``strict`` pieces are read as UTF-8 is defined,
        control and unused tokens match token references alone, a token is allowed only if something completes the text behind it, and end
        tokens exactly where the text is complete. ``max_states``: most elements of the rules once repetitions are written out, 1,000,000
        if not given. ``max_bytes``: most memory of the states met, 67,108,864 if not given. ``token_texts``: the token that a reference ``<text>``
        stands for (with both angle brackets), where that is no special piece of the vocabulary. ``triggers``: makes the grammar lazy;
        everything is allowed and accepted until one of them, tried in order, wakes it.

        Raises ``InvalidArgumentError``: malformed text (code ``PARSE``; "grammar, line L, column C: " and llama.cpp's text), a bad
        option, no trigger among ``triggers``, a malformed pattern ("trigger I: pattern, position P: "). ``LimitError``:
        ``max_states`` or ``max_bytes`` is too little.
        """
        options = _options(dialect, max_states, max_bytes, token_texts, triggers)
        _native.grammar_options_set_string(options, "root", root)
        self = cls.__new__(cls)
        self._handle = _native.grammar_from_gbnf(vocab._handle, text, options)
        self._n_vocab = vocab.size
        return self

    @classmethod
    def from_schema(
        cls,
        vocab: Vocab,
        schema: Union[str, bytes, Mapping[str, object]],
        *,
        dialect: Literal["llama"],
        max_states: int | None = None,
        max_bytes: int | None = None,
        triggers: Iterable[Trigger] | None = None,
    ) -> Self:
        """A grammar from a JSON schema, as text or as what ``json.loads`` gives. ``dialect`` ``llama``: the language of llama.cpp's own
        converter, its quirks included. The other arguments are :meth:`from_gbnf`'s.

        Raises ``InvalidArgumentError``: a refused schema (code ``SCHEMA``; llama.cpp's text), malformed JSON. ``LimitError`` as there.
        """
        options = _options(dialect, max_states, max_bytes, None, triggers)
        text = schema if isinstance(schema, (str, bytes)) else json.dumps(schema, ensure_ascii=False)
        self = cls.__new__(cls)
        self._handle = _native.grammar_from_schema(vocab._handle, text, options)
        self._n_vocab = vocab.size
        return self

    def to_gbnf(self) -> str:
        """The grammar as GBNF text."""
        return _native.py_grammar_to_gbnf(self._handle)

    # ---- What is allowed next

    def mask(self, out: Words | None = None) -> npt.NDArray[np.uint32]:
        """The tokens that are allowed next: bit i of word w is token ``32 * w + i``, set = allowed.

        Without ``out`` a new array of ``ceil(n_vocab / 32)`` uint32. ``out``: one writable row of at least as many uint32 or int32
        (array, memoryview or CPU tensor), which is filled in place, words behind the vocabulary with 0; the result is a uint32 view
        of it. Raises ``LimitError`` if ``max_bytes`` is too little, ``InvalidArgumentError`` for too few words, ``TypeError`` if
        ``out`` cannot be written in place.
        """
        words = np.empty((self._n_vocab + 31) // 32, np.uint32) if out is None else word_room(out)
        _mask(self._handle, words)
        return words

    def test(self, token: SupportsIndex) -> bool:
        """Whether ``token`` is allowed next, without a mask. Ids behind the vocabulary are not allowed, negative ones an error."""
        return _native.grammar_test(self._handle, _token(token))

    def is_complete(self) -> bool:
        """Whether the text may end here."""
        return _native.grammar_is_complete(self._handle)

    def is_dead(self) -> bool:
        """Whether nothing is allowed next, not even an end."""
        return _native.grammar_is_dead(self._handle)

    def forced(self) -> bytes:
        """The bytes (4,096 at most) with which every text from here on begins, perhaps from inside a character.

        Empty where ending is possible, where a token reference is next, or while a lazy grammar waits.
        """
        return _native.py_grammar_forced(self._handle)

    # ---- Going on

    def accept(self, tokens: Union[SupportsIndex, Ids]) -> None:
        """Goes on behind one token, or behind several: all of them or none.

        Raises ``RejectedTokenError`` if one is not allowed where it stands. An end token is accepted where ending is allowed, and
        changes nothing.
        """
        try:
            return _native.grammar_accept(self._handle, tokens)
        except NeedsConversion:
            pass
        if isinstance(tokens, np.integer):
            return _native.grammar_accept(self._handle, int(tokens))
        try:
            return _native.grammar_accept_many(self._handle, tokens)
        except NeedsConversion:
            pass
        _native.grammar_accept_many(self._handle, id_row(tokens))

    def rollback(self, n: SupportsIndex = 1) -> None:
        """Takes the last ``n`` tokens back, any number since construction or reset. ``InvalidArgumentError`` for more."""
        _native.grammar_rollback(self._handle, _count(n, "n"))

    def reset(self) -> None:
        """Back to the start of the text."""
        _native.grammar_reset(self._handle)

    def clone(self) -> Self:
        """An independent grammar at the same place, sharing compiled rules and masks."""
        copy = type(self).__new__(type(self))
        copy._handle = _native.grammar_clone(self._handle)
        copy._n_vocab = self._n_vocab
        return copy

    __copy__ = clone

    def __deepcopy__(self, memo: object) -> Self:
        return self.clone()

    def warm(self, n: SupportsIndex) -> int:
        """Computes masks of places that may come next, ``n`` at most, for example while the model runs; returns how many were new."""
        return _native.grammar_warm(self._handle, _count(n, "n"))

    def save(self) -> bytes:
        """The place in the text as portable bytes, for :meth:`load` on a grammar of the same vocabulary, text and options."""
        return _native.py_grammar_save(self._handle)

    def load(self, saved: Buffer) -> None:
        """Goes to a saved place. ``InvalidArgumentError`` (code ``STATE``) for damaged bytes or those of another grammar."""
        _native.grammar_load(self._handle, saved)

    # ---- What it is

    @property
    def n_vocab(self) -> int:
        """Number of tokens of the vocabulary."""
        return self._n_vocab

    @property
    def nbytes(self) -> int:
        """Bytes held, what clones share included."""
        return _native.grammar_bytes(self._handle)

    @property
    def mask_fills(self) -> int:
        """Masks computed since the states were last dropped; others were found."""
        return _native.grammar_mask_fills(self._handle)

    # ---- End

    def close(self) -> None:
        """Gives the memory back now; later calls raise ``ClosedError``. A call that runs in another thread ends undisturbed."""
        self._handle = None

    @property
    def closed(self) -> bool:
        """Whether :meth:`close` was called."""
        return self._handle is None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<bankml.Grammar, {'closed' if self._handle is None else f'of {self._n_vocab} tokens'}>"

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("a bankml.Grammar cannot be pickled: make it again from its text, and take save() and load() for the place")
