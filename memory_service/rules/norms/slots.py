"""Slots: what a norm is about, so that a newer norm of the same slot replaces it.

The slot of "always start function names with 'a_'" is the start of function names, its value `a_`. Things that are
added or used ("add the '@retry' decorator") are part of the slot, because several such norms hold together; only its
negation replaces it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from memory_service.rules.facts.alternatives import choice_of
from memory_service.rules.facts.value_normalization import american
from memory_service.rules.word_lists import COUNT, LANGUAGES
from memory_service.text.late_pattern import compile_late

_LITERAL = compile_late(
    r"(?<!\w)(?:'([^']{1,40})'|\"([^\"]{1,40})\"|`([^`]{1,40})`)|(?<![\w@])(@?\w*_\w*|@\w+)|\b(\d+)\b"
)
_WORD = compile_late(r"[a-z][a-z'+#]*")
_NEGATIVE = compile_late(
    r"(?i)\b(?:never|not|don't|dont|do not|doesn't|avoids?|avoiding|stops?|no|without|refuses?|dislikes?|hates?|"
    r"loathes?|detests?|can't stand|cannot stand|ditch|instead of|rather than|no longer|opposed|aversion|skip|drop|"
    r"isn't|aren't|wasn't|can't|cannot|won't|(?:less|fewer)(?! than)|phobia|allergic|allergy)\b"
)
_LEADING_NEGATIVE = compile_late(
    r"(?i)^(?:(?:please|also|always|and|just) )*(?:stop|quit|skip|drop|cut(?: out)?|leave out|ditch|spare me|"
    r"enough with|zero|less|fewer)\b"
)
"""Words that negate the things behind them and are no part of the slot: "stop using jargon", "skip the jargon"."""
_NO_NEGATION = compile_late(
    r"(?i)^(?:no|nope|nah)(?:[,;:.!–—-]+ | (?=I(?:'m)?\b))|\b(?:not (?:gonna|going to) lie|no (?:doubt|matter|kidding|"
    r"joke)|not (?:only|just)|(?:can't|cannot|couldn't) (?:wait|resist|get enough(?: of)?|"
    r"(?:live|do|be|sleep) without))\b"
)
"""Negative words that negate nothing in the sentence: "No, I like fish", "not gonna lie", "can't live without"."""
_CONCESSION = compile_late(r"(?i)\beven (?:if|when)\b[^,;.]*")
"""A case that makes no difference: "answer in English even if I write in German"."""
_POSITION = compile_late(
    r"(?i)\b(?P<first>greet|starts?|starting|begins?|beginning|prefix(?:es)?|prefixed|leading)\b|"
    r"\b(?P<last>ends?|ending|sign(?:s|ed)?(?: off)?|suffix(?:es)?|suffixed|finish(?:es)?|trailing)\b"
)
_SIGNS = compile_late(r"(?i)\bsign(?: off)?\b")
_SIGNED = compile_late(
    r"(?i)\bsign(?: off)?(?: (?!(?:up|in|out|on|with|as)\b)[\w'-]+){0,6} (?:with|as) (?P<name>(?-i:[A-Z])[\w'-]*\.?"
    r"(?: (?-i:[A-Z])[\w'-]*\.?){0,3})"
)
"""A name to sign with, without quotation marks."""
_MEASURE = r"(?:chars?|characters?|words?|lines?|sentences?|paragraphs?)"
_CATEGORIES = tuple(
    (name, compile_late(f"(?i){pattern}"))
    for name, pattern in (
        ("answers: length", r"\b(?:answers?|replies|reply|responses?|explanations?|messages|respond|explain|it|"
         r"things)\b.*\b(?P<short>short(?:er)?|brief(?:er|ly)?|concise(?:ly)?|terse(?:ly)?|to the point)|"
         r"\b(?P<short2>short(?:er)?|brief(?:er)?|concise|terse)\b.{0,30}\b(?:answers?|replies|responses?|"
         r"explanations?|messages)|\b(?:answers?|replies|responses?|explanations?|explain|"
         r"respond)\b.*\b(?P<long>long(?:er)?|detailed|thorough(?:ly)?|in (?:more )?detail|in depth|step by step)|"
         r"\b(?P<long2>long(?:er)?|(?:more )?detailed|thorough|in-depth)\b.{0,30}\b(?:answers?|replies|responses?|"
         r"explanations?)"),
        ("answers: emojis", r"\b(?P<emojis>emojis?|emoticons?|smileys?)\b"),
        ("answers: bullet points", r"\b(?P<bullets>bullet(?:ed)?[ -]?(?:points?|lists?)|bullets)\b"),
        ("texts: length", r"\b(?:max(?:imum|imal)?|at most|no more than|no longer than|under|below|up to|less than) "
         rf"(?P<most>{COUNT} {_MEASURE})\b|\b(?P<most2>{COUNT} {_MEASURE}) (?:max(?:imum)?|tops|at most|or less)\b"),
        ("answers: tone", r"\b(?P<casual>(?:less|not (?:so|too|that)) formal(?:ly)?|informal(?:ly)?|casual(?:ly)?)\b|"
         r"\b(?P<formal>less (?:casual|informal)(?:ly)?|formal(?:ly)?|professional(?:ly)?)\b"),
        ("answers: units", r"\b(?P<metric>metric|celsius|kilomet(?:er|re)s|(?<=in )km|si units)\b|"
         r"\b(?P<imperial>imperial|fahrenheit|miles)\b"),
        ("answers: language", r"\b(?:answers?|reply|replies|respond|write|speak|talk)\b.{0,40}?\bin "
         rf"(?P<language>{LANGUAGES})\b|\b(?:speak|talk)(?: to me| with me)? (?:(?:only|just|simple|plain|easy|basic) "
         rf")*"
         rf"(?P<language2>{LANGUAGES})\b"),
        ("answers: rhyme", r"\b(?P<rhyme>rhym(?:e|es|ing))\b"),
        ("answers: voice", r"\b(?:answer|reply|respond|write|speak|talk)(?:ing)?(?: to me| with me)? (?:like|as) "
         r"(?P<voice>(?:an? )(?!friend|human|person|beginner|child|kid|expert|professional|native)[\w-]+|yoda|"
         r"shakespeare)\b"),
        ("prices: currency", r"\b(?:prices?|costs?|amounts?|totals|budgets|fees)\b.{0,30}?\bin (?P<currency>(?:swiss "
         r"francs|francs|euros?|(?:us |american |canadian |australian )?dollars|pounds(?: sterling)?|yen|rupees|kronor|"
         r"kroner|zloty|pesos|reais|yuan|lira|chf|eur|usd|gbp|jpy|inr|sek|nok|dkk|pln))\b"),
        ("code: indentation", r"^(?:(?:please|pls|I|we|never|don't|dont|do not|no|not|only|just|always|use|using|want|"
         r"like|prefer|indent|(?:your|our|my|the|all) code|with|stop|avoid|stick|to|go|switch|change|"
         r"back) ){0,5}(?:(?P<tabs>tabs)|(?:(?:\d|two|four|eight) )?(?P<spaces>spaces))(?=$|[.,;!]| (?:not|instead|"
         r"rather|over|for indent\w+|please|pls|only|everywhere|from now|and not|in (?:my|our|all|the|your) "
         r"(?:\w+ )?(?:code|files|projects?))\b)"),
    )
)  # fmt: skip
"""Slots with named values: the value is the group that matched, or its text for those of _BY_TEXT."""
_BY_TEXT = ("language", "voice", "currency", "most")
_CHOICE = compile_late(
    r"(?i)\buse [\"'“]?(?P<one>[\w+#.-]+)[\"'”]?,? (?:and )?(?:not|never|instead of|rather than) "
    r"[\"'“]?(?P<other>[\w+#.-]+)[\"'”]?(?=$|[ ,.;!])"
)
"""A choice between two things, of which the first is the value: 'use "du" not "Sie"'."""
_OF_TEXT = compile_late(
    r"(?i)^(?:(?:always|please|never|also) )*(?:write|draft|phrase|word|make|keep) (?!(?:to |for )?(?:me|us)\b|(?:it|"
    r"things|everything)\b)(?P<what>(?:[\w'-]+ ){1,5}?)(?:in an?|formal|informal|casual|professional|short|brief|"
    r"concise|long|detailed|"
    r"under|below|at most|max(?:imum|imal)?|up to|no (?:more|longer) than|less than)\b"
)
"""An order about the tone or length of something else than the answers: "write letters in a formal tone"."""
_WRITES = compile_late(
    r"(?i)^(?:write(?! (?:to |for )?(?:me|us)\b)|\w+ (?:to|with)(?! (?:me|us)\b))(?P<what>.*)\bin \w+$"
)
"""An order about the language of something else than the answers: "write commit messages in English"."""
STOP = frozenset(
    """
    a an the to of for in on at with by from and or but as is are be been do does did will would should can could must
    i me my mine we our us you your yours it its they them their this that these those user assistant wants want
    please always never ever all every any each only just also more most very really now on going forward future when
    whenever naming name names suffix prefix start starts starting begin begins end ends ending not no don't dont
    avoid avoids prefer prefers like likes love loves hate hates dislike dislikes enjoy enjoys use uses using used
    strongly strictly have has had strong aversion interest refuse refuses particular make sure ensure something
    anything sign off thing things rather than instead keep them if so there
    writing write coding code standard standards convention conventions
    can't cannot won't stop stops quit you're it's letter letters followed descriptive which word
    """.split()  # noqa: SIM905
)
_STOP_IN_SIGNS = STOP - frozenset(["letter", "letters"])
"""Letters and emails are signed in different ways."""
_STOP_IN_SITUATION = (STOP - frozenset(["code", "coding", "letter", "letters"])) | frozenset(
    """
    about answer answers answering reply replies replying respond responses responding talk talking speak explain ask
    asking chat question questions request requests prompt prompts conversation conversations sentence sentences short
    plain simple full messages everything everyone one entirely exclusively back with
    """.split()  # noqa: SIM905
)
"""Of these words alone is a situation in which the assistant answers anyway: "when you reply to me"."""
_PREFERS = compile_late(
    r"(?i)^I (?:(?:really|usually|generally|always|much|strongly|still|now) )*prefer (?P<what>.+)$"
)
_MOST_WORDS = 8
_LONGEST = 120
_LONGEST_READ = 600
"""Characters read of a norm."""


@dataclass(frozen=True, slots=True)
class Slot:
    """The slot of a norm and its value within the slot; the value may be empty."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Category:
    """One of _CATEGORIES, its value, and what an order about a language is about: "commit messages"."""

    name: str
    value: str
    what: str = ""


def slot_of(text: str, situation: str = "") -> Slot:
    """The slot of an instruction or preference. A text without content words is its own slot.

    A norm about answers in a `situation`, or about the language of something else ("write commit messages in English"),
    has a slot beside the general one, which it does not replace.
    """
    text = _plain(text)
    order = _CONCESSION.sub(" ", text)
    if category := category_of(text):
        about = f"{situation} {category.what}"
        where = " ".join(sorted(stems_of(about, _STOP_IN_SITUATION))[:_MOST_WORDS])
        return Slot(f"{category.name}: {where}"[:_LONGEST] if where else category.name, category.value)
    if (match := _PREFERS.match(order)) and not situation and (chosen := choice_of(match["what"])):
        return Slot(chosen[0].replace("_", " ")[:_LONGEST], chosen[1])
    text = f"{situation} {order}".strip()
    if choice := _CHOICE.search(order):
        pair = " ".join(sorted((choice["one"].lower(), choice["other"].lower())))
        of = " ".join(sorted(stems_of(situation, _STOP_IN_SITUATION))[:_MOST_WORDS])
        return Slot(f"choice: {pair}{': ' if of else ''}{of}"[:_LONGEST], choice["one"].lower())
    literals = [next(part for part in match.groups() if part) for match in _LITERAL.finditer(text)]
    if not literals and (signed := _SIGNED.search(text)):
        literals = [signed["name"]]
        text = text.replace(signed["name"], f'"{signed["name"]}"')
    rest = _LITERAL.sub(" ", _LEADING_NEGATIVE.sub(" ", text))
    stems = stems_of(rest)
    position = _POSITION.search(rest)
    if position and literals and not _LEADING_NEGATIVE.match(text):
        place = "start" if position["first"] else "end"
        signs = _SIGNS.search(text) is not None
        of = " ".join(sorted(stems_of(rest, _STOP_IN_SIGNS) if signs else stems)) or (
            "email" if signs else ""
        )
        return Slot(f"{place}: {of}"[:_LONGEST], literals[0])
    name = " ".join([*sorted(stems)[:_MOST_WORDS], *sorted(literals)])[:_LONGEST]
    value = "no" if is_negative(text) else "yes"
    return Slot(name or " ".join(text.lower().split())[:_LONGEST], value)


def category_of(text: str) -> Category | None:
    """The slot with named values that an order or wish is about; None where it is about anything else."""
    order = _CONCESSION.sub(" ", _plain(text))
    for name, pattern in _CATEGORIES:
        if match := pattern.search(order):
            found = match.lastgroup or ""
            group = found.rstrip("2")
            value = match[found].lower() if group in _BY_TEXT else group
            if group not in ("currency", "most") and is_negative(order[: match.start(found)]):
                if group == "language":  # "never reply in English" does not say in which
                    continue
                value = f"no {value}"
            what = _WRITES.match(match[0]) if group == "language" else _OF_TEXT.match(order)
            return Category(name, value, what["what"].strip() if what else "")
    return None


def _plain(text: str) -> str:
    return _NO_NEGATION.sub(" ", text[:_LONGEST_READ].replace("’", "'").replace("no longer", "never")).strip()


def is_negative(text: str) -> bool:
    """Whether a text has a word that negates the things it names."""
    return (_NEGATIVE.search(text) or _LEADING_NEGATIVE.match(text)) is not None


def stems_of(text: str, stop: frozenset[str] = STOP) -> frozenset[str]:
    """Content words without their endings, and without the words of `stop`."""
    words = _WORD.findall(american(text.lower()))
    return frozenset(_stems(words, stop))


def _stems(words: Iterable[str], stop: frozenset[str]) -> Iterable[str]:
    for whole in words:
        word = whole.partition("'")[0]
        if whole not in stop and word not in stop and len(word) > 1:
            yield re.sub(r"(?:ing|ed|es|s|e)$", "", word) if len(word) > 4 else word.removesuffix("s")
