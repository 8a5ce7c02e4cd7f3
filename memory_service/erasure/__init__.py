"""Overwriting of erased data: tables, indexes, statistics and WAL (docs/erasure.md)."""
