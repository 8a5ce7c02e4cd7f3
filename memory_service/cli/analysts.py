"""Commands for SQL users: grants of analysts, and queries over chosen banks."""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable
from contextlib import closing
from typing import Annotated, TypeVar

import typer

from memory_service.cli.terminal import (
    AsJson,
    group,
    list_whole_lines,
    out,
    print_answer,
    print_json,
    print_rows,
    print_table,
)
from memory_service.errors import DatabaseUnsuitable, InvalidInput, no_answer
from memory_service.startup import configure_process

analyst = group("Grant logins of Postgres the right to read banks.", no_args_is_help=True)

T = TypeVar("T")
Role = Annotated[str, typer.Argument(help="role of Postgres")]
Banks = Annotated[
    list[str] | None, typer.Option("--bank", "-b", help="bank, or prefix followed by *; repeatable")
]
AllBanks = Annotated[bool, typer.Option("--all", help="every bank, also later ones")]


@analyst.command()
def grant(
    role: Role,
    banks: Banks = None,
    every: AllBanks = False,
    create: Annotated[bool, typer.Option("--create", help="create the role, as a login")] = False,
    as_json: AsJson = False,
) -> None:
    """Let a role read these banks, in addition to those that it reads already."""
    from memory_service.db.analysts import grant_analyst
    from memory_service.placement.queries import check_banks

    chosen = chosen_banks(banks, every=every)
    check_banks(configure_process(), chosen)
    made = as_administrator(lambda url: grant_analyst(url, role, chosen, create=create))
    print_answer(made, f"The role {role} reads {' '.join(made.banks)}.", as_json=as_json)


@analyst.command()
def revoke(role: Role, banks: Banks = None, as_json: AsJson = False) -> None:
    """Revoke a role's grants of these banks; without --bank, all of its rights."""
    from memory_service.db.analysts import revoke_analyst

    as_administrator(lambda url: revoke_analyst(url, role, banks or ()))
    if as_json:
        print_json({"role": role, "revoked": banks or ["*"]})
    else:
        what = " ".join(banks) if banks else "any bank"
        out().print(f"The role {role} no longer reads {what}.", markup=False, soft_wrap=True)


@analyst.command("list")
def list_grants(as_json: AsJson = False) -> None:
    """List roles with their banks."""
    from memory_service.db.analysts import list_analysts

    found = as_administrator(list_analysts)
    print_rows(
        found,
        ("role", "banks", "can log in and read"),
        lambda one: (
            one.role,
            " ".join(one.banks) or "none",
            "yes" if one.can_log_in and one.is_member else "no",
        ),
        as_json=as_json,
    )


@analyst.command()
def link(as_json: AsJson = False) -> None:
    """Make the views of all servers, for analysts of the home server and `sql --together`; again after a restore."""
    from memory_service.placement.analytics import link_servers

    servers = link_servers(configure_process())
    print_answer(
        {"servers": servers}, f"The views of analytics_all read {' '.join(servers)}.", as_json=as_json
    )


list_whole_lines(analyst)


def sql(
    query: Annotated[str, typer.Argument(help="one statement")],
    banks: Banks = None,
    every: AllBanks = False,
    timeout: Annotated[float, typer.Option(help="seconds after which the query is cancelled")] = 60,
    together: Annotated[
        bool, typer.Option("--together", help="with several servers: over the views of `analyst link`")
    ] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="print CSV; the default without a terminal")] = False,
    as_json: AsJson = False,
) -> None:
    """Run one read-only SQL query over these banks and no others, on each server that has some of them."""
    from memory_service.placement.queries import query_servers

    chosen = chosen_banks(banks, every=every)
    answer = query_servers(configure_process(), query, chosen, seconds=timeout, together=together)
    if as_json:
        print_json(answer.records())
    elif as_csv or not sys.stdout.isatty():
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(answer.columns)
        writer.writerows(answer.rows)
    else:
        print_table(answer.columns, [[cell or "" for cell in row] for row in answer.rows], None)


def chosen_banks(banks: list[str] | None, *, every: bool) -> list[str]:
    """Errors: InvalidInput without any bank: the answer would be empty."""
    if bool(banks) is every:
        raise InvalidInput("--bank", "name the banks, or pass --all for every bank, not both")
    return ["*"] if every else banks or []


def as_administrator(use: Callable[[str], T]) -> T:
    """Run `use` with an administrator's URL. Errors: DatabaseUnsuitable where DATABASE_URL is not one."""
    import psycopg

    from memory_service.connect import find_database
    from memory_service.db.analysts import AnalystRefused

    with closing(find_database(configure_process())) as access:
        if access.admin_url is None:
            raise DatabaseUnsuitable(
                f"grants need an administrator's {access.admin_setting}, as `migrate` does"
            )
        try:
            return use(access.admin_url)
        except AnalystRefused as error:
            raise InvalidInput("ROLE", str(error)) from None
        except psycopg.OperationalError as error:
            raise no_answer(error) from error
        except psycopg.Error as error:
            raise DatabaseUnsuitable(str(error).strip()) from error
