"""Corrections of a speaker's last message: "I can't eat shrimp" - "sorry, not shrimp, lobster".

A correction names only the value, so the last message is read again with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import pairwise

from memory_service.rules.facts.attributes import canonical
from memory_service.rules.facts.clause_words import DOSE, MONTH, NUMBER
from memory_service.rules.facts.given_names import GIVEN_NAME
from memory_service.rules.facts.sentence_facts import facts_in
from memory_service.rules.word_lists import DAY
from memory_service.text.late_pattern import compile_late
from memory_service.text.sentences import sentences
from memory_service.types import CandidateFact

_LONGEST = 160
"""Characters of a correction, and of the sentence in it that corrects."""
_SORRY = (
    r"(?:(?:oh|ah|ugh|argh|er|erm|um|uh|no|nope|wait|sorry|oops|whoops|actually|correction|typo|edit|my (?:mistake|"
    r"bad)|hang on|hold on|I mean|scratch that|make that|(?:I )?just checked|autocorrect|I (?:misspoke|mistyped|"
    r"(?:mixed|messed|got) (?:that|this|it|them) (?:up|wrong)))[,.:!;–-]*\s+)"
)
_VALUE = r"[\w@€$£](?:[\w@.,:/'’+-]*[\w+])?(?: [\w.:/'’+-]*[\w+]){0,3}?"
_CORRECTION = compile_late(
    rf"(?i)(?:^|[.!?\n]\s*){_SORRY}*(?:(?:(?:I )?(?:meant|mean) |it['’]s )?(?P<new>{_VALUE}),? (?:and )?not "
    rf"(?:the |an? )?(?P<old>{_VALUE})|"
    rf"(?:it['’]s |it was |that['’]s )?not (?:the |an? )?(?P<old2>{_VALUE})(?:,|;| -| but|, but) ?(?:(?:I )?(?:meant|"
    rf"mean) |it['’]s |it is |that['’]s |but )?(?:the |an? )?(?P<new2>{_VALUE})|"
    rf"I was wrong about (?:the |my )?(?P<old3>{_VALUE}),? (?:it['’]s|it is|I meant) (?:the |"
    rf"an? )?(?P<new3>{_VALUE})(?: (?:that )?I .*)?)\s*(?:[.!)]|$|, (?:sorry|my bad|typo|of course)|\s+(?:sorry|"
    r"obviously|of course|lol)\b)"
)
_EXPLICIT = compile_late(
    r"(?i)\b(?:sorry|oops|whoops|typo|correction|edit|my (?:mistake|bad)|scratch that|make that|I (?:meant|mean)|"
    r"I was wrong|wait|just checked|autocorrect|keyboard|I (?:misspoke|mistyped|(?:mixed|messed|got) "
    r"\w+ (?:up|wrong)))\b|^mean|^\*|\*$"
)
_HESITANT = compile_late(r"(?i)\b(?:actually|er|erm)\b")
_SURE = compile_late(
    r"(?i)\b(?:I (?:meant|mean)|correction|typo|edit|scratch that|make that|just checked|autocorrect|keyboard|no,? "
    r"wait|I (?:misspoke|mistyped|(?:mixed|messed|got) \w+ (?:up|wrong)))\b|^mean|^\*|\*$"
)
"""Phrases that nothing but a correction begins or ends with."""
_OF_ANY_WORD = compile_late(
    r"(?i)\b(?:I meant|correction|scratch that|make that|mixed (?:that|this|it|them) up|got (?:that|this|it) wrong)\b|"
    r"^meant"
)
"""Those that also stand before a common noun; "I mean" begins comments."""
_CLAUSE = compile_late(r"(?i)\b(?:is|are|was|were|has|have|will|can)\b")
_NEW_ONLY = compile_late(
    rf"(?i)^\*?{_SORRY}*(?P<be>(?:I )?(?:meant|mean) (?:to (?:say|write|type) )?|(?:it|that|s?he)['’]s (?:actually )?|"
    rf"(?:his|her|its|my|the|their) name(?:['’]s| is) |it should be )?(?:an? |the )?(?P<new>{_VALUE})\*?"
    r"(?P<tail>\s*[.!]*$|[,.;!] .*|\s+(?:lol|haha\w*|actually|obviously|of course|sorry)\b.*|,? not \w+|"
    r" (?:that )?I['’ ].*)$"
)
_NAMED = compile_late(r"(?i)name(?:['’]s| is) $")
_PERSON = compile_late(r"(?i)s?he['’]s (?:actually )?$")
_THING = compile_late(r"(?i)(?:it|that)['’]s (?:actually )?$")
_NO_VALUE = compile_late(
    r"(?i)\b(?:I|you|he|she|it|we|they|me|him|her|us|them|my|your|his|its|our|their|this|that|these|those|what|who|how|"
    r"where|when|why|if|to|in|on|at|for|of|with|by|from|and|or|but|so|not|no|yes|one|ones|other|really|very|quite|too|"
    r"well|just|last|next|now|then|today|yesterday|tomorrow|tonight|later|soon|here|there|all|both|every\w*|any\w*|"
    r"some\w*|nothing|none|never|always|does|did|business|green|red|black|white|raw|cooked|hot|cold|severe|mild|bad|harm|come|go|look|whatever|like|is|are|was|were|do|sure|true|only|"
    rf"(?!family|italy|july|emily|sally|holly|molly|kelly|billy|lily|polly|butterfly|jelly|barley|parsley)\w+ly|{DAY})\b"
)
"""No value stands alone with one of these: "I meant the other one", "I mean seriously"."""
_FINE = compile_late(
    r"(?i)(?:^|[,.;!] ?)(?P<old>[\w-]+) (?:is|are|was) (?:fine|ok|okay|no problem|a typo|wrong)\b|"
    r"(?:^|[,.;!] ?)(?P<old2>[\w-]+) I can\b|\bI can (?:eat|have|drink|take) (?P<old3>[\w-]+)"
)
"""The old value, which the rest of the message says is not meant."""
_WORD = r"[\w.,'’-]*\w"
_DOSE = compile_late(rf"(?i){DOSE}")
_NUMBER = compile_late(rf"(?i)(?<![\w.])(?:{NUMBER}(?![\w.,:]*\w)|\d[\d.,:]*\d|\d)")
_NAME = compile_late(r"(?!I['’])(?:[A-Z][\w'’-]{2,})(?: [A-Z][\w'’-]+)?")
_GIVEN_NAME = compile_late(rf"(?i){GIVEN_NAME}")
_SPELLING = compile_late(
    r"(?i),? (?:with|without) (?:an?|one|two|a double|no|the) [\w' ]{1,12}$|,? (?:spelled|spelt|written) .*$"
)
_MARKED = compile_late(rf"(?i)^{_SORRY}+(?P<rest>.+)$")
_JOKED = compile_late(
    r"(?i)(?:(?:lol|ha(?:ha)+|no|nah|ok|sorry|hehe)[,.! ]+)*(?:(?:I(?:['’]?m| am| was)? )?(?:just |only |totally )?"
    r"(?:kidding|joking|messing with you)|jk|that was a joke)(?:[,.! ]+(?:lol|ha(?:ha)+|obviously|of course))*[\W_]*$"
)
_DAY = rf"(?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {MONTH}|{MONTH} (?:the )?\d{{1,2}}(?:st|nd|rd|th)?)"
_ON_DAY = compile_late(rf"(?i)\b(?:on )?(?:the )?(?:{_DAY}|\d{{1,2}}(?:st|nd|rd|th))(?![\w])")
_DATE = compile_late(rf"(?i)\b(?:the )?{_DAY}(?![\w])")
_OF_MONTH = compile_late(r"\d{1,2}(?:st|nd|rd|th)?")
_SMALL = frozenset(
    """a an the to in on at of for it is are was i we my our me us im i'm we're it's and not but so that this will be
    going actually really date day""".split()  # noqa: SIM905
)
_SIMILAR = 0.7
"""Likeness of a misspelled name and the right one: Ana and Anna .86, Carla and Carola .91, Tom and Tim .67."""
_RATHER_SIMILAR = 0.5
"""The same where "it's" stands before the right one: Christine and Kristin .75, Anna and Monday .40."""


def corrected_facts(
    before: str, message: str, speaker: str | None, said_in: int | None, *, asked: bool = False
) -> Iterator[CandidateFact]:
    """Yield the endings of the facts of a speaker's last message that a correction takes back, then the facts in their
    place. `asked`: a question stands between the two, so that "not Anna, Bob" may answer it."""
    if len(message) > _LONGEST or message.rstrip().endswith("?"):
        return
    if _JOKED.match(message):
        for fact in facts_in([*sentences(before)][-1], speaker, said_in) if before.strip() else ():
            if fact.holds:
                yield replace(fact, text=_denied(fact) if fact.attribute else fact.text, holds=False)
        return
    if asked and not _EXPLICIT.search(message):
        return
    for old, new in _corrections(before, message):
        if old.lower() == new.lower() or _CLAUSE.search(new):
            continue
        reading = re.sub(rf"(?i)(?<!\w){re.escape(old)}(?!\w)", lambda _, new=new: new, before)
        if reading == before:
            continue
        former = list(facts_in(before, speaker, said_in))
        now = [fact for fact in facts_in(reading, speaker, said_in) if fact.holds and fact not in former]
        kept = {_answer(fact) for fact in now if fact.attribute}
        taken_back = [fact for fact in former if fact.holds and _has(fact, old) and _answer(fact) not in kept]
        if taken_back and now and _attributes(now) <= _attributes(taken_back):
            for fact in taken_back:
                # Without an attribute a fact is known by its words.
                yield replace(fact, text=_denied(fact) if fact.attribute else fact.text, holds=False)
            yield from now
            return


def _corrections(before: str, message: str) -> Iterator[tuple[str, str]]:
    """Pairs of a value of the last message and the one in its place."""
    if match := _CORRECTION.search(message):
        groups = match.groupdict()
        old = next(text for name, text in groups.items() if name.startswith("old") and text)
        new = next(text for name, text in groups.items() if name.startswith("new") and text)
        if (_kind(old) == "number") == (_kind(new) == "number"):  # "50 micrograms, not mg"
            yield old.strip(" ,."), new.strip(" ,.")
            return
    yield from _other_date(before, message)
    match = _NEW_ONLY.match(_SPELLING.sub("", message))
    if match is None or _NO_VALUE.search(new := match["new"].strip(" ,.")):
        return
    if fine := _FINE.search(match["tail"]):
        yield fine["old"] or fine["old2"] or fine["old3"], new
    sure = _SURE.search(message) is not None
    if not sure and not _EXPLICIT.search(message) and not _HESITANT.search(message):
        return
    be = match["be"] or ""
    aside = _THING.search(be) and match["tail"].strip(" .!") and not sure  # "sorry, it's 7, I have to go"
    for shape in () if aside else (_DOSE, _NUMBER):
        values = shape.findall(before)
        if shape.fullmatch(new) and len(values) == 1:
            yield values[0], new
            return
    if _PERSON.search(be):
        return
    if old := _aligned(before, new):
        yield old, new
    elif new[:1].isupper() or (new[:1].isalpha() and not be and " " not in new):
        yield from _other_name(before, new, be, sure=sure)
    if new == new.lower() and _OF_ANY_WORD.search(message):
        yield from _other_word(before, new, lower=message == message.lower())


def _aligned(before: str, new: str) -> str | None:
    """The words of the last message that share their first or last words with the new value and differ from it in words
    of the same kind: "two kids" for "three kids", "Havneveien 3" for "Havneveien 8"."""
    words = new.split()
    for n in range(1, len(words)):
        other = rf"(?P<other>{_WORD}(?: {_WORD}){{{n - 1}}})"
        for shared, mine, shape in (
            (words[n:], words[:n], rf"(?i)(?<!\w){other} %s(?!\w)"),
            (words[:-n], words[-n:], rf"(?i)(?<!\w)%s {other}(?!\w)"),
        ):
            found = list(re.finditer(shape % re.escape(" ".join(shared)), before))
            if (
                len(found) == 1
                and all(len(word) > 1 and word.isalpha() for word in shared)
                and _kind(" ".join(mine)) == _kind(found[0]["other"])
                and not _NO_VALUE.search(found[0].group())
            ):
                return found[0].group()
    return None


def _kind(value: str) -> str:
    return "number" if _NUMBER.match(value) else "name" if value[:1].isupper() else "word"


def _other_name(before: str, new: str, be: str, *, sure: bool) -> Iterator[tuple[str, str]]:
    """The name of the last message that the new one is like, or its only name where the message surely corrects."""
    names, named = _names(before), new[:1].upper() + new[1:]
    near = [name for name in names if name[0] == named[0] and _likeness(name, named) >= _SIMILAR]
    if len(near) == 1:
        yield near[0], named
    elif len(names) == 1 and new.istitle():
        like = _THING.search(be) and _likeness(names[0], new) >= _RATHER_SIMILAR
        person = _GIVEN_NAME.match(new) and not _GIVEN_NAME.match(names[0]) and " called " not in before
        if (sure and not person) or like or _NAMED.search(be):
            yield names[0], new


def _other_word(before: str, new: str, *, lower: bool) -> Iterator[tuple[str, str]]:
    """The value of the only fact of the last message."""
    values = {fact.value for fact in facts_in(before, None) if fact.holds and fact.attribute and fact.value}
    if len(values) == 1 and not _NUMBER.search(old := values.pop() or ""):
        if old == old.lower():
            yield old, new
        elif lower and " " not in old:
            yield old, new[:1].upper() + new[1:]


def _names(text: str) -> list[str]:
    return [name for name in dict.fromkeys(_NAME.findall(text)) if text.find(name) > 0]


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one.lower(), other.lower()).ratio()


def _other_date(before: str, message: str) -> Iterator[tuple[str, str]]:
    """The date of the last message and another one, where every other word of the message stands in the last one:
    "we fly to Rome on 12 december" - "actually we fly on the 13th"."""
    marked = _MARKED.match(message)
    dates, new = _DATE.findall(before), _ON_DAY.findall(marked["rest"]) if marked else []
    if marked is None or len(dates) != 1 or len(new) != 1:
        return
    words = set(re.findall(r"[\w']+", _ON_DAY.sub("", marked["rest"]).lower())) - _SMALL
    if words <= set(re.findall(r"[\w']+", before.lower())):
        day = re.sub(r"(?i)^(?:on )?(?:the )?", "", new[0])
        if not re.search(r"(?i)\d(?:st|nd|rd|th)", dates[0]):
            day = re.sub(r"(?i)(?<=\d)(?:st|nd|rd|th)", "", day)
        yield dates[0], day if _DATE.search(new[0]) else _OF_MONTH.sub(day, dates[0])


def _answer(fact: CandidateFact) -> tuple[str | None, ...]:
    form = canonical(fact)
    return form.subject, form.attribute, form.value


def _attributes(facts: Sequence[CandidateFact]) -> set[str | None]:
    return {canonical(fact).attribute for fact in facts}


def _known_by(fact: CandidateFact) -> tuple[str | None, ...]:
    return _answer(fact) if fact.attribute else (fact.text,)


def _has(fact: CandidateFact, value: str) -> bool:
    return re.search(rf"(?i)(?<!\w){re.escape(value)}(?!\w)", f"{fact.value or ''} {fact.text}") is not None


def _denied(fact: CandidateFact) -> str:
    return f"It was a slip that {fact.text}"


def corrected_within(
    facts: tuple[CandidateFact, ...], said: Sequence[str], speaker: str | None, said_in: int | None
) -> tuple[CandidateFact, ...]:
    """The facts of a message, those replaced that one of its sentences takes back in the one before it."""
    for last, sentence in pairwise(said):
        fixed = list(corrected_facts(last, sentence, speaker, said_in)) if facts else []
        if fixed:
            wrong = {_known_by(fact) for fact in fixed if not fact.holds}
            right = [fact for fact in fixed if fact.holds and fact not in facts]
            facts = (*(fact for fact in facts if _known_by(fact) not in wrong), *right)
    return facts


def may_correct(message: str) -> bool:
    """Whether a message begins as a correction does: "oops, Carola"."""
    return _MARKED.match(message) is not None
