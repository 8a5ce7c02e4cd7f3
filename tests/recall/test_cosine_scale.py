"""Whatever scale a model's cosines have, they weigh as much against words and speakers as the built-in one's."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import memory_service.api.base
from memory_service.memory import Memory
from memory_service.models.interface import Embeddings
from memory_service.recall import fusion
from memory_service.recall.fusion import BUILT_IN_SCALE
from memory_service.recall.query_analysis import Period
from memory_service.requests import NewMessage
from memory_service.results import RecallResult
from memory_service.timestamps import moments
from memory_service.types import CosineScale, Measured
from tests.conftest import settle
from tests.support.figures import figures_of
from tests.support.scripted import ScriptedEmbedder, script

NOW = datetime.now(UTC)
YEAR = ((NOW, NOW + timedelta(days=1)),)


def judged(
    periods: Sequence[Period],
    scale: CosineScale | None,
    cosine: float | None,
    reply: float | None,
    words: float,
    by_named: bool,
    at: datetime,
) -> tuple[float, dict[str, float]]:
    """One candidate by itself."""
    measured = Measured([cosine], [reply], [words], [by_named], [0], [None], moments([at]))
    (similarity,), figures = fusion.fused(measured, periods, scale=scale)
    return similarity, {name: one for name, (one,) in figures.items()}


COSINES = st.one_of(st.none(), st.floats(-1, 1))
SCALES = st.builds(CosineScale, st.floats(-1, 1), st.floats(1e-6, 1))


@given(COSINES, COSINES, st.floats(0, 1), st.booleans())
def test_the_built_in_models_cosines_are_weighed_as_they_are(
    cosine: float | None, reply: float | None, words: float, by_named: bool
) -> None:
    similarity, figures = judged(YEAR, None, cosine, reply, words, by_named, NOW)
    weights = fusion.WEIGHTS
    lead = 0.0 if reply is None else max(reply - (cosine or 0.0), 0.0)
    weighed = (
        weights["cosine"] * (cosine or 0.0)
        + weights["reply_lead"] * lead
        + weights["words"] * words * fusion.coverage(np.array([words]))
        + weights["speaker"] * by_named
        + weights["period"]
    )
    assert figures["fused"] == pytest.approx(weighed)
    assert similarity == pytest.approx(fusion.similarity(np.array([weighed]))[0])
    assert figures.keys() == {*weights, "reply", "fused"}


@given(st.floats(-1, 1), COSINES, st.floats(0, 1), st.booleans(), st.floats(-0.5, 0.5), st.floats(0.02, 0.5))
def test_a_model_with_another_scale_is_judged_like_the_built_in_one(
    cosine: float, reply: float | None, words: float, by_named: bool, begin: float, part: float
) -> None:
    """Its cosines are begin + part x the built-in one's, and so is its scale."""
    scale = CosineScale(begin + part * BUILT_IN_SCALE.mean, part * BUILT_IN_SCALE.spread)
    theirs, answered = (None if c is None else begin + part * c for c in (cosine, reply))
    similarity, figures = judged(YEAR, scale, theirs, answered, words, by_named, NOW)
    expected, plain = judged(YEAR, None, cosine, reply, words, by_named, NOW)
    assert similarity == pytest.approx(expected)
    assert figures["fused"] == pytest.approx(plain["fused"])
    assert figures["scaled_cosine"] == pytest.approx(plain["cosine"], abs=1e-9)
    assert (figures["cosine"], figures["reply"]) == (theirs or 0.0, answered or 0.0), "as measured"


@given(SCALES, st.lists(st.floats(-1, 1), min_size=2, max_size=2))
def test_no_scale_turns_the_order_or_leaves_the_range(scale: CosineScale, cosines: list[float]) -> None:
    low, high = (judged((), scale, cosine, None, 0, False, NOW) for cosine in sorted(cosines))
    assert 0 <= low[0] <= high[0] <= 1
    assert low[1]["fused"] <= high[1]["fused"]


BEGIN, PART = 0.75, 0.25


class NarrowEmbedder(ScriptedEmbedder):
    """The scripted embedder's cosines between 0.75 and 1: a quarter of each, and three quarters for every pair."""

    name = "narrow"

    async def embed_documents(self, texts: Sequence[str]) -> Embeddings:
        found = await super().embed_documents(texts)
        vectors = np.sqrt(PART) * found.vectors
        vectors[:, 0] = np.sqrt(BEGIN)  # no text has the character 0
        return Embeddings(vectors.astype(np.float32), found.usage)


SAID = (
    "Ohw deefs a tabmow?", "Quickly, jinx: wombat, puzzle.", "The wombats were feeding.", "It rained in Porto.",
    "We fed them twice a week.", "zebra", "Nobody came to the zoo.", "A wombat is a marsupial.",
)  # fmt: skip
"""The first is spelled like a question about wombats and shares no word with it, the second is the reverse."""
ASKED = ("Who feeds a wombat?", "Did it rain in Porto?", "zoo zebra")


async def answers(memory: Memory, bank: str) -> list[RecallResult]:
    return [await memory.recall(bank, text, k=20, profile="precise") for text in ASKED]


def contents(found: list[RecallResult]) -> list[list[str]]:
    return [[item.content for item in result.items] for result in found]


async def test_recall_ranks_alike_whatever_the_models_scale(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory_service.api.base, "BANK_CACHE_SECONDS", 0.0)
    banks: dict[str, list[RecallResult]] = {}
    for bank, embedder in (("wide", ScriptedEmbedder()), ("narrow", NarrowEmbedder())):
        script(memory, embedder)
        await memory.create_bank(bank, {"intake": "verbatim"})
        said = [NewMessage("user", text, None, NOW - timedelta(hours=2 * n)) for n, text in enumerate(SAID)]
        await memory.add_messages(bank, "c1", said)
        await settle(memory, bank)
        banks[bank] = await answers(memory, bank)
    assert contents(banks["narrow"]) != contents(banks["wide"]), "the words outvote the vectors"

    scale = CosineScale(BEGIN + PART * BUILT_IN_SCALE.mean, PART * BUILT_IN_SCALE.spread)
    await memory.store.thresholds.write(
        "narrow", duplicate=None, conflict=None, evidence=None, scale=scale, calibration={}, source="a test"
    )
    assert (await memory.get_bank("narrow")).scale == scale
    assert (await memory.get_bank("wide")).scale is None
    found = await answers(memory, "narrow")
    assert contents(found) == contents(banks["wide"])
    for result, expected in zip(found, banks["wide"], strict=True):
        for item, other in zip(result.items, expected.items, strict=True):
            similarity = item.components["similarity"]
            assert similarity == pytest.approx(other.components["similarity"], abs=0.01)
        for figures in await figures_of(memory, result, "narrow"):
            assert figures["cosine"] >= BEGIN - 0.01, "as measured"
