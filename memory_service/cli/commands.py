"""The commands by name, with their help, which each one's docstring is too: to list them imports none of them."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple


class Command(NamedTuple):
    """Where a command is, and what it does."""

    module: str
    attribute: str
    help: str

    def load(self) -> Callable[..., Any]:
        """The function, or the typer.Typer of a group of commands."""
        return getattr(import_module(f"memory_service.cli.{self.module}"), self.attribute)


COMMANDS: dict[str, Command] = {
    "serve": Command(
        "service", "serve_command",
        "Start the database, migrate it, and serve with workers until Ctrl-C.",
    ),
    "worker": Command(
        "service", "worker",
        "Run one more intake worker beside a service on the same database.",
    ),
    "migrate": Command(
        "service", "migrate",
        "Bring the database to this release.",
    ),
    "psql": Command(
        "service", "psql",
        "Open psql in the database, as its owner's administrator.",
    ),
    "import": Command(
        "write", "import_command",
        "Import conversations. Safe to run twice and to resume: what is there already is stored once.",
    ),
    "remember": Command(
        "write", "remember",
        "Commit a memory consciously and wait until it can be recalled.",
    ),
    "recall": Command(
        "read", "recall",
        "The memories that answer a query best.",
    ),
    "context": Command(
        "read", "context",
        "What to put before the model for its next answer.",
    ),
    "compact": Command(
        "read", "compact",
        "The bank's best for a message to somebody: important, recent, about them, or tagged with the purpose.",
    ),
    "memories": Command(
        "inspect", "memories",
        "Memories newest first; with --status quarantined, what waits for a person to look at it.",
    ),
    "decisions": Command(
        "inspect", "decisions",
        "Why things were stored or refused, newest first.",
    ),
    "trace": Command(
        "inspect", "trace",
        "Why a read gave what it gave: every candidate with its score, its parts, and what dropped it.",
    ),
    "clarifications": Command(
        "facts", "clarifications",
        "Questions for the user about facts that contradict each other, the most important first.",
    ),
    "answer": Command(
        "facts", "answer",
        "Settle a question by what the user said.",
    ),
    "expire": Command(
        "operate", "expire",
        "Let go of traces whose time is over, in one bank or in every one. Workers do so every hour.",
    ),
    "release": Command(
        "operate", "release",
        "Let a memory out of quarantine: it is embedded, then recalled like any other, quoted as data.",
    ),
    "restore": Command(
        "operate", "restore",
        "Bring back what the night put away: an archived or deprecated episode, a fact dropped to make room.",
    ),
    "dead-letters": Command(
        "operate", "dead_letters",
        "Work that failed for good, with reasons, oldest first; of every bank where none is named.",
    ),
    "redrive": Command(
        "operate", "redrive",
        "Bring dead letters back to life: what failed is tried again.",
    ),
    "banks": Command(
        "banks", "banks",
        "The banks by name.",
    ),
    "stats": Command(
        "inspect", "stats",
        "Counts of messages, memories and work, and today's spend.",
    ),
    "calibrate": Command(
        "service", "calibrate",
        "Choose an embedding model's thresholds by labelled pairs; shows them, and writes them with --apply.",
    ),
    "demo": Command(
        "service", "demo",
        "Play a conversation through the whole way and show what is remembered, refused, and why.",
    ),
    "facts": Command(
        "facts", "facts",
        "What is held to be true; with a subcommand, what somebody says to that.",
    ),
    "bank": Command(
        "banks", "bank",
        "Make a bank or change its settings.",
    ),
}  # fmt: skip
