#!/usr/bin/env python3
"""Masks of bankml, xgrammar and llguidance in each other's hands: one layout, so that each library's mask serves the others' calls.

Along texts of grammars that all three read, the three masks are equal sets; bankml's mask goes through the peers' functions that apply
a mask to logits, and theirs into ``Sampler.sample_masked``: the token is the same. Needs bankml, llguidance, and xgrammar with what it
imports but PyTorch and transformers: for those stand-ins are given, since they would bring gigabytes of other things and are used for
types alone.

    python tests/peers/masks.py        last line: N passed, N failed
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from typing import Any

import bankml
import numpy as np
import numpy.typing as npt

Words = npt.NDArray[np.int32]
Row = npt.NDArray[np.float32]


class Tensor:
    """What xgrammar asks of a tensor on the CPU, over a numpy array's memory."""

    device = types.SimpleNamespace(type="cpu")

    def __init__(self, array: npt.NDArray[Any]) -> None:
        self.array, self.shape, self.dtype = array, array.shape, str(array.dtype)

    def dim(self) -> int:
        return self.array.ndim

    def stride(self) -> tuple[int, ...]:
        return tuple(step // self.array.itemsize for step in self.array.strides)

    def data_ptr(self) -> int:
        return int(self.array.ctypes.data)


def import_xgrammar() -> Any:
    import tvm_ffi  # type: ignore[import-not-found]  # noqa: F401  # before the stand-in: it would take that for PyTorch

    torch: Any = types.ModuleType("torch")
    torch.Tensor = torch.LongTensor = torch.FloatTensor = Tensor
    torch.int32, torch.float32, torch.tensor = "int32", "float32", lambda value, dtype: value
    transformers: Any = types.ModuleType("transformers")
    transformers.PreTrainedTokenizerBase = transformers.PreTrainedTokenizerFast = transformers.LogitsProcessor = object
    sys.modules.update(torch=torch, transformers=transformers)
    import xgrammar  # type: ignore[import-not-found]

    return xgrammar


# ASCII by single bytes, pieces over several of a grammar's symbols, whole characters of two to four bytes, an end token.
PIECES = [bytes([i]) for i in range(128)]
PIECES += [piece.encode() for piece in ('{"', '":', '": ', '"}', '","', "true", "tru", "null", "fal", "se", "}}", "]}", "12", ".5", "e+1")]
PIECES += [piece.encode() for piece in ("hello", " world", "he", "llo", "\\n", "\\u00", "é", "€uro", "😀", "ab", "abc", "aab", "  ", "\n ")]
EOS = len(PIECES)
PIECES.append(b"</s>")
N = len(PIECES)

JSON = r'''root ::= object
object ::= "{" (pair ("," pair)*)? "}"
pair ::= string ":" value
array ::= "[" (value ("," value)*)? "]"
value ::= object | array | string | number | "true" | "false" | "null"
string ::= "\"" ([^"\\\x00-\x1F] | "\\" (["\\/bfnrt] | "u" [0-9a-fA-F] [0-9a-fA-F] [0-9a-fA-F] [0-9a-fA-F]))* "\""
number ::= "-"? ("0" | [1-9] [0-9]*) ("." [0-9]+)? ([eE] [+-]? [0-9]+)?
'''
CASES = [
    (JSON, '{"hello":[1,-2.5e+1,true,null],"é€uro":{"a\\n\\u00ff":"😀 world"},"x":{}}'),
    ('root ::= "ab" [a-c]* ("x" | "yz"){1,3} "."\n', "ababcaabxyzx."),
    ('root ::= ("true" | "false" | "null") (" " [0-9]+)?\n', "false 120"),
]


def tokens_of(text: str) -> list[int]:
    """The longest piece that fits, again and again."""
    rest, tokens = text.encode(), []
    while rest:
        token = max((i for i, piece in enumerate(PIECES) if i != EOS and rest.startswith(piece)), key=lambda i: len(PIECES[i]))
        tokens.append(token)
        rest = rest[len(PIECES[token]) :]
    return tokens


class Ours:
    def __init__(self, vocab: bankml.Vocab, text: str) -> None:
        self.grammar = bankml.Grammar.from_gbnf(vocab, text)

    def mask(self, out: Words) -> None:
        self.grammar.mask(out)

    def accept(self, token: int) -> None:
        self.grammar.accept(token)


class XGrammar:
    def __init__(self, library: Any, text: str) -> None:
        info = library.TokenizerInfo(PIECES, library.VocabType.RAW, vocab_size=N, stop_token_ids=[EOS])
        self.matcher = library.GrammarMatcher(library.GrammarCompiler(info).compile_grammar(text))

    def mask(self, out: Words) -> None:
        out[:] = -1  # it may leave a full mask as it is
        self.matcher.fill_next_token_bitmask(out.reshape(1, -1), 0)

    def accept(self, token: int) -> None:
        assert self.matcher.accept_token(token)


class LLGuidance:
    def __init__(self, tokenizer: Any, text: str) -> None:
        import llguidance  # type: ignore[import-not-found]
        from llguidance.gbnf_to_lark import gbnf_to_lark  # type: ignore[import-not-found]

        self.matcher = llguidance.LLMatcher(tokenizer, llguidance.grammar_from("lark", gbnf_to_lark(text)))
        assert not self.matcher.is_error(), self.matcher.get_error()

    def mask(self, out: Words) -> None:
        self.matcher.unsafe_compute_mask_ptr(out.ctypes.data, out.nbytes)

    def accept(self, token: int) -> None:
        assert self.matcher.consume_token(token), self.matcher.get_error()


def llguidance_tokenizer() -> Any:
    import llguidance

    class Bytes:
        eos_token_id, bos_token_id, tokens, special_token_ids = EOS, None, PIECES, [EOS]

        def __call__(self, text: bytes | str) -> list[int]:
            return tokens_of(text if isinstance(text, str) else text.decode(errors="replace"))

    return llguidance.LLTokenizer(llguidance.TokenizerWrapper(Bytes()), n_vocab=N)


def appliers(xgrammar: Any) -> dict[str, Callable[[Row, Words], None]]:
    from llguidance.numpy import apply_token_bitmask_inplace  # type: ignore[import-not-found]

    def by_xgrammar(logits: Row, words: Words) -> None:
        xgrammar.apply_token_bitmask_inplace(Tensor(logits), Tensor(words), backend="cpu")

    return {"xgrammar": by_xgrammar, "llguidance": apply_token_bitmask_inplace}


def allowed(words: Words) -> list[int]:
    bits = np.unpackbits(words.view(np.uint8), bitorder="little")[:N]
    return [int(i) for i in np.flatnonzero(bits)]


def main() -> None:
    xgrammar = import_xgrammar()
    vocab = bankml.Vocab(PIECES, [0] * EOS + [bankml.TokenFlags.EOG | bankml.TokenFlags.CONTROL], eos=EOS)
    tokenizer, apply = llguidance_tokenizer(), appliers(xgrammar)
    passed = failed = 0

    def check(holds: bool, what: str) -> None:
        nonlocal passed, failed
        passed, failed = passed + holds, failed + (not holds)
        if not holds:
            print(f"failed: {what}")

    rng = np.random.default_rng(5)
    for text, walk in CASES:
        everyone: dict[str, Any] = {"bankml": Ours(vocab, text), "xgrammar": XGrammar(xgrammar, text), "llguidance": LLGuidance(tokenizer, text)}
        for at, token in enumerate([*tokens_of(walk), EOS]):
            where = f"{text.splitlines()[0]}, place {at}"
            masks = {name: np.zeros((N + 31) // 32, np.int32) for name in everyone}
            for name, one in everyone.items():
                one.mask(masks[name])
            ours, forced = allowed(masks["bankml"]), everyone["bankml"].grammar.forced()
            logits = rng.standard_normal(N).astype(np.float32)
            expected = bankml.Sampler(n_vocab=N, seed=at).sample_masked(logits, masks["bankml"])
            for name in ("xgrammar", "llguidance"):
                theirs = allowed(masks[name])
                difference = [PIECES[i] for i in sorted(set(ours) ^ set(theirs))]
                # Where the text is forced, llguidance allows only the token that its own tokenizer would take.
                fewer = name == "llguidance" and forced != b"" and 0 < len(theirs) and set(theirs) < set(ours)
                check(fewer or not difference, f"{where}: {name} and bankml differ in {difference}")
                drawn = bankml.Sampler(n_vocab=N, seed=at).sample_masked(logits, masks[name])
                check(drawn in theirs if fewer else drawn == expected, f"{where}: {name}'s mask in a draw")
                row = logits.copy()
                apply[name](row, masks["bankml"])
                check(np.flatnonzero(row > -np.inf).tolist() == ours, f"{where}: bankml's mask through {name}")
                check(bankml.Sampler(n_vocab=N, seed=at).sample(row) == expected, f"{where}: a draw from the row that {name} masked")
            for one in everyone.values():
                one.accept(token)
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
