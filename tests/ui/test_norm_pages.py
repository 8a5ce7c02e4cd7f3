"""Norms on pages: the list, one norm with its versions, and judgements that can be undone."""

from __future__ import annotations

import re
from html import unescape
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest

from memory_service.memory import Memory
from tests.client.served import served
from tests.ui.life import BANK
from tests.ui.test_curation import signed_in
from tests.ui.test_pages import shell

Admin = psycopg.Connection[tuple[Any, ...]]
HERE = f"/ui/banks/{BANK}/norms"
WORDING = "wants short answers"


@pytest.fixture
async def norm_id(memory: Memory) -> UUID:
    """A norm of a new bank."""
    await memory.create_bank(BANK, {"subject": "Anna"})
    stated = await memory.put_relational(
        BANK, [{"kind": "instruction", "norm": WORDING, "situation": "about code"}]
    )
    return stated.norms[0].memory_id


async def test_a_norm_leads_from_the_overview_to_its_episode(life: Memory, http: httpx.AsyncClient) -> None:
    (norm,) = [one for one in await life.list_norms(BANK) if one.kind == "sensitivity"]
    for page in (f"/ui/banks/{BANK}/overview", HERE):
        text = (await http.get(page)).text
        assert f'href="{HERE}/{norm.memory_id}"' in text
    shown = unescape((await http.get(f"{HERE}/{norm.memory_id}")).text)
    assert "please never mention my divorce" in shown
    assert "conversation kitchen-table" in shown
    assert (await http.get(f"{HERE}.json")).json()["norms"][0]["memory_id"]
    assert "sensitivity" in (await http.get(f"{HERE}.csv")).text


async def test_a_norm_is_removed_and_restored(memory: Memory, http: httpx.AsyncClient, norm_id: UUID) -> None:
    answer = await http.post(f"{HERE}/{norm_id}/remove")
    assert (answer.status_code, answer.headers["location"]) == (303, f"{HERE}/{norm_id}?act=remove")
    assert "No context shows it any more" in (await http.get(answer.headers["location"])).text
    assert (await memory.relational(BANK)).instructions == ()
    assert WORDING not in (await http.get(HERE)).text
    assert "not in force" in (await http.get(f"{HERE}?state=all")).text
    again = await http.post(f"{HERE}/{norm_id}/confirm")
    assert "It is in force." in (await http.get(again.headers["location"])).text
    assert (await memory.relational(BANK)).instructions == (WORDING,)


async def test_another_wording_is_a_new_version(
    memory: Memory, http: httpx.AsyncClient, norm_id: UUID
) -> None:
    answer = await correct(http, norm_id, "wants long answers")
    page = unescape((await http.get(answer.headers["location"])).text)
    assert ("<del>short</del>" in page, "<ins>long</ins>" in page) == (True, True)
    assert (await memory.get_norm(BANK, norm_id)).norm == "wants long answers"
    assert (await correct(http, norm_id, " ")).status_code == 422


async def correct(http: httpx.AsyncClient, norm_id: UUID, wording: str) -> httpx.Response:
    """The answer to another wording, sent by the form of the norm's page."""
    page = (await http.get(f"{HERE}/{norm_id}")).text
    (version,) = re.findall(r'name="version" value="(\d+)"', page)
    return await http.post(f"{HERE}/{norm_id}/correct", data={"norm": wording, "version": version})


@pytest.mark.parametrize(
    ("wording", "meanwhile", "status", "problem"),
    [
        ("short " * 100, None, 422, "The text is 599 characters long; at most 500 are accepted."),
        ("wants long answers", "wants no answers", 412, "It was changed meanwhile and now reads: wants no answers "),
        ("wants long answers", "remove", 409, "The norm is not in force."),
    ],
)  # fmt: skip
async def test_a_refused_wording_stays_in_the_form(
    memory: Memory,
    http: httpx.AsyncClient,
    norm_id: UUID,
    wording: str,
    meanwhile: str | None,
    status: int,
    problem: str,
) -> None:
    read = await memory.get_norm(BANK, norm_id)
    if meanwhile == "remove":
        await memory.remove_norm(BANK, norm_id)
    elif meanwhile is not None:
        await memory.correct_norm(BANK, norm_id, norm=meanwhile)
    before = await memory.get_norm(BANK, norm_id)
    answer = await http.post(
        f"{HERE}/{norm_id}/correct", data={"norm": wording, "version": str(read.version)}
    )
    assert answer.status_code == status
    assert f"{wording.strip()}</textarea>" in answer.text
    assert f'role="alert">{problem}' in unescape(answer.text)
    assert f'name="version" value="{before.version}"' in answer.text
    assert await memory.get_norm(BANK, norm_id) == before


async def test_a_form_says_that_marks_are_saved(
    memory: Memory, http: httpx.AsyncClient, norm_id: UUID
) -> None:
    note = "saving keeps the marks in their place"
    assert note not in (await http.get(f"{HERE}/{norm_id}")).text
    await memory.correct_norm(BANK, norm_id, norm="wants\u200b answers")
    page = (await http.get(f"{HERE}/{norm_id}")).text
    assert "wants⟨U+200B⟩ answers</textarea>" in page
    assert note in page


async def test_a_read_key_judges_no_norm(memory: Memory, http: httpx.AsyncClient, norm_id: UUID) -> None:
    await signed_in(http, await memory.create_key("read", [BANK]))
    assert "It is wrong" not in (await http.get(f"{HERE}/{norm_id}")).text
    assert (await http.post(f"{HERE}/{norm_id}/remove")).status_code == 403
    assert (await memory.relational(BANK)).instructions == (WORDING,)


async def test_the_commands_of_a_norm_do_the_same(
    memory: Memory, http: httpx.AsyncClient, admin: Admin, norm_id: UUID
) -> None:
    await memory.unpin_norm(BANK, norm_id)
    page = (await http.get(f"{HERE}/{norm_id}")).text
    commands = [unescape(one) for one in re.findall(r"<code>((?:curl|select).*?)</code>", page, re.DOTALL)]
    assert len(commands) == 10
    async with served(memory) as address:
        for command in sorted(commands, key=lambda one: "remove" in one):
            if command.startswith("curl"):
                await shell(command, address)
            else:
                admin.execute(command.encode())
    reasons = [one.reason for one in await memory.norm_history(BANK, norm_id)]
    assert reasons[2:] == [
        "confirmed", "confirmed", "pinned", "unpinned", "corrected", "corrected", "removed",
    ]  # fmt: skip
