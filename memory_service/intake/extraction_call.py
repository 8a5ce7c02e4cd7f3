"""One extraction call within a bank's daily token limit; shared by the steps `extract` and `annotate`."""

from __future__ import annotations

from collections.abc import Sequence

from memory_service.errors import InvalidOutput
from memory_service.intake.model_calls import ModelCalls, Share
from memory_service.models.interface import Afford, Extractor, estimated_tokens
from memory_service.models.prompts import EXTRACTION
from memory_service.types import Extraction, Segment, Usage

PROMPT_TOKENS = estimated_tokens(EXTRACTION)
ANSWER_TOKENS = 400
"""Estimated output tokens for one segment."""


async def extract_segments(
    calls: ModelCalls,
    extractor: Extractor,
    bank_id: str,
    daily_tokens: int | None,
    segments: Sequence[Segment],
    segment_tokens: int,
    afford: Afford | None = None,
) -> Sequence[Extraction]:
    """One extraction per segment, in their order. `segment_tokens`: estimated tokens of all segments.

    Errors: TokenLimitReached; as Extractor; InvalidOutput for a different number of extractions.
    """

    async def request() -> tuple[Sequence[Extraction], Usage | None]:
        answer = await extractor.extract(segments, afford=afford)
        if len(answer.items) != len(segments):
            raise InvalidOutput(f"{len(segments)} segments were sent, {len(answer.items)} came back")
        return answer.items, answer.usage

    estimate = Usage(extractor.name, "extract", PROMPT_TOKENS + segment_tokens, ANSWER_TOKENS * len(segments))
    return await calls.call(bank_id, Share(estimate, len(segments), daily_tokens), request)
