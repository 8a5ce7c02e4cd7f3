"""Export of a bank: one snapshot, row by row."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from memory_service import __version__
from memory_service.memory import Memory
from memory_service.store.transfer import EXPORTED, VECTOR_TABLES
from memory_service.transfer.bank_file import ExportedBank, FileWriter, Header
from memory_service.validation import check_bank_id


async def export_bank(
    memory: Memory, bank_id: str, write: Callable[[bytes], object], *, vectors: bool = True
) -> ExportedBank:
    """Pass the lines of an export of a bank to `write`, one by one; returns the manifest.

    All rows are of one snapshot; others write meanwhile. Without `vectors` an import embeds again. Errors: NotFound.

        with open("anna.jsonl", "xb") as file:
            await export_bank(memory, "anna", file.write)
    """
    async with memory.store.transfer.reading(check_bank_id(bank_id)) as bank:
        file = FileWriter(write)
        file.header(Header(bank_id, datetime.now(UTC), __version__, bank.embedding_model, vectors=vectors))
        for table in EXPORTED:
            if vectors or table not in VECTOR_TABLES:
                file.table(table, await bank.columns(table))
                async for row in bank.rows(table):
                    file.row(table, row)
        return file.manifest()
