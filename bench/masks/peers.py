"""xgrammar and llguidance on the rows that prepare.mjs wrote:  python peers.py FOLDER OUT.json [--quick]

Per place the least of ten walks; *cold* = a new matcher with all that it keeps made anew, *warm* = what is kept was met before.
A mask is what the package writes into a bit mask of the caller; only that call is timed. Where a package refuses a grammar or a
token of the text, the row says so."""
import json
import statistics
import struct
import sys
import time
import types

import numpy as np

folder, out = sys.argv[1:3]
walks = 3 if "--quick" in sys.argv else 10
n_vocab = 128256
n_words = (n_vocab + 31) // 32


def stand_in(name, **members):
    """xgrammar imports these packages (2 GB) for tensors and for other tokenizers; its matcher takes numpy arrays as well."""
    module = types.ModuleType(name)
    module.__dict__.update(members)
    module.__getattr__ = lambda _: type("Unused", (), {})
    sys.modules[name] = module
    return module


def pieces():
    """The pieces as bytes, from the GGUF file: texts in GPT-2's alphabet of bytes."""
    data = open(f"{folder}/llama3.gguf", "rb").read()
    at = data.index(b"tokenizer.ggml.tokens") + len("tokenizer.ggml.tokens") + 8
    count, at = struct.unpack_from("<Q", data, at)[0], at + 8
    kept = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [b for b in range(256) if b not in kept]
    letters = {chr(b): b for b in kept} | {chr(256 + i): b for i, b in enumerate(others)}
    found = []
    for _ in range(count):
        size = struct.unpack_from("<Q", data, at)[0]
        text = data[at + 8:at + 8 + size].decode()
        at += 8 + size
        found.append(bytes(letters[c] for c in text) if all(c in letters for c in text) and len(found) < 128000 else text.encode())
    return found


def spread(times):
    times = sorted(1e6 * t for t in times)
    return {"average": statistics.fmean(times), "p50": times[len(times) // 2], "p99": times[len(times) * 99 // 100], "max": times[-1]}


def walk(tokens, begin, mask, accept):
    least = [1e9] * len(tokens)
    for _ in range(walks):
        matcher = begin()
        for i, token in enumerate(tokens):
            start = time.perf_counter()
            mask(matcher)
            least[i] = min(least[i], time.perf_counter() - start)
            if not accept(matcher, token):
                raise ValueError(f"refuses token {i} of the text")
    return spread(least)


def timed(call):
    start = time.perf_counter()
    value = call()
    return 1e6 * (time.perf_counter() - start), value


def llguidance_rows(rows, vocab):
    import llguidance
    from llguidance.gbnf_to_lark import any_to_lark

    class Tokenizer:
        eos_token_id, bos_token_id, special_token_ids = 128001, 128000, list(range(128000, n_vocab))
        tokens = vocab

        def __call__(self, text):
            return [0]

    tokenizer = llguidance.LLTokenizer(llguidance.TokenizerWrapper(Tokenizer()))
    words = np.zeros((1, n_words), dtype=np.int32)
    pointer = words.ctypes.data
    for row in rows:
        text = llguidance.LLMatcher.grammar_from_lark(any_to_lark(row["grammar"]))
        make = lambda: llguidance.LLMatcher(tokenizer, text)
        compile_us, first = min((timed(make) for _ in range(walks)), key=lambda pair: pair[0])
        if first.is_error():
            raise ValueError(first.get_error())
        mask = lambda m: m.unsafe_compute_mask_ptr(pointer, 4 * n_words)
        accept = lambda m, token: m.consume_token(token)
        kept = make()

        def again():
            kept.reset()
            return kept
        try:
            yield row["name"], {"compile_us": compile_us, "cold": walk(row["tokens"], make, mask, accept),
                                "warm": walk(row["tokens"], again, mask, accept)}
        except ValueError as error:
            yield row["name"], {"compile_us": compile_us, "error": str(error)}


def xgrammar_rows(rows, vocab):
    import tvm_ffi  # before the stand-in: it looks for a real torch
    torch = stand_in("torch", int32=np.int32, Tensor=np.ndarray, full=lambda *a, **k: None, tensor=lambda *a, **k: None)
    torch.cuda = types.SimpleNamespace(is_available=lambda: False)
    stand_in("transformers")
    import xgrammar
    info = xgrammar.TokenizerInfo(vocab, vocab_type=xgrammar.VocabType.RAW, vocab_size=n_vocab, stop_token_ids=[128001])
    words = np.zeros((1, n_words), dtype=np.int32)
    for row in rows:
        compiler = lambda: xgrammar.GrammarCompiler(info, max_threads=1, cache_enabled=False)
        own_json = row["name"].startswith("JSON")  # its own grammar of JSON, which it is much faster with than with the row's
        make = lambda: compiler().compile_builtin_json_grammar() if own_json else compiler().compile_grammar(row["grammar"])
        compile_us, compiled = min((timed(make) for _ in range(1 if walks < 10 else 3)), key=lambda pair: pair[0])
        begin = lambda: xgrammar.GrammarMatcher(compiled)
        mask = lambda m: m.fill_next_token_bitmask(words, 0)
        accept = lambda m, token: m.accept_token(token)
        try:
            times = walk(row["tokens"], begin, mask, accept)  # it keeps nothing between masks, all is in the compiled grammar
            yield row["name"], {"compile_us": compile_us, "cold": times, "warm": times, "bytes": compiled.memory_size_bytes}
        except ValueError as error:
            yield row["name"], {"compile_us": compile_us, "error": str(error)}


rows = json.load(open(f"{folder}/rows.json"))
vocab = pieces()
results = {}
for name, measure in (("llguidance", llguidance_rows), ("xgrammar", xgrammar_rows)):
    for row in rows:
        try:
            for _, result in measure([row], vocab):
                results.setdefault(row["name"], {})[name] = result
                print(name, row["name"], json.dumps(result)[:160], file=sys.stderr, flush=True)
        except Exception as error:  # a package that is missing, or refuses a grammar: the row says so
            results.setdefault(row["name"], {})[name] = {"error": f"{type(error).__name__}: {error}"[:200]}
            print(name, row["name"], "error", error, file=sys.stderr, flush=True)
json.dump(results, open(out, "w"), indent=1)
