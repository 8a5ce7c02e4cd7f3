"""The pages of a bank with a life in it: links, data, acts, and the calls that do the same."""

from __future__ import annotations

import csv
import io
import re
import subprocess
from html import unescape
from urllib.parse import urlsplit
from uuid import UUID

import httpx
import psycopg
import pytest

from memory_service.memory import Memory
from memory_service.results import Clarification
from memory_service.ui.items import MOST
from memory_service.ui.rendering import MENU
from tests.client.served import served
from tests.ui.crawl import crawl
from tests.ui.life import BANK, contradict

Admin = psycopg.Connection[tuple[object, ...]]
HERE = f"/ui/banks/{BANK}"
CODE = re.compile(r"<code>(.*?)</code>", re.DOTALL)


async def test_every_link_leads_to_a_page(life: Memory, http: httpx.AsyncClient) -> None:
    """Also of data, which has the same content as its page."""
    found = await crawl(http, "/ui")
    assert {address: one.status_code for address, one in found.items() if one.status_code != 200} == {}
    paths = {urlsplit(address).path for address in found}
    assert {f"{HERE}/{entry.path}" for group in MENU for entry in group.entries} <= paths
    facts = (await life.list_facts(BANK)).items
    assert {f"{HERE}/facts/{one.memory_id}" for one in facts} <= paths
    for one in facts:
        assert one.fact in unescape(found[f"{HERE}/facts/{one.memory_id}"].text)
    episodes = {one.memory_id: one for one in (await life.list_memories(BANK, type="episodic")).items}
    linked = [
        (one, episodes[other]) for one in episodes.values() for other in one.links[:MOST] if other in episodes
    ]
    assert linked
    for one, other in linked:
        page = unescape(found[f"{HERE}/memories/{one.memory_id}"].text)
        assert other.content in page.partition(">Linked memories")[2]
    data = [address for address in found if ".json" in address]
    assert len(data) > len(facts)
    for address in data:
        assert found[address].json()


async def test_the_overview_answers_who_this_is(life: Memory, http: httpx.AsyncClient) -> None:
    page = unescape((await http.get(f"{HERE}/overview")).text)
    for text in (
        "<h1>Anna</h1>", "Anna is allergic to walnuts.", "Every Sunday I call my mother", "Which of the two is right",
        "All messages are decided.",
    ):  # fmt: skip
        assert text in page, text
    data = (await http.get(f"{HERE}/overview.json")).json()
    assert data["subject"] == "Anna"
    assert data["stats"]["memories"]["quarantined"] == 1


async def test_facts_at_a_time(life: Memory, http: httpx.AsyncClient) -> None:
    """A date, a time without zone, and no time at all."""
    now = (await http.get(f"{HERE}/facts.json")).json()["facts"]["items"]
    then = (await http.get(f"{HERE}/facts.json", params={"as_of": "2020-01-01T00:00"})).json()["facts"][
        "items"
    ]
    assert (len(now) > 5, then) == (True, [])
    assert (
        "No fact matches at this time."
        in (await http.get(f"{HERE}/facts", params={"as_of": "2020-01-01"})).text
    )
    refused = await http.get(f"{HERE}/facts", params={"as_of": "soon"})
    assert (refused.status_code, "as_of: must be a time" in refused.text) == (422, True)
    rows = list(csv.DictReader(io.StringIO((await http.get(f"{HERE}/facts.csv")).text)))
    assert [row["memory_id"] for row in rows] == [one["memory_id"] for one in now]


async def test_pages_of_a_list_lead_to_each_other(memory: Memory, http: httpx.AsyncClient) -> None:
    await memory.create_bank(BANK)
    for number in range(35):
        await memory.recall(BANK, f"question {number}?")
    await memory.flush()
    first = await http.get(f"{HERE}/why")
    (next_page,) = re.findall(r'rel="next" href="([^"]+)"', first.text)
    second = await http.get(unescape(next_page))
    assert ("question 34?" in first.text, "question 0?" in first.text) == (True, False)
    assert ("question 0?" in second.text, 'rel="next"' in second.text) == (True, False)


async def test_a_read_shows_its_candidates(life: Memory, http: httpx.AsyncClient) -> None:
    (trace,) = [one for one in (await life.list_traces(BANK)).items if one.query == "Where do I live?"]
    page = unescape((await http.get(f"{HERE}/why/{trace.trace_id}")).text)
    full = await life.get_trace(BANK, trace.trace_id)
    assert full.candidates
    for one in full.candidates:
        assert (one.dropped or one.reason.replace("_", " ")) in page
        assert f"{HERE}/memories/{one.memory_id}" in page
    assert page.count('<svg class="score"') == len(full.candidates)


@pytest.mark.one_server("compares all tables of the bank's server")
async def test_a_preview_is_the_context_and_stores_nothing(
    life: Memory, http: httpx.AsyncClient, admin: Admin
) -> None:
    message = "Which cake shall I bake, with walnuts?"
    before = contents(admin)
    page = await http.get(f"{HERE}/try.json", params={"message": message})
    shown = await http.get(f"{HERE}/try", params={"message": message})
    await life.flush()
    assert contents(admin) == before
    real = await life.context(BANK, message)
    await life.flush()
    assert contents(admin) != before
    data = page.json()
    assert data["context"]["text"] == real.text
    assert real.text in unescape(shown.text)
    trace = await life.get_trace(BANK, real.trace_id)
    keys = ("memory_id", "score", "dropped", "content")
    assert [[one[key] for key in keys] for one in data["trace"]["candidates"]] == [
        [str(one.memory_id), pytest.approx(one.score, abs=1e-3), one.dropped, one.content]
        for one in trace.candidates
    ]


def contents(admin: Admin) -> dict[str, object]:
    """The rows of every table of the schema, as one hash each."""
    tables = admin.execute(
        "select table_name from information_schema.tables where table_schema = 'memory'"
    ).fetchall()
    return {
        str(name): admin.execute(
            f"select count(*), md5(string_agg(t::text, '' order by t::text)) from memory.{name} t".encode()
        ).fetchone()
        for (name,) in tables
        if name not in ("metric", "installation")
    }


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        ("confirm", "confirmed"), ("dispute", "disputed"), ("retract", "retracted"), ("pin", "pinned"),
        ("unpin", "unpinned"),
    ],
)  # fmt: skip
async def test_acts_on_a_fact(memory: Memory, http: httpx.AsyncClient, act: str, reason: str) -> None:
    await memory.create_bank(BANK)
    fact = (await memory.remember(BANK, "Anna lives in Porto.", type="semantic")).memory_id
    if act == "unpin":
        await memory.pin_fact(BANK, fact)
    answer = await http.post(f"{HERE}/facts/{fact}/{act}")
    assert (answer.status_code, answer.headers["location"]) == (303, f"{HERE}/facts/{fact}?act={act}")
    assert (await memory.fact_history(BANK, fact)).items[-1].reason == reason
    assert f"Done: {act}." in (await http.get(answer.headers["location"])).text
    assert "Done" not in (await http.get(f"{HERE}/facts/{fact}?act=<b>")).text


async def asked(memory: Memory) -> Clarification:
    """The open question of a new bank."""
    await memory.create_bank(BANK)
    await contradict(memory, BANK)
    (question,) = (await memory.list_clarifications(BANK)).items
    return question


@pytest.mark.parametrize("kept", ["older", "newer", "both"])
async def test_a_question_is_answered(memory: Memory, http: httpx.AsyncClient, kept: str) -> None:
    question = await asked(memory)
    older, newer = (one.memory_id for one in question.facts)
    keep = {"older": str(older), "newer": str(newer), "both": "both"}[kept]
    assert f'name="keep" value="{keep}"' in (await http.get(f"{HERE}/questions")).text
    path = f"{HERE}/questions/{question.clarification_id}/answer"
    answer = await http.post(path, data={"keep": keep})
    assert answer.headers["location"] == f"{HERE}/questions?act=answer"
    assert "No question is open" in (await http.get(answer.headers["location"])).text
    (done,) = (await memory.list_clarifications(BANK, statuses=["answered"])).items
    assert str(done.keep) == keep
    assert "kept" in (await http.get(f"{HERE}/questions?status=answered")).text
    again = await http.post(path, data={"keep": str(older) if kept != "older" else "both"})
    assert again.status_code == 409


async def test_a_form_that_is_none_is_refused(memory: Memory, http: httpx.AsyncClient) -> None:
    question = await asked(memory)
    path = f"{HERE}/questions/{question.clarification_id}/answer"
    assert (await http.post(path, json={"keep": "both"})).status_code == 415
    assert (await http.post(path, data={"keep": "neither"})).status_code == 422
    assert (await http.post(path, data={"keep": str(UUID(int=1))})).status_code == 422
    assert (await http.post(path, data={"keep": "x" * 2_000_000})).status_code == 413
    assert (await http.post(path, content=b"keep=%ff", headers=FORM)).status_code == 422
    assert (await memory.list_clarifications(BANK)).items == (question,)


FORM = {"content-type": "application/x-www-form-urlencoded"}


async def test_the_shown_commands_do_the_same(memory: Memory, http: httpx.AsyncClient, admin: Admin) -> None:
    """Each curl in a shell, and each statement as the owner."""
    question = await asked(memory)
    fact = (await memory.remember(BANK, "Anna's dog is called 'Pico' \\ \"Pi\".", type="semantic")).memory_id
    shown = CODE.findall((await http.get(f"{HERE}/facts/{fact}")).text)
    commands = [unescape(one) for one in shown if one.startswith(("curl", "select"))]
    answers = CODE.findall((await http.get(f"{HERE}/questions")).text)
    (by_curl, by_sql) = (unescape(one) for one in answers if one.startswith(("curl", "select")))
    assert len(commands) == 10
    async with served(memory) as address:
        for command in (*sorted(commands, key=lambda one: "retract" in one), by_curl):
            if command.startswith("curl"):
                await shell(command, address)
            else:
                admin.execute(command.encode())
    history = (await memory.fact_history(BANK, fact)).items
    assert [one.reason for one in history[1:]] == [
        "confirmed", "confirmed", "disputed", "disputed", "pinned", "unpinned", "retracted",
    ]  # fmt: skip
    (done,) = (await memory.list_clarifications(BANK, statuses=["answered"])).items
    assert done.keep == question.facts[-1].memory_id
    (row,) = admin.execute(by_sql.encode()).fetchall()
    assert str(done.clarification_id) in str(row)


async def shell(command: str, address: str) -> None:
    import asyncio

    def run() -> str:
        environment = {"MEMORY_URL": address, "MEMORY_API_KEY": "", "PATH": "/usr/bin:/bin"}
        return subprocess.run(
            ["/bin/sh", "-c", command], env=environment, capture_output=True, text=True, check=True
        ).stdout

    answer = await asyncio.to_thread(run)
    assert '"memory_id"' in answer or '"clarification_id"' in answer, answer


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("/ui/none", "There is no such page."),
        (f"{HERE}/facts?as_of=x", "as_of: must be a time such as 2026-03-01T09:30:00Z."),
        ("/ui/banks/nobody/facts", "bank_id: there is no such bank; create it with POST /v1/banks."),
    ],
)
async def test_an_error_is_a_sentence(memory: Memory, http: httpx.AsyncClient, path: str, text: str) -> None:
    await memory.create_bank(BANK)
    page = (await http.get(path)).text
    assert f"<p>{text}</p>" in page
    assert (f'href="{HERE}/overview">This bank<' in page) == ("as_of" in path)
