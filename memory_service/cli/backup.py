"""Commands for backups of the whole database."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memory_service.cli.terminal import AsJson, group, list_whole_lines, out, print_json
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
    if as_json:
        print_json(asdict(manifest) | {"bytes": size})
    else:
        out().print(f"{folder} has {counts(manifest)} in {size / 1e6:.1f} MB.", markup=False, soft_wrap=True)


@backup.command()
def restore(
    folder: Annotated[Path, typer.Argument(help="folder of a backup")], as_json: AsJson = False
) -> None:
    """Restore a backup into the configured database, which must be empty, and migrate it to this release."""
    from memory_service.backup import restore_backup

    manifest = restore_backup(configure_process(), folder)
    if as_json:
        print_json(asdict(manifest))
    else:
        out().print(
            f"{counts(manifest)} of {manifest.created_at} are restored.", markup=False, soft_wrap=True
        )


def counts(manifest: Manifest) -> str:
    return f"{manifest.rows['bank']} banks, {manifest.total} rows"


list_whole_lines(backup)
