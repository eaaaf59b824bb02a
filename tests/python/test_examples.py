"""Every program of examples/python prints what is recorded in expected/, which the C twin of the same name prints too."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples/python"
EXPECTED = Path(__file__).resolve().parent / "expected"
PROGRAMS = sorted(path.stem for path in EXAMPLES.glob("*.py") if path.stem != "tiny_model")


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_program_prints_what_is_recorded(name: str) -> None:
    run = subprocess.run([sys.executable, "-W", "error", EXAMPLES / f"{name}.py"], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    assert run.stdout == (EXPECTED / f"{name}.txt").read_text(encoding="utf-8")


def test_no_example_and_no_record_is_alone() -> None:
    assert PROGRAMS == sorted(path.stem for path in EXPECTED.glob("*.txt")) and len(PROGRAMS) == 7
