"""Requests in transactions that are rolled back, with the rows of another bank and without them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import httpx

from memory_service.memory import Memory
from memory_service.store.database import open_transaction
from tests.isolation.arguments import leaves, put_at
from tests.isolation.function_walk import changes, known_ids
from tests.isolation.rows import UUID
from tests.support.shared_app import bearer

VARYING = re.compile(
    r"\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)|\d+\.\d+(?:e-?\d+)?|\beyJ[\w.-]+|(?<=\")[0-9a-f]{16}(?=\")|(?<=\"xid\": )\d+"
)
"""Times, durations, figures that decay, access tokens, ETags, and numbers of transactions."""
NOT_COMPARED = {"x-request-id", "date", "content-length", "etag"}
"""Headers that differ between equal requests; ETags cover times."""


@dataclass(frozen=True, slots=True)
class Request:
    method: str
    path: str
    """With the values of its parameters."""
    query: Mapping[str, str] = field(default_factory=dict[str, str])
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    body: Any = None


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    status: int
    headers: str
    text: str
    changes: tuple[str, ...]
    """The rows of the caller's bank that it added and removed."""

    def naming(self, value: str, former: str) -> HttpAnswer:
        """The answer with a value in place of another."""
        if value == former:
            return self
        changes = (row.replace(former, value) for row in self.changes)
        return replace(self, text=self.text.replace(former, value), changes=tuple(sorted(changes)))


Sent = tuple[HttpAnswer, dict[str, str | None]]


class RolledBack(Exception):
    """Ends the transaction of requests."""


@dataclass(frozen=True, slots=True)
class Client:
    """Sends requests with the key of `bank` and rolls back what they write."""

    http: httpx.AsyncClient
    memory: Memory
    key: str
    bank: str
    other: str
    """The other bank."""
    known: set[str]
    """The ids in both banks."""
    before: list[tuple[str, str]]
    """Table and content of the caller's rows."""

    async def send(self, requests: Sequence[Request], *, alone: bool = False) -> list[Sent]:
        """The answer to each request, and digests of the other bank's rows in the tables that it wrote to.

        `alone`: without that bank. All run in one transaction, since taking a bank out costs more than a request.
        """
        found: list[Sent] = []
        if not requests:
            return found

        async def call() -> None:
            if alone:
                await self.memory.store.database.query("select isolation.take_out($1)", self.other)
            found.extend([await self.sent(request) for request in requests])
            raise RolledBack

        with suppress(RolledBack):
            await self.memory.store.database.in_transaction(call)
        return found

    async def sent(self, request: Request) -> Sent:
        """The answer to a request in a savepoint, which is rolled back. It wrote to no table if a statement failed."""
        database, transaction = self.memory.store.database, open_transaction.get()
        assert transaction is not None
        await transaction.connection.execute("savepoint request")
        await database.query("select isolation.set_sequences(1000000)")
        ((counters,),) = await database.query("select isolation.counters()")
        answer = await self.http.request(
            request.method, request.path, params=request.query, json=request.body,
            headers={**request.headers, **bearer(self.key)},
        )  # fmt: skip
        written, after, digests = set[str](), set[str](), dict[str, str]()
        if not transaction.failed:
            ((tables,),) = await database.query("select isolation.written($1)", counters)
            written.update(tables)
            contents = await database.query("select * from isolation.rows_of($1, $2)", self.bank, tables)
            after.update(f"{one[0]} {one[1]}" for one in contents)
            totals = await database.query("select * from isolation.digests_of($1, $2)", self.other, tables)
            digests.update((one[0], one[1]) for one in totals)
        await transaction.connection.execute("rollback to savepoint request")
        transaction.failed = False
        transaction.after_commit.clear()
        former = {f"{table} {content}" for table, content in self.before if table in written}
        headers = str({name: one for name, one in answer.headers.items() if name not in NOT_COMPARED})
        changed = tuple(sorted(VARYING.sub("#", row) for row in changes(former, after, self.known)))
        text = VARYING.sub("#", known_ids(answer.text, self.known))
        read = {table: digests.get(table) for table in written}
        return HttpAnswer(answer.status_code, headers, text, changed), read


Place = tuple[str, tuple[str, ...], Callable[[str], Request]]
"""A place of a request, the types of ids for it, and the request with another value there."""


def places(
    request: Request, template: str, names: Mapping[str, str], call: dict[str, Any], schemas: dict[str, Any]
) -> Iterator[Place]:
    """Each place of an id or text in a request, also of parameters and fields that it omits.

    `template`: the route's path; `names`: the values of its parameters; `call`, `schemas`: its description.
    """
    for parameter in call.get("parameters", ()):
        name, schema = parameter["name"], parameter["schema"]
        if parameter["in"] == "path":
            types = ("bank",) if name == "bank_id" else types_of(schema)
            yield name, types, in_path(request, template, names, name)
        elif parameter["in"] == "query" and has_text(schema):
            yield name, ("cursor",) if name == "cursor" else types_of(schema), in_query(request, name)
        elif parameter["in"] == "header":
            yield name, ("etag",) if name.startswith("If-") else ("text",), in_headers(request, name)
    if request.body is None:
        return
    for path, text in leaves(request.body):
        types = ("uuid", "text") if UUID.fullmatch(text) else ("bank", "text")
        yield f"body{path}", types, in_body(request, path)
    for name, schema in fields(call["requestBody"]["content"]["application/json"]["schema"], schemas):
        if name not in request.body and has_text(schema):
            several = any(one.get("type") == "array" for one in shapes(schema))
            yield f"body {name}", types_of(schema), in_field(request, name, several=several)


def in_path(request: Request, template: str, names: Mapping[str, str], name: str) -> Callable[[str], Request]:
    return lambda new: replace(request, path=template.format(**{**names, name: new}))


def in_query(request: Request, name: str) -> Callable[[str], Request]:
    return lambda new: replace(request, query={name: new})


def in_headers(request: Request, name: str) -> Callable[[str], Request]:
    return lambda new: replace(request, headers={name: new})


def in_body(request: Request, path: tuple[object, ...]) -> Callable[[str], Request]:
    return lambda new: replace(request, body=put_at(request.body, path, new))


def in_field(request: Request, name: str, *, several: bool) -> Callable[[str], Request]:
    return lambda new: replace(request, body={**request.body, name: [new] if several else new})


def shapes(schema: dict[str, Any]) -> list[dict[str, Any]]:
    return schema.get("anyOf", [schema])


def types_of(schema: dict[str, Any]) -> tuple[str, ...]:
    """The types of ids for a text."""
    ids = any("uuid" in (one.get("format"), one.get("items", {}).get("format")) for one in shapes(schema))
    return ("uuid",) if ids else ("uuid", "text")


def has_text(schema: dict[str, Any]) -> bool:
    return any(one.get("type") in ("string", "array") for one in shapes(schema))


def fields(schema: dict[str, Any], schemas: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The fields of a body."""
    (reference,) = [str(one["$ref"]) for one in shapes(schema) if "$ref" in one]
    return list(schemas[reference.rpartition("/")[2]]["properties"].items())
