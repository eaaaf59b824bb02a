"""The example language model in numpy: text in, logits out. Example code; an engine of your own stands here.

The same network, file and tokenizer as examples/tiny-model (its README says what the model is): one gated recurrent layer between an
embedding and the same embedding as output. Matrices are multiplied column by column, as the C++ twin does, so that both add in the
same order and the example programs of every language print the same. Some hundred tokens a second.
"""

from __future__ import annotations

import math
import os
import re
import struct
from pathlib import Path
from typing import Any

import numpy as np

FILE = Path(os.environ.get("TINY_MODEL", Path(__file__).resolve().parents[1] / "tiny-model" / "tiny-model.gguf"))
_NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}


class GgufReader:
    """Just enough of GGUF for this one file: metadata, and tensors of type F32 and Q8_0."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 4
        _, n_tensors, n_values = self.number("I"), self.number("Q"), self.number("Q")
        self.values = {self.text().decode(): self.value(self.number("I")) for _ in range(n_values)}
        rows = [(self.text().decode(), [self.number("Q") for _ in range(self.number("I"))], self.number("I"), self.number("Q"))
                for _ in range(n_tensors)]  # fmt: skip
        start = -(-self.at // 32) * 32
        self.tensors = {name: self.tensor(start + offset, shape, kind) for name, shape, kind, offset in rows}

    def number(self, kind: str) -> Any:
        (value,) = struct.unpack_from("<" + kind, self.data, self.at)
        self.at += struct.calcsize(kind)
        return value

    def text(self) -> bytes:
        length = self.number("Q")
        self.at += length
        return self.data[self.at - length : self.at]

    def value(self, kind: int) -> Any:
        if kind == 8:
            return self.text().decode()
        if kind == 9:
            item, count = self.number("I"), self.number("Q")
            return [self.value(item) for _ in range(count)]
        return self.number(_NUMBERS[kind])

    def tensor(self, start: int, shape: list[int], kind: int) -> np.ndarray:
        count = math.prod(shape)
        if kind == 0:
            flat = np.frombuffer(self.data, "<f4", count, start)
        else:  # Q8_0: blocks of one float16 scale and 32 signed bytes
            blocks = np.frombuffer(self.data, [("scale", "<f2"), ("q", "i1", 32)], count // 32, start)
            flat = (blocks["scale"].astype(np.float32)[:, None] * blocks["q"].astype(np.float32)).reshape(-1)
        return flat.reshape(shape[::-1]).astype(np.float32)


def _letters() -> dict[str, int]:
    """GPT-2's alphabet: the character that stands for each byte."""
    printable = [b for b in range(256) if 33 <= b <= 126 or 161 <= b <= 172 or b >= 174]
    rest = [b for b in range(256) if b not in printable]
    return {chr(b): b for b in printable} | {chr(256 + i): b for i, b in enumerate(rest)}


class TinyModel:
    """Weights and tokenizer, read-only: any number of contexts may share it."""

    def __init__(self, path: Path = FILE) -> None:
        self.gguf = path.read_bytes()
        file = GgufReader(self.gguf)
        self.eos: int = file.values["tokenizer.ggml.eos_token_id"]
        letters, tokens = _letters(), file.values["tokenizer.ggml.tokens"]
        self.pieces = [bytes(letters[c] for c in token) if i != self.eos else b"" for i, token in enumerate(tokens)]
        self.n_vocab = len(tokens)
        self.of_byte = {piece[0]: i for i, piece in enumerate(self.pieces) if len(piece) == 1}
        ids = {token: i for i, token in enumerate(tokens)}
        pairs = [merge.split(" ") for merge in file.values["tokenizer.ggml.merges"]]
        self.merges = {(ids[a], ids[b]): (rank, ids[a + b]) for rank, (a, b) in enumerate(pairs)}
        self.weights = {name: np.ascontiguousarray(t.T) if t.ndim == 2 else t for name, t in file.tensors.items()}
        self.embedding = file.tensors["token_embd.weight"]

    def tokenize(self, text: str) -> list[int]:
        words = re.findall(rb" ?[A-Za-z\x80-\xff]+| ?[0-9]+| ?[^\sA-Za-z0-9\x80-\xff]+|\s+(?!\S)|\s+", text.encode())
        return [token for word in words for token in self._word([self.of_byte[b] for b in word])]

    def _word(self, symbols: list[int]) -> list[int]:
        while found := [(self.merges[pair][0], pair) for pair in zip(symbols, symbols[1:]) if pair in self.merges]:
            _, best = min(found)
            joined: list[int] = []
            for symbol in symbols:
                if joined and (joined[-1], symbol) == best:
                    joined[-1] = self.merges[best][1]
                else:
                    joined.append(symbol)
            symbols = joined
        return symbols

    def context(self) -> TinyContext:
        return TinyContext(self)


def _times(by_column: np.ndarray, x: np.ndarray, start: np.ndarray) -> np.ndarray:
    y = start.copy()
    for column, value in zip(by_column, x):
        y += column * value
    return y


def _each(function: Any, x: np.ndarray) -> np.ndarray:
    return np.array([function(float(v)) for v in x], np.float32)


class TinyContext:
    """The state of one sequence; `logits` are those of the next token, overwritten by the next step."""

    def __init__(self, model: TinyModel) -> None:
        self.model = model
        self.h = np.zeros(model.embedding.shape[1], np.float32)
        self.logits = np.empty(0, np.float32)
        self.step(model.eos)  # a story starts where another one ended

    def _read(self, token: int) -> None:
        w, one = self.model.weights, np.float32(1)
        a = _times(w["gru.input.weight"], self.model.embedding[token], w["gru.input.bias"])
        u = _times(w["gru.state.weight"], self.h, w["gru.state.bias"])
        n = len(self.h)
        z, r = (one / (one + _each(lambda v: math.exp(-v), (a + u)[i * n : (i + 1) * n])) for i in range(2))
        fresh = _each(math.tanh, a[2 * n :] + r * u[2 * n :])
        self.h = (one - z) * fresh + z * self.h

    def step(self, token: int) -> np.ndarray:
        self._read(token)
        self.logits = _times(self.model.weights["token_embd.weight"], self.h, self.model.weights["output.bias"])
        return self.logits

    def eval(self, tokens: list[int]) -> np.ndarray:
        for token in tokens[:-1]:
            self._read(token)
        return self.step(tokens[-1]) if tokens else self.logits
