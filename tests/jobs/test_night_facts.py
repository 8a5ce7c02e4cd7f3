"""What a night does to facts: merging, with and without a model; evidence, conflicts, and what fades."""

from __future__ import annotations

import json
import math
import uuid
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from memory_service.errors import Conflict, NoAnswer, NotFound, ProviderUnavailable, RequestRejected
from memory_service.jobs.confidence import Confidence
from memory_service.jobs.merge import Merge
from memory_service.jobs.passes import Outcome, PassContext
from memory_service.jobs.runner import LEFT_COUNTS
from memory_service.memory import Memory
from memory_service.models.interface import Reply, Task
from tests.conftest import Admin
from tests.db import steps
from tests.db.facts import MANY, ONE, candidate, hear, say
from tests.db.steps import MODEL, vector_of
from tests.support.shared_app import client_on

START = datetime(2025, 1, 1, tzinfo=UTC)
NURSE, WORKS, HAS = "User is a nurse.", "User works as a nurse.", "User has a job as nurse."


def day(n: float) -> datetime:
    return START + timedelta(days=n)


@pytest.fixture
def bank(admin: Admin) -> str:
    steps.create_bank(admin, "a")
    return "a"


class ScriptedModel:
    """Returns the scripted answers, one per call; the last one repeatedly."""

    name = "scripted"

    def __init__(self, *answers: Any) -> None:
        self.answers = answers
        self.asked: list[str] = []

    async def ask(self, task: Task, texts: Sequence[str]) -> Reply:
        assert task.purpose == "merge"
        answer = self.answers[min(len(self.asked), len(self.answers) - 1)]
        self.asked.append(texts[0])
        if isinstance(answer, Exception):
            raise answer
        return Reply(answer if isinstance(answer, str) else json.dumps({"clusters": answer}), 100, 10)

    async def aclose(self) -> None:
        return


def verdict(kind: str, *groups: list[int], cluster: int = 0) -> dict[str, Any]:
    return {"cluster": cluster, "verdict": kind, "groups": list(groups)}


def night(memory: Memory, at: datetime, *, dry_run: bool = False) -> PassContext:
    return PassContext(memory.store, memory.models, memory.settings, at, dry_run)


async def merge(
    memory: Memory, bank: str, model: ScriptedModel | None = None, *, dry_run: bool = False
) -> Outcome:
    memory.models.language_model = lambda: model  # type: ignore[method-assign]
    return await Merge().run(await memory.store.banks.read(bank), night(memory, day(20), dry_run=dry_run))


async def weigh(memory: Memory, bank: str, at: datetime, *, dry_run: bool = False) -> Outcome:
    return await Confidence().run(await memory.store.banks.read(bank), night(memory, at, dry_run=dry_run))


def near(axis: int) -> str:
    """Vectors with a cosine of 0.9 to each other, of 1 to themselves; from axis 300 on they are of something else."""
    return vector_of({axis: 1}) if axis >= 300 else vector_of({0: 0.9**0.5, axis + 1: 0.1**0.5})


def tell(admin: Admin, bank: str, when: float, text: str, axis: int = 0, **about: Any) -> UUID:
    about = {"attribute": None, "value": None, "cardinality": MANY, "text": text} | about
    importance = about.pop("importance", 0.5)
    return say(admin, admin, bank, day(when), candidate(**about), vectors=[near(axis)], importance=importance)


def three(admin: Admin, bank: str) -> None:
    """A fact in three wordings."""
    for n, text in enumerate((NURSE, WORKS, HAS)):
        tell(admin, bank, n, text, n, stated=True)


def facts(admin: Admin, bank: str) -> list[tuple[Any, ...]]:
    return admin.execute(
        "select fact, attribute, status, evidence_count, round(confidence::numeric, 6)::float8 "
        "from memory.semantic_memory where bank_id = %s order by fact, attribute nulls first", (bank,),
    ).fetchall()  # fmt: skip


def everything(admin: Admin, bank: str) -> list[str]:
    found: list[str] = []
    for table in ("semantic_memory", "fact_evidence", "fact_version", "fact_merge", "fact_conflict", "merge_decision",
                  "watermark", "memory_event", "model_call"):  # fmt: skip
        query = f"select %s || t::text from memory.{table} t where t.bank_id = %s order by 1".encode()
        found += [str(row[0]) for row in admin.execute(query, (table, bank)).fetchall()]
    return found


# Merging


async def test_a_night_merges_what_rules_see(memory: Memory, admin: Admin, bank: str) -> None:
    """A dry run reports it and changes nothing; a second run finds nothing more to do and does not read it again."""
    tell(admin, bank, 0, NURSE, stated=True)
    tell(admin, bank, 1, NURSE, attribute="occupation", value="nurse", cardinality=ONE)
    tell(admin, bank, 2, "User likes tea.", 300)
    before = everything(admin, bank)
    foreseen = await merge(memory, bank, dry_run=True)
    assert everything(admin, bank) == before
    (change,) = foreseen.changes
    assert (change.type, change.action, foreseen.counts["merged"]) == ("semantic", "merge", 1)
    outcome = await merge(memory, bank)
    assert outcome.counts["merged"] == 1
    (loser,) = admin.execute(
        "select memory_id from memory.semantic_memory where status = 'merged_into'"
    ).fetchall()
    assert loser[0] == change.memory_id
    after = everything(admin, bank)
    assert (await merge(memory, bank)).counts["merged"] == 0
    assert everything(admin, bank) == after
    assert await memory.store.merges.candidates(bank, MODEL, day(20)) == []


@pytest.mark.parametrize(
    ("answer", "left"),
    [
        (verdict("MERGE"), 1),
        (verdict("KEEP_ALL"), 3),
        (verdict("PARTIAL_MERGE", [0, 2]), 2),
    ],
)
async def test_a_model_settles_doubts_once(
    memory: Memory, admin: Admin, bank: str, answer: dict[str, Any], left: int
) -> None:
    """One call for all clusters, each on the ledger; the same texts are not asked about again."""
    three(admin, bank)
    for n, text in enumerate(("User loves tea.", "User adores drinking tea.")):
        say(admin, admin, bank, day(n), candidate(None, None, text=text, cardinality=MANY, stated=True),
            vectors=[vector_of({300: 0.9**0.5, 301 + n: 0.1**0.5})])  # fmt: skip
    model = ScriptedModel([verdict("KEEP_ALL"), answer | {"cluster": 1}])
    outcome = await merge(memory, bank, model)
    assert (outcome.counts["merged"], outcome.counts["model_calls"], outcome.counts["judged"]) == (
        3 - left,
        1,
        4,
    )
    assert [row[2] for row in facts(admin, bank)].count("merged_into") == 3 - left
    asked = json.loads(model.asked[0])["clusters"]
    assert [[fact["text"] for fact in cluster["facts"]] for cluster in asked] == [
        ["User adores drinking tea.", "User loves tea."], [HAS, NURSE, WORKS],
    ]  # fmt: skip
    tell(admin, bank, 9, NURSE, stated=True)
    assert (await merge(memory, bank, model)).counts["model_calls"] == 0
    assert len(model.asked) == 1
    calls = admin.execute("select purpose, items, outcome, input_tokens from memory.model_call").fetchall()
    assert calls == [("merge", 2, "ok", 100)]


@pytest.mark.parametrize(
    "answer",
    [
        RequestRejected("not this"),
        "no json",
        [],
        [verdict("PARTIAL_MERGE", [0])],
        [verdict("PARTIAL_MERGE", [0, 1], [1, 2])],
        [verdict("PARTIAL_MERGE", [0, 7])],
        [verdict("MERGE"), verdict("MERGE", cluster=1)],
    ],
)
async def test_an_answer_that_is_no_use_changes_nothing(
    memory: Memory, admin: Admin, bank: str, answer: Any
) -> None:
    """A few nights later it is not asked again either, before one of the facts changes."""
    three(admin, bank)
    before = facts(admin, bank)
    model = ScriptedModel(answer)
    for tried in range(1, memory.settings.max_attempts + 1):
        outcome = await merge(memory, bank, model)
        last = tried == memory.settings.max_attempts
        assert (outcome.counts["unusable"], outcome.counts["doubtful"], outcome.left) == (1, 1, not last)
    assert facts(admin, bank) == before
    calls = len(model.asked)
    assert (await merge(memory, bank, model)).counts["unusable"] == 0
    assert len(model.asked) == calls
    tell(admin, bank, 9, "User is employed as a nurse.", 7, stated=True)
    assert (await merge(memory, bank, ScriptedModel([verdict("MERGE")]))).counts["merged"] == 3


async def test_an_outage_leaves_doubts_for_the_next_night(memory: Memory, admin: Admin, bank: str) -> None:
    three(admin, bank)
    before = facts(admin, bank)
    outcome = await merge(memory, bank, ScriptedModel(ProviderUnavailable("out")))
    assert (outcome.counts["model_unavailable"], outcome.counts["doubtful"]) == (1, 1)
    assert facts(admin, bank) == before
    assert (await merge(memory, bank, ScriptedModel([verdict("MERGE")]))).counts["merged"] == 2


def teas(admin: Admin, bank: str, *texts: str) -> None:
    """Another cluster."""
    for n, text in enumerate(texts or ("User loves tea.", "User adores drinking tea.")):
        say(admin, admin, bank, day(n), candidate(None, None, text=text, cardinality=MANY, stated=True),
            vectors=[vector_of({300: 0.9**0.5, 301 + n: 0.1**0.5})])  # fmt: skip


def both(kind: str) -> list[dict[str, Any]]:
    return [verdict(kind), verdict(kind, cluster=1)]


@pytest.mark.parametrize("error", [RequestRejected("not this"), NoAnswer("no answer in time")])
async def test_a_text_that_no_model_takes_stops_no_other(
    memory: Memory, admin: Admin, bank: str, error: Exception
) -> None:
    """Asked about alone, it is put aside; the others are merged in the same night. So is one that the model does not
    answer, as it answers others; the next night asks again."""
    three(admin, bank)
    teas(admin, bank)
    model = ScriptedModel(error, error, [verdict("MERGE")])
    outcome = await merge(memory, bank, model)
    assert [outcome.counts[name] for name in ("merged", "unusable", "model_calls", "model_unavailable")] == [
        2, 1, 1, 0,
    ]  # fmt: skip
    assert [len(json.loads(asked)["clusters"]) for asked in model.asked] == [2, 1, 1]
    assert outcome.left
    assert (await merge(memory, bank, model)).counts["merged"] == 1


async def test_a_model_that_does_not_answer_at_all_is_an_outage(
    memory: Memory, admin: Admin, bank: str
) -> None:
    """No text is to blame, however many nights it takes."""
    three(admin, bank)
    teas(admin, bank)
    for _ in range(memory.settings.max_attempts + 1):
        outcome = await merge(memory, bank, ScriptedModel(NoAnswer("no answer in time")))
        assert (outcome.counts["unusable"], outcome.counts["model_unavailable"]) == (0, 2)
    assert (await merge(memory, bank, ScriptedModel(both("MERGE")))).counts["merged"] == 3


async def test_what_does_not_fit_into_one_call_is_left(
    memory: Memory, admin: Admin, bank: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By characters as by facts; what fits into none stays as it is."""
    three(admin, bank)
    teas(admin, bank)
    monkeypatch.setattr("memory_service.jobs.merge.MOST_CHARACTERS", 300)
    model = ScriptedModel([verdict("MERGE")])
    outcome = await merge(memory, bank, model)
    assert (outcome.counts["merged"], outcome.left, len(model.asked)) == (1, True, 1)
    outcome = await merge(memory, bank, model)
    assert (outcome.counts["merged"], outcome.left, len(model.asked)) == (2, False, 2)
    teas(admin, bank, "User likes " + "very " * 60 + "strong coffee.", "User loves coffee.")
    outcome = await merge(memory, bank, model)
    assert (outcome.counts["too_large"], outcome.left, len(model.asked)) == (1, False, 2)


async def test_a_bank_over_its_cap_says_so(memory: Memory, admin: Admin) -> None:
    steps.create_bank(admin, "poor", daily_tokens=10)
    admin.execute(
        "insert into memory.model_call (bank_id, model, purpose, items, input_tokens, output_tokens, seconds, outcome, "
        "at) values ('poor', 'm', 'extract', 1, 100, 0, 0, 'ok', now())"
    )
    three(admin, "poor")
    model = ScriptedModel([verdict("MERGE")])
    outcome = await merge(memory, "poor", model)
    assert [outcome.counts[why] for why in LEFT_COUNTS] == [0, 1]
    assert model.asked == []


async def test_no_model_merges_what_is_apart(memory: Memory, admin: Admin, bank: str) -> None:
    """A chain through one that is like both: the two ends are of different numbers, and stay two."""
    for n, text in enumerate(("User has dogs.", "User has 2 dogs.", "User keeps dogs.")):
        tell(admin, bank, n, text, n, stated=True)
    model = ScriptedModel([verdict("MERGE")])
    await merge(memory, bank, model)
    assert {row[0]: row[2] for row in facts(admin, bank)}["User has 2 dogs."] == "tentative"


@pytest.mark.parametrize(
    "own", [{"language_model": False}, {"merge_duplicates": False}, {"intake": "verbatim"}]
)
async def test_a_bank_that_wants_no_model_or_no_merging_has_none(
    memory: Memory, admin: Admin, own: dict[str, Any]
) -> None:
    steps.create_bank(admin, "own", **own)
    three(admin, "own")
    model = ScriptedModel([verdict("MERGE")])
    assert (await merge(memory, "own", model)).counts["merged"] == 0
    assert model.asked == []


async def test_a_night_that_breaks_off_is_gone_on_with(
    memory: Memory, admin: Admin, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After each of its transactions: what it leaves, and the next night completes, is what an undisturbed one does."""

    def told(bank: str) -> None:
        steps.create_bank(admin, bank)
        three(admin, bank)
        for n, about in enumerate(({}, {"attribute": "has", "value": "tom", "cardinality": ONE})):
            tell(admin, bank, n, "Tom is a friend.", 400, stated=True, **about)
        tell(admin, bank, 5, "User likes tea.", 500)

    told("whole")
    model = ScriptedModel([verdict("MERGE")])
    await merge(memory, "whole", model)
    wanted = facts(admin, "whole")
    assert [row[2] for row in wanted].count("merged_into") == 3
    store = memory.store.merges
    steps_taken = ("candidates", "merge", "set_watermark", "record_decisions")
    for broken in range(1, 9):
        told(f"broken-{broken}")
        taken = 0

        def counting(method: Callable[..., Any], broken: int = broken) -> Callable[..., Any]:
            async def counted(*given: Any) -> Any:
                nonlocal taken
                taken += 1
                answer = await method(*given)
                if taken == broken:
                    raise KeyboardInterrupt
                return answer

            return counted

        with monkeypatch.context() as patched:
            for name in steps_taken:
                patched.setattr(store, name, counting(getattr(store, name)))
            with suppress(KeyboardInterrupt):
                await merge(memory, f"broken-{broken}", model)
        await merge(memory, f"broken-{broken}", model)
        assert facts(admin, f"broken-{broken}") == wanted, broken
    calls = admin.execute(
        "select bank_id, count(*) from memory.model_call where outcome = 'ok' group by 1"
    ).fetchall()
    assert {row[1] for row in calls} == {1}


async def test_a_merge_is_undone_over_every_interface(memory: Memory, admin: Admin, bank: str) -> None:
    tell(admin, bank, 0, NURSE, stated=True)
    tell(admin, bank, 1, NURSE, attribute="occupation", value="nurse", cardinality=ONE)
    before = facts(admin, bank)
    await merge(memory, bank)
    (fact,) = (await memory.list_facts(bank, statuses=["merged_into"])).items
    with pytest.raises(NotFound):
        await memory.unmerge_fact(bank, UUID(int=1))
    with pytest.raises(Conflict):
        await memory.confirm_fact(bank, fact.memory_id)
    async with client_on(memory) as http:
        path = f"/v1/banks/{bank}/facts/{fact.memory_id}/unmerge"
        answer = await http.post(path, json={"actor": "ann"})
        assert (answer.status_code, answer.json()["status"], answer.json()["merged_into_id"]) == (
            200, "tentative", None,
        )  # fmt: skip
        assert (await http.post(path)).status_code == 200
    assert facts(admin, bank) == before
    *_, version = (await memory.fact_history(bank, fact.memory_id)).items
    assert (version.reason, version.actor) == ("unmerged", "ann")


# Evidence


def remember(admin: Admin, bank: str, when: float, text: str, axis: int = 0, status: str = "active") -> UUID:
    """An episode with this text, without a fact."""
    memory_id = uuid.uuid4()
    admin.execute(
        "insert into memory.episodic_memory (bank_id, memory_id, source, status, occurred_at, recorded_at, full_text, "
        "summary, importance) values (%s, %s, 'user', %s, %s, %s, '{}', %s, 0.5)",
        (bank, memory_id, status, day(when), day(when), text),
    )
    admin.execute(
        "insert into memory.memory_vector (bank_id, memory_id, model_id, tier, embedding) "
        "values (%s, %s, %s, 'episodic', %s)", (bank, memory_id, MODEL, near(axis)),
    )  # fmt: skip
    return memory_id


def home(city: str = "Berlin", **more: Any) -> dict[str, Any]:
    return {
        "text": f"User lives in {city}.",
        "attribute": "lives_in",
        "value": city,
        "cardinality": ONE,
        **more,
    }


@pytest.mark.parametrize(
    ("said", "counts"),
    [
        ("I live in Berlin.", True),
        ("I still live in Berlin, near the park.", True),
        ("It rained all day. I live in Berlin and it never rains here.", False),
        ("It rained all day. I live in Berlin, in the east.", True),
        ("User lives in Berlin with two cats.", True),
        ("I left Berlin.", False),
        ("I used to live in Berlin.", False),
        ("I lived in Berlin.", False),
        ("I no longer live in Berlin.", False),
        ("My sister lives in Berlin.", False),
        ("She lives in Berlin.", False),
        ("Do I live in Berlin?", False),
        ("I live in Berlin until May.", False),
        ("I live in Berlin Falls.", False),
        ("I live near Berlin, in Potsdam.", False),
        ("If I live in Berlin, I need a bike.", False),
        ("I want to live in Berlin.", False),
        ("Berlin is a nice city.", False),
    ],
)
def test_a_sentence_says_what_a_fact_says_or_not(admin: Admin, said: str, counts: bool) -> None:
    row = admin.execute(
        "select bool_or(memory_internal.states_fact(s, 'User lives in Berlin.')) "
        r"from regexp_split_to_table(%s, '(?<=[.!?;])\s+|\n+') as s", (said,),
    ).fetchone()  # fmt: skip
    assert row == (counts,)


CLOCKS = "Bruno repairs old clocks in his workshop."


@pytest.mark.parametrize(
    ("said", "fact", "counts"),
    [
        ("Visited Bruno, who repairs old clocks in his workshop behind the mill", CLOCKS, True),
        ("Bruno still repairs old clocks in his dusty workshop, he says.", CLOCKS, True),
        ("In his workshop Bruno repairs old clocks.", CLOCKS, True),
        ("Bruno, who has just retired, repairs old clocks in his workshop.", CLOCKS, True),
        ("In theory Bruno repairs old clocks in his workshop.", CLOCKS, False),
        ("My uncle, Bruno, repairs old clocks in his workshop.", CLOCKS, True),
        ("Visited Bruno, who repairs old clocks no more in his workshop.", CLOCKS, False),
        ("Bruno's brother repairs old clocks in his workshop.", CLOCKS, False),
        ("A friend of Bruno repairs old clocks in his workshop.", CLOCKS, False),
        ("Everybody thinks that Bruno repairs old clocks in his workshop.", CLOCKS, False),
        ("Bruno repairs old clocks in his workshop, doesn't he?", CLOCKS, False),
        ("If Bruno repairs old clocks in his workshop, ask him.", CLOCKS, False),
        ("Bruno repairs 3 old clocks in the shop.", CLOCKS, False),
        ("Bruno repaired old clocks in his workshop.", CLOCKS, False),
        ("I told the waiter that I don't eat meat.", "User does not eat meat.", True),
        ("I don't eat meat on Sundays.", "User does not eat meat.", False),
        ("I don't eat red meat.", "User does not eat meat.", False),
        ("He says I eat meat.", "User eats meat.", False),
        ("My nurse, Eva, is kind.", "User is a nurse.", False),
        ("I have a nurse at home.", "User is a nurse.", False),
        ("I work as a nurse in Leeds.", "User is a nurse.", True),
        ("My mother, you know, lives in Lyon.", "User's mother lives in Lyon.", False),
        ("Since May my mother lives in Lyon.", "User's mother lives in Lyon.", True),
        ("Your mother lives in Lyon.", "User's mother lives in Lyon.", False),
        ("The other server runs Debian.", "The server runs Debian.", False),
        ("Our server runs Debian.", "The server runs Debian.", True),
    ],
)  # fmt: skip
def test_a_sentence_that_says_more_than_a_fact_supports_it(
    admin: Admin, said: str, fact: str, counts: bool
) -> None:
    assert admin.execute("select memory_internal.states_fact(%s, %s)", (said, fact)).fetchone() == (counts,)


async def test_what_nobody_heard_as_a_statement_is_evidence(memory: Memory, admin: Admin, bank: str) -> None:
    """Once an episode, in the time of the fact, at the threshold; of archived ones too; no episode that said something
    of the home itself, and no summary of some; the dry run says so. A second night compares nothing."""
    tell(admin, bank, 0, **home())
    left = tell(admin, bank, 30, **home(holds=False))
    for when, text, axis, status in (
        (3, "I live in Berlin.", 2, "active"), (4, "I live in Berlin, in the east.", 0, "archived"),
        (5, "I live in Berlin.", 0, "quarantined"), (-3, "I live in Berlin.", 0, "active"),
        (40, "I live in Berlin.", 0, "active"), (6, "I left Berlin.", 0, "active"),
    ):  # fmt: skip
        remember(admin, bank, when, text, axis, status)
    summary = remember(admin, bank, 8, "I live in Berlin.")
    admin.execute("update memory.episodic_memory set summarizes = 'cluster' where memory_id = %s", (summary,))
    far = remember(admin, bank, 7, "I live in Berlin.")
    admin.execute(
        "update memory.memory_vector set embedding = %s where memory_id = %s", (vector_of({700: 1}), far)
    )
    admin.execute(
        "update memory.episodic_memory set summary = 'I live in Berlin.' where memory_id = %s", (left,)
    )
    before = everything(admin, bank)
    foreseen = await weigh(memory, bank, day(50), dry_run=True)
    assert [change.action for change in foreseen.changes] == ["evidence"] * 2
    assert everything(admin, bank) == before
    outcome = await weigh(memory, bank, day(50))
    assert outcome.counts["evidence"] == 2
    ((_, _, status, evidence, confidence),) = facts(admin, bank)
    assert (status, evidence, confidence) == ("stable", 3, round(1 - 0.4 * 0.95**2, 6))
    times = admin.execute(
        "select last_confirmed, valid_from, valid_to from memory.semantic_memory"
    ).fetchall()
    assert times == [(day(4), day(0), day(30))]
    after = everything(admin, bank)
    again = await weigh(memory, bank, day(50))
    assert (again.counts["compared"], again.counts["evidence"]) == (0, 0)
    assert everything(admin, bank) == after
    remember(admin, bank, 8, "I live in Berlin!")
    tomorrow = await weigh(memory, bank, day(51))
    assert (tomorrow.counts["compared"], tomorrow.counts["evidence"]) == (1, 1)


async def test_what_was_retracted_gets_no_evidence(memory: Memory, admin: Admin, bank: str) -> None:
    tell(admin, bank, 0, **home())
    (fact,) = (await memory.list_facts(bank)).items
    await memory.retract_fact(bank, fact.memory_id)
    remember(admin, bank, 3, "I live in Berlin.")
    assert (await weigh(memory, bank, day(9))).counts["evidence"] == 0


# Conflicts


async def test_a_contradiction_that_nobody_saw_halves_both(memory: Memory, admin: Admin, bank: str) -> None:
    """Once a pair; where it matters the user is asked. Where similarity alone speaks for it, nothing happens."""
    for n, text in enumerate(
        ("Rex is allowed on the sofa.", "Rex is not allowed on the sofa.", "Rex owns the sofa.")
    ):
        tell(admin, bank, n, text, 0, subject="rex", stated=True, importance=0.9)
    # As if the one had been there before the other could be found.
    for table in ("clarification", "fact_conflict"):
        admin.execute(f"delete from memory.{table}".encode())
    every = "array(select memory_id from memory.semantic_memory)"
    admin.execute(f"select memory_internal.refresh_facts('a', {every}, 'r', 'a', %s)".encode(), (day(3),))
    assert [row[4] for row in facts(admin, bank)] == [0.9] * 3
    before = everything(admin, bank)
    assert [change.action for change in (await weigh(memory, bank, day(4), dry_run=True)).changes] == [
        "halve"
    ] * 2
    assert everything(admin, bank) == before
    assert (await weigh(memory, bank, day(4))).counts["conflicts"] == 1
    assert [row[4] for row in facts(admin, bank)] == [0.45, 0.45, 0.9]
    pairs = admin.execute("select rule, handling, found_by, resolution from memory.fact_conflict").fetchall()
    assert pairs == [("negation", "both_halved", "night", None)]
    assert admin.execute("select status from memory.clarification").fetchall() == [("open",)]
    (question,) = (await memory.list_clarifications(bank)).items
    assert len(question.facts) == 2
    for n in (5, 6):
        assert (await weigh(memory, bank, day(n))).counts["conflicts"] == 0
    assert [row[4] for row in facts(admin, bank)] == [0.45, 0.45, 0.9]


async def test_a_pair_that_was_handled_when_it_was_written_is_not_handled_at_night(
    memory: Memory, admin: Admin, bank: str
) -> None:
    for n, text in enumerate(("Rex is allowed on the sofa.", "Rex is not allowed on the sofa.")):
        tell(admin, bank, n, text, 0, subject="rex", stated=True)
    before = facts(admin, bank)
    assert (await weigh(memory, bank, day(4))).counts["conflicts"] == 0
    assert facts(admin, bank) == before


# What fades


async def test_thirty_nights_change_nothing_but_what_the_formula_says(
    memory: Memory, admin: Admin, bank: str
) -> None:
    """A fact is deprecated by the run in which its confidence falls below 0.3, and returns with evidence; nothing else
    is written. A stable fact keeps 0.35, a pinned one all of it, an ended one is unchanged."""
    for text, axis, importance, times in (
        ("Rex sleeps.", 20, 0.5, 1), ("Rex barks.", 40, 0.1, 1), ("Rex runs.", 60, 0.0, 3), ("Rex eats.", 80, 0.0, 1),
        ("Rex is old.", 100, 0.0, 1),
    ):  # fmt: skip
        vector = [vector_of({axis: 1})]
        for n in range(times):
            one = candidate(text.split()[1].strip("."), "so", subject="rex", cardinality=MANY, text=text)
            say(admin, admin, bank, day(-n), one, vectors=vector, importance=importance)
    over = candidate("is", "so", subject="rex", cardinality=MANY, text="Rex is old.", holds=False)
    say(admin, admin, bank, day(1), over, vectors=[vector_of({100: 1})])
    (eats,) = (f for f in (await memory.list_facts(bank, as_of=day(0))).items if f.fact == "Rex eats.")
    await memory.pin_fact(bank, eats.memory_id)
    await weigh(memory, bank, day(1))
    stored = facts(admin, bank)
    expected = {"Rex sleeps.": (0.6, 0.5), "Rex barks.": (0.6, 0.1), "Rex runs.": (1 - 0.4 * 0.95**2, 0.0)}
    versions = admin.execute("select count(*) from memory.fact_version").fetchone()
    assert versions is not None
    gone: dict[str, int] = {}
    for n in range(2, 101):
        if n > 31 and n % 10:
            continue
        outcome = await weigh(memory, bank, day(n))
        listed = {f.fact: f for f in (await memory.list_facts(bank, as_of=day(n))).items}
        assert outcome.counts["deprecated"] == len([t for t in expected if t not in listed and t not in gone])
        for text, (birth, importance) in expected.items():
            faded = birth * math.exp(-0.02 * (1 - importance) * n)
            if text == "Rex runs.":
                faded = max(faded, 0.35)
            assert (text in listed) == (faded >= 0.3), (text, n)
            if text in listed:
                assert listed[text].confidence == pytest.approx(faded)
            else:
                gone.setdefault(text, n)
        assert listed["Rex eats."].confidence == pytest.approx(0.6)
    assert gone == {"Rex sleeps.": 70, "Rex barks.": 40}
    assert [row[4] for row in facts(admin, bank)] == [row[4] for row in stored]
    assert [row[2] for row in facts(admin, bank)] == [
        "deprecated",
        "tentative",
        "tentative",
        "stable",
        "deprecated",
    ]
    now = admin.execute("select count(*) from memory.fact_version").fetchone()
    assert now == (int(str(versions[0])) + 2,)
    written = admin.execute(
        "select reason, actor, to_status from memory.memory_event where at > %s", (day(2),)
    ).fetchall()
    assert written == [("faded below 0.3", "night", "deprecated")] * 2
    for known_at in (None, day(100)):  # a fact that has decayed since is still in the history
        then = (await memory.list_facts(bank, as_of=day(50), known_at=known_at)).items
        sleeps = next(f for f in then if f.fact == "Rex sleeps.")
        assert (sleeps.status, sleeps.confidence) == ("tentative", pytest.approx(0.6 * math.exp(-0.01 * 50)))
        assert "Rex barks." not in {f.fact for f in then}
    for as_of, found in ((day(50), True), (day(80), False)):
        recalled = await memory.recall(bank, "Rex sleeps", types=["semantic"], as_of=as_of)
        assert ("Rex sleeps." in {item.content for item in recalled.items}) == found
    listed = (await memory.list_facts(bank, as_of=day(50), statuses=["deprecated"])).items
    assert "Rex sleeps." in {f.fact for f in listed}
    one = candidate("barks", "so", subject="rex", cardinality=MANY, text="Rex barks.")
    say(admin, admin, bank, day(101), one, vectors=[vector_of({40: 1})])
    assert {row[0]: row[2] for row in facts(admin, bank)}["Rex barks."] == "tentative"


def test_an_episode_is_no_evidence_before_its_statements_are_heard(admin: Admin, bank: str) -> None:
    """Whether the nightly run or the worker comes first, stated evidence is recorded as stated."""
    tell(admin, bank, 0, NURSE, stated=False)
    episode = uuid.uuid4()
    admin.execute(
        "insert into memory.episodic_memory (bank_id, memory_id, source, status, occurred_at, recorded_at, full_text, "
        "summary, importance) values (%s, %s, 'user', 'active', %s, %s, '{}', %s, 0.5)",
        (bank, episode, day(1), day(1), NURSE),
    )
    admin.execute(
        "insert into memory.memory_vector (bank_id, memory_id, model_id, tier, embedding) "
        "values (%s, %s, %s, 'episodic', %s)",
        (bank, episode, MODEL, near(0)),
    )

    def night() -> int:
        return steps.rows(admin, "find_evidence", bank=bank, model=MODEL, most=100, at=day(2))[0][0]

    steps.enqueue(admin, bank, str(episode), "facts", ready_at=day(2), at=day(2))
    night()
    stated = candidate(None, None, text=NURSE, cardinality=MANY, stated=True)
    hear(admin, bank, [(episode, stated)], vectors=[near(0)], at=day(3))
    night()
    told = admin.execute(
        "select evidence_count, round(confidence::numeric, 3)::float8 from memory.semantic_memory"
    )
    assert told.fetchall() == [(2, 0.905)]
