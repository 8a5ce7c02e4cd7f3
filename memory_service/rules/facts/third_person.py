"""Canonical forms of facts in the third person, read by the patterns of statements: "Ines lives in Porto", "the
user's birthday is ...".

A capital at the beginning does not prove a name, and a value that changes closes the one before: a text that may be
about a thing ("Redis works as a cache", "Aspirin works for headaches") is left without attribute.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from memory_service.rules.facts.attributes import canonical
from memory_service.rules.facts.named_persons import OF_PERSONS, ONE_NAME
from memory_service.rules.facts.patterns import ROLES
from memory_service.rules.facts.profile_lists import profile_facts
from memory_service.rules.facts.statements import statements
from memory_service.rules.norms.slots import category_of
from memory_service.text.late_pattern import compile_late
from memory_service.types import CandidateFact

_USER = compile_late(r"^(?:the )?user(?P<whose>['’]s)?\b", re.IGNORECASE)
_NAMED = compile_late(
    rf"^(?P<name>{ONE_NAME}(?: {ONE_NAME})?)(?:(?P<whose>['’]s|(?<=s)['’])(?= [a-z])|"
    r"(?= (?:(?:really|also|now|currently|still|just|absolutely|usually|mostly|recently|finally|never|officially|"
    r"actually) )*(?:is|isn[’']t|has|was|does|doesn[’']t|can[’']t|grew|got|began|became|[a-z]+s|[a-z]+ed)\b))"
)
"""Singular verbs: "Cats live ..." and "Today we ..." are about no person."""
_SPEAKS = compile_late(r"(?<![\w'’])(?:I|[Mm]e|[Mm]y|[Mm]ine|[Ww]e|us|[Oo]urs?|[Yy]ou|[Yy]ours?)(?!\w)")
_OF_THINGS_TOO = frozenset({"works_at", "works_as", "drives", "uses", "studies"})
_A_ROLE = compile_late(rf"(?i)(?:^|\s)(?:{ROLES})$")
_GOES_ON = compile_late(r"[.!?;]\s*\w|,?\s(?:and|or|nor|but|while|whereas|who|whose|which|that)\s")
_WHEN = compile_late(
    r"(?:,? (?:now|today|currently|recently|lately|again|already|too|as well|alone|years old|these days|"
    r"at the moment|(?:last|this) (?:week|weekend|month|year|spring|summer|autumn|fall|winter)|"
    r"(?:since|in|on|for) [\w ]{1,25}|with (?:his|her|their) [\w ]{1,25}))*[\s.!]*"
)
_WITH_THEIRS = compile_late(r" with (?:his|her|their)(?= [a-z])")
_BY_NAME = compile_late(r" (?:named|called) ")
_LIVING = compile_late(
    r" (?:(?:really|also|now|still|always|never|mostly) )*(?:(?:does not|doesn[’']t) )?(?:"
    r"(?:eat|drink|smoke|think|want|believe|trust|distrust|love|like|hate|enjoy|prefer|know|own)s?)\b"
)
"""Of persons and animals alone."""


_DOES = (
    r"(?:(?:also|now|still|currently|usually|really|never|always) )*(?:is|was|has|had|does not|doesn['’]t|lives|moved|"
    r"works|worked|speaks|takes|plays|drives|prefers|likes|loves|hates|dislikes|enjoys|studies|studied|owns|uses|wants|"
    r"needs|drinks|eats|smokes|avoids|carries|wears|runs|goes|left|joined|quit|stopped|started|cannot|can['’]t|collects|"
    r"teaches|travels|suffers|grew up|was born|got)"
)
_AND_DOES = compile_late(rf",? (?:and|but) (?={_DOES}\b)|, (?={_DOES}\b)")
"""Before another predicate of the same subject: "is a nurse and lives in Ghent"."""
_VITAL = frozenset(
    {"allergic_to", "intolerant_to", "has_condition", "diet", "does_not_eat", "does_not_drink", "takes_medicine",
     "blood_type"}
)  # fmt: skip
_VERB = compile_late(
    r"(?P<before>\bI (?:(?:also|now|still|currently|really|already|always|usually|never) )*)(?P<verb>is|has|doesn['’]t|"
    r"does|(?:want|need|plan|hope|think|believe|say|ask|like|love|hate|enjoy|prefer|dislike|eat|drink)s)\b"
)
_FIRST_PERSON = {"is": "am", "has": "have", "does": "do", "doesn't": "don't", "doesn’t": "don’t"}
_TO_BE_CALLED = compile_late(r"^I (?:asked|asks|wants|wanted|prefers|likes) to be called (?=[A-Z])")
_ORDERS = compile_late(
    r"^I (?:(?:now|always|generally|usually) )*(?:(?P<lasting>wants|prefers|expects|would like|likes|needs)|"
    r"(?P<refuses>does not want|doesn['’]t want|would not like)|asked|requested|instructed|wanted) "
    r"(?:the (?:assistant|agent|AI|model)|me|you|its? answers) (?P<when>always |never |not )?to "
    r"(?P<never>never |always )?(?P<order>(?:always |never )?[^.!?;]{3,160})[.!]*$"
)
"""What the user wants the assistant to do, in the words of the assistant."""
_ABOUT_ANSWERS = compile_late(
    r"(?:answer|reply|respond|speak|talk|explain|use|keep|avoid|stop|be|stay|skip)\b|"
    r"(?:write|give|make) (?:\w+ ){0,2}(?:answers?|replies|responses?|explanations?|messages)\b"
)
_POSSIBLE = compile_late(
    r"\b(?:(?:want|wants|wanted|would like|hopes|hoping|plans|planning|intends) to|might|may|could|"
    r"considers|considering|thinking (?:of|about)|wonder(?:s|ed|ing)?|ask(?:s|ed) (?:whether|if|about))\b"
)
_OF_WISHES = frozenset({"goal", "plan", "wants", "needs", "instruction", "preferred_name"})
_SEGMENT_END = compile_late(
    r"(?:[,;:!?()]+|\.+(?=\s|$)|\b(?:and|or|but|nor|while|whereas|who|whose|which|that)\b)\s*"
)
_WORD = compile_late(r"[^\W_]+(?:[-'’][^\W_]+)*")
_STATES = compile_late(r"(?i)[a-z]+s (?:a|an|the|his|her|their)\b")
_FUNCTION_WORDS = frozenset(
    {"a", "an", "the", "user", "user's", "user’s", "is", "are", "was", "has", "have", "had", "been", "be", "and", "or",
     "nor", "but", "as", "at", "in", "of", "to", "by", "on", "for", "from", "with", "who", "both", "also", "too",
     "well", "now", "currently", "still", "does", "doesn't", "doesn’t", "not", "called", "named", "they", "she", "he",
     "years", "old"}
)  # fmt: skip
_ENDING = compile_late(r"(?<=\w\w\w)(?:ing|ed|es|e|s)$")
_ENUMERATION = compile_late(r"(?P<verb>I (?:am|have)) (?P<items>[^.!?]{2,200})")
_ITEM_END = compile_late(r",? (?:and|as well as) (?:also )?|, ")
_NOT = compile_late(r"(?i)(?:not?|never|neither|hardly)\b")
_ENUMERATED = frozenset({"has_condition", "diet", "pet", "allergic_to"})
_MOST_STATEMENTS = 12
_LONGEST = 400


@dataclass(frozen=True, slots=True)
class Reading:
    """What rules read in a text."""

    subject: str | None
    """The subject of the text, where rules find it."""
    statements: tuple[CandidateFact, ...] = ()
    """The facts that it states, those that hold before endings."""
    is_typed: bool = False
    """Whether the text states the first statement, and nothing that rules do not read and deduplication would lose."""
    is_whole: bool = False
    """Whether the statements have all words of the text, so that it can be replaced by them."""
    is_profile: bool = False
    """Whether the text is a list or JSON object, which even a single statement replaces."""


def reading(text: str) -> Reading:
    """Read a text about the user, or about the first person that it names; "I" is the user too."""
    if profile := profile_facts(text):
        return Reading(profile[0].subject, profile, is_typed=True, is_whole=True, is_profile=True)
    user = _USER.match(text)
    named = None if user or _SPEAKS.search(text) else _NAMED.match(text)
    if user:
        subject, spoken = "user", _in_first_person(_USER.sub("my" if user["whose"] else "I", text))
    elif named:
        subject, spoken = named["name"], _in_first_person(_NAMED.sub("my" if named["whose"] else "I", text))
    else:
        subject, spoken = None, text
    found = list(statements(_WITH_THEIRS.sub(" with my", spoken) if subject else text, subject))
    if _POSSIBLE.search(text):
        found = [fact for fact in found if fact.attribute in _OF_WISHES]
    if len(found) == 1 and _says_all(found[0], text) and (named is None or _of_a_person(found[0], text)):
        return Reading(found[0].subject, (found[0],), is_typed=True)
    whole = user["whose"] is None if user else named is not None and _LIVING.match(text, named.end())
    alone = Reading(subject if whole else None)
    if subject is None or len(text) > _LONGEST or _POSSIBLE.search(text):
        return alone
    if spoken.startswith("I") and _AND_DOES.search(spoken):
        found = list(statements(_in_first_person(_AND_DOES.sub(". I ", spoken)), subject))
    found.extend(fact for fact in _enumerated(spoken, subject) if fact not in found)
    if not 0 < len(found) <= _MOST_STATEMENTS or (
        named is not None and not all(_is_persons(fact) for fact in found)
    ):
        return alone
    return _several(text, found, alone)


def _in_first_person(spoken: str) -> str:
    spoken = _TO_BE_CALLED.sub("Please call me ", spoken)
    if ordered := _ORDERS.match(spoken):
        return _in_imperative(ordered) or spoken
    return _VERB.sub(
        lambda verb: verb["before"] + (_FIRST_PERSON.get(verb["verb"]) or verb["verb"][:-1]), spoken
    )


def _in_imperative(ordered: re.Match[str]) -> str | None:
    """The lasting order of "I wants the assistant to reply in Dutch": "From now on, reply in Dutch".

    None where it may be an order for once: "wants me to book a table".
    """
    when, order = (ordered["when"] or ordered["never"] or "").strip(), ordered["order"]
    if ordered["refuses"] and not when:
        when = "not"
    if not when and (
        ordered["lasting"] is None or not _ABOUT_ANSWERS.match(order) or category_of(order) is None
    ):
        return None
    return f"From now on, {'do not' if when == 'not' else when} {order}.".replace(",  ", ", ")


def _enumerated(spoken: str, subject: str) -> list[CandidateFact]:
    """Return the vital facts and pets that a list states behind one verb: "I have celiac disease and asthma"."""
    listed = _ENUMERATION.match(spoken)
    items = _ITEM_END.split(listed["items"]) if listed else []
    found: list[CandidateFact] = []
    if listed and 1 < len(items) <= _MOST_STATEMENTS and not any(map(_NOT.match, items)):
        for item in items:
            stated = [
                fact
                for fact in statements(f"{listed['verb']} {item}.", subject)
                if fact.holds and canonical(fact).attribute in _ENUMERATED
            ]
            if not stated:
                break
            found += stated
    return found


def _several(text: str, found: list[CandidateFact], alone: Reading) -> Reading:
    """The reading of a text with several statements, or with an ending.

    `alone` with the vital ones where a part of the text states nothing that rules read.
    """
    found = [fact for fact in found if not fact.if_known and not _STATES.match(fact.value or "")]
    values = _stems(" ".join(fact.value or "" for fact in found))
    segments = [words for part in _SEGMENT_END.split(text) if (words := _stems(part))]
    if not found or not all(segment & values for segment in segments) or _disagree(found):
        return replace(
            alone,
            statements=tuple(fact for fact in found if fact.holds and canonical(fact).attribute in _VITAL),
        )
    found.sort(key=lambda fact: not fact.holds)
    return Reading(
        found[0].subject if found[0].holds else alone.subject,
        tuple(found),
        is_typed=found[0].holds,
        is_whole=found[-1].holds and _stems(text) <= _stems(" ".join(fact.text for fact in found)),
    )


def _stems(text: str) -> set[str]:
    """The words of a text but function words, each without the ending of a verb or plural."""
    words = (word.lower() for word in _WORD.findall(text))
    return {_ENDING.sub("", word) for word in words if word not in _FUNCTION_WORDS}


def _disagree(found: list[CandidateFact]) -> bool:
    """Whether two statements give different values of an attribute that has one."""
    forms = {canonical(fact) for fact in found}
    single = [(form.subject, form.attribute) for form in forms if form.holds and form.cardinality != "many"]
    return len(set(single)) < len(single)


def _is_persons(fact: CandidateFact) -> bool:
    """Whether a statement is about a person, and not likely about a thing."""
    return (fact.attribute in OF_PERSONS or (fact.attribute or "").endswith("_date")) and _is_no_thing(fact)


def _is_no_thing(fact: CandidateFact) -> bool:
    value = fact.value or ""
    return (
        fact.attribute not in _OF_THINGS_TOO
        or value != value.lower()
        or (fact.attribute == "works_as" and _A_ROLE.search(value) is not None)
    )


def _says_all(fact: CandidateFact, text: str) -> bool:
    """Whether the text states nothing else, which would be lost in deduplication. Two dogs with names are two."""
    named = fact.attribute == "has" and _BY_NAME.search(fact.value or "")
    return fact.holds and not named and not _GOES_ON.search(_behind(fact, text))


def _behind(fact: CandidateFact, text: str) -> str:
    """Return the text behind the value; all of it where the value is worded otherwise."""
    return text.rpartition(fact.value)[2] if fact.value else text


def _of_a_person(fact: CandidateFact, text: str) -> bool:
    """Whether the text states nothing else, and is not likely about a thing ("Edmunds has a dog beach")."""
    return _WHEN.fullmatch(_behind(fact, text)) is not None and _is_no_thing(fact)
