"""Answers of a view: a page, or the same data as JSON or CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from http import HTTPStatus
from typing import Any, cast
from urllib.parse import quote, urlencode

from fastapi import Request, Response
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined

from memory_service import __version__
from memory_service.keys import Grant
from memory_service.server.json_response import json_answer
from memory_service.server.problems import printable, problem
from memory_service.ui.text import FILTERS, as_json

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""First characters that a spreadsheet would take for a formula."""


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of a view for CSV."""

    columns: Sequence[str]
    rows: Iterable[Sequence[object]]


def table_of(columns: Sequence[str], items: Iterable[object]) -> Table:
    """A row for each item: its fields with the names of the columns."""
    return Table(columns, ([getattr(one, name) for name in columns] for one in items))


@dataclass(frozen=True, slots=True)
class MenuEntry:
    name: str

    @property
    def path(self) -> str:
        """The last part of the page's address."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class MenuGroup:
    name: str
    entries: tuple[MenuEntry, ...]


def menu_group(name: str, *entries: str) -> MenuGroup:
    return MenuGroup(name, tuple(map(MenuEntry, entries)))


MENU = (
    menu_group("memory", "Overview", "Facts", "Norms", "Questions", "Timeline", "Map"),
    menu_group("intake", "Decisions", "Quarantine", "Forget"),
    menu_group("reads", "Why", "Try"),
    menu_group("cost", "Spend"),
)
"""The pages of a bank, in the order of the menu."""
SERVICE_MENU = menu_group("service", "Health", "Nights", "Keys", "Audit")
"""The pages of the whole service."""


@cache
def environment() -> Environment:
    from memory_service.ui.assets import address_of

    made = Environment(
        loader=PackageLoader("memory_service.ui"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    made.filters.update(FILTERS)
    of_all_pages: dict[str, Any] = {
        "asset": address_of,
        "link": link,
        "menu": MENU,
        "service_menu": SERVICE_MENU,
        "version": __version__,
    }
    made.globals.update(of_all_pages)
    return made


def sees_service(grant: Grant | None) -> bool:
    """Whether the pages of the whole service are open to a key; None: no key is needed."""
    return grant is None or (grant.allows("admin") and grant.covers_all)


def link(*parts: object, **query: object) -> str:
    """The address of a page: its quoted parts, and the parameters that are set."""
    path = "/ui" + "".join(f"/{quote(str(part), safe=':@')}" for part in parts)
    given = {name: str(value) for name, value in query.items() if value not in (None, "")}
    return f"{path}?{urlencode(given)}" if given else path


def suffix_of(request: Request) -> str:
    """The format that the address asks for: "json", "csv", or "" for a page."""
    path = str(getattr(request.scope.get("route"), "path", ""))
    return next((suffix for suffix in ("json", "csv") if path.endswith(f".{suffix}")), "")


def is_page(request: Request) -> bool:
    return not suffix_of(request)


def shown(
    request: Request, template: str, data: Mapping[str, Any], table: Table | None = None, **of_page: Any
) -> Response:
    """The answer of a view: `data` as JSON, `table` as CSV, or a page of both `data` and `of_page`."""
    match suffix_of(request):
        case "json":
            return json_answer(dict(data))
        case "csv" if table is not None:
            return csv_answer(table)
        case _:
            return page(request, template, {**data, **of_page})


def page(request: Request, template: str, values: Mapping[str, Any], status: int = HTTPStatus.OK) -> Response:
    """A page; the frame of all pages shows the bank and the signed-in key."""
    text = (
        environment()
        .get_template(template)
        .render(
            grant=getattr(request.state, "grant", None),
            bank_id=request.path_params.get("bank_id"),
            place=request.url.path,
            query=request.url.query,
            now=datetime.now(UTC),
            sees_service=sees_service(getattr(request.state, "grant", None)),
            **values,
        )
    )
    return HTMLResponse(printable(text), status)


def csv_answer(table: Table) -> Response:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(table.columns)
    writer.writerows([cell(value) for value in row] for row in table.rows)
    return Response(printable(out.getvalue()), media_type="text/csv; charset=utf-8")


def cell(value: object) -> object:
    """A value for CSV. Text that a spreadsheet would run as a formula begins with an apostrophe."""
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, (list, tuple, dict)):
        return as_json(cast("object", value))
    if isinstance(value, str) and value.startswith(FORMULA):
        return f"'{value}"
    return value


def error_answer(request: Request, status: int, detail: str) -> Response:
    """An error as a page, or as a problem document."""
    if not is_page(request):
        return problem(status, detail)
    values = {"title": HTTPStatus(status).phrase, "status": int(status), "detail": detail}
    return page(request, "error.html", values, status)
