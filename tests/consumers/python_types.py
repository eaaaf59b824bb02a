#!/usr/bin/env python3
"""Asks a type checker about tests/consumers/python: the project is clean, and every marked line of wrong.py is reported, no other.

    python tests/consumers/python_types.py mypy|pyright      with the python that has bankml installed
"""

import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent / "python"
COMMANDS = {"mypy": ["mypy", "--strict", "--no-incremental"], "pyright": ["pyright", "--pythonpath", sys.executable]}


def reported(checker: str, file: Path) -> tuple[set[int], str]:
    run = subprocess.run([sys.executable, "-m", *COMMANDS[checker], str(file)], capture_output=True, text=True)
    lines = re.findall(rf"{re.escape(file.name)}:(\d+)(?::\d+)?(?: -|:) error", run.stdout)
    if run.returncode not in (0, 1) or (run.returncode == 1) != bool(lines):
        sys.exit(f"{checker} did not work: {run.stdout}{run.stderr}")
    return {int(line) for line in lines}, run.stdout


def main() -> None:
    (checker,) = sys.argv[1:]
    failed = 0
    wrong = HERE / "wrong.py"
    marked = {i for i, line in enumerate(wrong.read_text().splitlines(), 1) if line.endswith("# error")}
    for file, expected in ((HERE / "src/bankml_consumer/__init__.py", set[int]()), (wrong, marked)):
        found, output = reported(checker, file)
        if found != expected:
            failed += 1
            print(f"{checker} on {file.name}: lines {sorted(found)} instead of {sorted(expected)}\n{output}")
    print(f"{2 - failed} passed, {failed} failed")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
