"""The Markdown pages of the repository: code blocks, prose, headings, links."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = (ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md")))

BLOCK = re.compile(r"^```([^\n`]*)\n(.*?)^```\s*$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ +(.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced code block and the line of the page that it begins in."""

    language: str
    code: str
    line: int

    @property
    def first_line(self) -> str:
        return self.code.partition("\n")[0]


def blocks_of(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(found[1].strip(), found[2], text.count("\n", 0, found.start()) + 1)
        for found in BLOCK.finditer(text)
    ]


def prose_of(page: Path) -> str:
    """The page without its code blocks."""
    return BLOCK.sub("", page.read_text(encoding="utf-8"))


def links_of(page: Path) -> list[str]:
    return LINK.findall(prose_of(page))


def anchors_of(page: Path) -> set[str]:
    """The anchors that GitHub gives to the headings of a page."""
    anchors: set[str] = set()
    for heading in HEADING.findall(prose_of(page)):
        words = re.sub(r"[^\w\s-]", "", heading.lower()).strip().replace(" ", "-")
        number, anchor = 0, words
        while anchor in anchors:
            number += 1
            anchor = f"{words}-{number}"
        anchors.add(anchor)
    return anchors
