"""Appends to a session and makes a checkpoint of it, in one transaction, until it is killed."""

from __future__ import annotations

import asyncio
import sys

from memory_service.memory import Memory


async def main(bank_id: str, session_id: str) -> None:
    async with await Memory.open(migrated=False) as memory:

        async def step() -> None:
            session = await memory.get_session(bank_id, session_id)
            await memory.update_session(
                bank_id, session_id, session.version, append={"log": ["a line of the log " * 20]}
            )
            await memory.create_checkpoint(bank_id, session_id)

        while True:
            await memory.store.database.in_transaction(step, bank=bank_id)
            print("written", flush=True)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
