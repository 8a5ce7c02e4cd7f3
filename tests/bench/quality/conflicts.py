"""Which pairs contradict each other: contradiction_rule() on dialogue (DECODE), plain sentences (SICK) and MNLI."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import asyncpg
import numpy as np

from memory_service.config import Settings
from memory_service.embedded import open_server
from memory_service.memory import Memory
from memory_service.rules.facts.attributes import CanonicalFact, canonical
from memory_service.rules.facts.statements import statements
from tests.bench.quality.data import out, rows, table
from tests.bench.quality.duplicates import cosines
from tests.bench.quality.scores import Score, score

SETS: Mapping[str, Any] = {"decode_dev": 1, "sick_dev": "CONTRADICTION", "mnli_dev_binary": 1}
"""Each set with its label of a contradiction."""
STRICTER = (0.6, 0.75, 0.85)
"""Cosines beside the model's own threshold."""
_THRESHOLD = "select conflict_threshold from memory.embedding_model where name = $1"
_RULE = """
select memory_internal.contradiction_rule(a, b) as rule,
       (memory_internal.parse_statement(a)).negated <> (memory_internal.parse_statement(b)).negated as negation
  from unnest($1::text[], $2::text[]) with ordinality as pair (a, b, place) order by place"""
_Flags = np.ndarray[Any, Any]


async def measure(folder: Path, examples: bool) -> None:
    """Print precision and recall of the rules as the service asks them, rule by rule, and of similarity alone."""
    sets = {name: rows(folder, name) for name in SETS}
    if not any(sets.values()):
        return
    shown = table("Contradictions", "rule", "precision", "recall", "F1", "found", "of")
    areas = table(
        "Contradictions: area under the curve", "set", "cosine", "negation x cosine", "rules x cosine"
    )
    with (
        tempfile.TemporaryDirectory(prefix="memory-quality-") as data,
        open_server(Path(data)) as server,
    ):
        async with await Memory.open(Settings.model_validate({"data_dir": Path(data)})) as memory:
            bare = await asyncpg.connect(server.url(database="memory"))
            threshold = float(await bare.fetchval(_THRESHOLD, memory.models.embedder().name))
            for name, pairs in sets.items():
                if not pairs:
                    continue
                similar = await cosines(memory, pairs)
                texts = [[str(pair[side]) for pair in pairs] for side in ("a", "b")]
                judged = await bare.fetch(_RULE, *texts)
                rule = np.array([row["rule"] or "" for row in judged])
                true = np.array([pair["y"] == SETS[name] for pair in pairs])
                for words, found in _rules(similar, rule, threshold).items():
                    shown.add_row(f"{name}: {words}", *_cells(_score(found, true)))
                negation = np.array([row["negation"] for row in judged])
                areas.add_row(
                    name,
                    *(
                        f"{area_under(values, true):.3f}"
                        for values in (similar, _first(negation, similar), _first(rule != "", similar))
                    ),
                )
                if name == "decode_dev":
                    stated = await _of_facts(bare, pairs)
                    shown.add_row(f"{name}: facts that the rules find in both", *_cells(_score(stated, true)))
                if examples:
                    _show(name, pairs, rule, (rule != "") & (similar > threshold) & ~true)
            await bare.close()
    out.print(shown)
    out.print(areas)


async def _of_facts(bare: Any, pairs: Sequence[dict[str, Any]]) -> _Flags:
    """Flags of the pairs whose facts exclude each other: another value of a single-valued attribute, an ending of the
    same value, an opposite attribute, or texts with a contradiction_rule. Pairs resolved by supersession count too."""
    found = np.zeros(len(pairs), dtype=bool)
    places: list[int] = []
    texts: tuple[list[str], list[str]] = ([], [])
    for place, pair in enumerate(pairs):
        for one in map(canonical, statements(str(pair["a"]), None)):
            for other in map(canonical, statements(str(pair["b"]), None)):
                if one.subject == other.subject:
                    found[place] |= _excludes(one, other)
                    places.append(place)
                    texts[0].append(one.text)
                    texts[1].append(other.text)
    for place, judged in zip(places, await bare.fetch(_RULE, *texts), strict=True):
        found[place] |= judged["rule"] is not None
    return found


def _excludes(one: CanonicalFact, other: CanonicalFact) -> bool:
    if one.attribute == other.attribute:
        if one.value == other.value:
            return one.holds != other.holds
        return one.holds and other.holds and one.cardinality != "many" and other.cardinality != "many"
    return one.value == other.value and one.opposes == other.attribute


def _rules(similar: _Flags, rule: _Flags, threshold: float) -> dict[str, _Flags]:
    any_rule = rule != ""
    service = f"rules and cosine > {threshold:g}"
    return {
        f"{service} (shipped)": any_rule & (similar > threshold),
        **{
            f"  of these {kind}": (rule == kind) & (similar > threshold)
            for kind in sorted(set(rule.tolist()) - {""})
        },
        **{f"rules and cosine > {at:g}": any_rule & (similar > at) for at in STRICTER},
        "rules alone": any_rule,
        **{f"cosine > {at:g} alone": similar > at for at in (threshold, STRICTER[-1])},
    }


def area_under(values: _Flags, true: _Flags) -> float:
    """The probability that a contradicting pair has a higher value than another one; ties count half."""
    order = np.argsort(values, kind="stable")
    ranks = np.empty(len(values))
    ordered = values[order]
    first = np.searchsorted(ordered, ordered, side="left")
    last = np.searchsorted(ordered, ordered, side="right")
    ranks[order] = (first + last + 1) / 2
    hits = int(true.sum())
    misses = len(true) - hits
    return float((ranks[true].sum() - hits * (hits + 1) / 2) / (hits * misses)) if hits and misses else 0.5


def _first(flag: _Flags, similar: _Flags) -> _Flags:
    """Values that rank flagged pairs before others, and by similarity within each group."""
    return flag.astype(float) * 2 + similar


def _show(name: str, pairs: Sequence[dict[str, Any]], rule: _Flags, wrong: _Flags) -> None:
    for place in np.nonzero(wrong)[0][:12]:
        out.print(f"  {name} {rule[place]}: {pairs[place]['a']!r} / {pairs[place]['b']!r}", markup=False)


def _score(found: _Flags, true: _Flags) -> Score:
    return score(zip(found.tolist(), true.tolist(), strict=True))


def _cells(result: Score) -> tuple[str, ...]:
    return (*result.cells(), str(result.found), str(result.wanted))
