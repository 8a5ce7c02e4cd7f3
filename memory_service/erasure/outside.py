"""Copies of erased data that this service cannot reach: what the operator must let expire."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import psycopg

from memory_service.config import Settings
from memory_service.erasure.ledger import ledger_folder
from memory_service.models.registry import OPENAI

Connection = psycopg.Connection[tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class OutsideCopy:
    """A place where erased data may still be."""

    place: str
    remedy: str


def outside_copies(connection: Connection, settings: Settings) -> tuple[OutsideCopy, ...]:
    """The places outside of this database, of those that its configuration shows and those that it cannot show."""
    copies = [
        OutsideCopy(
            "backups",
            f"`backup restore` erases again what the ledger in {ledger_folder(settings)} lists; delete those made "
            "before the erasure, or let them expire",
        ),
        OutsideCopy("disk", "free blocks and snapshots of the file system: encrypt the disk, or trim it"),
        OutsideCopy("readers", "answers, exports and traces of telemetry that clients stored"),
    ]
    for place, query, remedy in FOUND_BY:
        names = [str(name) for (name,) in connection.execute(query.encode()).fetchall()]
        if names:
            copies.append(OutsideCopy(place, remedy.format(", ".join(names))))
    providers = providers_of(settings)
    if providers:
        copies.append(
            OutsideCopy(
                "model provider", f"text was sent to {' and '.join(providers)}: its terms of retention"
            )
        )
    return tuple(copies)


FOUND_BY = (
    (
        "WAL archive",
        "select name from pg_settings where name in ('archive_command', 'archive_library') and setting <> '' "
        "and current_setting('archive_mode') <> 'off' order by name",
        "delete the segments archived until now by {}",
    ),
    (
        "replicas",
        "select distinct application_name from pg_stat_replication order by 1",
        "{}: they replay the rewriting; their own WAL files, backups and logs stay",
    ),
    (
        "replication slots",
        "select slot_name from pg_replication_slots order by 1",
        "{}: consumers hold what they received; a slot that lags keeps WAL",
    ),
    (
        "server log",
        "select name || ' = ' || setting from pg_settings "
        "where name = 'log_statement' and setting <> 'none' "
        "or name in ('log_min_duration_statement', 'log_min_duration_sample') and setting <> '-1' "
        "or name = 'log_min_error_statement' and setting <> 'panic' order by name",
        "may quote statements ({}): let its files expire",
    ),
    (
        "statement statistics",
        "select extname from pg_extension where extname in ('pg_stat_statements', 'pg_stat_monitor')",
        "reset {}",
    ),
)
"""Place, query of names, remedy with the names."""


def providers_of(settings: Settings) -> list[str]:
    """The model providers that the settings of this process name."""
    given = (settings.embedding_model, settings.extraction_model)
    uses_openai = settings.openai_base_url or any(name and name.startswith(OPENAI) for name in given)
    found = ["Gemini"] if settings.gemini_api_key else []
    return [*found, settings.openai_base_url or "OpenAI"] if uses_openai else found
