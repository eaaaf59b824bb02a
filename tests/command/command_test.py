"""Runs the command `bankml` as a user would: python3 command_test.py PATH/TO/bankml SOURCE_DIR"""

import json
import math
import os
import struct
import subprocess
import sys
import tempfile
import unittest

COMMAND = ""
SOURCE = ""


def floats(values):
    return struct.pack("<%df" % len(values), *values)


def npy(data, shape, descr="<f4", fortran=False, version=1):
    header = "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }" % (descr, fortran, shape)
    size = 10 if version == 1 else 12
    header += " " * (-(size + len(header) + 1) % 64) + "\n"
    length = struct.pack("<H" if version == 1 else "<I", len(header))
    return b"\x93NUMPY" + bytes([version, 0]) + length + header.encode() + data


class CommandCase(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name, data):
        path = os.path.join(self.folder.name, name)
        with open(path, "wb") as file:
            file.write(data)
        return path

    def run_command(self, *arguments, data=b""):
        return subprocess.run([COMMAND, *map(str, arguments)], input=data, capture_output=True, timeout=120)

    def good(self, *arguments, data=b""):
        done = self.run_command(*arguments, data=data)
        self.assertEqual((done.returncode, done.stderr.decode()), (0, ""), arguments)
        return done.stdout.decode()

    def bad(self, status, *arguments, data=b"", lines=1):
        done = self.run_command(*arguments, data=data)
        text = done.stderr.decode()
        self.assertEqual(done.returncode, status, text)
        self.assertEqual(len(text.splitlines()), lines, text)
        self.assertTrue(text.startswith("bankml: "), text)
        return text


class Sample(CommandCase):
    ROW = [0.0, 3.0, 1.0, -2.0]

    def test_raw_file_and_stdin(self):
        data = floats(self.ROW)
        self.assertEqual(self.good("sample", self.path("row", data), "--temp", 0), "1\n")
        self.assertEqual(self.good("sample", "-", "--temp", 0, data=data), "1\n")

    def test_rows_of_a_raw_file(self):
        path = self.path("rows", floats(self.ROW + [9, 0, 0, 0] + [0, 0, 0, 9]))
        self.assertEqual(self.good("sample", path, "--n-vocab", 4, "--top-k", 1), "1\n0\n3\n")
        self.assertEqual(self.good("sample", path, "--n-vocab", 4, "--top-k", 1, "--rows", 2), "1\n0\n")

    def test_npy(self):
        data = floats(self.ROW + [9, 0, 0, 0])
        for version in (1, 2, 3):
            self.assertEqual(self.good("sample", self.path("a.npy", npy(data, "(2, 4)", version=version)), "--temp", 0), "1\n0\n")
        self.assertEqual(self.good("sample", self.path("b.npy", npy(floats(self.ROW), "(4,)")), "--temp", 0), "1\n")

    def test_a_seed_replays(self):
        data = floats([0.0] * 1000)
        flags = ("--top-k", 0, "--min-p", 0, "--top-p", 1, "--seed", 7, "--draws", 5)
        draws = [self.good("sample", "-", *flags, data=data) for _ in range(2)]
        self.assertEqual(draws[0], draws[1])
        self.assertGreater(len(set(draws[0].split())), 1)

    def test_request_and_flags_over_it(self):
        data = floats(self.ROW)
        for request in ('{"temperature": 0}', self.path("request.json", b'{"temperature": 0}')):
            self.assertEqual(self.good("sample", "-", "--request", request, data=data), "1\n")
        text = self.good("sample", "-", "--request", '{"logit_bias": [[1, false]]}', "--temp", 0, data=data)
        self.assertEqual(text, "2\n")
        text = self.good("sample", "-", "--request", '{"temperature": 5, "seed": 3}', "--temp", 0, "--json", data=data)
        self.assertEqual(json.loads(text), {"row": 0, "token": 1, "seed": 3})

    def test_flags_take_underscores_and_aliases(self):
        data = floats(self.ROW)
        for flag in ("--top-k", "--top_k"):
            self.assertEqual(self.good("sample", "-", flag, 1, data=data), "1\n")
        self.assertEqual(self.good("sample", "-", "--top_k=1", data=data), "1\n")
        self.assertEqual(self.good("sample", "-", "--samplers", "k", "--top-k", 1, data=data), "1\n")

    def test_history_and_accept(self):
        data = floats(self.ROW)
        flags = ("--temp", 0, "--presence-penalty", 2.5)
        self.assertEqual(self.good("sample", "-", *flags, "--history", "1", data=data), "2\n")
        self.assertEqual(self.good("sample", "-", *flags, "--draws", 2, data=data), "1\n1\n")
        self.assertEqual(self.good("sample", "-", *flags, "--draws", 2, "--accept", data=data), "1\n2\n")

    def test_mask(self):
        data = floats(self.ROW)
        mask = self.path("mask", struct.pack("<I", 0b1101))
        self.assertEqual(self.good("sample", "-", "--temp", 0, "--mask", mask, data=data), "2\n")
        each = self.path("each", struct.pack("<2I", 0b1101, 0b1000))
        self.assertEqual(self.good("sample", "-", "--n-vocab", 4, "--temp", 0, "--mask", each, data=data * 2), "2\n3\n")
        self.assertIn("a mask of 4 tokens has 4 bytes", self.bad(1, "sample", "-", "--mask", self.path("short", b"x"), data=data))
        self.bad(1, "sample", "-", "--mask", self.path("none", b"\0\0\0\0"), data=data)

    def test_probabilities_and_candidates(self):
        data = floats([math.log(p) for p in (0.5, 0.25, 0.125, 0.125)])
        text = self.good("sample", "-", "--temp", 0, "--top-k", 2, "--probs", 3, "--candidates", "--json", data=data)
        result = json.loads(text)
        self.assertEqual([entry["id"] for entry in result["probs"]], [0, 1, 2])
        self.assertAlmostEqual(result["probs"][1]["p"], 0.25, places=6)
        self.assertAlmostEqual(result["p"], 0.5, places=6)
        self.assertEqual(result["candidates"][0]["id"], 0)
        text = self.good("sample", "-", "--temp", 0, "--probs", 3, "--candidates", data=data)
        self.assertIn("before the chain", text)
        self.assertIn("after the chain", text)
        text = self.good("sample", "-", "--request", '{"n_probs": 2}', "--json", data=data)
        self.assertEqual(len(json.loads(text)["probs"]), 2)

    def test_vocabulary_shows_pieces(self):
        vocab = os.path.join(SOURCE, "tests/vectors/vocab/spm-test.gguf")
        size = json.loads(self.good("inspect", vocab, "--json"))["vocabulary"]["size"]
        row = [0.0] * size
        row[300 % size] = 9.0
        text = self.good("sample", "-", "--vocab", vocab, "--temp", 0, "--json", data=floats(row))
        self.assertEqual(json.loads(text)["token"], 300 % size)
        self.assertIn("piece", json.loads(text))

    def test_bad_logits(self):
        self.assertIn("No such file", self.bad(1, "sample", "/nonexistent/logits"))
        self.assertIn("stdin: no logits, the input is empty", self.bad(1, "sample", "-"))
        self.assertIn("not a whole number of float32 values", self.bad(1, "sample", "-", data=b"12345"))
        self.assertIn("rows of 4 float32 values", self.bad(1, "sample", "-", "--n-vocab", 4, data=floats([1, 2, 3, 4, 5])))
        self.assertIn("row 1: ", self.bad(1, "sample", "-", "--n-vocab", 2, data=floats([1, 2, math.nan, 3])))
        self.bad(1, "sample", "-", data=floats([math.inf, 0]))
        self.bad(1, "sample", "-", data=floats([-math.inf] * 3))

    def test_bad_npy(self):
        data = floats(self.ROW)
        cases = {
            "dtype is <f8": npy(struct.pack("<4d", *self.ROW), "(4,)", descr="<f8"),
            "dtype is >f4": npy(struct.pack(">4f", *self.ROW), "(4,)", descr=">f4"),
            "Fortran order": npy(data, "(2, 2)", fortran=True),
            "shape is (1, 2, 2)": npy(data, "(1, 2, 2)"),
            "shape is (-4,)": npy(data, "(-4,)"),
            "version is 9": npy(data, "(4,)").replace(b"NUMPY\x01", b"NUMPY\x09"),
            "shape is ()": npy(data[:4], "()"),
            "the array is empty": npy(b"", "(0, 4)"),
            "do not fit the array's shape": npy(data, "(2, 4)"),
            "the .npy header is cut off": npy(data, "(4,)")[:40],
        }
        for text, content in cases.items():
            self.assertIn(text, self.bad(1, "sample", "-", data=content))
        self.assertIn("do not fit", self.bad(1, "sample", "-", data=npy(data, "(99999999999999999999, 4)")))
        self.assertIn("n_vocab is 5", self.bad(1, "sample", "-", "--n-vocab", 5, data=npy(data, "(4,)")))

    def test_bad_parameters(self):
        data = floats(self.ROW)
        self.assertIn("'warm' is not a number", self.bad(2, "sample", "-", "--temp", "warm", data=data))
        self.assertIn("top_p: nan is not a finite number", self.bad(1, "sample", "-", "--top-p", "nan", data=data))
        self.assertIn("top_k: 1.5 is not an integer", self.bad(1, "sample", "-", "--top-k", 1.5, data=data))
        self.assertIn('unknown step "nope"', self.bad(1, "sample", "-", "--samplers", "top_k;nope", data=data))
        self.assertIn("logit_bias", self.bad(1, "sample", "-", "--logit-bias", "[1", data=data))
        self.assertIn("'x' is not a token id", self.bad(1, "sample", "-", "--history", "1,x", data=data))
        self.assertIn("4", self.bad(1, "sample", "-", "--history", "4", data=data))
        self.bad(2, "sample", "-", "--no-such-flag", data=data)
        self.bad(2, "sample", "-", "--rows", 0, data=data)
        self.bad(2, "sample")

    def test_bad_requests(self):
        data = floats(self.ROW)
        text = self.bad(1, "sample", "-", "--request", '{"repeat_last_n": -1}', data=data)
        self.assertIn("Field 'repeat_last_n': Value must be between 0 <= value <= 2147483647, but got -1", text)
        self.assertIn("Field 'typo': unknown field", self.bad(1, "sample", "-", "--strict", "--request", '{"typo": 1}', data=data))
        self.assertIn("not JSON", self.bad(1, "sample", "-", "--request", "{", data=data))
        self.assertIn("cannot read /nonexistent", self.bad(1, "sample", "-", "--request", "/nonexistent", data=data))

    def test_warnings_do_not_fail(self):
        done = self.run_command("sample", "-", "--temp", 0, "--request", '{"typo": 1}', data=floats(self.ROW))
        self.assertEqual((done.returncode, done.stdout), (0, b"1\n"))
        self.assertEqual(done.stderr.decode(), "bankml: warning: Field 'typo': unknown field, ignored\n")


class Parameters(CommandCase):
    def test_table(self):
        text = self.good("params")
        table = json.loads(self.good("params", "--json"))
        self.assertGreater(len(table), 25)
        for row in table:
            self.assertIn("\n" + row["name"] + " ", text)

    def test_every_parameter_has_a_flag(self):
        help_text = self.good("sample", "--help")
        for row in json.loads(self.good("params", "--json")):
            self.assertIn("--" + row["name"].replace("_", "-"), help_text)

    def test_values_with_origin(self):
        model = os.path.join(SOURCE, "examples/tiny-model/tiny-model.gguf")
        values = json.loads(self.good("params", "--gguf", model, "--request", '{"top_k": 7}', "--seed", 5, "--json"))
        self.assertEqual(values["top_k"], {"value": 7, "origin": "request"})
        self.assertEqual(values["seed"], {"value": 5, "origin": "set"})
        self.assertEqual(values["typical_p"], {"value": 1, "origin": "default"})
        self.assertTrue(any(entry["origin"].startswith("gguf:general.sampling.") for entry in values.values()))
        self.assertIn("request", self.good("params", "--request", '{"top_k": 7}'))

    def test_c61_flags_win_over_the_models_defaults(self):
        model = os.path.join(SOURCE, "examples/tiny-model/tiny-model.gguf")
        before = json.loads(self.good("params", "--gguf", model, "--json"))
        flags = {
            "--temp": ("temperature", 0.25),
            "--top-k": ("top_k", 3),
            "--top-p": ("top_p", 0.5),
            "--min-p": ("min_p", 0.25),
            "--seed": ("seed", 9),
        }
        for flag, (name, value) in flags.items():
            after = json.loads(self.good("params", "--gguf", model, flag, value, "--json"))
            self.assertEqual(after.pop(name), {"value": value, "origin": "set"})
            self.assertEqual(after, {key: entry for key, entry in before.items() if key != name})

    def test_bad_input(self):
        self.bad(1, "params", "--gguf", "/nonexistent.gguf")
        self.bad(1, "params", "--gguf", self.path("no.gguf", b"hello"))
        self.bad(1, "params", "--request", '{"top_k": "x"}')
        self.bad(2, "params", "--nope")


class Inspect(CommandCase):
    def test_vocabularies(self):
        for name, kind in (("spm-test", "SentencePiece"), ("bpe-test", "byte-level BPE")):
            path = os.path.join(SOURCE, "tests/vectors/vocab", name + ".gguf")
            report = json.loads(self.good("inspect", path, "--json"))
            self.assertEqual(report["vocabulary"]["kind"], kind)
            self.assertGreater(report["vocabulary"]["size"], 100)
            self.assertIn("end-of-generation", report["vocabulary"]["special"])
            self.assertIn(kind, self.good("inspect", path))

    def test_sampling_defaults(self):
        text = self.good("inspect", os.path.join(SOURCE, "examples/tiny-model/tiny-model.gguf"))
        self.assertIn("general.sampling.", text)

    def test_bad_input(self):
        self.bad(1, "inspect", "/nonexistent.gguf")
        self.bad(1, "inspect", self.path("cut.gguf", b"GGUF\x03\0\0\0"))
        self.bad(2, "inspect")


class Generate(CommandCase):
    def generate(self, *arguments):
        done = self.run_command("generate", "--tokens", 24, *arguments)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return done.stdout, done.stderr.decode()

    def test_streams_text_and_reports_speed(self):
        text, report = self.generate("--prompt", "One day", "--seed", 1)
        self.assertTrue(text.startswith(b"One day"))
        self.assertGreater(len(text), 20)
        self.assertIn("tokens/s", report)
        self.assertIn("seed: 1", report)

    def test_equal_seeds_and_greedy_repeat(self):
        for flags in (("--seed", 5), ("--temp", 0)):
            self.assertEqual(self.generate("--quiet", *flags), self.generate("--quiet", *flags))
        texts = {self.generate("--quiet", "--temp", 1.5, "--seed", seed)[0] for seed in (5, 6)}
        self.assertEqual(len(texts), 2)

    def test_parameters_reach_the_chain(self):
        self.assertIn("chain: ", self.generate("--dry-multiplier", 0.8)[1])
        self.assertIn("dry", self.generate("--dry-multiplier", 0.8)[1])
        self.assertIn("mirostat", self.generate("--mirostat", 2)[1])
        self.assertEqual(self.generate("--logit-bias", '[["the", -5]]', "--temp", 0)[0][:4], b"Once")

    def test_stop_strings(self):
        flags = ("--temp", 0, "--quiet")
        text = self.generate(*flags)[0]
        sentence = text[: text.index(b".")]
        self.assertEqual(self.generate(*flags, "--stop", ".")[0], sentence + b"\n")
        self.assertEqual(self.generate(*flags, "--stop", "no such text", "--stop", ".", "--include-stop")[0], sentence + b".\n")
        self.assertEqual(self.generate(*flags, "--stop", "no such text")[0], text)
        # Over token borders: any part of the text may be one.
        start = len("Once upon a time")
        for size in (2, 5, 9):
            part = text[start + 7 : start + 7 + size]
            self.assertEqual(self.generate(*flags, "--stop", part.decode())[0], text[: text.index(part, start)] + b"\n", part)
        self.assertIn("stop string 0 is empty", self.bad(1, "generate", "--stop", ""))

    def test_json_reply(self):
        flags = ("--temp", 0, "--quiet", "--n-probs", 2)
        text = self.generate(*flags)[0].decode()
        reply = json.loads(self.generate(*flags, "--json", "llama-server")[0])
        self.assertEqual("Once upon a time" + reply["content"] + "\n", text)
        self.assertEqual((len(reply["tokens"]), reply["stop_type"], reply["stopping_word"]), (24, "limit", ""))
        probabilities = reply["completion_probabilities"]
        self.assertEqual([entry["id"] for entry in probabilities], reply["tokens"])
        self.assertEqual("".join(entry["token"] for entry in probabilities), reply["content"])
        for entry in probabilities:
            self.assertEqual(bytes(entry["bytes"]).decode(), entry["token"])
            self.assertEqual(len(entry["top_logprobs"]), 2)
            self.assertEqual(entry["top_logprobs"][0]["logprob"], entry["logprob"])  # greedy
        stopped = json.loads(self.generate(*flags, "--json", "openai-completions", "--stop", ".")[0])
        self.assertEqual((stopped["stop_type"], stopped["stopping_word"]), ("word", "."))
        self.assertEqual("".join(stopped["logprobs"]["tokens"])[: len(stopped["content"])], stopped["content"])
        self.assertEqual(stopped["logprobs"]["text_offset"][:2], [0, len(stopped["logprobs"]["tokens"][0])])
        chat = json.loads(self.generate(*flags, "--json", "openai-chat")[0])["logprobs"]
        self.assertEqual([sorted(entry) for entry in chat["content"]], [["bytes", "logprob", "token", "top_logprobs"]] * 24)
        self.bad(2, "generate", "--json", "xml")

    def test_bad_input(self):
        self.bad(1, "generate", "--model", "/nonexistent.gguf")
        self.bad(1, "generate", "--model", self.path("bad.gguf", b"GGUF"))
        self.bad(2, "generate", "--tokens", "many")
        self.bad(1, "generate", "--repeat-penalty", 0)


class Grammar(CommandCase):
    NUMBER = b'root ::= "{" num "}"\nnum ::= [0-9]+ ("." [0-9]+)?\n'

    def number(self):
        return self.path("number.gbnf", self.NUMBER)

    def test_check(self):
        self.assertEqual(self.good("grammar", "check", self.number()), 'ok: every text begins with "{"\n')
        self.assertEqual(self.good("grammar", "check", "-", data=b"root ::= [0-9]*"), "ok: the empty text fits\n")
        self.assertEqual(self.good("grammar", "check", "-", data=b"root ::= [0-9]"), "ok\n")
        self.assertEqual(self.good("grammar", "check", "-", data=b"root ::= [9-0]"), "ok: it allows no text at all\n")
        self.assertEqual(self.good("grammar", "check", "-", "--root", "num", data=self.NUMBER), "ok\n")

    def check_caret(self, text, line, column, message, shown):
        path = self.path("bad.gbnf", text)
        said = self.bad(1, "grammar", "check", path, lines=3).splitlines()
        self.assertTrue(said[0].startswith("bankml: %s:%d:%d: %s" % (path, line, column, message)), said[0])
        blanks = "".join(c if c == "\t" else " " for c in shown[: column - 1])
        self.assertEqual(said[1:], ["  " + shown, "  " + blanks + "^"])

    def test_errors_stand_above_a_caret(self):
        self.check_caret(b'root ::= "a"\nb := "c"\n', 2, 3, "expecting ::=", 'b := "c"')
        self.check_caret(b'root ::= \t+ "a"\n', 1, 13, "expecting preceding item to */+/?/{", 'root ::= \t+ "a"')
        self.check_caret(b"root ::= missing", 1, 17, "Undefined rule identifier 'missing'", "root ::= missing")
        said = self.bad(1, "grammar", "check", "-", data=b'root ::= "x', lines=3).splitlines()
        self.assertTrue(said[0].startswith("bankml: stdin:1:12: unexpected end of input"), said)
        self.assertEqual(said[1:], ['  root ::= "x', "  " + " " * 11 + "^"])
        # Characters of several bytes are one place wide.
        said = self.bad(1, "grammar", "check", "-", data='root ::= "é€" ] "x"'.encode(), lines=3).splitlines()
        self.assertEqual(said[2].index("^"), said[1].index("]"))

    def test_references_need_a_vocabulary(self):
        self.assertIn("<s>", self.bad(1, "grammar", "check", "-", data=b"root ::= <s>"))
        vocab = os.path.join(SOURCE, "tests/vectors/vocab/spm-test.gguf")
        self.assertEqual(self.good("grammar", "check", "-", "--vocab", vocab, data=b"root ::= <s>"), "ok\n")

    def test_triggers_make_a_grammar_lazy(self):
        grammar = self.path("call.gbnf", b'root ::= "<call>" [a-z]+ "()"')
        for trigger in (("--trigger-word", "<call>"), ("--trigger-pattern", "(<c.*>)$"), ("--trigger-pattern-full", "so (<call>)")):
            rows = self.good("grammar", "walk", grammar, "so <call>f()", "--json", "--whole", "--trigger-token", 256, *trigger).splitlines()
            self.assertEqual([json.loads(row)["allowed"] for row in rows], [257] * 9 + [26, 27, 1, 1])
        self.assertIn("is refused", self.bad(1, "grammar", "walk", grammar, "so <call>()", "--trigger-word", "<call>", lines=3))
        self.assertIn("trigger 0: pattern, position 1: ", self.bad(1, "grammar", "check", grammar, "--trigger-pattern", "(?<=a)"))
        text = self.good("generate", "--quiet", "--tokens", 24, "--seed", 3, "--grammar-file", grammar, "--trigger-word", "zzz")
        self.assertEqual(text, self.good("generate", "--quiet", "--tokens", 24, "--seed", 3))

    def test_the_strict_dialect(self):
        loose = self.good("grammar", "mask", "-", "--ids", data=b"root ::= [^a]+").split()
        strict = self.good("grammar", "mask", "-", "--ids", "--dialect", "strict", data=b"root ::= [^a]+").split()
        self.assertEqual(len(strict), 127 + 0xF5 - 0xC2)
        self.assertNotEqual(loose, strict)
        self.bad(2, "grammar", "mask", "-", "--dialect", "other")

    def test_walk(self):
        rows = self.good("grammar", "walk", self.number(), "{12.5}").splitlines()
        self.assertEqual(rows[0], '0\t123 "{"\tof 1 allowed, forced "{"')
        self.assertEqual(rows[2], '2\t50 "2"\tof 12 allowed')
        self.assertEqual(rows[6], "6\t(end of the text)\tof 1 allowed, may end")
        self.assertEqual(len(rows), 7)
        places = [json.loads(row) for row in self.good("grammar", "walk", self.number(), "{1", "--json").splitlines()]
        self.assertEqual(places[1], {"at": 1, "allowed": 10, "may_end": False, "forced": "", "token": 49, "piece": "1"})
        self.assertEqual(places[2], {"at": 2, "allowed": 12, "may_end": False, "forced": ""})

    def test_walk_refuses(self):
        done = self.run_command("grammar", "walk", self.number(), "{1.}", "--show", 2)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(len(done.stdout.splitlines()), 3)
        first = 'bankml: byte 3: "}" (token 125) is refused; allowed: 10 tokens: "0" "1" ...'
        self.assertEqual(done.stderr.decode().splitlines(), [first, "  {1.}", "     ^"])
        self.assertIn("may not end here", self.bad(1, "grammar", "walk", self.number(), "{1", "--whole", lines=3))
        self.good("grammar", "walk", self.number(), "{1}", "--whole")
        self.bad(1, "grammar", "walk", self.number(), "--tokens", "123,999")

    def test_tokens_of_a_vocabulary(self):
        vocab = os.path.join(SOURCE, "examples/tiny-model/tiny-model.gguf")
        grammar = self.path("words.gbnf", b"root ::= [a-z ]+ [.]")
        rows = self.good("grammar", "walk", grammar, "once upon a time.", "--vocab", vocab, "--json").splitlines()
        self.assertLess(len(rows), 12)
        self.assertEqual("".join(json.loads(row).get("piece", "") for row in rows), "once upon a time.")
        ids = ",".join(str(json.loads(row)["token"]) for row in rows[:-1])
        again = self.good("grammar", "walk", grammar, "--tokens", ids, "--vocab", vocab, "--json").splitlines()
        self.assertEqual(again, rows)
        allowed = json.loads(self.good("grammar", "mask", grammar, "--vocab", vocab, "--json"))
        self.assertTrue(all(set(entry["piece"]) <= set("abcdefghijklmnopqrstuvwxyz .") for entry in allowed["allowed"]))
        self.assertEqual(len(allowed["allowed"]), json.loads(rows[0])["allowed"])

    def test_mask(self):
        digits = [(i, chr(i)) for i in range(48, 58)]
        text = self.good("grammar", "mask", self.number(), "--after", "{")
        self.assertEqual(text, "".join('%d\t"%s"\n' % digit for digit in digits))
        self.assertEqual(self.good("grammar", "mask", self.number(), "--ids", "--after", "{1.5}"), "256\n")
        result = json.loads(self.good("grammar", "mask", self.number(), "--ids", "--json"))
        self.assertEqual(result, {"n_vocab": 257, "may_end": False, "forced": "{", "allowed": [123]})
        self.assertIn("accepting piece: x", self.bad(1, "grammar", "mask", self.number(), "--after", "x"))

    def test_bad_input(self):
        self.assertIn("cannot read", self.bad(1, "grammar", "check", "/nonexistent.gbnf"))
        self.bad(1, "grammar", "walk", self.number(), "--vocab", "/nonexistent.gguf")
        self.bad(2, "grammar", "walk", self.number(), "{1}", "--tokens", "1")
        self.assertIn("see bankml grammar walk --help", self.bad(2, "grammar", "walk"))
        self.bad(2, "grammar")
        self.bad(2, "grammar", "nope")
        for name in ("check", "walk", "mask"):
            self.assertIn("FILE", self.good("grammar", name, "--help"))

    def test_generate_under_a_grammar(self):
        grammar = self.path("sentence.gbnf", b'root ::= [A-Z] [a-z ]{20,60} "."')
        done = self.run_command("generate", "--prompt", "", "--grammar-file", grammar, "--seed", 3)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout.decode(), r"^[A-Z][a-z ]{20,60}\.\n$")
        self.assertIn("bad.gbnf:1:11: ", self.bad(1, "generate", "--grammar-file", self.path("bad.gbnf", b"root ::= x"), lines=3))


class Whole(CommandCase):
    def test_version_and_help(self):
        with open(os.path.join(SOURCE, "VERSION")) as file:
            self.assertTrue(self.good("--version").startswith("bankml " + file.read().strip()))
        self.assertIn("sample", self.good("--help"))
        for name in ("sample", "params", "inspect", "generate", "grammar"):
            self.assertIn(name, self.good(name, "--help"))

    @unittest.skipUnless(os.path.exists("/dev/full"), "needs /dev/full")
    def test_a_full_disk_is_an_error(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([COMMAND, "params"], stdout=full, stderr=subprocess.PIPE, timeout=120)
        self.assertEqual((done.returncode, done.stderr), (1, b"bankml: cannot write to stdout\n"))

    def test_usage(self):
        self.bad(2)
        self.bad(2, "nope")


if __name__ == "__main__":
    COMMAND, SOURCE = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
