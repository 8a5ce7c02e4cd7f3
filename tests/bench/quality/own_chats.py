"""This project's own labelled chats, as they lie in the folder chats/."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from memory_service.requests import NewMessage
from tests.bench.quality.evidence import Said

FOLDER = Path(__file__).parent / "chats"
_HELD = "held_"
"""Names of chats begin like this that nothing is fitted or tuned on: they are only measured."""


def is_held(name: str) -> bool:
    """Whether the chat of this name is held out."""
    return name.startswith(_HELD)


def files(*, held: bool | None = None, folder: Path = FOLDER) -> list[Path]:
    """The files by name; only held-out ones, only the others, or all."""
    return [path for path in sorted(folder.glob("*.json")) if held is None or is_held(path.stem) == held]


def read(file: Path) -> dict[str, Any]:
    """A chat as it is written down: messages, facts, worth, questions."""
    return json.loads(file.read_text(encoding="utf-8"))


def said_in(chat: Mapping[str, Any]) -> Said:
    """Its messages by conversation, in order."""
    said: Said = {}
    for one in chat["messages"]:
        at = datetime.fromisoformat(one["occurred_at"])
        message = NewMessage(one["role"], one["content"], one.get("name"), at, one["id"])
        said.setdefault(one["conversation_id"], []).append(message)
    return said
