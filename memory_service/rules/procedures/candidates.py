"""Candidate procedures of a segment: what its user states about themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from memory_service.rules.facts.user_text import own_words
from memory_service.rules.procedures.habits import habit_in
from memory_service.text.sentences import sentences, without_echo
from memory_service.types import Segment, StatedProcedure

MOST = 8
"""Procedures of one segment."""
LONGEST_READ = 6_000
"""Characters read of a message."""


def procedures_in(segment: Segment) -> list[tuple[StatedProcedure, str | None]]:
    """The procedures that users state, each once, with the name of the speaker. Words of assistants and tools,
    quotations and pasted texts are not read."""
    found = {
        (utterance.name, procedure.content.casefold()): (procedure, utterance.name)
        for utterance in segment.utterances
        if utterance.role == "user"
        for sentence in sentences(own_words(without_echo(utterance.content)[:LONGEST_READ]))
        if (procedure := habit_in(sentence)) is not None
    }
    return list(found.values())[:MOST]


def procedure_candidates(
    segment: Segment, stated: Sequence[StatedProcedure] = (), extracted_by: str = "rules"
) -> list[dict[str, Any]]:
    """The candidates as `signals` of an episode holds them: those that the rules find, and `stated`, a model's. Of
    several speakers a model's are left out: it does not say whose they are."""
    by_rules = procedures_in(segment)
    known = {procedure.content.casefold() for procedure, _ in by_rules}
    speakers = {utterance.name for utterance in segment.utterances if utterance.role == "user"}
    further = [one for one in stated if one.content.casefold() not in known] if len(speakers) == 1 else []
    return [asdict(one) | {"speaker": name, "extracted_by": "rules"} for one, name in by_rules] + [
        asdict(one) | {"speaker": min(speakers, key=str), "extracted_by": extracted_by}
        for one in further[:MOST]
    ]
