"""The package as it is installed: what it contains, what importing it pulls in, in which order."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import bankml
import pytest

HERE = Path(bankml.__file__).parent


def python(code: str, *options: str) -> str:
    run = subprocess.run([sys.executable, *options, "-c", code], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


def test_type_information_is_shipped_and_the_generated_python_is_not() -> None:
    assert (HERE / "py.typed").is_file() and (HERE / "_native.pyi").is_file()
    assert not (HERE / "native.py").exists()


def test_metadata() -> None:
    about = metadata.metadata("bankml")
    assert about["License-Expression"] == "Apache-2.0" and about["Requires-Python"] == ">=3.11"
    needs = [need for need in metadata.requires("bankml") or [] if "extra ==" not in need]
    assert len(needs) == 1 and needs[0].startswith("numpy")


def test_import_pulls_in_numpy_and_nothing_else_from_outside() -> None:
    code = (
        "import sys, numpy; before = set(sys.modules); import bankml;"
        "print(*{m.split('.')[0] for m in set(sys.modules) - before} - set(sys.stdlib_module_names))"
    )
    # SWIG keeps a module of its own for types that extensions share; it has no file.
    assert [name for name in python(code).split() if not name.startswith("swig_runtime_data")] == ["bankml"]
    assert python("import sys, bankml; print('torch' in sys.modules)") == "False"


ORDERS = ["import numpy, bankml", "import bankml, numpy", "import ssl, sqlite3, bankml"]
if importlib.util.find_spec("torch") is not None:
    ORDERS += ["import torch, bankml", "import bankml, torch"]


@pytest.mark.parametrize("order", ORDERS)
def test_import_order_does_not_matter(order: str) -> None:
    assert python(f"{order}; bankml.self_check(); print(bankml.Sampler(n_vocab=3, temperature=0).sample([1, 3, 2]))") == "1"


def test_import_is_silent_where_warnings_are_errors() -> None:
    assert python("import bankml; bankml.Sampler(n_vocab=3).sample([1, 2, 3])", "-W", "error", "-X", "dev") == ""
