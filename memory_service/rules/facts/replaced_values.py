"""Endings of former values where a sentence says that one is new: "my new dentist is ...", "we upgraded to Node 22"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from memory_service.rules.facts.attribute_names import ALTERED, OF_NOW, OPPOSES
from memory_service.rules.facts.attributes import CanonicalFact, canonical, is_replaced
from memory_service.rules.facts.clause_words import BANKS, NUMBER, TOOLS
from memory_service.rules.facts.patterns import NO_NAME, SUBJECTS
from memory_service.rules.relatives import KIN
from memory_service.rules.word_lists import MONTHS
from memory_service.text.late_pattern import LatePattern
from memory_service.types import CandidateFact

_CLAUSE_END = LatePattern(r"(?i)[;:!?]|,(?!\d)|\b(?:and|but|so|because|while|although)\b")
_REPLACED_ROLES = LatePattern(
    r"(?i)\b(?:changed|switched|swapped) (?:my |our |the )?(?P<role>[\w-]+)(?=$|[,.;!]| "
    r"(?:and|so|to|from|in|last|this)\b)"
)
_NEW_ROLES = LatePattern(
    r"(?i)\b(?:my|our) new (?P<role>[\w-]+)|^(?:(?:so|and|ok|oh|well|btw|update|got|have|the),? )*new (?P<role2>[\w-]+)"
    r"(?=(?: is|'s)(?: called| named)? |,? called )"
)
_NOW = LatePattern(r"(?i)\b(?:now|these days)\b")
_UPGRADED = LatePattern(
    r"(?i)\b(?:upgrad|updat|bump|mov|migrat|switch|went|go)\w*(?: (?:everything|it|all|us|over|(?:my|our|the) "
    r"(?:db|database|app|backend|frontend|server|cluster|repos?|code ?base|project|service|stack))){0,2}"
    rf"(?: from [\w. ]{{2,20}}?)? (?:to|onto|on) (?:{TOOLS}) ?v?\d|\d(?:\.\d+)* now\b|"
    rf"\b(?:now|finally) (?:on|at) (?:{TOOLS}) ?v?\d"
)
_MOVED = LatePattern(
    r"(?i)\b(?:mov(?:ed|es|ing)|changed|extended|pushed|postponed|"
    r"put off|rescheduled|brought forward|delayed|now|new date)\b"
)
_FROM_NOW = LatePattern(
    rf"(?i)\b(?:now|these days|from (?:now|next|{MONTHS}) ?(?:on|week|month|year)?|as of)\b"
)
_ALTERED = LatePattern(
    r"(?i)\b(?:raised|lowered|increased|decreased|reduced|cut|upped|dropped|put up|changed|gone (?:up|down)|went (?:up|"
    r"down)|going (?:up|down)|(?:up|down) to|instead|final(?:ly)?|new)\b"
)
_OF_SEVERAL = LatePattern(
    r"(?:\w+_)?(?:meeting|shift|lesson|class|course|practice|training|rehearsals?|appointment|exam|train|interview)_time$"
)
"""Times of events of which there may be several."""
_PART = LatePattern(
    rf"(?i)^(?:{KIN}|friend|colleague|manager|client|customer|todo|log|changelog):\s|"
    r"^(?!(?:update|news|note|btw|fyi|today|yesterday|finally|anyway|correction|edit|work|done|status)\b)"
    r"[\w-]{3,24}:\s(?!I\b)|\b(?:staging|prod(?:uction)?|test(?:ing)?|dev|local(?:ly)?|legacy|laptop|pc|desktop|side|"
    r"hobby|other|another|"
    r"second|one of|some of|half|partly|branch|clients?|customers?|his|her|their|"
    r"[\w.]*\d (?:and|or) [\w.]*\d|\w+['’]s (?!now)|both|still|for "
    r"(?:my|our|the|a)|in (?:19|20)\d\d|years? ago|back then|at the time|when)\b"
)
"""Words that limit a new value to a part of the speaker's things, to another person's things, or to another time. The
former value may still hold."""
_BESIDES = LatePattern(
    r"(?i)\b(?:also|besides|next to|alongside|in addition|as well|too|additional|extra|roll(?:ed|ing|s)?"
    r"(?: \w+)? back|rollback|revert(?:ed|ing)?)\b"
)
"""Words that keep the former value beside the new one, or that take the change back."""
_IS = LatePattern(r"(?i)\b(?:it|that|he|she|name|who)['’]s\b|(?<=\bmy new )[\w-]+['’]s(?= an? dr\b)")
_WORKPLACE = (
    r"(?:school|bank|bakery|nursery|factory|warehouse|brewery|company|firm|start-?up|agency|charity|consultancy|"
    r"laborator(?:y|ies)|call cent(?:er|re)|care home|law office)"
)
_NO_EMPLOYER = (
    r"(?:home|work|school|uni|university|college|peace|ease|risk|war|rock|least|last|once|first|heathrow|gatwick|"
    r"stansted|luton|glastonbury|wembley|noon|midnight|the (?:moment|beginning|top|bottom|weekend|end|beach|pub|"
    r"airport|gym|station|doctor\w*|hospital)|my|your|his|her|"
    rf"their|him|them|you|it|that|{NUMBER})"
)
_WORDS = r"[^\W\d][\w&-]*(?: (?!(?:now|on|from|next|since|this|and|because|so)\b)[^\W\d][\w&-]*){0,2}"
_LEAD = r"(?i)(?:^|[,;.!] |\b(?:and|so|but) )(?:now,? )?"
_AFTER = r"(?=$|[,.;!?]| (?:on|from|next|since|this|in|now|and)\b)"
_AT = LatePattern(
    rf"{_LEAD}(?:(?:I'm|I am|am) (?:now )?(?:at|in)|(?<![a-z] )(?<=[,;.!] )now (?:at|with)) (?P<value>(?:(?<=\bat )|"
    rf"(?<=\bwith )(?=(?-i:[A-Z])))(?!(?:the|an?|{_NO_EMPLOYER})\b){_WORDS}|"
    rf"an? (?:[\w&-]+ ){{0,2}}?{_WORKPLACE})(?: now)?{_AFTER}"
)
_STARTS = LatePattern(
    rf"{_LEAD}(?:(?:I'm|I am) (?:now )?)?(?:I )?start(?:ed|ing)? (?:now )?(?:at|in) "
    rf"(?P<value>(?<=\bat )(?!{_NO_EMPLOYER}\b)(?:the |an? )?{_WORDS}|an? (?:[\w&-]+ ){{0,2}}?{_WORKPLACE}){_AFTER}"
)
_IT_IS = LatePattern(
    rf"(?i)(?:^|[,;.!] |\b(?:and|so) )(?:it's|it is|that's|everything's|everything is|(?:(?:I'm|we're) )?using)"
    rf"(?: all)? (?P<value>{TOOLS}|(?-i:{NO_NAME}[A-Z])[\w.+#-]+) now\b"
)
_WITH = LatePattern(rf"{_LEAD}(?:I'm|I am|we're|we are) (?:now )?with (?P<value>{BANKS})(?: now)?{_AFTER}")
_SINCE_NOW = LatePattern(r"(?i)\b(?:now|start\w*)\b")
_REVERSED = frozenset({"likes", "dislikes"})
_VALUE_NOW = LatePattern(r"(?i) (?:now|again|these days|nowadays)(?=$|[.,;!])")
_INTRODUCED = LatePattern(
    r"(?i)^(?:my \w+['’]s name is|my \w+ is called) |^(?-i:[A-Z])[\w-]+ is my (?:new )?\w+[.!]?$"
)
"""How a partner is named who is no aside: "my boyfriend's name is Rui", not "I broke up with my boyfriend Tom"."""
_EDITOR = LatePattern(
    r"(?i)(?:vim|neovim|emacs|vs ?code|intellij|pycharm|webstorm|sublime(?: text)?|zed|cursor|helix)$"
)
_SUBJECT = LatePattern(rf"(?i)(?:[\w-]+ )?(?:{SUBJECTS})$")
"""Of study; of languages and instruments there may be several."""
_INSTEAD = (
    (_AT, "works_at", "works at", {"works_at", "works_in"}),
    (_STARTS, "works_at", "works at", {"works_at", "works_in"}),
    (_IT_IS, "uses", "uses", {"uses"}),
    (_WITH, "bank_name", "banks with", {"bank_name"}),
)
_THEN = LatePattern(
    r"(?i)\bin (?:19|20)\d\d\b|\byears ago\b|\bback then\b|\bat the time\b|\broll(?:ed|ing)?(?: \w+)? back\b|"
    r"\brollback\b"
)


def is_former_version(fact: CandidateFact, sentence: str) -> bool:
    """Whether a version was in use at a time in the past: "I upgraded to Python 3.8 in 2020"."""
    return (canonical(fact).attribute or "").endswith("_version") and _THEN.search(sentence) is not None


def replacements(stated: Sequence[CandidateFact], sentence: str) -> Iterator[CandidateFact]:
    """Yield an ending of every former value for each stated fact that the sentence calls new."""
    forms = [form for fact in stated if fact.holds and is_replaced((form := canonical(fact)).attribute)]
    rates = {canonical(fact): fact.value for fact in stated if "limit" in (fact.attribute or "")}
    for form in dict.fromkeys(forms):
        attribute = form.attribute or ""
        version = attribute.endswith("_version")
        date = attribute.endswith(("_date", "_time")) and attribute not in OF_NOW
        tool = attribute.removesuffix("_version").replace("_", " ")
        alone = len({other.value for other in forms if other.attribute == attribute}) == 1 and (
            not version or sentence.lower().count(tool) == 1
        )
        if attribute in OF_NOW:
            new = _FROM_NOW.search(sentence) is not None
        elif attribute in ALTERED:
            new = (_FROM_NOW.search(sentence) or _ALTERED.search(sentence)) is not None
        elif _OF_SEVERAL.match(attribute):
            new = False
        elif date:
            new = _MOVED.search(sentence) is not None
        else:
            new = _UPGRADED.search(sentence) is not None if version else _is_new(form, sentence)
        if alone and new and not _limited(sentence.replace(rates.get(form) or "\n", "")):
            for name in (
                (attribute,)
                if version or date or attribute in OF_NOW | ALTERED | {"studies"}
                else (attribute.removesuffix("_name"), f"{attribute.removesuffix('_name')}_name")
            ):
                former = (
                    f"{form.subject}'s former {name.removesuffix('_name').replace('_', ' ')} is replaced."
                )
                yield CandidateFact(former, form.subject, name, None, stated=True, holds=False)


def reversals(stated: Sequence[CandidateFact], sentence: str) -> Iterator[CandidateFact]:
    """Yield the endings of the opposite liking, and of the former editor, that "now" or "again" behind a value states
    ("I like olives now", "I use Neovim now"), and that of being single, which naming a partner states."""
    for fact in stated:
        value = fact.value or ""
        if fact.holds and canonical(fact).attribute == "partner" and _INTRODUCED.search(sentence):
            text = f"{fact.subject} is no longer single."
            yield replace(fact, text=text, attribute="relationship_status", value="single", holds=False)
            continue
        place = sentence.find(value) if fact.holds and value else -1
        if place < 0 or not _VALUE_NOW.match_at(sentence, place + len(value)) or _limited(sentence):
            continue
        if fact.attribute in _REVERSED and not value.endswith("ing"):
            opposite = OPPOSES[fact.attribute]
            text = f"{fact.subject} no longer {opposite.replace('_', ' ')} {value}."
            yield replace(fact, text=text, attribute=opposite, holds=False)
        elif fact.attribute == "uses" and _EDITOR.match(value):
            text = f"{fact.subject}'s former editor is replaced."
            yield replace(fact, text=text, attribute="editor", value=None, holds=False)


def _is_new(form: CanonicalFact, sentence: str) -> bool:
    """Whether a sentence says that the role of a fact has changed, or its clause that the value is new."""
    role = (form.attribute or "").removesuffix("_name")
    if role == "studies":
        if not _SUBJECT.match(form.value or ""):
            return False
        role = "stud(?:y|ies)"
    words = role.replace("_", " ")
    if words != role:
        return any(
            f"new {words}" in clause or (_NOW.search(clause) is not None and words in clause)
            for clause in _CLAUSE_END.split(sentence.lower())
            if (form.value or "") in clause.replace(".", "")
        )
    if any(_names(match["role"], role) for match in _REPLACED_ROLES.finditer(sentence)):
        return True
    return any(
        any(_names(match["role"] or match["role2"], role) for match in _NEW_ROLES.finditer(clause))
        or (_NOW.search(clause) is not None and any(_names(word, role) for word in clause.split()))
        for clause in _CLAUSE_END.split(sentence)
        if (form.value or "") in clause.lower().replace(".", "")
    )


def _names(word: str, role: str) -> bool:
    return re.fullmatch(rf"{role}(?:s|['’]s|therapist)?", word.lower()) is not None


def _limited(sentence: str) -> bool:
    return bool(_PART.search(_IS.sub("", sentence)) or _BESIDES.search(sentence))


def new_values(
    sentence: str, ended: Sequence[CandidateFact], known: Sequence[CandidateFact], subject: str
) -> Iterator[CandidateFact]:
    """Yield the new value where a clause without a verb replaces an ended one: "quit Tesco, I'm at Lidl now".

    `ended` are endings of this sentence and the one before, `known` the facts already read in this sentence.
    """
    for pattern, attribute, verb, names in _INSTEAD:
        old = {fact.value for fact in ended if fact.attribute in names and fact.subject == subject}
        if old and not any(fact.holds and fact.attribute == attribute for fact in known):
            match = pattern.search(sentence)
            if match and match["value"] not in old and _SINCE_NOW.search(match[0]):
                yield CandidateFact(
                    f"{subject} {verb} {match['value']}.", subject, attribute, match["value"], stated=True
                )
