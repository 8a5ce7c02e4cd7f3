"""Each query of docs/sql.md answers from the data of a real bank, as superuser and under row security."""

from __future__ import annotations

import re
import uuid
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest

from memory_service.config import Settings
from memory_service.connect import SERVICE_ROLE, driver_url, service_password
from memory_service.db.analysts import grant_analyst, revoke_analyst
from memory_service.jobs.nightly import PASSES
from memory_service.jobs.report import Report
from memory_service.jobs.runner import NightlyRun, RunOptions
from memory_service.memory import Memory
from memory_service.requests import NewMessage
from memory_service.sql_query import query_banks
from tests.conftest import Admin, settle
from tests.db import steps
from tests.docs import views_section

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "sql.md").read_text()
CONNECTING, QUESTIONS = PAGE.split("\n## Questions\n")
QUERIES = re.findall(r"\n### ([^\n]+\?)\n.*?```sql\n(.*?)```", QUESTIONS, re.DOTALL)
MESSAGES = (
    "I live in Porto.", "Hello!", "I moved to Lisbon yesterday.", "My birthday is May 1.", "My birthday is June 2.",
    "Please remember that I am allergic to walnuts.",
)  # fmt: skip


def test_the_columns_of_the_views_are_those_of_their_comments() -> None:
    assert views_section.page() == PAGE, "run `make docs`"


@pytest.fixture
async def bank(memory: Memory, admin: Admin) -> None:
    """A bank that was spoken to, read and processed by a nightly run."""
    await memory.create_bank("anna")
    for day, content in enumerate(MESSAGES, 1):
        said = NewMessage("user", content, occurred_at=datetime(2026, 3, day, tzinfo=UTC))
        await memory.add_messages("anna", f"c{day}", [said])
    await settle(memory, "anna")
    await memory.recall("anna", "Where do I live?")
    await memory.flush()
    with admin.transaction():
        steps.rows(
            admin, "begin_model_call", bank="anna", model="a-model", purpose="extract", items=1, input_tokens=9,
            output_tokens=1,
        )  # fmt: skip
    options = RunOptions(datetime.now(UTC), "anna")
    assert await NightlyRun(memory, PASSES, options, Report()).run() == 0


async def test_each_query_answers(bank: None, settings: Settings, admin: Admin) -> None:
    assert len(QUERIES) == PAGE.count("```sql") - 1
    for question, query in QUERIES:
        assert admin.execute(query.encode()).fetchall(), question
        with admin.transaction():
            admin.execute(f"set local role {SERVICE_ROLE}".encode())
            assert admin.execute(query.encode()).fetchall() == [], f"{question} without a bank"
            admin.execute("set local memory.bank_id = 'anna'")
            assert admin.execute(query.encode()).fetchall(), f"{question} under row security"


async def test_each_query_answers_an_analyst(
    bank: None, settings: Settings, admin: Admin, database_url: str
) -> None:
    login = driver_url(database_url, SERVICE_ROLE, service_password(database_url, settings))
    name = f"analyst_{uuid.uuid4().hex[:8]}"
    grant_analyst(database_url, name, ["anna"], create=True)
    try:
        for question, query in QUERIES:
            rows = admin.execute(query.encode()).rowcount
            assert len(query_banks(login, query, ["anna"], seconds=60).rows) == rows, question
            with admin.transaction():
                admin.execute(f"set local role {name}".encode())
                assert admin.execute(query.encode()).rowcount == rows, f"{question} as an analyst"
    finally:
        revoke_analyst(database_url, name)
        admin.execute(f"drop role {name}".encode())


def test_every_view_and_column_has_a_comment(admin: Admin) -> None:
    undocumented = admin.execute(
        "select c.relname, a.attname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 "
        "where c.relnamespace = 'analytics'::regnamespace and c.relkind = 'v' "
        "and (col_description(c.oid, a.attnum) is null or obj_description(c.oid, 'pg_class') is null)"
    ).fetchall()
    assert undocumented == []


async def test_the_first_example_answers(bank: None, database_url: str) -> None:
    (example,) = re.findall(r"```sql\n(.*?)```", CONNECTING, re.DOTALL)
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(f"set role {SERVICE_ROLE}".encode())
        answers = [connection.execute(one.encode()) for one in example.split(";") if one.strip()]
        assert [answer.rowcount for answer in answers if answer.description] == [5]
