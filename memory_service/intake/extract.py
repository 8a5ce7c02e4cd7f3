"""Second step: segments are judged and summarized; each ends as an episode or as a refusal, with its reasons."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from memory_service.config import Settings
from memory_service.errors import InvalidOutput
from memory_service.features import Features, features_of
from memory_service.intake.by_bank import by_bank
from memory_service.intake.concurrency import together
from memory_service.intake.episode import episode_of, printed
from memory_service.intake.gate_decision import commands, decision_of, merged, ruling_of
from memory_service.intake.json_strings import strings_in
from memory_service.intake.ledger import Ledger
from memory_service.models.interface import Extractor, estimated_tokens
from memory_service.models.prompts import EXTRACTION
from memory_service.rules.extractor import RulesExtractor
from memory_service.rules.gate.gate import Ruling, command_among
from memory_service.rules.replies import reply_in
from memory_service.speakers import speakers_of
from memory_service.store import Store
from memory_service.store.messages import StoredSegment
from memory_service.store.work import Claim, Kind
from memory_service.types import Extraction, Segment, Usage, Verdict

CONTEXT_MESSAGES = 6
MOST_SEGMENTS = 8
MOST_CHARACTERS = 24_000
"""What shares one call: few enough that one that cannot be read takes few others with it to a second try."""
CALLS_AT_ONCE = 4
ANSWER_TOKENS = 400
PROMPT_TOKENS = estimated_tokens(EXTRACTION)
DECIDED_CHARACTERS = 1_000_000
"""About this much text is written in one transaction."""

RulingJson = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Case:
    """One claimed segment on its way through the gate."""

    claim: Claim
    features: Features
    stored: StoredSegment
    ruling: Ruling

    @property
    def segment(self) -> Segment:
        return self.stored.segment

    @property
    def characters(self) -> int:
        return sum(len(u.content) for u in (*self.segment.utterances, *self.segment.context))


class Extract:
    """Gate and extraction: rules decide the clear cases, the extractor the rest and every summary."""

    kind: Kind = "extract"
    batch = 64
    per_bank = 128
    parallel = 2
    feeds: tuple[Kind, ...] = ("embed",)

    def __init__(self, store: Store, extractor: Extractor, settings: Settings) -> None:
        self._store = store
        self._extractor = extractor
        self._settings = settings
        self._rules = RulesExtractor()
        self._ledger = Ledger(store)
        self._calls = asyncio.Semaphore(CALLS_AT_ONCE)

    async def run(self, claims: Sequence[Claim], done: set[UUID]) -> None:
        cases = [case for bank_id, mine in by_bank(claims, lambda claim: claim.bank_id).items()
                 for case in await self._read(bank_id, mine, done)]  # fmt: skip
        by_model = [case for case in cases if self._asks_model(case)]
        by_rules = [case for case in cases if not self._asks_model(case)]
        rulings = [(c, refusal_of(c, c.ruling.verdicts, "rules"))
                   for c in by_rules if c.ruling.decision == "refuse"]  # fmt: skip
        extracted = [case for case in by_rules if case.ruling.decision != "refuse"]
        if extracted:
            answer = await self._rules.extract([c.segment for c in extracted], [c.ruling for c in extracted])
            rulings += await asyncio.to_thread(all_ruled, extracted, answer.items)
        await self._decide(rulings, done)
        # A call is about one bank: what one person says must not colour what is remembered of another.
        groups = [group for bank_id, mine in by_bank(by_model, lambda case: case.claim.bank_id).items()
                  for group in grouped(await self._affordable(bank_id, mine, done))]  # fmt: skip
        await together(self._ask(group, done) for group in groups)

    def _asks_model(self, case: Case) -> bool:
        """Whether a language model reads this. What commands the agent is not shown to one, and verbatim banks pay
        for no summary."""
        return (
            case.ruling.decision in ("keep", "undecided")
            and case.features.intake != "verbatim"
            and case.features.language_model
            and self._extractor.name != self._rules.name
        )

    async def _read(self, bank_id: str, claims: Sequence[Claim], done: set[UUID]) -> list[Case]:
        bank = await self._store.banks.read(bank_id)
        features = features_of(bank.settings, self._settings)
        segments = await self._store.messages.read_segments(
            bank_id,
            [UUID(c.subject) for c in claims],
            0 if features.intake == "verbatim" else CONTEXT_MESSAGES,
        )
        # In a thread, as the rules' extraction: judging long texts must not keep leases from being renewed.
        speakers = speakers_of(bank.settings)
        segments = {
            segment_id: replace(stored, segment=speakers.attributed(stored.segment))
            for segment_id, stored in segments.items()
        }
        rulings = await asyncio.to_thread(
            lambda: {
                segment_id: ruling_of(stored.segment, features) for segment_id, stored in segments.items()
            }
        )
        cases: list[Case] = []
        for claim in claims:
            stored = segments.get(UUID(claim.subject))
            if stored is None:  # its messages were erased meanwhile
                await self._store.work.complete(claim)
                done.add(claim.token)
                continue
            cases.append(Case(claim, features, stored, rulings[stored.segment.segment_id]))
        return cases

    async def _affordable(self, bank_id: str, mine: Sequence[Case], done: set[UUID]) -> Sequence[Case]:
        """The bank's cases that today's cap leaves room for; the others wait for tomorrow."""
        share = PROMPT_TOKENS // min(MOST_SEGMENTS, len(mine))
        costs = [share + cost_of(case) for case in mine]
        fitting = await self._ledger.affordable(bank_id, mine[0].features.daily_tokens, costs)
        await self._ledger.wait(bank_id, [case.claim for case in mine[fitting:]], done)
        return mine[:fitting]

    async def _ask(self, cases: Sequence[Case], done: set[UUID]) -> None:
        """One call to the model for these segments of one bank, and what comes of it."""
        bank_id, cap = cases[0].claim.bank_id, cases[0].features.daily_tokens
        read = PROMPT_TOKENS + sum(cost_of(case) - ANSWER_TOKENS for case in cases)
        estimate = Usage(self._extractor.name, "extract", read, ANSWER_TOKENS * len(cases))
        async with (
            self._calls,
            self._ledger.entry({bank_id: estimate}, {bank_id: len(cases)}, {bank_id: cap}) as entry,
        ):
            if not entry.lines:
                await self._ledger.wait(bank_id, [case.claim for case in cases], done)
                return
            answer = await self._extractor.extract(
                [case.segment for case in cases], afford=self._ledger.repairs(bank_id, cap)
            )
            if len(answer.items) != len(cases):
                raise InvalidOutput(f"{len(cases)} segments were sent, {len(answer.items)} came back")
            entry.usage = answer.usage
        await self._decide(await asyncio.to_thread(all_ruled, cases, answer.items), done)

    async def _decide(self, rulings: Sequence[tuple[Case, RulingJson]], done: set[UUID]) -> None:
        """Write rulings, those of a bank together."""
        for bank_id, mine in by_bank(rulings, lambda ruling: ruling[0].claim.bank_id).items():
            while mine:
                count, characters = 0, 0
                while count < len(mine) and characters < DECIDED_CHARACTERS:
                    characters += mine[count][0].characters
                    count += 1
                await self._store.episodes.decide(bank_id, [ruling for _, ruling in mine[:count]])
                done.update(case.claim.token for case, _ in mine[:count])
                mine = mine[count:]


def cost_of(case: Case) -> int:
    """About how many tokens this segment's part of a call takes, the prompt apart."""
    return case.characters // 4 + 1 + ANSWER_TOKENS


def grouped(cases: Sequence[Case]) -> list[list[Case]]:
    """Cases in groups that share a call."""
    groups: list[list[Case]] = []
    held = 0
    for case in cases:
        full = (
            held + case.characters > MOST_CHARACTERS or len(groups[-1]) == MOST_SEGMENTS if groups else True
        )
        if full:
            groups.append([])
            held = 0
        groups[-1].append(case)
        held += case.characters
    return groups


def all_ruled(cases: Sequence[Case], extractions: Sequence[Extraction]) -> list[tuple[Case, RulingJson]]:
    """Each case with what becomes of it. Called in a thread: reading long replies takes milliseconds each."""
    return [(case, ruled(case, e)) for case, e in zip(cases, extractions, strict=True)]


def ruled(case: Case, extraction: Extraction) -> RulingJson:
    """What becomes of a segment after its extraction."""
    verdicts = merged(case.ruling.verdicts, extraction.verdicts)
    harmless = all(v.passed for v in verdicts if v.gate == "harm_check")
    if case.ruling.decision == "quarantine" or commands(verdicts):
        return kept(case, extraction, verdicts, "quarantined")
    if not harmless and case.features.intake != "verbatim":
        return refusal_of(case, verdicts, extraction.extracted_by, extraction.refused)
    if case.ruling.decision == "keep" or extraction.keep:
        return kept(case, extraction, verdicts, "pending_embedding")
    return refusal_of(case, verdicts, extraction.extracted_by, extraction.refused)


def refusal_of(
    case: Case, verdicts: Sequence[Verdict], decided_by: str, note: str | None = None
) -> RulingJson:
    return ruling_json(case, decision_of("refused", verdicts, decided_by, note=note), None)


def kept(case: Case, extraction: Extraction, verdicts: Sequence[Verdict], status: str) -> RulingJson:
    # What a model wrote is printed like what a person said, and so are names and metadata.
    command = command_among(strings_in(printed(case.stored, case.features, extraction)))
    if command is not None:
        verdicts, status = merged(verdicts, (command,)), "quarantined"
    by_rules = command is not None or case.ruling.decision in ("keep", "quarantine")
    decision = decision_of(
        "quarantined" if status == "quarantined" else "stored",
        verdicts,
        "rules" if by_rules else extraction.extracted_by,
        always=why_always(case.features),
        note=extraction.refused,
    )
    episode = episode_of(case.stored, case.features, case.claim.lane, extraction, status, decision)
    return ruling_json(case, decision, episode)


def why_always(features: Features) -> str | None:
    """Why a bank keeps everything, where it does."""
    if features.intake == "verbatim":
        return "verbatim intake keeps every message"
    return None if features.gate else "the gate is off in this bank"


def ruling_json(case: Case, decision: dict[str, Any], episode: dict[str, Any] | None) -> RulingJson:
    return {
        "segment": case.claim.subject,
        "token": str(case.claim.token),
        "decision": decision,
        "episode": episode,
        "replies": replies_in(case.segment),
    }


def replies_in(segment: Segment) -> list[dict[str, str]]:
    """The user's messages that begin with an affirmation or a denial: they may settle what the last context doubted."""
    heard = ((u.message_id, reply_in(u.content)) for u in segment.utterances if u.role == "user")
    return [
        {"message_id": str(message_id), "reply": reply} for message_id, reply in heard if reply is not None
    ]
