"""Commands that export a bank and import an export."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from memory_service.cli.terminal import AsJson, Bank, err, out, print_json, with_memory
from memory_service.errors import InvalidInput
from memory_service.validation import check_choice

STDIO = "-"
MARKDOWN = "markdown"
FORMATS = ("jsonl", MARKDOWN)


def export(
    bank: Annotated[str, typer.Argument(help="name of the bank")],
    out_file: Annotated[
        Path | None, typer.Option("--out", help="new file, default: stdout; of markdown a new folder")
    ] = None,
    form: Annotated[
        str, typer.Option("--format", help="jsonl, for an import; markdown, for people")
    ] = "jsonl",
    without_vectors: Annotated[
        bool, typer.Option("--without-vectors", help="leave the vectors out; an import embeds again")
    ] = False,
) -> None:
    """Write a bank as JSON lines, or as Markdown for people. The service can run meanwhile."""
    if check_choice(form, "--format", FORMATS) == MARKDOWN:
        write_markdown(bank, out_file, without_vectors=without_vectors)
        return
    from memory_service.transfer import export_bank

    with ExitStack() as stack:
        file: BinaryIO = sys.stdout.buffer if out_file is None else stack.enter_context(new_file(out_file))
        try:
            manifest = with_memory(
                lambda memory: export_bank(memory, bank, file.write, vectors=not without_vectors)
            )
        except BaseException:
            if out_file is not None:
                out_file.unlink()
            raise
        file.flush()
    if out_file is not None:
        err().print(f"{out_file} has {sum(manifest.rows.values())} rows of {bank}.", markup=False)


def write_markdown(bank: str, folder: Path | None, *, without_vectors: bool) -> None:
    """Errors: InvalidInput naming the option."""
    from memory_service.transfer import export_markdown

    if without_vectors:
        raise InvalidInput("--without-vectors", "is of jsonl: Markdown has no vectors")
    if folder is None:
        raise InvalidInput("--out", "is missing: Markdown is a folder of files")
    made = with_memory(lambda memory: export_markdown(memory, bank, folder))
    err().print(
        f"{folder} has {made.episodes} episodes and {made.facts} facts of {bank} in {made.files} files; "
        "begin with README.md.",
        markup=False,
        soft_wrap=True,
    )


def import_bank_command(
    file: Annotated[Path, typer.Argument(help="an export; - reads stdin")],
    bank: Bank,
    without_vectors: Annotated[
        bool, typer.Option("--without-vectors", help="embed again instead of importing vectors")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Import an exported bank into one that does not exist or is empty, all or nothing."""
    from memory_service.transfer import import_bank

    with ExitStack() as stack:
        lines: BinaryIO = sys.stdin.buffer if str(file) == STDIO else stack.enter_context(opened(file))
        result = with_memory(lambda memory: import_bank(memory, bank, lines, vectors=not without_vectors))
    if as_json:
        print_json(asdict(result))
        return
    out().print(
        f"{bank} has {sum(result.rows.values())} rows of {result.source}.", markup=False, soft_wrap=True
    )
    if not result.vectors:
        out().print(f"A worker embeds its memories with {result.embedding_model}.", markup=False)
    if result.erasure_id is not None:
        out().print(
            f"Memories that were erased here are not brought back: receipt {result.erasure_id}.",
            markup=False,
            soft_wrap=True,
        )


def new_file(path: Path) -> BinaryIO:
    """A new file that only its owner reads. Errors: InvalidInput naming --out."""
    try:
        return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")
    except OSError as error:
        raise InvalidInput("--out", f"{path} cannot be made: {error.strerror}") from error


def opened(path: Path) -> BinaryIO:
    """Errors: InvalidInput naming FILE."""
    try:
        return path.open("rb")
    except OSError as error:
        raise InvalidInput("FILE", f"{path} cannot be read: {error.strerror}") from error
