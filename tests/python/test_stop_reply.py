"""Stop strings and replies: what comes out for any cut of a text, and the JSON of rows and of survivors, exactly."""

from __future__ import annotations

import copy
import json
import pickle
import random
from typing import Any

import bankml
import numpy as np
import pytest
from bankml import Reply, Stop, Vocab


def whole_text(text: bytes, strings: list[bytes]) -> tuple[bytes, int | None]:
    for end in range(1, len(text) + 1):
        ends = [i for i, string in enumerate(strings) if text[:end].endswith(string)]
        if ends:
            best = max(ends, key=lambda i: (len(strings[i]), -i))
            return text[: end - len(strings[best])], best
    return text, None


def test_any_cut_gives_the_whole_texts_result() -> None:
    rng = random.Random(1)
    for _ in range(500):
        alphabet = rng.choice(["ab", "aé€", "a😀"]).encode()
        strings = [bytes(rng.choices(alphabet, k=rng.randint(1, 4))) for _ in range(rng.randint(0, 4))]
        text = bytes(rng.choices(alphabet, k=rng.randint(0, 20)))
        stop = Stop(strings)
        out, at, matched = b"", 0, None
        while at < len(text):
            step = rng.randint(1, 4)
            out += stop.feed(text[at : at + step])
            matched = stop.matched
            at += step
        assert (out + stop.flush(), matched) == whole_text(text, strings)
        assert stop.matched is None


def test_over_token_borders() -> None:
    stop = Stop(["END", "\n\n"])
    assert stop.feed("a E") == b"a " and stop.held == 1 and stop.matched is None
    other = copy.deepcopy(stop)
    assert stop.feed(b"ND of text") == b"" and stop.matched == 0
    assert stop.feed(memoryview(b"more")) == b"" and stop.flush() == b"" and stop.matched is None
    assert other.feed("n") == b"En"
    other.feed("\n")
    other.reset()
    assert other.feed("\n") == b"" and other.flush() == b"\n"
    assert Stop([]).feed("é".encode()[:1]) == b""


def test_options() -> None:
    assert Stop(["ab", "abc"], include=True).feed("xabc") == b"xab"
    by_token = Stop(["c", "bcd"], by_token=True)
    assert by_token.feed("abcd") == b"a" and by_token.matched == 1
    assert by_token.clone().matched == 1


def test_stop_refusals() -> None:
    with pytest.raises(bankml.InvalidArgumentError, match="stop string 1 is empty"):
        Stop(["a", ""])
    with pytest.raises(bankml.LimitError, match="max_count"):
        Stop(["a"] * 65537)
    with pytest.raises(bankml.LimitError, match="max_bytes"):
        Stop([b"a" * (1 << 20), "b"])
    with pytest.raises(TypeError):
        Stop("END")
    wrong: Any = 5
    with pytest.raises(TypeError):
        Stop(["a"]).feed(wrong)
    with pytest.raises(TypeError):
        pickle.dumps(Stop(["a"]))


VOCAB = Vocab(["Hello", "\n", "<eos>", b"\xf0\x9f", b"\x98\x80"], [0, 0, bankml.TokenFlags.CONTROL, 0, 0], eos=2)


def test_reply_of_a_row() -> None:
    sampler = bankml.Sampler(n_vocab=5, seed=1)
    logits = np.full(5, -np.inf, np.float32)
    logits[:2] = 1
    probs = sampler.token_probs(logits, 3, 2)
    assert probs.sampled_p == 0
    reply = Reply("llama-server", VOCAB)
    reply.add(3, probs.sampled_p, probs)
    one = '{"id":1,"token":"\\n","bytes":[10],"logprob":-0.6931471824645996}'
    two = '{"id":0,"token":"Hello","bytes":[72,101,108,108,111],"logprob":-0.6931471824645996}'
    tops = [",".join((one, two)), ",".join((two, one))]
    first = '[{"id":3,"token":"","bytes":[240,159],"logprob":-3.4028234663852886e+38,"top_logprobs":['
    assert reply.json() in [first + top + "]}]" for top in tops]


def test_reply_after_sampling() -> None:
    sampler = bankml.Sampler(n_vocab=5, seed=1, top_k=1)
    sampler.keep()
    token = sampler.sample(np.array([0, 3, 1, 2, -1], np.float32))
    reply = Reply("llama-server", VOCAB, post_sampling=True)
    reply.add(token, 1, sampler.post_probs(3))
    assert reply.json() == (
        '[{"id":1,"token":"\\n","bytes":[10],"prob":1.0,"top_probs":[{"id":1,"token":"\\n","bytes":[10],"prob":1.0}]}]'
    )


def test_openai_formats() -> None:
    top = bankml.TopProbs(np.array([0, 4], np.int32), np.array([0.5, 0.25], np.float32))
    chat = Reply("openai-chat", VOCAB)
    chat.add(np.int64(0), np.float32(0.5), top)
    assert chat.json() == (
        '{"content":[{"token":"Hello","logprob":-0.6931472,"bytes":[72,101,108,108,111],"top_logprobs":['
        '{"token":"Hello","logprob":-0.6931472,"bytes":[72,101,108,108,111]},'
        '{"token":"\\\\x98\\\\x80","logprob":-1.3862944,"bytes":[152,128]}]}],"refusal":null}'
    )
    completions = Reply("openai-completions", VOCAB, special=True)
    completions.set_text_offset(7)
    completions.add(2, 0.0)
    completions.add(0, 1.0, text="Hé")
    parts = json.loads(completions.json())
    assert parts["tokens"] == ["<eos>", "Hé"] and parts["token_logprobs"] == [-9999.0, 0.0] and parts["text_offset"] == [7, 12]
    completions.clear()
    completions.add(1, 1.0)
    assert completions.json() == '{"tokens":["\\n"],"token_logprobs":[0.0],"top_logprobs":[{"\\n":0.0}],"text_offset":[14]}'


def test_reply_refusals() -> None:
    wrong: Any = "xml"
    with pytest.raises(bankml.InvalidArgumentError, match="unknown format 'xml'"):
        Reply(wrong, VOCAB)
    with pytest.raises(bankml.InvalidArgumentError, match="after sampling"):
        Reply("openai-chat", VOCAB, post_sampling=True)
    reply = Reply("llama-server-chat", VOCAB)
    for token, p in ((-1, 0.5), (2**40, 0.5), (0, 1.5), (0, float("nan")), (0, 1e300)):
        with pytest.raises(bankml.InvalidArgumentError):
            reply.add(token, p)
    with pytest.raises(bankml.InvalidArgumentError):
        reply.set_text_offset(-1)
    with pytest.raises(TypeError):
        pickle.dumps(reply)
    assert reply.json() == '{"content":[]}'
