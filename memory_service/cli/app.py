"""Entry point of the command line. Answers go to stdout, as JSON with --json; progress, logs and errors to stderr.

Only the module of the called command is imported.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

import typer

from memory_service.cli.commands import COMMANDS
from memory_service.cli.plain_arguments import arguments_in
from memory_service.errors import HTTP_HINT, InvalidInput, MemoryServiceError

CLI_HINT = "`memory-service banks` lists them, `memory-service bank create NAME` creates one"
QUICK = ("recall", "context", "remember")
"""Commands that agents call often. They are parsed without typer where possible (plain_arguments)."""


def main() -> None:
    """Run a command. Errors are one line on stderr, with exit code 2 for InvalidInput, else 1; 130 for Ctrl-C. No line
    if the reader of the output has ended."""
    words = sys.argv[1:]
    gc.disable()  # until configure_process: 300,000 imported objects stay, and collections take a fifth of a start
    try:
        try:
            if not run_quickly(words):
                app_for(words)()
        finally:
            sys.stdout.flush()
    except BrokenPipeError:  # `memory-service context ... | head`; typer does the same for other commands
        # The interpreter flushes once more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except MemoryServiceError as error:
        fail(error)
    except KeyboardInterrupt:
        sys.exit(130)
    finally:
        gc.enable()


def run_quickly(words: Sequence[str]) -> bool:
    """Run a plain call of a QUICK command without typer. Returns False if typer has to parse `words`."""
    if not words or words[0] not in QUICK:
        return False
    command = COMMANDS[words[0]].load()
    arguments = arguments_in(command, words[1:])
    if arguments is None:
        return False
    command(**arguments)
    return True


def app_for(words: Sequence[str]) -> typer.Typer:
    """The typer application: the called command is imported, the others are stubs; with help where none is called."""
    called = {*COMMANDS} if is_completing() else {*words[:1]} & {*COMMANDS}
    app = typer.Typer(
        help="Long-term memory for agents, in Postgres.", no_args_is_help=True, pretty_exceptions_enable=False,
        rich_markup_mode=None,  # importing rich takes longer than all other imports of --help
    )  # fmt: skip
    for name, command in COMMANDS.items():
        found = command.load() if name in called else stub
        text = command.help if name in called or not called else None
        if isinstance(found, typer.Typer):
            app.add_typer(found, name=name, short_help=text)
        else:
            app.command(name, help=text, short_help=text)(found)
    return app


def stub() -> None:
    """Placeholder of a command that is not called."""


def is_completing() -> bool:
    """Whether the process was started by shell completion."""
    return any(name.endswith("_COMPLETE") for name in os.environ)


def fail(error: MemoryServiceError) -> NoReturn:
    """Print the error, with CLI_HINT in place of HTTP_HINT, and exit."""
    from rich.markup import escape

    from memory_service.cli.terminal import err
    from memory_service.text.unicode_folding import visible_text

    message = visible_text(str(error).replace(HTTP_HINT, CLI_HINT))
    err().print(f"[red]error:[/red] {escape(message)}", soft_wrap=True)
    sys.exit(2 if isinstance(error, InvalidInput) else 1)
