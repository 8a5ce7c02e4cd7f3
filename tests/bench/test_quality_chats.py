"""Every labelled chat of the quality bench is well formed and its labels refer to existing messages."""

from __future__ import annotations

import json
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

CHATS = Path(__file__).parents[1] / "bench" / "quality" / "chats"
FILES = sorted(CHATS.glob("*.json"))

CHAT_KEYS = {"name", "kind", "subject", "agent_name", "messages", "facts", "worth", "questions"}
MESSAGE_KEYS = {"id", "conversation_id", "role", "name", "content", "occurred_at"}
FACT_KEYS = {
    "id",
    "subject",
    "attribute",
    "value",
    "text",
    "from",
    "valid_from",
    "valid_to",
    "superseded_by",
    "lasting",
}
QUESTION_KEYS = {"question", "answer", "evidence", "ability"}
ABILITIES = {
    "single",
    "multi",
    "temporal",
    "update",
    "preference",
    "assistant_said",
    "instruction",
    "abstain",
    "paraphrase",
}


def chat(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


def by_id(entries: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The entries by id; ids are unique."""
    found = {entry["id"]: entry for entry in entries}
    assert len(found) == len(entries), "duplicate id"
    return found


every_chat = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


def test_chats_exist() -> None:
    assert FILES


@every_chat
def test_fields(path: Path) -> None:
    loaded = chat(path)
    assert set(loaded) == CHAT_KEYS
    assert loaded["name"] == path.stem
    assert loaded["kind"]
    for key, expected in (("messages", MESSAGE_KEYS), ("facts", FACT_KEYS), ("questions", QUESTION_KEYS)):
        for entry in loaded[key]:
            assert set(entry) == expected, entry


@every_chat
def test_messages_have_increasing_times_and_contiguous_conversations(path: Path) -> None:
    messages = chat(path)["messages"]
    by_id(messages)
    times = [datetime.fromisoformat(message["occurred_at"]) for message in messages]
    assert all(time.tzinfo for time in times)
    for earlier, later, message in zip(times, times[1:], messages[1:], strict=False):
        assert earlier < later, message
    finished: set[str] = set()
    current = messages[0]["conversation_id"]
    for message in messages:
        assert message["role"] in {"user", "assistant"}, message
        assert message["content"].strip() == message["content"] != "", message
        if message["conversation_id"] != current:
            finished.add(current)
            current = message["conversation_id"]
        assert current not in finished, message


@every_chat
def test_facts_refer_to_messages_and_successors(path: Path) -> None:
    loaded = chat(path)
    messages, facts = by_id(loaded["messages"]), by_id(loaded["facts"])
    for fact in loaded["facts"]:
        assert fact["from"], fact
        assert set(fact["from"]) <= set(messages), fact
        assert all(fact[key] for key in ("subject", "attribute", "value", "text")), fact
        start = date.fromisoformat(fact["valid_from"])
        if fact["valid_to"] is not None:
            assert start <= date.fromisoformat(fact["valid_to"]), fact
        if fact["superseded_by"] is not None:
            assert fact["superseded_by"] != fact["id"], fact
            assert start <= date.fromisoformat(facts[fact["superseded_by"]]["valid_from"]), fact
            assert fact["valid_to"] is not None, fact
        assert isinstance(fact["lasting"], bool), fact


@every_chat
def test_worth_names_user_messages(path: Path) -> None:
    loaded = chat(path)
    messages = by_id(loaded["messages"])
    assert len(set(loaded["worth"])) == len(loaded["worth"])
    for message_id in loaded["worth"]:
        assert messages[message_id]["role"] == "user", message_id


@every_chat
def test_questions_have_evidence_unless_nothing_answers_them(path: Path) -> None:
    loaded = chat(path)
    messages = by_id(loaded["messages"])
    texts = [question["question"] for question in loaded["questions"]]
    assert len(set(texts)) == len(texts)
    for question in loaded["questions"]:
        assert question["ability"] in ABILITIES, question
        assert question["question"], question
        assert question["answer"], question
        assert len(set(question["evidence"])) == len(question["evidence"]), question
        assert set(question["evidence"]) <= set(messages), question
        assert (question["ability"] == "abstain") == (not question["evidence"]), question
        roles = {messages[message_id]["role"] for message_id in question["evidence"]}
        if question["ability"] == "assistant_said":
            assert "assistant" in roles, question
