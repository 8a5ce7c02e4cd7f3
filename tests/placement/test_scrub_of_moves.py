"""A scrub of all servers, also of one that a bank was moved away from."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import patch

import pytest

from memory_service.config import Settings
from memory_service.connect import SERVICE_ROLE, driver_url, service_password
from memory_service.erasure.scrub import scrub
from memory_service.jobs.all_servers import run_passes
from memory_service.jobs.report import JsonLines, Report
from memory_service.jobs.runner import DONE, FAILED, RunOptions
from memory_service.memory import Memory
from memory_service.placement import move
from memory_service.placement.connections import Connection
from memory_service.placement.move import move_bank
from memory_service.requests import NewMessage
from memory_service.store.servers import HOME
from tests.conftest import Admin
from tests.erasure.scan import files_with, tables_with
from tests.placement.conftest import SECOND, names_on

REASONS = {
    "unsuitable": (
        SECOND,
        "a change of the map of servers needs an administrator's DATABASE_URL, as `migrate` does",
    ),
    "unexpected": (SECOND, "UndefinedColumn"),
    "moving": (HOME, "bank: another process is moving it"),
}


async def test_a_scrub_reaches_the_rows_of_a_former_server(
    memory: Memory, two_servers: Settings, admin: Admin, second: Admin
) -> None:
    """A bank that was moved is erased on its new server; its former one has the deleted rows in its files."""
    (bank,) = names_on(memory, HOME, 1)
    nonce = "zanzibarwalnuts"
    folders = [data_folder(one) for one in (admin, second)]
    await memory.create_bank(bank)
    await memory.add_messages(bank, "c", [NewMessage("user", f"I like {nonce}.")])
    await asyncio.to_thread(move_bank, two_servers, bank, SECOND, "ann")
    receipt = await memory.erase_bank(bank)
    for one in (admin, second):
        for statement in ("vacuum", "checkpoint"):
            one.execute(statement.encode())
    assert all(files_with(folder, nonce) for folder in folders)  # the control
    done = await asyncio.to_thread(scrub, two_servers)
    assert done.erasure_ids == (receipt.erasure_id,)
    assert [files_with(folder, nonce) for folder in folders] == [[], []]
    assert {copy.place for copy in done.outside} >= {"home: backups", f"{SECOND}: backups"}
    again = await asyncio.to_thread(scrub, two_servers)
    assert again.tables == 0


@pytest.mark.parametrize("unfinished", ["delete_former_rows", "wait_for_transactions"])
@pytest.mark.parametrize("by", ["command", "night"])
async def test_a_scrub_reaches_the_rows_that_an_interrupted_move_left(
    memory: Memory, two_servers: Settings, admin: Admin, second: Admin, unfinished: str, by: str
) -> None:
    """The map names the new server, where the bank is erased; the rows on the former one were not deleted."""
    (bank,) = names_on(memory, HOME, 1)
    nonce = "zanzibarfigs"
    await memory.create_bank(bank)
    await memory.add_messages(bank, "c", [NewMessage("user", f"I like {nonce}.")])
    real = getattr(move, unfinished)

    def dying(connection: Connection, *given: str) -> None:
        if (unfinished, calls) == ("wait_for_transactions", []):
            calls.append(real(connection))
        else:
            raise KeyboardInterrupt

    calls: list[None] = []
    with patch.object(move, unfinished, dying), pytest.raises(KeyboardInterrupt):
        await asyncio.to_thread(move_bank, two_servers, bank, SECOND, "ann")
    await memory.erase_bank(bank)
    assert tables_with(admin, nonce) == {"message"}
    if by == "command":
        await asyncio.to_thread(scrub, two_servers)
    else:
        options = RunOptions(datetime.now(UTC))
        assert await run_passes(two_servers, (), options, Report, alone=False, scrubs=True) == 0
    assert tables_with(admin, nonce) == set()
    for one in (admin, second):
        assert files_with(data_folder(one), nonce) == []
    assert [receipt.status for receipt in (await memory.list_erasures(bank)).items] == ["scrubbed"]


@pytest.mark.parametrize("cause", ["unsuitable", "unexpected", "moving"])
async def test_a_night_reports_why_it_does_not_scrub(
    memory: Memory,
    two_servers: Settings,
    admin: Admin,
    second: Admin,
    second_url: str,
    capsys: pytest.CaptureFixture[str],
    cause: str,
) -> None:
    """The passes run, and former rows on other servers are deleted."""
    (bank,), (there,) = names_on(memory, HOME, 1), names_on(memory, SECOND, 1)
    await memory.create_bank(bank)
    await memory.add_messages(bank, "c", [NewMessage("user", "I like figs.")])
    await memory.erase_bank(bank)
    for one, *fence in ((admin, there, SECOND), (second, bank, HOME)):
        one.execute("insert into memory.bank_fence (bank, target) values (%s, %s)", fence)
    if cause == "unsuitable":
        login = driver_url(second_url, SERVICE_ROLE, service_password(second_url, two_servers))
        admin.execute("update memory.server set url = %s where server_id = %s", (login, SECOND))
        admin.execute("update memory.server_map set version = version + 1")
    elif cause == "unexpected":
        second.execute("alter table memory.bank_fence rename column moved to gone")
    else:
        admin.execute("select pg_advisory_lock(hashtextextended('memory.move_bank ' || %s, 0))", (there,))
    options = RunOptions(datetime.now(UTC))
    with patch.object(move, "LOCK_SECONDS", 1):
        code = await run_passes(two_servers, (), options, JsonLines, alone=False, scrubs=True)
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines() if line.startswith("{")]
    assert [(line["event"], line["server"], line.get("reason")) for line in lines] == [
        ("not_scrubbed", *REASONS[cause]), ("summary", HOME, None), ("summary", SECOND, None),
    ]  # fmt: skip
    assert code == (FAILED if cause == "unexpected" else DONE)
    other = second if cause == "moving" else admin
    assert other.execute("select moved from memory.bank_fence").fetchall() == [(True,)]
    assert [one.status for one in (await memory.list_erasures(bank)).items] == ["unreachable"]


def data_folder(admin: Admin) -> Path:
    (row,) = admin.execute("show data_directory").fetchall()
    return Path(str(row[0]))
