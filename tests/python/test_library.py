"""Version, CPU levels, self-check, status codes, and the command `python -m bankml`."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
from pathlib import Path

import bankml
import pytest
from bankml import _native
from rows import row

ROOT = Path(__file__).resolve().parents[2]


def test_one_version_everywhere() -> None:
    version = (ROOT / "VERSION").read_text().strip()
    assert version == bankml.__version__ == bankml.version() == importlib.metadata.version("bankml") == _native.BANKML_VERSION
    assert bankml.abi_version() == _native.BANKML_ABI_VERSION


def test_self_check_and_cpu_levels() -> None:
    levels = bankml.cpu_levels()
    assert levels[0] == "scalar" and bankml.cpu_name() in levels
    report = bankml.self_check()
    assert all(line.startswith("ok") for line in report.splitlines()) and f"golden draws, {levels[-1]}" in report
    try:
        tokens = set()
        for level in levels:
            bankml.cpu_force(level)
            assert bankml.cpu_name() == level
            sampler = bankml.Sampler(n_vocab=500, seed=5)
            tokens.add(tuple(sampler.sample(row(500, i)) for i in range(20)))
        assert len(tokens) == 1
        with pytest.raises(bankml.InvalidArgumentError, match="abacus"):
            bankml.cpu_force("abacus")
    finally:
        bankml.cpu_force(None)
    assert bankml.cpu_name() == levels[-1]


def test_status_codes_are_the_librarys() -> None:
    header = {name[7:]: value for name, value in vars(_native).items() if name.startswith("BANKML_") and isinstance(value, int)}
    for status in bankml.Status:
        assert header[status.name] == status
    known = {f"BANKML_{status.name}" for status in bankml.Status} | {"BANKML_OK"}
    rest = {name for name in vars(_native) if name.startswith("BANKML_") and name not in known}
    others = ("VERSION", "ABI", "KIND_", "TOKEN_", "GRAMMAR_", "TRIGGER_", "STOP_", "REPLY_")
    assert all(name.startswith(tuple("BANKML_" + other for other in others)) for name in rest), rest
    for kind in bankml.ParamKind:
        assert header[f"KIND_{kind.name}"] == kind
    for flag in bankml.TokenFlags:
        assert header[f"TOKEN_{flag.name}"] == flag


def test_errors_are_what_python_expects_and_carry_the_code() -> None:
    parents = {
        bankml.InvalidArgumentError: ValueError,
        bankml.BusyError: RuntimeError,
        bankml.ClosedError: RuntimeError,
        bankml.OutOfMemoryError: MemoryError,
        bankml.FileReadError: OSError,
        bankml.NoLegalTokenError: bankml.BankmlError,
    }
    from bankml._errors import error_of_status

    for cls, parent in parents.items():
        assert issubclass(cls, bankml.BankmlError) and issubclass(cls, parent)
    for status in bankml.Status:
        error = error_of_status(status, "a text")
        assert error.code is status and str(error) == "a text"
    assert isinstance(error_of_status(bankml.Status.NOMEM, ""), MemoryError)


def test_the_command() -> None:
    run = [sys.executable, "-m", "bankml"]
    shown = subprocess.run(run, capture_output=True, text=True, check=True).stdout
    assert f"bankml {bankml.version()}" in shown and "self-check passed" in shown and bankml.cpu_levels()[-1] in shown
    table = subprocess.run([*run, "--params"], capture_output=True, text=True, check=True).stdout
    assert all(row.name in table for row in bankml.param_table())
