"""docs/contributing.md names files of the repository and names that stand in them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.pages import ROOT, anchors_of, prose_of

PAGE = ROOT / "docs" / "contributing.md"
PLACE = re.compile(r"`([\w./]+\.(?:py|sql|toml|md))(?::(\w+))?`")
BEGINNINGS = ("db", "jobs", "plugin", "tests")
FOLDERS = (
    ROOT / "memory_service",
    ROOT / "memory_service/redaction",
    ROOT / "memory_service/rules/facts",
    ROOT,
)
"""Folders of Python files; in two sections, which name theirs, paths begin further down."""


def places() -> list[tuple[str, str]]:
    """Each path after the index, with the name after its colon or an empty text."""
    return sorted(set(PLACE.findall(prose_of(PAGE).split("\n## ", 1)[1])))


def file_of(path: str) -> Path | None:
    if path.endswith(".sql") and not path.startswith("db/"):
        return next(iter((ROOT / "db/functions").glob(path)), None)
    folders = (ROOT,) if path.split("/")[0] in BEGINNINGS else FOLDERS
    return next((folder / path for folder in folders if (folder / path).is_file()), None)


@pytest.mark.parametrize(("path", "name"), places())
def test_files_and_their_names_exist(path: str, name: str) -> None:
    file = file_of(path)
    assert file is not None
    assert re.search(rf"\b{name}\b", file.read_text(encoding="utf-8"))


def test_the_index_has_each_section() -> None:
    index = prose_of(PAGE).split("\n## ", 1)[0]
    assert anchors_of(PAGE) - {"contributing", "on-another-postgres", "databases-of-the-tests"} == set(
        re.findall(r"\(#([\w-]+)\)", index)
    )
