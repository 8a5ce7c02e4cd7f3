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


DOES = (
    "plays/played chess", "bakes/baked rye bread", "repairs/repaired old clocks", "grows/grew tomatoes",
    "sings/sang in a choir", "swims/swam in the lake", "collects/collected stamps", "paints/painted landscapes",
    "walks/walked three dogs", "learns/learned Japanese", "rides/rode a motorbike", "writes/wrote crime novels",
    "keeps/kept bees", "builds/built model ships", "teaches/taught yoga", "drives/drove a night bus",
    "restores/restored furniture", "brews/brewed beer", "photographs/photographed birds", "climbs/climbed a mountain",
    "knits/knitted sweaters", "programs/programmed robots", "plays/played the piano", "runs/ran a marathon",
    "cooks/cooked Thai food", "watches/watched silent films", "studies/studied law", "sells/sold used books",
    "flies/flew drones", "cleans/cleaned the church", "breeds/bred rabbits", "fishes/fished for trout",
    "dances/danced tango", "coaches/coached football", "carves/carved spoons", "visits/visited museums",
    "plants/planted oak trees", "fixes/fixed bicycles", "reads/read philosophy", "makes/made pottery",
    "trains/trained for boxing", "tells/told ghost stories", "delivers/delivered parcels", "sails/sailed a small boat",
    "mends/mended shoes", "drinks/drank green tea", "forgets/forgot birthdays", "snores/snored all night",
    "watches/watched the stars", "hates/hated the elevator",
)  # fmt: skip
"""Fifty topics, each a predicate in the present and past tense."""


def told(count: int, seed: int) -> list[str]:
    """`count` statements in the past tense, each about one of the topics."""
    chance = random.Random(seed)
    pick = chance.choice
    return [
        f"{pick(WHO)} {tense(pick(DOES), 1)} {pick(WHERE)} {pick(WHEN)}, and {pick(WHO)} was there too."
        for _ in range(count)
    ]


def facts_told(count: int, start: int = 0) -> list[tuple[str, str, str]]:
    """`count` different facts from number `start` on, each with text, subject and predicate."""
    found = [
        (who, tense(does, 0) + where)
        for where in ("", *(f" {w}" for w in WHERE))
        for does in DOES
        for who in WHO
    ]
    return [(f"{who.capitalize()} {does}.", who, does) for who, does in found[start : start + count]]


def tense(does: str, which: int) -> str:
    verb, _, what = does.partition(" ")
    return f"{verb.split('/')[which]} {what}"
