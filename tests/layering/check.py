#!/usr/bin/env python3
"""House rules that a machine can check: who may include whom, and what every file and folder must have.

    tests/layering/check.py                every rule, one line per violation, then `N passed, N failed` (one count per rule)
    tests/layering/check.py --self-test    breaks each rule in a copy of the tree and expects the rule to notice

The rooms of the core and what each may use stand in HACKING.md (for readers) and in core/CMakeLists.txt (for the build); the first
rule below keeps the two equal, the second holds every #include line against them.
"""
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TOP_FOLDERS = ["capi", "core", "bindings", "examples", "tests", "bench", "fuzz", "docs", "cmake", "scripts"]
SOURCE = {".c", ".h", ".cpp", ".hpp", ".inc"}
TEXT = SOURCE | {".py", ".sh", ".md", ".txt", ".cmake", ".json", ".map", ".symbols", ""}
EXACT_ROOMS = ["math", "order", "random", "simd", "candidates", "steps", "probs", "chain"]
MAX_LINES = 500
MAX_COLUMNS = 132

# Standard headers of C++20 that the core may use, and the compilers' own headers of the simd room.
STANDARD = set(
    """algorithm array atomic bit bitset cctype charconv cerrno cfenv cfloat chrono cinttypes climits cmath compare concepts
    condition_variable cstdarg cstddef cstdint cstdio cstdlib cstring ctime deque exception filesystem fstream functional initializer_list ios istream iterator limits list map memory
    mutex new numeric optional ostream queue random ratio set shared_mutex span sstream stdexcept streambuf string string_view system_error
    thread tuple type_traits typeinfo unordered_map unordered_set utility variant vector version""".split()
)
INTRINSICS = {"immintrin.h", "arm_neon.h", "cpuid.h", "xmmintrin.h", "emmintrin.h"}
# The one system header: a pool asks whether it lives in a forked child.
SYSTEM = {("core/batch/pool.cpp", "unistd.h")}
# What belongs to one standard library or to one libm, and so must not decide a result.
FOREIGN = re.compile(
    r"\bstd::(?:sort|partial_sort\w*|nth_element|(?:make|push|pop|sort)_heap|priority_queue|\w+_distribution|mt19937\w*"
    r"|expf?|exp2f?|logf?|log2f?|powf?|log1pf?|expm1f?)\b(?=\s*[<(])"
)


def code_of(text):
    """The text without comments and string contents; lines keep their numbers."""
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)
    keep = lambda m: '""' if m.group(0)[0] == '"' else "\n" * m.group(0).count("\n")
    return pattern.sub(keep, text)


class Tree:
    def __init__(self, root):
        self.root = Path(root)

    def text(self, name):
        path = self.root / name
        return path.read_text(encoding="utf-8") if path.is_file() else ""

    def files(self, folder, suffixes=SOURCE):
        base = self.root / folder
        return sorted(p for p in base.rglob("*") if p.is_file() and p.suffix in suffixes and "__pycache__" not in p.parts)

    def name(self, path):
        return path.relative_to(self.root).as_posix()

    def rooms(self):
        """{room: rooms it may use}, lowest first, as core/CMakeLists.txt has it."""
        found = re.findall(r"^bankml_room\((\w+)(?:\s+USES((?:\s+\w+)+))?\)", self.text("core/CMakeLists.txt"), re.M)
        return {name: uses.split() for name, uses in found}

    def includes(self, path):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = re.match(r'\s*#\s*include\s*(["<])([^">]+)[">]', line)
            if match:
                yield number, match.group(1) == '"', match.group(2)

    # ---- the rules; each yields its violations ----

    def rule_room_table(self):
        table = dict(re.findall(r"^\| `(\w+)` \|[^|]*\|([^|]*)\|", self.text("HACKING.md"), re.M))
        documented = {room: sorted(re.findall(r"\w+", uses)) for room, uses in table.items()}
        rooms = self.rooms()
        if not rooms:
            yield "core/CMakeLists.txt: no rooms found"
        below = {"base"}
        for room, uses in rooms.items():
            if documented.get(room) != sorted(uses):
                yield f"HACKING.md says room {room} uses {documented.get(room)}, core/CMakeLists.txt says {sorted(uses)}"
            for other in uses:
                if other not in below:
                    yield f"core/CMakeLists.txt: room {room} uses {other}, which is not below it"
            below.add(room)
        for folder in sorted((self.root / "core").iterdir()):
            if folder.is_dir() and folder.name not in rooms and any(folder.rglob("*.cpp")):
                yield f"core/{folder.name} is not a room of core/CMakeLists.txt"

    def rule_core_includes(self):
        for room, uses in self.rooms().items():
            allowed = {"base", room, *uses}
            for path in self.files(f"core/{room}"):
                for number, local, name in self.includes(path):
                    where = f"{self.name(path)}:{number}"
                    if not local:
                        if name not in STANDARD and not (room == "simd" and name in INTRINSICS):
                            if not self.guarded_intrinsic(path, name) and (self.name(path), name) not in SYSTEM:
                                yield f"{where}: <{name}> is not of the C++ standard library"
                        continue
                    parts = name.split("/")
                    if parts[0] != "core" or len(parts) < 3:
                        yield f'{where}: "{name}": a core file includes "core/room/file.h" only'
                    elif name != "core/math/fp_env.h" and parts[1] not in allowed:
                        yield f"{where}: room {room} may not include room {parts[1]}"
                    elif not (self.root / name).is_file():
                        yield f"{where}: {name} does not exist"

    def guarded_intrinsic(self, path, name):
        return name in INTRINSICS and path.parent.name in ("base", "math")

    def rule_steps_apart(self):
        """A step's header is included by that step's own file only; helpers that are no step may be shared."""
        steps = {f"core/steps/{p.name}" for p in self.files("core/steps", {".h"}) if re.search(r":\s*public\s+Step\b", p.read_text())}
        for path in self.files("core/steps"):
            for number, local, name in self.includes(path):
                if local and name in steps and Path(name).stem != path.stem:
                    yield f"{self.name(path)}:{number}: a step includes another, {name}"

    def rule_outer_includes(self):
        forbidden = {
            "capi": ("tests/", "bench/", "fuzz/", "examples/", "bindings/"),
            "examples": ("core/", "capi/src/", "tests/", "bench/", "fuzz/"),
            "bindings": ("core/", "capi/src/", "tests/", "bench/", "fuzz/", "examples/"),
        }
        for folder, names in forbidden.items():
            for path in self.files(folder):
                for number, local, name in self.includes(path):
                    if local and name.startswith(names):
                        yield f"{self.name(path)}:{number}: {folder} may not include {name}"
        for path in self.files("capi/include"):
            for number, local, name in self.includes(path):
                if local and not (path.suffix == ".hpp" and name == "bankml.h"):
                    yield f"{self.name(path)}:{number}: a public header includes {name}"

    def rule_fp_env(self):
        """A file that computes with floats starts with fp_env.h, so that its pragmas stand before any code."""
        for room in EXACT_ROOMS:
            for path in self.files(f"core/{room}", {".cpp"}):
                if not re.search(r"\b(?:float|double)\b", code_of(path.read_text(encoding="utf-8"))):
                    continue
                first = next((name for _, _, name in self.includes(path)), "")
                if first != "core/math/fp_env.h":
                    yield f"{self.name(path)}: the first include must be core/math/fp_env.h, not {first}"

    def rule_own_order_and_draws(self):
        for room in EXACT_ROOMS:
            for path in self.files(f"core/{room}"):
                text = path.read_text(encoding="utf-8")
                comments = [""] + text.splitlines()
                for number, line in enumerate(code_of(text).splitlines(), 1):
                    if "total order" in comments[number - 1] + comments[number]:  # then every correct sort gives the same
                        continue
                    for match in FOREIGN.finditer(line):
                        yield f"{self.name(path)}:{number}: {match.group(0)} belongs to one standard library; use the project's own"

    def rule_unity_complete(self):
        script = self.root / "scripts/unity.py"
        done = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, text=True)
        if done.returncode:
            yield done.stderr.strip()

    def rule_tested_by(self):
        """Every source of the library names its test; every test that is named exists."""
        for path in self.files("core") + self.files("capi"):
            text = path.read_text(encoding="utf-8")
            named = re.findall(r"Tested by ([^\n]*(?:\n(?://| \*)[ ]+tests/[^\n]*)*)", text)
            header = path.with_suffix(".h")
            covered = header.is_file() and "Tested by" in header.read_text(encoding="utf-8")
            if not named and path.suffix == ".cpp" and not covered:
                yield f"{self.name(path)}: no line `Tested by tests/...`"
            for line in named:
                tests = re.findall(r"\btests/[\w./{},-]*\w", line)
                if not tests:
                    yield f"{self.name(path)}: `Tested by` names no file"
                for test in tests:
                    if not (self.root / test).exists():
                        yield f"{self.name(path)}: tested by {test}, which does not exist"

    def rule_length(self):
        for folder in TOP_FOLDERS:
            for path in self.files(folder, SOURCE | {".py", ".sh"}):
                lines = path.read_text(encoding="utf-8").splitlines()
                if len(lines) > MAX_LINES and not any("Long because" in line for line in lines[:40]):
                    yield f"{self.name(path)}: {len(lines)} lines without a reason (`Long because ...`) in its head"

    def rule_columns(self):
        for folder in TOP_FOLDERS:
            for path in self.files(folder):
                for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                    if len(line) > MAX_COLUMNS and not line.lstrip().startswith(("#include", "// http")):
                        yield f"{self.name(path)}:{number}: {len(line)} columns"

    def rule_readmes(self):
        folders = TOP_FOLDERS + [f"core/{room}" for room in self.rooms()]
        for folder in folders:
            if not (self.root / folder / "README.md").is_file():
                yield f"{folder}/README.md is missing"

    def rule_versions(self):
        version = self.text("VERSION").strip()
        header = self.text("capi/include/bankml.h")
        macro = re.search(r'#define BANKML_VERSION "([^"]*)"', header)
        parts = [re.search(rf"#define BANKML_VERSION_{part} (\d+)", header) for part in ("MAJOR", "MINOR", "PATCH")]
        number = ".".join(match.group(1) if match else "?" for match in parts)
        if not macro or macro.group(1) != version:
            yield f"capi/include/bankml.h: BANKML_VERSION is not {version}"
        if number != re.match(r"[\d.]*", version).group(0):
            yield f"capi/include/bankml.h: version numbers say {number}, VERSION says {version}"
        maven = re.sub(r"(?<=\d)rc", "-rc", version)
        for name, pattern in (("bindings/java/pom.xml", r"<artifactId>bankml</artifactId>\s*<version>([^<]*)</version>"),
                              ("bindings/go/bankml/library.go", r'(?m)^const Version = "([^"]*)"')):
            found = re.search(pattern, self.text(name))
            if not found or found.group(1) not in (version, maven):
                yield f"{name}: its version is not {version}"
        newest = re.search(r"^## (\S+)", self.text("CHANGELOG.md"), re.M)
        if not newest or newest.group(1) != version:
            yield f"CHANGELOG.md: its newest entry is not {version}"

    def rule_packages_page(self):
        """docs/packages.md names parts of scripts/test and files that exist."""
        page = self.text("docs/packages.md")
        parts = {re.sub(r"^\d+-", "", path.stem) for path in (self.root / "scripts/parts").glob("[0-9]*.sh")}
        for part in re.findall(r"`scripts/test (\w+)`", page):
            if part not in parts:
                yield f"docs/packages.md: scripts/test has no part {part}"
        for path in re.findall(r"`([\w./-]+/[\w./-]+|README\.md)`", page):
            if not (self.root / path).exists():
                yield f"docs/packages.md: there is no {path}"

    def rule_readme_examples(self):
        """The README's examples are those of the languages' own pages, which tests run."""
        readme = self.text("README.md")
        for language in ("python", "java", "go"):
            block = re.search(rf"^```{language}\n.*?^```$", self.text(f"docs/{language}.md"), re.M | re.S)
            if not block or block.group(0) not in readme:
                yield f"README.md does not show the first example of docs/{language}.md"

    def api(self):
        header = code_of(self.text("capi/include/bankml.h"))
        return sorted(set(re.findall(r"BANKML_API\b[^;]*?\b(bankml_\w+)\s*\(", header)))

    def rule_symbols(self):
        listed = self.text("capi/bankml.symbols").split()
        if listed != self.api():
            yield f"capi/bankml.symbols differs from bankml.h: {sorted(set(listed) ^ set(self.api()))}"

    def rule_every_function_used(self):
        """A C program uses every function; so does the C++ wrapper."""
        program = code_of("\n".join(p.read_text(encoding="utf-8") for p in self.files("tests/capi", {".c"})))
        wrapper = code_of(self.text("capi/include/bankml.hpp"))
        for function in self.api():
            if not re.search(rf"\b{function}\s*\(", program):
                yield f"tests/capi: no C program calls {function}"
            if not re.search(rf"\b{function}\s*\(", wrapper):
                yield f"capi/include/bankml.hpp does not offer {function}"

    def rule_no_leftovers(self):
        own = "tests/layering/check.py"
        machine = "/" + "work/"
        for folder in TOP_FOLDERS + ["."]:
            paths = self.files(folder, TEXT) if folder != "." else [p for p in self.root.iterdir() if p.is_file() and p.suffix in TEXT]
            for path in paths:
                if self.name(path) == own or path.name in ("LICENSE", ".git"):  # .git: a linked worktree
                    continue
                try:
                    text = path.read_text(encoding="utf-8")
                except UnicodeDecodeError:
                    continue
                for number, line in enumerate(text.splitlines(), 1):
                    if re.search(r"\b(?:TODO|FIXME)\b", line) or machine in line:
                        yield f"{self.name(path)}:{number}: left over: {line.strip()[:80]}"

    def rules(self):
        return [getattr(self, name) for name in sorted(dir(self)) if name.startswith("rule_")]


def run(root):
    passed = failed = 0
    for rule in Tree(root).rules():
        violations = list(rule())
        for violation in violations:
            print(f"{rule.__name__[5:]}: {violation}")
        failed += bool(violations)
        passed += not violations
    print(f"{passed} passed, {failed} failed")
    return failed != 0


def append(name, text):
    def change(root):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(text)

    return change


def replace(name, old, new):
    def change(root):
        path = root / name
        text = path.read_text(encoding="utf-8")
        assert old in text, f"self-test: {old!r} is not in {name}"
        path.write_text(text.replace(old, new), encoding="utf-8")

    return change


def remove(name):
    return lambda root: (root / name).unlink()


BREAKS = [  # rule, how to break it
    ("room_table", replace("core/CMakeLists.txt", "bankml_room(probs      USES math", "bankml_room(probs      USES params math")),
    ("room_table", replace("core/CMakeLists.txt", "bankml_room(vocab      USES formats)", "bankml_room(vocab      USES formats chain)")),
    ("core_includes", append("core/base/status.h", '#include "core/math/float_bits.h"\n')),
    ("core_includes", append("core/steps/step.h", '#include "core/params/params.h"\n')),
    ("core_includes", append("core/base/status.h", "#include <nlohmann/json.hpp>\n")),
    ("core_includes", append("core/vocab/new.h", '#include "bankml.h"\n')),
    ("steps_apart", lambda root: (append("core/steps/a_step.h", "class A : public Step {};\n")(root),
                                  append("core/steps/b_step.cpp", '#include "core/steps/a_step.h"\n')(root))),
    ("outer_includes", append("examples/new.c", '#include "core/math/fp_env.h"\n')),
    ("outer_includes", append("capi/include/bankml.h", '#include "other.h"\n')),
    ("fp_env", append("core/steps/new.cpp", "#include <cstdint>\nfloat f();\n")),
    ("own_order_and_draws", append("core/probs/new.cpp", "void f() { std::sort(a, b); }\n")),
    ("own_order_and_draws", append("core/random/new.cpp", "std::discrete_distribution<int> d;\n")),
    ("unity_complete", append("core/base/new.cpp", "// new\n")),
    ("tested_by", append("core/base/new.cpp", "// no test\n")),
    ("tested_by", append("core/base/new.h", "// Tested by tests/base/nowhere.cpp\n")),
    ("length", append("core/base/new.h", "// line\n" * 501)),
    ("columns", append("core/base/new.h", "// " + "x" * 140 + "\n")),
    ("readmes", remove("core/README.md")),
    ("versions", replace("capi/include/bankml.h", '#define BANKML_VERSION "', '#define BANKML_VERSION "9')),
    ("versions", append("VERSION", "1\n")),
    ("versions", replace("bindings/go/bankml/library.go", 'const Version = "', 'const Version = "9')),
    ("versions", replace("bindings/java/pom.xml", "<artifactId>bankml</artifactId>", "<artifactId>other</artifactId>")),
    ("packages_page", append("docs/packages.md", "`scripts/test nothing`\n")),
    ("packages_page", remove("tests/python/test_inputs.py")),
    ("readme_examples", replace("README.md", "import io.bankml.Sampler", "import io.other.Sampler")),
    ("symbols", append("capi/bankml.symbols", "bankml_zzz\n")),
    ("every_function_used", append("capi/include/bankml.h", "BANKML_API int bankml_zzz(void);\n")),
    ("no_leftovers", append("docs/new.md", "TO" + "DO: write\n")),
]


def self_test(root):
    passed = failed = 0
    ignore = shutil.ignore_patterns("build*", ".git", "vectors", "__pycache__")
    for name, change in BREAKS:
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "tree"
            shutil.copytree(root, copy, ignore=ignore)
            before = set(getattr(Tree(copy), f"rule_{name}")())
            change(copy)
            after = set(getattr(Tree(copy), f"rule_{name}")())
        if after - before:
            passed += 1
        else:
            failed += 1
            print(f"self-test: rule {name} did not notice its break")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    project = Path(__file__).resolve().parent.parent.parent
    sys.exit(self_test(project) if sys.argv[1:] == ["--self-test"] else run(project))
