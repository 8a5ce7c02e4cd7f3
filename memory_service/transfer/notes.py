"""Notes in Markdown, such as CLAUDE.md: each list item and paragraph is a dated statement.

A statement in which rules read a fact or an instruction of the writer is a message of role user, so that it becomes a
fact or a norm. All others are committed as facts of the agent `notes`, with the words that govern them (the heading, or
the line before a list that ends with a colon): the gate would refuse "Package manager: pnpm".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from uuid import NAMESPACE_OID, UUID, uuid5

from markdown_it import MarkdownIt
from markdown_it.token import Token

from memory_service.errors import InvalidInput
from memory_service.rules.extractor import extract
from memory_service.text.late_pattern import compile_late
from memory_service.transfer.parts import Part, Statement
from memory_service.types import Segment, Utterance
from memory_service.validation import check_line

PRODUCT = "notes"
MAX_BYTES = 1024 * 1024
"""The parser reads a file as a whole."""
_FRONT_MATTER = compile_late(r"\A---\n.*?\n---(?:\n|\Z)", re.DOTALL)
_LIST_OPENS = ("bullet_list_open", "ordered_list_open")
_GOVERNS = compile_late(
    r"(?i)\b(?:not?|never|don[’']?t|avoid|without|forbidden|wrong|bad|mistakes?|anti-?patterns?|pitfalls?|instead|"
    r"deprecated|old|former(?:ly)?|when|if|while|unless|except|examples?)\b"
)
"""In headings that negate or limit the text below: "use npm" below "Never" does not instruct."""


@dataclass(frozen=True, slots=True)
class Note:
    """A list item or paragraph with the words above it."""

    headings: tuple[str, ...]
    leads: tuple[str, ...]
    """Lines that end with a colon, before the list."""
    text: str


def notes_parts(path: Path, at: datetime | None = None) -> Iterator[Part]:
    """The statements of a file, dated `at`, by default when the file was last changed.

    Left out: code blocks, tables, HTML, front matter. Errors: InvalidInput naming the statement and field.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise InvalidInput("file", f"is larger than {MAX_BYTES:,} bytes")
        text = path.read_text(encoding="utf-8-sig")
        at = at or datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput("file", f"cannot be read: {error}") from error
    if "\0" in text:
        raise InvalidInput("file", "contains a NUL character")
    yield from note_parts(PRODUCT, check_line(path.name, "file name"), text, at, {})


def note_parts(product: str, name: str, text: str, at: datetime, more: dict[str, str]) -> Iterator[Part]:
    """The statements of a Markdown text, each a part. Their ids come from name, headings and text: a note that is
    unchanged in a later version of the file is not new."""
    seen: Counter[str] = Counter()
    for number, note in enumerate(notes_in(text), 1):
        identity = "\n".join((product, name, *note.headings, *note.leads, note.text))
        seen[identity] += 1
        key = str(uuid5(NAMESPACE_OID, f"{identity}\n{seen[identity]}"))
        place = f"statement {number}"
        metadata = {**more, "file": name, **({"headings": list(note.headings)} if note.headings else {})}
        heading = note.headings[-1:]
        governed = bool(note.leads) or any(map(_GOVERNS.search, note.headings))
        if not governed and states_something(note.text, at):
            said = Statement(product, name, "user", "\n".join((*heading, note.text)), at, more=metadata)
            messages = list(said.messages(place, key))
            yield Part(f"{product}/{name}", messages, [], product, by_content=True)
        else:
            words = " ".join((*(f"{one}:" for one in heading), *note.leads, note.text))
            written = Statement(product, name, "user", words, at, more=metadata)
            commits = list(written.commits(key, place, fact=True))
            yield Part(f"{product}/{name}", [], commits, product, by_content=True)


def states_something(text: str, at: datetime) -> bool:
    """Whether rules read a fact or an instruction of the writer."""
    none = UUID(int=0)
    found = extract(Segment(none, (Utterance(none, "user", text, None, at),)))
    return found.keep and bool(found.facts or found.norms)


def notes_in(text: str) -> Iterator[Note]:
    """The list items and paragraphs of a Markdown text, in order."""
    tokens = MarkdownIt("commonmark").enable("table").parse(_FRONT_MATTER.sub("", text))
    headings: dict[int, str] = {}
    leads: list[str] = []
    lead = ""
    in_table = False
    for i, token in enumerate(tokens):
        if token.type in ("table_open", "table_close"):
            in_table = token.type == "table_open"
        elif token.type in _LIST_OPENS:
            leads.append(lead)
            lead = ""
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            leads.pop()
        elif token.type == "inline" and not in_table and (words := plain(token)):
            opened = tokens[i - 1]
            if opened.type == "heading_open":
                level = int(opened.tag.removeprefix("h"))
                headings = {key: value for key, value in headings.items() if key < level} | {level: words}
            elif words.endswith(":") and any(after.type in _LIST_OPENS for after in tokens[i + 2 : i + 3]):
                lead = words
            else:
                yield Note(tuple(headings.values()), tuple(filter(None, leads)), words)


def plain(token: Token) -> str:
    """The text of a paragraph as one line, without marks, images and HTML."""
    parts = [
        " " if child.type in ("softbreak", "hardbreak") else child.content
        for child in token.children or ()
        if child.type in ("text", "code_inline", "softbreak", "hardbreak")
    ]
    return " ".join("".join(parts).split())
