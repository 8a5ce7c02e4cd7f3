"""What a reply, a conversation and accidental words add to the score of a candidate."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_service.candidate_arrays import Figures
from memory_service.memory import Memory
from memory_service.recall.fusion import FULL_COVERAGE, LEAST_COVERAGE, fused
from memory_service.requests import NewMessage
from memory_service.timestamps import moments
from memory_service.types import Measured
from tests.conftest import settle
from tests.support.figures import figures_of
from tests.support.scripted import ScriptedEmbedder, script

NOW = datetime.now(UTC)
COSINES = st.lists(st.floats(-1, 1), min_size=2, max_size=30)


def scored(
    cosines: Sequence[float],
    *,
    replies: Sequence[float | None] | None = None,
    words: Sequence[float] | None = None,
    conversations: Sequence[str | None] | None = None,
    mentions: Sequence[int] | None = None,
    names_agent: bool = False,
) -> dict[str, Figures]:
    """The features of candidates that happened now."""
    nothing = [None] * len(cosines)
    measured = Measured(
        cosines,
        replies or nothing,
        words or [0.0] * len(cosines),
        [False] * len(cosines),
        mentions or nothing,
        conversations or nothing,
        moments([NOW] * len(cosines)),
    )
    return fused(measured, kinds=[1], names_agent=names_agent)[1]


@given(COSINES, st.floats(-1, 1))
def test_a_reply_that_is_not_nearer_adds_nothing(cosines: list[float], reply: float) -> None:
    plain = scored(cosines)["fused"]
    with_reply = scored(cosines, replies=[reply] * len(cosines))["fused"]
    farther = np.array(cosines) >= reply
    assert (with_reply[farther] == plain[farther]).all()
    assert (with_reply[~farther] > plain[~farther]).all() or not (~farther).any()


def test_a_reply_counts_like_own_text_for_a_query_that_names_the_agent() -> None:
    figures = scored([0.2, 0.5], replies=[0.6, None], names_agent=True)
    assert figures["fused"].tolist() == pytest.approx([0.6, 0.5])
    other = scored([0.2, 0.5], replies=[0.6, None])
    assert other["fused"][0] < other["fused"][1]


@given(COSINES, st.floats(0, LEAST_COVERAGE))
def test_the_cosine_decides_where_hardly_a_word_matches(cosines: list[float], share: float) -> None:
    words = [share * (n % 2) for n in range(len(cosines))]
    assert scored(cosines, words=words, mentions=[1] * len(cosines))["fused"].tolist() == cosines


def test_words_count_in_full_once_a_candidate_has_enough_of_them() -> None:
    words = [FULL_COVERAGE, FULL_COVERAGE / 2, 0.0]
    assert scored([0.1] * 3, words=words)["words"].tolist() == words
    half = scored([0.1] * 2, words=[(LEAST_COVERAGE + FULL_COVERAGE) / 2, 0.0])["words"]
    assert half.tolist() == pytest.approx([(LEAST_COVERAGE + FULL_COVERAGE) / 4, 0])


def test_a_conversation_counts_only_by_a_candidate_among_the_best() -> None:
    cosines = [0.01 * n for n in range(50)]
    conversations: list[str | None] = [None] * 50
    conversations[0], conversations[49] = "best", "best"
    conversations[1], conversations[30] = "middling", "middling"
    session = scored(cosines, conversations=conversations)["session"]
    assert session[0] > 0
    assert session[1] == session[30] == session[49] == 0


async def test_what_the_named_agent_said_is_found_by_its_words(memory: Memory) -> None:
    """The reply's words count 0.4 of the user's, for a query with the agent's name as much."""
    script(memory, ScriptedEmbedder())
    await memory.create_bank("anna", {"subject": "Anna", "agent_name": "Mila"})
    turns = [("user", "My sister Ines lives in Porto now."), ("assistant", "I moved to the lighthouse.")]
    said = [
        NewMessage(role, text, None, NOW - timedelta(hours=5, minutes=-n))
        for n, (role, text) in enumerate(turns)
    ]
    await memory.add_messages("anna", "c1", said)
    await settle(memory, "anna")
    found: dict[str, float] = {}
    for query in ("Whose lighthouse?", "Mila's lighthouse?"):
        result = await memory.recall("anna", query, k=1, min_score=0.0)
        assert [item.reply for item in result.items] == ["I moved to the lighthouse."]
        found[query] = (await figures_of(memory, result))[0]["words"]
    plain, named = found.values()
    assert named > 2 * plain > 0
