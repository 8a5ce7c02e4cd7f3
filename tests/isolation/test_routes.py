"""Every HTTP route with the key of one bank and ids of another: answered as if the other bank did not exist."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar, cast

import httpx
import pytest
from fastapi import APIRouter, FastAPI
from starlette.routing import Route
from structlog.testing import capture_logs

from memory_service.api import reads
from memory_service.memory import Memory
from memory_service.metrics import COUNTED, GAUGES
from memory_service.store.database import Database, open_transaction
from tests.conftest import Admin
from tests.db.steps import Connection
from tests.isolation.http_bank import BODIES, OTHER_BODIES, HttpBank, fill_bank, filled, names_for, routes
from tests.isolation.route_walk import Client, HttpAnswer, Request, Sent, places
from tests.isolation.rows import UUID, Id, digests_of, ids_of, install, one_of_each, rows_of
from tests.support.shared_app import bearer, own_client

pytestmark = [
    pytest.mark.one_server("its schema and its two banks are in one database"),
    pytest.mark.own_database,
]

T = TypeVar("T")
WORD = "zqxbirdo"
OWN, THEIRS = "ownbank", f"{WORD}bank"
WITHOUT_BANK = {
    "/v1/banks": "lists the banks of the key",
    "/v1/dead-letters": "needs a key for all banks",
    "/v1/redrive": "needs a key for all banks",
    "/healthz": "the state of the process",
    "/readyz": "the state of the service, without ids",
}
UNDOCUMENTED = {
    "/openapi.json": "the same for everybody",
    "/docs": "the same for everybody",
    "/metrics": "needs a key for all banks; test_metrics.py",
}
WALKED_ELSEWHERE = {
    "/mcp/{bank_id}": "takes POST only; tests/mcp/test_mcp_access.py",
    **dict.fromkeys(
        (
            "/.well-known/oauth-protected-resource",
            "/.well-known/oauth-protected-resource/mcp/{bank_id}",
        ),
        "404 without an OAuth issuer, never reads a bank; tests/mcp/test_mcp_oauth.py",
    ),
}
PAGES = "/ui"
"""The pages are walked by tests/ui/test_page_sessions.py."""
LABELS = {
    "route": "a route of the service, or `other`",
    "method": "a method of HTTP, or `other`",
    "status": "a status of HTTP",
    "reason": "why a key was refused: REFUSALS",
    "server": "a name that an operator gave to a server of banks",
    **dict.fromkeys(("operation", "stage", "lane", "kind", "pass"), "a name in the code"),
    **dict.fromkeys(("gate", "verdict", "outcome", "purpose", "direction"), "a name in the code"),
}
"""Labels of metrics, and the meaning of their values."""
LISTS = (
    "memories", "traces", "decisions", "dead-letters", "changes", "facts", "clarifications", "procedures",
    "emotional-thread/history", "sessions", "erasures",
)  # fmt: skip
PARTS = 4
"""Parts of the routes, each walked in a separate test, so that they can run in several processes."""


@dataclass(frozen=True, slots=True)
class Banks:
    http: httpx.AsyncClient
    client: Client
    own: HttpBank
    theirs: HttpBank
    foreign: list[Id]
    """Of the other bank, also cursors and ETags."""


def never(_: object) -> bool:
    return False


@pytest.fixture
async def banks(
    memory: Memory, service: Connection, admin: Admin, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Banks]:
    install(admin)
    own = await fill_bank(memory, service, admin, OWN, "sparrow")
    theirs = await fill_bank(memory, service, admin, THEIRS, WORD)
    in_transaction = Database.in_transaction

    async def joined(database: Database, call: Callable[[], Awaitable[T]], *, bank: str | None = None) -> T:
        """A request with an idempotency key runs in the transaction that the walk rolls back."""
        return await (in_transaction(database, call, bank=bank) if open_transaction.get() is None else call())

    run_within, turn = Database._run_within, asyncio.Lock()  # pyright: ignore[reportPrivateUsage]

    async def in_turn(*arguments: Any) -> Any:
        """Serialize the concurrent statements of a context, which would use several connections."""
        async with turn:
            return await run_within(*arguments)

    async with own_client(memory) as http:
        foreign = one_of_each(
            one for one in ids_of(admin, THEIRS) if one.type == "uuid" or WORD in str(one.value)
        )
        foreign += [Id(name, "text", f"{WORD}{name}") for name in ("tag", "agent", "friend", "")]
        foreign += [Id("bank", "bank", THEIRS), *[one async for one in cursors_and_etags(http, theirs)]]
        monkeypatch.setattr(Database, "in_transaction", joined)
        monkeypatch.setattr(Database, "_run_within", in_turn)
        # Ids become older between two requests; whether one is recent is read from the id alone.
        monkeypatch.setattr(reads, "is_recent", never)
        monkeypatch.setattr(memory.trace_writer, "record", ignore)  # it writes in other transactions
        before = rows_of(admin, OWN)
        known = {*UUID.findall(f"{before} {rows_of(admin, THEIRS)}")}
        client = Client(http, memory, own.key, OWN, THEIRS, known, before)
        yield Banks(http, client, own, theirs, foreign)


def ignore(bank_id: str, trace: object) -> None:
    """Records no trace."""


async def cursors_and_etags(http: httpx.AsyncClient, theirs: HttpBank) -> AsyncIterator[Id]:
    """The cursors of the lists of the other bank, and the ETags of its bank, memory and fact."""
    base = f"/v1/banks/{THEIRS}"
    memory, fact = f"/memories/{theirs.names['memory_id']}", f"/facts/{theirs.names['fact_id']}"
    procedure = f"/procedures/{theirs.names['procedure_id']}"
    session = f"/sessions/{theirs.names['session_id']}"
    lists = (
        *(f"/{name}" for name in LISTS),
        f"{fact}/history",
        f"{procedure}/history",
        f"{session}/checkpoints",
    )
    for path in lists:
        page = (await http.get(base + path, params={"limit": 1}, headers=bearer(theirs.key))).json()
        if page["next_cursor"] is not None:
            yield Id(f"cursor of {path}", "cursor", page["next_cursor"])
    for path in ("", memory, fact):
        answer = await http.get(base + path, headers=bearer(theirs.key))
        yield Id(f"ETag of {path}", "etag", answer.headers["etag"])


@dataclass(frozen=True, slots=True)
class Sending:
    described: str
    request: Request
    group: object
    """Equal for requests that are alike but for an id or text of the other bank."""
    value: str = ""
    """The id or text."""


def requests_with(
    banks: Banks, method: str, path: str, call: dict[str, Any], schemas: Any
) -> Iterator[Sending]:
    """The route's request for one's own bank, also with each id and text of the other bank, and with all of its ids."""
    names, theirs = names_for(path, banks.own.names), names_for(path, banks.theirs.names)
    for body in (BODIES.get((method, path)), *OTHER_BODIES.get((method, path), ())):
        request = Request(method, path.format(**names), body=filled(body, names))
        yield Sending("its own ids", request, object())
        for place, types, put in places(request, path, names, call, schemas):
            # A list refuses the cursors of others: each cursor is sent.
            groups = {type_: object() for type_ in types if type_ != "cursor"}
            for one in banks.foreign:
                if one.type in types:
                    value = str(one.value)
                    group = groups.get(one.type, object())
                    yield Sending(f"{place} = {one.column}", put(value), group, value)
        for bank in (OWN, THEIRS):
            every = theirs | {"bank_id": bank}
            changed = replace(request, path=path.format(**every), body=filled(body, every))
            yield Sending(f"all ids, in {bank}", changed, object())


async def sent_twice(client: Client, sendings: Sequence[Sending]) -> tuple[list[HttpAnswer], list[Sent]]:
    """The answers without the other bank, and those beside it. Without it the requests of a group should be
    answered alike: the first is sent, and those whose answers beside the bank differ in more than the value."""
    firsts = {one.group: one for one in reversed(sendings)}
    stated = await client.send([one.request for one in firsts.values()], alone=True)
    by_group = {group: answer for group, (answer, _) in zip(firsts, stated, strict=True)}
    beside = await client.send([one.request for one in sendings])
    alone = [by_group[one.group].naming(one.value, firsts[one.group].value) for one in sendings]
    unlike = [
        n
        for n, (answer, _) in enumerate(beside)
        if answer != alone[n] and sendings[n] is not firsts[sendings[n].group]
    ]
    again = await client.send([sendings[n].request for n in unlike], alone=True)
    for n, (answer, _) in zip(unlike, again, strict=True):
        alone[n] = answer
    return alone, beside


@pytest.mark.parametrize("part", range(PARTS))
async def test_another_bank_is_as_one_that_does_not_exist(
    banks: Banks, admin: Admin, subtests: pytest.Subtests, part: int
) -> None:
    schemas = (await banks.http.get("/openapi.json")).json()["components"]["schemas"]
    before = digests_of(admin, THEIRS)
    assert {one.type for one in banks.foreign} >= {"uuid", "text", "bank", "cursor", "etag"}
    with capture_logs() as logs:
        for method, path, call in (await routes(banks.http))[part::PARTS]:
            with subtests.test(f"{method} {path}"):
                assert "requestBody" not in call or (method, path) in BODIES
                assert "{bank_id}" in path or path in WITHOUT_BANK
                leaks: list[str] = []
                found = [*requests_with(banks, method, path, call, schemas)]
                alone, beside = await sent_twice(banks.client, found)
                for one, expected, (answer, after) in zip(found, alone, beside, strict=True):
                    assert one.described != "its own ids" or answer.status < 404, answer
                    if answer != expected:
                        leaks.append(f"{one.described}: {answer}, else {expected}"[:3_000])
                    if any(digest != before.get(table) for table, digest in after.items()):
                        leaks.append(f"{one.described}: changed the other bank")
                    if THEIRS in one.request.path and answer.status != 404:
                        leaks.append(f"{one.described}: {answer.status}")
                assert leaks == []
    assert WORD not in str(logs)


def paths_of(found: Sequence[object]) -> Iterator[str]:
    """The paths of an application's routes, also of its routers."""
    for one in found:
        router: APIRouter | None = getattr(one, "original_router", None)
        if router is None:
            yield cast("Route", one).path
        else:
            yield from paths_of(router.routes)


async def test_pages_and_metrics_of_the_service_show_no_bank(banks: Banks, memory: Memory) -> None:
    """Routes outside the OpenAPI document, after requests of both banks with and without success."""
    app = cast("FastAPI", cast("httpx.ASGITransport", banks.http._transport).app)  # pyright: ignore[reportPrivateUsage]
    documented = {path for _, path, _ in await routes(banks.http)}
    found = {path for path in paths_of(app.routes) if not path.startswith(PAGES)}
    assert found == documented | UNDOCUMENTED.keys() | WALKED_ELSEWHERE.keys()
    for key in (banks.own.key, banks.theirs.key):
        for path in (f"/v1/banks/{THEIRS}/stats", f"/v1/banks/{THEIRS}/memories/{WORD}", f"/{WORD}"):
            await banks.http.get(path, headers=bearer(key))
    assert (await banks.http.get("/metrics", headers=bearer(banks.own.key))).status_code == 403
    operator = await memory.create_key("admin", ["*"])
    for path in UNDOCUMENTED:
        answer = await banks.http.get(path, headers=bearer(operator))
        assert answer.status_code == 200
        for shown in (WORD, OWN, THEIRS):
            assert shown not in answer.text, path
        assert path != "/metrics" or not UUID.search(answer.text)
    assert {label for metric in (*COUNTED, *GAUGES) for label in metric.labels} == LABELS.keys()
