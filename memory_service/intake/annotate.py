"""Beside the gate: a conscious commit enters as an episode; what its caller did not give is extracted here."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from memory_service.config import Settings
from memory_service.errors import InvalidOutput
from memory_service.features import features_of
from memory_service.importance import stored_importance
from memory_service.intake.by_bank import by_bank
from memory_service.intake.concurrency import together
from memory_service.intake.episode import extracted_fields
from memory_service.intake.extract import ANSWER_TOKENS, PROMPT_TOKENS
from memory_service.intake.json_strings import strings_in
from memory_service.intake.ledger import Ledger
from memory_service.models.interface import Extractor, estimated_tokens
from memory_service.rules.extractor import RulesExtractor
from memory_service.rules.gate.gate import command_among
from memory_service.store import Store
from memory_service.store.episodes import PendingCommit
from memory_service.store.work import Claim, Kind
from memory_service.types import Extraction, Segment, Usage, Utterance

HELD_BACK = "quarantined"
"""Whatever harm an extractor sees in a commit: its caller wanted it kept, so it is kept where nobody reads it."""


class Annotate:
    """Fills a commit's missing fields; the positive gates are skipped, the harm check never (DESIGN §2)."""

    kind: Kind = "annotate"
    batch = 16
    per_bank = 64
    parallel = 2
    feeds: tuple[Kind, ...] = ("embed",)

    def __init__(self, store: Store, extractor: Extractor, settings: Settings) -> None:
        self._store = store
        self._extractor = extractor
        self._settings = settings
        self._rules = RulesExtractor()
        self._ledger = Ledger(store)

    async def run(self, claims: Sequence[Claim], done: set[UUID]) -> None:
        banks = by_bank(claims, lambda claim: claim.bank_id)
        await together(self._annotate(bank_id, mine, done) for bank_id, mine in banks.items())

    async def _annotate(self, bank_id: str, claims: Sequence[Claim], done: set[UUID]) -> None:
        commits = await self._store.episodes.read_commits(bank_id, [UUID(c.subject) for c in claims])
        claim_of = {UUID(c.subject): c for c in claims}
        for memory_id in claim_of.keys() - {commit.memory_id for commit in commits}:
            await self._store.work.complete(claim_of[memory_id])  # forgotten or finished meanwhile
            done.add(claim_of[memory_id].token)
        if not commits:
            return
        bank = await self._store.banks.read(bank_id)
        features = features_of(bank.settings, self._settings)
        if not features.language_model or self._extractor.name == self._rules.name:
            answer = await self._rules.extract([segment_of(commit) for commit in commits])
            await self._settle(list(zip(commits, answer.items, strict=True)), claim_of, done)
            return
        costs = [PROMPT_TOKENS + estimated_tokens(commit.content) + ANSWER_TOKENS for commit in commits]
        fitting = await self._ledger.affordable(bank_id, features.daily_tokens, costs)
        waiting = [claim_of[commit.memory_id] for commit in commits[fitting:]]
        await self._ledger.wait(bank_id, waiting, done)
        if fitting:
            await self._ask(bank_id, features.daily_tokens, commits[:fitting], claim_of, done)

    async def _ask(
        self,
        bank_id: str,
        daily_tokens: int | None,
        commits: Sequence[PendingCommit],
        claim_of: dict[UUID, Claim],
        done: set[UUID],
    ) -> None:
        read = PROMPT_TOKENS + sum(estimated_tokens(commit.content) for commit in commits)
        estimate = Usage(self._extractor.name, "extract", read, ANSWER_TOKENS * len(commits))
        async with self._ledger.entry(
            {bank_id: estimate}, {bank_id: len(commits)}, {bank_id: daily_tokens}
        ) as entry:
            if not entry.lines:
                await self._ledger.wait(bank_id, [claim_of[c.memory_id] for c in commits], done)
                return
            answer = await self._extractor.extract([segment_of(commit) for commit in commits])
            if len(answer.items) != len(commits):
                raise InvalidOutput(f"{len(commits)} memories were sent, {len(answer.items)} came back")
            entry.usage = answer.usage
        await self._settle(list(zip(commits, answer.items, strict=True)), claim_of, done)

    async def _settle(
        self,
        extracted: Sequence[tuple[PendingCommit, Extraction]],
        claim_of: dict[UUID, Claim],
        done: set[UUID],
    ) -> None:
        for commit, extraction in extracted:
            given = commit.given.get("importance")
            importance = stored_importance(extraction.features) if given is None else float(given)
            fields = extracted_fields(extraction, importance)
            harm = [v for v in extraction.verdicts if v.gate == "harm_check" and not v.passed]
            # What a model wrote is printed like what a person said.
            command = command_among(strings_in(fields))
            if command is not None and commit.released:
                # Somebody vouched for what was committed, nobody for this.
                fields |= {"lesson": None, "topics": [], "entities": [], "candidate_facts": []}
            elif command is not None:
                harm.append(command)
            held_back = bool(harm) and not commit.released
            await self._store.episodes.annotate(
                claim_of[commit.memory_id],
                fields,
                HELD_BACK if held_back else "pending_embedding",
                f"harm_check: {harm[0].reason}" if held_back else "extracted",
            )
            done.add(claim_of[commit.memory_id].token)


def segment_of(commit: PendingCommit) -> Segment:
    """The committed text as the extractor reads it: one utterance."""
    words = Utterance(commit.memory_id, "user", commit.content, None, commit.occurred_at)
    return Segment(commit.memory_id, (words,))
