"""A scrub of all servers, also of one that a bank was moved away from."""

from __future__ import annotations

import asyncio
from pathlib import Path

from memory_service.config import Settings
from memory_service.erasure.scrub import scrub
from memory_service.memory import Memory
from memory_service.placement.move import move_bank
from memory_service.requests import NewMessage
from memory_service.store.servers import HOME
from tests.conftest import Admin
from tests.erasure.scan import files_with
from tests.placement.conftest import SECOND, names_on


async def test_a_scrub_reaches_the_rows_of_a_former_server(
    memory: Memory, two_servers: Settings, admin: Admin, second: Admin
) -> None:
    """A bank that was moved is erased on its new server; its former one has the deleted rows in its files."""
    (bank,) = names_on(memory, HOME, 1)
    nonce = "zanzibarwalnuts"
    folders = [
        Path(str(row[0])) for one in (admin, second) for row in one.execute("show data_directory").fetchall()
    ]
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
