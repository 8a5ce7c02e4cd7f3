"""Profiles: how similarity, importance and recency are weighed against each other (DESIGN §4), a bank's own too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from memory_service.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Profile:
    """Weights of one way to rank, none negative. A score is the weighted sum of three figures 0..1, and `emotion`
    for each label that the memory shares with the present mood."""

    name: str
    similarity: float = 0.0
    importance: float = 0.0
    recency: float = 0.0
    emotion: float = 0.0
    """Per shared label, whatever the labels are."""
    floor: float | None = None
    """Only what scores above it is returned; tested with the stored importance, so that no memory falls below it by
    fading (DESIGN §4)."""
    fades: bool = True
    """Ranked by the effective importance; False: by the stored one."""

    def weights(self) -> dict[str, float]:
        """The weights that count here, for the trace."""
        named = {"similarity": self.similarity, "importance": self.importance, "recency": self.recency,
                 "emotion": self.emotion}  # fmt: skip
        floor = {} if self.floor is None else {"floor": self.floor}
        return {name: weight for name, weight in named.items() if weight} | floor


DEFAULT = "balanced"
PROFILES: dict[str, Profile] = {
    profile.name: profile
    for profile in (
        Profile(DEFAULT, similarity=0.5, importance=0.3, recency=0.2),  # S1 5.1, S3 2.3
        Profile(
            "salient", similarity=0.2, importance=0.5, recency=0.3, floor=0.4
        ),  # S2 "Hybrid Retrieval System"
        Profile(
            "empathic", similarity=0.45, importance=0.35, recency=0.2, emotion=0.05
        ),  # S4 "Final Ranking"
        Profile("legacy", importance=0.6, recency=0.4, fades=False),  # S5 "Score memories"
        Profile("precise", similarity=1.0),  # question answering, benchmarks
    )
}
"""The profiles of every bank, by name."""


def profile_of(settings: Mapping[str, Any], name: str | None) -> Profile:
    """The profile of this name in a bank with these settings; the bank's default where none is named.

    Errors: InvalidInput listing what there is.
    """
    wanted = name or settings.get("profile") or DEFAULT
    own = cast("Mapping[str, Mapping[str, float]]", settings.get("profiles") or {})
    if wanted in PROFILES:
        return PROFILES[wanted]
    if wanted in own:
        weights = own[wanted]
        return Profile(
            wanted, weights["similarity"], weights["importance"], weights["recency"], weights.get("emotion", 0.0),
            weights.get("floor"),
        )  # fmt: skip
    raise InvalidInput(
        "profile" if name else "settings.profile",
        f"must be one of {', '.join((*PROFILES, *sorted(own)))}, the profiles of this bank",
    )
