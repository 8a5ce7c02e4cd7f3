"""Chats of other products: the imported messages, and the facts drawn from them, of the user's messages only."""

from __future__ import annotations

import json
import re
import tracemalloc
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast
from unittest.mock import patch
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from rich.console import Console

from memory_service.api import writes
from memory_service.cli.imports import import_files, store
from memory_service.errors import Conflict, InvalidInput
from memory_service.memory import Memory
from memory_service.redaction.redact import Redacted, redact
from memory_service.requests import NewMessage
from memory_service.store.database import open_transaction
from memory_service.transfer.json_array import MAX_STRING, READ_BYTES, LimitedJson, items_of
from memory_service.transfer.parts import Part, pieces
from memory_service.transfer.readers import READERS
from memory_service.validation import MAX_MESSAGE_CHARS
from tests.conftest import Admin

SAMPLES = Path(__file__).parent / "samples"
PORTO = "9d8f7b1e-0a52-4f43-9f0a-3b6b4a6f7d10"
WORK = "9d8f7b1e-0a52-4f43-9f0a-3b6b4a6f7d20"


def read(product: str, path: Path) -> list[tuple[str, str]]:
    return [(m.role, m.content) for part in READERS[product](path) for m in part.messages]


async def imported(memory: Memory, product: str, *paths: Path, again: bool = False) -> dict[str, Any]:
    return await import_files(
        memory,
        "anna",
        paths,
        product=product,
        again=again,
        intake=None,
        wait=True,
        console=Console(quiet=True),
    )


def test_the_current_branch_of_a_chatgpt_conversation_is_read() -> None:
    first, second = READERS["chatgpt"](SAMPLES / "chatgpt.json")
    assert (first.conversation_id, second.conversation_id) == (PORTO, WORK)
    assert [(f"{m.occurred_at:%d %H:%M:%S.%f}", m.role, m.content) for m in first.messages] == [
        ("02 09:50:01.500000", "user", "I live in Porto. What can I cook tonight? I am allergic to walnuts."),
        ("02 09:50:10.250000", "assistant", "My sister is a baker: try her rice with peppers."),
        ("03 09:50:00.000000", "user", "My dog is called Rex. My password is hunter2-Xk29pQ."),
        ("03 09:50:10.000000", "assistant", "A lovely dog."),
    ]
    without_time, spoken = second.messages
    assert (spoken.content, spoken.id) == (
        "My brother Tom lives in Faro.", "1c1f7b1e-0a52-4f43-9f0a-3b6b4a6f7d22",
    )  # fmt: skip
    assert spoken.metadata == {"imported_from": "chatgpt", "original_id": spoken.id}
    assert str(without_time.occurred_at) == "2024-03-04 09:50:00+00:00", "that of the conversation"


def test_the_texts_of_a_claude_conversation_are_read() -> None:
    assert read("claude", SAMPLES / "claude.json") == [
        ("user", "My daughter Mia is allergic to bees. Which flowers are safe?"),
        ("assistant", "Ferns. I am allergic to honey."),
        ("user", "I moved to Braga last month."),
        ("user", "I play the violin."),
        ("assistant", "A violin!"),
    ]


def test_a_zip_file_is_read_with_all_its_parts(tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    sample = (SAMPLES / "chatgpt.json").read_text()
    with ZipFile(path, "w") as archive:
        archive.writestr("user.json", "{}")
        for number, one in enumerate(json.loads(sample)):
            archive.writestr(f"chats/conversations-{number:03}.json", "\ufeff" + json.dumps([one]))
    assert read("chatgpt", path) == read("chatgpt", SAMPLES / "chatgpt.json")
    with ZipFile(path, "w") as archive:
        archive.writestr("user.json", "{}")
    with pytest.raises(InvalidInput, match=r"^file: is a ZIP file without conversations\.json"):
        read("chatgpt", path)


def test_a_large_file_is_not_read_at_once(tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    chats = json.loads((SAMPLES / "claude.json").read_text())
    chats[0]["chat_messages"][0]["content"][0]["text"] = "word " * 1_000
    with path.open("w") as file:
        file.write("[" + ",".join([json.dumps(chats[0])] * 1_500) + "]")
    tracemalloc.start()
    count = sum(1 for _ in READERS["claude"](path))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (count, peak < path.stat().st_size / 8) == (1_500, True), peak


BROKEN_ZIPS = {"encrypted": (6, 8, 1), "compression": (8, 10, 99), "data": (50, 50, 0)}
"""Offsets of a byte in the header of the file and in the directory, and its value."""


@pytest.mark.parametrize("case", BROKEN_ZIPS)
def test_a_zip_file_that_cannot_be_read_is_an_error(case: str, tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        archive.write(SAMPLES / "claude.json", "conversations.json")
    data = bytearray(path.read_bytes())
    in_file, in_directory, value = BROKEN_ZIPS[case]
    data[in_file] = value
    if case != "data":
        data[data.rindex(b"PK\x01\x02") + in_directory] = value
    path.write_bytes(data)
    with pytest.raises(InvalidInput, match=r"^file: cannot be read: "):
        read("claude", path)


@pytest.mark.parametrize("long", ['"{}"', '"\\\\{}"', "{}", '{{"a": "{}"}}'])
def test_a_string_of_many_megabytes_is_refused(long: str, tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        chats = json.loads((SAMPLES / "claude.json").read_text())
        text = f"[{json.dumps(chats[0])}, {long.format('1' * (MAX_STRING + 3 * READ_BYTES))}]"
        archive.writestr("conversations.json", text)
    with pytest.raises(
        InvalidInput, match=r"after conversation [01]: has a string or number longer than 10 MB"
    ):
        read("claude", path)


def test_a_string_of_some_megabytes_is_read_in_few_pieces(tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([{"text": "[" * MAX_STRING}, {"text": "x" * MAX_STRING}]))
    with (
        path.open("rb") as file,
        patch.object(LimitedJson, "read", autospec=True, side_effect=LimitedJson.read) as read,
    ):
        assert [len(cast("dict[str, str]", one)["text"]) for one in items_of(file)] == [
            MAX_STRING,
            MAX_STRING,
        ]
    assert read.call_count <= 2 * MAX_STRING / READ_BYTES + 4


def test_a_text_longer_than_a_message_is_divided() -> None:
    text = "\n\n".join(["word " * 3_000] * 5) + "x" * 70_000
    found = list(pieces(text))
    assert max(map(len, found)) <= MAX_MESSAGE_CHARS
    assert "".join("".join(found).split()) == "".join(text.split())


CHATGPT: dict[str, tuple[str, str, str]] = {
    "no list": ("[", "{", "file: is no list of conversations"),
    "cut off": ('"title": "Work"', "", "after conversation 1: is not JSON"),
    "no object": ("[\n", "[\n7,", "conversation 1: is not a JSON object"),
    "no id": (f'"{PORTO}"', '""', "id: must be a string"),
    "mapping": ('"mapping": {', '"mapping": [], "x": {', "mapping: must be an object"),
    "current_node": ('"current_node": "a2"', '"current_node": "a9"', "current_node: is not in the mapping"),
    "no node": ('"current_node": "a2"', '"current_node": ["a2"]', "current_node: is not in the mapping"),
    "circle": ('"parent": null', '"parent": "a2"', "parent: leads in a circle"),
    "parts": ('"parts": [', '"parts": 7, "y": [', "content: parts: must be a list"),
    "time": ("1709373001.5", '"May"', "create_time: must be a time in seconds since 1970"),
    "far": ("1709373001.5", "1e300", "create_time: is out of range"),
    "future": ("1709373001.5", "9709373001.5", "occurred_at: is in the future"),
    "role": ('"role": "user"', '"role": null', "author: role: must be a string"),
}  # fmt: skip
CLAUDE: dict[str, tuple[str, str, str]] = {
    "messages": ('"chat_messages": [', '"chat_messages": {}, "x": [', "chat_messages: must be a list"),
    "sender": ('"human"', '"robot"', "sender: must be one of human, assistant"),
    "time": ("08:00:01.123456Z", "noon", "created_at: must be a time such as"),
    "text": ('"text": "My daughter', '"text": 7, "x": "My daughter', "content: text: must be a string"),
}


EVERYWHERE = ("no id", "parts", "text", "time")
"""Replaced in all places: the first one is not read."""


@pytest.mark.parametrize(
    ("product", "case"), [*(("chatgpt", one) for one in CHATGPT), *(("claude", one) for one in CLAUDE)]
)
def test_bad_input_is_named_with_its_conversation_and_field(product: str, case: str, tmp_path: Path) -> None:
    old, new, problem = {"chatgpt": CHATGPT, "claude": CLAUDE}[product][case]
    text = (SAMPLES / f"{product}.json").read_text()
    assert old in text
    path = tmp_path / "bad.json"
    path.write_text(text.replace(old, new, -1 if case in EVERYWHERE else 1))
    with pytest.raises(InvalidInput) as caught:
        read(product, path)
    told = str(caught.value)
    assert problem in told
    assert re.match(r"(?:after )?conversation \d|file: is no list", told)
    assert case in ("no list", "cut off", "no object", "no id") or re.match(
        r"conversation \d \([0-9a-f-]{36}\): ", told
    )


async def test_chats_are_imported_asked_about_and_erased(memory: Memory) -> None:
    first = await imported(memory, "chatgpt", SAMPLES / "chatgpt.json")
    assert (first["turns"], first["new"], first["messages"]["pending"]) == (6, 6, 0)
    again = await imported(memory, "chatgpt", SAMPLES / "chatgpt.json")
    assert (again["turns"], again["new"]) == (6, 0)
    assert (await imported(memory, "claude", SAMPLES / "claude.json"))["new"] == 5

    facts = {fact.fact for fact in (await memory.list_facts("anna", limit=200)).items}
    whole = " ".join(facts)
    then = await memory.list_facts("anna", as_of=datetime(2024, 3, 10, tzinfo=UTC))
    assert "Porto" in " ".join(fact.fact for fact in then.items), (
        "until the move to Braga, in another product"
    )
    for word in ("walnuts", "Rex", "Tom", "bees", "Braga"):
        assert word in whole
    for word in ("baker", "milk", "eggs", "dust", "stamps", "honey", "grass", "cats", "cello", "hunter2"):
        assert word not in whole, "words of the assistant, of tools, of files or of another branch"
    found = await memory.recall("anna", "Which nuts am I allergic to?", k=1)
    assert "walnuts" in found.items[0].content
    episodes = (await memory.list_memories("anna", limit=200, type="episodic")).items
    (walnuts,) = (one for one in episodes if "walnuts" in one.content)
    assert (walnuts.source, walnuts.conversation_id, walnuts.metadata["imported_from"]) == (
        "import",
        PORTO,
        "chatgpt",
    )
    assert walnuts.metadata["original_id"] == [
        "1c1f7b1e-0a52-4f43-9f0a-3b6b4a6f7d01", "1c1f7b1e-0a52-4f43-9f0a-3b6b4a6f7d03",
    ]  # fmt: skip
    assert f"{walnuts.occurred_at:%Y-%m-%d}" == "2024-03-02"
    assert [one.status for one in episodes if "previous instructions" in one.content] == ["quarantined"]
    assert not any("hunter2" in one.content for one in episodes)

    await memory.erase("anna", conversation_id=PORTO)
    left = {fact.fact for fact in (await memory.list_facts("anna", limit=200)).items}
    assert not re.search("walnuts|Rex", " ".join(left))
    assert left < facts
    kept = (await memory.list_memories("anna", limit=200)).items
    assert not any(one.conversation_id == PORTO for one in kept)
    assert any(one.conversation_id == WORK for one in kept)

    skipped = await imported(memory, "chatgpt", SAMPLES / "chatgpt.json")
    assert (skipped["new"], [(one["kind"], one["id"]) for one in skipped["erased"]]) == (
        0,
        [("conversation", PORTO)],
    )
    for again, new in ((True, 4), (False, 0)):
        brought = await imported(memory, "chatgpt", SAMPLES / "chatgpt.json", again=again)
        assert (brought["new"], brought["erased"] == []) == (new, again)
    assert {fact.fact for fact in (await memory.list_facts("anna", limit=200)).items} == facts


async def test_an_erased_chat_that_goes_on_is_imported_from_its_erasure_on(
    memory: Memory, tmp_path: Path
) -> None:
    await imported(memory, "chatgpt", SAMPLES / "chatgpt.json")
    await memory.erase("anna", conversation_id=PORTO)
    now = datetime.now(UTC)
    later = "I moved to Faro yesterday."
    await memory.add_messages("anna", PORTO, [NewMessage("user", later, id="later", occurred_at=now)])
    chats = json.loads((SAMPLES / "chatgpt.json").read_text())
    nodes = chats[0]["mapping"]
    node = nodes[chats[0]["current_node"]]
    for key, at in (("unknown", node["message"]["create_time"] + 1), ("later", now.timestamp())):
        message = node["message"] | {"id": key, "create_time": at, "author": {"role": "user"}}
        message["content"] = message["content"] | {"parts": [later if key == "later" else "I had a cat."]}
        nodes[key] = {"parent": chats[0]["current_node"], "children": [], "message": message}
        chats[0]["current_node"] = key
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps(chats))
    found = await imported(memory, "chatgpt", path)
    assert (found["new"], [one["id"] for one in found["erased"]]) == (0, [PORTO])
    texts = [one.content for one in (await memory.list_memories("anna", limit=200)).items]
    assert not re.search(r"walnuts|Rex|cat", " ".join(texts))
    nodes["later"]["message"] |= {"id": "latest"}
    path.write_text(json.dumps(chats))
    assert (await imported(memory, "chatgpt", path))["new"] == 1, "dated after the erasure"


async def test_custom_instructions_are_imported_once(memory: Memory, tmp_path: Path) -> None:
    chats = json.loads((SAMPLES / "chatgpt.json").read_text())
    for number, text in enumerate(("I collect stamps.\nDepartment: radiology", "I collect coins.")):
        chat = chats[0] | {"conversation_id": f"c{number}"}
        about = {"about_user_message": text, "about_model_message": "Always answer in German."}
        profile = chat["mapping"]["prof"]["message"] | {"metadata": {"user_context_message_data": about}}
        chat["mapping"] = chat["mapping"] | {"prof": chat["mapping"]["prof"] | {"message": profile}}
        chats.append(chat)
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps(chats[2:]))
    first = await imported(memory, "chatgpt", path)
    assert (first["turns"], first["new"], first["statements"], first["new_statements"]) == (11, 11, 1, 1)
    chats[2]["create_time"] += 1_000  # also the time of the notes
    path.write_text(json.dumps(chats[2:]))
    again = await imported(memory, "chatgpt", path)
    assert (again["turns"], again["new"], again["new_statements"]) == (11, 0, 0)
    facts = {fact.fact: fact for fact in (await memory.list_facts("anna", limit=200)).items}
    assert {"stamps", "coins"} <= set(re.findall("stamps|coins", " ".join(facts)))
    department = facts["Department: radiology"]
    assert (department.agent_id, f"{department.valid_from:%Y-%m-%d}") == ("chatgpt", "2024-03-02")
    assert any("German" in norm.norm for norm in await memory.list_norms("anna"))


def redact_outside(text: str) -> Redacted:
    """As redact, which may take long. Fails within a transaction."""
    assert open_transaction.get() is None
    return redact(text)


async def test_a_conversation_is_stored_as_a_whole_or_not(memory: Memory, admin: Admin) -> None:
    await memory.create_bank("anna")
    await memory.add_messages("anna", "c1", [NewMessage("user", "Before.", id="149")])
    part = Part("c1", [NewMessage("user", f"Message {n}.", id=str(n)) for n in range(150)])
    with pytest.raises(Conflict, match=r"^conversation c1: .*149"):
        await store(memory, "anna", part)
    assert admin.execute("select count(*) from memory.message where bank_id = 'anna'").fetchone() == (1,)
    with patch.object(writes, "redact", side_effect=redact_outside) as redacted:
        await store(memory, "anna", Part("c2", part.messages))
    assert redacted.call_count == 150
    assert admin.execute("select count(*) from memory.message where bank_id = 'anna'").fetchone() == (151,)
