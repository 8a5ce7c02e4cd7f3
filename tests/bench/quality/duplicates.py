"""What counts as a near duplicate: the shipped threshold and guard on pairs of questions (QQP) and of news (MSRP)."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import asyncpg
import numpy as np

from memory_service.config import Settings
from memory_service.embedded import open_server
from memory_service.memory import Memory
from tests.bench.quality.data import out, rows, table
from tests.bench.quality.scores import Score, score

MOST = 2_500
"""Pairs of each set: embedding them is what takes the time."""
_THRESHOLD = "select duplicate_threshold from memory.embedding_model where name = $1"
_MISMATCH = """
select memory_api.text_difference(a, b) is null
  from unnest($1::text[], $2::text[]) with ordinality as pair (a, b, place) order by place"""


async def measure(folder: Path) -> None:
    """Print precision and recall with and without memory_api.text_difference, beside cosine alone at 95 % precision."""
    sets = {name: rows(folder, name)[:MOST] for name in ("qqp_dev", "msrp_dev")}
    if not any(sets.values()):
        return
    shown = table("Near duplicates", "rule", "precision", "recall", "F1", "found", "of")
    with (
        tempfile.TemporaryDirectory(prefix="memory-quality-") as data,
        open_server(Path(data)) as server,
    ):
        async with await Memory.open(Settings.model_validate({"data_dir": Path(data)})) as memory:
            bare = await asyncpg.connect(server.url(database="memory"))
            embedder = memory.models.embedder()
            threshold = float(await bare.fetchval(_THRESHOLD, embedder.name))
            for name, pairs in sets.items():
                if not pairs:
                    continue
                similar = await cosines(memory, pairs)
                close = similar >= threshold
                texts = [[str(pair[side]) for pair in pairs] for side in ("a", "b")]
                same = np.array([row[0] for row in await bare.fetch(_MISMATCH, *texts)])
                true = np.array([pair["y"] == 1 for pair in pairs])
                best, at = _at_precision(similar, true, 0.95)
                for rule, result in {
                    f"{name}: cosine >= {threshold:g} and no mismatch (shipped)": _score(close & same, true),
                    f"{name}: cosine >= {threshold:g} alone": _score(close, true),
                    f"{name}: cosine alone at 95 % precision (>= {at:.3f})": best,
                }.items():
                    shown.add_row(rule, *result.cells(), str(result.found), str(result.wanted))
            await bare.close()
    out.print(shown)


async def cosines(memory: Memory, pairs: Sequence[dict[str, Any]]) -> np.ndarray[Any, Any]:
    texts = list(dict.fromkeys(str(pair[side]) for side in ("a", "b") for pair in pairs))
    place = {text: position for position, text in enumerate(texts)}
    vectors = (await memory.models.embedder().embed_documents(texts)).vectors
    one, other = (vectors[[place[str(pair[side])] for pair in pairs]] for side in ("a", "b"))
    return (one * other).sum(axis=1)


def _score(found: np.ndarray[Any, Any], true: np.ndarray[Any, Any]) -> Score:
    return score(zip(found.tolist(), true.tolist(), strict=True))


def _at_precision(
    similar: np.ndarray[Any, Any], true: np.ndarray[Any, Any], precision: float
) -> tuple[Score, float]:
    """The lowest threshold that holds this precision, and the score there; nothing found where none does."""
    order = np.argsort(-similar)
    held = np.cumsum(true[order]) / np.arange(1, len(order) + 1) >= precision
    last = int(np.nonzero(held)[0][-1]) if held.any() else None
    at = float(similar[order[last]]) if last is not None else 2.0
    return _score(similar >= at, true), at
