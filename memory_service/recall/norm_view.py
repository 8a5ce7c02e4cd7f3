"""Norms of a context: those that fit the message, and their effect on other memories (docs/design.md, "Context")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any
from uuid import UUID

import numpy as np

from memory_service.recall.formatting import quoted_norm
from memory_service.recall.fusion import to_built_in
from memory_service.recall.token_budget import LAST, Line
from memory_service.rules.norms.areas import areas_in
from memory_service.rules.norms.slots import stems_of
from memory_service.rules.relatives import PARENTS
from memory_service.store.context_entries import PersonEntry
from memory_service.types import CosineScale, Superseded

FITS = 0.20
"""Cosine, on the built-in model's scale, from which a norm fits a message: kept are 95 % of the preferences that a
question of PrefEval is about, and a fifth of the others."""
MATCHING_SHARE, MATCHING_TOKENS, MOST_SHARE = 0.2, 100, 0.5
"""Norms that fit the message are offered up to the larger of this share of the knowledge budget and this number of
tokens, the latter within half of the budget."""
GENERAL_SHARE = 0.12
"""Share up to which norms without a situation, style and phase are offered, whether they fit or not."""
CHARS_PER_TOKEN = 4
SENSITIVE = "about a sensitive topic that the message does not raise"
"""Reason why a context or compaction leaves a memory out."""
HELD_BACK = 0.7
"""Level from which memories about a sensitive topic are held back unless the message raises it."""
TOPIC = "topic: "
PLAIN_PHASES = {"established_trust": "established trust"}
"""The phases that a context names."""


@dataclass(frozen=True, slots=True)
class PersonView:
    """The norms that a context offers, and their effect on other memories."""

    norms: Sequence[Line]
    """Those that the message raises, the one that fits best, general ones, others that fit."""
    cosines: Mapping[UUID, float]
    """By norm, of those that are offered because they fit the message: the similarity to it."""
    stated: Mapping[UUID, Sequence[PersonEntry]]
    """By episode, the offered norms that it states."""
    known: Set[UUID]
    """Facts that only repeat norms in force: printed last."""
    replaced: Set[UUID]
    """Memories that state only replaced norms: left out."""
    ended: Mapping[UUID, Superseded]
    """By episode that states other norms as well, a replaced one: marked."""
    held_back: Sequence[str]
    """Sensitive topics that the message does not raise."""
    taboo: Set[UUID]
    """Episodes that state these topics as such."""

    def holds_back(self, memory_id: UUID | None, content: str) -> bool:
        """Whether a memory is about a topic that is held back."""
        return bool(self.held_back) and (
            memory_id in self.taboo or any(touches(content, topic) for topic in self.held_back)
        )


def person_view(
    entries: Sequence[PersonEntry],
    message: str,
    tokens: int,
    scale: CosineScale | None,
    shown: Mapping[UUID, str] = MappingProxyType({}),
) -> PersonView:
    """The view of these entries for a message, within a knowledge budget of `tokens`. `shown`: facts that are printed
    even if they are about a sensitive topic; the norm of that topic is then offered as well."""
    if not entries:
        return NOTHING
    norms = [entry for entry in entries if entry.kind == "norm"]
    sensitive = [norm for norm in norms if norm.detail["kind"] == "sensitivity"]
    raised = [norm for norm in sensitive if touches(message, norm.detail["slot"])]
    fit = fits(norms, scale)
    matching = sorted(
        (n for n in norms if fit[n.id] >= FITS and n.detail["kind"] in ("preference", "instruction")),
        key=lambda n: (-fit[n.id], n.id),
    )
    fitting = within(matching, max(tokens * MATCHING_SHARE, min(MATCHING_TOKENS, tokens * MOST_SHARE)))
    general = [n for n in norms if n.detail["kind"] in ("communication_style", "relationship_phase")]
    general += sorted(
        (n for n in norms if n.detail["kind"] == "instruction" and not n.situation and n not in fitting),
        key=lambda n: (not n.detail["pinned"], len(n.content), -n.occurred_at.timestamp(), n.id),
    )
    general = within([n for n in general if text_of(n)], tokens * GENERAL_SHARE)
    covered = [entry.detail for entry in entries if entry.kind == "coverage"]
    coverage: dict[str, Any] = covered[0] if covered else {}
    held_back = [n for n in sensitive if n not in raised and (n.detail["level"] or 0.0) >= HELD_BACK]
    known = frozenset(UUID(f"{fact}") for fact in coverage.get("facts", ()))
    printed = [text for fact, text in shown.items() if fact not in known]
    raised += [n for n in held_back if any(touches(text, n.detail["slot"]) for text in printed)]
    chosen = [*raised, *fitting[:1], *general, *fitting[1:]]
    offered = {str(norm.id): norm for norm in chosen}
    taboo = {str(norm.id) for norm in held_back}
    stated = [(norm, UUID(memory)) for norm, memory in coverage.get("stated", ())]
    by_episode: dict[UUID, list[PersonEntry]] = {}
    for norm, memory in stated:
        if norm in offered:
            by_episode.setdefault(memory, []).append(offered[norm])
    return PersonView(
        [
            norm_line(norm, rank=LAST if norm in general else 0.0, claims=norm not in fitting[1:])
            for norm in chosen
        ],
        {norm.id: norm.cosine or 0.0 for norm in fitting},
        by_episode,
        known,
        frozenset(UUID(f"{memory}") for memory in coverage.get("replaced", ())),
        {UUID(one["episode"]): ended_norm(one) for one in coverage.get("ended", ())},
        [norm.detail["slot"] for norm in held_back],
        frozenset(memory for norm, memory in stated if norm in taboo),
    )


def ended_norm(ended: Mapping[str, str]) -> Superseded:
    """The mark of an episode that states it; never the only statement there."""
    since = datetime.fromisoformat(ended["since"])
    return Superseded(UUID(ended["norm"]), ended["text"], since, None, None, alone=False)


def norm_line(norm: PersonEntry, *, rank: float, claims: bool) -> Line:
    """A line of RELATIONAL; `claims`: the section's reserve is open to it."""
    return Line(norm.id, quoted_norm(text_of(norm), norm.situation), rank=rank, share=float(claims))


def fits(norms: Sequence[PersonEntry], scale: CosineScale | None) -> dict[UUID, float]:
    """The similarity of each norm to the message on the built-in model's scale; 0 without vectors."""
    cosines = np.array([norm.cosine or 0.0 for norm in norms])
    if scale is not None:
        cosines = to_built_in(cosines, scale)
    return {norm.id: cosine for norm, cosine in zip(norms, cosines.tolist(), strict=True)}


def within(norms: Sequence[PersonEntry], tokens: float) -> list[PersonEntry]:
    """The first of these norms that fit in about so many tokens; at least one."""
    taken: list[PersonEntry] = []
    for norm in norms:
        tokens -= len(norm.content) / CHARS_PER_TOKEN + len(norm.situation) / CHARS_PER_TOKEN + 4
        if taken and tokens < 0:
            break
        taken.append(norm)
    return taken


def text_of(norm: PersonEntry) -> str:
    """A norm as printed; empty for a phase of the relationship before trust, which says nothing to an agent."""
    match norm.detail["kind"]:
        case "relationship_phase":
            phase = PLAIN_PHASES.get(norm.content)
            return f"relationship: {phase}" if phase else ""
        case "sensitivity":
            return f"sensitive topic, be careful: {norm.content}"
        case _:
            return norm.content


def without_sensitive(
    entries: Sequence[PersonEntry], view: PersonView
) -> tuple[list[PersonEntry], dict[UUID, str]]:
    """The entries without a thread or procedure about a topic that is held back; the reasons, by procedure left out."""
    held_back = {
        entry.id: entry.kind
        for entry in entries
        if entry.kind in ("thread", "procedure")
        and view.holds_back(entry.id, f"{entry.content} {entry.situation}")
    }
    shown = [entry for entry in entries if entry.id not in held_back]
    return shown, {one: SENSITIVE for one, kind in held_back.items() if kind == "procedure"}


def touches(text: str, topic: str) -> bool:
    """Whether a text is about a sensitive topic: an area of life, or words that a person named."""
    if topic.startswith(TOPIC):
        named = topic.removeprefix(TOPIC)  # of stems; of whole words where a caller gave the slot
        return not _with_parents(stems_of(named) | frozenset(named.split())).isdisjoint(
            _with_parents(stems_of(text))
        )
    return topic in areas_in(text)


def _with_parents(words: frozenset[str]) -> frozenset[str]:
    """The words with one name for each parent: facts say "mother" of "my mum"."""
    return words | {PARENTS[word] for word in words & PARENTS.keys()}


NOTHING = PersonView((), {}, {}, frozenset(), frozenset(), {}, (), frozenset())
