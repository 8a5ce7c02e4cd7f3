"""Whether an utterance affirms or denies the one before it, by its first words."""

from __future__ import annotations

import re
from typing import Literal

from memory_service.text.late_pattern import compile_late
from memory_service.text.sentences import without_echo

_ALONE = r"(?=[.,;!]|$)"
"""A word that answers only where nothing else is said with it: "Non, ..." but not "Non lo so"."""
_YES = (
    # English
    r"yes|yeah|yep|yup|yea|yess+|aye|affirmative|indeed|exactly|absolutely|definitely|certainly|precisely|"
    rf"of course|(?:true|right|correct|sure){_ALONE}|right you are|sure (?:is|does|do|am|thing)|"
    r"(?:that|it)(?:[’']s| is)(?: (?:still|all|absolutely|quite|totally|very))? (?:right|correct|true|accurate|"
    r"the case|so)|you(?:[’']re| are)(?: (?:absolutely|quite|totally))? right|you got (?:it|that) right|"
    r"(?:I|we) (?:still )?(?:do|am|are|have)(?= |[.,;!]|$)(?! not)(?=(?: still| indeed)?[.,;!]|$| still\b)|"
    r"(?:I|we) still (?:do|am|are|have|live|work)|still (?:do|am|there|true|the same|the case|correct|am there)|"
    # German
    r"ja(?:wohl|p|a+)?|jep|genau|stimmt|(?:das|es) (?:stimmt|ist richtig|ist korrekt)|richtig|korrekt|immer noch|"
    r"klar|"
    # French
    "oui|ouais|exact(?:ement)?|c[’']est (?:exact|vrai|(?:bien )?ça|correct|juste)|tout à fait|bien sûr|effectivement|"
    f"toujours{_ALONE}|"
    # Spanish
    rf"sí|sì|si{_ALONE}|exacto|correcto|as[ií] es|claro|efectivamente|es (?:cierto|verdad|correcto)|"
    rf"todav[ií]a{_ALONE}|"
    # Italian
    rf"esatto|(?:giusto|corretto|certo|ancora){_ALONE}|è (?:vero|giusto|così|corretto)|proprio così"
)
_NO = (
    # English
    "no|nope|nah|naw|negative|not (?:any ?more|any longer|really|at all|true|quite|correct|right|exactly|yet)|"
    f"no longer|(?:never|wrong|incorrect|false){_ALONE}|"
    "(?:that|it)(?:[’']s| is) (?:not|no longer|wrong|incorrect|false|outdated|out of date)|"
    "(?:that|it) (?:isn[’']t|is not|wasn[’']t) (?:right|correct|true|so|the case|accurate)|you(?:[’']re| are) (?:wrong|"
    "mistaken)|(?:I|we) (?:don[’']t|do not|haven[’']t|am not)(?= any ?more|[.,;!]|$)|I[’']m not(?= any ?more|[.,;!]|$)|"
    # German
    r"nein|nee|nö|nicht mehr|stimmt nicht|(?:das|es) (?:stimmt|ist) nicht(?: mehr)?(?: richtig)?|falsch|"
    # French
    rf"non{_ALONE}|plus maintenant|pas du tout|c[’']est faux|ce n[’']est (?:pas|plus)|faux|"
    # Spanish
    r"ya no|no es (?:cierto|verdad)|falso|para nada|"
    # Italian
    r"non più|non è (?:vero|così)|falso|per niente"
)
_OPENING = compile_late(
    r"(?:(?:well|oh|ah|um+|uh+|hm+|hmm+|so|actually|hi|hey|hello|haha|lol|ok(?:ay)?|thanks|thank you|na|ach|ah|also|eh|"
    r"ben|bueno|pues|beh|mah|tatsächlich|eigentlich|en fait|en realidad|in realtà|in fact|to be honest|honestly)"
    r"(?=[\s,.!;…-])[\s,.!;…-]*)+",
    re.IGNORECASE,
)
_ANSWER = compile_late(rf"(?P<no>(?:{_NO})(?![\w’']))|(?P<yes>(?:{_YES})(?![\w’']))", re.IGNORECASE)
_NO_ANSWER = compile_late(
    r"(?i)^(?:no (?:problem|worries|idea|clue|need|way|matter|doubt|one|thanks|thank you|rush|offense|wonder|kidding|"
    r"more|other|big deal|[a-z]+ (?:is|are|was|has|have|can|could|will|would)|(?:lo )?s[eé]|(?:me|te|se|hay|tengo|"
    r"puedo|quiero)|es (?!cierto|verdad))\b|never ?mind|not (?:sure|that I know)|right (?:now|away|after|before|here|"
    r"there)|sure,? (?:but|why|let|I can|go)|true,? but|yes,? but|yeah,? but|"
    r"(?:yes|yeah|yep|no|nope)[ ,]+(?:and )?(?:no|yes)\b|yeah,? (?:right|no)\b|(?:yes|yeah|sure|ja|oui|sí),? please|"
    r"correct (?:this|that|my|the|me|it)|exactly (?:how|what|when|where|why|which|as|like)|never (?:have|been|had|"
    r"heard)|of course not|definitely not|certainly not|absolutely not|claro que no|bien sûr que non|certo che no|"
    r"klar,? (?:kann|mach)|ja,? (?:aber|nein)|oui,? mais|sí,? pero|sì,? ma|toujours pas|todavía no|ancora no)"
)
_DENIES = compile_late(
    r"(?i)^(?:(?:of course|definitely|certainly|absolutely) not\b|claro que no\b|bien sûr que non\b|certo che no\b|"
    r"yeah,? no\b)"
)
_ASKED_BACK = compile_late(r"^[^.!]*\?")


_ORDINAL = compile_late(
    r"(?i)^(?:(?:it(?:[’']s| is|[’']d be)|I (?:meant|mean)|that(?:[’']s| is)|still) )?the (?:(?P<first>first|former)|"
    r"(?P<second>second|latter|last)|(?P<older>old|older|earlier)|(?P<newer>new|newer|latest|more recent)) (?:one|"
    r"date|name|address|number|version|of the two)(?: (?:is|was) (?:still )?(?:right|correct|true))?(?=[.,;!]|$)|"
    r"^(?:the )?(?:(?P<first2>former|first)|(?P<second2>latter|second))[.!]*$"
)
_DENIED = compile_late(r"(?i)\bno longer\b|\bnot\b|n[’']t\b|\bwrong\b")
_WHICH = compile_late(r"(?i)\bwhich\b|\bor\b|\bright\b|\bcorrect\b")
_LONGEST_CHOICE = 12
"""Words of a message that chooses one of two values."""


def offers_choice(text: str) -> bool:
    """Whether a message asks which of several is right."""
    return "?" in text and _WHICH.search(text) is not None


def choice_in(text: str) -> Literal["first", "second", "older", "newer", "names"] | None:
    """Return how a short message may choose one of two values: by its place, its age, or by naming it; None for longer
    ones."""
    said = " ".join(without_echo(text).split())
    if (opening := _OPENING.match(said)) and opening.end() < len(said):
        said = said[opening.end() :]
    if _ASKED_BACK.match(said) or not 0 < len(said.split()) <= _LONGEST_CHOICE:
        return None
    if place := _ORDINAL.match(said):
        if _DENIED.search(said):
            return None
        if place["older"] or place["newer"]:
            return "older" if place["older"] else "newer"
        return "first" if place["first"] or place["first2"] else "second"
    return "names"


def reply_in(text: str) -> Literal["yes", "no"] | None:
    """Return what an utterance answers to a question or a reminder before it; None where that is not clear.

    Only its first words count: "Yes, still there" and "Not anymore, I moved" are answers, "I moved" is none
    (`statements` reads what it states). A question is none.
    """
    said = " ".join(without_echo(text).split())
    if (opening := _OPENING.match(said)) and opening.end() < len(said):
        said = said[opening.end() :]
    if _DENIES.match(said):
        return "no"
    if _ASKED_BACK.match(said) or _NO_ANSWER.match(said):
        return None
    answer = _ANSWER.match(said)
    if answer is None:
        return None
    return "no" if answer["no"] else "yes"
