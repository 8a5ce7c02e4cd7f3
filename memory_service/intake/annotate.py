"""Beside the gate: a conscious commit enters as an episode; what its caller did not give is extracted here."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from memory_service.errors import InvalidOutput
from memory_service.importance import stored_importance
from memory_service.intake.extract import extracted_fields, strings_in
from memory_service.models.interface import Extractor
from memory_service.rules.gate import command_among
from memory_service.store import Store
from memory_service.store.episodes import PendingCommit
from memory_service.store.work import Claim, Kind
from memory_service.types import Segment, Utterance

HELD_BACK = "quarantined"
"""Whatever harm an extractor sees in a commit: its caller wanted it kept, so it is kept where nobody reads it."""


class Annotate:
    """Fills a commit's missing fields; the positive gates are skipped, the harm check never (DESIGN §2)."""

    kind: Kind = "annotate"
    per_bank = 64

    def __init__(self, store: Store, extractor: Extractor, batch: int = 16) -> None:
        self._store = store
        self._extractor = extractor
        self.batch = batch

    async def run(self, claims: Sequence[Claim], done: set[UUID]) -> None:
        for bank_id in dict.fromkeys(c.bank_id for c in claims):
            mine = {UUID(c.subject): c for c in claims if c.bank_id == bank_id}
            commits = await self._store.episodes.read_commits(bank_id, list(mine))
            pending = {commit.memory_id for commit in commits}
            for memory_id, claim in mine.items():
                if memory_id not in pending:  # forgotten or finished meanwhile
                    await self._store.work.complete(claim)
                    done.add(claim.token)
            if commits:
                await self._annotate(bank_id, mine, commits, done)

    async def _annotate(
        self, bank_id: str, claims: dict[UUID, Claim], commits: Sequence[PendingCommit], done: set[UUID]
    ) -> None:
        answer = await self._extractor.extract([segment_of(commit) for commit in commits])
        if len(answer.items) != len(commits):
            raise InvalidOutput(f"{len(commits)} memories were sent, {len(answer.items)} came back")
        if answer.usage is not None:
            await self._store.retrieval.record_model_call(bank_id, answer.usage, len(commits), "ok")
        for commit, extraction in zip(commits, answer.items, strict=True):
            given = commit.given.get("importance")
            importance = stored_importance(extraction.features) if given is None else float(given)
            fields = extracted_fields(extraction, importance)
            harm = [v for v in extraction.verdicts if v.gate == "harm_check" and not v.passed]
            command = command_among(
                strings_in(fields)
            )  # what a model wrote is printed like what a person said
            if command is not None:
                harm.append(command)
            claim = claims[commit.memory_id]
            await self._store.episodes.annotate(
                claim,
                fields,
                HELD_BACK if harm else "pending_embedding",
                f"harm_check: {harm[0].reason}" if harm else "extracted",
            )
            done.add(claim.token)


def segment_of(commit: PendingCommit) -> Segment:
    """The committed text as the extractor reads it: one utterance."""
    words = Utterance(commit.memory_id, "user", commit.content, None, commit.occurred_at)
    return Segment(commit.memory_id, (words,))
