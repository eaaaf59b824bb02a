#!/usr/bin/env python3
"""Writes the files by which a Go module proxy serves this module: module_zip.py VERSION FOLDER  ->  VERSION.zip, VERSION.mod, VERSION.info.

The zip holds what the go command itself would pack from the tagged commit (https://go.dev/ref/mod#zip-files): every file of the repository,
except folders that are modules of their own (by their go.mod: tests/vectors, fuzz, the consumers), vendor folders and links. In a git checkout
the files are those that git knows or would add; in an unpacked zip, all.
"""
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def files():
    listed = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"], capture_output=True, text=True
    )
    if listed.returncode == 0:
        names = {name for name in listed.stdout.split("\0") if name}
    else:
        names = {path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*")}
    return sorted(name for name in names if (ROOT / name).is_file() and not (ROOT / name).is_symlink())


def main():
    version, folder = sys.argv[1], Path(sys.argv[2])
    if not re.fullmatch(r"v\d+\.\d+\.\d+(-[\w.]+)?", version):
        sys.exit(f"{version} is no version of a Go module; v1.2.3 or v1.2.3-rc.1 would be")
    module = re.search(r"^module (\S+)", (ROOT / "go.mod").read_text(), re.M).group(1)
    names = files()
    others = {name[: -len("go.mod")] for name in names if name.endswith("/go.mod")}
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(folder / f"{version}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            if any(name.startswith(other) for other in others) or "vendor" in name.split("/")[:-1]:
                continue
            entry = zipfile.ZipInfo(f"{module}@{version}/{name}")  # with one date, so that equal files give equal zips
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, (ROOT / name).read_bytes())
    (folder / f"{version}.mod").write_bytes((ROOT / "go.mod").read_bytes())
    (folder / f"{version}.info").write_text(json.dumps({"Version": version}) + "\n", encoding="utf-8")


main()
