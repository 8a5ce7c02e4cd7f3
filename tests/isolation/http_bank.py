"""Two banks for the walks over HTTP, each with everything that a route can name, and a key for each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx
from psycopg.types.json import Jsonb

from memory_service.memory import Memory
from memory_service.requests import NewMessage
from tests.conftest import Admin, settle
from tests.db import steps
from tests.db.steps import Connection, rows
from tests.isolation.arguments import leaves, put_at

BANK = "/v1/banks/{bank_id}"
BODIES: dict[tuple[str, str], dict[str, Any]] = {
    ("POST", "/v1/banks"): {"bank_id": "{bank_id}"},
    ("PATCH", BANK): {"settings": {"subject": "Sam"}},
    ("POST", f"{BANK}/messages"): {
        "conversation_id": "{word}talk", "messages": [{"role": "user", "content": "I live in Porto.", "id": "m"}],
    },
    ("POST", f"{BANK}/memories"): {"content": "We met the {word} in Porto."},
    ("PATCH", BANK + "/memories/{memory_id}"): {"tags": ["a"]},
    ("POST", f"{BANK}/recall"): {"query": "walnuts"},
    ("POST", f"{BANK}/context"): {"message": "walnuts", "conversation_id": "{word}talk"},
    ("POST", f"{BANK}/tokens"): {},
    ("POST", f"{BANK}/compact"): {"recipient": "Bo", "purpose": "farewell"},
    ("POST", BANK + "/clarifications/{clarification_id}/answer"): {"keep": "{fact_id}"},
    **{
        ("POST", f"{BANK}/facts/{{fact_id}}/{verb}"): {"actor": "Sam"}
        for verb in ("confirm", "dispute", "retract", "pin", "unpin", "unmerge")
    },
    **{("POST", f"{BANK}/memories/{{memory_id}}/{verb}"): {"actor": "Sam"} for verb in ("release", "restore")},
    ("POST", BANK + "/procedures/{procedure_id}/outcome"): {"outcome": "worked", "actor": "Sam"},
    **{
        ("POST", f"{BANK}/procedures/{{procedure_id}}/{verb}"): {"actor": "Sam"} for verb in ("retract", "pin", "unpin")
    },
    ("PUT", f"{BANK}/relational"): {"communication_style": "direct", "actor": "Sam"},
    ("PATCH", BANK + "/relational/norms/{norm_id}"): {"norm": "wants long answers", "actor": "Sam"},
    **{
        ("POST", f"{BANK}/relational/norms/{{norm_id}}/{verb}"): {"actor": "Sam"}
        for verb in ("confirm", "remove", "pin", "unpin")
    },
    ("POST", f"{BANK}/emotional-thread/end"): {"actor": "Sam"},
    ("POST", f"{BANK}/sessions"): {"state": "PLANNING", "data": {"notes": ["{word}"]}, "session_id": "another"},
    ("PATCH", BANK + "/sessions/{session_id}"): {"version": 1, "append": {"notes": ["{word}"]}},
    ("POST", BANK + "/sessions/{session_id}/fork"): {"checkpoint_id": "{checkpoint_id}", "session_id": "another"},
    ("POST", BANK + "/sessions/{session_id}/restore"): {"checkpoint_id": "{checkpoint_id}"},
    ("POST", BANK + "/sessions/{session_id}/checkpoints"): {"name": "{word}"},
    ("POST", f"{BANK}/erasures"): {"memory_ids": ["{memory_id}"], "dry_run": False},
}  # fmt: skip
"""Bodies of routes that need one."""
OTHER_BODIES: dict[tuple[str, str], list[dict[str, Any]]] = {
    ("POST", f"{BANK}/memories"): [
        {"type": "procedural", "content": "Water the {word} on Fridays.", "replaces": "{procedure_id}"},
    ],
    ("PUT", f"{BANK}/relational"): [
        {
            "norms": [{"kind": "instruction", "norm": "wants long answers", "slot": "{word}slot"}],
            "communication_style": None,  # norms of one time come in any order
        },
    ],
    ("POST", f"{BANK}/recall"): [{"query": "walnuts", "types": ["procedural"]}],
    ("POST", f"{BANK}/erasures"): [
        {"conversation_id": "{word}talk", "dry_run": False},
        {"memory_ids": ["{fact_id}"], "dry_run": True},
    ],
}
"""Other bodies of the same routes."""
STATE_OF = {
    "release": "quarantined_id", "restore": "archived_id", "unmerge": "merged_id",
}  # fmt: skip
"""The id that a route needs in place of any memory or fact of the bank."""


@dataclass(frozen=True, slots=True)
class HttpBank:
    key: str
    names: dict[str, str]
    """By the names in paths and BODIES."""


async def fill_bank(memory: Memory, service: Connection, admin: Admin, bank: str, word: str) -> HttpBank:
    """Create a bank in whose texts, names and keys `word` occurs."""
    await memory.create_bank(bank)
    committed = await memory.remember(
        bank, f"Our {word} walnuts are in the cellar.", idempotency_key=f"{word}key", tags=[f"{word}tag"],
        agent_id=f"{word}agent", recipients=[f"{word}friend"], entities=[f"{word}entity"],
    )  # fmt: skip
    others = [await memory.remember(bank, f"The {word} number {n} sings.") for n in ("one", "two")]
    facts = [
        (await memory.remember(bank, f"The {word} lives in {city}", type="semantic")).memory_id
        for city in ("Porto", "Lisbon")
    ]
    await memory.add_messages(
        bank,
        f"{word}talk",
        [NewMessage("user", f"Please remember that my {word} likes tea.", id=f"{word}client")],
    )
    await settle(memory, bank)
    question = steps.conflict(service, bank, facts[0], facts[1])
    admin.execute("update memory.semantic_memory set importance = 0.9 where bank_id = %s", (bank,))
    if question is None:
        with service.transaction():
            rows(service, "enter_bank", bank=bank)
            rows(service, "create_clarifications", bank=bank, facts=sorted(facts), at=steps.START)
    ((question,),) = admin.execute(
        "select clarification_id from memory.clarification where bank_id = %s", (bank,)
    ).fetchall()
    alike = [
        (await memory.remember(bank, f"The {word} {verb} walnuts", type="semantic")).memory_id
        for verb in ("likes", "enjoys")
    ]
    await settle(memory, bank)
    merged = merge(service, admin, bank, alike)
    states = dict(zip(("quarantined", "archived"), (one.memory_id for one in others), strict=True))
    for status, memory_id in states.items():
        admin.execute(
            "update memory.episodic_memory set status = %s where memory_id = %s",
            (status, memory_id),
        )
    for subject in (f"{word}talk", f"{word}call"):
        admin.execute(
            "insert into memory.work (bank_id, kind, subject, lane, enqueued_at, not_before, attempts, dead_at, "
            "last_error) values (%s, 'segment', %s, 0, now(), now(), 5, now(), 'it failed')", (bank, subject),
        )  # fmt: skip
    traces = [(await memory.recall(bank, f"{word} walnuts")).trace_id for _ in range(2)]
    await memory.trace_writer.flush()
    person = await fill_person(memory, bank, word)
    key = await memory.create_key("admin", [bank], agent_id=None)
    return HttpBank(
        key.key,
        {
            "bank_id": bank, "word": word, "memory_id": str(committed.memory_id), "fact_id": str(facts[0]),
            "trace_id": str(traces[0]), "clarification_id": str(question), "merged_id": str(merged),
            "quarantined_id": str(states["quarantined"]), "archived_id": str(states["archived"]),
            **person,
        },
    )  # fmt: skip


async def fill_person(memory: Memory, bank: str, word: str) -> dict[str, str]:
    """Two each of procedures, norms, threads, sessions and checkpoints; the ids of one each."""
    procedures = [
        (await memory.remember(bank, f"Water the {word} on {day}s.", type="procedural")).memory_id
        for day in ("Monday", "Tuesday")
    ]
    norms = [
        {"kind": "instruction", "norm": f"wants {word} {length} answers", "slot": f"{word}{slot}"}
        for length, slot in (("short", "slot"), ("long", "place"))
    ]
    stated = await memory.put_relational(bank, norms, actor=f"{word}actor")
    for emotion, valence in (("grief", -0.9), ("joy", 0.9)):
        await memory.remember(
            bank, f"The {word} brought {emotion}.", valence=valence, emotions=[emotion], topics=[word]
        )
        await settle(memory, bank)
    sessions = [
        await memory.create_session(
            bank, "PLANNING", {"notes": [f"The {word} sings."]}, session_id=f"{word}{name}"
        )
        for name in ("session", "sitting")
    ]
    checkpoints = [
        await memory.create_checkpoint(bank, sessions[0].session_id, name=f"{word}{name}")
        for name in ("first", "last")
    ]
    return {
        "procedure_id": str(procedures[0]), "norm_id": str(stated.norms[0].memory_id),
        "session_id": sessions[0].session_id, "checkpoint_id": str(checkpoints[0].checkpoint_id),
    }  # fmt: skip


def merge(service: Connection, admin: Admin, bank: str, facts: list[UUID]) -> UUID:
    """Merge two facts as a model would decide; the one that is merged into the other."""
    one, other = sorted(facts)
    texts = [
        admin.execute("select fact from memory.semantic_memory where memory_id = %s", (fact,)).fetchall()[0][
            0
        ]
        for fact in (one, other)
    ]
    pairs = [{"one": str(one), "other": str(other), "texts": texts, "same": True}]
    rows(service, "record_merge_decisions", bank=bank, pairs=Jsonb(pairs), decided_by="a model")
    ((merged,),) = rows(service, "merge_facts", bank=bank, members=[one, other], actor="a test")[0]
    return merged


def names_for(path: str, names: dict[str, str]) -> dict[str, str]:
    """The names with an id in the state that the route needs."""
    state = STATE_OF.get(path.rsplit("/", 1)[-1])
    return names if state is None else names | {"memory_id": names[state], "fact_id": names[state]}


async def routes(http: httpx.AsyncClient) -> list[tuple[str, str, dict[str, Any]]]:
    """Method, path and description of each route of the OpenAPI document."""
    document = (await http.get("/openapi.json")).json()
    return [
        (method.upper(), path, call)
        for path, calls in document["paths"].items()
        for method, call in calls.items()
    ]


def filled(value: Any, names: dict[str, str]) -> Any:
    """A body with names in their places."""
    for path, text in leaves(value):
        value = put_at(value, path, text.format(**names))
    return value
