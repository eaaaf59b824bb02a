"""What may be handed over as logits: read in place, converted once, or refused with the fix in the message."""

from __future__ import annotations

import array
import ctypes
from typing import Any

import bankml
import numpy as np
import pytest
from bankml import _native
from bankml._arrays import float_row
from rows import row

N = 64
ROW = row(N, 3)
BEST = int(ROW.argmax())


class Tensor:
    """Another library's tensor: DLPack, no buffer protocol, as PyTorch's."""

    def __init__(self, data: Any, device: int = 1, dtype: str = "torch.float32", requires_grad: bool = False) -> None:
        self._data, self._device, self.dtype, self.requires_grad = data, device, dtype, requires_grad

    def __dlpack__(self, **options: Any) -> Any:
        return self._data.__dlpack__()

    def __dlpack_device__(self) -> tuple[int, int]:
        return (self._device, 0)


def greedy() -> bankml.Sampler:
    return bankml.Sampler(n_vocab=N, temperature=0)


def unaligned(data: bytes) -> memoryview:
    return memoryview(bytearray(b"\0" + data))[1:]


@pytest.mark.parametrize(
    "logits",
    [
        ROW,
        np.concatenate([ROW, ROW])[N:],
        array.array("f", ROW),
        memoryview(array.array("f", ROW)),
        ROW.data,
        ROW.tobytes(),
        bytearray(ROW.tobytes()),
        memoryview(ROW.tobytes()),
        (ctypes.c_float * N)(*ROW),
    ],
    ids=["ndarray", "offset", "array", "memoryview f", "memoryview of ndarray", "bytes", "bytearray", "memoryview B", "ctypes"],
)
def test_read_in_place(logits: Any) -> None:
    if isinstance(logits, ctypes.Array):  # its format is "<f", which names the byte order: one copy
        assert greedy().sample(logits) == BEST
        return
    assert greedy().sample(logits) == BEST
    assert _native.py_logits_address(logits) == np.frombuffer(logits, np.uint8).ctypes.data


def test_a_cpu_tensor_is_read_in_place() -> None:
    tensor = Tensor(ROW)
    assert float_row(tensor).ctypes.data == ROW.ctypes.data
    assert greedy().sample(tensor) == BEST
    assert greedy().sample(Tensor(ROW.astype(np.float16), dtype="torch.float16")) == BEST
    assert greedy().sample(Tensor(ROW, device=3)) == BEST  # host memory, pinned


def test_read_only_memory_is_enough() -> None:
    frozen = ROW.copy()
    frozen.flags.writeable = False
    assert greedy().sample(frozen) == BEST
    assert (frozen == ROW).all()


@pytest.mark.parametrize(
    "logits",
    [
        ROW.astype(np.float64),
        ROW.astype(np.float16),
        ROW.astype(np.longdouble),
        ROW.astype(">f4"),
        np.repeat(ROW, 2)[::2],
        ROW[::-1][::-1][:],
        np.stack([ROW, ROW], 1)[:, 0],
        np.frombuffer(b"\0" + ROW.tobytes(), np.uint8)[1:].view(np.float32),
        unaligned(ROW.tobytes()),
        ROW.tolist(),
        tuple(ROW.tolist()),
        list(ROW),
        array.array("d", ROW),
        memoryview(array.array("d", ROW)),
        np.repeat(ROW, 2).data[::2],
    ],
    ids=[
        "float64", "float16", "longdouble", "big endian", "strided", "reversed twice", "column", "unaligned array", "unaligned bytes",
        "list", "tuple", "list of float32", "array d", "memoryview d", "strided memoryview",
    ],
)  # fmt: skip
def test_converted_once(logits: Any) -> None:
    assert greedy().sample(logits) == BEST
    assert greedy().sample_masked(logits, [0xFFFFFFFF, 0xFFFFFFFF]) == BEST
    p, ids, _ = greedy().token_probs(logits, BEST, 1)
    assert ids.tolist() == [BEST] and p is not None and p > 0


def test_a_list_of_whole_numbers_has_no_dtype_to_mistake() -> None:
    assert bankml.Sampler(n_vocab=3, temperature=0).sample([1, 3, 2]) == 1


@pytest.mark.parametrize(
    ("logits", "text"),
    [
        (np.arange(N), "astype"),
        (np.zeros(N, np.uint8), "astype"),
        (np.zeros(N, bool), "astype"),
        (array.array("i", range(N)), "astype"),
        ([True] * N, "bool"),
        (np.zeros(N, np.complex64), "complex64"),
        (np.array(["a"] * N), "dtype"),
        (["a"] * N, "dtype"),
        ([None] * N, "dtype"),
        ("abcd" * N, "str"),
        (None, "object"),
        ({1: 2.0}, "dict"),
        (Tensor(ROW, device=2), r"\.cpu\(\)"),
        (Tensor(ROW, dtype="torch.bfloat16"), r"\.float\(\)"),
        (Tensor(ROW, requires_grad=True), r"\.detach\(\)"),
        (Tensor(np.arange(N), dtype="torch.int64"), "astype"),
    ],
    ids=str,
)
def test_no_float_row_is_a_type_error_that_names_the_fix(logits: Any, text: str) -> None:
    sampler = greedy()
    with pytest.raises((TypeError, bankml.InvalidArgumentError), match=text if logits is not None else "logits"):
        sampler.sample(logits)
    assert sampler.sample(ROW) == BEST


@pytest.mark.parametrize("logits", [ROW.reshape(1, N), ROW.reshape(8, 8), np.float32(1), 1.5, [[1.0] * N]], ids=repr)
def test_one_dimension_only(logits: Any) -> None:
    with pytest.raises(bankml.InvalidArgumentError, match="shape"):
        greedy().sample(logits)


@pytest.mark.parametrize(
    "logits",
    [ROW[:-1], np.append(ROW, ROW[:1]), np.empty(0, np.float32), [], b"", array.array("f"), memoryview(b""), ROW.tobytes()[:-1]],
    ids=["short", "long", "empty", "empty list", "empty bytes", "empty array", "empty memoryview", "part of a number"],
)
def test_length(logits: Any) -> None:
    with pytest.raises(bankml.InvalidArgumentError) as refused:
        greedy().sample(logits)
    assert refused.value.code is bankml.Status.LENGTH


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_a_value_that_is_no_number_is_refused_with_its_place(bad: float, kind: type) -> None:
    logits: Any = ROW.astype(kind)
    logits[5] = bad
    with pytest.raises(bankml.InvalidArgumentError, match="token 5") as refused:
        greedy().sample(logits)
    assert refused.value.code is bankml.Status.NONFINITE


def test_float64_beyond_float32_is_refused_as_infinite() -> None:
    logits = ROW.astype(np.float64)
    logits[7] = 1e300
    with pytest.raises(bankml.InvalidArgumentError, match="token 7"):
        greedy().sample(logits)


def test_nothing_to_choose_from() -> None:
    with pytest.raises(bankml.NoLegalTokenError) as refused:
        greedy().sample(np.full(N, -np.inf, np.float32))
    assert refused.value.code is bankml.Status.NO_CANDIDATE
    with pytest.raises(bankml.NoLegalTokenError):
        greedy().sample_masked(ROW, [0, 0])
    assert greedy().sample_masked(ROW, [1 << 7, 0, 0xFFFFFFFF]) == 7  # bits from n_vocab on are ignored


@pytest.mark.parametrize(
    ("words", "error", "text"),
    [
        ([0xFFFFFFFF], bankml.InvalidArgumentError, "words"),
        ([], bankml.InvalidArgumentError, "words"),
        (np.ones(N, bool), TypeError, "pack_mask"),
        (np.ones(2, np.uint64), TypeError, "32-bit"),
        (np.ones(2, np.float32), TypeError, "32-bit"),
        ([1, 2**32], TypeError, "32-bit"),
        (np.ones((2, 1), np.uint32), bankml.InvalidArgumentError, "shape"),
    ],
)
def test_masks_that_are_none(words: Any, error: type, text: str) -> None:
    with pytest.raises(error, match=text):
        greedy().sample_masked(ROW, words)


@pytest.mark.parametrize(
    "words",
    [
        np.array([1 << 7, 0], np.uint32),
        np.array([1 << 7, 0], np.int32),
        np.array([1 << 7, 0], ">u4"),
        np.array([1 << 7, 9, 0, 9], np.uint32)[::2],
        np.array([1 << 7, 0], "<u4").tobytes(),
        array.array("I", [1 << 7, 0]),
        Tensor(np.array([1 << 7, 0], np.int32), dtype="torch.int32"),
        [1 << 7, 0],
        (1 << 7, -(2**31)),
    ],
    ids=["uint32", "int32", "big endian", "strided", "bytes", "array", "tensor", "list", "tuple with a sign"],
)
def test_masks(words: Any) -> None:
    low = ROW.copy()
    low[63] = -50
    assert greedy().sample_masked(low, words) == 7


@pytest.mark.parametrize(
    "tokens",
    [
        [3, 5], (3, 5), np.array([3, 5], np.int32), np.array([3, 5], np.int64), np.array([3, 5], np.uint8), np.array([3, 0, 5, 0])[::2],
        array.array("i", [3, 5]), array.array("q", [3, 5]), range(3, 6, 2), Tensor(np.array([3, 5]), dtype="torch.int64"),
    ],
    ids=["list", "tuple", "int32", "int64", "uint8", "strided", "array", "array q", "range", "tensor"],
)  # fmt: skip
def test_token_ids(tokens: Any) -> None:
    sampler = bankml.Sampler({"samplers": ["penalties"], "presence_penalty": 1}, n_vocab=8)
    sampler.keep()
    sampler.accept(tokens)
    sampler.sample(np.zeros(8, np.float32))
    assert np.flatnonzero(sampler.candidates().logits == -1).tolist() == [3, 5]
