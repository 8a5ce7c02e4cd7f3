"""Security definer functions run without row security: each names the bank beside every table it uses."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.db.test_drift import GOLDEN

FUNCTIONS = Path(__file__).resolve().parents[2] / "db" / "functions"
BANK_TABLES = set(re.findall(r"^(\w+)\.bank_id ", GOLDEN.read_text(), re.MULTILINE))
OVER_ALL_BANKS = {
    "list_banks": "by the patterns of a key; the caller passes them",
    "banks_with_expired_keys": "ids of banks for a worker",
    "banks_with_expired_traces": "ids of banks for a worker",
    "banks_with_expired_sessions": "ids of banks for a worker",
    "list_due_banks": "ids of banks for the nightly run",
    "list_dead_banks": "ids of banks for an operator",
    "list_dead_work": "an operator's list; one bank if it is given",
    "intake_delay": "the longest wait in the whole queue, without ids",
    "reembedding_gauges": "counts and ages over all banks, without ids",
    "queue_gauges": "counts of the whole queue by kind, without ids",
    "queue_stats": "counts of the whole queue; one bank if it is given",
    "claim_work": "a worker takes from all banks",
    "claim_upkeep": "the nightly run takes the banks that are due; one bank if it is given",
    "upkeep_remaining": "counts of the banks that are due",
}
"""Functions that read more than one bank, and why. They return ids, counts and error names, no content."""
KEYWORDS = {
    "as", "where", "set", "on", "using", "join", "left", "cross", "order", "group", "limit", "union", "for", "values",
    "select", "returning", "offset", "loop", "inner", "full", "right",
}  # fmt: skip


def code(text: str) -> str:
    """SQL without comments."""
    return re.sub(r"--[^\n]*", "", text)


def definers() -> dict[str, str]:
    """Name and code of each function that runs as its owner."""
    found = {file.stem: code(file.read_text()) for file in sorted(FUNCTIONS.glob("*/*.sql"))}
    return {name: text for name, text in found.items() if re.search(r"\bsecurity\s+definer\b", text)}


def without_bank(text: str) -> list[str]:
    """The references to tables of banks that no comparison of their bank_id restricts.

    An alias may be used in several queries of a function: it is counted how often.
    """
    missing: list[str] = []
    references: Counter[str] = Counter()
    tables: dict[str, str] = {}
    for match in re.finditer(r"(\S+)\s+memory\.(\w+)((?:\s+as)?\s+(\w+))?(\s*\(\s*(\w+))?", text):
        before, table, _, alias, _, first_column = match.groups()
        if table not in BANK_TABLES:
            continue
        name = table if alias is None or alias in KEYWORDS else alias
        if before == "into":
            if first_column != "bank_id":
                missing.append(f"insert into {table}")
            continue
        references[name] += 1
        tables[name] = table
    for name, count in references.items():
        compared = len(re.findall(rf"\b{name}\.bank_id = |= {name}\.bank_id\b", text))
        if compared < count:
            missing.append(f"{tables[name]} {name}: {count} times, {compared} with its bank")
    return missing


def test_there_are_definers_and_tables() -> None:
    assert len(definers()) > 50
    assert {"message", "work", "upkeep", "memory_vector", "semantic_memory"} <= BANK_TABLES


@pytest.mark.parametrize("name", sorted(definers()))
def test_a_definer_names_the_bank_beside_every_table(name: str) -> None:
    text = definers()[name]
    tables = set(re.findall(r"memory\.(\w+)", text)) & BANK_TABLES
    if name in OVER_ALL_BANKS:
        assert tables
        return
    assert without_bank(text) == []
    if tables:
        assert re.search(r"\bbanks? (text|text\[\])", text), "it has no parameter for the bank"


@pytest.mark.parametrize(
    "statement",
    [
        "select e.summary from memory.episodic_memory e where e.memory_id = memory",
        "select from memory.message m where m.bank_id = bank union select from memory.message m where m.position = 1",
        "update memory.work w set attempts = 0 where w.subject = subject",
        "delete from memory.work where subject = one",
        "insert into memory.person (name, bank_id) values (name, bank)",
        "select from memory.person p join memory.fact_pair as f on f.one_id = one where p.bank_id = bank",
    ],
)
def test_a_table_without_its_bank_is_found(statement: str) -> None:
    assert without_bank(statement) != []


def test_the_exceptions_exist() -> None:
    assert set(OVER_ALL_BANKS) <= set(definers())
