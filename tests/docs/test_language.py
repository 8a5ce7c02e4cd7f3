"""Comments, docstrings and documentation: no filler words, no references to texts outside the repository, no long lines
of comments in SQL (ruff checks those of Python).

`python tests/docs/test_language.py [path ...]` lists the violations.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PRODUCT = ("README.md", "CHANGELOG.md", "db", "memory_service", "jobs", "plugin", "docs", "tests")
SOURCES = ROOT / "docs" / "design.md"
"""The only file that may name its sources, in the section "Sources"."""

FILLERS = re.compile(
    r"\b(?:"
    r"what (?:is|was|has|had|are|were|becomes?|became|comes?|came|goes|can|may|follows|it comes|they come)"
    r"|told|somebody|nobody|whoever|whomever|besides"
    r"|look(?:s|ed|ing)? at|put away|let go of|lets go of|sees to|see to|saw to|goes by|went by"
    r"|in vain|the night|at night|by themselves|of its own|of their own|of our own"
    r")\b",
    re.IGNORECASE,
)
QUESTION = re.compile(r"^\W*what\b[^.]*\?", re.IGNORECASE)
"""Questions, as headings or list items, may begin with "what"."""
LONGEST_LINE = 120
REFERENCES = re.compile(r"\bDESIGN\b|\bS[1-5]\b|\bpromises? \d")


def python_prose(source: str) -> Iterator[tuple[int, str]]:
    """Line number and text of each comment and docstring (also of constants) of a module."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string
    for node in ast.walk(ast.parse(source)):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            for offset, line in enumerate(node.value.value.split("\n")):
                yield node.lineno + offset, line


def sql_prose(source: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(source.split("\n"), 1):
        _, mark, comment = line.partition("--")
        if mark:
            yield number, comment


def markdown_prose(source: str) -> Iterator[tuple[int, str]]:
    fenced = False
    for number, line in enumerate(source.split("\n"), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced:
            yield number, re.sub(r"`[^`]*`", "", line)


PROSE = {".py": python_prose, ".sql": sql_prose, ".md": markdown_prose}


def files_of(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    return [file for suffix in PROSE for file in path.rglob(f"*{suffix}") if "versions" not in file.parts]


def violations(paths: list[Path]) -> list[str]:
    found: list[str] = []
    for file in {file.resolve() for path in paths for file in files_of(path)}:
        for number, line in PROSE[file.suffix](file.read_text(encoding="utf-8")):
            hits = [] if QUESTION.match(line) else FILLERS.findall(line)
            hits += [] if file == SOURCES else REFERENCES.findall(line)
            found += [f"{file.relative_to(ROOT)}:{number}: {hit}: {line.strip()}" for hit in hits]
    return sorted(found)


@pytest.mark.parametrize("path", PRODUCT)
def test_prose_is_plain(path: str) -> None:
    assert violations([ROOT / path]) == []


def test_comments_of_sql_fit_into_a_line() -> None:
    long = [
        f"{file.relative_to(ROOT)}:{number}"
        for file in (ROOT / "db").rglob("*.sql")
        for number, line in enumerate(file.read_text(encoding="utf-8").split("\n"), 1)
        if line.lstrip().startswith("--") and len(line) > LONGEST_LINE
    ]
    assert long == []


if __name__ == "__main__":
    lines = violations([Path(argument) for argument in sys.argv[1:]] or [ROOT / path for path in PRODUCT])
    sys.stdout.write("\n".join([*lines, f"{len(lines)} violations", ""]))
