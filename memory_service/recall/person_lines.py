"""Lines of a context about the person: norms, emotional thread, procedures."""

from __future__ import annotations

from collections.abc import Sequence

from memory_service.recall.formatting import quoted_norm
from memory_service.recall.token_budget import Line
from memory_service.store.person import PersonEntry


def norm_lines(entries: Sequence[PersonEntry]) -> list[Line]:
    """The lines of RELATIONAL, best first: norms without a situation, then by similarity to the message."""
    norms = [entry for entry in entries if entry.kind == "norm"]
    norms.sort(key=lambda norm: (-(norm.cosine or 0.0), norm.id))
    return [
        Line(norm.id, quoted_norm(norm.content, norm.situation), rank=place)
        for place, norm in enumerate(norms)
    ]
