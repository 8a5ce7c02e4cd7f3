"""Pair judging through the real worker: a language model judges each undecided pair once, in few calls, within the
daily token limit; where it fails, the facts stay unchanged."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

import psycopg
import pytest

from memory_service.config import Settings
from memory_service.errors import NoAnswer, ProviderUnavailable, RequestRejected
from memory_service.jobs.confidence import Confidence
from memory_service.jobs.passes import Outcome, PassContext
from memory_service.memory import Memory
from memory_service.models.interface import Reply, Task
from memory_service.models.pair_judging import quoted_pairs, read_decisions
from memory_service.models.structured import UnusableAnswerError
from tests.conftest import at_work, settle, until
from tests.support.scripted import ScriptedEmbedder, script

Admin = psycopg.Connection[tuple[object, ...]]
Verdicts = Callable[[str, str], str]

POISON = "Ada waits with a venomous snake."
LOFT, BOAT, TEA = "Ada waits in a loft.", "Ada waits on a boat.", "Ada waits badly after tea."


class ScriptedModel:
    """Judges pairs as `verdict` says; `answer` replaces what it would answer."""

    name = "scripted"

    def __init__(self, verdict: Verdicts = lambda older, newer: "compatible") -> None:
        self.verdict = verdict
        self.answer: Callable[[], str] | None = None
        self.asked: list[list[tuple[str, str]]] = []

    async def ask(self, task: Task, texts: Sequence[str]) -> Reply:
        assert task.purpose == "judge"
        pairs = json.loads(texts[0])["pairs"]
        self.asked.append([(pair["older"]["text"], pair["newer"]["text"]) for pair in pairs])
        if self.answer is not None:
            return Reply(self.answer(), 50, 5)
        entries = [
            {"pair": pair["pair"], "verdict": self.verdict(pair["older"]["text"], pair["newer"]["text"])}
            for pair in reversed(pairs)
        ]
        return Reply(json.dumps({"pairs": entries}), 50, 5)

    async def aclose(self) -> None:
        return


def with_model(memory: Memory, model: ScriptedModel, **settings: Any) -> ScriptedModel:
    script(memory, ScriptedEmbedder())
    memory.models.language_model = lambda: model  # type: ignore[method-assign]
    return model


async def commit(memory: Memory, *texts: str) -> None:
    for text in texts:
        await memory.remember("anna", text, type="semantic")
    await settle(memory, "anna")


async def test_a_change_that_no_rule_sees_closes_what_it_replaced(memory: Memory, admin: Admin) -> None:
    model = with_model(
        memory, ScriptedModel(lambda older, newer: "successor" if TEA not in (older, newer) else "compatible")
    )
    await memory.create_bank("anna")
    await commit(memory, LOFT)
    assert model.asked == []  # alone it raises no doubt, and costs nothing
    await commit(memory, BOAT)
    await commit(memory, TEA)
    assert model.asked == [[(LOFT, BOAT)], [(BOAT, TEA)]]  # a fact that has ended is not judged again
    rows = admin.execute(
        "select f.fact, s.fact, f.valid_to = s.valid_from from memory.semantic_memory f "
        "left join memory.semantic_memory s on s.memory_id = f.superseded_by order by f.valid_from"
    )
    assert rows.fetchall() == [(LOFT, BOAT, True), (BOAT, None, None), (TEA, None, None)]
    ledger = admin.execute(
        "select purpose, items, input_tokens, output_tokens, outcome from memory.model_call order by call_id"
    )
    assert ledger.fetchall() == [("judge", 1, 50, 5, "ok")] * 2
    told = admin.execute("select decision, judged_by from memory.fact_pair order by decision").fetchall()
    assert told == [("compatible", "scripted"), ("successor", "scripted")]


@pytest.mark.parametrize(
    "answer", ["no JSON", '{"pairs": []}', '{"pairs": [{"pair": 0, "verdict": "maybe"}]}']
)
async def test_an_answer_of_no_use_costs_no_fact_anything(memory: Memory, admin: Admin, answer: str) -> None:
    model = with_model(memory, ScriptedModel())
    model.answer = lambda: answer
    await memory.create_bank("anna")
    await commit(memory, LOFT, BOAT)
    assert len(model.asked) == 2  # once more for repair
    assert (await memory.stats("anna"))["queue"] == {"depth": 0, "oldest_seconds": 0, "dead": 0}
    assert [(f.valid_to, f.status) for f in (await memory.list_facts("anna")).items] == [
        (None, "tentative")
    ] * 2
    assert admin.execute("select count(*) from memory.fact_pair").fetchone() == (0,)


async def test_an_outage_is_waited_out(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory_service.intake.worker.OUTAGE_SECONDS", 0.1)
    model = with_model(memory, ScriptedModel(lambda older, newer: "conflict"))

    def down() -> str:
        if len(model.asked) < 3:
            raise ProviderUnavailable("down")
        model.answer = None
        return "no JSON"

    model.answer = down
    await memory.create_bank("anna")
    await commit(memory, LOFT, BOAT)
    assert len(model.asked) >= 3
    facts = (await memory.list_facts("anna")).items
    assert sorted(round(fact.confidence, 2) for fact in facts) == [0.63, 0.9]


async def test_a_bank_that_asks_no_model_is_not_judged(memory: Memory, admin: Admin) -> None:
    model = with_model(memory, ScriptedModel())
    await memory.create_bank("anna", {"language_model": False})
    await commit(memory, LOFT, BOAT)
    assert model.asked == []
    assert admin.execute("select count(*) from memory.fact_pair").fetchone() == (0,)


async def test_what_the_daily_cap_has_no_room_for_waits(memory: Memory, admin: Admin) -> None:
    model = with_model(memory, ScriptedModel())
    await memory.create_bank("anna", {"daily_tokens": 40})
    admin.execute(
        "insert into memory.model_call (bank_id, model, purpose, items, input_tokens, output_tokens, seconds, outcome, "
        "at) values ('anna', 'm', 'extract', 1, 40, 0, 1, 'ok', now())"
    )
    await memory.remember("anna", LOFT, type="semantic")
    await memory.remember("anna", BOAT, type="semantic")
    async with at_work(memory):
        waiting = (
            "select last_error from memory.work where kind = 'judge' and not_before > now() + interval '10 s'"
        )
        await until(lambda: admin.execute(waiting).fetchall())
    assert model.asked == []


async def test_the_night_asks_about_what_nobody_was_there_to_judge(
    memory: Memory, admin: Admin, settings: Settings
) -> None:
    script(memory, ScriptedEmbedder())
    await memory.create_bank("anna")
    await commit(memory, LOFT, BOAT)
    model = with_model(memory, ScriptedModel(lambda older, newer: "successor"))

    async def night() -> Outcome:
        bank = await memory.store.banks.read("anna")
        return await Confidence().run(
            bank, PassContext(memory.store, memory.models, settings, datetime.now(UTC))
        )

    model.answer = down
    assert (await night()).counts["model_unavailable"] == 1
    model.answer = None
    assert (await night()).counts["judged"] == 1
    assert (await night()).counts["judged"] == 0
    assert model.asked == [[(LOFT, BOAT)]] * 2
    assert admin.execute("select count(*) from memory.semantic_memory where valid_to is null").fetchone() == (
        1,
    )


@pytest.mark.parametrize("error", [RequestRejected("no"), NoAnswer("no")])
async def test_one_text_that_a_model_cannot_take_keeps_no_other_from_being_judged(
    memory: Memory, admin: Admin, settings: Settings, error: Exception
) -> None:
    script(memory, ScriptedEmbedder())
    await memory.create_bank("anna")
    await commit(memory, LOFT, BOAT, TEA, POISON)
    model = with_model(memory, ScriptedModel())
    ask = model.ask

    async def poisoned(task: Task, texts: Sequence[str]) -> Reply:
        if POISON in texts[0]:
            raise error
        return await ask(task, texts)

    async def night() -> Counter[str]:
        bank = await memory.store.banks.read("anna")
        at = PassContext(memory.store, memory.models, settings, datetime.now(UTC))
        return (await Confidence().run(bank, at)).counts

    model.ask = poisoned  # type: ignore[method-assign]
    await night()
    told = admin.execute(
        "select p.judged_by, count(*) from memory.fact_pair p group by 1 order by 1"
    ).fetchall()
    assert told[0] == ("scripted", 3)
    assert [by for by, _ in told[1:]] == ["scripted: no answer"]
    asked = len(model.asked)
    assert (await night())["judged"] == 0
    assert len(model.asked) == asked


@pytest.mark.parametrize("texts", [(LOFT, BOAT), (LOFT, BOAT, TEA)])
async def test_a_model_that_does_not_answer_at_all_is_asked_again_the_next_night(
    memory: Memory, admin: Admin, settings: Settings, texts: Sequence[str]
) -> None:
    script(memory, ScriptedEmbedder())
    await memory.create_bank("anna")
    await commit(memory, *texts)
    model = with_model(memory, ScriptedModel())
    bank = await memory.store.banks.read("anna")
    for _ in range(2):
        model.answer = silent
        night = PassContext(memory.store, memory.models, settings, datetime.now(UTC))
        assert (await Confidence().run(bank, night)).counts["model_unavailable"] == 1
    model.answer = None
    night = PassContext(memory.store, memory.models, settings, datetime.now(UTC))
    assert (await Confidence().run(bank, night)).counts["judged"] == (1 if len(texts) == 2 else 3)


async def test_a_model_that_answers_nothing_of_use_is_asked_again_the_next_night(
    memory: Memory, admin: Admin, settings: Settings
) -> None:
    script(memory, ScriptedEmbedder())
    await memory.create_bank("anna")
    await commit(memory, LOFT, BOAT, TEA)
    model = with_model(memory, ScriptedModel())
    model.answer = lambda: "no JSON"
    bank = await memory.store.banks.read("anna")
    night = PassContext(memory.store, memory.models, settings, datetime.now(UTC))
    assert (await Confidence().run(bank, night)).counts["unusable"] == 1
    assert len(model.asked) == 8  # all at once, then three alone, each once more for repair
    model.answer = None
    assert (await Confidence().run(bank, night)).counts["judged"] == 3


def silent() -> str:
    raise NoAnswer("no answer in time")


def down() -> str:
    raise ProviderUnavailable("down")


def test_verdicts_find_their_pairs_whatever_their_order() -> None:
    answer = '{"pairs": [{"pair": 1, "verdict": "same"}, {"pair": 0, "verdict": "conflict"}]}'
    assert read_decisions(answer, 2) == ("conflict", "same")
    for wrong in (1, 3):
        with pytest.raises(UnusableAnswerError, match="pairs: wanted each of 0"):
            read_decisions(answer, wrong)
    assert json.loads(quoted_pairs([])) == {"pairs": []}
