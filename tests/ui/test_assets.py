"""Vendored files, the size of the first page, and the headers of answers."""

from __future__ import annotations

import hashlib
import re

import httpx
import pytest

from memory_service.ui.assets import FOLDER, all_assets
from tests.ui.crawl import parsed

MOST_BYTES = 150_000
ROW = re.compile(r"^\| `([^`]+)` \| .*`([0-9a-f]{64})` \|$", re.MULTILINE)
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'"
)


def test_vendored_files_are_those_of_their_table() -> None:
    folder = FOLDER / "vendor"
    stated = dict(ROW.findall((folder / "README.md").read_text()))
    present = {
        file.name: hashlib.sha256(file.read_bytes()).hexdigest()
        for file in folder.iterdir()
        if file.suffix in (".js", ".css")
    }
    assert present == stated


@pytest.mark.changes_nothing
async def test_the_first_page_is_small(http: httpx.AsyncClient) -> None:
    """Of its bytes over the wire: the page and all that it loads."""
    page = await http.get("/ui")
    loaded = {one for one in parsed(page.text).addresses if one.startswith("/ui/static")}
    assert len(loaded) == len(all_assets())
    sizes = {"/ui": wire_bytes(page)}
    for address in sorted(loaded):
        answer = await http.get(address)
        assert answer.status_code == 200
        assert "immutable" in answer.headers["cache-control"]
        sizes[address] = wire_bytes(answer)
    print(sizes)
    assert sum(sizes.values()) <= MOST_BYTES


def wire_bytes(answer: httpx.Response) -> int:
    return int(answer.headers.get("content-length") or answer.num_bytes_downloaded)


@pytest.mark.changes_nothing
@pytest.mark.parametrize(
    "path", ["/ui", "/ui/banks.json", "/ui/banks.csv", "/ui/sign-in", "/ui/none", "/ui?x=1"]
)
async def test_every_answer_has_the_policy(http: httpx.AsyncClient, path: str) -> None:
    answer = await http.get(path)
    assert answer.headers["content-security-policy"].startswith(POLICY)
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["referrer-policy"] == "same-origin"


@pytest.mark.changes_nothing
async def test_no_page_has_inline_script_or_style(http: httpx.AsyncClient) -> None:
    for path in ("/ui", "/ui/sign-in", "/ui/none"):
        for tag, attributes in parsed((await http.get(path)).text).elements:
            assert tag != "style"
            assert tag != "script" or "src" in attributes
            assert not {name for name in attributes if name.startswith("on") or name == "style"}


@pytest.mark.changes_nothing
async def test_unknown_files_and_pages_are_not_found(http: httpx.AsyncClient) -> None:
    for path in ("/ui/static/none.js", "/ui/static/..%2fpages.py", "/ui/none", "/ui/banks/anna/none"):
        answer = await http.get(path)
        assert answer.status_code == 404
        assert "text/html" in answer.headers["content-type"]
