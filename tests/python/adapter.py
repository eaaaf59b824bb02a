#!/usr/bin/env python3
"""The recorded cases through the Python package: answers the requests of `bankml_replay --adapter "python tests/python/adapter.py"`.

One request a line on stdin, one reply a line on stdout, `ok ...` or `error STATUS TEXT`; texts are hex, raw numbers follow a line as
little-endian bytes. Only the package's public names are used: what the recorded cases prove, a user of the package gets.
"""

from __future__ import annotations

import struct
import sys
from typing import Any, BinaryIO

import bankml
import numpy as np


def text_of(word: str) -> str:
    return bytes_of(word).decode()


def bytes_of(word: str) -> bytes:
    return b"" if word == "-" else bytes.fromhex(word)


def hex_of(data: str | bytes) -> str:
    return (data.encode() if isinstance(data, str) else data).hex() or "-"


def ids_of(words: list[str]) -> list[int]:
    return [int(word) for word in words]


def or_minus_one(token: int | None) -> int:
    return -1 if token is None else token


class Adapter:
    """Handles are numbers that count up; each method is a request, its arguments the words of the line."""

    def __init__(self, stdin: BinaryIO) -> None:
        self.stdin = stdin
        self.objects: dict[str, Any] = {}

    def keep_object(self, made: object) -> str:
        handle = str(len(self.objects) + 1)
        self.objects[handle] = made
        return handle

    def logits(self, n: str) -> np.ndarray:
        return np.frombuffer(self.stdin.read(4 * int(n)), "<f4")

    def hello(self) -> str:
        return f"python {bankml.version()}"

    def vocab(self, path: str) -> str:
        return self.keep_object(bankml.Vocab.from_gguf(text_of(path)))

    def vocab_info(self, v: str) -> str:
        vocab = self.objects[v]
        return f"{vocab.size} {or_minus_one(vocab.eos)} {or_minus_one(vocab.eot)} {or_minus_one(vocab.bos)}"

    def piece(self, v: str, token: str) -> str:
        vocab = self.objects[v]
        return f"{hex_of(vocab.piece(int(token)))} {int(vocab.flags(int(token)))}"

    def tokenize(self, v: str, data: str) -> str:
        return " ".join(map(str, self.objects[v].tokenize(bytes_of(data))))

    def params(self) -> str:
        return self.keep_object(bankml.Params())

    def set(self, p: str, name: str, json: str) -> str:
        self.objects[p].set_json(name, text_of(json))
        return ""

    def load(self, p: str, format: str, request: str) -> str:
        self.objects[p].load(bytes_of(request), format=format)
        return ""

    def get(self, p: str, name: str) -> str:
        return hex_of(self.objects[p].get_json(name))

    def number(self, p: str, name: str) -> str:
        return struct.pack(">d", self.objects[p].get_number(name)).hex()

    def table(self) -> str:
        return " ".join(f"{name} {hex_of(default)}" for name, default in bankml.param_defaults_json().items())

    def texts(self, p: str, v: str) -> str:
        texts = self.objects[p].open_texts(None if v == "-" else self.objects[v])
        return " ".join(f"{hex_of(text.text)} {text.purpose}" for text in texts)

    def answer(self, p: str, i: str, *ids: str) -> str:
        self.objects[p].answer(int(i), ids_of(list(ids)))
        return ""

    def sampler(self, p: str, v: str, n_vocab: str) -> str:
        params = None if p == "-" else self.objects[p]
        sampler = bankml.Sampler(params, None if v == "-" else self.objects[v], int(n_vocab) or None)
        return f"{self.keep_object(sampler)} {sampler.n_vocab}"

    def keep(self, s: str) -> str:
        self.objects[s].keep()
        return ""

    def accept(self, s: str, *ids: str) -> str:
        tokens = ids_of(list(ids))
        self.objects[s].accept(tokens[0] if len(tokens) == 1 else tokens)
        return ""

    def sample(self, s: str, n: str) -> str:
        logits = self.logits(n)
        return str(self.objects[s].sample(logits))

    def candidates(self, s: str) -> tuple[str, bytes]:
        ids, logits, p = self.objects[s].candidates()
        rows = np.zeros(len(ids), [("id", "<i4"), ("logit", "<f4"), ("p", "<f4")])
        rows["id"], rows["logit"], rows["p"] = ids, logits, p
        return str(len(ids)), rows.tobytes()

    def probs(self, s: str, sampled: str, n_top: str, n: str) -> tuple[str, bytes]:
        logits = self.logits(n)
        named = None if sampled == "-1" else int(sampled)
        sampled_p, ids, p = self.objects[s].token_probs(logits, named, int(n_top))
        bits = 0 if sampled_p is None else struct.unpack("<I", struct.pack("<f", sampled_p))[0]
        rows = np.zeros(len(ids), [("id", "<i4"), ("p", "<f4")])
        rows["id"], rows["p"] = ids, p
        return f"{len(ids)} {bits}", rows.tobytes()

    def grammar(self, v: str, text: str, *words: str) -> str:
        triggers = [
            bankml.Trigger.token(int(word)) if kind == "token" else getattr(bankml.Trigger, kind)(bytes_of(word))
            for kind, word in zip(words[::2], words[1::2])
        ]
        return self.keep_object(bankml.Grammar.from_gbnf(self.objects[v], bytes_of(text), triggers=triggers or None))

    def schema(self, v: str, text: str) -> str:
        return self.keep_object(bankml.Grammar.from_schema(self.objects[v], bytes_of(text), dialect="llama"))

    def mask(self, g: str) -> tuple[str, bytes]:
        words = self.objects[g].mask()
        return str(len(words)), words.astype("<u4").tobytes()

    def advance(self, g: str, token: str) -> str:
        self.objects[g].accept(int(token))
        return ""

    def sample_constrained(self, s: str, g: str, n: str) -> str:
        logits = self.logits(n)
        token, redrawn = self.objects[s].sample_constrained(logits, self.objects[g])
        return f"{token} {int(redrawn)}"

    def free(self, kind: str, handle: str) -> str:
        self.objects[handle] = None  # the number stays taken
        return ""

    def answer_line(self, line: str) -> bytes:
        name, *words = line.split(" ")
        try:
            reply: str | tuple[str, bytes] = getattr(self, name.replace("-", "_"))(*words)
        except bankml.BankmlError as error:
            return f"error {int(error.code)} {hex_of(str(error))}\n".encode()
        words_out, raw = reply if isinstance(reply, tuple) else (reply, b"")
        return f"ok {words_out}".rstrip().encode() + b"\n" + raw


def main() -> None:
    adapter = Adapter(sys.stdin.buffer)
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(adapter.answer_line(line.decode().rstrip("\n")))
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
