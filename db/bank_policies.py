"""Row security policies of a table with `bank_id`, for numbered migrations. Released migrations call it: the policies
that it makes do not change."""

from __future__ import annotations

from collections.abc import Callable, Sequence

SOURCES = {
    "analyst": "(select g.banks from memory.analyst_grant g where g.role_name = current_user)",
    "reader": "(select unnest(nullif(current_setting('memory.banks', true), '')::text[]))",
}
"""Where each reading role's banks and prefixes come from. Uncorrelated: evaluated once per query."""


def secure_tables(execute: Callable[[str], object], tables: Sequence[str]) -> None:
    """Enable row security on tables of schema `memory`: the service role reads and writes the bank of its transaction,
    analysts and readers read the banks that are granted or named."""
    for table in tables:
        execute(f"alter table memory.{table} enable row level security")
        execute(
            f"create policy {table}_of_named_bank on memory.{table} to memory_service "
            "using (bank_id = nullif(current_setting('memory.bank_id', true), ''))"
        )
        for role, source in SOURCES.items():
            prefixes = f"select left(s.banks, -1) from {source} as s (banks) where right(s.banks, 1) = '*'"  # noqa: S608
            execute(
                f"create policy {table}_of_{role} on memory.{table} for select to memory_{role} "
                f"using (bank_id = any (array{source}) or bank_id ^@ any (array({prefixes})))"
            )
