"""Stop strings: the text of one generation on its way out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn, Union

import numpy as np

from . import _native

if TYPE_CHECKING:
    from typing_extensions import Buffer, Self

_feed = _native.py_stop_feed


class Stop:
    """Ends a text at a stop string, also one that lies over token borders, and says what may be shown before.

    ``strings``: ``str`` (taken as UTF-8) or ``bytes``; none is empty. Held back is what may still become one of them, and a character
    that is not whole; bytes that are no UTF-8 come out as they are. What comes out depends on the text alone, not on how it is cut
    into tokens: the stop string that is complete first ends it, of those that end together the longest. ``include``: it is part of the
    output (``include_stop_str_in_output``). ``by_token``: each :meth:`feed` is one token, and of the stop strings that it completes
    the one that begins first counts, of equal beginnings the one listed first, as in llama-server.

    Raises ``InvalidArgumentError`` for an empty string, ``LimitError`` above 65,536 strings or 1 MiB. One thread at a time (else
    ``BusyError``); clones may be used in different threads.
    """

    __slots__ = ("__weakref__", "_handle", "_matched")
    _handle: _native._Stop
    _matched: int

    def __init__(
        self, strings: Sequence[Union[str, bytes]], *, include: bool = False, by_token: bool = False
    ) -> None:
        if isinstance(strings, (str, bytes)):
            raise TypeError("strings must be a sequence of str or bytes, not one of them")
        encoded = [string.encode() if isinstance(string, str) else bytes(string) for string in strings]
        offsets = np.zeros(len(encoded) + 1, np.uintp)
        np.cumsum([len(string) for string in encoded], out=offsets[1:])
        flags = (_native.BANKML_STOP_INCLUDE if include else 0) | (_native.BANKML_STOP_BY_TOKEN if by_token else 0)
        self._handle = _native.py_stop_new(b"".join(encoded), offsets, flags)
        self._matched = -1

    def feed(self, text: Union[str, Buffer]) -> bytes:
        """More of the text (a token's piece); returns what may be shown now. Nothing more comes once :attr:`matched` is set."""
        out, self._matched = _feed(self._handle, text.encode() if isinstance(text, str) else text)
        return out

    def flush(self) -> bytes:
        """The generation has ended: returns what was held back (nothing behind a stop string), and begins anew."""
        out = _native.py_stop_flush(self._handle)
        self._matched = -1
        return out

    def reset(self) -> None:
        """Begins anew."""
        _native.stop_reset(self._handle)
        self._matched = -1

    def clone(self) -> Self:
        """An independent one at the same place of the text, with the same strings."""
        copy = type(self).__new__(type(self))
        copy._handle = _native.stop_clone(self._handle)
        copy._matched = self._matched
        return copy

    __copy__ = clone

    def __deepcopy__(self, memo: object) -> Self:
        return self.clone()

    @property
    def matched(self) -> int | None:
        """Index of the stop string that ended the text, ``None`` while none has."""
        return None if self._matched < 0 else self._matched

    @property
    def held(self) -> int:
        """Bytes held back now."""
        return _native.stop_held(self._handle)

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("a bankml.Stop cannot be pickled: make it again from its strings in the other process")
