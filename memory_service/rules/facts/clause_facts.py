"""Facts of single clauses, by the patterns in clause_patterns.py."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from memory_service.rules.facts.clause_patterns import MENTIONS, PATTERNS
from memory_service.rules.facts.clause_words import DAY
from memory_service.rules.facts.clauses import Clause
from memory_service.rules.facts.pattern_table import PatternTable
from memory_service.rules.facts.patterns import Says
from memory_service.rules.facts.reported_speech import reported
from memory_service.rules.facts.value_limits import UNSURE, names_gift, without_ending
from memory_service.rules.facts.value_normalization import names_kind_of_place
from memory_service.rules.relatives import ONE_OF, PARENTS, SEVERAL_OF_ONE, SEVERAL_OF_OTHERS
from memory_service.text.late_pattern import LatePattern, compile_late
from memory_service.types import CandidateFact

_UNSURE_AIM = LatePattern(
    r"(?i)\b(?:if|might|maybe|perhaps|someday|one day|thinking (?:of|about)|not sure|wish|whether|unless|say|"
    r"says|said)\b"
)
_AIMS = frozenset({"goal"})
_LONG = frozenset({"goal", "prefers", "habit", "hobby", "studies"})
_MOST_WORDS, _MOST_WORDS_LONG = 8, 16
_NO_VALUE = LatePattern(
    r"(?i)\[(?:redacted|…)|\b(?:i|me|my|we|us|our|you|your|this|that|it|them|these|those|he|she|him|her|they|their|mine|yours)\b"
)
_NO_VALUE_LONG = LatePattern(
    r"(?i)\[(?:redacted|…)|^(?:it|that|this|them|these|those|you)\b|\b(?:you|it|that one|this one|him)$"
)
_NAMES = LatePattern(r",? (?:and|or|nor|as well as) (?:also )?|, | & ")
_NEXT_CLAUSE = LatePattern(
    r"(?i)^(?:\S+ ){1,4}?(?:is|isn['’]t|are|aren['’]t|was|wasn['’]t|were|weren['’]t)\b"
)
"""A part of an enumeration that states something else: "allergic to nuts and his sister is vegan"."""
_OTHERS_SAY = LatePattern(
    r"(?i)\b(?:according to|rumou?r has it|word is|in (?:(?:my|our) [\w-]+['’]s|his|her|their|some) "
    r"(?:opinions?|views?|eyes)|for (?:my|our) [\w-]+)\b"
)
"""Before an ending: it is another person's opinion."""
_SUPPOSED = LatePattern(r" (?:if|unless|in (?:a|the|my) (?:story|game|novel|dream|book))\b")
_QUOTED_WITHIN = 60
"""Characters before a mention in which a quotation mark makes it a quotation."""
_GOES_ON = LatePattern(rf"(?i), (?:and )?{DAY}s?\b| now and (?:then|again)\b")
"""Behind a habit: it is at more times than were read, or at none that is regular."""
_FIELD = compile_late(r"\{(\w+)\}")
_PLURAL = {
    "boss": "manager", "parents": "parent", "friends": "friend", "colleagues": "colleague", "coworkers": "colleague",
    "co-workers": "colleague", "coworker": "colleague", "co-worker": "colleague", "flatmates": "flatmate",
    "roommates": "roommate", "siblings": "sibling", "kid": "child", "team lead": "manager", "neighbour": "neighbor",
    "neighbours": "neighbor", "in-laws": "in-law",
    "retriever": "dog", "labrador": "dog", "lab": "dog", "beagle": "dog", "poodle": "dog", "collie": "dog",
    "terrier": "dog", "dachshund": "dog", "spaniel": "dog", "whippet": "dog", "greyhound": "dog", "shepherd": "dog",
    "husky": "dog", "corgi": "dog", "pug": "dog", "bulldog": "dog", "siamese": "cat", "maine coon": "cat",
    "tabby": "cat", **ONE_OF, **PARENTS,
}  # fmt: skip
SEVERAL = LatePattern(rf"(?i)\b(?:{SEVERAL_OF_ONE}|{SEVERAL_OF_OTHERS})$")
"""Roles in a person's life that several persons or animals may have."""
_PARTICIPLES = frozenset({"sung", "swum", "written", "taken", "broken", "torn"})
_NO_PARTICIPLE = frozenset({"sing", "bring", "ring", "swing", "fling", "cling", "string", "spring", "sting"})
"""Verbs that end as those in "-ing" do."""
_LAST_ONES = LatePattern(r"^(?:new|current|direct|line) ")
_FORMER = LatePattern(r"^(?:old|former|ex-?|first) |\bex\b")
_TITLE = LatePattern(
    r"(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Professor|Sir|Lady|Lord|Frau|Herr|Señora?|Madame|Monsieur|Don|Doña|Dona|Dom|Pan|"
    r"Pani) $"
)
_SURNAME = LatePattern(r"\.? ([A-ZÄÖÜÉ][\w'’-]*\w)")
_FIGURATIVE = LatePattern(r"(?!the\b)[a-z]")
"""Places begin with a capital in plain wording."""


_STATED, _MENTIONED = PatternTable(PATTERNS), PatternTable(MENTIONS)


def clause_facts(parts: Sequence[Clause], subject: str) -> Iterator[CandidateFact]:
    """Yield the facts that the clauses of one sentence state about the speaker, their people, animals and tools."""
    for part in parts:
        if part.kind == "statement":
            for pattern, says in _STATED.worth_trying(part.text):
                for match in pattern.finditer(part.text):
                    if not _is_open(match, says):
                        yield from _stated(match, says, subject, part.name)
        for pattern, says in _MENTIONED.worth_trying(part.text):
            ending = not all(say.holds for say in says)
            if part.kind == "question" and ending:
                continue  # "Should we use Valkey instead of Redis?"
            for match in pattern.finditer(part.text):
                before = part.text[: match.start()]
                if says[-1].attribute == "{kin}_name" and names_gift(
                    before, match.group(), part.text[match.end() :]
                ):
                    continue
                if '"' not in before[-_QUOTED_WITHIN:] and not (
                    ending and (_OTHERS_SAY.search(before) or UNSURE.search(part.text[: match.end()]))
                ):
                    yield from _stated(match, says, subject, part.name)


def _is_open(match: re.Match[str], says: Sequence[Says]) -> bool:
    """Whether doubt, a quotation mark or a condition makes the clause uncertain, or a habit is read in part."""
    doubt = _UNSURE_AIM if says[-1].attribute in _AIMS else UNSURE
    clause = match.string
    behind = clause[match.end() :]
    if says[-1].attribute == "habit" and _GOES_ON.match(behind):
        return True
    return bool(doubt.search(match.group()) or '"' in clause[: match.end()] or _SUPPOSED.match(behind))


def _stated(
    match: re.Match[str], says: Sequence[Says], subject: str, name: str | None = None
) -> Iterator[CandidateFact]:
    found = match.groupdict()
    who = found.pop("who", None) or "I"
    if who.lower() == "we" and says[-1].attribute == "age":
        return  # a head count: "we're five now"
    about = subject if who.lower() in ("i", "we") else one_of(subject, who.split(" ", 1)[1], name)
    for group in ("old", "value", "kin"):  # the second groups of patterns with two word orders
        if second := found.pop(f"{group}2", None):
            found[group] = second
    kin = found.get("kin")
    if kin is not None and _FORMER.search(kin.lower()):
        return
    names = found.pop("names", None) or found.pop("values", None)
    long = says[-1].attribute in _LONG
    values = _NAMES.split(names) if names is not None else [found.get("value")]
    for position, value in enumerate(values):
        if position and value and _NEXT_CLAUSE.match(value):
            return
        groups = {group: text for group, text in found.items() if text}
        groups |= {"who": about, "subject": subject}
        if "does" in groups:
            groups["does"] = _does(groups["does"], about, subject)
        groups.setdefault("never", "")
        if "where" in groups:
            groups["where"] = _theirs(groups["where"], about, subject)
        if kin:
            groups["kin"] = _person(kin) if says[-1].attribute.startswith("{kin}_") else kin.lower()
        if value is not None and kin and says[-1].attribute == "{kin}_name" and _TITLE.match(f"{value} "):
            surname = _SURNAME.match_at(match.string, match.string.find(value) + len(value))
            value = f"{value} {surname[1]}" if surname else ""
        if value is not None:
            value = _trimmed(value)
            if long:  # a long value refers to the speaker
                value = _theirs(value, about, subject)
            wrong = _NO_VALUE_LONG if long else _NO_VALUE
            if (
                not value
                or wrong.search(value)
                or len(value.split()) > (_MOST_WORDS_LONG if long else _MOST_WORDS)
            ):
                continue
            if (
                says[-1].attribute == "lives_in"
                and _FIGURATIVE.match(value)
                and not names_kind_of_place(value)
            ):
                continue
            groups["value"] = value
        else:
            groups.pop("value", None)
        for say in says:
            if (fact := fact_of(say, groups)) is not None:
                yield fact


def fact_of(say: Says, groups: Mapping[str, str]) -> CandidateFact | None:
    """The fact that a pattern states with the groups of its match, `who` and `subject`; None without its groups."""
    if set(_FIELD.findall(say.text + say.value + say.attribute)) <= groups.keys():
        form, value = say.text, say.value.format(**groups)
    elif say.otherwise and set(_FIELD.findall(say.otherwise)) <= groups.keys():
        form, value = say.otherwise, None
    else:
        return None
    about = groups["who"] if "{who}" in form else groups["subject"]
    if form == "{who} {value}" and value is not None:
        value = _does(value, about, groups["subject"])
        groups = {**groups, "value": value}
    attribute = re.sub(r"[\s-]+", "_", say.attribute.format(**groups).strip())
    return CandidateFact(f"{form.format(**groups)}.", about, attribute, value, stated=True, holds=say.holds)


def _does(predicate: str, about: str, speaker: str) -> str:
    """Return a predicate in the third person: "swim on Thursdays" becomes "swims on Thursdays"."""
    verb, _, rest = predicate.partition(" ")
    if verb == "read":
        verb = "reads"
    elif verb.lower() in _PARTICIPLES:
        verb = f"has {verb}"
    elif verb.endswith("ing") and verb not in _NO_PARTICIPLE:
        verb = f"is {verb}"
    elif not verb.endswith("s") or verb.endswith("ss"):
        return reported(f"I {predicate}", about)[len(about) + 1 :]
    return _theirs(f"{verb} {rest}".strip(), about, speaker)


def _theirs(text: str, about: str, speaker: str) -> str:
    """Return the text with the speaker in the third person, by name where it is about another person."""
    their, them = ("their", "them") if about == speaker else (f"{speaker}'s", speaker)
    text = re.sub(r"(?i)\b(?:my|our)\b", their, text)
    text = re.sub(r"(?i)\b(?:me|us)\b", them, text)
    return re.sub(r"(?i)\b(?:myself|ourselves)\b", "themselves", text)


def one_of(subject: str, kin: str, name: str | None) -> str:
    """Return the subject of facts about a person or animal of the speaker: "user's brother Tom".

    The name belongs to it only where a person has several of them: "user's wife", whatever her name.
    """
    role = _person(kin)
    return f"{subject}'s {role} {name}" if name and SEVERAL.search(role) else f"{subject}'s {role}"


def _person(kin: str) -> str:
    kin = _LAST_ONES.sub("", kin.lower())
    return _PLURAL.get(kin, kin)


def _trimmed(text: str) -> str:
    return without_ending(text.strip(" -–—'’,"))
