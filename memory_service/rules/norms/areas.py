"""Areas of life that can be sensitive: which of them a text touches."""

from __future__ import annotations

from memory_service.text.late_pattern import compile_late
from memory_service.text.text_cache import text_cache

AREAS: dict[str, str] = {
    "health concerns": r"ill|illness|sick|disease|diagnos\w+|cancer|tumou?r|hospital|surgery|operation|"
    r"chemo\w*|biops\w+|pain|symptoms?|"
    r"medication|diabet\w+|migraines?|asthma|stroke|heart attack|injur\w+|disabilit\w+|test results",
    "mental health": r"anxi\w+|depress\w+|panic|therap(?:y|ist)|burn(?:ed|t)?[- ]?out|self[- ]harm|suicid\w+|insomnia|"
    r"trauma\w*|ptsd|bipolar|adhd|eating disorder|relapse\w*|addict\w+|sober|sobriety|rehab",
    "grief": r"died|dead|death|passed away|funeral|grief|grieving|mourn\w*|widow\w*|miscarriage|stillb\w+|"
    r"lost (?:my|our|his|her)|buried",
    "work stress": r"boss|manager|deadlines?|overtime|fired|laid off|layoffs?|redundan\w+|workload|performance review|"
    r"colleagues?|coworkers?|office politics|promotion|quit(?:ting)? my job|unemploy\w*|job (?:search|hunt|interview)",
    "family topics": r"mother|father|mum|mom|dad|parents|sister|brother|siblings?|son|daughter|in-laws?|"
    r"custody|estranged|family",
    "relationships": r"divorc\w+|break[- ]?up|broke up|broken up|ex(?:-\w+)?|cheat(?:ed|ing)|affair|girlfriend|"
    r"boyfriend|wife|husband|partner|marriage|dating|lonely|loneliness",
    "money": r"debts?|loans?|mortgage|broke|bankrupt\w*|overdraft|bills|salary|rent|savings|afford|inheritance",
    "body image": r"weight|overweight|fat|bmi|diet(?:ing)?|calories|body image|appearance|ugly|hair loss",
    "fertility": r"pregnan\w+|ivf|infertil\w+|fertility|abortion|adoption",
    "identity": r"gay|lesbian|bisexual|trans(?:gender)?|queer|coming out|came out|closeted|gender|sexuality",
    "faith and politics": r"religio\w+|church|mosque|synagogue|faith|god|atheis\w+|politic\w+|election|vote[ds]?",
    "legal matters": r"lawsuit|lawyer|court|police|arrest\w*|prison|jail|charges|immigration|visa|deport\w+",
}
_COMPILED = {name: compile_late(rf"(?i)(?<![\w'])(?:{words})(?![\w])") for name, words in AREAS.items()}
_LONGEST = 8_000


@text_cache(512)
def areas_in(text: str) -> tuple[str, ...]:
    """The areas that a text touches, in the order of AREAS."""
    return tuple(name for name, pattern in _COMPILED.items() if pattern.search(text[:_LONGEST]))
