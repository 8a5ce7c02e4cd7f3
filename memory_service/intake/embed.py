"""Last step: pending episodes of many banks are embedded in one batch and activated bank by bank."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from uuid import UUID

from memory_service.config import Settings
from memory_service.errors import NoAnswer, ProviderUnavailable
from memory_service.features import Features, features_of
from memory_service.intake.by_bank import by_bank
from memory_service.intake.concurrency import in_turn, together
from memory_service.intake.embedding import embedder_of, vectors_of
from memory_service.intake.ledger import Ledger
from memory_service.models.interface import Embedder, Embeddings, estimated_tokens
from memory_service.models.registry import Models
from memory_service.store import Store
from memory_service.store.episodes import PendingText
from memory_service.store.work import Claim, Kind
from memory_service.types import Usage

RETRY_UNEMBEDDED = timedelta(seconds=15)
FEW = 8
"""Texts of one bank in a batch that do not wait for those of banks with more."""
REPLY_PART = 1000
"""The first part number of the assistant's reply (SQL: first_reply_part); lower parts are the memory's own text."""
PART_CHARS = 900
"""A part of a long text is at most this long, and shorter where the model would not read it to its end."""


@dataclass(frozen=True, slots=True)
class Part:
    """One text to embed, of one memory of one bank."""

    bank_id: str
    memory_id: UUID
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Pending:
    """What one bank has in a batch: its claims, and the texts that are to be embedded."""

    bank_id: str
    features: Features
    claims: dict[UUID, Claim]
    texts: Sequence[PendingText]


@dataclass(frozen=True, slots=True)
class Embedded:
    """Parts and their vectors, a row each, in the same order."""

    parts: Sequence[Part]
    embeddings: Embeddings


class Embed:
    """Embeds and activates. A bank's embedding model is its own; texts of equal models share their batches."""

    kind: Kind = "embed"
    batch = 64
    per_bank = 192
    parallel = 3
    """One batch is written and one claimed while a third is embedded."""
    feeds: tuple[Kind, ...] = ("facts",)

    def __init__(self, store: Store, models: Models, settings: Settings) -> None:
        self._store = store
        self._models = models
        self._settings = settings
        self._ledger = Ledger(store)

    async def run(self, claims: Sequence[Claim], done: set[UUID]) -> None:
        by_model: dict[str, list[Pending]] = {}
        for bank_id, mine in by_bank(claims, lambda claim: claim.bank_id).items():
            pending = await self._read(bank_id, mine, done)
            if pending.texts:
                by_model.setdefault(pending.texts[0].model_id, []).append(pending)
        # Each model by itself: where one is out of reach, banks of the others go on.
        await together(self._embed(model_id, banks, done) for model_id, banks in by_model.items())

    async def _read(self, bank_id: str, claims: Sequence[Claim], done: set[UUID]) -> Pending:
        bank = await self._store.banks.read(bank_id)
        texts = await self._store.episodes.read_pending(bank_id, [UUID(c.subject) for c in claims])
        claim_of = {UUID(c.subject): c for c in claims}
        for memory_id in claim_of.keys() - {text.memory_id for text in texts}:
            await self._store.work.complete(claim_of[memory_id])  # embedded or forgotten meanwhile
            done.add(claim_of[memory_id].token)
        return Pending(bank_id, features_of(bank.settings, self._settings), claim_of, texts)

    async def _embed(self, model_id: str, banks: Sequence[Pending], done: set[UUID]) -> None:
        """Group by group: what one meets is not the next one's fault."""
        await in_turn(self._embed_group(model_id, group, done) for group in few_first(banks))

    async def _embed_group(self, model_id: str, banks: Sequence[Pending], done: set[UUID]) -> None:
        try:
            embedder = embedder_of(self._models, model_id)
            if embedder.billed:
                fitting = [await self._affordable(pending, done) for pending in banks]
                await self._embed_billed(embedder, [p for p in fitting if p.texts], done)
            else:
                await self._activate(banks, await self._vectors(embedder, banks), model_id, done)
        except ProviderUnavailable as error:
            for pending in banks:
                if pending.features.embedding_fallback == "fulltext":
                    left = [c for c in pending.claims.values() if c.token not in done]
                    await self._store.episodes.activate_unembedded(pending.bank_id, left)
                    if left and not isinstance(error, NoAnswer):
                        # Given back here, so that the bank does not rest: what comes next becomes active as soon.
                        await self._store.work.release(
                            left, RETRY_UNEMBEDDED, f"provider unavailable: {error}"
                        )
                        done.update(claim.token for claim in left)
            raise

    async def _affordable(self, pending: Pending, done: set[UUID]) -> Pending:
        """What today's cap of the bank leaves room for; the rest waits for tomorrow."""
        costs = [tokens_of(text) for text in pending.texts]
        fitting = await self._ledger.affordable(pending.bank_id, pending.features.daily_tokens, costs)
        waiting = [pending.claims[text.memory_id] for text in pending.texts[fitting:]]
        await self._ledger.wait(pending.bank_id, waiting, done)
        return replace(pending, texts=pending.texts[:fitting])

    async def _embed_billed(self, embedder: Embedder, banks: Sequence[Pending], done: set[UUID]) -> None:
        estimates = {
            p.bank_id: Usage(embedder.name, "embed", sum(tokens_of(t) for t in p.texts)) for p in banks
        }
        items = {p.bank_id: len(p.texts) for p in banks}
        caps = {p.bank_id: p.features.daily_tokens for p in banks}
        async with self._ledger.entry(estimates, items, caps) as entry:
            for pending in banks:
                if pending.bank_id not in entry.lines:
                    waiting = [pending.claims[text.memory_id] for text in pending.texts]
                    await self._ledger.wait(pending.bank_id, waiting, done)
            banks = [pending for pending in banks if pending.bank_id in entry.lines]
            if not banks:
                return
            answer = await self._vectors(embedder, banks)
            entry.usage = answer.embeddings.usage
        await self._activate(banks, answer, embedder.name, done)

    async def _vectors(self, embedder: Embedder, banks: Sequence[Pending]) -> Embedded:
        parts = [part for p in banks for text in p.texts for part in parts_of(p.bank_id, text, embedder)]
        return Embedded(parts, await vectors_of(embedder, [part.text for part in parts]))

    async def _activate(
        self, banks: Sequence[Pending], embedded: Embedded, model_id: str, done: set[UUID]
    ) -> None:
        for pending in banks:
            rows = [i for i, part in enumerate(embedded.parts) if part.bank_id == pending.bank_id]
            claims = [pending.claims[text.memory_id] for text in pending.texts]
            features = pending.features
            await self._store.episodes.activate(
                pending.bank_id,
                model_id,
                claims,
                [(embedded.parts[i].memory_id, embedded.parts[i].number) for i in rows],
                embedded.embeddings.vectors[rows],
                merges=features.merge_duplicates and features.intake != "verbatim",
                links=features.links,
            )
            done.update(claim.token for claim in claims)


def few_first(banks: Sequence[Pending]) -> list[list[Pending]]:
    """Banks with little waiting, then those with much: a word in a conversation does not wait for a bulk of others."""
    few = [pending for pending in banks if len(pending.texts) <= FEW]
    many = [pending for pending in banks if len(pending.texts) > FEW]
    return [group for group in (few, many) if group]


def tokens_of(text: PendingText) -> int:
    """About how many tokens embedding a memory takes, its reply included."""
    return estimated_tokens(text.text) + (estimated_tokens(text.reply) if text.reply else 0)


def parts_of(bank_id: str, text: PendingText, embedder: Embedder) -> list[Part]:
    """The parts of a memory: of its own text from 0 on, of the assistant's reply from REPLY_PART on."""
    texts = [(0, text.text), *([(REPLY_PART, text.reply)] if text.reply else [])]
    return [
        Part(bank_id, text.memory_id, n, piece)
        for first, whole in texts
        for n, piece in enumerate(pieces(whole, embedder.fits)[:REPLY_PART], first)
    ]


def pieces(text: str, fits: Callable[[str], bool], limit: int = PART_CHARS) -> list[str]:
    """The text in pieces that the model reads whole, cut at sentences, else at words, else anywhere."""
    if len(text) <= limit and fits(text):
        return [text]
    found: list[str] = []
    for piece in packed(text, limit):
        found += [piece] if fits(piece) or limit < 2 else pieces(piece, fits, min(limit, len(piece)) // 2)
    return found


def packed(text: str, limit: int) -> list[str]:
    """The text in pieces of at most `limit` characters, each as long as its sentences or words allow."""
    found: list[str] = []
    held = ""
    for sentence in re.split(r"(?<=[.!?\n])\s+", text):
        for word in [sentence] if len(sentence) <= limit else re.split(r"(?<=\s)", sentence):
            for chunk in (word[i : i + limit] for i in range(0, len(word), limit)):
                joined = f"{held} {chunk}".strip()
                if held and len(joined) > limit:
                    found.append(held)
                    held = chunk.strip()
                else:
                    held = joined
    return [*found, held] if held else found
