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
from memory_service.rules.facts.clause_words import DOSE, FOODS, ILLNESS, MEDICINE, MONTH, NUMBER, TOOLS
from memory_service.rules.facts.given_names import GIVEN_NAME
from memory_service.rules.facts.known_names import is_employer, is_town_or_country
from memory_service.rules.facts.patterns import ROLES
from memory_service.rules.facts.sentence_facts import facts_in
from memory_service.rules.relatives import FEMALE, KIN, MALE, PETS
from memory_service.rules.word_lists import DAY, LANGUAGES
from memory_service.text.late_pattern import compile_late
from memory_service.text.sentences import sentences
from memory_service.types import CandidateFact

_LONGEST = 160
"""Characters of a correction, and of the sentence in it that corrects."""
_LEAD_INS = {
    "wait": r"oh|ah|ugh|argh|um|uh|no|nope|wait|hang on|hold on|actually",
    "number": r"er|erm",
    "any": r"sorry|oops|whoops|typo|my (?:mistake|bad)|correction",
    "shared": r"edit|scratch that|make that|(?:I )?just checked|autocorrect|I (?:misspoke|mistyped|(?:mixed|messed|"
    r"got) (?:that|this|it|them) (?:up|wrong))",
}
"""What a correction begins with. "wait" needs the former value or one that is spelled alike, "shared" a word in common
with the former statement, "number" a number in place of another."""


def _leads(*kinds: str) -> str:
    return "|".join(_LEAD_INS[kind] for kind in kinds)


_SORRY = rf"(?:(?:{_leads('wait', 'number', 'any', 'shared')}|I mean)[,.:!;–-]{{0,3}}\s{{1,3}})"
_WORD_OF_VALUE = r"[\w.:/'’+-]{0,40}[\w+]"
_VALUE = rf"[\w@€$£](?:[\w@.,:/'’+-]{{0,40}}[\w+])?(?: {_WORD_OF_VALUE}){{0,3}}?"
_CORRECTION = compile_late(
    rf"(?i)(?:^|[.!?]\s{{1,3}}|\n){_SORRY}{{0,4}}(?:(?P<be>(?:I )?(?:meant|mean) |it['’]s )?(?:the |an? )?"
    rf"(?P<new>{_VALUE}),? (?:and )?not (?:the |an? )?(?P<old>{_VALUE})|"
    rf"(?:it['’]s |it was |that['’]s )?not (?:the |an? )?(?P<old2>{_VALUE})(?:,|;| -| but|, but) ?(?:(?:I )?(?:meant|"
    rf"mean) |it['’]s |it is |that['’]s |but )?(?:the |an? )?(?P<new2>{_VALUE})|"
    rf"I was wrong about (?:the |my )?(?P<old3>{_VALUE}),? (?:it['’]s|it is|I meant) (?:the |"
    rf"an? )?(?P<new3>{_VALUE})(?: (?:that )?I .*)?)\s{{0,3}}(?:[.!)]|$|, (?:sorry|my bad|typo|of course)|"
    r"\s{1,3}(?:sorry|obviously|of course|lol)\b)"
)
_EXPLICIT = compile_late(
    rf"(?i)\b(?:{_leads('any', 'shared')}|I (?:meant|mean)|I was wrong|wait|keyboard)\b|^mean|^\*|\*$"
)
_OF_NUMBER = compile_late(
    rf"(?i)\b(?:{_leads('number', 'any')}|I (?:meant|mean)|no,? wait|wait,? no)\b|^mean|^\*|\*$"
)
_MEANT = compile_late(r"(?i)^(?:(?:oh|no|wait|sorry|oops|ugh),? ){0,3}(?:I )?meant ")
_HESITANT = compile_late(r"(?i)\b(?:actually|er|erm)\b")
_NO_WAIT = compile_late(r"(?i)^(?:(?:oh|no|ugh|sorry|oops),? )?(?:no,? wait|wait,? no)[,. ]")
_PLACES = frozenset({"lives_in", "from", "born_in", "grew_up_in"})
_MIXED_UP = compile_late(r"(?i)\bcorrection\b|\b(?:mixed|messed|got) (?:that|this|it|them) (?:up|wrong)\b")
_CLAUSE = compile_late(r"(?i)\b(?:is|are|was|were|has|have|will|can)\b")
_NEW_ONLY = compile_late(
    rf"(?i)^\*?{_SORRY}{{0,4}}(?P<be>(?:I )?(?:meant|mean) |(?:it|that|s?he)['’]s (?:actually )?|"
    rf"(?:his|her|its|my) name(?:['’]s| is) |it should be )?(?:an? |the )?(?P<new>{_VALUE})\*?"
    r"(?P<tail>\s{0,3}[.!]{0,3}$|[,.;!] .*|\s{1,3}(?:lol|haha\w*|actually|obviously|of course|sorry)\b.*|,? not \w+|"
    r" (?:that )?I['’ ].*)$"
)
_NO_TAIL = compile_late(r"(?i)[\s,.!]*(?:(?:lol|haha\w*|obviously|of course|sorry)[\s.!]*)?$")
_NAMED = compile_late(r"(?i)(?P<whose>his|her|its|my) name(?:['’]s| is) $")
_PERSON = compile_late(r"(?i)(?P<who>s?he)['’]s (?:actually )?$")
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
_DOSE = compile_late(rf"(?i)(?<!\d){DOSE}")
_NUMBER = compile_late(rf"(?i)(?<![\w.])(?:{NUMBER}(?![\w.,:]*\w)|\d[\d.,:]*\d|\d)")
_NAME = compile_late(r"(?!I['’])(?:[A-Z][\w'’-]{2,})(?: [A-Z][\w'’-]+)?")
_GIVEN_NAME = compile_late(rf"(?i){GIVEN_NAME}")
_NAMED_SO = compile_late(r"(?i)\b(?:called|named|name(?:['’]s| is))\b")
_PET = compile_late(rf"(?i)\b(?:{PETS})\b")
_RELATIVE = compile_late(rf"(?i)\b(?:{KIN}|landlord|landlady|kid|child|baby|toddler)\b")
_I_AM = compile_late(r"(?i)\bI(?: am|['’]?m) \d+\b(?! (?:cm|kg|k|lbs?|pounds|m)\b)")
_NO_NAME = compile_late(
    rf"(?i)(?:{LANGUAGES}|{TOOLS}|{MONTH}|{DAY}|{FOODS}|christmas|easter|new year\w*|thanks?|please|sorry|wow|hi|hello|"
    r"hey|stop|cancel|done|solved|fixed|sorted|typo|formatting|yes|yeah|nope|ok(?:ay)?|mama|mum|mom|dad|god|jesus|ikea|"
    r"europe|asia|africa|america)"
)
"""Capitalized words in place of no name."""
_SAME_LISTS = tuple(
    compile_late(rf"(?i)(?:{words})")
    for words in (
        rf"(?:{FOODS}|lobster|crab|pollen|dust|latex|penicillin)(?:[- ]intolerant)?",
        ILLNESS,
        MEDICINE,
        DOSE,
        "vegan|vegetarian|pescatarian",
        ROLES,
    )
)
"""A common noun corrects only one of its list."""
_VITAL = frozenset({"allergic_to", "intolerant_to", "has_condition", "takes_medicine", "does_not_eat"})
_ECHOES = compile_late(
    r"(?i)\byou(?:['’]re|r| are| have| live| work| drive| take| were)\b|\b(?:noted|remember|got it|I see|understood|"
    r"hi|hello|nice to meet you|I(?:['’]ll| will) (?:avoid|leave out|keep))\b"
)
"""A reply that repeats a statement, and so carries out nothing."""
_FIRST_NAME = compile_late(r"(?P<name>[A-Z][\w'’-]{2,})(?= (?:is|has|was|will|in)\b)")
_DONE = compile_late(
    r"(?i)\b(?:book|order|call|text|play|set|remind|list|here (?:is|are)|I found|recipe|table|timer)\w*\b"
)
_ASKS_NUMBER = compile_late(r"(?i)\b(?:how (?:many|much|old|long|far)|what time|when|which)\b")
_SPELLING = compile_late(
    r"(?i),? (?:with|without) (?:an?|one|two|a double|no|the) [\w' ]{1,12}$|,? (?:spelled|spelt|written) .*$"
)
_MARKED = compile_late(rf"(?i)^{_SORRY}{{1,4}}(?P<rest>.+)$")
_JOKE = (
    r"(?:(?:lol|ha(?:ha)+|no|nah|ok|sorry|hehe)[,.! ]+)*(?:(?:I(?:['’]?m| am| was)? )?(?:just |only |totally )?"
    r"(?:kidding|joking|messing with you)|jk|that was a joke)"
)
_JOKED = compile_late(rf"(?i){_JOKE}(?:[,.! ]+(?:lol|ha(?:ha)+|obviously|of course))*[\W_]*$")
_JEST = compile_late(rf"(?i){_JOKE}(?=[\W_]*$| ?[,.!;…–—-]| (?:lol|haha\w*|I|we|it|obviously|of course)\b)")
"""The same with more behind it."""
_BEFORE_REASON = compile_late(
    r"(?i)(?:[,;.!]| ?[–—-])? (?=(?:because|since|cos|cuz|as)\b)|(?:[,;.!]| ?[–—]| -) "
    r"(?=(?:(?:and|but|so|[a-z]{1,6}ly) )?"
    r"(?:I|you|he|she|it|we|they|that|this|everyone|(?:my|the|our|his|her|your|their) [\w'’-]+)(?:['’]\w+| [a-z]))|"
    r"(?:[,;.!]| ?[–—]| -) (?=(?:\w+ )?(?:autocorrect|typo|spellcheck)\b)"
)
"""Where the correction ends and its reason, or a clause with its own subject, begins."""
_OF_SLIP = compile_late(
    r"(?i)\b(?:mix\w*|mess(?:ed)? \w+ up|confus\w+|autocorrect|typo|spellcheck|wrong|misspo\w+|mistyped|slip|brain|"
    r"fingers?|keyboard|forg[eo]t)\b|^(?:because|since|cos|cuz)\b"
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
    before: str,
    message: str,
    speaker: str | None,
    said_in: int | None,
    *,
    between: Sequence[str] = (),
    recent: bool = True,
) -> Iterator[CandidateFact]:
    """Yield the endings of the facts of a speaker's last message that a correction takes back, then the facts in their
    place. `between`: what others said between the two, which the correction may belong to. `recent`: little time passed
    since, so that the correction need not name the former value."""
    if len(message) > _LONGEST or message.rstrip().endswith("?"):
        return
    if is_joke(message):
        for fact in facts_in([*sentences(before)][-1], speaker, said_in) if recent and before.strip() else ():
            if fact.holds and fact.attribute == "goal":  # "just kidding" may be about anything else
                yield replace(fact, text=_denied(fact), holds=False)
        return
    asked = any(text.rstrip().endswith("?") for text in between)
    if asked and not _EXPLICIT.search(message):
        return
    found = [
        one
        for text, reason in ((message, ""), *_with_reasons(message))
        for one in _corrections(before, text, asked=asked)
        # Of "sorry, Anna, I can't come" the name is an address.
        if not reason or one[2] or _MEANT.search(text) or _OF_SLIP.search(reason) or _DATE.fullmatch(one[0])
    ]
    for old, new, sure in found:
        if old.lower() == new.lower() or _CLAUSE.search(new) or not (sure or recent):
            continue
        if any(_may_belong(text, before, old, new, sure=sure) for text in between):
            continue
        reading = re.sub(rf"(?i)(?<!\w){re.escape(old)}(?!\w)", lambda _, new=new: new, before)
        if reading == before:
            continue
        former = list(facts_in(before, speaker, said_in))
        now = [fact for fact in facts_in(reading, speaker, said_in) if fact.holds and fact not in former]
        kept = {_answer(fact) for fact in now if fact.attribute}
        taken_back = [fact for fact in former if fact.holds and _has(fact, old) and _answer(fact) not in kept]
        if not sure and any(map(_is_vital, taken_back)) and not _same_list(old, new):
            continue
        if taken_back and now and _attributes(now) <= _attributes(taken_back):
            for fact in taken_back:
                # Without an attribute a fact is known by its words.
                yield replace(fact, text=_denied(fact) if fact.attribute else fact.text, holds=False)
            yield from now
            return


def _with_reasons(message: str) -> Iterator[tuple[str, str]]:
    """The parts before a reason or another clause, each with the rest, the longest first: "it's not Ana, it's Eva" of
    "it's not Ana, it's Eva, she wrote it"."""
    for cut in reversed([*_BEFORE_REASON.finditer(message)]):
        if text := message[: cut.start()]:
            yield text, message[cut.end() :]


def corrects_before_reason(sentence: str, speaker: str | None, said_in: int | None) -> bool:
    """Whether a sentence may be a correction with a reason behind it, and states nothing before that."""
    return any(not any(facts_in(text, speaker, said_in)) for text, _ in _with_reasons(sentence))


def _may_belong(text: str, before: str, old: str, new: str, *, sure: bool) -> bool:
    """Whether the new value may stand in place of one in what another person or the assistant said in between."""
    echoes = _ECHOES.search(text) is not None and not _DONE.search(text) and not text.rstrip().endswith("?")
    named = re.search(rf"(?i)(?<!\w){re.escape(old)}(?!\w)", text)
    if named or sure:
        return named is not None and not echoes
    if _NUMBER.match(new):
        known = {number.lower() for number in _NUMBER.findall(before)}
        return _ASKS_NUMBER.search(text) is not None or any(
            number.lower() not in known for number in _NUMBER.findall(text)
        )
    if re.search(rf"(?i)(?<!\w){re.escape(new)}(?!\w)", text):
        return True
    if new[:1].isupper():
        first = _FIRST_NAME.match(text)
        names = [*_names(text), *([first["name"]] if first else [])]
        return any(name not in before and not _ECHOES.match(name) for name in names)
    return not echoes and _DONE.search(text) is not None


def _corrections(before: str, message: str, *, asked: bool) -> Iterator[tuple[str, str, bool]]:
    """Pairs of a value of the last message and the one in its place, and whether the message names the former."""
    if match := _CORRECTION.search(message):
        groups = match.groupdict()
        old = next(text for name, text in groups.items() if name.startswith("old") and text)
        new = next(text for name, text in groups.items() if name.startswith("new") and text)
        if (_kind(old) == "number") == (_kind(new) == "number"):  # "50 micrograms, not mg"
            # "Book Bern, not Basel"
            if not groups["new"] or groups["be"] or len(new.split()) <= len(old.split()):
                yield old.strip(" ,."), new.strip(" ,."), True
            return
    yield from ((old, new, False) for old, new in _other_date(before, message))
    match = _NEW_ONLY.match(_SPELLING.sub("", message))
    if match is None or _NO_VALUE.search(new := match["new"].strip(" ,.")):
        return
    if fine := _FINE.search(match["tail"]):
        yield fine["old"] or fine["old2"] or fine["old3"], new, True
    if _EXPLICIT.search(message) or _HESITANT.search(message):
        yield from ((old, now, False) for old, now in _by_value(before, message, new, match, asked=asked))


def _by_value(
    before: str, message: str, new: str, match: re.Match[str], *, asked: bool
) -> Iterator[tuple[str, str]]:
    """Pairs of a value of the last message and the one that stands alone in this one."""
    be, tail, meant = match["be"] or "", match["tail"], _MEANT.search(message) is not None
    ends = _NO_TAIL.match(tail) is not None
    person = _PERSON.search(be)
    if person and not _fits(before, person["who"]):
        return
    thing = _THING.search(be) is not None
    of_age = (
        thing and not meant and (_RELATIVE.search(before) or _I_AM.search(before))
    )  # "sorry, it's 10" o'clock
    aside = (thing and not ends) or of_age or _NUMBER.search(tail) or (asked and not person)
    if not aside and (_OF_NUMBER.search(message) or _is_next_version(before, new)):
        for shape in (_DOSE, _NUMBER):
            values = shape.findall(before)
            if shape.fullmatch(new) and len(values) == 1:
                yield values[0], new
                return
    if person:
        return
    if old := _aligned(before, new):
        yield old, new
    elif ends and not asked and (new[:1].isupper() or (new[:1].isalpha() and not be and " " not in new)):
        yield from _other_name(before, new, be, meant=meant)
    if ends and not asked and new == new.lower() and (meant or _MIXED_UP.search(message)):
        yield from _other_word(before, new)
    if ends and not asked and (meant or _NO_WAIT.match(message)):
        yield from _other_place(before, new)


def _is_next_version(before: str, new: str) -> bool:
    """Whether a number has the first part of the only one before: 3.12 for 3.11."""
    found = _NUMBER.findall(before)
    return len(found) == 1 and "." in new and "." in found[0] and new.split(".")[0] == found[0].split(".")[0]


def _fits(before: str, pronoun: str) -> bool:
    """Whether a pronoun may stand for the relative or animal in the text."""
    people = set(re.findall(r"\w+", before.lower()))
    if pronoun.lower() in ("it", "its"):
        return _PET.search(before) is not None
    female = pronoun.lower() in ("she", "her")
    return not people & (MALE if female else FEMALE)


def _is_vital(fact: CandidateFact) -> bool:
    return fact.attribute is not None and (fact.attribute in _VITAL or fact.attribute.endswith("_dose"))


def _same_list(old: str, new: str) -> bool:
    return any(words.fullmatch(old) and words.fullmatch(new) for words in _SAME_LISTS)


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


def _other_name(before: str, new: str, be: str, *, meant: bool) -> Iterator[tuple[str, str]]:
    """The name of the last message that the new one is like, or its only name where the speaker meant another."""
    names, named = _names(before), new[:1].upper() + new[1:]
    near = [name for name in names if name[0] == named[0] and _likeness(name, named) >= _SIMILAR]
    whose = _NAMED.search(be)
    if whose and whose["whose"] != "my" and not (_RELATIVE.search(before) and _fits(before, whose["whose"])):
        return
    if len(near) == 1:
        yield near[0], named
    elif len(names) == 1 and new.istitle() and not _NO_NAME.fullmatch(new) and new not in names[0].split():
        like = _THING.search(be) and _likeness(names[0], new) >= _RATHER_SIMILAR
        person = _GIVEN_NAME.fullmatch(names[0]) is not None or _NAMED_SO.search(before) is not None
        same = person == (_GIVEN_NAME.fullmatch(new) is not None)
        if like or (meant and same) or (whose and (person or whose["whose"] != "my")):
            yield names[0], new


def _other_word(before: str, new: str) -> Iterator[tuple[str, str]]:
    """The value of the only fact of the last message, where both are of one list."""
    values = {fact.value for fact in facts_in(before, None) if fact.holds and fact.attribute and fact.value}
    if len(values) == 1 and _same_list(old := values.pop() or "", new):
        yield old, new


def _other_place(before: str, new: str) -> Iterator[tuple[str, str]]:
    """The place or employer that alone the last message states, where a known name in lower case corrects it."""
    facts = [fact for fact in facts_in(before, None) if fact.holds]
    if not new.islower() or len(facts) != 1 or not facts[0].value:
        return
    attribute = facts[0].attribute
    if is_employer(new) if attribute == "works_at" else attribute in _PLACES and is_town_or_country(new):
        yield facts[0].value, new


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
        if facts and _JEST.match(sentence):  # the previous sentence, without doubt
            jest = {_known_by(fact) for fact in facts_in(last, speaker, said_in)}
            facts = tuple(fact for fact in facts if _known_by(fact) not in jest)
            continue
        fixed = list(corrected_facts(last, sentence, speaker, said_in)) if facts else []
        if fixed:
            wrong = {_known_by(fact) for fact in fixed if not fact.holds}
            right = [fact for fact in fixed if fact.holds and fact not in facts]
            facts = (*(fact for fact in facts if _known_by(fact) not in wrong), *right)
    return facts


def is_joke(message: str) -> bool:
    """Whether a message only says that the one before was no serious statement: "just kidding"."""
    return _JOKED.match(message) is not None


def may_correct(message: str) -> bool:
    """Whether a message begins as a correction does: "oops, Carola"."""
    return _MARKED.match(message) is not None
