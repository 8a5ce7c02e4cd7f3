"""`python -m tests.bench.quality DATA [--only emotions,summaries] [--examples]`."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import uvloop

from memory_service import logs
from tests.bench.quality import (
    commitments,
    conflicts,
    consolidation,
    duplicates,
    emotions,
    facts,
    gate,
    importance,
    live,
    persona,
    preferences,
    redaction,
    replaced_instructions,
    retrieval,
    safety,
    summaries,
    support,
    typos,
    year,
)
from tests.bench.quality.data import conversations, out

PARTS = (
    "retrieval",
    "live",
    "gate",
    "importance",
    "duplicates",
    "conflicts",
    "support",
    "consolidation",
    "persona",
    "preferences",
    "instructions",
    "facts",
    "year",
    "emotions",
    "commitments",
    "summaries",
    "redaction",
    "safety",
    "typos",
)
WITHOUT_DATA = {"persona", "facts", "year", "typos", "support", "safety"}


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.bench.quality", description=__doc__)
    parser.add_argument("data", nargs="?", type=Path, default=Path("data"), help="folder of labelled files")
    parser.add_argument("--only", default=",".join(PARTS), help=f"some of {','.join(PARTS)}")
    parser.add_argument(
        "--sets", default="", help="of live: only these sets, such as beam;diary;own chats, held"
    )
    parser.add_argument("--intake", default="exchange", help="of live: exchange, message or verbatim")
    parser.add_argument("--examples", action="store_true", help="show some of what went wrong")
    arguments = parser.parse_args()
    folder: Path = arguments.data
    wanted = [part for part in str(arguments.only).split(",") if part]
    if unknown := set(wanted) - set(PARTS):
        parser.error(f"--only knows {', '.join(PARTS)}; not {', '.join(sorted(unknown))}")
    if not folder.is_dir() and set(wanted) - WITHOUT_DATA:
        out.print(f"No labelled data: there is no folder {folder}. Name it: make bench-quality DATA=…")
        return 1
    logs.configure("error")
    begin = time.monotonic()
    files = conversations(folder) if {"retrieval", "gate", "consolidation"} & set(wanted) else []
    if "retrieval" in wanted:
        uvloop.run(retrieval.measure(files))
    if "live" in wanted:
        sets = [name for name in str(arguments.sets).split(";") if name]
        uvloop.run(live.measure(folder, sets, arguments.intake))
    if "gate" in wanted and files:
        uvloop.run(gate.measure(files))
    if "duplicates" in wanted:
        uvloop.run(duplicates.measure(folder))
    if "conflicts" in wanted:
        uvloop.run(conflicts.measure(folder, arguments.examples))
    if "support" in wanted:
        uvloop.run(support.measure(folder, arguments.examples))
    if "consolidation" in wanted and files:
        uvloop.run(consolidation.measure(files))
    if "persona" in wanted:
        uvloop.run(persona.measure(arguments.examples))
    if "facts" in wanted:
        uvloop.run(facts.measure(arguments.examples))
    if "year" in wanted:
        uvloop.run(year.measure(arguments.examples))
    if "preferences" in wanted:
        uvloop.run(preferences.measure(folder))
    if "instructions" in wanted:
        uvloop.run(replaced_instructions.measure(folder))
    if "safety" in wanted:
        safety.measure(arguments.examples)
    if "typos" in wanted:
        uvloop.run(typos.measure())
    for part, measure in (
        ("gate", gate.curve),
        ("importance", importance.measure),
        ("emotions", emotions.measure),
        ("commitments", commitments.measure),
        ("summaries", summaries.measure),
        ("redaction", redaction.measure),
    ):
        if part in wanted:
            measure(folder, arguments.examples)
    out.print(f"{time.monotonic() - begin:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
