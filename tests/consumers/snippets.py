#!/usr/bin/env python3
"""Writes the fenced C and C++ blocks of a Markdown file that are whole programs (they have a main) as readme.c and readme.cpp in FOLDER:
snippets.py FILE.md FOLDER"""
import re
import sys
from pathlib import Path

markdown, folder = Path(sys.argv[1]), Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
blocks = re.findall(r"^```(c|cpp)\n(.*?)^```$", markdown.read_text(encoding="utf-8"), re.M | re.S)
programs = [(language, text) for language, text in blocks if "int main" in text]
if {language for language, _ in programs} != {"c", "cpp"}:
    sys.exit(f"{markdown.name}: a program in C and one in C++ are expected")
for language, text in programs:
    (folder / f"readme.{language}").write_text(text, encoding="utf-8")
