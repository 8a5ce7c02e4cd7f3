"""A connection that repeats the calls of memory_api which pass through it, in savepoints, with and without other banks.

Other banks exist within the savepoints only: FULL with a row in every table, EMPTY with settings alone, and TWIN with
the rows and ids of the caller's bank. Repeated are

- the call, without and beside TWIN;
- the call, also with each of its ids and texts in turn replaced by each one of FULL, beside and without FULL;
- the call in the name of EMPTY, with all of its ids, beside and without the bank that they belong to;
- the call in the name of FULL, also with each of the ids of FULL, without and beside TWIN.

Both calls of each pair must have the same answer and leave the same rows in the caller's bank, and the second must not
change any row of the other bank.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import psycopg

from tests.db.steps import Connection
from tests.isolation.arguments import Arguments, places, shape
from tests.isolation.rows import UUID, Id, digests_of, rows_of

FULL, EMPTY, TWIN = "fullbank", "emptybank", "twinbank"
CALL = re.compile(rb"(?:from|select) memory_api\.(\w+)\(")
Rows = list[tuple[str, str]]
"""Table and content of each."""
CALLS_WITH_EACH_ID = 2
"""In a function's own smoke; other calls are repeated with their own ids only."""


@dataclass(frozen=True, slots=True)
class Call:
    described: str
    arguments: Arguments
    place: tuple[str, str] | None = None
    """The place that has an id or text of FULL, and the type of that value."""
    value: object = None


@dataclass(frozen=True, slots=True)
class Answer:
    """The rows of a call, or its error, and the rows of the caller's bank that it added and removed."""

    text: str
    changes: tuple[str, ...]

    def naming(self, value: object, former: object) -> Answer:
        """The answer with a value in place of another."""
        if value == former:
            return self
        rows = (row.replace(str(former), str(value)) for row in self.changes)
        return Answer(self.text.replace(str(former), str(value)), tuple(sorted(rows)))


@dataclass(slots=True)
class Walk:
    foreign: list[Id]
    """Ids and texts of FULL."""
    parameters: dict[str, dict[str, str]]
    """Name and type of each parameter of the functions to repeat."""
    smoke: str = ""
    """The function that is called to try it: all of its calls are repeated, of others those with new arguments."""
    seen: set[str] = field(default_factory=set[str])
    """Functions with the names of their arguments."""
    tried: dict[str, int] = field(default_factory=dict[str, int])
    """Calls that were repeated in the function's own smoke, by function."""
    place: int = 1_000_000
    """Of the sequences before each call: equal calls make equal numbers."""
    compared: dict[str, int] = field(default_factory=dict[str, int])
    """Comparisons, by function."""
    leaks: list[str] = field(default_factory=list[str])


class WalkingConnection(psycopg.Connection[tuple[Any, ...]]):
    """Repeats calls of the functions of `walk` before it executes them."""

    walk: Walk | None = None

    def execute(self, query: Any, params: Any = None, **options: Any) -> Any:
        walk, found = self.walk, CALL.search(query) if isinstance(query, bytes) else None
        if walk is not None and found is not None and (name := found[1].decode()) in walk.parameters:
            form = f"{name} {sorted(shape(params))}"
            if name == walk.smoke or form not in walk.seen:
                walk.seen.add(form)
                self.walk = None
                try:
                    Repetition(self, walk, name, cast("Arguments", params)).run()
                finally:
                    self.walk = walk
        return super().execute(query, params, **options)


@dataclass(frozen=True, slots=True)
class Repetition:
    connection: Connection
    walk: Walk
    function: str
    arguments: Arguments
    known: set[str] = field(default_factory=set[str])
    """Ids of the banks."""

    def run(self) -> None:
        bank = str(self.arguments["bank"] if "bank" in self.arguments else self.arguments["banks"][0])
        tried = self.walk.tried.get(self.function, 0)
        if self.function == self.walk.smoke:
            self.walk.tried[self.function] = tried + 1
        self.walk.place += 10_000  # the calls before this one have made rows
        with self.connection.transaction(force_rollback=True):
            # The call may be in a transaction of its bank.
            self.connection.execute("set local memory.bank_id = ''")
            before = rows_of(self.connection, bank)
            self.known.update(UUID.findall(str(before)), (str(one.value) for one in self.walk.foreign))
            calls = [Call("unchanged", self.arguments)]
            with self.connection.transaction(force_rollback=True):
                self.beside_a_twin(bank, before, calls)
            if self.function == self.walk.smoke and tried < CALLS_WITH_EACH_ID:
                calls += self.with_each_id(self.arguments)
            self.beside_full(bank, before, calls)
            self.connection.execute("select isolation.put_back()")
            self.in_anothers_name(bank)
            if self.function == self.walk.smoke and tried == 0:
                own = self.named(FULL)
                calls = [Call("in the name of FULL", own), *self.with_each_id(own)]
                self.beside_a_twin(FULL, rows_of(self.connection, FULL), calls)

    def beside_a_twin(self, bank: str, before: Rows, calls: Sequence[Call]) -> None:
        alone = self.answers(bank, before, calls)
        self.connection.execute("select isolation.put_twin(%s, %s)", (bank, TWIN))
        digests = digests_of(self.connection, TWIN)
        self.compare(TWIN, calls, self.answers(bank, before, calls, watched=TWIN), alone, digests)

    def beside_full(self, bank: str, before: Rows, calls: Sequence[Call]) -> None:
        """Without FULL all of its values in one place should be answered alike: the first is tried, and those whose
        answers beside FULL differ in more than the value."""
        firsts = {call.place: call for call in reversed(calls)}
        stated = dict(zip(firsts, self.answers(bank, before, [*firsts.values()]), strict=True))
        with self.connection.transaction(force_rollback=True):
            self.connection.execute("select isolation.put_back()")
            digests = digests_of(self.connection, FULL)
            beside = self.answers(bank, before, calls, watched=FULL)
        alone = [stated[call.place][0].naming(call.value, firsts[call.place].value) for call in calls]
        unlike = [n for n, (answer, _) in enumerate(beside) if answer != alone[n]]
        tried = self.answers(bank, before, [calls[n] for n in unlike])
        for n, (answer, _) in zip(unlike, tried, strict=True):
            alone[n] = answer
        self.compare(FULL, calls, beside, [(answer, {}) for answer in alone], digests)

    def in_anothers_name(self, bank: str) -> None:
        calls = [Call("in another's name", self.named(EMPTY))]
        before = rows_of(self.connection, EMPTY)
        beside = self.answers(EMPTY, before, calls, watched=bank)
        digests = digests_of(self.connection, bank)
        with self.connection.transaction(force_rollback=True):
            self.connection.execute("select isolation.take_out(%s)", (bank,))
            alone = self.answers(EMPTY, before, calls)
        self.compare(bank, calls, beside, alone, digests)

    def with_each_id(self, arguments: Arguments) -> list[Call]:
        """The calls with one id or text of FULL in one place."""
        return [
            Call(f"{place} = {one.column}", put(one.value), (place, one.type), one.value)
            for place, types, put in places(arguments, self.walk.parameters[self.function])
            for one in self.walk.foreign
            if one.type in types
        ]

    def named(self, bank: str) -> Arguments:
        """The call in the name of another bank."""
        return self.arguments | ({"bank": bank} if "bank" in self.arguments else {"banks": [bank]})

    def answers(
        self, bank: str, before: Rows, calls: Sequence[Call], watched: str | None = None
    ) -> list[tuple[Answer, dict[str, str | None]]]:
        """The answers of calls in the name of a bank, each rolled back, and the digests of the watched bank in the
        tables that were written to. `before`: the rows of the bank."""
        if not calls:
            return []
        cursor = psycopg.ClientCursor(self.connection)
        queries = [
            cursor.mogrify(
                f"select array_agg(r::text)::text from memory_api.{self.function}({named}) r".encode(),
                call.arguments,
            )
            for call in calls
            for named in [", ".join(f"{name} => %({name})s" for name in call.arguments)]
        ]
        found = self.connection.execute(
            "select answer, tables, content, digests from isolation.answers(%s, %s, %s, %s)",
            (queries, bank, watched, self.walk.place),
        ).fetchall()
        return [self.answer(call, before, watched, *row) for call, row in zip(calls, found, strict=True)]

    def answer(
        self,
        call: Call,
        before: Rows,
        watched: str | None,
        text: str | None,
        tables: list[str] | None,
        content: str | None,
        digests: str | None,
    ) -> tuple[Answer, dict[str, str | None]]:
        written = set[str](tables or ())
        former = {f"{table} {row}" for table, row in before if table in written}
        after = {*content.split("\n")} if content else set[str]()
        known = self.known | {*UUID.findall(str(call.arguments))}
        answer = Answer(known_ids(str(text), known), changes(former, after, known))
        found = json.loads(digests or "{}")
        return answer, {table: found.get(table) for table in written if watched is not None}

    def compare(
        self,
        other: str,
        calls: Sequence[Call],
        beside: list[tuple[Answer, dict[str, str | None]]],
        alone: list[tuple[Answer, dict[str, str | None]]],
        before: dict[str, str],
    ) -> None:
        """Compare the answers beside the other bank with those without it, and its digests with those before."""
        self.walk.compared[self.function] = self.walk.compared.get(self.function, 0) + len(calls)
        for call, (answer, after), (expected, _) in zip(calls, beside, alone, strict=True):
            if answer != expected:
                found = f"{self.function} {call.described}, beside {other}: {answer}, else {expected}"
                self.walk.leaks.append(found[:3_000])
            if changed := {table for table, digest in after.items() if digest != before.get(table)}:
                self.walk.leaks.append(
                    f"{self.function} {call.described}, beside {other}: changed its rows in {changed}"
                )


def changes(before: set[str], after: set[str], known: set[str]) -> tuple[str, ...]:
    """The rows that were added and removed, without the ids that were made."""
    rows = [f"+ {row}" for row in after - before] + [f"- {row}" for row in before - after]
    return tuple(sorted(known_ids(row, known) for row in rows))


def known_ids(text: str, known: set[str]) -> str:
    """The text without the ids that the call made."""
    return UUID.sub(lambda found: found[0] if found[0] in known else "new", text)
