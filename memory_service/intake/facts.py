"""Step `facts`: write the candidate facts of episodes as evidence, and committed facts with their subject.

Texts of several banks are embedded in one call; each bank is written in one transaction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any
from uuid import UUID

import uuid_utils.compat as uuids

from memory_service.features import Features
from memory_service.intake.by_bank import by_bank
from memory_service.intake.claim_batch import ClaimBatch
from memory_service.intake.concurrency import gather_all
from memory_service.intake.embedding import embed_parts, embedder_of
from memory_service.intake.step import Step
from memory_service.models.interface import Vectors, estimated_tokens
from memory_service.rules.facts.attributes import canonical
from memory_service.rules.facts.profile_lists import can_be_stored
from memory_service.rules.facts.third_person import reading
from memory_service.speakers import speakers_of
from memory_service.store.statements import StatementSource
from memory_service.store.work import Claim, Kind
from memory_service.text.late_pattern import compile_late
from memory_service.types import CandidateFact


@dataclass(frozen=True, slots=True)
class Candidates:
    """The candidate facts of one bank's episodes in a batch, or those of one commit; an embedding.BankPart."""

    bank_id: str
    features: Features
    claims: Sequence[Claim]
    facts: Sequence[dict[str, Any]]
    """As memory_api.upsert_facts takes them, in the order of their episodes; of a commit, the committed fact first."""
    committed: bool = False

    @property
    def items(self) -> int:
        return len(self.facts)

    @property
    def tokens(self) -> int:
        return sum(estimated_tokens(fact["text"]) for fact in self.facts)


class FactsStep(Step):
    """Writes candidate facts. Each bank has its own embedding model; banks with the same model share calls."""

    kind: Kind = "facts"
    batch = 32
    per_bank = 64
    parallel = 2
    feeds: tuple[Kind, ...] = ("judge",)

    async def run(self, batch: ClaimBatch) -> None:
        by_model: dict[str, list[Candidates]] = {}
        for bank_id, claims in by_bank(batch.claims, lambda claim: claim.bank_id).items():
            model_id, parts = await self._read(bank_id, claims, batch)
            by_model.setdefault(model_id, []).extend(parts)
        # Concurrently: an outage of one model does not delay the banks of the others.
        await gather_all(self._write(model_id, parts, batch) for model_id, parts in by_model.items() if parts)

    async def _read(
        self, bank_id: str, claims: Sequence[Claim], batch: ClaimBatch
    ) -> tuple[str, list[Candidates]]:
        """The bank's embedding model and its candidates within the daily token limit; subjects without any are
        completed."""
        bank, features = await self._read_bank(bank_id)
        found = await self._store.statements.read(bank_id, [UUID(claim.subject) for claim in claims])
        source_of = {source.subject_id: source for source in found}
        sources: list[tuple[Claim, StatementSource]] = []
        for claim in claims:
            source = source_of.get(UUID(claim.subject))
            if source is None:
                await batch.complete(claim)
            else:
                sources.append((claim, source))
        if sources and embedder_of(self._models, bank.embedding_model).billed:
            sources = await self._calls.take_affordable(
                bank_id,
                features.daily_tokens,
                [((claim, source), tokens_of(source), claim) for claim, source in sources],
                batch,
            )
        subject = speakers_of(bank.settings).subject
        episodes = [(claim, source) for claim, source in sources if source.text is None]
        facts = [fact for _, source in episodes for fact in candidates_of(source, subject)]
        parts = [Candidates(bank_id, features, [claim for claim, _ in episodes], facts)] if episodes else []
        parts += [
            Candidates(bank_id, features, [claim], committed_candidates(source.text, subject), committed=True)
            for claim, source in sources
            if source.text is not None
        ]
        return bank.embedding_model, parts

    async def _write(self, model_id: str, parts: Sequence[Candidates], batch: ClaimBatch) -> None:
        embedder = embedder_of(self._models, model_id)
        embedded = await embed_parts(
            self._calls,
            embedder,
            parts,
            lambda part: [fact["text"] for fact in part.facts],
            batch,
        )
        for part, vectors in embedded:
            await self._write_part(part, vectors, model_id)
            batch.settle(part.claims)

    async def _write_part(self, part: Candidates, vectors: Vectors, model_id: str) -> None:
        statements = self._store.statements
        doubts = part.features.language_model and self._models.language_model() is not None
        if part.committed:
            await statements.place_committed(
                part.bank_id, model_id, part.claims[0], part.facts, vectors, judge_pairs=doubts
            )
        else:
            await statements.upsert(
                part.bank_id, model_id, part.claims, part.facts, vectors, judge_pairs=doubts
            )


def tokens_of(source: StatementSource) -> int:
    texts = [fact.text for fact in source.facts] if source.text is None else [source.text]
    return sum(map(estimated_tokens, texts))


def candidates_of(source: StatementSource, subject: str | None = None) -> list[dict[str, Any]]:
    """An episode's candidates as memory_api.upsert_facts takes them, each with the id of the fact it may become."""
    return [
        {
            "episode_id": str(source.subject_id),
            "memory_id": str(uuids.uuid7()),
            **asdict(canonical(fact, subject)),
        }
        for fact in source.facts
    ]


def committed_candidates(text: str, subject: str | None = None) -> list[dict[str, Any]]:
    """A committed fact, with subject, attribute and value where rules read its first statement, and the other
    statements of its text, with the ids of the facts that they may become.

    The text is unchanged unless the statements say all of it and are several, or it is a profile: it is then that of
    the first one. A move says that it led to a home.
    """
    read = reading(text)
    first, others = CandidateFact(text, read.subject, stated=True), [*read.statements]
    if not all(can_be_stored(f"{fact.text}{fact.subject}{fact.value}") for fact in others):
        first, others = CandidateFact(text, stated=True), []
    elif read.is_typed:
        stated = others.pop(0)
        replaced = read.is_whole and (others or read.is_profile)
        words = stated.text if replaced else _with_home(text, stated)
        first = replace(stated, text=words, stated=True)
    forms = dict.fromkeys(canonical(fact, subject) for fact in (first, *others))
    return [{"memory_id": str(uuids.uuid7()), **asdict(form)} for form in forms]


_MOVED = compile_late(
    r"(?i)^(?!.*\b(?:I|we|live[sd]?|living|and|but|or|(?:19|20)\d\d|ago|once|then|originally|as an?)\b)"
    r"[^.,;:!?]* (?:moved|relocated) [^.,;:!?]*\.?$"
)


def _with_home(text: str, stated: CandidateFact) -> str:
    """Return a committed text, one that is a move alone with "and lives there": "User moved to Haarlem".

    A move with a year may have been followed by others. The question "Where do I live?" has a cosine of 0.07 with the
    text alone, below the cut-off, and 0.35 with both.
    """
    if stated.attribute != "lives_in" or not _MOVED.match(text):
        return text
    return f"{text.rstrip('. ')} and lives there."
