"""Step `extract`: gate and extraction. Each segment becomes an episode or is refused, with a gate decision."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from memory_service.config import Settings
from memory_service.features import Features
from memory_service.intake.by_bank import by_bank
from memory_service.intake.claim_batch import ClaimBatch
from memory_service.intake.concurrency import gather_all
from memory_service.intake.embed import FEW_TEXTS, EarlyEmbedding
from memory_service.intake.episode import episode_of, recallable_values, verbatim_text
from memory_service.intake.extraction_call import ANSWER_TOKENS, PROMPT_TOKENS, extract_segments
from memory_service.intake.gate_decision import decision_of, gate_segment, is_command, merge_verdicts
from memory_service.intake.json_strings import strings_in
from memory_service.intake.model_calls import TokenLimitReached
from memory_service.intake.step import Step
from memory_service.models.registry import Models
from memory_service.requests import LIVE
from memory_service.rules.extractor import RulesExtractor, run_rules
from memory_service.rules.gate.gate import Ruling, command_among
from memory_service.rules.replies import choice_in, offers_choice, reply_in
from memory_service.speakers import speakers_of
from memory_service.store import Store
from memory_service.store.messages import StoredSegment
from memory_service.store.work import Claim, Kind
from memory_service.text.sentences import without_echo
from memory_service.types import Bank, Extraction, Segment, Verdict

CONTEXT_MESSAGES = 6
MOST_SEGMENTS = 8
MOST_CHARACTERS = 24_000
"""Limits of one call: a segment that the model cannot process sends few others to a second attempt."""
CALLS_AT_ONCE = 4
CHARACTERS_PER_WRITE = 1_000_000
"""Text written in one transaction, approximately."""

DecisionJson = dict[str, Any]
"""A gate decision with its episode, as memory_api.decide_segments takes it."""


@dataclass(frozen=True, slots=True)
class Case:
    """A claimed segment and the rules' ruling on it."""

    claim: Claim
    bank: Bank
    features: Features
    stored: StoredSegment
    ruling: Ruling

    @property
    def segment(self) -> Segment:
        return self.stored.segment

    @property
    def characters(self) -> int:
        return sum(len(u.content) for u in (*self.segment.utterances, *self.segment.context))

    @property
    def tokens(self) -> int:
        """Estimated input tokens."""
        return self.characters // 4 + 1

    @property
    def is_embedded_early(self) -> bool:
        """Whether it is a live message that is stored as it is: its text is known before its rules are run."""
        return self.features.intake == "verbatim" and self.claim.lane == LIVE


class ExtractStep(Step):
    """Rules decide the clear cases; the extractor decides the others and summarizes all that are kept."""

    kind: Kind = "extract"
    batch = 64
    per_bank = 128
    parallel = 2
    feeds: tuple[Kind, ...] = ("embed",)

    def __init__(self, store: Store, models: Models, settings: Settings) -> None:
        super().__init__(store, models, settings)
        self._extractor = models.extractor()
        self._rules = RulesExtractor()
        self._early = EarlyEmbedding(models)
        self._concurrent_calls = asyncio.Semaphore(CALLS_AT_ONCE)

    async def run(self, batch: ClaimBatch) -> None:
        cases = [case for bank_id, claims in by_bank(batch.claims, lambda claim: claim.bank_id).items()
                 for case in await self._read(bank_id, claims, batch)]  # fmt: skip
        by_model = [case for case in cases if self._uses_model(case)]
        by_rules = [case for case in cases if not self._uses_model(case)]
        decisions = [(case, refusal_of(case, case.ruling.verdicts, "rules"))
                     for case in by_rules if case.ruling.decision == "refuse"]  # fmt: skip
        extracted = [case for case in by_rules if case.ruling.decision != "refuse"]
        if extracted:
            answer = await self._rules.extract([c.segment for c in extracted], [c.ruling for c in extracted])
            decisions += await decide_all(extracted, answer.items)
        kept = {case.claim.token for case, decision in decisions if is_embedded(decision)}
        for case in by_rules:
            if case.is_embedded_early and case.claim.token not in kept:
                self._early.drop(case.bank.embedding_model, verbatim_text(case.segment))
        await self._write(decisions, batch)
        # One bank per call: the text of one person must not affect the memories of another.
        groups = [group for bank_id, own in by_bank(by_model, lambda case: case.claim.bank_id).items()
                  for group in call_groups(await self._affordable(bank_id, own, batch))]  # fmt: skip
        await gather_all(self._extract(group, batch) for group in groups)

    def _uses_model(self, case: Case) -> bool:
        """Whether the language model reads this segment: never an injected command, and none in a verbatim bank, which
        stores no summary."""
        return (
            case.ruling.decision in ("keep", "undecided")
            and case.features.intake != "verbatim"
            and case.features.language_model
            and self._extractor.name != self._rules.name
        )

    async def _read(self, bank_id: str, claims: Sequence[Claim], batch: ClaimBatch) -> list[Case]:
        segment_ids = [UUID(c.subject) for c in claims]
        if len(claims) <= FEW_TEXTS:
            (bank, features), segments = await asyncio.gather(
                self._read_bank(bank_id),
                self._store.messages.read_segments(bank_id, segment_ids, CONTEXT_MESSAGES),
            )
        else:
            bank, features = await self._read_bank(bank_id)
            size = 0 if features.intake == "verbatim" else CONTEXT_MESSAGES
            segments = await self._store.messages.read_segments(bank_id, segment_ids, size)
        if features.intake == "verbatim":
            segments = {segment_id: without_context(stored) for segment_id, stored in segments.items()}
        speakers = speakers_of(bank.settings)
        segments = {
            segment_id: replace(stored, segment=speakers.attributed(stored.segment))
            for segment_id, stored in segments.items()
        }
        if features.intake == "verbatim" and len(batch.claims) <= FEW_TEXTS:
            for claim in claims:
                stored = segments.get(UUID(claim.subject))
                if claim.lane == LIVE and stored is not None:
                    await self._early.begin(bank.embedding_model, verbatim_text(stored.segment))
        rulings = await run_rules(
            lambda: {
                segment_id: gate_segment(stored.segment, features) for segment_id, stored in segments.items()
            },
            [stored.segment for stored in segments.values()],
        )
        cases: list[Case] = []
        for claim in claims:
            stored = segments.get(UUID(claim.subject))
            if stored is None:  # its messages were erased since it was claimed
                await batch.complete(claim)
            else:
                cases.append(Case(claim, bank, features, stored, rulings[stored.segment.segment_id]))
        return cases

    async def _affordable(self, bank_id: str, cases: Sequence[Case], batch: ClaimBatch) -> Sequence[Case]:
        prompt = PROMPT_TOKENS // min(MOST_SEGMENTS, len(cases))
        return await self._calls.take_affordable(
            bank_id,
            cases[0].features.daily_tokens,
            [(case, prompt + case.tokens + ANSWER_TOKENS, case.claim) for case in cases],
            batch,
        )

    async def _extract(self, cases: Sequence[Case], batch: ClaimBatch) -> None:
        """Extract segments of one bank in one call and write the decisions."""
        bank_id, daily_tokens = cases[0].claim.bank_id, cases[0].features.daily_tokens
        try:
            async with self._concurrent_calls:
                extractions = await extract_segments(
                    self._calls,
                    self._extractor,
                    bank_id,
                    daily_tokens,
                    [case.segment for case in cases],
                    sum(case.tokens for case in cases),
                    self._calls.afford(bank_id, daily_tokens),
                )
        except TokenLimitReached:
            await self._calls.postpone(bank_id, [case.claim for case in cases], batch)
            return
        await self._write(await decide_all(cases, extractions), batch)

    async def _write(self, decisions: Sequence[tuple[Case, DecisionJson]], batch: ClaimBatch) -> None:
        """Write decisions, per bank in transactions of about CHARACTERS_PER_WRITE."""
        for bank_id, own in by_bank(decisions, lambda decision: decision[0].claim.bank_id).items():
            while own:
                count, characters = 0, 0
                while count < len(own) and characters < CHARACTERS_PER_WRITE:
                    characters += own[count][0].characters
                    count += 1
                await self._store.episodes.decide(bank_id, [decision for _, decision in own[:count]])
                batch.settle(case.claim for case, _ in own[:count])
                own = own[count:]


def without_context(stored: StoredSegment) -> StoredSegment:
    """The segment without earlier messages, as a verbatim bank reads it."""
    return replace(stored, segment=replace(stored.segment, context=()))


def call_groups(cases: Sequence[Case]) -> list[list[Case]]:
    """Cases in groups of one call each."""
    groups: list[list[Case]] = []
    characters = 0
    for case in cases:
        if not groups or len(groups[-1]) == MOST_SEGMENTS or characters + case.characters > MOST_CHARACTERS:
            groups.append([])
            characters = 0
        groups[-1].append(case)
        characters += case.characters
    return groups


async def decide_all(
    cases: Sequence[Case], extractions: Sequence[Extraction]
) -> list[tuple[Case, DecisionJson]]:
    """Each case with its decision."""
    return await run_rules(
        lambda: [(case, decide(case, e)) for case, e in zip(cases, extractions, strict=True)],
        [case.segment for case in cases],
    )


def decide(case: Case, extraction: Extraction) -> DecisionJson:
    """The gate decision on a segment, after its extraction."""
    verdicts = merge_verdicts(case.ruling.verdicts, extraction.verdicts)
    harmless = all(v.passed for v in verdicts if v.gate == "harm_check")
    if case.ruling.decision == "quarantine" or is_command(verdicts):
        return storage_of(case, extraction, verdicts, "quarantined")
    if not harmless and case.features.intake != "verbatim":
        return refusal_of(case, verdicts, extraction.extracted_by, extraction.refused)
    if case.ruling.decision == "keep" or extraction.keep:
        return storage_of(case, extraction, verdicts, "pending_embedding")
    return refusal_of(case, verdicts, extraction.extracted_by, extraction.refused)


def is_embedded(decision: DecisionJson) -> bool:
    """Whether the decision stores an episode that is embedded next."""
    return decision["episode"] is not None and decision["episode"]["status"] == "pending_embedding"


def refusal_of(
    case: Case, verdicts: Sequence[Verdict], decided_by: str, note: str | None = None
) -> DecisionJson:
    return decision_json(case, decision_of("refused", verdicts, decided_by, note=note), None)


def storage_of(case: Case, extraction: Extraction, verdicts: Sequence[Verdict], status: str) -> DecisionJson:
    """The decision to store a segment as an episode; quarantined where a value that recall prints is a command."""
    summary, *others = recallable_values(case.stored, case.features, extraction)
    command = command_among([summary], by_user=True) or command_among(strings_in(others))
    if command is not None:
        verdicts, status = merge_verdicts(verdicts, (command,)), "quarantined"
    by_rules = command is not None or case.ruling.decision in ("keep", "quarantine")
    decision = decision_of(
        "quarantined" if status == "quarantined" else "stored",
        verdicts,
        "rules" if by_rules else extraction.extracted_by,
        always=keep_all_reason(case.features),
        note=extraction.refused,
    )
    episode = episode_of(case.stored, case.features, case.claim.lane, extraction, status, decision)
    return decision_json(case, decision, episode)


def keep_all_reason(features: Features) -> str | None:
    """Why the bank stores every segment; None for a bank with a gate."""
    if features.intake == "verbatim":
        return "verbatim intake keeps every message"
    return None if features.gate else "the gate is off in this bank"


def decision_json(case: Case, decision: dict[str, Any], episode: dict[str, Any] | None) -> DecisionJson:
    return {
        "segment": case.claim.subject,
        "token": str(case.claim.token),
        "decision": decision,
        "episode": episode,
        "replies": replies_in(case.segment),
    }


def replies_in(segment: Segment) -> list[dict[str, str]]:
    """The user's messages that may answer a clarification question which the last context raised: those that begin
    with an affirmation or a denial, and short ones that may choose one of two values."""
    replies: list[dict[str, str]] = []
    before_each = (*(segment.context[-1:] or (None,)), *segment.utterances)
    for before, utterance in zip(before_each, segment.utterances, strict=False):
        if utterance.role != "user":
            continue
        message = {"message_id": str(utterance.message_id)}
        if reply := reply_in(utterance.content):
            replies.append({**message, "reply": reply})
        asked = before is not None and before.role == "assistant" and offers_choice(before.content)
        if asked and (choice := choice_in(utterance.content)):
            replies.append({**message, "reply": choice, "said": without_echo(utterance.content)})
    return replies
