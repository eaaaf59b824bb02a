"""Vocabularies: the bytes and flags of every token, immutable, shared by any number of samplers and threads."""

from __future__ import annotations

import operator
import os
from collections.abc import Sequence
from enum import IntFlag
from typing import TYPE_CHECKING, NoReturn, SupportsIndex, Union

import numpy as np

from . import _native
from ._errors import InvalidArgumentError, Status

if TYPE_CHECKING:
    from typing_extensions import Buffer


class TokenFlags(IntFlag):
    """What is special about a token."""

    CONTROL = 1  #: its piece is not text of the model's output
    EOG = 2  #: ends generation
    BYTE = 4  #: byte fallback token
    USER_DEFINED = 8
    UNUSED = 16
    UNKNOWN = 32


def _id_or_none(token: int) -> int | None:
    return token if token >= 0 else None


class Vocab:
    """Pieces and flags of every token.

    ``pieces``: one for each token id, ``bytes`` or ``str`` (taken as UTF-8). ``flags``: one :class:`TokenFlags` for each token, or
    none. ``eos`` and ``eot``: token ids. All of it is copied. Raises ``InvalidArgumentError`` for lengths or ids that do not fit.

    A vocabulary is needed for what works on text: string breakers of DRY, ``ignore_eos``, infill. Immutable; any thread.
    """

    __slots__ = ("__weakref__", "_handle")
    _handle: _native._Vocab

    def __init__(
        self,
        pieces: Sequence[Union[bytes, bytearray, memoryview, str]],
        flags: Sequence[int] | None = None,
        *,
        eos: SupportsIndex | None = None,
        eot: SupportsIndex | None = None,
    ) -> None:
        encoded = [piece.encode() if isinstance(piece, str) else memoryview(piece).tobytes() for piece in pieces]
        offsets = np.zeros(len(encoded) + 1, np.uintp)
        np.cumsum([len(piece) for piece in encoded], out=offsets[1:])
        if flags is not None and len(flags) != len(encoded):
            raise InvalidArgumentError(f"flags has {len(flags)} entries, pieces has {len(encoded)}", Status.LENGTH)
        words = np.asarray([] if flags is None else flags, np.uint32)
        ends = [-1 if token is None else operator.index(token) for token in (eos, eot)]
        self._handle = _native.py_vocab_new(b"".join(encoded), offsets, words, *ends)

    @classmethod
    def from_gguf(cls, source: Union[str, os.PathLike[str], Buffer]) -> Vocab:
        """The vocabulary of a GGUF file, given by its path (``str`` or path object) or its bytes (also an ``mmap``).

        SentencePiece or byte-level BPE; pieces are decoded to bytes as llama.cpp does. Raises ``InvalidArgumentError`` for a file
        that cannot be read or is no such file.
        """
        self = cls.__new__(cls)
        if isinstance(source, (str, os.PathLike)):
            self._handle = _native.vocab_from_gguf(os.fsencode(source))
        else:
            self._handle = _native.py_vocab_from_gguf_bytes(memoryview(source))
        return self

    @property
    def size(self) -> int:
        """Number of tokens."""
        return _native.vocab_size(self._handle)

    def __len__(self) -> int:
        return self.size

    def _check(self, token: SupportsIndex) -> int:
        number = operator.index(token)
        if not 0 <= number < self.size:
            raise InvalidArgumentError(f"token {number} is outside [0, {self.size})", Status.TOKEN)
        return number

    def piece(self, token: SupportsIndex) -> bytes:
        """The bytes of a token; special tokens are rendered as their text. ``InvalidArgumentError`` outside the vocabulary."""
        return _native.vocab_piece(self._handle, self._check(token))

    def flags(self, token: SupportsIndex) -> TokenFlags:
        """The flags of a token. ``InvalidArgumentError`` outside the vocabulary."""
        return TokenFlags(_native.vocab_flags(self._handle, self._check(token)))

    @property
    def eos(self) -> int | None:
        """Token that ends a text, ``None`` if the vocabulary names none."""
        return _id_or_none(_native.vocab_eos(self._handle))

    @property
    def eot(self) -> int | None:
        """Token that ends a turn, ``None`` if the vocabulary names none."""
        return _id_or_none(_native.vocab_eot(self._handle))

    @property
    def bos(self) -> int | None:
        """Token that begins a text, ``None`` if the vocabulary names none."""
        return _id_or_none(_native.vocab_bos(self._handle))

    @property
    def fingerprint(self) -> int:
        """64-bit hash of pieces and flags: equal for equal vocabularies, on every platform."""
        return _native.vocab_fingerprint(self._handle)

    @property
    def breaker_scans(self) -> int:
        """How often DRY's breakers were prepared by scanning the pieces: once for each list of breakers."""
        return _native.vocab_breaker_scans(self._handle)

    def tokenize(self, text: Union[str, bytes]) -> list[int]:
        """Tokens of a short text, without specials. SentencePiece vocabularies from GGUF only, else ``InvalidArgumentError``."""
        data = text.encode() if isinstance(text, str) else bytes(text)
        out = np.empty(len(data) + 1, np.int32)
        try:
            count = _native.vocab_tokenize(self._handle, data, out)
            if count > len(out):
                out = np.empty(count, np.int32)
                count = _native.vocab_tokenize(self._handle, data, out)
        except InvalidArgumentError as error:
            raise InvalidArgumentError("tokenize: only SentencePiece vocabularies from GGUF have a tokenizer", error.code) from None
        return [int(token) for token in out[:count]]

    def __repr__(self) -> str:
        return f"<bankml.Vocab of {self.size} tokens>"

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("a bankml.Vocab cannot be pickled: make it again from its file or pieces in the other process")
