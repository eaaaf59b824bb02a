#!/usr/bin/env python3
"""Writes the small GGUF files that the tests of formats and vocab read (PyPI: gguf).

    python3 tests/formats/make_vectors.py      # from the root of the repository

tests/vectors/gguf/   one file with every value type, the same as version 2 and as big-endian, a cut one
tests/vectors/vocab/  small vocabularies for the rules that a file's metadata or its tokens' texts switch on
(spm-test.gguf and bpe-test.gguf there are recorded files, not made here.)
"""
import pathlib
import struct

import gguf
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[1] / "vectors"
NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = 1, 2, 3, 4, 5, 6


def all_types(path, endian=gguf.GGUFEndian.LITTLE):
    w = gguf.GGUFWriter(path, "test", endianess=endian)
    w.add_uint8("u8", 250)
    w.add_int8("i8", -100)
    w.add_uint16("u16", 65000)
    w.add_int16("i16", -30000)
    w.add_uint32("u32", 4000000000)
    w.add_int32("i32", -2000000000)
    w.add_uint64("u64", 2**64 - 1)
    w.add_int64("i64", -(2**63))
    w.add_float32("f32", 0.1)
    w.add_float64("f64", 0.1)
    w.add_bool("yes", True)
    w.add_bool("no", False)
    w.add_string("str", "žluť\n\0end")
    w.add_key_value("empty", "", gguf.GGUFValueType.STRING)
    for name, kind, values in [
        ("u8s", gguf.GGUFValueType.UINT8, [0, 1, 255]),
        ("i16s", gguf.GGUFValueType.INT16, [-1, 0, 32767]),
        ("i32s", gguf.GGUFValueType.INT32, [-1, 5]),
        ("u64s", gguf.GGUFValueType.UINT64, [2**63]),
        ("f32s", gguf.GGUFValueType.FLOAT32, [1.5, -0.0, float("inf")]),
        ("f64s", gguf.GGUFValueType.FLOAT64, [5e-324]),
        ("bools", gguf.GGUFValueType.BOOL, [True, False, True]),
        ("strs", gguf.GGUFValueType.STRING, ["a", "", "▁c"]),
    ]:
        w.add_key_value(name, values, gguf.GGUFValueType.ARRAY, sub_type=kind)
    w.add_tensor("weights", np.zeros((2, 32), dtype=np.float32))
    w.write_header_to_file()
    w.write_kv_data_to_file()
    w.write_tensors_to_file()
    w.close()


def vocabulary(name, model, tokens, pre="default", metadata=None, merges=(), general_name="bankml-test-vocab"):
    """tokens: (text, type) or (text, type, score)."""
    w = gguf.GGUFWriter(ROOT / "vocab" / name, "llama")
    w.add_name(general_name)
    w.add_context_length(64)
    w.add_embedding_length(64)
    w.add_block_count(1)
    w.add_feed_forward_length(128)
    w.add_head_count(2)
    w.add_layer_norm_rms_eps(1e-6)
    w.add_tokenizer_model(model)
    w.add_tokenizer_pre(pre)
    w.add_token_list([t[0] for t in tokens])
    w.add_token_types([t[1] for t in tokens])
    if model == "llama":
        w.add_token_scores([float(t[2]) if len(t) > 2 else -100.0 for t in tokens])
    else:
        w.add_token_merges(list(merges) or ["a b"])
    for key, value in (metadata or {}).items():
        if isinstance(value, bool):
            w.add_bool(key, value)
        elif isinstance(value, list):
            w.add_key_value(key, value, gguf.GGUFValueType.ARRAY, sub_type=gguf.GGUFValueType.INT32)
        else:
            w.add_uint32(key, value)
    w.write_header_to_file()
    w.write_kv_data_to_file()
    w.write_tensors_to_file()
    w.close()


def spm_tokens():
    words = ["▁", "t", "h", "e", "n", "a", "m", ".", ",", "?", "*", ":", "▁t", "he", "▁the", "▁n", "am", "▁nam", "▁name", "ame", "**", "***",
             "▁.", "▁▁", "▁*", "中", "文", "中文", "\n", "x", "y", "▁x", "xy"]
    tokens = [("<unk>", UNKNOWN), ("<s>", CONTROL), ("</s>", CONTROL)]
    tokens += [(f"<0x{b:02X}>", BYTE) for b in range(256)]
    tokens += [(w, NORMAL, -len(w) if len(w) > 1 else -50) for w in words]
    tokens += [("<tag>", USER_DEFINED), ("<tag><tag>", USER_DEFINED), ("\n\n", USER_DEFINED), ("gone", UNUSED), ("<unused7>", CONTROL)]
    return tokens


def byte_alphabet():
    keep = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    extra = 0
    out = []
    for byte in range(256):
        if byte in keep:
            out.append(chr(byte))
        else:
            out.append(chr(256 + extra))
            extra += 1
    return out


def byte_level_tokens():
    words = ["Ġthe", "Ġ?", "Ġ!", "Ġ.", "Ġ,", "Ġ's", "Ġ'm", "Ġ're", "Ġ've", "Ġ'll", "Ġ't", "Ġ'Ġ", "Ġ'Ġ'Ġ", "Ġ.Ġ,", "ĠĠ.", "Ċ", "ĊĊ", "Ġ'Ġ's", "ï¼ļ",
             "▁odd", "中", "a中"]
    tokens = [(c, NORMAL) for c in byte_alphabet()]
    tokens += [(w, NORMAL) for w in words if (w, NORMAL) not in tokens]
    return tokens


def main():
    (ROOT / "gguf").mkdir(parents=True, exist_ok=True)
    little = ROOT / "gguf" / "all-types.gguf"
    all_types(little)
    all_types(ROOT / "gguf" / "big-endian.gguf", gguf.GGUFEndian.BIG)
    data = bytearray(little.read_bytes())
    data[4:8] = struct.pack("<I", 2)
    (ROOT / "gguf" / "version-2.gguf").write_bytes(data)

    eos = "tokenizer.ggml.eos_token_id"
    # A space prefix, user-defined tokens, unused ones; ids to suppress, one of them out of range.
    vocabulary("spm-prefix.gguf", "llama", spm_tokens(), metadata={"tokenizer.ggml.suppress_tokens": [5, 100000, -1, 7]})
    vocabulary("spm-phi3.gguf", "llama", spm_tokens() + [("<|endoftext|>", CONTROL)], general_name="Phi-3 mini")
    # Byte-level: with and without the clean-up of spaces.
    ends = [("<|endoftext|>", CONTROL), ("<|im_end|>", NORMAL), ("<|fim_pad|>", NORMAL), ("<|fim_prefix|>", NORMAL)]
    n = len(byte_level_tokens())
    vocabulary("bpe-clean.gguf", "gpt2", byte_level_tokens() + ends, pre="llama-bpe", metadata={eos: n})
    vocabulary("bpe-keep.gguf", "gpt2", byte_level_tokens() + ends, pre="qwen2", metadata={eos: n})
    # Chat formats whose end tokens have rules of their own.
    harmony = ["<|endoftext|>", "<|start|>", "<|end|>", "<|message|>", "<|channel|>", "<|constrain|>", "<|return|>", "<|call|>"]
    vocabulary("bpe-harmony.gguf", "gpt2", byte_level_tokens() + [(t, CONTROL) for t in harmony], pre="gpt-4o", metadata={eos: n + 6, "tokenizer.ggml.eot_token_id": n})
    marked = [(t, NORMAL) for t in ["▁", "a", "▁a", "</s>", "<eos>", "<turn|>", "<|tool_response>", "\n"]] + [(f"<0x{b:02X}>", BYTE) for b in range(256)]
    vocabulary("bpe-marked.gguf", "gemma4", marked, pre="gemma4", metadata={eos: 4, "tokenizer.ggml.bos_token_id": 4})


if __name__ == "__main__":
    main()
