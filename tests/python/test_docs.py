"""The snippets of docs/python.md run as they stand, each in a program of its own; so do the docstring's lines."""

from __future__ import annotations

import re
import subprocess
import sys
import types
from pathlib import Path

import bankml
import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs/python.md"
SNIPPETS = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.M | re.S)


@pytest.mark.parametrize("snippet", SNIPPETS, ids=range(len(SNIPPETS)))
def test_a_snippet_runs_and_prints_what_it_says(snippet: str) -> None:
    run = subprocess.run([sys.executable, "-W", "error", "-c", snippet], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    said = re.findall(r"^print\(.*\)  # (.*)$", snippet, re.M)
    assert run.stdout.splitlines() == said


def test_the_page_names_every_public_name_and_every_error() -> None:
    page = PAGE.read_text(encoding="utf-8")
    missing = [name for name in bankml.__all__ if not name.startswith("__") and name not in page]
    assert not missing and len(SNIPPETS) >= 3


def test_the_packages_docstring_runs() -> None:
    lines = [line[4:] for line in (bankml.__doc__ or "").splitlines() if line.startswith("    ")]
    assert len(lines) == 4
    exec("\n".join(lines), {})


def test_every_public_call_is_documented() -> None:
    for cls in (bankml.Sampler, bankml.Params, bankml.Vocab, bankml.Workspace, bankml.Grammar, bankml.Pool, bankml.Stop, bankml.Reply):
        for name, member in vars(cls).items():
            if not name.startswith("_"):
                assert member.__doc__, f"{cls.__name__}.{name}"
    for name in bankml.__all__:
        if isinstance(getattr(bankml, name), (type, types.FunctionType)):
            assert getattr(bankml, name).__doc__, name
