"""Profiles: weights of similarity, importance and recency (docs/design.md, "Recall"), built-in and of a bank."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from memory_service.errors import InvalidInput
from memory_service.fusion_weights import CUT_OFF

LARGEST_WEIGHT = 1e300
TIE_BREAKING = 0.2
"""Importance and recency with weights up to this share of the similarity's only break ties."""


@dataclass(frozen=True, slots=True)
class Profile:
    """Weights, none negative. A score is the weighted sum of similarity, importance and recency, each 0..1, and
    `emotion` for each label that the memory shares with the mood."""

    name: str
    similarity: float = 0.0
    importance: float = 0.0
    recency: float = 0.0
    emotion: float = 0.0
    """For each shared label."""
    floor: float | None = None
    """Only memories with a score above it are returned. Compared with the stored importance, so that decay does not
    bring a memory below it."""
    fades: bool = True
    """Rank by the effective importance; False: by the stored one."""
    cut_off: float | None = None
    """Lowest similarity of memories in a recall, even where fewer than k reach it, and of episodes in a context."""
    fact_cut_off: float | None = None
    """Lowest similarity of facts in a context that are not always shown."""

    @property
    def seeks_salient(self) -> bool:
        """Whether the arm by importance and recency is used; else both only break ties."""
        return self.importance + self.recency > TIE_BREAKING * self.similarity

    def weights(self) -> dict[str, float]:
        """The weights and limits that are set, for the trace."""
        named = {"similarity": self.similarity, "importance": self.importance, "recency": self.recency,
                 "emotion": self.emotion}  # fmt: skip
        limits = {
            "floor": self.floor,
            "cut_off": self.cut_off,
            "fact_cut_off": self.fact_cut_off,
        }
        return {name: weight for name, weight in named.items() if weight} | {
            name: limit for name, limit in limits.items() if limit is not None
        }


DEFAULT = "relevant"
FACT_CUT_OFF = 0.15
"""Most facts do not answer the query: of those with a similarity of at least 0.10 in contexts of four data sets, 2 to
6 % rested on a message that answers the question."""
PROFILES: dict[str, Profile] = {
    profile.name: profile
    for profile in (
        Profile(
            DEFAULT,
            similarity=1.0,
            importance=0.001,
            recency=0.001,
            cut_off=CUT_OFF,
            fact_cut_off=FACT_CUT_OFF,
        ),
        Profile("balanced", similarity=0.5, importance=0.3, recency=0.2),
        Profile("salient", similarity=0.2, importance=0.5, recency=0.3, floor=0.4),
        Profile("empathic", similarity=0.45, importance=0.35, recency=0.2, emotion=0.05),
        Profile("legacy", importance=0.6, recency=0.4, fades=False),
        Profile("precise", similarity=1.0),  # question answering, benchmarks
    )
}
"""The profiles of every bank, by name."""


def profile_of(settings: Mapping[str, Any], name: str | None) -> Profile:
    """The profile of this name in a bank with these settings; the bank's default without a name.

    Errors: InvalidInput listing the known profiles.
    """
    wanted = name or settings.get("profile") or DEFAULT
    own = cast("Mapping[str, Mapping[str, float]]", settings.get("profiles") or {})
    if wanted in PROFILES:
        return PROFILES[wanted]
    if wanted in own:
        # jsonb returns a large weight as an integer, which the JSON sent to SQL cannot represent.
        weights = {key: float(min(weight, LARGEST_WEIGHT)) for key, weight in own[wanted].items()}
        cut_off = weights.get("cut_off")
        return Profile(
            wanted, weights["similarity"], weights["importance"], weights["recency"], weights.get("emotion", 0.0),
            weights.get("floor"), cut_off=cut_off, fact_cut_off=cut_off,
        )  # fmt: skip
    raise InvalidInput(
        "profile" if name else "settings.profile",
        f"must be one of {', '.join((*PROFILES, *sorted(own)))}, the profiles of this bank",
    )
