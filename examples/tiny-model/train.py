#!/usr/bin/env python3
"""Trains the tiny model and writes tiny-model.gguf.

    python3 -m venv v && v/bin/pip install -r requirements.txt
    v/bin/python train.py            # about two minutes on one core; writes tiny-model.gguf
    v/bin/python train.py --check    # trains again and compares with the file that is checked in
    v/bin/python train.py --record   # prints the tokens and logits that tiny_model_test.cpp expects of that file

The model: a byte-level BPE vocabulary of 1,024 tokens and one gated recurrent layer (GRU) of 256 units whose embedding matrix is
also its output matrix. Small enough to be embedded in a program and to be read in a minute; its only task is to give the
sampling examples real distributions over words. The weights are stored as GGUF's Q8_0 (int8 in blocks of 32 with a scale).

Bits: the same file comes out every time because everything that could differ is fixed below, before numpy is imported: the
seed, one thread, the kernels of OpenBLAS and of numpy (their AVX2 forms, so a CPU with AVX2 is needed), and the versions
in requirements.txt.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time

FIXED = {
    "OPENBLAS_NUM_THREADS": "1",
    "OPENBLAS_CORETYPE": "Haswell",
    "NPY_DISABLE_CPU_FEATURES": "AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL AVX512_SPR",
    "PYTHONHASHSEED": "0",
}
if any(os.environ.get(k) != v for k, v in FIXED.items()):
    os.environ.update(FIXED)
    os.environ.pop("OPENBLAS_L2_SIZE", None)
    os.execv(sys.executable, [sys.executable, *sys.argv])

import warnings

warnings.simplefilter("ignore", ImportWarning)

import gguf
import numpy as np

import corpus

SEED = 20
N_VOCAB = 1024
HIDDEN = 256
STORIES = 4000
EPOCHS = 2
BATCH = 40
STEPS = 64
HERE = os.path.dirname(os.path.abspath(__file__))
MODEL = os.path.join(HERE, "tiny-model.gguf")
END = "<|endoftext|>"

# ---- Vocabulary: byte-level BPE as GPT-2 defines it -------------------------------------------------------------------------


def byte_letters() -> list[str]:
    """The printable letter that stands for each byte in a token's text."""
    kept = [*range(33, 127), *range(161, 173), *range(174, 256)]
    letters, extra = {}, 0
    for b in kept:
        letters[b] = chr(b)
    for b in range(256):
        if b not in letters:
            letters[b] = chr(256 + extra)
            extra += 1
    return [letters[b] for b in range(256)]


def char_class(ch: str) -> int:
    if ch.isspace():
        return 0
    return 1 if ch.isalpha() else 2 if ch.isdigit() else 3


def words(text: str) -> list[str]:
    """Runs of letters, of digits or of other characters, each with at most one space before it; runs of white space.

    tiny_model.cpp has the same rule; merges never cross a word.
    """
    out, i, n = [], 0, len(text)
    while i < n:
        start = i
        if text[i] == " " and i + 1 < n and not text[i + 1].isspace():
            i += 1
        kind = char_class(text[i])
        while i < n and char_class(text[i]) == kind:
            i += 1
        # White space before a word leaves its last space to the word.
        if kind == 0 and i < n and i - start > 1 and text[i - 1] == " ":
            i -= 1
        out.append(text[start:i])
    return out


def learn_merges(texts: list[str], count: int) -> list[tuple[str, str]]:
    letters = byte_letters()
    frequency: dict[str, int] = {}
    for text in texts:
        for word in words(text):
            frequency[word] = frequency.get(word, 0) + 1
    split = [([letters[b] for b in word.encode()], times) for word, times in sorted(frequency.items())]
    merges = []
    while len(merges) < count:
        pairs: dict[tuple[str, str], int] = {}
        for symbols, times in split:
            for pair in zip(symbols, symbols[1:]):
                pairs[pair] = pairs.get(pair, 0) + times
        if not pairs:
            break
        best = max(pairs, key=lambda p: (pairs[p], p))
        merges.append(best)
        for symbols, _ in split:
            merge(symbols, best)
    return merges


def merge(symbols: list[str], pair: tuple[str, str]) -> None:
    i = 0
    while i + 1 < len(symbols):
        if (symbols[i], symbols[i + 1]) == pair:
            symbols[i : i + 2] = [pair[0] + pair[1]]
        i += 1


class Tokenizer:
    def __init__(self, texts: list[str]) -> None:
        self.letters = byte_letters()
        # What the text does not fill is left to pairs of letters, so the vocabulary always has its size.
        merges = learn_merges(texts, N_VOCAB - 257)
        self.tokens = sorted(self.letters) + [a + b for a, b in merges]
        self.merges = merges
        while len(self.tokens) < N_VOCAB - 1:
            self.tokens.append(f"<unused{len(self.tokens)}>")
        self.tokens.append(END)
        self.ids = {t: i for i, t in enumerate(self.tokens)}
        self.rank = {m: i for i, m in enumerate(merges)}
        self.cache: dict[str, list[int]] = {}

    def encode(self, text: str) -> list[int]:
        out = []
        for word in words(text):
            if word not in self.cache:
                symbols = [self.letters[b] for b in word.encode()]
                while len(symbols) > 1:
                    best = min(zip(symbols, symbols[1:]), key=lambda p: self.rank.get(p, len(self.rank)))
                    if best not in self.rank:
                        break
                    merge(symbols, best)
                self.cache[word] = [self.ids[s] for s in symbols]
            out += self.cache[word]
        return out


# ---- Network ----------------------------------------------------------------------------------------------------------------


def sigmoid(x: np.ndarray) -> np.ndarray:
    return (1.0 / (1.0 + np.exp(-x))).astype(np.float32)


class Network:
    """h' = (1 - z) * n + z * h with z, r gates and n = tanh(Wn x + r * (Un h + bu) + bn); logits = E h' + b."""

    def __init__(self, rng: np.random.Generator) -> None:
        def matrix(rows: int, scale: float) -> np.ndarray:
            return (rng.standard_normal((rows, HIDDEN)) * scale).astype(np.float32)

        self.p = {
            "E": matrix(N_VOCAB, 0.08),
            "W": matrix(3 * HIDDEN, HIDDEN**-0.5),
            "U": matrix(3 * HIDDEN, HIDDEN**-0.5),
            "bw": np.zeros(3 * HIDDEN, np.float32),
            "bu": np.zeros(3 * HIDDEN, np.float32),
            "b": np.zeros(N_VOCAB, np.float32),
        }

    def loss_and_gradients(self, x: np.ndarray, y: np.ndarray, h0: np.ndarray):
        """x, y: [steps, batch] ids; h0: [batch, hidden]. Returns mean loss, gradients, last state."""
        p, steps, batch = self.p, x.shape[0], x.shape[1]
        H = HIDDEN
        emb = p["E"][x]
        wx = (emb.reshape(-1, H) @ p["W"].T + p["bw"]).reshape(steps, batch, 3 * H)
        hs, saved, h = np.empty((steps, batch, H), np.float32), [], h0
        for t in range(steps):
            uh = h @ p["U"].T + p["bu"]
            z = sigmoid(wx[t, :, :H] + uh[:, :H])
            r = sigmoid(wx[t, :, H : 2 * H] + uh[:, H : 2 * H])
            n = np.tanh(wx[t, :, 2 * H :] + r * uh[:, 2 * H :])
            saved.append((h, z, r, n, uh[:, 2 * H :]))
            h = (1 - z) * n + z * h
            hs[t] = h
        flat = hs.reshape(-1, H)
        logits = flat @ p["E"].T + p["b"]
        logits -= logits.max(axis=1, keepdims=True)
        prob = np.exp(logits)
        prob /= prob.sum(axis=1, keepdims=True)
        rows = np.arange(flat.shape[0])
        target = y.reshape(-1)
        loss = -np.log(prob[rows, target] + 1e-12).mean()
        prob[rows, target] -= 1
        prob /= np.float32(flat.shape[0])
        g = {"E": prob.T @ flat, "b": prob.sum(axis=0)}
        dhs = (prob @ p["E"]).reshape(steps, batch, H)
        dwx = np.empty_like(wx)
        duh_all = np.empty_like(wx)
        dh = np.zeros((batch, H), np.float32)
        for t in reversed(range(steps)):
            before, z, r, n, un = saved[t]
            dh = dh + dhs[t]
            dn = dh * (1 - z) * (1 - n * n)
            dz = dh * (before - n) * z * (1 - z)
            dr = dn * un * r * (1 - r)
            dwx[t] = np.concatenate([dz, dr, dn], axis=1)
            duh_all[t] = np.concatenate([dz, dr, dn * r], axis=1)
            dh = dh * z + duh_all[t] @ p["U"]
        dwx_flat, duh = dwx.reshape(-1, 3 * H), duh_all.reshape(-1, 3 * H)
        previous = np.concatenate([h0[None], hs[:-1]]).reshape(-1, H)
        g["W"] = dwx_flat.T @ emb.reshape(-1, H)
        g["U"] = duh.T @ previous
        g["bw"], g["bu"] = dwx_flat.sum(axis=0), duh.sum(axis=0)
        np.add.at(g["E"], x.reshape(-1), dwx_flat @ p["W"])
        return float(loss), g, hs[-1]


def train(ids: list[int]) -> Network:
    rng = np.random.default_rng(SEED)
    net = Network(rng)
    length = (len(ids) - 1) // BATCH
    x = np.array(ids[: length * BATCH], np.int64).reshape(BATCH, length).T
    y = np.array(ids[1 : length * BATCH + 1], np.int64).reshape(BATCH, length).T
    blocks = length // STEPS
    total, done, began, mean = EPOCHS * blocks, 0, time.time(), None
    m = {k: np.zeros_like(v) for k, v in net.p.items()}
    v = {k: np.zeros_like(w) for k, w in net.p.items()}
    for epoch in range(EPOCHS):
        h = np.zeros((BATCH, HIDDEN), np.float32)
        for block in range(blocks):
            part = slice(block * STEPS, (block + 1) * STEPS)
            loss, grads, h = net.loss_and_gradients(x[part], y[part], h)
            norm = float(np.sqrt(sum(float((g * g).sum()) for g in grads.values())))
            scale = np.float32(min(1.0, 1.0 / (norm + 1e-9)))
            done += 1
            rate = 4e-3 * min(1.0, done / 50) * (1 - 0.97 * done / total)
            for k, g in grads.items():
                g = g * scale
                m[k] = 0.9 * m[k] + 0.1 * g
                v[k] = 0.99 * v[k] + 0.01 * g * g
                step = rate / (1 - 0.9**done) * m[k] / (np.sqrt(v[k] / (1 - 0.99**done)) + 1e-8)
                net.p[k] = (net.p[k] - step).astype(np.float32)
            mean = loss if mean is None else 0.95 * mean + 0.05 * loss
            if done % 50 == 0 or done == total:
                print(f"  epoch {epoch + 1}, block {done}/{total}, loss {mean:.3f}, {time.time() - began:.0f} s", flush=True)
    return net


# ---- File -------------------------------------------------------------------------------------------------------------------


def write(path: str, tok: Tokenizer, net: Network) -> None:
    w = gguf.GGUFWriter(path, "bankml-tiny-gru")
    w.add_name("bankml tiny model")
    w.add_description("Little stories from one recurrent layer: the example model of bankml")
    w.add_license("apache-2.0")
    w.add_uint32("bankml-tiny-gru.embedding_length", HIDDEN)
    w.add_uint32("bankml-tiny-gru.vocab_size", N_VOCAB)
    w.add_uint32("general.file_type", int(gguf.LlamaFileType.MOSTLY_Q8_0))
    w.add_float32("general.sampling.temp", 0.8)
    w.add_int32("general.sampling.top_k", 40)
    w.add_float32("general.sampling.top_p", 0.95)
    w.add_float32("general.sampling.min_p", 0.05)
    w.add_tokenizer_model("gpt2")
    w.add_tokenizer_pre("gpt-2")
    types = []
    for t in tok.tokens:
        kind = gguf.TokenType.CONTROL if t == END else gguf.TokenType.UNUSED if t.startswith("<unused") else gguf.TokenType.NORMAL
        types.append(int(kind))
    w.add_token_list(tok.tokens)
    w.add_token_types(types)
    w.add_token_merges([f"{a} {b}" for a, b in tok.merges])
    w.add_bos_token_id(N_VOCAB - 1)
    w.add_eos_token_id(N_VOCAB - 1)
    w.add_add_bos_token(False)
    names = {"E": "token_embd.weight", "W": "gru.input.weight", "U": "gru.state.weight"}
    for key, name in names.items():
        quantized = gguf.quants.quantize(net.p[key], gguf.GGMLQuantizationType.Q8_0)
        w.add_tensor(name, quantized, raw_dtype=gguf.GGMLQuantizationType.Q8_0)
    for key, name in {"b": "output.bias", "bw": "gru.input.bias", "bu": "gru.state.bias"}.items():
        w.add_tensor(name, net.p[key])
    w.write_header_to_file()
    w.write_kv_data_to_file()
    w.write_tensors_to_file()
    w.close()


def record(tok: Tokenizer) -> None:
    """The network in plain numpy over the weights as the file has them: an independent answer for the C++ one."""
    tensors = {t.name: gguf.quants.dequantize(t.data, t.tensor_type) for t in gguf.GGUFReader(MODEL).tensors}
    E, W, U = (tensors[n].reshape(-1, HIDDEN) for n in ("token_embd.weight", "gru.input.weight", "gru.state.weight"))
    ids = tok.encode("Once upon a time there was a clever fox.")
    h = np.zeros(HIDDEN, np.float32)
    for i in [tok.ids[END]] + ids:
        a, u = W @ E[i] + tensors["gru.input.bias"], U @ h + tensors["gru.state.bias"]
        z, r = sigmoid(a[:HIDDEN] + u[:HIDDEN]), sigmoid(a[HIDDEN : 2 * HIDDEN] + u[HIDDEN : 2 * HIDDEN])
        h = (1 - z) * np.tanh(a[2 * HIDDEN :] + r * u[2 * HIDDEN :]) + z * h
    logits = E @ h + tensors["output.bias"]
    print("tokens:", ", ".join(map(str, ids)))
    print("logits 0, 100, ..., 700:", ", ".join(f"{logits[i * 100]:.5f}f" for i in range(8)))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare with the checked-in file instead of writing it")
    parser.add_argument("--record", action="store_true", help="print what the C++ test expects of the checked-in file")
    args = parser.parse_args()
    texts = corpus.stories(SEED, STORIES)
    tok = Tokenizer(texts)
    if args.record:
        record(tok)
        return 0
    end = tok.ids[END]
    ids = [end]
    for text in texts:
        ids += tok.encode(text) + [end]
    print(f"{STORIES} stories, {sum(map(len, texts))} characters, {len(ids)} tokens, {len(tok.merges)} merges", flush=True)
    net = train(ids)
    if not args.check:
        write(MODEL, tok, net)
        print(f"wrote {os.path.relpath(MODEL)}, {os.path.getsize(MODEL)} bytes")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "again.gguf")
        write(path, tok, net)
        with open(path, "rb") as a, open(MODEL, "rb") as b:
            same = a.read() == b.read()
    print("the checked-in file is what this script writes" if same else "DIFFERENT: the checked-in file is not what this script writes")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
