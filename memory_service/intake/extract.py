"""Second step: segments are judged and summarized; each ends as an episode or as a refusal, with its reasons."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, cast
from uuid import UUID

import uuid_utils.compat as uuids

from memory_service.errors import InvalidOutput
from memory_service.importance import stored_importance
from memory_service.models.interface import Extractor
from memory_service.rules import RulesExtractor
from memory_service.rules.gate import ECHO, Ruling, command_among, judge, refused
from memory_service.rules.speech import without_echo
from memory_service.store import Store
from memory_service.store.messages import StoredSegment
from memory_service.store.work import Claim, Kind
from memory_service.types import Bank, Extraction, Segment, Verdict

LANDMARK_VALENCE = 0.6
LANDMARK_IMPORTANCE = 0.8


@dataclass(frozen=True, slots=True)
class Case:
    """One claimed segment on its way through the gate."""

    claim: Claim
    bank: Bank
    stored: StoredSegment
    ruling: Ruling

    @property
    def segment(self) -> Segment:
        return self.stored.segment


class Extract:
    """Gate and extraction: rules decide the clear cases, the extractor the rest and every summary."""

    kind: Kind = "extract"
    per_bank = 64
    context_size = 6

    def __init__(self, store: Store, extractor: Extractor, batch: int = 16) -> None:
        self._store = store
        self._extractor = extractor
        self._rules = RulesExtractor()
        self.batch = batch

    async def run(self, claims: Sequence[Claim], done: set[UUID]) -> None:
        cases = [case for bank_id in dict.fromkeys(c.bank_id for c in claims)
                 for case in await self._read(bank_id, [c for c in claims if c.bank_id == bank_id], done)]  # fmt: skip
        for case in [c for c in cases if c.ruling.decision == "refuse"]:
            await self._refuse(case, case.ruling.verdicts, "rules", done)
        # What commands the agent is not shown to a model, and verbatim banks pay for no summary: both go by rules.
        by_rules = [c for c in cases if c.ruling.decision == "quarantine" or c.bank.intake == "verbatim"]
        by_model = [c for c in cases if c.ruling.decision != "refuse" and c not in by_rules]
        for extractor, group in ((self._rules, by_rules), (self._extractor, by_model)):
            await self._extract(extractor, group, done)

    async def _read(self, bank_id: str, claims: Sequence[Claim], done: set[UUID]) -> list[Case]:
        bank = await self._store.banks.read(bank_id)
        segments = await self._store.messages.read_segments(
            bank_id, [UUID(c.subject) for c in claims], self.context_size
        )
        # In a thread, as the rules' extraction: judging long texts must not keep leases from being renewed.
        rulings = await asyncio.to_thread(
            lambda: {segment_id: ruling_of(stored.segment, bank) for segment_id, stored in segments.items()}
        )
        cases: list[Case] = []
        for claim in claims:
            stored = segments.get(UUID(claim.subject))
            if stored is None:  # its messages were erased meanwhile
                await self._store.work.complete(claim)
                done.add(claim.token)
                continue
            cases.append(Case(claim, bank, stored, rulings[stored.segment.segment_id]))
        return cases

    async def _extract(self, extractor: Extractor, cases: Sequence[Case], done: set[UUID]) -> None:
        if not cases:
            return
        answer = await extractor.extract([case.segment for case in cases])
        if len(answer.items) != len(cases):
            raise InvalidOutput(f"{len(cases)} segments were sent, {len(answer.items)} came back")
        if answer.usage is not None:
            for bank_id in dict.fromkeys(c.bank.bank_id for c in cases):
                share = sum(c.bank.bank_id == bank_id for c in cases)
                await self._store.retrieval.record_model_call(
                    bank_id, answer.usage.share(share, len(cases)), share, "ok"
                )
        for case, extraction in zip(cases, answer.items, strict=True):
            await self._settle(case, extraction, done)

    async def _settle(self, case: Case, extraction: Extraction, done: set[UUID]) -> None:
        verdicts = merged(case.ruling.verdicts, extraction.verdicts)
        harmless = all(v.passed for v in verdicts if v.gate == "harm_check")
        if case.ruling.decision == "quarantine" or commands(verdicts):
            await self._keep(case, extraction, verdicts, "quarantined", done)
        elif not harmless and case.bank.intake != "verbatim":
            await self._refuse(case, verdicts, extraction.extracted_by, done)
        elif case.ruling.decision == "keep" or extraction.keep:
            await self._keep(case, extraction, verdicts, "pending_embedding", done)
        else:
            await self._refuse(case, verdicts, extraction.extracted_by, done)

    async def _refuse(
        self, case: Case, verdicts: Sequence[Verdict], decided_by: str, done: set[UUID]
    ) -> None:
        decision = decision_of("refused", verdicts, decided_by)
        await self._store.episodes.decide(case.claim, decision, None)
        done.add(case.claim.token)

    async def _keep(
        self, case: Case, extraction: Extraction, verdicts: Sequence[Verdict], status: str, done: set[UUID]
    ) -> None:
        # What is checked is what will be printed: a harmless exchange may have a commanding name, or summary.
        command = command_among(strings_in(printed(case, extraction)))
        if command is not None:
            verdicts, status = merged(verdicts, (command,)), "quarantined"
        ruled = command is not None or case.ruling.decision in ("keep", "quarantine")
        decision = decision_of(
            "quarantined" if status == "quarantined" else "stored",
            verdicts,
            "rules" if ruled else extraction.extracted_by,
            verbatim=case.bank.intake == "verbatim",
        )
        await self._store.episodes.decide(
            case.claim, decision, episode_of(case, extraction, status, decision)
        )
        done.add(case.claim.token)


def merged(first: Sequence[Verdict], second: Sequence[Verdict]) -> tuple[Verdict, ...]:
    """The rules' verdicts, then those of gates that the rules had nothing to say about. Harm that either of them
    found stands."""
    said = {v.gate for v in first}
    harm = [v for v in second if v.gate == "harm_check" and not v.passed]
    if harm:
        first = [v for v in first if v.gate != "harm_check" or not v.passed]
    return (*first, *(v for v in second if v.gate not in said or v in harm))


def commands(verdicts: Sequence[Verdict]) -> bool:
    """Whether the harm check failed because the text tries to command the agent: that is kept, in quarantine."""
    return any(v.gate == "harm_check" and not v.passed and v.reason.startswith("command") for v in verdicts)


def decision_of(
    outcome: str, verdicts: Sequence[Verdict], decided_by: str, *, verbatim: bool = False
) -> dict[str, Any]:
    """A decision's JSON; its reason is the verdict that settled it."""
    harm = [v for v in verdicts if v.gate == "harm_check" and not v.passed]
    passed = [v for v in verdicts if v.passed and v.gate != "harm_check"]
    if verbatim and outcome == "stored":
        reason = "verbatim intake keeps every message"
    elif outcome != "stored" and harm:
        reason = f"harm_check: {harm[0].reason}"
    elif outcome == "stored" and passed:
        reason = f"{passed[0].gate}: {passed[0].reason}"
    else:
        about_facts = [v.reason for v in verdicts if v.gate == "stable_fact"]
        reason = "; ".join(["no gate passed", *about_facts])
    return {
        "decision_id": str(uuids.uuid7()),
        "outcome": outcome,
        "reason": reason,
        "verdicts": [asdict(v) for v in verdicts],
        "decided_by": decided_by,
    }


def extracted_fields(extraction: Extraction, importance: float) -> dict[str, Any]:
    """The columns of an episode that come from its extraction."""
    return {
        "importance": importance,
        "importance_features": asdict(extraction.features),
        "emotional_valence": extraction.valence,
        "emotions": extraction.emotions,
        "lesson": extraction.lesson,
        "topics": extraction.topics,
        "entities": extraction.entities,
        "candidate_facts": [asdict(fact) for fact in extraction.facts],
        "extracted_by": extraction.extracted_by,
        "landmark": abs(extraction.valence) > LANDMARK_VALENCE or importance > LANDMARK_IMPORTANCE,
    }


def episode_of(
    case: Case, extraction: Extraction, status: str, decision: Mapping[str, Any]
) -> dict[str, Any]:
    """An episode's JSON: the extraction's fields, and where the segment came from."""
    utterances = case.segment.utterances
    by_weight = case.bank.intake == "snippet" and extraction.weight is not None
    importance = extraction.weight if by_weight else stored_importance(extraction.features)
    return {
        "memory_id": str(uuids.uuid7()),
        "agent_id": case.stored.agent_id,
        "source": "import" if case.claim.lane else "user",
        "status": status,
        "occurred_at": utterances[0].occurred_at.isoformat(),
        "full_text": {
            "messages": [
                {
                    "message_id": str(u.message_id),
                    "role": u.role,
                    "name": u.name,
                    "content": u.content,
                    "occurred_at": u.occurred_at.isoformat(),
                }
                for u in utterances
            ]
        },
        "summary": summary_of(case, extraction),
        "metadata": case.stored.metadata,
        "reason": decision["reason"],
        "actor": decision["decided_by"],
        **extracted_fields(extraction, importance or 0.0),
    }


def ruling_of(segment: Segment, bank: Bank) -> Ruling:
    """What the rules say of a segment in this bank: verbatim intake keeps all but commands and mere echoes."""
    ruling = judge(segment)
    if bank.intake != "verbatim" or ruling.decision == "quarantine":
        return ruling
    return Ruling("keep", ruling.verdicts) if without_echo(segment.utterances[0].content) else refused(ECHO)


def summary_of(case: Case, extraction: Extraction) -> str:
    return verbatim_text(case.segment) if case.bank.intake == "verbatim" else extraction.summary


def verbatim_text(segment: Segment) -> str:
    """The message as it was said, with who said it, without what this service had put into it."""
    first = segment.utterances[0]
    said = without_echo(first.content)
    return f"{first.name}: {said}" if first.name else said


def printed(case: Case, extraction: Extraction) -> list[Any]:
    """Everything of an episode that a reader of memories may get to see."""
    return [
        summary_of(case, extraction),
        extraction.lesson,
        extraction.topics,
        extraction.entities,
        extraction.emotions,
        [[fact.text, fact.subject, fact.attribute, fact.value] for fact in extraction.facts],
        [utterance.name for utterance in case.segment.utterances],
        case.stored.metadata,
    ]


def strings_in(value: object) -> Iterator[str]:
    """Every string within lists and mappings, keys too; without recursion, however deep they are nested."""
    left = [value]
    while left:
        item = left.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, Mapping):
            left += [part for pair in cast("Mapping[object, object]", item).items() for part in pair]
        elif isinstance(item, list | tuple):
            left += cast("Sequence[object]", item)
