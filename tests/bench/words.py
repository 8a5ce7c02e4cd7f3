"""Made-up sentences of a person's life, different from each other, the same in every run."""

from __future__ import annotations

import random

WHO = (
    "my sister",
    "my brother",
    "my neighbour",
    "Maria",
    "Tom",
    "our teacher",
    "my boss",
    "the baker",
    "Ines",
)
DID = (
    "bought",
    "lost",
    "painted",
    "sold",
    "repaired",
    "found",
    "forgot",
    "gave away",
    "dreamt of",
    "photographed",
)
WHAT = (
    "a green bicycle",
    "an old piano",
    "the blue car",
    "a wooden boat",
    "two cats",
    "a garden lamp",
    "the keys",
)
WHERE = ("in Lisbon", "near the harbour", "at the market", "in the mountains", "at work", "behind the school")
WHEN = ("last Sunday", "in March", "two years ago", "this morning", "on her birthday", "before the storm")


def sentences(count: int, seed: int = 7) -> list[str]:
    """`count` sentences of about 18 words."""
    chance = random.Random(seed)
    pick = chance.choice
    return [
        f"{pick(WHO)} {pick(DID)} {pick(WHAT)} {pick(WHERE)} {pick(WHEN)}, and {pick(WHO)} {pick(DID)} "
        f"{pick(WHAT)} {pick(WHERE)}, number {number}."
        for number in range(count)
    ]


SHORT = (
    "Hi!",
    "Sounds good.",
    "Thanks a lot!",
    "Really?",
    "That is great to hear.",
    "See you then.",
    "Not yet.",
)


def turns(count: int, seed: int = 7) -> list[str]:
    """`count` turns as long and as short as people's are: a fifth are a few words, half one sentence, the others two to
    four; no two sentences alike."""
    chance = random.Random(seed)
    told = iter(sentences(4 * count, seed))
    found: list[str] = []
    for _ in range(count):
        size = chance.choices((0, 1, 2, 3, 4), weights=(20, 50, 15, 10, 5))[0]
        found.append(" ".join(next(told).capitalize() for _ in range(size)) or chance.choice(SHORT))
    return found
