"""A file that is damaged, newer or wrong is refused with the line and the field, and nothing of it is stored."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

import pytest

from memory_service.errors import InvalidInput, NotFound
from memory_service.memory import Memory
from memory_service.transfer import export_bank, import_bank
from memory_service.transfer.bank_file import Digests
from tests.conftest import Admin
from tests.db.steps import Connection
from tests.isolation.victim import fill

Lines = list[dict[str, Any]]


@pytest.fixture
async def lines(memory: Memory, service: Connection) -> Lines:
    """The lines of an export with a row of every table."""
    fill(service, "b")
    file = io.BytesIO()
    await export_bank(memory, "b", file.write)
    return [json.loads(line) for line in file.getvalue().splitlines()]


def encoded(fields: dict[str, Any]) -> bytes:
    return json.dumps(fields).encode() + b"\n"


def sealed(lines: Lines) -> bytes:
    """The lines with a manifest that fits them."""
    digests = Digests()
    table = ""
    for fields in lines[:-1]:
        if "table" in fields:
            table = str(fields["table"])
            digests.begin(table)
        if table and "table" not in fields:
            digests.add_row(table, encoded(fields))
        else:
            digests.add(encoded(fields))
    made = digests.result()
    tables = {name: {"rows": made.rows[name], "sha256": made.hashes[name]} for name in made.rows}
    manifest = {"manifest": tables, "sha256": made.sha256}
    return b"".join(encoded(fields) for fields in (*lines[:-1], manifest))


def place(lines: Lines, table: str, nth: int = 1) -> int:
    """The index of a row of a table."""
    return next(n for n, fields in enumerate(lines) if fields.get("table") == table) + nth


async def refused(memory: Memory, data: bytes, admin: Admin) -> str:
    """The error of an import, after which there is no bank and no row of it."""
    with pytest.raises(InvalidInput) as error:
        await import_bank(memory, "new", io.BytesIO(data))
    with pytest.raises(NotFound):
        await memory.get_bank("new")
    for table in ("episodic_memory", "message", "work", "memory_text", "upkeep"):
        rows = admin.execute(f"select from memory.{table} where bank_id = 'new'".encode()).fetchall()
        assert rows == [], table
    return str(error.value)


def row(table: str, **fields: object) -> Callable[[Lines], object]:
    return lambda lines: lines[place(lines, table)].update(fields)


def header(**fields: object) -> Callable[[Lines], object]:
    return lambda lines: lines[0].update(fields)


CHANGES: dict[str, tuple[Callable[[Lines], object], str]] = {
    "newer version": (header(version=2), "line 1: version: is 2; this release reads up to 1"),
    "other format": (header(format="x"), "line 1: format: must be 'memory-service bank'"),
    "no time": (header(exported_at=None), "line 1: exported_at: is missing"),
    "unknown table": (
        lambda lines: lines.insert(-1, {"table": "api_key", "columns": ["key_id"]}),
        "table: 'api_key' is unknown",
    ),
    "table twice": (lambda lines: lines.insert(-1, lines[1]), "table: bank is not in the order"),
    "unknown column": (
        lambda lines: lines[place(lines, "message", 0)]["columns"].append("colour"),
        "columns: message has no column 'colour'",
    ),
    "unknown field": (row("message", colour="red"), "colour: is not among the columns of message"),
    "missing field": (lambda lines: lines[place(lines, "message")].pop("role"), "role: is missing"),
    "row of another bank": (row("message", bank_id="tom"), "bank_id: is not accepted"),
    "wrong type": (row("message", message_id="seven"), "message_id: invalid input syntax for type uuid"),
    "wrong list": (row("episodic_memory", tags="a"), "tags: "),
    "null": (row("message", content=None), "content: must not be null"),
    "not in the list": (row("episodic_memory", status="happy"), "is refused by episodic_memory_status_check"),
    "NUL": (row("message", content="a\x00b"), "content: has a NUL or half of a surrogate pair"),
    "surrogate": (row("message", metadata={"a": ["\ud800"]}), "metadata: has a NUL or half"),
    "no such fact": (
        row("fact_evidence", fact_id="00000000-0000-0000-0000-000000000009"),
        "is refused by fact_evidence_fact_fkey",
    ),
    "no such thread": (
        row("emotional_thread_episode", thread_id="00000000-0000-0000-0000-000000000009"),
        "emotional_thread_episode: violates emotional_thread_episode_thread_fkey",
    ),
    "unknown setting": (row("bank", settings={"mood": 1}), "settings.mood: unknown setting"),
    "row twice": (
        lambda lines: lines.insert(place(lines, "episodic_memory"), lines[place(lines, "episodic_memory")]),
        "is refused by episodic_memory_",
    ),
    "row of no table": (lambda lines: lines.insert(1, {"a": 1}), "line 2: table: is missing"),
    "no bank": (lambda lines: [lines.pop(1), lines.pop(1)], "table: conversation is not in the order"),
    "two banks": (lambda lines: lines.insert(2, lines[2]), "line 4: table: bank has more than one row"),
}


@pytest.mark.parametrize("name", CHANGES)
async def test_a_wrong_line_is_named(memory: Memory, admin: Admin, lines: Lines, name: str) -> None:
    change, expected = CHANGES[name]
    change(lines)
    assert expected in await refused(memory, sealed(lines), admin)


async def test_the_line_of_a_wrong_row_is_its_number(memory: Memory, admin: Admin, lines: Lines) -> None:
    number = place(lines, "episodic_memory", 2)
    lines[number]["importance"] = "high"
    error = await refused(memory, sealed(lines), admin)
    assert error.startswith(f"line {number + 1}: importance: ")


async def test_damage_is_found(memory: Memory, admin: Admin, lines: Lines) -> None:
    whole = sealed(lines)
    changed = whole.replace(b"zqxbirdo", b"zqxbirda", 1)
    assert "manifest." in await refused(memory, changed, admin)
    lines_of = whole.splitlines(keepends=True)
    assert "manifest: is missing" in await refused(memory, b"".join(lines_of[:-1]), admin)
    assert "has no end: the file is cut off" in await refused(memory, whole[:-20], admin)
    assert "is after the manifest" in await refused(memory, whole + b"{}\n", admin)
    assert "is not JSON in UTF-8" in await refused(memory, whole.replace(b'"', b"'", 1), admin)
    assert "is not JSON in UTF-8" in await refused(memory, b"\xff\n" + whole, admin)
    assert "is not a JSON object" in await refused(memory, b"[]\n" + whole, admin)
    assert "the file is empty" in await refused(memory, b"", admin)
    message = place(lines, "message")
    without = b"".join(lines_of[:message] + lines_of[message + 1 :])
    assert "manifest.message: is not that of its rows" in await refused(memory, without, admin)
    header = whole.replace(b'"bank_id": "b"', b'"bank_id": "c"', 1)
    assert "sha256: is not that of the lines before" in await refused(memory, header, admin)


async def test_an_older_file_without_a_column_gets_its_default(memory: Memory, lines: Lines) -> None:
    start = place(lines, "episodic_memory", 0)
    lines[start]["columns"].remove("tags")
    for fields in lines[start + 1 :]:
        if "table" in fields:
            break
        del fields["tags"]
    await import_bank(memory, "new", io.BytesIO(sealed(lines)))
    assert (await memory.list_memories("new")).items[0].tags == ()
