"""Replies: probabilities of drawn tokens as a server's JSON."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Literal, NoReturn, SupportsFloat, SupportsIndex, Union

import numpy as np

from . import _native
from ._errors import InvalidArgumentError, Status
from ._sampler import _TOKEN_PROB, TokenProbs, TopProbs
from ._vocab import Vocab

if TYPE_CHECKING:
    from typing_extensions import Buffer

_NO_TOP = np.empty(0, _TOKEN_PROB)


class Reply:
    """Writes the probabilities of drawn tokens as a server's JSON, exact in texts and digits.

    ``format`` and the field whose value is written: ``llama-server`` (``completion_probabilities``), ``llama-server-chat`` (``logprobs``
    of its /v1 routes), ``openai-chat`` and ``openai-completions`` (``logprobs``). ``post_sampling``: the p are those of
    :meth:`Sampler.post_probs`, llama-server's formats only. ``special``: control tokens are shown too; else they have no text.

    A p of zero has the lowest float as its logprob in llama-server's reply, -9999.0 in OpenAI's. Tokens that are no whole characters
    are shown as each system shows them. Raises ``InvalidArgumentError`` for another format. One thread at a time (else ``BusyError``).
    """

    __slots__ = ("__weakref__", "_handle")
    _handle: _native._Reply

    def __init__(
        self,
        format: Literal["llama-server", "llama-server-chat", "openai-chat", "openai-completions"],
        vocab: Vocab,
        *,
        post_sampling: bool = False,
        special: bool = False,
    ) -> None:
        flags = (_native.BANKML_REPLY_POST_SAMPLING if post_sampling else 0) | (_native.BANKML_REPLY_SPECIAL if special else 0)
        self._handle = _native.reply_new(format, vocab._handle, flags)

    def add(
        self,
        token: SupportsIndex,
        p: SupportsFloat,
        top: Union[TopProbs, TokenProbs, None] = None,
        *,
        text: Union[str, Buffer, None] = None,
    ) -> None:
        """A drawn token with its p, and the best of its row as :meth:`Sampler.token_probs` or :meth:`Sampler.post_probs` gave them.

        ``text``: what was sent for it, where a stop string cut it or held it back; ``None`` = its piece. ``InvalidArgumentError`` for
        a negative token or a p outside [0, 1], ``LimitError`` above 256 MiB of JSON; nothing is added then.
        """
        number = operator.index(token)
        if not -(2**31) <= number < 2**31:
            raise InvalidArgumentError(f"token {number} is outside the range of int32", Status.TOKEN)
        entries = _NO_TOP
        if top is not None:
            entries = np.empty(len(top.ids), _TOKEN_PROB)
            entries["id"], entries["p"] = top.ids, top.p
        sent = text.encode() if isinstance(text, str) else b"" if text is None else text
        _native.py_reply_add(self._handle, number, float(p), entries, sent, text is not None)

    def json(self) -> str:
        """The JSON of all tokens added, without blanks."""
        return _native.py_reply_json(self._handle)

    def clear(self) -> None:
        """Forgets the tokens, for the next part of a stream; ``text_offset`` goes on."""
        _native.reply_clear(self._handle)

    def set_text_offset(self, characters: SupportsIndex) -> None:
        """Where the next token's text begins, in characters: the prompt's number, where offsets count from there. 0 at first."""
        number = operator.index(characters)
        if not 0 <= number < 2**63:
            raise InvalidArgumentError(f"text_offset {number} is outside [0, 9223372036854775807]")
        _native.reply_text_offset(self._handle, number)

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("a bankml.Reply cannot be pickled")
