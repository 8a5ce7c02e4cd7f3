"""Profiles: how similarity, importance and recency are weighed against each other (DESIGN §4), a bank's own too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from memory_service.errors import InvalidInput
from memory_service.fusion_weights import CONTEXT_CUT_OFF, CUT_OFF

LARGEST_WEIGHT = 1e300
TIE_BREAKING = 0.2
"""Importance and recency that weigh up to this share of the similarity only break ties."""


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
    cut_off: float | None = None
    """Only what has at least this similarity is returned by a recall: it does not come back because k leaves room."""
    context_cut_off: float | None = None
    """The same for the episodes of a context, whose budgets leave out what is less relevant."""
    fact_cut_off: float | None = None
    """The same for the facts of a context that do not matter to any answer."""

    @property
    def seeks_salient(self) -> bool:
        """Whether memories are fetched for their importance and recency alone; else both only break ties."""
        return self.importance + self.recency > TIE_BREAKING * self.similarity

    def weights(self) -> dict[str, float]:
        """The weights that count here, for the trace."""
        named = {"similarity": self.similarity, "importance": self.importance, "recency": self.recency,
                 "emotion": self.emotion}  # fmt: skip
        limits = {
            "floor": self.floor,
            "cut_off": self.cut_off,
            "context_cut_off": self.context_cut_off,
            "fact_cut_off": self.fact_cut_off,
        }
        return {name: weight for name, weight in named.items() if weight} | {
            name: limit for name, limit in limits.items() if limit is not None
        }


DEFAULT = "relevant"
FACT_CUT_OFF = 0.15
"""Facts are many and short, and most are not what is asked about: of those shown with a similarity of at least 0.10 in
contexts of four sets, 2 to 6 % rested on a message that answers the question."""
PROFILES: dict[str, Profile] = {
    profile.name: profile
    for profile in (
        Profile(
            DEFAULT,
            similarity=1.0,
            importance=0.005,
            recency=0.005,
            cut_off=CUT_OFF,
            context_cut_off=CONTEXT_CUT_OFF,
            fact_cut_off=FACT_CUT_OFF,
        ),
        Profile("balanced", similarity=0.5, importance=0.3, recency=0.2),  # S1 5.1, S3 2.3
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
        # As floats: a large weight comes from jsonb as an integer, which JSON for SQL cannot hold.
        weights = {key: float(min(weight, LARGEST_WEIGHT)) for key, weight in own[wanted].items()}
        cut_off = weights.get("cut_off")
        return Profile(
            wanted, weights["similarity"], weights["importance"], weights["recency"], weights.get("emotion", 0.0),
            weights.get("floor"), cut_off=cut_off, context_cut_off=cut_off, fact_cut_off=cut_off,
        )  # fmt: skip
    raise InvalidInput(
        "profile" if name else "settings.profile",
        f"must be one of {', '.join((*PROFILES, *sorted(own)))}, the profiles of this bank",
    )
