"""Last step: pending episodes of many banks are embedded in one batch and activated bank by bank."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from memory_service.errors import InvalidInput, InvalidOutput, ProviderUnavailable
from memory_service.models.interface import Embedder
from memory_service.models.registry import Models
from memory_service.store import Store
from memory_service.store.episodes import PendingText
from memory_service.store.work import Claim, Kind

PART_CHARS = 900
"""A part of a long text is at most this long, and shorter where the model would not read it to its end."""


@dataclass(frozen=True, slots=True)
class Part:
    """One text to embed, of one memory of one bank."""

    bank_id: str
    memory_id: UUID
    number: int
    text: str


class Embed:
    """Embeds and activates. A bank's embedding model is its own; texts of equal models share their batches."""

    kind: Kind = "embed"
    batch = 64
    per_bank = 256

    def __init__(self, store: Store, models: Models) -> None:
        self._store = store
        self._models = models

    async def run(self, claims: Sequence[Claim], done: set[UUID]) -> None:
        by_bank: dict[str, list[Claim]] = {}
        for claim in claims:
            by_bank.setdefault(claim.bank_id, []).append(claim)
        by_model: dict[str, list[tuple[str, PendingText]]] = {}
        for bank_id, mine in by_bank.items():
            texts = await self._store.episodes.read_pending(bank_id, [UUID(c.subject) for c in mine])
            found = {text.memory_id for text in texts}
            for claim in mine:
                if UUID(claim.subject) not in found:  # embedded or forgotten meanwhile
                    await self._store.work.complete(claim)
                    done.add(claim.token)
            for text in texts:
                by_model.setdefault(text.model_id, []).append((bank_id, text))
        outage: ProviderUnavailable | None = None
        for model_id, pending in by_model.items():
            try:
                embedder = self._embedder(model_id)
                parts = [part for bank_id, text in pending for part in parts_of(bank_id, text, embedder)]
                await self._embed(embedder, model_id, parts, by_bank, done)
            except ProviderUnavailable as error:  # of this model; banks of other models go on
                outage = error
        if outage is not None:
            raise outage

    def _embedder(self, model_id: str) -> Embedder:
        """A bank's own model. That it is not set up here is an outage of configuration, not the row's fault."""
        try:
            return self._models.embedder(model_id)
        except InvalidInput as error:
            raise ProviderUnavailable(f"embedding model {model_id}: {error}") from error

    async def _embed(
        self,
        embedder: Embedder,
        model_id: str,
        parts: Sequence[Part],
        claims: dict[str, list[Claim]],
        done: set[UUID],
    ) -> None:
        answer = await embedder.embed_documents([part.text for part in parts])
        if answer.vectors.shape[0] != len(parts):
            raise InvalidOutput(f"{len(parts)} texts were sent, {answer.vectors.shape[0]} vectors came back")
        for bank_id in dict.fromkeys(part.bank_id for part in parts):
            rows = [i for i, part in enumerate(parts) if part.bank_id == bank_id]
            memories = {parts[i].memory_id for i in rows}
            mine = [c for c in claims[bank_id] if UUID(c.subject) in memories]
            await self._store.episodes.activate(
                bank_id,
                model_id,
                mine,
                [(parts[i].memory_id, parts[i].number) for i in rows],
                answer.vectors[rows],
            )
            done.update(claim.token for claim in mine)
            if answer.usage is not None:
                await self._store.retrieval.record_model_call(
                    bank_id, answer.usage.share(len(rows), len(parts)), len(rows), "ok"
                )


def parts_of(bank_id: str, text: PendingText, embedder: Embedder) -> list[Part]:
    return [
        Part(bank_id, text.memory_id, n, piece) for n, piece in enumerate(pieces(text.text, embedder.fits))
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
