"""The public SQL API, memory_api: its signatures are those of public_functions.txt, and the store calls them so."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from memory_service.db.migrate import API_VERSION

Admin = psycopg.Connection[tuple[Any, ...]]

GOLDEN = Path(__file__).with_name("public_functions.txt")
STORE = Path(__file__).resolve().parents[2] / "memory_service" / "store"
RENEW = "RENEW_GOLDEN=1 python -m pytest -n 0 tests/db/test_public_functions.py"
CALLS = ("rows", "row", "value", "_records", "_found", "_banks", "_commit")

SIGNATURES = """
select p.proname || '(' || pg_get_function_arguments(p.oid) || ') -> ' || pg_get_function_result(p.oid)
  from pg_proc p
 where p.pronamespace = 'memory_api'::regnamespace
 order by 1
"""
ARGUMENTS = """
select p.proname, p.proargnames[1:p.pronargs], p.pronargs - p.pronargdefaults
  from pg_proc p
 where p.pronamespace = 'memory_api'::regnamespace
"""
"""The input parameters of each function, which come first in our files, and how many of them have no default."""


@pytest.mark.changes_nothing
def test_signatures_are_those_of_the_golden_file(admin: Admin) -> None:
    """The golden file is what another release may call: a change shows in the diff, beside API_VERSION."""
    signatures = [str(row[0]) for row in admin.execute(SIGNATURES.encode())]
    found = "\n".join([f"API_VERSION {API_VERSION}", *signatures, ""])
    if os.environ.get("RENEW_GOLDEN"):
        GOLDEN.write_text(found)
    assert found == GOLDEN.read_text(), (
        "a public SQL signature or API_VERSION changed. Raise API_VERSION in db/migrate.py if an older release can no "
        f"longer call the functions and the present version was released; then renew the golden file: {RENEW}"
    )


@pytest.mark.changes_nothing
def test_the_store_names_the_arguments_of_each_call(admin: Admin) -> None:
    """Each call gives all parameters without a default and no unknown ones; `at` may come from `**at_time(...)`."""
    parameters = {
        name: (list[str](names or ()), int(required))
        for name, names, required in admin.execute(ARGUMENTS.encode())
    }
    calls = list(function_calls())
    assert len(calls) > 140
    for place, function, given in calls:
        names, required = parameters[function]
        assert set(given) <= set(names), f"{place}: {function} has no parameter {set(given) - set(names)}"
        missing = set(names[:required]) - set(given)
        assert not missing, f"{place}: {function} lacks {missing}"


def function_calls() -> Iterator[tuple[str, str, list[str]]]:
    """Each call of a function of memory_api in the store, by Database or Area: where it stands, the function, its
    arguments."""
    for file in STORE.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                continue
            named = [
                arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)
            ]
            if node.func.attr not in CALLS or not named:
                continue
            function = named[-1]
            assert function.startswith("memory_api."), f"{file.name}:{node.lineno}"
            given = [word.arg.removesuffix("_") for word in node.keywords if word.arg]
            if node.func.attr == "_commit":
                given += ["bank", "decision"]
            options = {"select", "urgent"}
            yield (
                f"{file.name}:{node.lineno}",
                function.removeprefix("memory_api."),
                [name for name in given if name not in options],
            )
