"""One structured call, whoever answers it: ask, check, have the answer repaired once, count."""

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
    """The form of an answer. Strict: a number is no string, and a verdict is no number."""

    model_config = ConfigDict(strict=True)


class UnusableAnswerError(Exception):
    """An answer that cannot be used; the message says where and why, without quoting it."""


class Item(Protocol):
    """One entry of an answer."""

    @property
    def refused(self) -> str | None:
        """Which checks the model's words failed, where they are not used."""
        ...


I = TypeVar("I", bound=Item)  # noqa: E741


class UnfaithfulAnswerError(UnusableAnswerError):
    """An answer in its form that does not say what its source says.

    The message is for the model alone: it quotes the answer. `items` is the answer without the words that were refused.
    """

    def __init__(self, message: str, items: Sequence[Item]) -> None:
        super().__init__(message)
        self.items = items


async def answered(
    model: LanguageModel,
    task: Task,
    prompt: str,
    read: Callable[[str], T],
    afford: Afford | None = None,
) -> tuple[T, Usage]:
    """Return what `read` makes of the model's answer, from one call, or two where the first answer is not usable.

    `read`, called in a thread, raises UnusableAnswerError for an answer that it cannot use; the model is shown that
    once. After an UnfaithfulAnswerError the second call is made only where `afford` allows it; of each item the answer
    that is not refused is used, and of those refused twice what `read` made of them without the model's words.
    A second call that fails takes nothing from the usable items of the first.
    Errors: those of `model.ask`, with the tokens of the first call where nothing of it is usable; InvalidOutput when
    the answer is not usable after the repair either.
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
        return cast("T", better(usable, again.items)), usage()
    except UnusableAnswerError as again:
        if usable is not None:
            return cast("T", usable), usage()
        # Its message holds places and rules, nothing of the answer.
        raise InvalidOutput(f"{model.name}: unusable answer, also after repair: {again}") from None


def better(first: Sequence[I] | None, second: Sequence[I]) -> tuple[I, ...]:
    """Of each item the second answer, where that is not refused or the first one is, too."""
    if first is None:
        return tuple(second)
    return tuple(
        one if other.refused is not None and one.refused is None else other
        for one, other in zip(first, second, strict=True)
    )


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
