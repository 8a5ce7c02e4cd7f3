"""The command line. Answers go to stdout, as JSON with --json; progress, logs and errors go to stderr.

Only the module of the command that is called is imported.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

import typer

from memory_service.cli.commands import COMMANDS
from memory_service.cli.plain_arguments import arguments_in
from memory_service.errors import HTTP_HINT, InvalidInput, MemoryServiceError

CLI_HINT = "`memory-service banks` lists them, `memory-service bank create NAME` makes one"
QUICK = ("recall", "context", "remember")
"""Commands that agents call over and over."""


def main() -> None:
    """Run a command; what goes wrong is one line on stderr and exit code 1, or 2 where the input was at fault."""
    words = sys.argv[1:]
    try:
        if not run_quickly(words):
            app_for(words)()
    except MemoryServiceError as error:
        fail(error)
    except KeyboardInterrupt:
        sys.exit(130)


def run_quickly(words: Sequence[str]) -> bool:
    """Whether the words were a plain call of one of QUICK, which then has run."""
    if not words or words[0] not in QUICK:
        return False
    command = COMMANDS[words[0]].load()
    arguments = arguments_in(command, words[1:])
    if arguments is None:
        return False
    command(**arguments)
    return True


def app_for(words: Sequence[str]) -> typer.Typer:
    """The application with the one command that is called, and of the others their names and help alone."""
    called = {*COMMANDS} if completes() else set(words[:1])
    app = typer.Typer(
        help="Long-term memory for agents, in Postgres.", no_args_is_help=True, pretty_exceptions_enable=False,
        rich_markup_mode=None,  # rich takes longer to import than all else that --help needs
    )  # fmt: skip
    for name, command in COMMANDS.items():
        found = command.load() if name in called else stub
        if isinstance(found, typer.Typer):
            app.add_typer(found, name=name, short_help=command.help)
        else:
            app.command(name, help=command.help, short_help=command.help)(found)
    return app


def stub() -> None:
    """Stands for a command that is not called."""


def completes() -> bool:
    """Whether a shell asks how a command line may go on."""
    return any(name.endswith("_COMPLETE") for name in os.environ)


def fail(error: MemoryServiceError) -> NoReturn:
    said = str(error).replace(HTTP_HINT, CLI_HINT)
    from rich.markup import escape

    from memory_service.cli.terminal import err

    err().print(f"[red]error:[/red] {escape(said)}", soft_wrap=True)
    sys.exit(2 if isinstance(error, InvalidInput) else 1)
