"""Precision and recall of the rules, without a language model, on the persona of the acceptance tests."""

from __future__ import annotations

import tempfile
from collections.abc import Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import asyncpg

from memory_service.config import Settings
from memory_service.embedded import open_server
from memory_service.memory import Memory
from tests.acceptance import persona
from tests.bench.quality.data import out, table
from tests.bench.quality.gate import load
from tests.bench.quality.scores import score

BANK = "ines"
_FACTS = """
select f.subject, f.attribute, f.value, f.fact as text, s.value as successor, f.valid_from, f.valid_to, f.status
  from memory.semantic_memory f
  left join memory.semantic_memory s on s.bank_id = f.bank_id and s.memory_id = f.superseded_by
 where f.status <> 'merged_into'"""
_CONFLICTS = """
select one.attribute as one, one.value as one_value, one.fact as one_text,
       other.attribute as other, other.value as other_value, other.fact as other_text
  from memory.fact_conflict c
  join memory.semantic_memory one on one.memory_id = c.one_id and one.status <> 'merged_into'
  join memory.semantic_memory other on other.memory_id = c.other_id and other.status <> 'merged_into'"""

Found = Mapping[str, set[Hashable]]


async def measure(examples: bool) -> None:
    """Send the conversations to a bank without a language model, and print precision and recall of its facts and
    conflicts."""
    with tempfile.TemporaryDirectory(prefix="memory-persona-") as data, open_server(Path(data)) as server:
        settings = Settings.model_validate({"data_dir": Path(data), "exchange_quiet_seconds": 1})
        async with await Memory.open(settings) as memory:
            said = {
                f"day-{one[0].conversation}": [message for exchange in one for message in exchange.messages()]
                for one in persona.conversations()
            }
            await load(memory, BANK, said)
        bare = await asyncpg.connect(server.url(database="memory"))
        found = by_rules(await bare.fetch(_FACTS), await bare.fetch(_CONFLICTS))
        await bare.close()
    wanted = by_hand()
    shown = table("A persona by rules alone", "what", "precision", "recall", "F1", "found", "of")
    for what in wanted:
        every = [*(found[what] | wanted[what])]
        result = score((one in found[what], one in wanted[what]) for one in every)
        shown.add_row(what, *result.cells(), str(result.found), str(result.wanted))
        if examples:
            for one in sorted(every, key=str):
                if (one in found[what]) != (one in wanted[what]):
                    out.print(f"  {what}: {'missed' if one in wanted[what] else 'wrong'} {one}", markup=False)
    out.print(shown)


def by_rules(facts: Sequence[asyncpg.Record], conflicts: Sequence[asyncpg.Record]) -> Found:
    return held(
        [dict(row) for row in facts],
        [
            frozenset(
                {
                    (row["one"], row["one_value"] or row["one_text"]),
                    (row["other"], row["other_value"] or row["other_text"]),
                }
            )
            for row in conflicts
        ],
    )


def by_hand() -> Found:
    facts = persona.expected_facts(answered=False)
    started = {(fact["valid_from"], fact["attribute"]): fact["value"] or fact["text"] for fact in facts}
    pairs = [
        frozenset(
            (attribute, value)
            for (moment, attribute), value in started.items()
            if moment in (conflict["older"], conflict["newer"])
        )
        for conflict in persona.expected_conflicts(answered=False)
    ]
    return held(facts, pairs)


def held(facts: Sequence[Mapping[str, Any]], conflicts: Iterable[Hashable]) -> Found:
    """What there is to find of a table of facts: each by what it is about, none by its words where it has a value."""
    named = [(fact, (fact["subject"], fact["attribute"], fact["value"] or fact["text"])) for fact in facts]
    lasting = [(fact, about) for fact, about in named if fact["valid_to"] != fact["valid_from"]]
    return {
        "believed in the end": {
            about for fact, about in lasting if fact["status"] != "deprecated" and fact["valid_to"] is None
        },
        "periods": {(*about, fact["valid_from"], fact["valid_to"]) for fact, about in lasting},
        "successions": {(*about, fact["successor"]) for fact, about in lasting if fact["successor"]},
        "conflicts": set(conflicts),
    }
