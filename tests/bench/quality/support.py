"""Sentences that support a fact: states_fact() on own pairs, SICK (entailment) and MNLI (contradiction)."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import asyncpg
import numpy as np

from memory_service.config import Settings
from memory_service.embedded import open_server
from memory_service.memory import Memory
from tests.bench.quality.data import out, rows, table
from tests.bench.quality.duplicates import cosines
from tests.bench.quality.scores import score

PAIRS = Path(__file__).parent / "supporting_pairs.json"
HALVES = ("own pairs, the half that the rules were not written with", "own pairs, the half that they were")
LATER = "own pairs written after the rules"
"""Before the rules were changed for some of them: precision 14 of 15, recall 14 of 20."""
_THRESHOLD = "select evidence_threshold from memory.embedding_model where name = $1"
_RULE = r"""
select (select bool_or(memory_internal.states_fact(sentence, fact))
          from regexp_split_to_table(text, '(?<=[.!?;])\s+|\n+') as sentence)
  from unnest($1::text[], $2::text[]) with ordinality as pair (text, fact, place) order by place"""

Pairs = list[dict[str, Any]]
"""`a` a sentence, `b` a fact, `y` whether the one supports the other."""


async def measure(folder: Path, examples: bool) -> None:
    """Print precision and recall of the rule alone, and of the rule with a cosine of at least the evidence threshold,
    as in the nightly run."""
    shown = table("Evidence for facts", "pairs", "precision", "recall", "F1", "found", "of")
    with (
        tempfile.TemporaryDirectory(prefix="memory-quality-") as data,
        open_server(Path(data)) as server,
    ):
        async with await Memory.open(Settings.model_validate({"data_dir": Path(data)})) as memory:
            bare = await asyncpg.connect(server.url(database="memory"))
            threshold = float(await bare.fetchval(_THRESHOLD, memory.models.embedder().name))
            for name, pairs in sets(folder).items():
                judged = await bare.fetch(_RULE, [p["a"] for p in pairs], [p["b"] for p in pairs])
                said = np.array([bool(row[0]) for row in judged])
                close = await cosines(memory, pairs) >= threshold
                true = np.array([p["y"] for p in pairs])
                for rule, found in ((name, said), (f"  and cosine >= {threshold:g} (shipped)", said & close)):
                    result = score(zip(found.tolist(), true.tolist(), strict=True))
                    shown.add_row(rule, *result.cells(), str(result.found), str(result.wanted))
                if examples:
                    show(pairs, said, true)
            await bare.close()
    out.print(shown)


def sets(folder: Path) -> dict[str, Pairs]:
    """The available sets. Of MNLI only the contradictions are used: every pair found in them is wrong."""
    read = cast("Pairs", json.loads(PAIRS.read_text(encoding="utf-8")))
    later, own = (
        [
            {"a": p["sentence"], "b": p["fact"], "y": p["supports"]}
            for p in read
            if p.get("later", False) is of
        ]
        for of in (True, False)
    )
    sick: Pairs = []
    for row in rows(folder, "sick_dev"):
        entails = row["y"] == "ENTAILMENT"
        sick += [{"a": row["a"], "b": row["b"], "y": entails}]
        if not entails:  # an entailment holds in one direction only, its absence in both
            sick += [{"a": row["b"], "b": row["a"], "y": False}]
    mnli = [
        {"a": row["a"], "b": row["b"], "y": False} for row in rows(folder, "mnli_dev_binary") if row["y"] == 1
    ]
    found = {name: [p for p in own if half_of(p) == half] for half, name in enumerate(HALVES)}
    others = ((LATER, later), ("SICK", sick), ("MNLI, contradictions", mnli))
    return found | {name: pairs for name, pairs in others if pairs}


def half_of(pair: dict[str, Any]) -> int:
    return hashlib.sha256(f"{pair['a']}|{pair['b']}".encode()).digest()[-1] % 2


def show(pairs: Sequence[dict[str, Any]], said: np.ndarray[Any, Any], true: np.ndarray[Any, Any]) -> None:
    for place in np.nonzero(said & ~true)[0][:12]:
        out.print(f"  wrong: {pairs[place]['a']!r} / {pairs[place]['b']!r}", markup=False)
