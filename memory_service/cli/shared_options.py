"""Options and checks that several commands share: the bank, the actor, the reviews of a group."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated

import typer

from memory_service.errors import InvalidInput

Actor = Annotated[str | None, typer.Option(help="name recorded as the actor; default: operator")]
OneBank = Annotated[str | None, typer.Option("--bank", "-b", help="the bank")]


def bank_to_list(
    context: typer.Context, bank: str | None, *options: object, argument: str = "ID "
) -> str | None:
    """The bank of a group's own listing; None before a subcommand.

    Errors: InvalidInput without a bank, or for options before a subcommand.
    """
    verb = context.invoked_subcommand
    if verb is None:
        if bank is None:
            raise InvalidInput("--bank", "name one bank")
        return bank
    if any((bank, *options)):
        group = context.info_name
        raise InvalidInput(verb, f"put options after the subcommand: {group} {verb} {argument}--bank B")
    return None


def marked(status: str, **flags: bool) -> str:
    """The status, and the names of the flags that are set."""
    return ", ".join((status, *(name for name, holds in flags.items() if holds)))


def each_of(
    group: typer.Typer, reviews: Mapping[str, tuple[str, str]]
) -> Callable[[Callable[[str, str], Callable[..., None]]], object]:
    """Add a command to the group for each of `reviews`, which have a word for the command and its help text."""

    def add(command_of: Callable[[str, str], Callable[..., None]]) -> object:
        for name, (word, help_text) in reviews.items():
            command = command_of(name, word)
            command.__doc__ = help_text
            group.command(name)(command)
        return command_of

    return add
