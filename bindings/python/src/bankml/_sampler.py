"""The sampler: a row of logits in, a token out.

Why the methods look as they do: the object goes straight to the native module, which takes its memory if that is a float32 row and
raises ``NeedsConversion`` if not. Looking at the type here first would cost more than the whole draw's overhead.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, SupportsIndex, Union

import numpy as np

from . import _native
from ._arrays import Ids, Logits, Words, float_row, id_row, word_row
from ._errors import InvalidArgumentError, NeedsConversion, Status
from ._grammar import Grammar
from ._params import Params
from ._values import ParamValues, set_value
from ._vocab import Vocab

if TYPE_CHECKING:
    import numpy.typing as npt
    from typing_extensions import Self, Unpack

_sample = _native.sampler_sample
_accept = _native.sampler_accept

_CANDIDATE = np.dtype([("id", np.int32), ("logit", np.float32), ("p", np.float32)])
_TOKEN_PROB = np.dtype([("id", np.int32), ("p", np.float32)])


class Candidates(NamedTuple):
    """What a draw chose from, in the order in which the last step left it."""

    ids: npt.NDArray[np.int32]
    logits: npt.NDArray[np.float32]
    p: npt.NDArray[np.float32]


class ConstrainedToken(NamedTuple):
    """A token that a grammar allows."""

    token: int
    redrawn: bool  #: the first draw did not fit, and this is the second one, under the mask


class TopProbs(NamedTuple):
    """Tokens and their probabilities, best first."""

    ids: npt.NDArray[np.int32]
    p: npt.NDArray[np.float32]


class TokenProbs(NamedTuple):
    """Raw probabilities of a row: of one named token, and of the best."""

    sampled_p: float | None  #: ``None`` if no token was named
    ids: npt.NDArray[np.int32]
    p: npt.NDArray[np.float32]


class Perf(NamedTuple):
    """Counters since construction or the last reset of the counters."""

    draws: int  #: successful draws
    accepts: int  #: tokens accepted
    redraws: int  #: draws under a mask, and second draws under a grammar
    prob_calls: int  #: calls of ``token_probs`` and ``post_probs``
    full_sets: int  #: sets built with one candidate for each token of the vocabulary
    full_sorts: int  #: sorts of more than half of the vocabulary
    exps: int  #: exponentials evaluated
    dry_visits: int  #: positions visited by DRY
    random_outputs: int  #: 32-bit outputs taken from the random generators
    sample_us: float  #: microseconds in draws; 0 unless the clock is on
    accept_us: float


class Workspace:
    """Scratch for chains that order the whole vocabulary, about 24 bytes for each of ``n_vocab`` tokens.

    Samplers that one thread uses can share one: :meth:`Sampler.use_workspace`. A sampler keeps its workspace alive.
    """

    __slots__ = ("__weakref__", "_handle")
    _handle: _native._Workspace

    def __init__(self, n_vocab: SupportsIndex) -> None:
        self._handle = _native.workspace_new(_count(n_vocab, "n_vocab"))

    @property
    def nbytes(self) -> int:
        """Its size in bytes."""
        return _native.workspace_bytes(self._handle)

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("a bankml.Workspace cannot be pickled")


def _count(value: SupportsIndex, name: str) -> int:
    number = operator.index(value)
    if not 0 <= number < 2**31:
        raise InvalidArgumentError(f"{name} {number} is outside [0, 2147483647]")
    return number


def _token(value: SupportsIndex) -> int:
    number = operator.index(value)
    if not -(2**31) <= number < 2**31:
        raise InvalidArgumentError(f"token {number} is outside the range of int32", Status.TOKEN)
    return number


class Sampler:
    """Draws tokens from logits, with the token that llama-server would draw, bit for bit.

    ``params``: :class:`Params`; or a mapping of parameters by name; or the JSON text of a llama-server request (``str`` or
    ``bytes``); or ``None`` for llama-server's defaults. Keyword parameters are set on top of it. ``vocab``: needed by steps that
    read pieces (string breakers of DRY, ``ignore_eos``, infill). ``n_vocab``: number of logits in a row; the vocabulary's size if
    left out, more if rows are padded. Raises ``InvalidArgumentError`` naming parameter and value.

    Different samplers may be used from different threads at the same time. One sampler must not be used by two threads at once; the
    library detects overlap and raises ``BusyError`` instead of corrupting state. The library has no global mutable state. After
    ``fork()`` the child holds a copy of the RNG state and would draw the same tokens: reseed or create a new sampler.

    After any error the sampler is as it was before the call. Draws release the GIL.
    """

    __slots__ = ("__weakref__", "_handle")
    _handle: _native._Sampler | None

    def __init__(
        self,
        params: Params | Mapping[str, Any] | str | bytes | None = None,
        vocab: Vocab | None = None,
        n_vocab: SupportsIndex | None = None,
        **values: Unpack[ParamValues],
    ) -> None:
        if isinstance(params, Params):
            base = params.clone() if values else params
        else:
            base = Params()
            if isinstance(params, (str, bytes)):
                base.load(params)
            elif isinstance(params, Mapping):
                for name, value in params.items():
                    base.set(name, value)
            elif params is not None:
                raise TypeError(f"params must be Params, a mapping, JSON text or None, not {type(params).__name__}")
        for name, value in values.items():
            set_value(base._handle, name, value)
        count = 0 if n_vocab is None else _count(n_vocab, "n_vocab")
        self._handle = _native.sampler_new(base._handle, None if vocab is None else vocab._handle, count)

    # ---- Draws

    def sample(self, logits: Logits) -> int:
        """Runs the chain on one row of ``n_vocab`` logits and draws a token. Does not accept it.

        ``logits``: raw scores, natural-log units, one for each token id. A float32 ndarray, ``array('f')``, float32 memoryview,
        aligned ``bytes`` or CPU tensor is read where it is; another float type, a strided row or a sequence is converted once.
        Never written, never kept.

        Raises ``InvalidArgumentError`` (length, NaN or +inf), ``NoLegalTokenError`` (nothing but -inf), ``BusyError``,
        ``ClosedError``, ``TypeError`` (no float row; the text names the fix).
        """
        try:
            return _sample(self._handle, logits)
        except NeedsConversion:
            pass
        return _sample(self._handle, float_row(logits))

    def sample_masked(self, logits: Logits, words: Words) -> int:
        """The same under a mask: forbidden tokens get logit -inf before the first step.

        ``words``: at least ``ceil(n_vocab / 32)`` uint32 (or int32); bit i of word w allows token ``32 * w + i``; later bits are
        ignored. :func:`pack_mask` makes them of booleans. NaN and +inf are looked for among allowed tokens only. Raises as
        :meth:`sample`; ``NoLegalTokenError`` if the mask allows nothing.
        """
        try:
            return _native.sampler_sample_masked(self._handle, logits, words)
        except NeedsConversion:
            pass
        return _native.sampler_sample_masked(self._handle, float_row(logits), word_row(words))

    def sample_constrained(self, logits: Logits, grammar: Grammar, grammar_first: bool = False) -> ConstrainedToken:
        """A draw under a grammar, as llama-server makes it: draws, asks the grammar, and only if it refuses draws again under the mask.

        ``grammar_first``: one draw under the mask instead. The token is accepted by neither: ``grammar.accept`` first, then
        :meth:`accept`. Raises as :meth:`sample`; ``NoLegalTokenError`` if the grammar allows nothing, ``LimitError`` if its
        ``max_bytes`` is too little, ``BusyError`` if another thread uses the sampler or the grammar. Both are then as before.
        """
        flags = _native.BANKML_GRAMMAR_FIRST if grammar_first else 0
        try:
            return ConstrainedToken(*_native.sampler_sample_constrained(self._handle, logits, grammar._handle, flags))
        except NeedsConversion:
            pass
        return ConstrainedToken(*_native.sampler_sample_constrained(self._handle, float_row(logits), grammar._handle, flags))

    def sample_candidates(self, ids: Ids, logits: Logits) -> int:
        """Draws from a subset that was selected elsewhere, for example on a device: ids and their logits, in the order given.

        Ids must be distinct and in range. More than 1,024 pairs need a workspace. Raises as :meth:`sample`.
        """
        try:
            return _native.flat_sample_candidates(self._handle, ids, logits)
        except NeedsConversion:
            pass
        return _native.flat_sample_candidates(self._handle, id_row(ids, "ids"), float_row(logits))

    def accept(self, tokens: Union[SupportsIndex, Ids]) -> None:
        """Feeds back one token, or several: the prompt's first, then each drawn one. Several are accepted together or not at all.

        Raises ``InvalidArgumentError`` for an id outside [0, ``n_vocab``).
        """
        try:
            return _accept(self._handle, tokens)
        except NeedsConversion:
            pass
        if isinstance(tokens, np.integer):
            return _accept(self._handle, int(tokens))
        try:
            return _native.sampler_accept_many(self._handle, tokens)
        except NeedsConversion:
            pass
        _native.sampler_accept_many(self._handle, id_row(tokens))

    # ---- What a draw left, and probabilities

    def keep(self, on: bool = True) -> None:
        """On: each draw leaves its surviving candidates for :meth:`candidates` and :meth:`post_probs`. Off at first."""
        _native.sampler_keep(self._handle, 1 if on else 0)

    def candidates(self) -> Candidates:
        """The candidates of the last draw, with the order and the bits of the last step, as three arrays of equal length.

        ``BankmlError`` with code ``NOT_KEPT`` if :meth:`keep` is off or there was no draw.
        """
        out, count = np.empty(0, _CANDIDATE), _native.sampler_candidates(self._handle, None)
        while count > len(out):  # once, unless another thread draws in between
            out = np.empty(count, _CANDIDATE)
            count = _native.sampler_candidates(self._handle, out)
        out = out[:count]
        return Candidates(out["id"].copy(), out["logit"].copy(), out["p"].copy())

    def post_probs(self, n_top: SupportsIndex) -> TopProbs:
        """Probabilities after the chain: at most ``n_top`` survivors of the last draw by p, ending before the first p = 0.

        Equal to llama-server's post-sampling probabilities. Raises as :meth:`candidates`.
        """
        most = _count(n_top, "n_top")
        out = np.empty(min(most, self.n_vocab), _TOKEN_PROB)
        count = _native.sampler_post_probs(self._handle, most, out)
        return TopProbs(out["id"][:count].copy(), out["p"][:count].copy())

    def token_probs(self, logits: Logits, sampled: SupportsIndex | None = None, n_top: SupportsIndex = 0) -> TokenProbs:
        """Raw softmax probabilities of a row, independent of parameters and history.

        Returns the p of the token ``sampled`` (``None``: of none) and the ids and p of the ``n_top`` best, in llama-server's order,
        all of the same float sum. Logprobs are ``numpy.log`` of them. Raises as :meth:`sample`.
        """
        named = -1 if sampled is None else _token(sampled)
        if sampled is not None and named < 0:
            raise InvalidArgumentError(f"sampled {named} is outside [0, {self.n_vocab})", Status.TOKEN)
        most = _count(n_top, "n_top")
        out = np.empty(min(most, self.n_vocab), _TOKEN_PROB)
        try:
            count, p = _native.sampler_token_probs(self._handle, logits, named, most, out)
        except NeedsConversion:
            count = -1
        if count < 0:
            count, p = _native.sampler_token_probs(self._handle, float_row(logits), named, most, out)
        return TokenProbs(None if sampled is None else p, out["id"][:count].copy(), out["p"][:count].copy())

    # ---- State

    def clone(self) -> Self:
        """An independent sampler in the same state: history, random generators, mirostat's mu, averages."""
        copy = type(self).__new__(type(self))
        copy._handle = _native.sampler_clone(self._handle)
        return copy

    __copy__ = clone

    def __deepcopy__(self, memo: object) -> Self:
        return self.clone()

    def save(self) -> bytes:
        """The state (history, generators, mu, averages) as bytes that are the same on every platform, for :meth:`load`."""
        return _native.py_sampler_save(self._handle)

    def load(self, saved: Buffer) -> None:
        """Takes over a saved state; draws then go on as the saved sampler's would.

        ``InvalidArgumentError`` (code ``STATE``) for damaged bytes and those of a sampler of other parameters (the seed and ``disable``
        apart) or another ``n_vocab``; nothing is changed then.
        """
        _native.sampler_load(self._handle, saved)

    def reset(self) -> None:
        """Back to the start: clears history, mu and averages. A given seed replays, a random one takes a new value."""
        _native.sampler_reset(self._handle)

    @property
    def seed(self) -> int:
        """The seed in use, also where a random one was asked for. Setting it re-seeds the generators only; -1 is a random one."""
        return _native.sampler_get_seed(self._handle)

    @seed.setter
    def seed(self, seed: int) -> None:
        number = operator.index(seed)
        if not -1 <= number <= 0xFFFFFFFF:
            raise InvalidArgumentError(f"seed {number} is outside [-1, 4294967295]")
        _native.sampler_set_seed(self._handle, number & 0xFFFFFFFF)

    def use_workspace(self, workspace: Workspace | None) -> None:
        """Lends a workspace; ``None``: back to the sampler's own. ``InvalidArgumentError`` if it is for fewer tokens."""
        _native.sampler_use_workspace(self._handle, None if workspace is None else workspace._handle)

    # ---- What it is

    @property
    def n_vocab(self) -> int:
        """Number of logits in a row."""
        return _native.sampler_n_vocab(self._handle)

    @property
    def steps(self) -> list[str]:
        """The steps of the chain that are on, in order; the last one draws."""
        names = [_native.sampler_step_name(self._handle, i) for i in range(_native.sampler_step_count(self._handle))]
        return [name for name in names if name is not None]

    @property
    def plan_name(self) -> str:
        """The opening that draws take: ``plain``, or the name of a fast path. The result is the same."""
        return _native.sampler_plan_name(self._handle)

    @property
    def warnings(self) -> list[str]:
        """What construction had to say: a bias outside the vocabulary, a step configured but not listed."""
        lines: list[str] = []
        while (line := _native.sampler_warning(self._handle, len(lines))) is not None:
            lines.append(line)
        return lines

    @property
    def nbytes(self) -> int:
        """Bytes that this sampler owns, without vocabulary and lent workspace."""
        return _native.sampler_bytes(self._handle)

    def perf(self, reset: bool = False) -> Perf:
        """The counters; ``reset`` starts them again at 0."""
        return Perf(*_native.flat_perf(self._handle, 1 if reset else 0))

    def clock(self, on: bool = True) -> None:
        """On: :meth:`perf` counts microseconds too. Off at first."""
        _native.sampler_clock(self._handle, 1 if on else 0)

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
        if self._handle is None:
            return "<bankml.Sampler, closed>"
        return f"<bankml.Sampler of {self.n_vocab} tokens: {' '.join(self.steps)}; seed {self.seed}>"

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("a bankml.Sampler cannot be pickled: make a new one in the other process, with a seed of its own")
