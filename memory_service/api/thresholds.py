"""Thresholds of an embedding model, and their calibration on labelled pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

import numpy as np

from memory_service.api.base import MemoryBase
from memory_service.calibration import (
    CONFLICT_RECALL,
    Calibration,
    LabelledPair,
    Scored,
    Thresholds,
    calibrate,
    scale_of,
)
from memory_service.errors import InvalidInput
from memory_service.models.built_model import BUILT_IN
from memory_service.models.interface import VECTOR_DIMENSIONS, Embedder, Vectors
from memory_service.types import CosineScale
from memory_service.validation import EVIDENCE_PRECISION, MAX_MESSAGE_CHARS, PRECISION, check_text

EMBED_BATCH = 64
"""Texts in one call to an embedding model: what the workers send too."""


class ThresholdMethods(MemoryBase):
    """Methods of `Memory` about the thresholds of an embedding model."""

    async def thresholds(self, model: str | None = None) -> tuple[str, Thresholds]:
        """Name and thresholds of an embedding model; default: the model of new banks."""
        name = await self._known_model(model)
        return name, await self.store.thresholds.read(name)

    async def calibrate(
        self,
        pairs: Sequence[LabelledPair],
        *,
        model: str | None = None,
        precision: float = PRECISION,
        evidence_precision: float = EVIDENCE_PRECISION,
        conflict_recall: float = CONFLICT_RECALL,
    ) -> Calibration:
        """Thresholds chosen from labelled pairs, and the scale of the model's cosines; changes nothing.

        The texts are embedded as memories are, in stored precision, and compared by the SQL function text_difference.
        Errors: InvalidInput naming a pair; those of the embedder.
        """
        embedder = self.models.embedder(model)
        texts = {text: None for pair in pairs for text in (pair.a, pair.b)}
        for pair in pairs:
            for field, text in (("a", pair.a), ("b", pair.b)):
                check_text(text, f"{pair.at}: {field}", MAX_MESSAGE_CHARS)
                if not embedder.fits(text):
                    raise InvalidInput(f"{pair.at}: {field}", "is longer than the model reads at once")
        vectors = await self._stored_vectors(embedder, list(texts))
        reasons = await self.store.thresholds.text_differences([(pair.a, pair.b) for pair in pairs])
        return calibrate(
            (
                Scored(pair.label, float(vectors[pair.a] @ vectors[pair.b]), reason)
                for pair, reason in zip(pairs, reasons, strict=True)
            ),
            unrelated_scale(pairs, vectors),
            precision=precision,
            evidence_precision=evidence_precision,
            conflict_recall=conflict_recall,
        )

    async def set_thresholds(
        self, calibration: Calibration, *, model: str | None = None, at: datetime | None = None
    ) -> Thresholds:
        """Write the chosen thresholds, in force at once for all processes; others stay. Returns the new thresholds.

        The scale of the model's cosines is written too, except for the built-in model, to whose scale all are mapped.
        """
        name = await self._known_model(model)
        chosen = {"duplicate": calibration.duplicate.threshold, "conflict": calibration.conflict.threshold,
                  "evidence": calibration.evidence.threshold}  # fmt: skip
        scale = None if name == BUILT_IN else calibration.scale
        told = {key: value for key, value in calibration.as_json().items() if chosen.get(key, 1) is not None}
        if any(chosen.values()) or scale is not None:
            await self.store.thresholds.write(
                name, **chosen, scale=scale, calibration=told, source="calibrated", at=at
            )
        return await self.store.thresholds.read(name)

    async def _known_model(self, model: str | None) -> str:
        name = self.models.embedder(model).name
        await self.store.banks.register_embedding_model(name, VECTOR_DIMENSIONS)
        return name

    async def _stored_vectors(self, embedder: Embedder, texts: Sequence[str]) -> dict[str, Vectors]:
        """The unit vector of each text, rounded to halves as the database keeps it."""
        found: dict[str, Vectors] = {}
        for start in range(0, len(texts), EMBED_BATCH):
            part = texts[start : start + EMBED_BATCH]
            halves = (await embedder.embed_documents(part)).vectors.astype(np.float16).astype(np.float32)
            found.update(zip(part, halves / np.linalg.norm(halves, axis=1, keepdims=True), strict=True))
        return found


def unrelated_scale(pairs: Sequence[LabelledPair], vectors: Mapping[str, Vectors]) -> CosineScale | None:
    """How the cosines of texts lie that have nothing to do with each other: each text of the pairs that do not say the
    same, with those of all other pairs."""
    apart = {frozenset((pair.a, pair.b)) for pair in pairs if pair.label != "same" and pair.a != pair.b}
    texts = sorted({text for pair in apart for text in pair})
    if not texts:
        return None
    place = {text: at for at, text in enumerate(texts)}
    related = [(place[one], place[other]) for one, other in map(sorted, apart)]
    return scale_of(np.stack([vectors[text] for text in texts]), related)
