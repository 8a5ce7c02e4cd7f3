"""Step `embed`: embed pending episodes of many banks in one batch, then activate them bank by bank."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from uuid import UUID

from memory_service.errors import InvalidInput, NoAnswer, ProviderUnavailable
from memory_service.features import Features
from memory_service.intake.by_bank import by_bank
from memory_service.intake.claim_batch import ClaimBatch
from memory_service.intake.concurrency import gather_all, run_all
from memory_service.intake.embedding import embed_parts, embedder_of
from memory_service.intake.step import Step
from memory_service.metrics import EMBEDDED_TEXTS, RECALLABLE
from memory_service.models.interface import EarlyEmbedder, Embedder, Vectors, estimated_tokens
from memory_service.models.registry import Models
from memory_service.store.episodes import PendingText
from memory_service.store.work import Claim, Kind

RETRY_UNEMBEDDED = timedelta(seconds=15)
FEW_TEXTS = 8
"""A bank with at most this many texts in a batch is embedded before the banks with more."""
REPLY_PART = 1000
"""The first part number of the assistant's reply (SQL: first_reply_part); lower parts are the memory's own text."""
SENTENCE = re.compile(r"(?<=[.!?…;])\s+|\n+")
"""Boundary of the parts of a model's summary; each part is embedded."""
PART_CHARS = 900
"""Most characters of a part; fewer where the model's input limit is lower."""


@dataclass(frozen=True, slots=True)
class Part:
    """One text to embed, of one memory."""

    memory_id: UUID
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Pending:
    """One bank's texts in a batch; an embedding.BankPart."""

    bank_id: str
    features: Features
    texts: Sequence[PendingText]
    claims: Sequence[Claim]
    """In the order of `texts`."""
    read_at: float
    """When the texts were read, on the monotonic clock."""

    @property
    def items(self) -> int:
        return len(self.texts)

    @property
    def tokens(self) -> int:
        return sum(map(tokens_of, self.texts))


class EmbedStep(Step):
    """Embeds and activates. Each bank has its own embedding model; banks with the same model share calls."""

    kind: Kind = "embed"
    batch = 64
    per_bank = 192
    parallel = 3
    """One batch is written and one claimed while a third is embedded."""
    feeds: tuple[Kind, ...] = ("facts", "procedures", "relational")

    async def run(self, batch: ClaimBatch) -> None:
        by_model: dict[str, list[Pending]] = {}
        for bank_id, claims in by_bank(batch.claims, lambda claim: claim.bank_id).items():
            pending = await self._read(bank_id, claims, batch)
            if pending.texts:
                by_model.setdefault(pending.texts[0].model_id, []).append(pending)
        # Concurrently: an outage of one model does not delay the banks of the others.
        await gather_all(self._embed_model(model_id, banks, batch) for model_id, banks in by_model.items())

    async def _read(self, bank_id: str, claims: Sequence[Claim], batch: ClaimBatch) -> Pending:
        read_at = time.monotonic()
        (_, features), texts = await asyncio.gather(
            self._read_bank(bank_id),
            self._store.episodes.read_pending(bank_id, [UUID(c.subject) for c in claims]),
        )
        claim_of = {UUID(c.subject): c for c in claims}
        for memory_id in claim_of.keys() - {text.memory_id for text in texts}:
            await batch.complete(claim_of[memory_id])
        return Pending(bank_id, features, texts, [claim_of[text.memory_id] for text in texts], read_at)

    async def _embed_model(self, model_id: str, banks: Sequence[Pending], batch: ClaimBatch) -> None:
        """Embed banks with few texts, then those with many; an error of one group does not affect the other."""
        await run_all(self._embed_group(model_id, group, batch) for group in few_first(banks))

    async def _embed_group(self, model_id: str, banks: Sequence[Pending], batch: ClaimBatch) -> None:
        try:
            embedder = embedder_of(self._models, model_id)
            if embedder.billed:
                banks = [
                    replace(pending, texts=[text for text, _ in taken], claims=[claim for _, claim in taken])
                    for pending in banks
                    if (taken := await self._affordable(pending, batch))
                ]
            parts = {pending.bank_id: parts_of(pending.texts, embedder) for pending in banks}
            if banks:
                self._store.counts.observe(EMBEDDED_TEXTS, sum(map(len, parts.values())))
                embedded = await embed_parts(
                    self._calls, embedder, banks, lambda p: [part.text for part in parts[p.bank_id]], batch
                )
                for pending, vectors in embedded:
                    await self._activate(pending, parts[pending.bank_id], vectors, model_id)
                    batch.settle(pending.claims)
        except ProviderUnavailable as error:
            unsettled = {claim.token for claim in batch.unsettled}
            for pending in banks:
                left = [claim for claim in pending.claims if claim.token in unsettled]
                if pending.features.embedding_fallback == "fulltext":
                    if await self._store.episodes.activate_unembedded(
                        pending.bank_id, left, self._settings.intake
                    ):
                        self._observe_activation(pending, {UUID(claim.subject) for claim in left})
                    if left and not isinstance(error, NoAnswer):
                        # Released here, so that the worker does not rest the bank: new episodes are activated at once.
                        await batch.release(left, RETRY_UNEMBEDDED, f"provider unavailable: {error}")
            raise

    async def _affordable(self, pending: Pending, batch: ClaimBatch) -> list[tuple[PendingText, Claim]]:
        return await self._calls.take_affordable(
            pending.bank_id,
            pending.features.daily_tokens,
            [
                ((text, claim), tokens_of(text), claim)
                for text, claim in zip(pending.texts, pending.claims, strict=True)
            ],
            batch,
        )

    async def _activate(
        self, pending: Pending, parts: Sequence[Part], vectors: Vectors, model_id: str
    ) -> None:
        features = pending.features
        await self._store.episodes.activate(
            pending.bank_id,
            model_id,
            pending.claims,
            [(part.memory_id, part.number) for part in parts],
            vectors,
            merges=features.merge_duplicates and features.intake != "verbatim",
            links=features.links,
            default_intake=self._settings.intake,
        )
        self._observe_activation(pending, {text.memory_id for text in pending.texts})

    def _observe_activation(self, pending: Pending, activated: set[UUID]) -> None:
        """Time from acknowledgement to now, of the episodes that were not active before."""
        passed = time.monotonic() - pending.read_at
        for text, claim in zip(pending.texts, pending.claims, strict=True):
            if text.waited_seconds is not None and text.memory_id in activated:
                lane = "import" if claim.lane else "live"
                self._store.counts.observe(RECALLABLE, text.waited_seconds + passed, lane)


def few_first(banks: Sequence[Pending]) -> list[list[Pending]]:
    """Banks with few texts, then those with many: a message of a conversation does not wait for an import."""
    few = [pending for pending in banks if len(pending.texts) <= FEW_TEXTS]
    many = [pending for pending in banks if len(pending.texts) > FEW_TEXTS]
    return [group for group in (few, many) if group]


def tokens_of(text: PendingText) -> int:
    """Estimated tokens of a memory and its reply."""
    return estimated_tokens(text.text) + (estimated_tokens(text.reply) if text.reply else 0)


def parts_of(texts: Sequence[PendingText], embedder: Embedder) -> list[Part]:
    """The parts of each memory: of its text from number 0, of the assistant's reply from REPLY_PART."""
    return [
        Part(text.memory_id, number, piece)
        for text in texts
        for number, piece in numbered_pieces(text.text, text.reply, embedder)
    ]


def numbered_pieces(text: str, reply: str | None, embedder: Embedder) -> list[tuple[int, str]]:
    """The pieces of a memory's text and of its reply with their part numbers."""
    return [
        (number, piece)
        for first, whole in ((0, text), (REPLY_PART, reply))
        if whole or first == 0
        for number, piece in enumerate(pieces(whole or "", embedder.fits)[:REPLY_PART], first)
    ]


class EarlyEmbedding:
    """Embeds memories that are about to be written, where the model runs in this process and is not billed: their step
    `embed` usually runs in the same worker next and finds the vectors."""

    def __init__(self, models: Models) -> None:
        self._models = models

    async def begin(self, model_id: str, text: str, reply: str | None = None) -> None:
        if (embedder := self._embedder(model_id)) is not None:
            embedder.begin([piece for _, piece in numbered_pieces(text, reply, embedder)])
            # Lets the model's thread have the interpreter now; else it waits for 5 ms while the rules run.
            await asyncio.sleep(0)

    def drop(self, model_id: str, text: str) -> None:
        """Drop the early vectors of a memory that is refused or quarantined."""
        if (embedder := self._embedder(model_id)) is not None:
            embedder.drop([piece for _, piece in numbered_pieces(text, None, embedder)])

    def _embedder(self, model_id: str) -> EarlyEmbedder | None:
        try:
            embedder = self._models.embedder(model_id)
        except InvalidInput:  # not configured here: the step reports it
            return None
        return embedder if isinstance(embedder, EarlyEmbedder) else None


def pieces(text: str, fits: Callable[[str], bool], limit: int = PART_CHARS) -> list[str]:
    """Split a text at sentences, else at words, else anywhere, into pieces within the model's input limit."""
    if len(text) <= limit and fits(text):
        return [text]
    found: list[str] = []
    for piece in packed(text, limit):
        found += [piece] if fits(piece) or limit < 2 else pieces(piece, fits, min(limit, len(piece)) // 2)
    return found


def packed(text: str, limit: int) -> list[str]:
    """Split a text into pieces of at most `limit` characters, each as long as its sentences or words allow."""
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
