"""Extraction by a language model: one structured call for a group of segments."""

from __future__ import annotations

from collections.abc import Sequence

from memory_service.models.extraction_response import ExtractionAnswer, read_answer
from memory_service.models.interface import Afford, LanguageModel, Task
from memory_service.models.prompts import EXTRACTION, quoted_segments
from memory_service.models.structured import ask_structured
from memory_service.types import Extractions, Segment

EXTRACT = Task("extract", EXTRACTION, ExtractionAnswer)


class ModelExtractor:
    """Judges and summarizes segments in one structured call; an interface.Extractor."""

    def __init__(self, model: LanguageModel) -> None:
        self.model = model

    @property
    def name(self) -> str:
        return self.model.name

    async def extract(self, segments: Sequence[Segment], *, afford: Afford | None = None) -> Extractions:
        """One extraction per segment, in their order, from one call, or two with a repair. A summary that exceeds its
        segment in both answers is replaced by the rules' extraction. Errors: as ask_structured.
        """
        if not segments:
            return Extractions(())
        return Extractions(
            *await ask_structured(
                self.model,
                EXTRACT,
                quoted_segments(segments),
                lambda text: read_answer(text, segments, self.name),
                afford,
            )
        )

    async def aclose(self) -> None:
        await self.model.aclose()
