"""One structured call, whoever answers it: ask, check, have the answer repaired once, count."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from memory_service.errors import InvalidOutput
from memory_service.models.interface import LanguageModel, Task
from memory_service.models.prompts import quoted_failure
from memory_service.types import Usage

T = TypeVar("T")
F = TypeVar("F", bound="Form")


class Form(BaseModel):
    """The form of an answer. Strict: a number is no string, and a verdict is no number."""

    model_config = ConfigDict(strict=True)


class UnusableAnswerError(Exception):
    """An answer that cannot be used; the message says where and why, without quoting it."""


async def answered(
    model: LanguageModel, task: Task, prompt: str, read: Callable[[str], T]
) -> tuple[T, Usage]:
    """What `read` makes of the model's answer, from one call, or two where the first answer is not usable.

    `read` raises UnusableAnswerError for an answer that it cannot use; the model is shown that once.
    Errors: those of `model.ask`; InvalidOutput when the answer is not usable after the repair either.
    """
    started = time.perf_counter()
    reply = await model.ask(task, [prompt])
    input_tokens, output_tokens = reply.input_tokens, reply.output_tokens
    try:
        found = read(reply.text)
    except UnusableAnswerError as problem:
        reply = await model.ask(task, [prompt, quoted_failure(reply.text, str(problem))])
        input_tokens, output_tokens = input_tokens + reply.input_tokens, output_tokens + reply.output_tokens
        try:
            found = read(reply.text)
        except UnusableAnswerError as again:
            # Its message holds places and rules, nothing of the answer.
            raise InvalidOutput(f"{model.name}: unusable answer, also after repair: {again}") from None
    seconds = time.perf_counter() - started
    return found, Usage(model.name, task.purpose, input_tokens, output_tokens, seconds)


def parsed(form: type[F], text: str) -> F:
    """An answer in its form. Errors: UnusableAnswerError when it is no JSON of this form."""
    try:
        return form.model_validate_json(text)
    except ValidationError as error:
        raise UnusableAnswerError(problems(error)) from None


def in_order(entries: Sequence[T], name: str, number_of: Callable[[T], int], asked: int) -> list[T]:
    """The entries of an answer by their numbers, which are to be 0 to `asked` - 1, each once.

    Errors: UnusableAnswerError, naming the field `name`, when one is missing, doubled or unknown.
    """
    by_number = {number_of(entry): entry for entry in entries}
    if len(by_number) != len(entries) or by_number.keys() != set(range(asked)):
        given = sorted(map(number_of, entries))[: asked + 1]
        raise UnusableAnswerError(f"{name}: wanted each of 0 to {asked - 1} once, got {given}")
    return [by_number[number] for number in range(asked)]


def problems(error: ValidationError) -> str:
    """Where and what, from pydantic's own words only; not the input that they are about."""
    found = error.errors(include_url=False, include_context=False, include_input=False)
    return "; ".join(
        f"{'.'.join(map(str, problem['loc'])) or 'answer'}: {problem['msg']}" for problem in found[:8]
    )
