"""Commands by name. `help` repeats each command's docstring, so that --help imports no command module."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple


class Command(NamedTuple):
    """A command's module in memory_service.cli, its attribute there, and its help text."""

    module: str
    attribute: str
    help: str

    def load(self) -> Callable[..., Any]:
        """Import the command: a function, or the typer.Typer of a command group."""
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
        "Migrate the database to this release, and the other servers of its map.",
    ),
    "doctor": Command(
        "doctor", "doctor",
        "Check database, models, queue, nightly run and keys, with a remedy for each finding.\n\n"
        "Exit code 1 if a check fails; warnings do not count.",
    ),
    "mcp": Command(
        "agents", "mcp",
        "Offer a bank's tools to an MCP client over stdin and stdout; without a running service, start one.\n\n"
        "A service started this way keeps running.",
    ),
    "connect": Command(
        "agents", "connect",
        "Print the entry that an MCP client needs for a bank, or with --write add it to the client's configuration.",
    ),
    "backup": Command(
        "backup", "backup",
        "Create a backup of all banks, or restore one into an empty database.",
    ),
    "psql": Command(
        "service", "psql",
        "Open psql on the database as its administrator, or as --role.",
    ),
    "import": Command(
        "write", "import_command",
        "Import conversations. Resumable and idempotent: each message is stored once.",
    ),
    "export": Command(
        "transfer", "export",
        "Write a bank as JSON lines, or as Markdown for people. The service can run meanwhile.",
    ),
    "import-bank": Command(
        "transfer", "import_bank_command",
        "Import an exported bank into one that does not exist or is empty, all or nothing.",
    ),
    "remember": Command(
        "write", "remember",
        "Store one memory without the gate and wait until it can be recalled.",
    ),
    "recall": Command(
        "read", "recall",
        "List the memories that match a query best.",
    ),
    "context": Command(
        "read", "context",
        "Build the context for a model's next answer to a message.",
    ),
    "compact": Command(
        "read", "compact",
        "Select memories for a message to a person: important, recent, about them, or tagged with the purpose.",
    ),
    "memories": Command(
        "inspect", "memories",
        "List memories, newest first; --status quarantined lists those that wait for release.",
    ),
    "decisions": Command(
        "inspect", "decisions",
        "List gate decisions with their reasons, newest first.",
    ),
    "trace": Command(
        "inspect", "trace",
        "Show a trace: each candidate with its score, the parts of the score, and why it was dropped.",
    ),
    "clarifications": Command(
        "facts", "clarifications",
        "List questions to the user about contradicting facts, the most important first.",
    ),
    "answer": Command(
        "facts", "answer",
        "Record the user's answer to a question and resolve its conflict.",
    ),
    "expire": Command(
        "operate", "expire",
        "Delete expired traces, expired queries of traces, and expired sessions. Workers do this hourly.",
    ),
    "release": Command(
        "operate", "release",
        "Release a memory from quarantine: it is embedded and can be recalled, quoted as data.",
    ),
    "update": Command(
        "operate", "update",
        "Change a memory's content, tags, importance, lesson or metadata; facts derived from it are rechecked.",
    ),
    "restore": Command(
        "operate", "restore",
        "Restore an archived or deprecated episode, or a fact that was dropped to keep the cap.",
    ),
    "dead-letters": Command(
        "operate", "dead_letters",
        "List dead letters with their reasons, oldest first; of all banks unless --bank is given.",
    ),
    "redrive": Command(
        "operate", "redrive",
        "Put dead letters back into the queue.",
    ),
    "banks": Command(
        "banks", "banks",
        "List banks by name.",
    ),
    "stats": Command(
        "inspect", "stats",
        "Show counts of messages, memories and work items, today's spending, and charts of the last 14 days.",
    ),
    "nights": Command(
        "nights", "nights",
        "List the nightly runs over all banks, newest first, with charts of their banks, times and tokens.",
    ),
    "reembed": Command(
        "reembed", "reembed",
        "Embed a bank's memories by another model, then switch the bank; it can be interrupted and repeated.\n\n"
        "Exit code 1 if the comparison of --verify keeps the bank from being switched.",
    ),
    "calibrate": Command(
        "service", "calibrate",
        "Choose an embedding model's thresholds from labelled pairs; --apply stores them.",
    ),
    "demo": Command(
        "service", "demo",
        "Play half a year of conversations into the bank `demo`, run a night, and show decisions, facts and contexts.",
    ),
    "norms": Command(
        "norms", "norms",
        "List the norms of a bank's person; subcommands show one, state, correct or remove one.",
    ),
    "facts": Command(
        "facts", "facts",
        "List facts, the most recently confirmed first; subcommands show one fact or change it.",
    ),
    "thread": Command(
        "thread", "thread",
        "Show the emotional thread, the mood that is carried on; subcommands list all threads or end it.",
    ),
    "sessions": Command(
        "sessions", "sessions",
        "List, show, restore and delete sessions, the working state of agents.",
    ),
    "erase": Command(
        "erase", "erase",
        "Show what an erasure would delete; with --yes, erase. Subcommands by scope; `list` shows receipts.",
    ),
    "scrub": Command(
        "scrub", "scrub",
        "Overwrite erased rows in tables, indexes, statistics and WAL, and list the copies outside of the database.",
    ),
    "procedures": Command(
        "procedures", "procedures",
        "List habits, routines, skills and lessons; subcommands show one or change it.",
    ),
    "server": Command(
        "servers", "server",
        "List and add the Postgres servers that banks live on.",
    ),
    "move-bank": Command(
        "servers", "move_bank",
        "Move a bank to another server; reads are answered meanwhile, writes wait.\n\n"
        "Run it again if it was interrupted.",
    ),
    "key": Command(
        "keys", "key",
        "Create, list, rotate and revoke API keys.",
    ),
    "sql": Command(
        "analysts", "sql",
        "Run one read-only SQL query over these banks and no others, on each server that has some of them.",
    ),
    "analyst": Command(
        "analysts", "analyst",
        "Grant logins of Postgres the right to read banks.",
    ),
    "bank": Command(
        "banks", "bank",
        "Create a bank or change its settings.",
    ),
}  # fmt: skip
