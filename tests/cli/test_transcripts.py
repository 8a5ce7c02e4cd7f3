"""Reading transcripts: JSON lines and LoCoMo's shape, with errors that name the line and the field."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memory_service.errors import InvalidInput
from memory_service.transfer.transcripts import Turn
from memory_service.transfer.transcripts import read_transcript as turns_of

SAMPLE: dict[str, Any] = {
    "sample_id": "talk-7",
    "conversation": {
        "speaker_a": "Mira",
        "speaker_b": "Jonas",
        "session_2_date_time": "12:05 am on 3 June, 2024",
        "session_2": [{"speaker": "Jonas", "dia_id": "D2:1", "text": "You moved?"}],
        "session_1_date_time": "1:56 pm on 8 May, 2024",
        "session_1": [
            {"speaker": "Mira", "dia_id": "D1:1", "text": "I adopted a dog."},
            {"speaker": "Jonas", "dia_id": "D1:2", "text": "Look!", "blip_caption": "a photo of a red bike"},
        ],
        "session_3_date_time": "9:00 am on 4 June, 2024",
    },
    "qa": [{"question": "What did Mira adopt?", "answer": "a dog"}],
}


def lines(path: Path, *rows: object) -> Path:
    text = "".join(
        (row if isinstance(row, str) else json.dumps(row, ensure_ascii=False)) + "\n" for row in rows
    )
    path.write_text(text, encoding="utf-8")
    return path


def said(content: str, **more: object) -> dict[str, object]:
    return {"conversation_id": "c1", "role": "user", "content": content, **more}


def read_transcript(path: Path) -> list[Turn]:
    return list(turns_of(path))


def ids(turns: list[Turn]) -> list[str | None]:
    return [turn.message.id for turn in turns]


def test_json_lines_keep_what_they_say(tmp_path: Path) -> None:
    at = "2026-03-01T09:30:00+01:00"
    row = said("Hi", name="Mira", occurred_at=at, id="a-1", metadata={"page": 3})
    (turn,) = read_transcript(lines(tmp_path / "t.jsonl", row))
    message = turn.message
    assert (turn.conversation_id, message.role, message.content, message.name) == ("c1", "user", "Hi", "Mira")
    assert (message.occurred_at, message.id, message.metadata) == (
        datetime.fromisoformat(at),
        "a-1",
        {"page": 3},
    )


def test_a_line_without_an_id_gets_the_same_one_each_time(tmp_path: Path) -> None:
    rows = [said("ok"), said("no"), said("ok")]
    first = ids(read_transcript(lines(tmp_path / "a.jsonl", *rows)))
    assert len(set(first)) == 3
    assert ids(read_transcript(lines(tmp_path / "b.jsonl", *rows))) == first


def test_ids_do_not_depend_on_the_lines_around(tmp_path: Path) -> None:
    alone = ids(read_transcript(lines(tmp_path / "a.jsonl", said("one"))))
    among = ids(read_transcript(lines(tmp_path / "b.jsonl", said("zero"), "", said("one"))))
    assert among[1:] == alone


@pytest.mark.parametrize("mark", ["\u2028", "\u0085"])
def test_only_a_line_feed_ends_a_line(tmp_path: Path, mark: str) -> None:
    (turn,) = read_transcript(lines(tmp_path / "t.jsonl", said(f"one{mark}two")))
    assert turn.message.content == f"one{mark}two"


@pytest.mark.parametrize("start", ["\ufeff", "\n\n", ""])
@pytest.mark.parametrize("end", ["\r\n", "\n"])
def test_files_of_every_editor_are_read(tmp_path: Path, start: str, end: str) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes((start + end.join(json.dumps(said(word)) for word in ("one", "two"))).encode())
    assert [turn.message.content for turn in read_transcript(path)] == ["one", "two"]


def test_an_empty_file_has_no_turns(tmp_path: Path) -> None:
    assert read_transcript(lines(tmp_path / "t.jsonl")) == []


HUGE = '{"conversation_id": "c1", "role": "user", "content": "x", "metadata": {"n": ' + "1" * 5000 + "}}"
BAD_LINES: dict[str, tuple[object, str]] = {
    "no JSON": ("{nope", "line 2: is not JSON"),
    "a list": ([1], "line 2: is not a JSON object"),
    "a number of 5,000 digits": (HUGE, "line 2: is not JSON"),
    "deep": ("[" * 3000 + "]" * 3000, "line 2: is not JSON"),
    "no content": ({"conversation_id": "c1", "role": "user"}, "line 2: content: must be a string"),
    "content is a number": (said("x") | {"content": 5}, "line 2: content: must be a string"),
    "an unknown field": (said("x", nmae="Mira"), "line 2: nmae: is unknown"),
    "an unknown role": (said("x") | {"role": "boss"}, "line 2.role: must be one of"),
    "no zone": (said("x", occurred_at="2026-03-01T09:30:00"), "line 2: occurred_at: has no time zone"),
    "a number for a time": (said("x", occurred_at=1_700_000_000), "line 2: occurred_at: must be a time"),
    "NUL in a time": (said("x", occurred_at="2026-03-01T09:30:00Z\0"), "line 2: occurred_at: must be a time"),
    "the year 1": (said("x", occurred_at="0001-01-01T00:00:00Z"), "line 2.occurred_at: is before the year 1800"),
    "the year 9999": (said("x", occurred_at="9999-12-31T23:00:00Z"), "line 2.occurred_at: is in the future"),
    "NUL": (said("a\0b"), "line 2.content: contains a NUL character"),
    "a lone surrogate": (json.dumps(said("\ud800")), "line 2.content: contains a lone surrogate"),
    "too long": (said("x" * 32_001), "line 2.content: is 32,001 characters long"),
    "a number for an id": (said("x", id=5), "line 2.id: must be a string"),
    "metadata is a list": (said("x", metadata=[1]), "line 2.metadata: must be an object"),
    "NaN in metadata": (said("x", metadata={"a": [float("nan")]}), "line 2.metadata"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_LINES)
def test_a_bad_line_is_named_with_its_field(tmp_path: Path, name: str) -> None:
    row, problem = BAD_LINES[name]
    with pytest.raises(InvalidInput) as caught:
        read_transcript(lines(tmp_path / "t.jsonl", said("fine"), row))
    assert str(caught.value).startswith(problem)


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InvalidInput, match=r"^file: cannot be read"):
        read_transcript(path)


def test_locomo_sessions_are_conversations_in_their_order(tmp_path: Path) -> None:
    path = tmp_path / "sample.json"
    path.write_text(json.dumps(SAMPLE, indent=2))
    turns = read_transcript(path)
    assert [(t.conversation_id, t.message.id) for t in turns] == [
        ("talk-7/session_1", "D1:1"),
        ("talk-7/session_1", "D1:2"),
        ("talk-7/session_2", "D2:1"),
    ]
    assert [(t.message.role, t.message.name) for t in turns] == [
        ("user", "Mira"),
        ("assistant", "Jonas"),
        ("assistant", "Jonas"),
    ]
    assert turns[1].message.content == "Look! [shows a photo: a photo of a red bike]"
    assert turns[1].message.occurred_at == datetime(2024, 5, 8, 13, 56, 1, tzinfo=UTC)
    assert turns[2].message.occurred_at == datetime(2024, 6, 3, 0, 5, tzinfo=UTC)
    assert [t.message.metadata for t in turns] == [{"dia_id": f"D{n}"} for n in ("1:1", "1:2", "2:1")]


BAD_SAMPLES: dict[str, tuple[dict[str, object], str]] = {
    "no time": ({"session_1_date_time": None}, "session_1_date_time: is not like"),
    "another time": ({"session_1_date_time": "2024-05-08"}, "session_1_date_time: is not like"),
    "a turn that is text": ({"session_1": ["hello"]}, r"session_1[0]: is not a JSON object"),
    "a turn without its id": (
        {"session_1": [{"speaker": "Mira", "text": "Hi"}]},
        "session_1[0]: must have speaker, dia_id and text",
    ),
    "a turn too long": (
        {"session_1": [{"speaker": "Mira", "dia_id": "D1:1", "text": "x" * 32_001}]},
        "session_1[0].content: is 32,001 characters long",
    ),
}


@pytest.mark.parametrize("name", BAD_SAMPLES)
def test_a_bad_locomo_turn_is_named(tmp_path: Path, name: str) -> None:
    changes, problem = BAD_SAMPLES[name]
    path = tmp_path / "sample.json"
    path.write_text(json.dumps({**SAMPLE, "conversation": {**SAMPLE["conversation"], **changes}}))
    with pytest.raises(InvalidInput) as caught:
        read_transcript(path)
    assert str(caught.value).startswith(problem)


def test_other_lists_of_a_locomo_file_are_no_sessions(tmp_path: Path) -> None:
    path = tmp_path / "sample.json"
    more = {"session_notes": ["x"], "session_01": ["x"], "session_": ["x"]}
    path.write_text(json.dumps({**SAMPLE, "conversation": {**SAMPLE["conversation"], **more}}))
    assert len(read_transcript(path)) == 3
