"""Many samplers' draws in one call, on one thread or on several: a server's step.

The lists go to the native module as they are and come back through ``_arrays`` only if a row needs a conversion.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, NoReturn, SupportsIndex

from . import _native
from ._arrays import LogitRows, WordRows, float_rows, word_rows
from ._errors import BankmlError, BatchError, ClosedError, InvalidArgumentError, NeedsConversion, Status
from ._grammar import Grammar
from ._sampler import Sampler, _count

if TYPE_CHECKING:
    from typing_extensions import Self


def _require_one_each(samplers: int, found: int, what: str, rows_of: str = "rows of ") -> None:
    if found != samplers:
        raise InvalidArgumentError(f"{samplers} samplers, but {found} {rows_of}{what}", Status.LENGTH)


def _grammar_handles(grammars: Sequence[Grammar | None], samplers: int) -> list[_native._Grammar | Literal[False] | None]:
    """The handle of each grammar, None where there is none, False where it is closed."""
    for grammar in grammars:
        if grammar is not None and not isinstance(grammar, Grammar):
            raise TypeError("grammars must be a sequence of bankml.Grammar or None")
    _require_one_each(samplers, len(grammars), "grammars", "")
    return [None if one is None else False if one._handle is None else one._handle for one in grammars]


def _draw(
    pool: _native._Pool | None,
    samplers: Sequence[Sampler],
    logits: LogitRows,
    masks: WordRows | None,
    grammars: Sequence[Grammar | None] | None,
    grammar_first: bool,
) -> list[int]:
    try:
        handles = [sampler._handle for sampler in samplers]
    except AttributeError as error:
        raise TypeError("samplers must be a sequence of bankml.Sampler") from error
    rules = None if grammars is None else _grammar_handles(grammars, len(handles))
    flags = _native.BANKML_GRAMMAR_FIRST if grammar_first else 0
    # Lists of our own: nobody takes a row out while the GIL is free.
    rows = list(logits) if isinstance(logits, (list, tuple)) else logits
    words = list(masks) if isinstance(masks, (list, tuple)) else masks
    try:
        return _ended(*_native.py_batch_sample(pool, handles, rows, words, rules, flags))
    except NeedsConversion:
        pass
    floats = float_rows(rows)
    _require_one_each(len(handles), len(floats), "logits")
    allowed = None if words is None else word_rows(words)
    if allowed is not None:
        _require_one_each(len(handles), len(allowed), "masks")
    return _ended(*_native.py_batch_sample(pool, handles, floats, allowed, rules, flags))


def _ended(tokens: list[Any], errors: list[BankmlError | None] | None) -> list[int]:
    if errors is None:
        return tokens
    raise BatchError(tokens, errors) from next(error for error in errors if error is not None)


def sample_batch(
    samplers: Sequence[Sampler],
    logits: LogitRows,
    masks: WordRows | None = None,
    grammars: Sequence[Grammar | None] | None = None,
    grammar_first: bool = False,
) -> list[int]:
    """One token for each sampler, drawn on the calling thread, as :meth:`Pool.sample` draws them on several.

    Arguments, result and errors are those of :meth:`Pool.sample`.
    """
    return _draw(None, samplers, logits, masks, grammars, grammar_first)


class Pool:
    """Threads for batches, each with scratch memory of its own, so that samplers need none.

    ``threads``: how many draw, the calling one among them, at most 1,024; 0 = as many as the machine runs at once. ``n_vocab``: the
    largest number of tokens that their scratch is for, about 24 bytes for each token and thread; 0 = none, samplers then use their
    own. The library has no other threads. Raises ``InvalidArgumentError``, also if a thread does not start.

    One batch at a time: a second thread gets ``BusyError``. After ``fork()`` a pool works in the child on the calling thread alone.
    """

    __slots__ = ("__weakref__", "_handle")
    _handle: _native._Pool | None

    def __init__(self, threads: SupportsIndex = 0, n_vocab: SupportsIndex = 0) -> None:
        self._handle = _native.py_pool_new(_count(threads, "threads"), _count(n_vocab, "n_vocab"))

    def sample(
        self,
        samplers: Sequence[Sampler],
        logits: LogitRows,
        masks: WordRows | None = None,
        grammars: Sequence[Grammar | None] | None = None,
        grammar_first: bool = False,
    ) -> list[int]:
        """One token for each sampler, in their order: the tokens, states and errors of single calls, for any number of threads.

        ``logits``: a float32 array of shape ``(len(samplers), n_vocab)``, or a list or tuple of rows; what :meth:`Sampler.sample`
        reads in place is read in place here. ``masks``: none; or uint32 words of shape ``(len(samplers), ceil(n_vocab / 32))``; or a
        list or tuple with words or ``None`` for each sampler. ``grammars``: none, or a grammar or ``None`` for each sampler, each
        grammar once and without a mask beside it; such an item is drawn as :meth:`Sampler.sample_constrained` draws, with its
        ``grammar_first``, and ``perf().redraws`` counts. Tokens are not accepted. Releases the GIL.

        Raises ``BatchError`` if a draw fails: each failed item has the error of its single call, ``ClosedError`` too, and its
        sampler is as it was; all others have drawn. Nothing is drawn and the whole call is refused with ``InvalidArgumentError`` if
        a sampler or grammar is listed twice or the numbers of samplers, rows, masks and grammars differ, with ``TypeError`` if an
        array is of a wrong type, with ``BusyError`` if the pool is in use, with ``ClosedError`` if it is closed.
        """
        return _draw(self._open(), samplers, logits, masks, grammars, grammar_first)

    def _open(self) -> _native._Pool:
        handle = self._handle
        if handle is None:
            raise ClosedError("the pool is closed")
        return handle

    @property
    def threads(self) -> int:
        """How many threads draw, the calling one among them."""
        return _native.py_pool_threads(self._open())

    def close(self) -> None:
        """Ends the threads and gives their memory back; later calls raise ``ClosedError``. A batch of another thread ends first."""
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
        return "<bankml.Pool, closed>" if self._handle is None else f"<bankml.Pool of {self.threads} threads>"

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("a bankml.Pool cannot be pickled")
