"""``python -m bankml``: version, CPU and self-check; ``python -m bankml --params``: the table of parameters."""

from __future__ import annotations

import argparse
import platform
import sys

import numpy

import bankml


def show_params() -> None:
    for row in bankml.param_table():
        also = f" (also: {', '.join(row.aliases)})" if row.aliases else ""
        print(f"{row.name} = {row.default!r}{also}\n    {row.doc}")


def show_installation() -> int:
    python = f"Python {platform.python_version()}, numpy {numpy.__version__}"
    print(f"bankml {bankml.version()}, ABI {bankml.abi_version()}, {python}, {platform.system()} {platform.machine()}")
    print(f"CPU level: {bankml.cpu_name()} (this machine runs {', '.join(bankml.cpu_levels())})")
    try:
        report = bankml.self_check()
    except bankml.BankmlError as error:
        print(f"self-check failed:\n{error}")
        return 1
    print(f"self-check passed:\n{report.rstrip()}")
    return 0


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bankml", description="Checks the installation of bankml.")
    parser.add_argument("--params", action="store_true", help="print the table of parameters instead")
    if parser.parse_args(arguments).params:
        show_params()
        return 0
    return show_installation()


if __name__ == "__main__":
    sys.exit(main())
