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
    answer = await http.post(f"{HERE}/{norm_id}/correct", data={"norm": "wants long answers"})
    page = unescape((await http.get(answer.headers["location"])).text)
    assert ("<del>short</del>" in page, "<ins>long</ins>" in page) == (True, True)
    assert (await memory.get_norm(BANK, norm_id)).norm == "wants long answers"
    assert (await http.post(f"{HERE}/{norm_id}/correct", data={"norm": " "})).status_code == 422


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
