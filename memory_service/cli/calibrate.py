"""`calibrate`: choose thresholds from labelled pairs and print the tables that the choice is based on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from memory_service.calibration import (
    LABELS,
    MIN_PAIRS,
    Calibration,
    Choice,
    LabelledPair,
    Row,
    Thresholds,
    scale_json,
)
from memory_service.errors import InvalidInput
from memory_service.memory import Memory
from memory_service.models.built_model import BUILT_IN
from memory_service.transfer.json_lines import json_objects
from memory_service.types import CosineScale
from memory_service.validation import MAX_MESSAGE_CHARS, check_choice, check_number, check_text

FIELDS = {"a", "b", "label"}


async def calibrate_file(
    memory: Memory,
    path: Path,
    *,
    model: str | None,
    precision: float,
    evidence_precision: float,
    apply: bool,
    out: Console | None,
    err: Console,
) -> dict[str, Any]:
    """Choose thresholds from a file of pairs, print the tables to `out` and, with `apply`, store the thresholds.

    Returns the answer for --json.
    """
    precision = share(precision, "--precision")
    evidence_precision = share(evidence_precision, "--evidence-precision")
    pairs = read_pairs(path)
    name, old = await memory.thresholds(model)
    with err.status(f"embedding {2 * len(pairs):,} texts with {escape(name)}"):
        found = await memory.calibrate(
            pairs, model=model, precision=precision, evidence_precision=evidence_precision
        )
    if out is not None:
        print_calibration(found, old, out)
    if out is not None:
        print_scale(name, found, old, out)
    measured = found.scale is not None and name != BUILT_IN
    apply = apply and (measured or any(choice.threshold is not None for _, _, choice in choices(found, old)))
    if apply:
        await memory.set_thresholds(found, model=model)
    return {
        "model": name,
        "applied": apply,
        "thresholds": {
            kind: {"old": before, "chosen": choice.threshold, "note": choice.note}
            for kind, before, choice in choices(found, old)
        },
        "scale": {"old": scale_json(old.scale), "measured": scale_json(found.scale)},
        **found.as_json(),
    }


def share(value: float, name: str) -> float:
    if check_number(value, name, 0, 1) == 0:
        raise InvalidInput(name, "must be above 0")
    return value


def read_pairs(path: Path) -> list[LabelledPair]:
    """JSON lines `{a, b, label}`. Errors: InvalidInput naming file, line and field."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput("file", f"{path} cannot be read: {error}") from error
    pairs: list[LabelledPair] = []
    for at, fields in json_objects(text.split("\n"), lambda number: f"{path}:{number}"):
        for name in fields.keys() - FIELDS:
            raise InvalidInput(f"{at}: {name}", f"is unknown; known are {', '.join(sorted(FIELDS))}")
        a, b = (check_text(fields.get(name), f"{at}: {name}", MAX_MESSAGE_CHARS) for name in ("a", "b"))
        label = check_choice(fields.get("label"), f"{at}: label", LABELS)
        pairs.append(LabelledPair(a, b, cast("Any", label), at))
    return pairs


def choices(found: Calibration, old: Thresholds) -> Sequence[tuple[str, float, Choice]]:
    return (
        ("duplicate", old.duplicate, found.duplicate),
        ("evidence", old.evidence, found.evidence),
        ("conflict", old.conflict, found.conflict),
    )


def print_calibration(found: Calibration, old: Thresholds, out: Console) -> None:
    counts = (f"{n} {label} ({found.mismatched[label]} mismatched)" for label, n in found.pairs.items())
    out.print("pairs: " + ", ".join(counts), soft_wrap=True)
    out.print(
        f"\nDuplicates: same, at a precision of {found.precision:g}; the right-hand columns are without the guard"
    )
    print_rows(found.duplicate, out, "taken", found.duplicate.unguarded)
    out.print(f"\nEvidence: same or supports, at a precision of {found.evidence_precision:g}")
    print_rows(found.evidence, out, "taken")
    out.print(
        f"\nConflicts: {found.conflict_recall:.0%} of contradicting pairs; `others` are judged without need"
    )
    print_rows(found.conflict, out, "to judge", others=True)
    out.print()
    for kind, before, choice in choices(found, old):
        after = "stays" if choice.threshold is None else f"-> {choice.threshold:g}"
        note = f"  ({choice.note})" if choice.note else ""
        out.print(f"{kind + '_threshold':20}{before:g} {after}{note}", soft_wrap=True)


def print_scale(name: str, found: Calibration, old: Thresholds, out: Console) -> None:
    """Print mean and spread of the cosines of unrelated texts, stored and measured. See docs/design.md, "Recall"."""
    if found.scale is None:
        after = f"stays  ({MIN_PAIRS} pairs not labelled `same` are needed)"
    else:
        after = f"-> {scale_text(found.scale)}"
        if name == BUILT_IN:
            after = f"stays  (measured {scale_text(found.scale)}; other models are scaled to it)"
    before = "as the built-in model's" if old.scale is None else scale_text(old.scale)
    out.print(f"{'unrelated texts':20}{before} {after}", soft_wrap=True)


def scale_text(scale: CosineScale) -> str:
    return f"{scale.mean:.3f} ± {scale.spread:.3f}"


def print_rows(
    choice: Choice, out: Console, taken: str, unguarded: Sequence[Row] = (), *, others: bool = False
) -> None:
    """Print the rows of `choice.shown()` that take a pair; `*` marks the chosen one."""
    table = Table(box=None, pad_edge=False)
    names = ["", "cosine >=", taken, "others" if others else "precision", "at least", "recall"]
    for name in names + ["taken", "precision", "recall"] * bool(unguarded):
        table.add_column(name, justify="right")
    bare = {row.threshold: row for row in unguarded}
    for row in choice.shown():
        if not row.taken and row != choice.row:
            continue
        cells = ["*" if row == choice.row else "", f"{row.threshold:g}", str(row.taken)]
        cells += [str(row.taken - row.right) if others else figure(row.precision), figure(row.at_least)]
        cells.append(figure(row.recall))
        if row.threshold in bare:
            beside = bare[row.threshold]
            cells += [str(beside.taken), figure(beside.precision), figure(beside.recall)]
        table.add_row(*cells)
    out.print(table)


def figure(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"
