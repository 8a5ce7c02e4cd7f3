"""One structured extraction call, whoever answers it: ask, check, have the answer repaired once, count."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from memory_service.errors import InvalidOutput
from memory_service.models.extraction_answer import UnusableAnswerError, read_answer
from memory_service.models.prompts import quoted_failure, quoted_segments
from memory_service.types import Extractions, Segment, Usage


@dataclass(frozen=True, slots=True)
class Reply:
    """The text of a model's answer, the tokens that went in, and those that came out, thinking included."""

    text: str
    input_tokens: int
    output_tokens: int


Ask = Callable[[Sequence[str]], Awaitable[Reply]]
"""Sends the user's messages, in their order, under the instructions of prompts.EXTRACTION."""


async def extract(model: str, segments: Sequence[Segment], ask: Ask) -> Extractions:
    """One extraction per segment, in their order, from one call (two when the first answer is not usable).

    Errors: those of `ask`; InvalidOutput when the answer is not usable after the repair either.
    """
    if not segments:
        return Extractions(())
    started = time.perf_counter()
    prompt = quoted_segments(segments)
    reply = await ask([prompt])
    input_tokens, output_tokens = reply.input_tokens, reply.output_tokens
    try:
        items = read_answer(reply.text, len(segments), model)
    except UnusableAnswerError as problem:
        reply = await ask([prompt, quoted_failure(reply.text, str(problem))])
        input_tokens, output_tokens = input_tokens + reply.input_tokens, output_tokens + reply.output_tokens
        try:
            items = read_answer(reply.text, len(segments), model)
        except UnusableAnswerError as again:
            # Its message holds places and rules, nothing of the answer.
            raise InvalidOutput(f"{model}: unusable answer, also after repair: {again}") from None
    seconds = time.perf_counter() - started
    return Extractions(items, Usage(model, "extract", input_tokens, output_tokens, seconds))
