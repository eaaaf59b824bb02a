"""Builds bankml._native: SWIG over the C header, then one compiler run over the whole library (capi/src/bankml_unity.cpp).

    pip install .          g++ only; SWIG comes from PyPI as a build requirement
    python -m build        sdist and wheel; the sdist builds anywhere, without git

One file of the library is compiled, so this lists no sources and needs no CMake. The C++ runtime is linked statically and a version
script exports the module's init function alone: nothing of ours meets another C++ library of the process. With SWIG 4.4.1 or newer
the module keeps to the stable ABI and one wheel (cp311-abi3) serves every Python from 3.11 on; an older SWIG (Debian's, with
--no-build-isolation) makes a wheel for the Python at hand.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext
from setuptools.errors import ExecError

ROOT = Path(__file__).resolve().parent
SWIG_FOR_STABLE_ABI = (4, 4, 1)


def swig_version() -> tuple[int, ...]:
    """Version of the `swig` on PATH; (0,) if there is none, which is an error only once something is to be built."""
    if shutil.which("swig") is None:
        return (0,)
    text = subprocess.run(["swig", "-version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"SWIG Version (\d+)\.(\d+)\.(\d+)", text)
    return tuple(int(part) for part in found.groups()) if found else (0,)


STABLE_ABI = swig_version() >= SWIG_FOR_STABLE_ABI


class BuildExt(build_ext):
    """build_ext that runs SWIG first and writes the version script; both outputs stay in the build folder."""

    def build_extension(self, extension: Extension) -> None:
        if swig_version() == (0,):
            raise ExecError("swig is not on PATH: let pip build in isolation, or `pip install swig`, or `apt install swig`")
        folder = Path(self.build_temp)
        folder.mkdir(parents=True, exist_ok=True)
        wrapper, exports = folder / "native_wrap.cpp", folder / "exports.map"
        includes = [f"-I{name}" for name in ("capi/include", "bindings/swig", "bindings/python")]
        self.spawn(["swig", "-c++", "-python", "-threads", *includes, "-outdir", str(folder), "-o", str(wrapper), "bindings/python/bankml.i"])
        exports.write_text("{ global: PyInit__native; local: *; };\n", encoding="utf-8")
        extension.sources = [str(wrapper), "capi/src/bankml_unity.cpp"]
        if self.compiler.compiler_type == "unix" and sys.platform.startswith("linux"):
            extension.extra_link_args += [f"-Wl,--version-script={exports}", "-static-libstdc++", "-static-libgcc", "-Wl,-s"]
        super().build_extension(extension)


class BdistWheel(bdist_wheel):
    """One wheel for every Python from 3.11 on, where the module keeps to the stable ABI."""

    def finalize_options(self) -> None:
        if STABLE_ABI:
            self.py_limited_api = "cp311"
        super().finalize_options()


native = Extension(
    "bankml._native",
    sources=["capi/src/bankml_unity.cpp"],
    depends=[str(path.relative_to(ROOT)) for folder in ("core", "capi", "bindings/swig", "bindings/python")
             for path in sorted((ROOT / folder).rglob("*")) if path.suffix in (".cpp", ".h", ".inc", ".i")],
    include_dirs=["capi/include", "."],
    define_macros=[("Py_LIMITED_API", "0x030B0000")] if STABLE_ABI else [],
    py_limited_api=STABLE_ABI,
    language="c++",
    # -g0: Python's own flags ask for debugging information, which the module does not ship.
    extra_compile_args=["-std=c++20", "-O3", "-g0", "-fvisibility=hidden", "-ffp-contract=off"],
)

# Everything that is built lies below build/, which CMake and setuptools share by folder.
(ROOT / "build/python").mkdir(parents=True, exist_ok=True)

setup(
    version=(ROOT / "VERSION").read_text(encoding="utf-8").strip(),
    ext_modules=[native],
    cmdclass={"build_ext": BuildExt, "bdist_wheel": BdistWheel},
    options={"build": {"build_base": "build/python"}, "egg_info": {"egg_base": "build/python"}},
)
