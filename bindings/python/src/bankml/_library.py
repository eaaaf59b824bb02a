"""The library itself: version, CPU level, self-check, and the table of parameters."""

from __future__ import annotations

import json
from enum import IntEnum
from typing import Any, NamedTuple

from . import _native
from ._errors import InvalidArgumentError

__version__: str = _native.version_string()


class ParamKind(IntEnum):
    """What a parameter's value is."""

    INTEGER = 1
    NUMBER = 2
    BOOLEAN = 3
    JSON = 4


class ParamInfo(NamedTuple):
    """One row of the parameter table, the same for every language."""

    name: str
    kind: ParamKind
    aliases: tuple[str, ...]
    step: str  #: step of the chain that reads it, "" if none
    doc: str  #: one line
    default: Any  #: of the profile ``llama``
    min: float  #: accepted by the setters, inclusive
    max: float


def version() -> str:
    """Version of the library in use, for example ``"0.1.0"``; the same as ``bankml.__version__``."""
    return _native.version_string()


def abi_version() -> int:
    """Version of the C interface that is compiled into this package."""
    return _native.abi_version()


def self_check() -> str:
    """Proves that this process computes exactly, at every CPU level of this machine; returns one line for each check.

    Raises ``BankmlError`` naming the first check that fails: then a library in this process has changed what floating-point
    arithmetic means, or the build is at fault, and tokens would not be reproducible. Any thread.
    """
    return _native.py_self_check()


def cpu_name() -> str:
    """CPU level that samplers made from now on use: ``scalar``, ``avx2``, ``avx512`` or ``neon``. Results are equal at all."""
    return _native.cpu_name()


def cpu_levels() -> list[str]:
    """The levels that this machine can run, slowest first."""
    levels: list[str] = []
    while (name := _native.cpu_level(len(levels))) is not None:
        levels.append(name)
    return levels


def cpu_force(name: str | None) -> None:
    """For tests and benches: the level of samplers made later in this process; ``None`` or ``"auto"`` is the best one.

    Raises ``InvalidArgumentError`` if this machine lacks the level.
    """
    if name is not None and name != "auto" and name not in cpu_levels():
        raise InvalidArgumentError(f"cpu_force: no CPU level {name!r} here, only {', '.join(cpu_levels())}")
    _native.cpu_force("auto" if name is None else name)


def param_table() -> tuple[ParamInfo, ...]:
    """Every parameter: name, kind, aliases, step, documentation, default and range."""
    return tuple(_row(i) for i in range(_native.param_count()))


def _row(i: int) -> ParamInfo:
    aliases = _native.flat_param_aliases(i)
    return ParamInfo(
        name=_native.flat_param_name(i),
        kind=ParamKind(_native.flat_param_kind(i)),
        aliases=tuple(aliases.split(",")) if aliases else (),
        step=_native.flat_param_step(i),
        doc=_native.flat_param_doc(i),
        default=json.loads(_native.flat_param_default(i)),
        min=_native.flat_param_min(i),
        max=_native.flat_param_max(i),
    )


def param_defaults_json() -> dict[str, str]:
    """Name and default of every parameter, the default as the library's own JSON text."""
    return {_native.flat_param_name(i): _native.flat_param_default(i) for i in range(_native.param_count())}
