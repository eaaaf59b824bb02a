"""Vocabularies from pieces and from GGUF files."""

from __future__ import annotations

import mmap
from pathlib import Path

import bankml
import pytest

ROOT = Path(__file__).resolve().parents[2]
GGUF_FOLDER = ROOT / "tests/vectors/vocab"
TINY_GGUF = ROOT / "examples/tiny-model/tiny-model.gguf"


def test_pieces_flags_and_ends() -> None:
    vocab = bankml.Vocab(
        ["a", "ü", b"\xff", bytearray(b""), "</s>"], flags=[0, 0, bankml.TokenFlags.BYTE, 0, 3], eos=4
    )
    assert vocab.size == len(vocab) == 5
    assert [vocab.piece(i) for i in range(5)] == [b"a", "ü".encode(), b"\xff", b"", b"</s>"]
    assert vocab.flags(4) == bankml.TokenFlags.CONTROL | bankml.TokenFlags.EOG and vocab.flags(2) is bankml.TokenFlags.BYTE
    assert (vocab.eos, vocab.eot, vocab.bos) == (4, None, None)
    assert repr(vocab) == "<bankml.Vocab of 5 tokens>"


def test_equal_vocabularies_have_equal_fingerprints() -> None:
    assert bankml.Vocab(["a", "b"]).fingerprint == bankml.Vocab([b"a", b"b"]).fingerprint != bankml.Vocab(["ab", ""]).fingerprint


def test_what_does_not_fit_is_refused() -> None:
    for token in (-1, 2, 2**70):
        with pytest.raises(bankml.InvalidArgumentError, match="token"):
            bankml.Vocab(["a", "b"]).piece(token)
        with pytest.raises(bankml.InvalidArgumentError, match="token"):
            bankml.Vocab(["a", "b"]).flags(token)
    with pytest.raises(bankml.InvalidArgumentError, match="flags"):
        bankml.Vocab(["a"], flags=[0, 0])
    with pytest.raises(bankml.InvalidArgumentError):
        bankml.Vocab(["a"], eos=1)
    with pytest.raises(bankml.InvalidArgumentError):
        bankml.Vocab([])
    with pytest.raises(TypeError):
        bankml.Vocab([1])  # type: ignore[list-item]
    with pytest.raises(bankml.InvalidArgumentError, match="tokenize"):
        bankml.Vocab(["a"]).tokenize("a")


def test_from_a_file_or_its_bytes() -> None:
    path = GGUF_FOLDER / "spm-test.gguf"
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        vocabs = [bankml.Vocab.from_gguf(source) for source in (path, str(path), path.read_bytes(), mapped)]
    assert len({vocab.fingerprint for vocab in vocabs}) == 1
    vocab = vocabs[0]
    assert (vocab.size, vocab.eos, vocab.eot, vocab.bos) == (695, 2, 691, 1)
    assert bankml.TokenFlags.EOG in vocab.flags(2)
    for missing in ("nowhere.gguf", "with\udcffodd-name.gguf"):
        with pytest.raises(bankml.InvalidArgumentError, match="gguf"):
            bankml.Vocab.from_gguf(missing)
    with pytest.raises(bankml.InvalidArgumentError):
        bankml.Vocab.from_gguf(b"no such file")
    with pytest.raises(TypeError):
        bankml.Vocab.from_gguf(5)  # type: ignore[arg-type]


def test_tokenize() -> None:
    vocab = bankml.Vocab.from_gguf(GGUF_FOLDER / "spm-test.gguf")
    tokens = vocab.tokenize("hello")
    assert b"".join(vocab.piece(token) for token in tokens).lstrip(b" ") == b"hello"
    assert vocab.tokenize(b"hello") == tokens and vocab.tokenize("") == []


def test_breakers_are_prepared_once() -> None:
    vocab = bankml.Vocab(["a", "b\n", "c"])
    for _ in range(3):
        bankml.Sampler(vocab=vocab, dry_multiplier=1, dry_sequence_breakers=["\n"])
    assert vocab.breaker_scans == 1
