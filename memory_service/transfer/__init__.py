"""Export of a bank as JSON lines or Markdown, and import into another bank, database or release (docs/export.md)."""

from __future__ import annotations

from memory_service.transfer.bank_export import export_bank
from memory_service.transfer.bank_file import ExportedBank
from memory_service.transfer.bank_import import ImportedBank, import_bank
from memory_service.transfer.markdown_export import ReadableExport, export_markdown

__all__ = ["ExportedBank", "ImportedBank", "ReadableExport", "export_bank", "export_markdown", "import_bank"]
