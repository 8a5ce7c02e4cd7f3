"""Commands for backups of the whole database."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memory_service.cli.scrub import print_scrub
from memory_service.cli.terminal import AsJson, group, list_whole_lines, out, print_answer, print_json
from memory_service.errors import InvalidInput
from memory_service.startup import configure_process

if TYPE_CHECKING:
    from memory_service.backup import Manifest

backup = group("Create a backup of all banks, or restore one into an empty database.", no_args_is_help=True)


@backup.command()
def create(folder: Annotated[Path, typer.Argument(help="new folder")], as_json: AsJson = False) -> None:
    """Write all banks, keys and settings into a new folder. The service can run meanwhile."""
    from memory_service.backup import DUMP, create_backup

    manifest = create_backup(configure_process(), folder)
    size = (folder / DUMP).stat().st_size
    print_answer(
        asdict(manifest) | {"bytes": size},
        f"{folder} has {counts(manifest)} in {size / 1e6:.1f} MB.",
        as_json=as_json,
    )


@backup.command()
def restore(
    folder: Annotated[Path, typer.Argument(help="folder of a backup")],
    ledger: Annotated[
        list[Path] | None,
        typer.Option(
            help="folder of the ledger of erasures; repeatable; without it the usual places are searched"
        ),
    ] = None,
    without_ledger: Annotated[
        bool, typer.Option("--without-ledger", help="leave these erasures out: brings erased data back")
    ] = False,
    scrub: Annotated[
        bool, typer.Option("--scrub", help="overwrite the erased rows in the files as well")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Restore a backup into the configured database, which must be empty, migrate it to this release, and
    carry out again the erasures since the backup. The same call again continues an interrupted one."""
    from memory_service.backup import restore_backup

    if ledger and without_ledger:
        raise InvalidInput("--ledger", "is not given together with --without-ledger")
    settings = configure_process()
    restored = restore_backup(settings, folder, ledger or (), without_ledger=without_ledger)
    done = None
    if scrub:
        from memory_service.erasure.scrub import scrub as scrub_erased

        done = scrub_erased(settings)
    if as_json:
        print_json(
            asdict(restored.manifest) | {"erasures": restored.erasures} | ({"scrub": done} if done else {})
        )
        return
    manifest = restored.manifest
    out().print(f"{counts(manifest)} of {manifest.created_at} are restored.", markup=False, soft_wrap=True)
    out().print(f"{restored.erasures} erasures since then are carried out again.", markup=False)
    if done is not None:
        print_scrub(done)


def counts(manifest: Manifest) -> str:
    return f"{manifest.rows['bank']} banks, {manifest.total} rows"


list_whole_lines(backup)
