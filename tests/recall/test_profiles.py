"""Profiles: the design's five formulas, what holds for every set of weights, and a bank's own over every interface."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from itertools import chain
from typing import Any
from uuid import UUID

import httpx
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from memory_service.errors import InvalidInput
from memory_service.memory import Memory
from memory_service.profiles import PROFILES, Profile, profile_of
from memory_service.recall.rerank import limits_of, rerank
from memory_service.requests import Mood
from memory_service.types import EMOTIONS, Candidate, Ranked
from tests.conftest import settle
from tests.support.shared_app import client_on

NOW = datetime(2026, 3, 1, tzinfo=UTC)
NO_MOOD = Mood()
MINE = {"similarity": 1, "importance": 0.5, "recency": 0, "emotion": 0.1, "floor": 0.2}


WEIGHTS = ("similarity", "importance", "recency", "emotion")


def candidate(number: int = 1, **other: Any) -> Candidate:
    values: dict[str, Any] = {
        "memory_id": UUID(int=number), "type": "episodic", "content": f"memory {number}", "occurred_at": NOW,
        "importance": 0.5, "effective_importance": 0.5, "valence": None, "emotions": (), "topics": (), "tags": (),
        "metadata": {}, "source": "user", "similarity": 0.5,
    }  # fmt: skip
    return Candidate(**(values | other))


def days_old(days: float) -> datetime:
    return NOW - timedelta(days=days)


# The profiles of docs/design.md, "Recall"


def score(one: Candidate, profile: Profile, mood: Mood, at: datetime) -> Ranked:
    """The one candidate as ranked, kept or dropped."""
    (found,) = chain(*rerank([one], profile, mood, 1, at))
    return found


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("balanced", 0.5 * 0.8 + 0.3 * 0.2 + 0.2 * 0.5),
        ("salient", 0.5 * 0.2 + 0.3 * 0.5 + 0.2 * 0.8),
        ("empathic", 0.45 * 0.8 + 0.35 * 0.2 + 0.2 * 0.5 + 2 * 0.05),
        ("legacy", 0.6 * 0.9 + 0.4 * 0.5),
        ("precise", 0.8),
    ],
)
def test_a_profile_weighs_as_the_design_says(name: str, expected: float) -> None:
    """Similarity 0.8, importance 0.9 that has faded to 0.2, 30 days old, two labels shared with the mood."""
    one = candidate(
        similarity=0.8,
        importance=0.9,
        effective_importance=0.2,
        occurred_at=days_old(30),
        emotions=("joy", "love"),
    )
    found = score(one, PROFILES[name], Mood(emotions=["joy", "love", "fear"]), NOW)
    assert found.score == pytest.approx(expected)


def test_relevance_decides_by_default_and_the_others_stay() -> None:
    assert list(PROFILES) == ["relevant", "balanced", "salient", "empathic", "legacy", "precise"]
    assert profile_of({}, None).name == "relevant"
    assert [p.name for p in PROFILES.values() if not p.fades] == ["legacy"]


def test_the_floor_of_salient_is_taken_with_the_stored_importance() -> None:
    """A memory whose importance has faded ranks low, but is not dropped by the floor."""
    faded = candidate(1, importance=0.9, effective_importance=0.0, similarity=0.0, occurred_at=days_old(3000))
    plain = candidate(2, importance=0.5, effective_importance=0.5, similarity=0.5, occurred_at=days_old(3000))
    kept, dropped = rerank([faded, plain], PROFILES["salient"], NO_MOOD, 5, NOW)
    assert [r.candidate for r in kept] == [faded]
    assert [(r.candidate, r.dropped) for r in dropped] == [(plain, "below the floor of 0.4")]
    assert kept[0].score < dropped[0].score


def test_only_what_is_above_the_floor_passes() -> None:
    """A score equal to the floor is dropped."""
    profile = Profile("mine", similarity=1.0, floor=0.4)
    kept, _ = rerank([candidate(1, similarity=0.4), candidate(2, similarity=0.41)], profile, NO_MOOD, 5, NOW)
    assert [r.candidate.memory_id.int for r in kept] == [2]


@pytest.mark.parametrize(
    ("other", "profile", "reason"),
    [
        ({"similarity": 0.9}, "balanced", "high_similarity"),
        ({"similarity": 0.15}, "precise", "high_similarity"),
        ({"similarity": 0.14}, "precise", "low_similarity"),
        ({"similarity": 0.07}, "relevant", "low_similarity"),
        ({"similarity": 0.1, "effective_importance": 1.0, "occurred_at": days_old(300)}, "balanced", "important"),
        ({"similarity": 0.1, "effective_importance": 0.1}, "balanced", "recent"),
        ({"similarity": 0.1, "importance": 0.7, "effective_importance": 0.7}, "balanced", "recent_important"),
        ({"similarity": 0.1, "importance": 0.9, "effective_importance": 0.9, "occurred_at": days_old(8)},
         "salient", "important"),
        ({"similarity": 0.9, "importance": 0.9}, "precise", "high_similarity"),
        ({"similarity": 0.0, "effective_importance": 0.0, "occurred_at": days_old(9000), "emotions": ("joy",)},
         "empathic", "emotional_match"),
    ],
)  # fmt: skip
def test_the_reason_is_what_counted_most(other: dict[str, Any], profile: str, reason: str) -> None:
    assert score(candidate(**other), PROFILES[profile], Mood(emotions=["joy"]), NOW).reason == reason


# What holds for every profile and candidate

SHARE = st.floats(0, 1)
WEIGHT = st.floats(0, 10)
LABELS = st.lists(st.sampled_from(EMOTIONS), max_size=3, unique=True).map(tuple)
PROFILE = st.builds(
    Profile, st.just("mine"), WEIGHT, WEIGHT, WEIGHT, WEIGHT, st.none() | SHARE, st.booleans()
) | st.sampled_from(list(PROFILES.values()))
MOOD = st.builds(
    Mood,
    LABELS,
    st.none() | st.floats(-1, 1),
    st.lists(st.sampled_from(["work", "Family", "health"]), max_size=2),
)


@st.composite
def candidates(draw: st.DrawFn, number: int | None = None) -> Candidate:
    stored = draw(SHARE)
    return candidate(
        draw(st.integers(0, 10**6)) if number is None else number,
        similarity=draw(SHARE), importance=stored, effective_importance=stored * draw(SHARE),
        occurred_at=days_old(draw(st.floats(0, 4000))), valence=draw(st.none() | st.floats(-1, 1)),
        emotions=draw(LABELS), topics=draw(st.lists(st.sampled_from(["work", "family", "sport"]), max_size=2)),
    )  # fmt: skip


@given(candidates(), PROFILE, MOOD, st.sampled_from(["similarity", "importance", "recency"]), SHARE)
def test_more_of_anything_never_lowers_a_score(
    one: Candidate, profile: Profile, mood: Mood, what: str, to: float
) -> None:
    if what == "similarity":
        assume(to >= one.similarity)
        more = one._replace(similarity=to)
    elif what == "importance":
        assume(to >= one.importance)
        more = one._replace(importance=to, effective_importance=max(to, one.effective_importance))
    else:
        more = one._replace(occurred_at=one.occurred_at + (NOW - one.occurred_at) * to)
    assert score(more, profile, mood, NOW).score >= score(one, profile, mood, NOW).score


@given(st.lists(candidates(), max_size=12, unique_by=lambda c: c.memory_id), PROFILE, MOOD, st.integers(1, 6),
       st.randoms(use_true_random=False))  # fmt: skip
def test_the_order_of_candidates_does_not_matter(
    found: list[Candidate], profile: Profile, mood: Mood, k: int, random: Any
) -> None:
    shuffled = list(found)
    random.shuffle(shuffled)
    assert rerank(found, profile, mood, k, NOW) == rerank(shuffled, profile, mood, k, NOW)


@given(st.lists(candidates(), max_size=12, unique_by=lambda c: c.memory_id), PROFILE, MOOD, st.integers(1, 6))
def test_every_candidate_is_in_or_out_once_best_first(
    found: list[Candidate], profile: Profile, mood: Mood, k: int
) -> None:
    kept, dropped = rerank(found, profile, mood, k, NOW)
    assert len(kept) <= k
    assert sorted(r.candidate.memory_id for r in (*kept, *dropped)) == sorted(c.memory_id for c in found)
    assert all(r.dropped is None for r in kept)
    assert all(r.dropped for r in dropped)
    for part in (kept, dropped):
        assert [r.score for r in part] == sorted((r.score for r in part), reverse=True)
    beyond = [r for r in dropped if (r.dropped or "").startswith("beyond")]
    assert not beyond or (len(kept) == k and beyond[0].score <= kept[-1].score)


@given(st.lists(st.integers(0, 10**6), min_size=2, max_size=9, unique=True), PROFILE)
def test_equal_scores_go_by_id(numbers: list[int], profile: Profile) -> None:
    kept, dropped = rerank([candidate(n) for n in numbers], profile, NO_MOOD, len(numbers), NOW)
    assert [r.candidate.memory_id.int for r in kept or dropped] == sorted(numbers)


@given(LABELS, LABELS, st.integers(1, 3))
def test_each_shared_emotion_counts_once(felt: tuple[str, ...], now: tuple[str, ...], times: int) -> None:
    """However often a label stands on either side."""
    one = candidate(emotions=felt * times)
    plain = score(one._replace(emotions=()), PROFILES["empathic"], Mood(emotions=now), NOW).score
    found = score(one, PROFILES["empathic"], Mood(emotions=now), NOW)
    assert found.score - plain == pytest.approx(0.05 * len(set(felt) & set(now)))
    assert found.components["emotion"] == len(set(felt) & set(now))


@given(candidates(), PROFILE, MOOD)
def test_a_score_can_be_worked_out_from_its_components(one: Candidate, profile: Profile, mood: Mood) -> None:
    found = score(one, profile, mood, NOW)
    weights = {name: weight for name, weight in profile.weights().items() if name in WEIGHTS}
    assert found.score == pytest.approx(sum(w * found.components[name] for name, w in weights.items()))


def test_what_is_below_the_cut_off_is_dropped_and_says_so() -> None:
    profile = Profile("mine", similarity=1.0, cut_off=0.5)
    near, far = candidate(1, similarity=0.5), candidate(2, similarity=0.49)
    limits = limits_of(profile.cut_off, None)
    kept, dropped = rerank([near, far], profile, NO_MOOD, 5, NOW, limits=limits)
    assert [r.candidate.memory_id for r in kept] == [near.memory_id]
    assert [r.dropped for r in dropped] == ["below the cut-off of 0.5"]


def test_min_score_takes_the_place_of_the_cut_off() -> None:
    profile = Profile("mine", similarity=1.0, importance=1.0, cut_off=0.9)
    high, low = candidate(1, similarity=0.1, effective_importance=0.9), candidate(2, similarity=0.9)
    kept, dropped = rerank([high, low], profile, NO_MOOD, 5, NOW, limits=limits_of(profile.cut_off, 0.95))
    assert [r.candidate.memory_id for r in kept] == [low.memory_id, high.memory_id], "1.4 and 1.0"
    kept, dropped = rerank([high, low], profile, NO_MOOD, 5, NOW, limits=limits_of(profile.cut_off, 1.2))
    assert [r.candidate.memory_id for r in kept] == [low.memory_id]
    assert [r.dropped for r in dropped] == ["below min_score 1.2"]
    kept, dropped = rerank([high, low], profile, NO_MOOD, 5, NOW, limits=limits_of(profile.cut_off, 0.0))
    assert (len(kept), dropped) == (2, [])


# A bank's own, over every interface


@pytest.fixture
async def http(memory: Memory) -> AsyncIterator[httpx.AsyncClient]:
    async with client_on(memory) as client:
        assert (await client.post("/v1/banks", json={"bank_id": "anna"})).status_code in (200, 201)
        yield client


async def two_memories(memory: Memory) -> None:
    """One that is near the question, one that is important."""
    await memory.remember("anna", "Anna keeps bees.", importance=0.1)
    await memory.remember("anna", "The house burnt down.", importance=1.0)
    await settle(memory, "anna")


async def first(memory: Memory, profile: str | None = None) -> str:
    answer = await memory.recall("anna", "Who keeps bees?", profile=profile)
    return answer.items[0].content


async def test_a_banks_own_profile_ranks_by_name_and_by_default(memory: Memory) -> None:
    await memory.create_bank("anna", {"profiles": {"grave": MINE | {"similarity": 0, "floor": 0}}})
    await two_memories(memory)
    assert await first(memory) == "Anna keeps bees."
    assert await first(memory, "grave") == "The house burnt down."
    await memory.update_bank("anna", {"profile": "grave"})
    assert await first(memory) == "The house burnt down."
    assert await first(memory, "precise") == "Anna keeps bees."
    text = (await memory.context("anna", "Who keeps bees?", recent_tokens=0)).text
    assert "bees" in text
    context = await memory.context("anna", "Who keeps bees?")
    await memory.flush()
    assert (await memory.get_trace("anna", context.trace_id)).profile == "grave"


async def test_own_profiles_and_defaults_over_http(http: httpx.AsyncClient, memory: Memory) -> None:
    await two_memories(memory)
    bank = "/v1/banks/anna"
    settings = {"profiles": {"mine": MINE}, "profile": "mine"}
    assert (await http.patch(bank, json={"settings": settings})).json()["settings"] == settings
    for path, body in (("recall", {"query": "bees?"}), ("context", {"message": "bees?"})):
        for profile in (*PROFILES, "mine"):
            answer = await http.post(f"{bank}/{path}", json=body | {"profile": profile})
            assert answer.status_code == 200, answer.text
        refused = await http.post(f"{bank}/{path}", json=body | {"profile": "other"})
        assert refused.status_code == 422
        assert refused.json()["errors"] == [
            {"field": "profile", "problem": "must be one of relevant, balanced, salient, empathic, legacy, precise, "
             "mine, the profiles of this bank"}
        ]  # fmt: skip
    lost = await http.patch(bank, json={"settings": {"profiles": None}})
    assert (lost.status_code, lost.json()["errors"][0]["field"]) == (422, "settings.profile")
    gone = await http.patch(bank, json={"settings": {"profiles": None, "profile": None}})
    assert gone.json()["settings"] == {}


WRONG: list[tuple[object, str]] = [
    (5, "settings.profiles"),
    ([MINE], "settings.profiles"),
    ({f"p{n}": MINE for n in range(17)}, "settings.profiles"),
    ({"balanced": MINE}, "settings.profiles.balanced"),
    ({"": MINE}, "settings.profiles."),
    ({"a b": MINE}, "settings.profiles.a b"),
    ({"x" * 65: MINE}, f"settings.profiles.{'x' * 65}"),
    ({"mine": None}, "settings.profiles.mine"),
    ({"mine": {"similarity": 1, "importance": 1}}, "settings.profiles.mine.recency"),
    ({"mine": MINE | {"weight": 1}}, "settings.profiles.mine.weight"),
    ({"mine": MINE | {"similarity": -0.1}}, "settings.profiles.mine.similarity"),
    ({"mine": MINE | {"similarity": "1"}}, "settings.profiles.mine.similarity"),
    ({"mine": MINE | {"similarity": True}}, "settings.profiles.mine.similarity"),
    ({"mine": MINE | {"importance": None}}, "settings.profiles.mine.importance"),
    ({"mine": MINE | {"recency": 1e9}}, "settings.profiles.mine.recency"),
    ({"mine": MINE | {"emotion": -1}}, "settings.profiles.mine.emotion"),
    ({"mine": MINE | {"floor": [0]}}, "settings.profiles.mine.floor"),
    ({"mine": MINE | {"cut_off": -0.1}}, "settings.profiles.mine.cut_off"),
    ({"mine": {"similarity": 0, "importance": 0, "recency": 0, "emotion": 1}}, "settings.profiles.mine"),
]


@pytest.mark.parametrize(("profiles", "field"), WRONG)
@pytest.mark.changes_nothing
async def test_a_wrong_profile_is_named_and_changes_nothing(
    http: httpx.AsyncClient, memory: Memory, profiles: object, field: str
) -> None:
    with pytest.raises(InvalidInput) as raised:
        await memory.update_bank("anna", {"profiles": profiles})
    assert raised.value.field == field
    answer = await http.patch("/v1/banks/anna", json={"settings": {"profiles": profiles}})
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, field)
    assert (await http.get("/v1/banks/anna")).json()["settings"] == {}


@pytest.mark.parametrize("weight", [float("nan"), float("inf"), -float("inf")])
async def test_a_weight_that_is_no_number_is_refused(memory: Memory, weight: float) -> None:
    await memory.create_bank("anna")
    with pytest.raises(InvalidInput, match=r"settings\.profiles\.mine\.similarity"):
        await memory.update_bank("anna", {"profiles": {"mine": MINE | {"similarity": weight}}})


@pytest.mark.parametrize("name", ["other", 5, "", "mine "])
async def test_a_default_profile_that_the_bank_does_not_have_is_refused(memory: Memory, name: object) -> None:
    with pytest.raises(InvalidInput, match=r"settings\.profile"):
        await memory.create_bank("anna", {"profile": name, "profiles": {"mine": MINE}})
    await memory.create_bank("anna", {"profile": "mine", "profiles": {"mine": MINE}})
    with pytest.raises(InvalidInput, match=r"settings\.profile"):
        await memory.update_bank("anna", {"profile": name})
    assert (await memory.get_bank("anna")).settings["profile"] == "mine"


def test_the_caller_is_told_whose_fault_an_unknown_profile_is() -> None:
    for settings, name, field in (({}, "x", "profile"), ({"profile": "x"}, None, "settings.profile")):
        with pytest.raises(InvalidInput) as raised:
            profile_of(settings, name)
        assert raised.value.field == field
