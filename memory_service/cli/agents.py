"""Commands for agents: the MCP server over stdio, and the configuration of MCP clients."""

from __future__ import annotations

from typing import Annotated

import typer

from memory_service.cli.terminal import Bank
from memory_service.startup import configure_process, run


def mcp(
    bank: Bank,
    create: Annotated[bool, typer.Option("--create", help="create the bank if it does not exist")] = False,
) -> None:
    """Offer a bank's tools to an MCP client over stdin and stdout; without a running service, start one.

    A service started this way keeps running.
    """
    from memory_service.mcp.stdio import serve_stdio

    configure_process()
    run(serve_stdio(bank, create=create))


def connect(
    client: Annotated[
        str, typer.Argument(help="claude-code, claude-desktop, codex, cursor, gemini, vscode, windsurf")
    ],
    bank: Bank,
    name: Annotated[str, typer.Option(help="name of the entry")] = "memory",
    write: Annotated[bool, typer.Option("--write", help="add the entry to the client's file")] = False,
    remove: Annotated[bool, typer.Option("--remove", help="undo --write")] = False,
) -> None:
    """Print the entry that an MCP client needs for a bank, or with --write add it to the client's configuration."""
    from memory_service.errors import InvalidInput
    from memory_service.extras import is_installed, needs
    from memory_service.mcp import clients
    from memory_service.validation import check_bank_id

    if write and remove:
        raise InvalidInput("--remove", "is not given together with --write")
    file = clients.client_file(client)
    entry = clients.entry_for(client, check_bank_id(bank))
    if write:
        done = clients.write(file, name, entry)
        print(f"{file.located()}: {'added' if done else 'was there'}: {name}")  # noqa: T201 - never wrapped
    elif remove:
        clients.remove(file, name, entry)
        print(f"{file.located()}: removed: {name}")  # noqa: T201
    else:
        print(f"{file.located()}:\n{clients.shown(file, name, entry)}", end="")  # noqa: T201
    if not remove and not is_installed("mcp"):
        typer.echo(f"warning: the command of the entry {needs('mcp')}", err=True)
