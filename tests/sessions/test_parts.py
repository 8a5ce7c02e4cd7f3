"""Trees of parts: every JSON value comes back, appending equals writing anew, small changes make few parts."""

from __future__ import annotations

import json
import math
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_service.errors import InvalidInput
from memory_service.sessions.change import SessionChange
from memory_service.sessions.data import data_in, entries_in, entry_of, last_parts_in, session_parts
from memory_service.sessions.parts import (
    MAX_STRETCH_CHARS,
    NewParts,
    Part,
    SessionParts,
    digest_of,
    stretches_of,
    text_of,
    write_tree,
)
from memory_service.sessions.values import CleanTexts, Value, checked_data, checked_items, redacted_values

TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=40)
NUMBERS = st.one_of(
    st.integers(-(10**60), 10**60), st.floats(allow_nan=False, allow_infinity=False), st.just(-0.0)
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, TEXTS, TEXTS.map(lambda text: text * 60)),
    lambda inner: st.one_of(st.lists(inner, max_size=12), st.dictionaries(TEXTS, inner, max_size=6)),
    max_leaves=40,
)
DATA = st.dictionaries(TEXTS, VALUES, max_size=8)
WORDS = ("harbour", "Lisbon", "walks", "the", "over", "bread", "morning", "with", "a", "slow")


def written(data: dict[str, Any]) -> SessionParts:
    """The parts of data without secrets."""
    parts = NewParts()
    values = {key: unredacted(value) for key, value in data.items()}
    return session_parts({key: entry_of(value, parts) for key, value in values.items()}, parts)


def unredacted(value: Any) -> Value:
    """A value as redacted_values makes it of one without secrets."""

    class Nothing(CleanTexts):
        def redacted(self, value: Any, text: str, key: str) -> tuple[Any, str]:
            return value, text

    return redacted_values({"k": value}, Nothing())["k"]


def exactly(value: Any) -> str:
    """Text that tells 1, 1.0, true, -0.0 and the order of keys apart."""
    return repr(value)


def message(n: int) -> dict[str, str]:
    text = " ".join(random.Random(n).choices(WORDS, k=50))
    return {"role": "user", "content": f"{n} {text}"[:300]}


@given(DATA)
def test_data_comes_back_exactly(data: dict[str, Any]) -> None:
    stored = written(data)
    assert exactly(data_in(stored.new, stored.root)) == exactly(data)
    assert stored.length == len(json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode())


@given(DATA)
def test_equal_data_has_equal_parts(data: dict[str, Any]) -> None:
    """Also once it was read: an entry of a session is written again with each change of another."""
    stored = written(data)
    entries = entries_in(stored.new, stored.root)
    again = session_parts(entries, NewParts())
    assert (again.root, again.length) == (stored.root, stored.length)


@given(st.lists(VALUES, max_size=30), st.lists(VALUES, min_size=1, max_size=30))
@settings(max_examples=300)
def test_appending_equals_writing_anew(first: list[Any], more: list[Any]) -> None:
    stored = written({"list": first})
    last = {
        key: last_parts_in(stored.new, root)
        for key, root in appending(more).appended_trees(stored.new, stored.root).items()
    }
    new = appending(more).apply(stored.new, stored.root, last)
    whole = written({"list": [*first, *more]})
    assert new.length == whole.length
    assert new.root == whole.root
    assert exactly(data_in(stored.new | new.new, new.root)) == exactly({"list": [*first, *more]})
    assert exactly(appending(more).data(stored.new, stored.root)) == exactly({"list": [*first, *more]})


def appending(items: list[Any]) -> SessionChange:
    return SessionChange({}, [], {"list": unredacted(items)})


@pytest.mark.parametrize("step", [1, 7])
def test_a_long_list_that_grows_is_the_same_tree(step: int) -> None:
    messages = [message(n) for n in range(700)]
    stored: dict[bytes, Part] = {}
    now = written({"list": []})
    stored |= now.new
    for start in range(0, len(messages), step):
        change = appending(messages[start : start + step])
        trees = change.appended_trees(stored, now.root)
        now = change.apply(
            stored, now.root, {key: last_parts_in(stored, root) for key, root in trees.items()}
        )
        stored |= now.new
    assert now.root == written({"list": messages}).root


def test_a_growing_chat_stores_each_message_about_once() -> None:
    stored: dict[bytes, Part] = {}
    sizes: list[int] = []
    messages: list[Any] = []
    for n in range(800):
        messages.append(message(n))
        stored |= written({"step": n, "messages": messages}).new
        sizes.append(sum(len(part.content.encode()) for part in stored.values()))
    text = len(json.dumps(messages, separators=(",", ":")).encode())
    assert sizes[-1] < 1.2 * text
    assert 0.9 < (sizes[-1] - sizes[399]) / (sizes[399] - sizes[0]) < 1.1, "bytes do not grow linearly"
    nodes = [part for part in stored.values() if not part.content]
    assert len(nodes) < 6 * len(messages)
    assert max(len(part.children) for part in nodes) <= 32 * 32


@pytest.mark.parametrize("length", [10, 60, 300, 1_500])
def test_a_list_without_its_first_item_keeps_most_of_its_parts(length: int) -> None:
    """Agents drop the oldest messages of a long chat."""
    items = [" ".join(random.Random(n).choices(WORDS, k=300))[:length] for n in range(400)]
    before, after = written({"list": items}).new, written({"list": items[1:]}).new
    size = sum(len(part.content) + len(part.children) for part in before.values())
    new = [part for digest, part in after.items() if digest not in before]
    assert sum(len(part.content) + len(part.children) for part in new) < 0.05 * size + 2_500


def test_a_change_within_a_long_text_keeps_most_of_it() -> None:
    text = " ".join(random.Random(1).choices(WORDS, k=8_000))
    place = len(text) // 2
    before, after = written({"t": text}).new, written({"t": text[:place] + "rain " + text[place:]}).new
    assert len([digest for digest in after if digest not in before]) < 0.2 * len(after)


@given(st.text(st.characters(codec="utf-8"), max_size=5_000))
def test_stretches_are_the_text(text: str) -> None:
    stretches = stretches_of(text)
    assert "".join(stretches) == text
    assert all(len(stretch) <= MAX_STRETCH_CHARS + 2 for stretch in stretches)


def test_a_part_of_another_kind_has_another_digest() -> None:
    """Text that looks like a digest is no node."""
    assert digest_of(Part("a" * 32)) != digest_of(Part("", b"a" * 32))
    assert digest_of(Part("a" * 40, b"a" * 32)) != digest_of(Part("a" * 8, b"a" * 64))


@pytest.mark.parametrize("items", [1, 2, 3, 33, 1_000])
def test_a_tree_of_equal_items_ends(items: int) -> None:
    parts = NewParts()
    root = write_tree(parts, [Part("x" * 300)] * items)
    assert text_of(parts, root) == "x" * 300 * items


BAD: list[tuple[Any, str, str]] = [
    ([], "data", "must be an object"),
    ({"a": {"b": math.nan}}, "data.a.b", "must be a finite number"),
    ({"a": [1, "x\0y"]}, "data.a[1]", "contains a NUL character"),
    ({"a": "\ud800"}, "data.a", "contains a lone surrogate"),
    ({"a\0": 1}, "data key", "contains a NUL character"),
    ({"a": {1: 2}}, "data.a key", "must be a string"),
    ({"a": 10**4_300}, "data.a", "has more than 4,300 digits"),
    ({"a": object()}, "data.a", "of type object"),
]


@pytest.mark.parametrize(("data", "field", "problem"), BAD)
def test_bad_data_is_refused_by_path(data: Any, field: str, problem: str) -> None:
    with pytest.raises(InvalidInput, match=problem) as refused:
        checked_data(data)
    assert refused.value.field == field


def test_deep_data_is_refused() -> None:
    deep: Any = []
    for _ in range(99):
        deep = [deep]
    assert checked_data({"a": deep})
    with pytest.raises(InvalidInput, match="deeper than 100 levels"):
        checked_data({"a": [deep]})


def test_items_are_lists() -> None:
    others: list[Any] = ["text", {}, [], None, 1]
    for items in others:
        with pytest.raises(InvalidInput, match="must be a list") as refused:
            checked_items({"a": items})
        assert refused.value.field == "append.a"


def test_secrets_are_redacted_as_in_metadata_once_and_again() -> None:
    token = "ghp_" + "aB3dE5" * 6
    data = {
        "password": "hunter2", "notes": [f"use {token}", {"password": "hunter2"}], token: 1,
        "deep": {"api": {"note": token}, "n": 3}, "plain": "text",
    }  # fmt: skip
    clean = CleanTexts()
    for _ in range(2):
        values = redacted_values(data, clean)
        found = {key: value.value for key, value in values.items()}
        assert found == {
            "password": "[redacted:password]",
            "notes": ["use [redacted:github_token]", {"password": "[redacted:password]"}],
            "[redacted:github_token]": 1,
            "deep": {"api": {"note": "[redacted:github_token]"}, "n": 3},
            "plain": "text",
        }
        parts = NewParts()
        stored = session_parts({key: entry_of(value, parts) for key, value in values.items()}, parts)
        assert data_in(parts, stored.root) == found
        assert redacted_values(found, clean) == values


def test_a_text_that_was_clean_under_one_key_is_checked_under_another() -> None:
    clean = CleanTexts()
    assert redacted_values({"pet": "hunter2"}, clean)["pet"].value == "hunter2"
    assert redacted_values({"password": "hunter2"}, clean)["password"].value == "[redacted:password]"
    assert redacted_values({"a": {"pet": "hunter2"}}, clean)["a"].value == {"pet": "hunter2"}
    assert redacted_values({"a": {"password": "hunter2"}}, clean)["a"].value != {"password": "hunter2"}
