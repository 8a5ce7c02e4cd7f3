"""Reference resolution: "he" and "she" at the start of a sentence become the person that the sentence before names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from memory_service.rules.facts.clause_words import JOB
from memory_service.rules.facts.clauses import PEOPLE
from memory_service.rules.facts.given_names import FEMALE_NAMES, OF_EITHER_SEX, is_given_name
from memory_service.rules.facts.informal_english import plainly
from memory_service.rules.facts.named_persons import ONE_NAME, ROLE_AND_NAME
from memory_service.rules.facts.value_limits import GIVEN
from memory_service.rules.relatives import FEMALE, MALE, ONE_OF, RELATIVES
from memory_service.text.late_pattern import LatePattern
from memory_service.text.sentences import sentences

_PLURAL = LatePattern(
    rf"(?i)(?:{'|'.join(ONE_OF)}|parents|siblings|in-laws|team|friends|"
    r"neighbou?rs|colleagues|co-?workers|flatmates|housemates|roommates)$"
)
_KIN = LatePattern(
    r"(?i)(?:\b(?:my|our)|(?:^(?:(?:and|but|so|oh|well|just|also|finally),? )*|\b(?:I|we)(?:['’]ve)? "
    r"(?:(?:have|just|also|now|recently|finally|already|still|both) ){0,2})(?:have|have got|got|adopted|bought|rescued|"
    r"hired|met)(?: now)? an?|\b(?:I|we)['’]ve an?) (?:new |late |own )?"
    rf"(?P<kin>{PEOPLE})(?![\w-])(?!['’]s\b(?! (?:an?|in|at|from|called|named|\w+ing)\b))"
)
"""A person or animal of the speaker's; "my sister's flat" is neither."""
_NAME = LatePattern(
    rf"^(?:(?:and|but|so|also|well|oh|then),? )*(?P<name>{ONE_NAME}(?: {ONE_NAME})?)"
    r"(?=['’]s (?:an?\b|allergic to\b|(?:lactose|gluten)[- ]intolerant\b|(?:vegan|vegetarian|coeliac|celiac|diabetic|"
    r"deaf)(?=[.,;!]|$| (?:and|but|so|now)\b))| (?:is|was|has|lives|works|moved|got|passed|started|left|studies|"
    r"teaches|plays|came|can|will)\b)"
    rf"|\b(?:man|woman|guy|girl|boy|lady|bloke|lad) (?:called|named) (?P<called>{ONE_NAME})",
)
_OTHERS = LatePattern(
    rf"(?i)\b(?:his|her|their|the|an?|another|some|\w+['’]s) (?:new |best |old )?(?:friend|{RELATIVES}|boss|"
    r"doctor|teacher|man|woman|guy|girl|boy|nurse|colleague|neighbou?r)s?\b|[\"“”]"
)
_ANOTHER_NOUN = LatePattern(
    r"(?i)(?:^|(?<!\bin)(?<!\bat)(?<!\bon)(?<!\bnear)(?<!\bfrom) )(?:an?|the|another|his|her|their) "
    r"(?!(?:\w+ )?(?:moment|minute|hour|day|night|morning|evening|week|weekend|month|year|while|bit|lot|few|"
    r"couple)s?\b)\w"
    rf"|\b(?:in|at|on|near|from) (?:an?|the|another|his|her|their) (?:\w+ )?(?:{JOB}|{PEOPLE})(?![\w-])"
)
"""A noun that may be a person or an animal: an object, or the noun of a place if it is a role ("at the vet")."""
_ANOTHER_NAME = LatePattern(
    rf"(?<=[a-z,] )(?<!\bin )(?<!\bat )(?<!\bto )(?<!\bfrom )(?<!called )(?<!named ){ONE_NAME}"
)
"""A name that is no place and not that of the role before it."""
_PRONOUN = LatePattern(
    r"(?i)^(?P<lead>(?:(?:and|but|so|also|well|oh|then|yes|now),? )*)(?P<who>he|she)(?P<is>['’]?s)?(?=[ '’])"
)
_PUT_TO_SLEEP = LatePattern(
    r"(?i)^(?P<lead>(?:(?:and|but|so|sadly|today|yesterday),? )*(?:(?:we|I|the vet) |we['’]ve |I['’]ve )?"
    r"(?:had to )?put )(?P<who>him|her)(?P<is>)(?= (?:down|to sleep)\b(?! (?:for|on|at|in|under|with|every|again)\b))"
)
"""An animal as the object: "the vet put her to sleep"."""
_IN_SENTENCE = LatePattern(
    r"(?i)^(?!.*\?$)(?!.*\b(?:if|when\w*|whether|suppos\w+|imagin\w+|pretend\w*|think\w*|thought|sa(?:y|ys|id)|told|"
    r"tells|maybe|perhaps|would|hopes?|wish\w*|wonder|story|novel|character|film|movie|"
    r"book|someone|somebody|everyone|everybody|called)\b)(?P<before>[^.;?!]{8,80}?),? (?:and|but) (?P<who>he|she)"
    r"(?:['’]s| is) (?=(?:also )?(?:allergic|"
    r"lactose|gluten|vegan|vegetarian|coeliac|celiac|diabetic|deaf)\b)"
)
"""A pronoun behind the person's first predicate: "Tom's allergic to nuts and he's lactose intolerant"."""

_NOMINATIVE = {"he": "he", "she": "she", "him": "he", "her": "she"}
_A_ROLE = LatePattern(r"^(?: is| was| works as)? an? ")
_PERSON = "\0"
"""Stands for the person while the rest of a sentence is searched."""
_YOUR_KIN = LatePattern(rf"(?i)\byour (?P<kin>{PEOPLE})(?![\w-])")
_SENTENCES = 6
"""Sentences before a pronoun that may name another person."""
_NAME_IN_REPLY = LatePattern(
    r"(?<![.!?:] )(?<!^)(?<!\n)\b(?!I\b|OK\b)[A-Z][\w-]*|(?:^|[.!?:\n] ?)(?!(?:That|This|It|What|Who|How|Here|There|"
    r"Everything|Everyone|Which|Where|When|Why|Age|Family)\b)[A-Z][\w-]+(?:'s|’s)? (?:is|was|has|lives|works|plays|"
    r"sounds|seems|can|will)\b"
)
"""A capitalized word within a sentence, or one at its start before a verb."""
_THIRD = LatePattern(r"(?i)\b(?:he|she|him|her|his|they|them|someone|somebody)\b")
"""Another person, whom an earlier message or the assistant may have named."""
_HAS_ROLE = LatePattern(rf"{_PERSON}(?:['’]s| is| was| works as)(?: now| also| still)? (?:an?|the) ")


def resolved(sentences: Iterable[str]) -> Iterator[str]:
    """Yield the sentences of one message, "he" or "she" at their start replaced by the only person named before.

    Nothing is replaced where the sentence before names several persons, or one of another sex.
    """
    person = kin = None
    for sentence in (part for whole in sentences for part in _parts(whole)):
        match = _PRONOUN.match(sentence) or _PUT_TO_SLEEP.match(sentence)
        if match and person and _fits_person(_NOMINATIVE[match["who"].lower()], person, kin):
            yield _with(person, match)
            rest = _A_ROLE.sub("", sentence[match.end() :])
            if _OTHERS.search(rest) or _KIN.search(rest) or _ANOTHER_NOUN.search(rest):
                # "she" may be another from here on
                person = kin = None
            continue
        person, kin = _only_person(sentence)
        yield sentence


def _parts(sentence: str) -> tuple[str, ...]:
    """The sentence, apart from its second predicate of health or diet where the pronoun means its only person."""
    match = (
        _IN_SENTENCE.match(sentence)
        if "e's " in sentence or "e is " in sentence or "e’s " in sentence
        else None
    )
    person, kin = _only_person(match["before"]) if match else (None, None)
    if match is None or person is None or not _fits_person(match["who"].lower(), person, kin, known=True):
        return (sentence,)
    return f"{match['before']}.", f"{person} is {sentence[match.end() :]}"


def _with(person: str, pronoun: re.Match[str]) -> str:
    """The text with a person in place of the pronoun."""
    ending = "'s" if pronoun["is"] else ""
    return f"{pronoun['lead']}{person}{ending}{pronoun.string[pronoun.end() :]}"


def _fits(pronoun: str, kin: str | None) -> bool:
    return kin not in (MALE if pronoun == "she" else FEMALE)


def _fits_person(pronoun: str, person: str, kin: str | None, *, known: bool = False) -> bool:
    """Whether a pronoun may stand for a person, by their role, else by their name.

    `known`: the name must be in the list of given names; "Dinner" is not.
    """
    if kin is not None:
        return _fits(pronoun, kin)
    name = person.split()[0].lower()
    if not is_given_name(name):
        return not known
    return name in OF_EITHER_SEX or (pronoun == "she") == (name in FEMALE_NAMES)


def _only_person(sentence: str) -> tuple[str | None, str | None]:
    """Return the person that the sentence names and their role, if it names exactly one."""
    if _ANOTHER_NAME.search(_NAME.sub("", ROLE_AND_NAME.sub("", sentence))):
        return None, None
    marked = _KIN.sub(_PERSON, ROLE_AND_NAME.sub(_PERSON, _NAME.sub(_PERSON, sentence)))
    others = _HAS_ROLE.sub("", _KIN.sub(_PERSON, sentence))  # keeps the name in "my sister Anna's friend"
    if _OTHERS.search(others) or _ANOTHER_NOUN.search(_HAS_ROLE.sub("", marked)):
        return None, None
    roles = {match["kin"].lower() for match in _KIN.finditer(sentence)}
    named = _NAME.search(sentence)
    if len(roles) == 1:
        kin = roles.pop()
        if _PLURAL.search(kin) or (named and named["name"]):
            return None, None
        name = ROLE_AND_NAME.search(sentence)
        named_too = name is not None and GIVEN.search(sentence[: name.start()]) is None
        return f"my {kin}" + (f" {name['name']}" if name and named_too else ""), kin.split()[-1]
    if roles or named is None:
        return None, None
    return named["name"] or named["called"], None


def about_named(earlier: Iterable[str], text: str, reply: str = "") -> str:
    """Return the text with "he" or "she" at its start replaced by the relative of that sex whom the last sentence of
    its speaker names; unchanged where that sentence may name several, or a person without a role, where a sentence
    before it may name another of that sex, and where the assistant's `reply` between them has a pronoun of the third
    person, a name or another relative."""
    match = _PRONOUN.match(text) or _PUT_TO_SLEEP.match(text)
    if match is None:
        return text
    who, said = _NOMINATIVE[match["who"].lower()], [one for message in earlier for one in sentences(message)]
    person, kin = _only_person(plainly(said[-1])) if said else (None, None)
    if person is None or kin is None or not _fits(who, kin):
        return text
    for sentence in map(plainly, said[-_SENTENCES:-1]):
        other, other_kin = _only_person(sentence)
        if other is not None and other != person and _fits(who, other_kin):
            return text
        if other is None and any(sign.search(sentence) for sign in (_THIRD, _KIN, _OTHERS, _ANOTHER_NAME)):
            return text
    if _THIRD.search(reply) or _NAME_IN_REPLY.search(reply):
        return text
    if any(match["kin"].lower() not in person for match in _YOUR_KIN.finditer(reply)):
        return text
    return _with(person, match)
