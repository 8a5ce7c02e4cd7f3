"""Step `annotate`: extract the fields of a conscious commit that its caller did not give."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from uuid import UUID

from memory_service.config import Settings
from memory_service.importance import stored_importance
from memory_service.intake.by_bank import by_bank
from memory_service.intake.claim_batch import ClaimBatch
from memory_service.intake.concurrency import gather_all
from memory_service.intake.embed import FEW_TEXTS, EarlyEmbedding
from memory_service.intake.episode import extracted_fields
from memory_service.intake.extraction_call import ANSWER_TOKENS, PROMPT_TOKENS, extract_segments
from memory_service.intake.json_strings import strings_in
from memory_service.intake.model_calls import TokenLimitReached
from memory_service.intake.step import Step
from memory_service.models.interface import estimated_tokens
from memory_service.models.registry import Models
from memory_service.rules.extractor import RulesExtractor
from memory_service.rules.gate.gate import command_among
from memory_service.store import Store
from memory_service.store.episodes import PendingCommit
from memory_service.store.work import Claim, Kind
from memory_service.types import Bank, Extraction, Segment, Utterance

HARMFUL_STATUS = "quarantined"
"""Status of a commit in which the extractor finds harm: stored, since its caller asked for that, but never recalled."""


class AnnotateStep(Step):
    """Fills the missing fields of commits. The positive gates are skipped, the harm check is not (docs/design.md,
    "Gate")."""

    kind: Kind = "annotate"
    batch = 16
    per_bank = 64
    parallel = 2
    feeds: tuple[Kind, ...] = ("embed",)

    def __init__(self, store: Store, models: Models, settings: Settings) -> None:
        super().__init__(store, models, settings)
        self._extractor = models.extractor()
        self._rules = RulesExtractor()
        self._early = EarlyEmbedding(models)

    async def run(self, batch: ClaimBatch) -> None:
        banks = by_bank(batch.claims, lambda claim: claim.bank_id)
        await gather_all(self._annotate(bank_id, claims, batch) for bank_id, claims in banks.items())

    async def _annotate(self, bank_id: str, claims: Sequence[Claim], batch: ClaimBatch) -> None:
        (bank, features), commits = await asyncio.gather(
            self._read_bank(bank_id),
            self._store.episodes.read_commits(bank_id, [UUID(c.subject) for c in claims]),
        )
        claim_of = {UUID(c.subject): c for c in claims}
        for memory_id in claim_of.keys() - {commit.memory_id for commit in commits}:
            await batch.complete(claim_of[memory_id])
        if not commits:
            return
        if features.language_model and self._extractor.name != self._rules.name:
            commits = await self._calls.take_affordable(
                bank_id,
                features.daily_tokens,
                [
                    (c, PROMPT_TOKENS + estimated_tokens(c.content) + ANSWER_TOKENS, claim_of[c.memory_id])
                    for c in commits
                ],
                batch,
            )
            if not commits:
                return
            try:
                extractions = await extract_segments(
                    self._calls,
                    self._extractor,
                    bank_id,
                    features.daily_tokens,
                    [segment_of(commit) for commit in commits],
                    sum(estimated_tokens(commit.content) for commit in commits),
                )
            except TokenLimitReached:
                await self._calls.postpone(bank_id, [claim_of[c.memory_id] for c in commits], batch)
                return
        else:
            for commit in commits if len(commits) <= FEW_TEXTS else ():
                await self._early.begin(bank.embedding_model, commit.content)
            answer = await self._rules.extract([segment_of(commit) for commit in commits])
            extractions = answer.items
        for commit, extraction in zip(commits, extractions, strict=True):
            await self._store_fields(bank, commit, extraction, claim_of[commit.memory_id])
            batch.settle([claim_of[commit.memory_id]])

    async def _store_fields(
        self, bank: Bank, commit: PendingCommit, extraction: Extraction, claim: Claim
    ) -> None:
        given = commit.given.get("importance")
        importance = stored_importance(extraction.features) if given is None else float(given)
        fields = extracted_fields(extraction, importance)
        harm = [v for v in extraction.verdicts if v.gate == "harm_check" and not v.passed]
        # Fields written by a model reach contexts as the user's own text does.
        command = command_among(strings_in(fields))
        if command is not None and commit.released:
            # The release covered the committed text, not these fields.
            fields |= {"lesson": None, "topics": [], "entities": [], "candidate_facts": []}
        elif command is not None:
            harm.append(command)
        harmful = bool(harm) and not commit.released
        if harmful:
            self._early.drop(bank.embedding_model, commit.content)
        await self._store.episodes.annotate(
            claim,
            fields,
            HARMFUL_STATUS if harmful else "pending_embedding",
            f"harm_check: {harm[0].reason}" if harmful else "extracted",
        )


def segment_of(commit: PendingCommit) -> Segment:
    """The committed text as a segment of one utterance."""
    utterance = Utterance(commit.memory_id, "user", commit.content, commit.author, commit.occurred_at)
    return Segment(commit.memory_id, (utterance,))
