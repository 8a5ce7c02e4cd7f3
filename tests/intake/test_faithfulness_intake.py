"""What a model writes of a segment is checked: one repair call, then the rules' summary."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from memory_service.errors import ProviderUnavailable
from memory_service.memory import Memory
from memory_service.models.interface import Reply, Task
from memory_service.models.model_extractor import ModelExtractor
from memory_service.requests import NewMessage
from tests.conftest import Admin, settle
from tests.support.scripted import ScriptedEmbedder, script

SAID = "I don't eat meat any more, and my sister Marta moved to Porto with her 2 dogs yesterday."
SAID_AT = datetime(2026, 3, 14, 18, 30, tzinfo=UTC)
"""The numbers of a date support those of a summary: there is no 9 and no 7 in this one."""
GOOD = "The user no longer eats meat. Their sister Marta moved to Porto with two dogs."


class Writes:
    """A language model that writes these summaries, one a call; an error instead of one is raised. A call costs 110
    tokens."""

    name = "writer"

    def __init__(self, *summaries: str | Exception, **changes: Any) -> None:
        self.left = list(summaries)
        self.changes = changes
        self.asked: list[Sequence[str]] = []

    async def ask(self, task: Task, texts: Sequence[str]) -> Reply:
        self.asked.append(texts)
        summary = self.left.pop(0)
        if isinstance(summary, Exception):
            raise summary
        gates = ("explicit_request", "relational_damage", "identity_defining", "stable_fact", "decision_made")
        features = ("emotion", "personal", "decision", "asked", "conflict")
        entry: dict[str, Any] = {
            "segment": 0, "gates": dict.fromkeys(gates, True), "harm": "none", "summary": summary, "valence": 0,
            "emotions": ["neutral"], "topics": ["food"], "entities": ["Marta", "Walter"],
            "features": dict.fromkeys(features, 0.2), "weight": 0.5, "lesson": None, "facts": [],
        }  # fmt: skip
        return Reply(json.dumps({"segments": [entry | self.changes]}), 100, 10)

    async def aclose(self) -> None:
        return


def writing(memory: Memory, *summaries: str | Exception, **changes: Any) -> Writes:
    model = Writes(*summaries, **changes)
    script(memory, ScriptedEmbedder())
    memory.models.extractor = lambda: ModelExtractor(model)  # type: ignore[method-assign]
    return model


async def said(memory: Memory, bank: str = "anna", **settings: Any) -> None:
    await memory.create_bank(bank, settings)
    await memory.add_messages(bank, "c1", [NewMessage("user", SAID, occurred_at=SAID_AT)])


def kept(admin: Admin, bank: str = "anna") -> list[tuple[Any, ...]]:
    return admin.execute(
        "select e.summary, e.extracted_by, d.reason from memory.episodic_memory e "
        "join memory.gate_decision d on d.bank_id = e.bank_id and d.memory_id = e.memory_id where e.bank_id = %s",
        (bank,),
    ).fetchall()


def spent(admin: Admin, bank: str = "anna") -> list[tuple[Any, ...]]:
    return admin.execute(
        "select outcome, input_tokens, output_tokens from memory.model_call "
        "where bank_id = %s and purpose = 'extract' order by call_id",
        (bank,),
    ).fetchall()


async def test_a_faithful_summary_costs_one_call(memory: Memory, admin: Admin) -> None:
    model = writing(memory, GOOD)
    await said(memory)
    await settle(memory, "anna")
    assert [row[:2] for row in kept(admin)] == [(GOOD, "writer")]
    assert len(model.asked) == 1


BAD = {
    "alien": "Ripe bananas, mangoes, papayas, kiwis.",
    "long": "The user does not eat meat any more. " * 100,
    "number": "The user no longer eats meat. Their sister Marta moved to Porto with 5 dogs.",
    "name": "The user no longer eats meat. Their sister Marta moved to Hamburg with 2 dogs.",
    "negation": "The user eats meat. Their sister Marta moved to Porto with 2 dogs.",
}


async def test_what_is_repaired_is_used(memory: Memory, admin: Admin) -> None:
    for bank, bad in BAD.items():
        model = writing(memory, bad, GOOD)
        await said(memory, bank)
        await settle(memory, bank)
        ((summary, by, reason),) = kept(admin, bank)
        assert (summary, by) == (GOOD, "writer")
        assert "refused" not in str(reason)
        (_, shown) = model.asked[1]
        problem = json.loads(shown.partition("\n")[2])["problem"]
        assert problem.startswith("segments.0.summary: ")
        assert spent(admin, bank) == [("ok", 200, 20)], "both calls are in the ledger"


async def test_what_is_refused_twice_is_extracted_by_rules(memory: Memory, admin: Admin) -> None:
    kinds = {"alien": "words", "long": "long", "number": "numbers", "name": "names", "negation": "negation"}
    for bank, bad in BAD.items():
        model = writing(memory, bad, bad)
        await said(memory, bank)
        await settle(memory, bank)
        ((summary, by, reason),) = kept(admin, bank)
        assert "Marta moved to Porto with her 2 dogs" in str(summary)
        assert by == "rules"
        assert "the words of writer were refused: " in str(reason)
        assert kinds[bank] in str(reason)
        assert len(model.asked) == 2


async def test_an_unusable_repair_leaves_the_rules(memory: Memory, admin: Admin) -> None:
    writing(memory, BAD["alien"], " ")
    await said(memory)
    await settle(memory, "anna")
    assert [row[1] for row in kept(admin)] == ["rules"]


async def test_a_repair_that_gets_no_answer_leaves_what_is_usable(memory: Memory, admin: Admin) -> None:
    model = writing(memory, BAD["alien"], ProviderUnavailable("down"))
    await said(memory)
    await settle(memory, "anna")
    assert [row[1] for row in kept(admin)] == ["rules"]
    assert len(model.asked) == 2
    assert spent(admin) == [("ok", 100, 10)], "what the first call took is counted"


async def test_no_repair_beyond_the_cap(memory: Memory, admin: Admin) -> None:
    model = writing(memory, BAD["alien"])
    await said(memory, daily_tokens=150)
    await settle(memory, "anna")
    assert [row[1] for row in kept(admin)] == ["rules"]
    assert len(model.asked) == 1


async def test_only_what_rests_on_the_text_is_kept_beside_the_summary(memory: Memory, admin: Admin) -> None:
    def fact(text: str, value: str) -> dict[str, Any]:
        return {"text": text, "subject": "user", "attribute": "x", "value": value, "stated": True}

    facts = [
        fact("The user's sister Marta lives in Porto.", "Porto"),
        fact("The user's sister Marta lives in Lisbon.", "Lisbon"),
        fact("Marta has 7 dogs.", "7"),
        fact("The user collects stamps.", "stamps"),
    ]
    writing(memory, GOOD, facts=facts, valence=0.9, emotions=["grief"], lesson="Never call before 9.")
    await said(memory)
    await settle(memory, "anna")
    ((told, entities, lesson, valence),) = admin.execute(
        "select candidate_facts, entities, lesson, emotional_valence from memory.episodic_memory"
    ).fetchall()
    assert [one["text"] for one in told] == ["The user's sister Marta lives in Porto."]  # type: ignore[index,union-attr]
    assert entities == ["Marta"]
    assert lesson is None
    assert float(str(valence)) < 0.5, "joy about nothing but grief is not believed"
