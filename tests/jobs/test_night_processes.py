"""Nightly runs in separate processes, as cron starts them: killed, or two at once, they leave each bank in the state of
an undisturbed run."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import runpy
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from multiprocessing.process import BaseProcess as Process
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest

from memory_service.jobs.runner import BATCH
from tests.conftest import Admin
from tests.db import steps
from tests.db.facts import MANY, candidate, hear
from tests.db.steps import unit_vector, vector_of
from tests.jobs.nights import NIGHT, copy, entry_of, facts, morning, put, statuses
from tests.support.fake_gemini import FakeGemini, prompt_texts

SEEDS = 10
DEADLINE = 180.0
Morning = dict[str, list[tuple[Any, ...]]]
NIGHTLY = ("--as-of", NIGHT.isoformat())
PROCESSES = multiprocessing.get_context("forkserver")
"""Forked from a process that has imported the nightly run: starting Python ten times takes half a minute."""
PROCESSES.set_forkserver_preload(["google.genai", "hdbscan", "memory_service.jobs.nightly", __name__])


def reply(body: dict[str, Any]) -> str:
    """The scripted model's answer: the likings of groups of episodes, and the verdict `same` for similar facts."""
    asked = json.loads(prompt_texts(body)[0])
    if "groups" in asked:
        return json.dumps({"groups": [entry_of(group) for group in asked["groups"]]})
    return json.dumps({"pairs": [{"pair": one["pair"], "verdict": "same"} for one in asked["pairs"]]})


@pytest.fixture
def environment(database_url: str, session_dir: Path) -> Iterator[dict[str, str]]:
    with FakeGemini(reply=reply) as fake:
        yield {
            "DATABASE_URL": database_url, "GEMINI_API_KEY": "not-a-key", "MEMORY_GEMINI_BASE_URL": fake.url,
            "MEMORY_DATA_DIR": str(session_dir), "MEMORY_POOL_SIZE": "3",
        }  # fmt: skip


def sleep(environment: Mapping[str, str], *words: str) -> None:
    """Run `python -m jobs.nightly` in this process."""
    os.environ.update(environment)
    sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - as long as the process
    sys.argv = ["jobs.nightly", *NIGHTLY, *words]
    runpy.run_module("jobs.nightly", run_name="__main__", alter_sys=True)


def until(true: Callable[[], Any], what: str) -> Any:
    deadline = time.monotonic() + DEADLINE
    while not (found := true()):
        assert time.monotonic() < deadline, f"waited in vain until {what}"
        time.sleep(0.005)
    return found


def days(n: float) -> datetime:
    return NIGHT - timedelta(days=n)


def tell(admin: Admin, bank: str) -> None:
    """A bank with work for each pass: two clusters, one of them old; facts to be merged by rules, and by a model;
    two facts in conflict; a fact with new evidence, and one to fade; an episode to delete, and a message to empty."""
    steps.create_bank(admin, bank, prune_after_days=100)

    def episode(number: int, text: str, topic: int, ago: float, **columns: Any) -> UUID:
        return put(admin, number, text, topic, days=ago, bank=bank, model=steps.MODEL, **columns)

    def fact(number: int, text: str, ago: float, vector: str, **about: Any) -> None:
        about = {"attribute": None, "value": None, "cardinality": MANY, "text": text, **about}
        said = episode(number, "They talked.", number, ago, consolidated_at=days(ago))
        hear(admin, bank, [(said, candidate(**about))], vectors=[vector], at=days(ago))

    for n in range(4):
        # With small talk, because a summary with its dates must be shorter than the episodes.
        episode(1 + n, f"Anna likes tea, cup {n}. Haha, okay! Thanks so much! See you later!", 1, 60 - n)
    for n in range(3):
        episode(10 + n, f"Anna likes parks, round {n}.", 2, 9 - n)
    episode(20, "It drizzled.", 7, 200, importance=0.1)
    episode(21, "User drinks coffee.", 5, 5)
    fact(30, "User drinks coffee.", 20, unit_vector(5), stated=True)
    near = [vector_of({600: 0.9**0.5, 601 + n: 0.1**0.5}) for n in range(3)]
    fact(31, "User is a nurse.", 30, near[0], stated=True)
    fact(
        32,
        "User is a nurse.",
        29,
        near[1],
        attribute="occupation",
        value="nurse",
        cardinality="one",
        stated=True,
    )
    fact(33, "User works as a nurse.", 28, near[2])
    fact(34, "User hums.", 150, unit_vector(620))
    for n, word in enumerate(("", "not ")):
        fact(
            35 + n,
            f"Rex is {word}allowed on the sofa.",
            12 - n,
            unit_vector(630 + n),
            subject="rex",
            stated=True,
        )
    # Written so far apart that intake did not detect the contradiction.
    admin.execute(
        "update memory.memory_vector v set embedding = %s from memory.semantic_memory f "
        "where f.bank_id = v.bank_id and f.memory_id = v.memory_id and f.subject = 'rex' and f.bank_id = %s",
        (unit_vector(630), bank),
    )
    admin.execute(
        "insert into memory.message (bank_id, message_id, conversation_id, position, role, content, occurred_at, "
        "recorded_at, status) values (%s, %s, 'c', 99, 'user', 'Hm.', %s, %s, 'refused')",
        (bank, UUID(int=99), days(40), days(40)),
    )  # fmt: skip


@pytest.fixture
def undisturbed(admin: Admin, environment: dict[str, str]) -> tuple[Morning, float]:
    """The state of the bank "fresh" after a nightly run, and the seconds it takes."""
    tell(admin, "fresh")
    copied(admin, "undisturbed")
    process = started(environment, "--bank", "undisturbed")
    until(lambda: begun(admin), "the bank is claimed")
    began = time.monotonic()
    until(lambda: not begun(admin), "the night is over")
    seconds = time.monotonic() - began
    assert ended(process) == 0
    wanted = morning(admin, "undisturbed")
    status = statuses(admin, "undisturbed")
    assert [n for n in status if status[n] == "archived"] == [1, 2, 3, 4]
    assert 20 not in status
    known = facts(admin, "undisturbed")
    assert (known["Anna likes tea."], known["User drinks coffee."]) == ([1, 2, 3, 4], [21, 30])
    states = [(row[0], row[1]) for row in wanted["facts"]]
    assert ("User hums.", "deprecated") in states
    assert [state for _, state in states].count("merged_into") == 2
    assert [row[2] for row in wanted["conflicts"]] == ["negation"]
    assert wanted["messages"] == [("", str(NIGHT))]
    admin.execute("delete from memory.upkeep")
    return wanted, seconds


def copied(admin: Admin, *banks: str) -> None:
    """More banks like "fresh", which are due."""
    for bank in banks:
        copy(admin, "fresh", bank)
        admin.execute("insert into memory.upkeep (bank_id, changed_at) values (%s, now())", (bank,))


def begun(admin: Admin) -> list[Any]:
    """The banks with a held lease."""
    return admin.execute("select bank_id from memory.upkeep where not_before > now()").fetchall()


def started(environment: Mapping[str, str], *words: str) -> Process:
    process = PROCESSES.Process(target=sleep, args=(environment, *words))
    process.start()
    return process


def ended(process: Process) -> int | None:
    process.join(DEADLINE)
    return process.exitcode


def test_killed_at_any_moment_and_run_again_is_undisturbed(
    admin: Admin, environment: dict[str, str], undisturbed: tuple[Morning, float]
) -> None:
    """Ten processes are killed at random moments, the n-th within the n-th tenth of a run's duration. The open
    statement is rolled back or committed after the death; the leases expire, and the next process claims the same
    banks and one more."""
    wanted, seconds = undisturbed
    struck = 0
    for seed in range(SEEDS):
        chance = random.Random(seed)
        copied(admin, f"killed-{seed}")
        process = started(environment)
        until(lambda: begun(admin), "it is at a bank")
        began = time.monotonic()
        alive = seconds * (seed + chance.random()) / SEEDS
        while begun(admin) and time.monotonic() < began + alive:
            time.sleep(0.005)
        process.kill()
        if not begun(admin):  # the span was too long: it is through
            seconds = min(seconds, time.monotonic() - began)
        assert ended(process) in (-signal.SIGKILL, 0)
        struck += len(begun(admin)) > 0
        if chance.random() < 0.5:
            admin.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity "
                "where datname = current_database() and pid <> pg_backend_pid()"
            )
        admin.execute("update memory.upkeep set not_before = '-infinity'")
    assert struck > SEEDS / 2, "most died over a bank"
    assert ended(started(environment)) == 0
    for seed in range(SEEDS):
        assert morning(admin, f"killed-{seed}") == wanted, f"seed {seed}"
    assert admin.execute("select from memory.upkeep where due_at <= %s", (NIGHT,)).fetchall() == []


def test_two_at_once_are_one(
    admin: Admin, environment: dict[str, str], undisturbed: tuple[Morning, float]
) -> None:
    """Two processes that claim at the same moment share the banks; no work is done twice."""
    wanted, _ = undisturbed
    banks = [f"b{n}" for n in range(BATCH + 4)]
    copied(admin, *banks)
    with psycopg.connect(admin.info.dsn) as other:
        other.execute("lock table memory.upkeep in exclusive mode")
        both = [started(environment), started(environment)]
        waiting = (
            "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%claim_upkeep%'"
        )
        until(lambda: len(admin.execute(waiting.encode()).fetchall()) == 2, "both want to begin")
    assert [ended(one) for one in both] == [0, 0]
    for bank in banks:
        assert morning(admin, bank) == wanted, bank
    ran = admin.execute(
        "select count(distinct worker), array_agg(bank order by bank) from memory.job_run, unnest(bank_ids) as bank "
        "where pass = 'consolidate' and bank <> 'undisturbed'"
    )
    assert ran.fetchone() == (2, sorted(banks)), "they share"
