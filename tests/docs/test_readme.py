"""The README is short, and files and make targets that the pages name exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.pages import PAGES, ROOT


def test_the_readme_has_at_most_200_lines() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 200


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_files_that_a_page_names_exist(page: Path) -> None:
    for place in re.findall(
        r"`((?:db|memory_service|jobs|tests)/[\w./]+)`", page.read_text(encoding="utf-8")
    ):
        assert (ROOT / place).exists(), place


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_make_targets_that_a_page_names_exist(page: Path) -> None:
    targets = re.findall(r"^([a-z-]+):.*##", (ROOT / "Makefile").read_text(), re.MULTILINE)
    for target in re.findall(r"(?:`|^)make ([a-z-]+)", page.read_text(encoding="utf-8"), re.MULTILINE):
        assert target in targets, target
