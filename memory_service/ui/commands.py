"""The calls of the API and of SQL that do the same as a page, to be copied into a shell."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast
from urllib.parse import quote
from uuid import UUID

from pydantic_core import to_jsonable_python

from memory_service.validation import OPERATOR

ADDRESS = "$MEMORY_URL"
"""Address of the service, such as http://127.0.0.1:8080."""


@dataclass(frozen=True, slots=True)
class Command:
    """One act as a call of the API and as SQL; `sql` is None where no function of the database does it alone."""

    name: str
    curl: str
    sql: str | None


def curl(path: str, body: Mapping[str, object] | None = None, method: str = "POST") -> str:
    """A call of the API in the syntax of a POSIX shell."""
    parts = [f'curl -s -X {method} "{ADDRESS}/v1{quote(path)}" -H "Authorization: Bearer $MEMORY_API_KEY"']
    if body is not None:
        parts.append(
            f"-H 'content-type: application/json' -d {shlex.quote(json.dumps(body, ensure_ascii=False))}"
        )
    return " \\\n  ".join(parts)


def literal(value: object) -> str:
    """A literal of SQL."""
    if value is None:
        return "null"
    text = str(value).replace("'", "''")
    return f"E'{text.replace(chr(92), chr(92) * 2)}'" if "\\" in text else f"'{text}'"


def call(function: str, **arguments: object) -> str:
    """A statement that calls a function of memory_api."""
    given = ", ".join(f"{name} => {literal(value)}" for name, value in arguments.items())
    return f"select * from memory_api.{function}({given});"  # noqa: S608 - shown, never executed


JUDGEMENTS = {
    "confirm": "confirmed",
    "dispute": "disputed",
    "retract": "retracted",
    "pin": "pinned",
    "unpin": "unpinned",
}
"""The acts on a fact, by their last part of the path, and the judgement that each records."""


def fact_commands(bank_id: str, fact_id: UUID, actor: str = OPERATOR) -> list[Command]:
    about = {"bank": bank_id, "memory": fact_id}
    return act_commands(
        f"/banks/{bank_id}/facts/{fact_id}", "review_fact", about, "judgement", JUDGEMENTS, actor
    )


def act_commands(
    path: str,
    function: str,
    about: Mapping[str, object],
    argument: str,
    values: Mapping[str, str],
    actor: str,
) -> list[Command]:
    """One command for each act in `values`, which has the value of the function's `argument`."""
    return [
        Command(act, curl(f"{path}/{act}"), call(function, **about, **{argument: value}, actor=actor))
        for act, value in values.items()
    ]


NORM_JUDGEMENTS = {"confirm": "confirmed", "remove": "removed", "pin": "pinned", "unpin": "unpinned"}
"""The acts on a norm, as those on a fact."""


def norm_commands(bank_id: str, norm_id: UUID, wording: str, actor: str = OPERATOR) -> list[Command]:
    path = f"/banks/{bank_id}/relational/norms/{norm_id}"
    about = {"bank": bank_id, "norm": norm_id}
    judgements = act_commands(path, "review_norm", about, "judgement", NORM_JUDGEMENTS, actor)
    statement = call(
        "correct_norm", bank=bank_id, norm=norm_id, new_norm=wording, new_situation=None, new_level=None, actor=actor
    )  # fmt: skip
    return [*judgements, Command("correct", curl(path, {"norm": wording}, "PATCH"), statement)]


REVIEWS = {"retract": "retracted", "pin": "pinned", "unpin": "unpinned"}
"""The acts on a procedure, as those on a fact."""


def procedure_commands(bank_id: str, procedure_id: UUID, actor: str = OPERATOR) -> list[Command]:
    path, about = f"/banks/{bank_id}/procedures/{procedure_id}", {"bank": bank_id, "memory": procedure_id}
    return act_commands(path, "review_procedure", about, "review", REVIEWS, actor)


def answer_command(bank_id: str, clarification_id: UUID, keep: UUID, actor: str = OPERATOR) -> Command:
    return Command(
        "answer",
        curl(f"/banks/{bank_id}/clarifications/{clarification_id}/answer", {"keep": str(keep)}),
        call(
            "answer_clarification", bank=bank_id, clarification=clarification_id, keep=keep, answer=None,
            actor=actor,
        ),
    )  # fmt: skip


def context_commands(bank_id: str, message: str) -> list[Command]:
    return [Command("context", curl(f"/banks/{bank_id}/context", {"message": message}), None)]


def release_command(bank_id: str, memory_id: UUID, actor: str = OPERATOR) -> Command:
    return Command(
        "release",
        curl(f"/banks/{bank_id}/memories/{memory_id}/release", {"actor": actor}),
        call("release_memory", bank=bank_id, memory=memory_id, actor=actor),
    )


def erase_command(bank_id: str, selected: Mapping[str, object]) -> Command:
    """The erasure of these arguments of `Memory.erase`. No SQL: the service writes it to the ledger first."""
    body = cast("dict[str, object]", to_jsonable_python(selected))
    return Command("erase", curl(f"/banks/{bank_id}/erasures", {**body, "dry_run": False}), None)


def edit_command(bank_id: str, memory_id: UUID, content: str) -> Command:
    return Command(
        "edit", curl(f"/banks/{bank_id}/memories/{memory_id}", {"content": content}, "PATCH"), None
    )
