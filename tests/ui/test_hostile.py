"""Hostile text in every field of a bank: the pages have the same elements as with harmless text."""

from __future__ import annotations

import csv
import io
from typing import Any

import httpx
import psycopg
import pytest
from playwright.async_api import Browser, Request

from memory_service.memory import Memory
from memory_service.ui.rendering import cell
from memory_service.ui.text import visible
from tests.client.served import served
from tests.isolation.victim import fill
from tests.ui.crawl import crawl, parsed

Connection = psycopg.Connection[Any]
HARMLESS = "zqxbirdo"
HOSTILE = (
    "zqxbirdo <script>document.title='owned'</script><img src=//evil.example/x onerror=document.title='owned'>"
    "\" autofocus onfocus=document.title='owned' hx-get='/ui/sign-out' hx-trigger=load x=\" "
    "' hx-post='/ui/sign-out' </title></textarea></pre><hx-partial hx-target=body>owned</hx-partial>"
    "<a href=javascript:document.title='owned'>a</a> javascript:alert(1) {{ 7*7 }} {% raw %} ${7*7} &lt;b&gt; "
    "\u202eevil\u2066 </svg><style>*{display:none}</style><iframe srcdoc=x></iframe> =cmd|'/c calc'!A1"
)
Element = tuple[str, tuple[str, ...]]
DIFFERENCES: set[Element] = {("ins", ()), ("del", ()), ("bdi", ("class", "dir"))}
"""Marks of words that differ between two wordings: one word has none."""
STARTS = ("/ui/banks/b/try?message=zqxbirdo",)


async def pages_of(http: httpx.AsyncClient) -> dict[str, httpx.Response]:
    """All pages of the bank b, without its ids in their addresses."""
    return await crawl(http, "/ui/banks/b/overview", *STARTS)


def elements(found: dict[str, httpx.Response]) -> set[Element]:
    """The kinds of elements of all pages: the name, and the names of the attributes."""
    pages = (one for one in found.values() if "text/html" in one.headers["content-type"])
    return {element for one in pages for element in parsed(one.text).elements}


@pytest.mark.parametrize("text", [HOSTILE, HOSTILE[:180]], ids=["all", "cut"])
async def test_hostile_text_adds_no_element(
    service: Connection, memory: Memory, http: httpx.AsyncClient, text: str
) -> None:
    fill(service, text=text)
    hostile = await pages_of(http)
    assert len(hostile) > 15
    seen = 0
    for address, one in hostile.items():
        assert one.status_code == 200, (address, one.text)
        if "text/html" not in one.headers["content-type"]:
            continue
        page = parsed(one.text)
        seen += any("<script>document.title" in text for text in page.texts)
        tags = {tag for tag, _ in page.elements}
        assert not tags & {"iframe", "style", "hx-partial", "object", "embed", "base"}, address
        for tag, attributes in page.elements:
            assert tag not in ("script", "img") or "src" in attributes
            assert {name for name in attributes if name.startswith("hx-")} <= {
                "hx-boost",
                "hx-boost:inherited",
            }
            assert not {
                name
                for name in attributes
                if name.startswith("on") or name in ("autofocus", "style", "srcdoc")
            }
        for link in page.addresses:
            assert link.startswith(("/ui", "/docs", "#")), link
        assert "\u202e" not in one.text
    assert seen > 5


async def test_pages_have_the_elements_of_harmless_ones(
    service: Connection, memory: Memory, http: httpx.AsyncClient
) -> None:
    fill(service, text=HARMLESS)
    harmless = elements(await pages_of(http))
    await memory.erase_bank("b")
    fill(service, text=HOSTILE)
    assert elements(await pages_of(http)) - DIFFERENCES == harmless - DIFFERENCES


async def test_hostile_text_runs_nothing_in_a_browser(
    service: Connection, memory: Memory, http: httpx.AsyncClient, browser: Browser
) -> None:
    """No request but those of pages and their files, no message of the policy, no changed title."""
    fill(service, text=HOSTILE)
    addresses = [
        address
        for address, one in (await pages_of(http)).items()
        if "text/html" in one.headers["content-type"]
    ]
    requests: list[Request] = []
    problems: list[str] = []
    async with served(memory) as base:
        page = await browser.new_page()
        page.on("request", lambda request: requests.append(request))
        page.on("console", lambda message: problems.append(message.text))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("dialog", lambda dialog: problems.append(dialog.message))
        for address in addresses:
            await page.goto(base + address, wait_until="networkidle")
            assert (await page.title()).endswith("Memory service")
        assert problems == []
        assert {request.method for request in requests} == {"GET"}
        loaded = {request.url.removeprefix(base).partition("?")[0] for request in requests}
        assert {one for one in loaded if not one.startswith("/ui/static/")} <= {
            address.partition("?")[0] for address in addresses
        }


def test_reordering_characters_are_made_visible() -> None:
    assert visible("a\u202eb\u2066c\u200fd\x00") == "a⟨U+202E⟩b⟨U+2066⟩c⟨U+200F⟩d⟨U+0000⟩"


def test_hidden_characters_are_made_visible() -> None:
    """A reviewer of the quarantine sees a command in tags; emoji and scripts keep their joiners."""
    assert visible("tea\U000e0065\u200b\u2060\ufeff") == "tea⟨U+E0065⟩⟨U+200B⟩⟨U+2060⟩⟨U+FEFF⟩"
    assert visible("tea\ufe00\ufe0e\u2800") == "tea⟨U+FE00⟩⟨U+FE0E⟩⟨U+2800⟩"
    for text in ("🧗🏽\u200d♀️", "می\u200cخواهم", "a\nb\tc", "ελληνικά"):
        assert visible(text) == text


async def test_a_table_for_spreadsheets_has_no_formula(memory: Memory, http: httpx.AsyncClient) -> None:
    await memory.create_bank("b")
    stated = {
        f"{text} is what {name} says."
        for name, text in zip(
            ("Anna", "Bob", "Eve", "Ida", "Kim"),
            ('=HYPERLINK("http://evil.example","x")', "@SUM(A1)", "+1", "-2+3", "＝1+1"),
            strict=True,
        )
    }
    for text in stated:
        await memory.remember("b", text, type="semantic")
    rows = csv.DictReader(io.StringIO((await http.get("/ui/banks/b/facts.csv")).text))
    assert {row["fact"] for row in rows} == {f"'{text}" for text in stated}


def test_cells_of_lists_are_json() -> None:
    assert (cell(["home:*"]), cell({"at": None}), cell("\n=1"), cell(-2.5)) == (
        '["home:*"]',
        '{"at":null}',
        "'\n=1",
        -2.5,
    )
