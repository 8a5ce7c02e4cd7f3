"""Structured calls to a language model: send, validate, have an unusable answer repaired once, count tokens."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar, cast

from pydantic import BaseModel, ConfigDict, ValidationError

from memory_service.errors import InvalidOutput, ModelError
from memory_service.models.interface import Afford, LanguageModel, Task, estimated_tokens
from memory_service.models.prompts import quoted_failure
from memory_service.types import Usage

T = TypeVar("T")
F = TypeVar("F", bound="Form")


class Form(BaseModel):
    """Base of answer schemas; strict: no conversion between strings, numbers and booleans."""

    model_config = ConfigDict(strict=True)


class UnusableAnswerError(Exception):
    """An answer fails validation; the message names the place and the rule without quoting the answer."""


class Item(Protocol):
    """One entry of a validated answer."""

    @property
    def refused(self) -> str | None:
        """The checks that the model's text failed, where it is not used; None where it is."""
        ...


I = TypeVar("I", bound=Item)  # noqa: E741


class UnfaithfulAnswerError(UnusableAnswerError):
    """A valid answer that contradicts or exceeds its source.

    The message quotes the answer and is for the model alone. `items` is the answer without the refused text.
    """

    def __init__(self, message: str, items: Sequence[Item]) -> None:
        super().__init__(message)
        self.items = items


async def ask_structured(
    model: LanguageModel,
    task: Task,
    prompt: str,
    read: Callable[[str], T],
    afford: Afford | None = None,
) -> tuple[T, Usage]:
    """The model's answer, validated by `read`, and the usage of one call, or of two where the first answer is unusable.

    `read` runs in a thread and raises UnusableAnswerError, whose message is sent to the model once for repair. After an
    UnfaithfulAnswerError the second call is made only if `afford` allows it; each item is then taken from the answer
    that is not refused, and an item refused twice from `read`, without the model's text. If the second call fails, the
    usable items of the first are returned.
    Errors: those of `model.ask`, with the tokens of the first call where none of its items is usable; InvalidOutput
    when the repaired answer is unusable, too.
    """
    started = time.perf_counter()
    reply = await model.ask(task, [prompt])
    input_tokens, output_tokens = reply.input_tokens, reply.output_tokens

    def usage() -> Usage:
        seconds = time.perf_counter() - started
        return Usage(model.name, task.purpose, input_tokens, output_tokens, seconds)

    try:
        return await asyncio.to_thread(read, reply.text), usage()
    except UnusableAnswerError as problem:
        first = problem
    usable = first.items if isinstance(first, UnfaithfulAnswerError) else None
    if usable is not None and afford is not None:
        repair = max(input_tokens, estimated_tokens(prompt)) + 2 * max(
            output_tokens, estimated_tokens(reply.text)
        )
        if not await afford(repair):
            return cast("T", usable), usage()
    try:
        reply = await model.ask(task, [prompt, quoted_failure(reply.text, str(first))])
    except ModelError as error:
        if usable is not None:
            return cast("T", usable), usage()
        error.used_tokens = (input_tokens, output_tokens)
        raise
    input_tokens, output_tokens = input_tokens + reply.input_tokens, output_tokens + reply.output_tokens
    try:
        return await asyncio.to_thread(read, reply.text), usage()
    except UnfaithfulAnswerError as again:
        return cast("T", prefer_accepted(usable, again.items)), usage()
    except UnusableAnswerError as again:
        if usable is not None:
            return cast("T", usable), usage()
        # The message names places and rules and quotes nothing of the answer.
        raise InvalidOutput(f"{model.name}: unusable answer, also after repair: {again}") from None


def prefer_accepted(first: Sequence[I] | None, second: Sequence[I]) -> tuple[I, ...]:
    """Each item of `second`, or of `first` where only that is accepted."""
    if first is None:
        return tuple(second)
    return tuple(
        one if other.refused is not None and one.refused is None else other
        for one, other in zip(first, second, strict=True)
    )


def parse(form: type[F], text: str) -> F:
    """Validate JSON text against `form`. Errors: UnusableAnswerError."""
    try:
        return form.model_validate_json(text)
    except ValidationError as error:
        raise UnusableAnswerError(problems_of(error)) from None


def in_order(entries: Sequence[T], name: str, number_of: Callable[[T], int], count: int) -> list[T]:
    """The entries sorted by their numbers, which must be 0 to `count` - 1, each once.

    Errors: UnusableAnswerError naming the field `name`.
    """
    by_number = {number_of(entry): entry for entry in entries}
    if len(by_number) != len(entries) or by_number.keys() != set(range(count)):
        given = sorted(map(number_of, entries))[: count + 1]
        raise UnusableAnswerError(f"{name}: wanted each of 0 to {count - 1} once, got {given}")
    return [by_number[number] for number in range(count)]


def problems_of(error: ValidationError) -> str:
    """The places and messages of pydantic's errors, without the input."""
    found = error.errors(include_url=False, include_context=False, include_input=False)
    return "; ".join(
        f"{'.'.join(map(str, problem['loc'])) or 'answer'}: {problem['msg']}" for problem in found[:8]
    )
