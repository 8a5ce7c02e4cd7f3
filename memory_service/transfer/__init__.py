"""Export of a bank as JSON lines, and import into another bank, database or release (docs/export.md)."""

from __future__ import annotations

from memory_service.transfer.bank_export import export_bank
from memory_service.transfer.bank_file import ExportedBank
from memory_service.transfer.bank_import import ImportedBank, import_bank

__all__ = ["ExportedBank", "ImportedBank", "export_bank", "import_bank"]
