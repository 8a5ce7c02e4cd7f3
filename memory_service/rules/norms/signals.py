"""The relational signals of a segment, as `memory.episodic_memory.signals` holds them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from memory_service.rules.norms.areas import areas_in
from memory_service.rules.norms.style import shows_damage, style_of
from memory_service.text.sentences import without_echo
from memory_service.types import CandidateNorm, Segment


def signals_of(segment: Segment, norms: Sequence[CandidateNorm]) -> dict[str, Any]:
    """Norms, style, sensitive areas and damage shown by the user's messages; empty without words of the user."""
    texts = [without_echo(u.content) for u in segment.utterances if u.role == "user"]
    style = style_of(texts)
    if style is None:
        return {}
    signals: dict[str, Any] = {"style": asdict(style)}
    if norms:
        signals["norms"] = [asdict(norm) for norm in norms]
    if areas := areas_in("\n".join(texts)):
        signals["areas"] = list(areas)
    if shows_damage(texts):
        signals["damage"] = True
    return signals
