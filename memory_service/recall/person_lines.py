"""Lines of a context about the person: norms, emotional thread, procedures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from memory_service.recall.formatting import quoted_procedure, quoted_thread
from memory_service.recall.token_budget import Line
from memory_service.store.context_entries import PersonEntry


def thread_of(entries: Sequence[PersonEntry]) -> PersonEntry | None:
    """The open emotional thread."""
    return next((entry for entry in entries if entry.kind == "thread"), None)


def thread_emotion(entries: Sequence[PersonEntry]) -> str | None:
    """The emotion label of the open thread, if it has one."""
    thread = thread_of(entries)
    return None if thread is None else thread.detail["emotion"]


def thread_lines(entries: Sequence[PersonEntry]) -> list[Line]:
    """The line of EMOTIONAL, if there is a thread."""
    thread = thread_of(entries)
    if thread is None:
        return []
    text = quoted_thread(
        thread.content,
        thread.occurred_at,
        thread.detail["length"],
        acknowledge=thread.detail["acknowledge"],
    )
    return [Line(thread.id, text, is_memory=False)]


def acknowledged(entries: Sequence[PersonEntry], *, printed: bool) -> dict[str, Any]:
    """The trace's entry for a thread that the context asked the agent to acknowledge; empty without one."""
    thread = thread_of(entries)
    if thread is None or not printed or not thread.detail["acknowledge"]:
        return {}
    return {"acknowledged_thread": str(thread.id)}


def procedure_lines(
    entries: Sequence[PersonEntry], marks: Callable[[str, datetime], str] = lambda _text, _since: ""
) -> list[Line]:
    """The procedures that fit the message, best first, before the memories of RELEVANT; `marks`: what stands behind a
    line, by its text and date."""
    procedures = [entry for entry in entries if entry.kind == "procedure"]
    return [
        Line(one.id, procedure_line(one) + marks(one.content, one.occurred_at), rank=place - len(procedures))
        for place, one in enumerate(procedures)
    ]


def procedure_line(entry: PersonEntry) -> str:
    worked, failed = entry.detail["worked"], entry.detail["failed"]
    failures = (failed, worked + failed) if entry.detail["avoid"] else None
    return quoted_procedure(entry.detail["kind"], entry.content, entry.situation, entry.occurred_at, failures)
