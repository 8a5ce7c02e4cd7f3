"""Parsing of transcripts to import: JSON lines and LoCoMo conversation files."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

from memory_service.errors import InvalidInput
from memory_service.iso_time import parsed_time
from memory_service.requests import NewMessage
from memory_service.transfer.json_lines import json_objects
from memory_service.transfer.parts import Part
from memory_service.validation import MAX_MESSAGES

LINE_FIELDS = {"conversation_id", "role", "content", "name", "occurred_at", "id", "metadata"}
SESSION = re.compile(r"session_[1-9][0-9]{0,5}")
LOCOMO_TIME = "%I:%M %p on %d %B, %Y"


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a transcript and the conversation it belongs to."""

    conversation_id: str
    message: NewMessage


def transcript_parts(path: Path) -> Iterator[Part]:
    """The turns of a file in batches of one conversation. Errors: InvalidInput naming the line and field."""
    held: list[NewMessage] = []
    conversation_id = ""
    for turn in read_transcript(path):
        if held and (conversation_id != turn.conversation_id or len(held) == MAX_MESSAGES):
            yield Part(conversation_id, held)
            held = []
        conversation_id = turn.conversation_id
        held.append(turn.message)
    if held:
        yield Part(conversation_id, held)


def read_transcript(path: Path) -> Iterator[Turn]:
    """The turns of a file, in order. Each has an id, so that a second import stores nothing.

    A file that is one JSON object with an object `conversation` is parsed as LoCoMo, any other as JSON lines, one by
    one. Errors: InvalidInput naming the line and field.
    """
    try:
        whole = locomo_file(path)
        if whole is not None:
            yield from locomo_turns(whole, path.stem)
            return
        with path.open(encoding="utf-8-sig", newline="\n") as lines:
            yield from line_turns(lines)
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput("file", f"cannot be read: {error}") from error


def locomo_file(path: Path) -> dict[str, Any] | None:
    """The object of a LoCoMo file, which is read as a whole; None if the first line is a JSON line, or it is another
    file."""
    with path.open(encoding="utf-8-sig") as lines:
        first = next((line for line in lines if line.strip()), "").strip()
        if not first.startswith("{"):
            return None
        found = parsed(first)
        if found is None:
            found = parsed(first + lines.read())
    return found if found is not None and isinstance(found.get("conversation"), dict) else None


def parsed(text: str) -> dict[str, Any] | None:
    """A JSON object; None for any other text."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", found) if isinstance(found, dict) else None


def line_turns(lines: Iterable[str]) -> Iterator[Turn]:
    """JSON lines `{conversation_id, role, content, name?, occurred_at?, id?}`."""
    seen: Counter[str] = Counter()
    for at, fields in json_objects(lines, lambda number: f"line {number}"):
        for name in ("conversation_id", "role", "content"):
            if not isinstance(fields.get(name), str):
                raise InvalidInput(f"{at}: {name}", "must be a string")
        for name in fields.keys() - LINE_FIELDS:
            raise InvalidInput(f"{at}: {name}", f"is unknown; known are {', '.join(sorted(LINE_FIELDS))}")
        message = NewMessage(
            fields["role"],
            fields["content"],
            fields.get("name"),
            parsed_time(fields.get("occurred_at"), f"{at}: occurred_at"),
            fields.get("id") or content_id(fields, seen),
            fields.get("metadata"),
        )
        yield Turn(fields["conversation_id"], message.checked(at))


def content_id(fields: dict[str, Any], seen: Counter[str]) -> str:
    """An id from the line's fields and the number of equal lines before it, independent of its line number."""
    key = json.dumps([fields.get(k) for k in ("conversation_id", "role", "name", "occurred_at", "content")])
    digest = hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:24]
    seen[digest] += 1
    return f"import:{digest}:{seen[digest]}"


def locomo_turns(whole: dict[str, Any], stem: str) -> Iterator[Turn]:
    """The turns of a LoCoMo file, one conversation per session.

    Speaker A has the role user, speaker B assistant; both messages carry a name, so both count as people. A session has
    one time without a zone, taken as UTC; each turn is dated one second after the one before, which keeps their order.
    The dialogue id is the message's id and is in its metadata.
    """
    conversation = cast("dict[str, Any]", whole["conversation"])
    sample = str(whole.get("sample_id") or stem)
    user = conversation.get("speaker_a")
    numbers = sorted(
        int(key.removeprefix("session_"))
        for key, value in conversation.items()
        if SESSION.fullmatch(key) and isinstance(value, list)
    )
    for number in numbers:
        stamp = conversation.get(f"session_{number}_date_time")
        try:
            start = datetime.strptime(str(stamp), LOCOMO_TIME).replace(tzinfo=UTC)
        except ValueError:
            raise InvalidInput(
                f"session_{number}_date_time", f"is not like '1:56 pm on 8 May, 2023': {stamp}"
            ) from None
        for i, entry in enumerate(cast("list[object]", conversation[f"session_{number}"])):
            at = f"session_{number}[{i}]"
            if not isinstance(entry, dict):
                raise InvalidInput(at, "is not a JSON object")
            turn = cast("dict[str, Any]", entry)
            speaker, dia_id, content = (turn.get(k) for k in ("speaker", "dia_id", "text"))
            if not (isinstance(speaker, str) and isinstance(dia_id, str) and isinstance(content, str)):
                raise InvalidInput(at, "must have speaker, dia_id and text")
            caption = turn.get("blip_caption")
            message = NewMessage(
                "user" if speaker == user else "assistant",
                f"{content} [shows a photo: {caption}]" if caption else content,
                speaker,
                start + timedelta(seconds=i),
                dia_id,
                {"dia_id": dia_id},
            )
            yield Turn(f"{sample}/session_{number}", message.checked(at))
