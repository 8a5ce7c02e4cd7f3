"""Which words of a query may be misspelt, and what a recall finds by them."""

from __future__ import annotations

import pytest

from memory_service.memory import Memory
from memory_service.models.token_counter import token_counter
from memory_service.recall.spelling import MOST, doubtful_in
from memory_service.requests import NewMessage
from tests.conftest import settle


@pytest.mark.parametrize(
    ("query", "doubtful"),
    [
        ("Does the typsecript project use mongod?", ["typsecript", "mongod"]),
        ("What food does she like at the café?", []),
        ("ALERGIC", ["alergic"]),
        ("Where is Dafni?", []),  # a speaker
        ("lok", []),  # too short
        ("x" * 41, []),
        ("abcd1234 a_variable 日本", []),
        ("", []),
    ],
)
def test_words_that_are_neither_common_nor_names_are_doubtful(query: str, doubtful: list[str]) -> None:
    assert doubtful_in(query, ["dafni"], token_counter("wordpiece")) == doubtful


def test_the_longest_are_taken() -> None:
    words = [f"zq{letter * n}" for n, letter in enumerate("vwxkjh", 3)]
    found = doubtful_in(" ".join(words), [], token_counter("wordpiece"))
    assert found == words[::-1][:MOST]


@pytest.mark.parametrize("query", ["typsecript", "mongod", "alergic", "Portgual", "Quorvane"])
async def test_misspelt_words_find_their_memory(memory: Memory, query: str) -> None:
    await memory.create_bank("a", {"intake": "verbatim"})
    texts = {
        "typsecript": "I rewrote the tool in TypeScript.", "mongod": "We moved off MongoDB.",
        "alergic": "I am allergic to walnuts.", "Portgual": "We fly to Portugal.",
        "Quorvane": "Quorvaine called me.",
    }  # fmt: skip
    for conversation_id, text in texts.items():
        await memory.add_messages("a", conversation_id, [NewMessage("user", text)])
    await settle(memory, "a")
    found = await memory.recall("a", query, by=("words",))
    assert [item.content for item in found.items] == [texts[query]]
