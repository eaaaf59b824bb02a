"""Arrays that the native module could not use as they lie in memory: converted once, or refused with the fix in the message.

Nothing here runs for a float32 ndarray, ``array('f')``, a float32 memoryview or aligned bytes: these go to the library as they are.

======================================================  =========================================================
what                                                    happens
======================================================  =========================================================
CPU tensor (``__dlpack__``), float32, contiguous        no copy
float16, float64, strided, unaligned, byte-swapped      one copy as float32
list, tuple or other sequence of numbers                one copy as float32
integer or boolean dtype                                ``TypeError``: most often token ids or a mask by mistake
tensor on a device, bfloat16, or requiring a gradient   ``TypeError``
more than one dimension                                 ``InvalidArgumentError``
======================================================  =========================================================
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, Union

import numpy as np

from ._errors import InvalidArgumentError, Status

if TYPE_CHECKING:
    import numpy.typing as npt
    from typing_extensions import Buffer


class SupportsDLPack(Protocol):
    """A tensor of another library (PyTorch, JAX, CuPy, ...) that offers its memory by DLPack."""

    def __dlpack__(self) -> Any: ...

    def __dlpack_device__(self) -> tuple[Any, Any]: ...


#: One row of float32 scores, or what can be converted to it.
Logits: TypeAlias = Union["Buffer", SupportsDLPack, Sequence[float], "npt.NDArray[Any]"]
#: Token ids.
Ids: TypeAlias = Union["Buffer", SupportsDLPack, Sequence[int], "npt.NDArray[Any]"]
#: Mask words: bit i of word w allows token 32 * w + i.
Words: TypeAlias = Union["Buffer", SupportsDLPack, Sequence[int], "npt.NDArray[Any]"]

#: One row of scores for each sampler: a two-dimensional array, or rows as single draws take them.
LogitRows: TypeAlias = Union["Buffer", SupportsDLPack, Sequence[Logits], "npt.NDArray[Any]"]
#: Mask words for each sampler: a two-dimensional array, or words as masked draws take them; None for a sampler without a mask.
WordRows: TypeAlias = Union["Buffer", SupportsDLPack, Sequence[Union[Words, None]], "npt.NDArray[Any]"]

_HOST_MEMORY = (1, 3, 11)  # DLPack: CPU, and host memory pinned by CUDA or ROCm
_RAW = (bytes, bytearray, memoryview)


def _tensor(x: Any, name: str) -> npt.NDArray[Any]:
    if getattr(x, "requires_grad", False) is True:
        raise TypeError(f"{name} requires a gradient: pass {name}.detach()")
    kind = int(x.__dlpack_device__()[0])
    if kind not in _HOST_MEMORY:
        raise TypeError(f"{name} is not in host memory (DLPack device type {kind}): pass {name}.cpu()")
    if "bfloat16" in str(getattr(x, "dtype", "")):
        raise TypeError(f"{name} is bfloat16, which numpy does not know: pass {name}.float()")
    return np.from_dlpack(x)


def _array(x: Any, name: str, raw: type[np.generic]) -> npt.NDArray[Any]:
    """``x`` as an ndarray of its own dtype, without a copy where that is possible. Raw bytes are read as ``raw``."""
    if isinstance(x, np.ndarray):
        return x
    if hasattr(x, "__dlpack_device__") and hasattr(x, "__dlpack__"):
        return _tensor(x, name)
    if isinstance(x, (str, dict, set, frozenset)):
        raise TypeError(f"{name} must be an array or a sequence of numbers, not {type(x).__name__}")
    try:
        view = memoryview(x)
    except TypeError:
        return np.asarray(x)
    if isinstance(x, _RAW) and view.format == "B":
        if view.nbytes % 4:
            raise InvalidArgumentError(f"{name} has {view.nbytes} bytes, which is no whole number of 32-bit values", Status.LENGTH)
        return np.frombuffer(view if view.c_contiguous else view.tobytes(), raw)
    return np.asarray(view)


def _listed(x: Any) -> bool:
    """Whether ``x`` is a plain sequence: its numbers have no dtype of their own that could be the wrong one."""
    try:
        memoryview(x)
    except TypeError:
        return isinstance(x, Sequence)
    return False


def _one_row(a: npt.NDArray[Any], name: str) -> None:
    if a.ndim != 1:
        raise InvalidArgumentError(f"{name} has shape {a.shape}: pass one row, for example {name}[-1] or {name}.reshape(-1)")


def float_row(x: Any, name: str = "logits") -> npt.NDArray[np.float32]:
    """``x`` as one aligned, contiguous, native row of float32; a copy only if it is not one already."""
    a = _array(x, name, np.float32)
    _one_row(a, name)
    if a.dtype.kind != "f" and not (_listed(x) and a.dtype.kind in "iu"):
        raise TypeError(f"{name} has dtype {a.dtype}, not a float: pass {name}.astype(numpy.float32) if these are logits")
    with np.errstate(over="ignore"):  # what becomes infinite is refused by the library, with its place
        return np.require(a, np.float32, ["C", "A"])


def id_row(x: Any, name: str = "tokens") -> npt.NDArray[np.int32]:
    """``x`` as one contiguous row of int32 token ids."""
    a = _array(x, name, np.int32)
    _one_row(a, name)
    if a.size == 0:
        return np.empty(0, np.int32)
    if a.dtype.kind not in "iu":
        raise TypeError(f"{name} has dtype {a.dtype}: token ids are integers")
    low, high = int(a.min()), int(a.max())
    if low < -(2**31) or high >= 2**31:
        raise InvalidArgumentError(f"{name}: {low if low < 0 else high} is outside the range of int32", Status.TOKEN)
    return np.require(a, np.int32, ["C", "A"])


def word_row(x: Any, name: str = "words") -> npt.NDArray[np.uint32]:
    """``x`` as one contiguous row of 32-bit mask words."""
    a = _array(x, name, np.uint32)
    _one_row(a, name)
    if a.dtype.kind in "iu" and a.dtype.itemsize == 4:
        return np.require(a, a.dtype.newbyteorder("="), ["C", "A"]).view(np.uint32)
    if _listed(x) and (a.size == 0 or (a.dtype.kind in "iu" and -(2**31) <= int(a.min()) and int(a.max()) < 2**32)):
        return a.astype(np.int64).astype(np.uint32)
    raise TypeError(f"{name} has dtype {a.dtype}: a mask is 32-bit words, see bankml.pack_mask for a row of booleans")


def _rows(x: Any, name: str, raw: type[np.generic]) -> list[Any]:
    """The rows of a two-dimensional array, without a copy where that is possible, or of a sequence of rows."""
    if isinstance(x, (list, tuple)):
        return list(x)
    a = _array(x, name, raw)
    if a.ndim != 2:
        raise InvalidArgumentError(f"{name} has shape {a.shape}: pass one row for each sampler")
    return list(a)


def float_rows(x: Any, name: str = "logits") -> list[npt.NDArray[np.float32]]:
    """Each row of ``x`` as :func:`float_row` gives it."""
    return [float_row(one, f"{name}[{i}]") for i, one in enumerate(_rows(x, name, np.float32))]


def word_rows(x: Any, name: str = "masks") -> list[npt.NDArray[np.uint32] | None]:
    """Each row of ``x`` as :func:`word_row` gives it; None stays None."""
    rows = enumerate(_rows(x, name, np.uint32))
    return [None if one is None else word_row(one, f"{name}[{i}]") for i, one in rows]


def word_room(x: Any, name: str = "out") -> npt.NDArray[np.uint32]:
    """``x`` as writable 32-bit words of its own memory: a mask is written there, so nothing is ever copied."""
    tensor = not isinstance(x, np.ndarray) and hasattr(x, "__dlpack_device__")
    # Tensors of PyTorch say by numpy() what older DLPack cannot: that their memory may be written.
    a = x.numpy() if tensor and int(x.__dlpack_device__()[0]) == 1 and callable(getattr(x, "numpy", None)) else _array(x, name, np.uint32)
    _one_row(a, name)
    if a.dtype.kind not in "iu" or a.dtype.itemsize != 4 or not a.dtype.isnative:
        raise TypeError(f"{name} has dtype {a.dtype}: a mask is 32-bit words")
    if not a.flags.writeable or not a.flags.c_contiguous or not a.flags.aligned or _listed(x):
        raise TypeError(f"{name} is not writable in place: pass one contiguous row of 32-bit words, for example numpy.empty(n, numpy.uint32)")
    return a.view(np.uint32)


def pack_mask(allowed: npt.ArrayLike) -> npt.NDArray[np.uint32]:
    """Mask words for :meth:`Sampler.sample_masked` from one boolean for each token.

    ``allowed`` has ``n_vocab`` booleans; the result has ``ceil(n_vocab / 32)`` words, in which bit i of word w is token 32 * w + i.
    Raises ``TypeError`` for another dtype.
    """
    row = np.asarray(allowed)
    if row.dtype != np.bool_ or row.ndim != 1:
        raise TypeError(f"allowed must be one row of booleans, not {row.dtype} of shape {row.shape}")
    packed = np.packbits(np.pad(row, (0, -len(row) % 32)), bitorder="little").view(np.uint32)
    return packed if sys.byteorder == "little" else packed.byteswap()
