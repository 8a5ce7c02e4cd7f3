"""Episodes of Graphiti (`EpisodicNode`) as JSON lines or a list.

    {"uuid": …, "group_id": "anna", "name": …, "source": "message", "source_description": "chat",
     "content": "user: I live in Porto.", "valid_at": "2024-03-02T09:30:00Z", "created_at": …}

Episodes of source `message` are lines `actor: text`, or `name(role): text` of its server. Texts, JSON and
messages without a speaker are committed as episodes of the agent `graphiti`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_OID, uuid5

from memory_service.requests import NewMessage
from memory_service.text.late_pattern import compile_late
from memory_service.transfer.fields import line_at, text_at, time_at
from memory_service.transfer.json_array import records_in
from memory_service.transfer.parts import Part, Statement
from memory_service.validation import MAX_MESSAGES, check_choice, check_line

PRODUCT = "graphiti"
SOURCES = ("message", "text", "json")
ROLES = {
    "user": "user", "human": "user", "assistant": "assistant", "ai": "assistant", "agent": "assistant",
    "bot": "assistant", "system": "system", "tool": "tool",
}  # fmt: skip
_ACTOR = compile_late(
    r"(?m)^(?:(?P<name>[^\W\d_][^:()\n]{0,60})?\((?P<role>user|assistant|system)\)|"
    r"(?P<actor>(?i:user|human|assistant|ai|agent|bot|system|tool)|[A-Z][\w'’.-]*(?: [A-Z][\w'’.-]*){0,2})):[ \t]+"
)
"""The beginning of a line that a role or a name opens."""


def graphiti_parts(path: Path) -> Iterator[Part]:
    """The episodes, in batches of one group. Errors: InvalidInput naming record and field."""
    held = Part("", [], [], PRODUCT)
    for place, row in records_in(path):
        original_id = line_at(row, "uuid", place)
        place = f"{place} ({original_id})"
        group = line_at(row, "group_id", place) if row.get("group_id") else PRODUCT
        source = check_choice(row.get("source"), f"{place}: source", SOURCES)
        at = time_at(row, place, "valid_at")
        if held.conversation_id != group or len(held.messages) + len(held.commits) >= MAX_MESSAGES:
            if held.messages or held.commits:
                yield held
            held = Part(group, [], [], PRODUCT)
        text = text_at(row, "content", place)
        more = {
            "group_id": group,
            **{name: text_at(row, name, place) for name in ("name", "source_description") if row.get(name)},
        }
        messages = list(messages_of(text, original_id, at, more, place)) if source == "message" else []
        held.messages.extend(messages)
        if not messages:
            statement = Statement(PRODUCT, original_id, "user", text, at, more=more)
            held.commits.extend(statement.commits(original_id, place, fact=False))
    if held.messages or held.commits:
        yield held


def openings_in(text: str) -> list[re.Match[str]]:
    """The beginnings of the messages of an episode; none without a speaker.

    Lines of a reply look like beginnings too ("Note: …") and must not become words of the user: `name(role): ` begins
    the only message, after a role only roles begin others, and within a reply a name that has spoken before.
    """
    found: list[re.Match[str]] = []
    names: set[str] = set()
    replies = False
    for opens in _ACTOR.finditer(text):
        actor = opens["actor"]
        if not found and opens.start():
            break
        if found and (actor is None or found[0]["role"]):
            continue
        role = ROLES.get((actor or opens["role"]).lower())
        if role is None:
            if found and (not names or (replies and actor not in names)):
                continue
            names.add(actor)
        replies = role not in ("user", None)
        found.append(opens)
    return found


def messages_of(
    text: str, original_id: str, at: datetime, more: dict[str, Any], place: str
) -> Iterator[NewMessage]:
    """The lines of an episode as messages, a millisecond apart, which keeps their order; none without a speaker."""
    found = openings_in(text)
    if not found:
        return
    for number, (opens, end) in enumerate(zip(found, [*(m.start() for m in found[1:]), None], strict=True)):
        actor: str = opens["actor"] or opens["role"]
        role = ROLES.get(actor.lower(), "user")
        name = opens["name"] if opens["role"] else None if actor.lower() in ROLES else actor
        yield from Statement(
            PRODUCT,
            original_id,
            role,
            text[opens.end() : end],
            at + timedelta(milliseconds=number),
            check_line(name, f"{place}: content: speaker").strip() if name and role == "user" else None,
            more,
        ).messages(
            place, str(uuid5(NAMESPACE_OID, f"{original_id}/line {number}")) if number else original_id
        )
