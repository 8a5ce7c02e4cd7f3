"""Commands for several servers: list and add them, move a bank."""

from __future__ import annotations

from typing import Annotated

import typer

from memory_service.cli.terminal import (
    AsJson,
    group,
    list_whole_lines,
    print_answer,
    print_rows,
)
from memory_service.startup import configure_process

server = group("List and add the Postgres servers that banks live on.", no_args_is_help=True)


@server.command("list")
def list_servers(as_json: AsJson = False) -> None:
    """List the servers with their slots, the share of new banks that each gets, and their banks."""
    from memory_service.placement.registry import list_servers as listed

    found = listed(configure_process())
    print_rows(
        found,
        ("server", "slots", "banks", ""),
        lambda one: (
            one.server_id,
            str(one.slots),
            "" if one.banks is None else str(one.banks),
            one.problem or one.url or "",
        ),
        as_json=as_json,
    )


@server.command()
def add(
    name: Annotated[str, typer.Argument(help="name of the server: lowercase letters, digits, _ and -")],
    url: Annotated[str, typer.Option(help="administrator's URL without password, as DATABASE_URL")],
    direct_url: Annotated[
        str | None, typer.Option(help="as DATABASE_DIRECT_URL, where --url leads to a connection pooler")
    ] = None,
    read_url: Annotated[str | None, typer.Option(help="as DATABASE_READ_URL: its replica")] = None,
    slots: Annotated[
        int | None, typer.Option(help="of 1,024: its share of new banks; default: an equal share")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Migrate an empty server and add it: a share of new banks is created on it. Existing banks stay where they are.

    For a server that was added before, its URLs are replaced.
    """
    from memory_service.placement.registry import add_server
    from memory_service.store.servers import ServerUrls
    from memory_service.validation import OPERATOR

    has = add_server(configure_process(), name, ServerUrls(url, direct_url, read_url), slots, OPERATOR)
    print_answer(
        {"server": name, "slots": has},
        f"{name} is added; it has {has} of 1,024 slots for new banks.",
        as_json=as_json,
    )


list_whole_lines(server)


def move_bank(
    bank: Annotated[str, typer.Argument(help="the bank's name")],
    to: Annotated[str, typer.Option(help="name of the server; its present one undoes an interrupted move")],
    as_json: AsJson = False,
) -> None:
    """Move a bank to another server; reads are answered meanwhile, writes wait.

    Run it again if it was interrupted.
    """
    from memory_service.placement.move import move_bank as moved
    from memory_service.validation import OPERATOR

    done = moved(configure_process(), bank, to, OPERATOR)
    rows = f"{sum(done.rows.values()):,} rows copied, read only for {done.read_only_seconds:.1f} s"
    print_answer(done, f"{bank} is on {to}" + (f": {rows}." if done.rows else "."), as_json=as_json)
