"""Short answers to a question about the speaker, as full statements: "Where do you live?" - "Bergen, since May."

A short answer has no subject and often no verb, so that no pattern reads it alone.
"""

from __future__ import annotations

import re

from memory_service.rules.facts.clause_words import JOB, NAME, TOOLS
from memory_service.rules.facts.clauses import PEOPLE
from memory_service.rules.facts.informal_english import plainly
from memory_service.rules.facts.patterns import ADJECTIVES
from memory_service.text.late_pattern import compile_late
from memory_service.text.sentences import sentences

_LONGEST_ANSWER = 8
"""Words of the answer's first clause."""
_LAST_WORDS = 300
"""Characters at the end of a message in which its question is searched."""
_TOOL_KINDS = (
    "database|db|editor|ide|framework|language|programming language|stack|cloud|orm|library|browser|os|"
    "operating system|package manager|test runner|linter|ci|shell|terminal|app|tool"
)

_NAMES = compile_late(
    r"(?i)\b(?:what(?:['’]s| is)|may I (?:ask|have)|can I (?:ask|have)|tell me) your (?:first |full |last )?name\b|"
    r"\b(?:what|how) (?:should|can|may|do) I call you\b|\bwho am I (?:talking|speaking) (?:to|with)\b"
)
_HOMES = compile_late(
    r"(?i)\bwhere (?:do you (?:live|stay)|are you (?:living|based|located))\b|"
    r"\bwhat (?:city|town) (?:do you live|are you) in\b|"
    r"\b(?:are|do) you still (?:live|living|based) in (?-i:[A-Z])|^(?:so |and )?still in (?-i:[A-Z])[\w ]{1,30}\?"
)
_ORIGINS = compile_late(r"(?i)\bwhere (?:are you|do you come) (?:originally )?from\b")
_JOBS = compile_late(
    r"(?i)\bwhat do you do (?:for (?:a living|work)|professionally)\b|\bwhat(?:['’]s| is) your (?:job|profession|"
    r"occupation|line of work)\b|\bwhat do you work as\b"
)
_EMPLOYERS = compile_late(
    r"(?i)\bwhere do you work\b|\bwho do you work for\b|\bwho(?:['’]s| is) your employer\b|"
    r"\b(?:are|do) you still (?:work|working) (?:at|for) [^?]{2,40}\?|^(?:so |and )?still at (?-i:[A-Z])[\w ]{1,30}\?"
)
_ALLERGIES = compile_late(
    r"(?i)\b(?:do you have|have you got) (?:\w+ ){0,2}allerg\w+|"
    r"^(?:(?:and|so|also),? )?(?:got )?any (?:food )?allerg\w+\?|"
    r"\bare you allergic to (?:anything|something|any)|\bwhat are you allergic to\b"
)
_BIRTHDAYS = compile_late(r"(?i)\bwhen(?:['’]s| is) your birthday\b|\bwhen were you born\b")
_AGES = compile_late(r"(?i)\bhow old are you\b|\bwhat(?:['’]s| is) your age\b")
_LANGUAGES = compile_late(r"(?i)\b(?:what|which) languages? do you speak\b")
_CARS = compile_late(
    r"(?i)\b(?:what|which) (?:kind of )?car do you (?:drive|have|own)\b|\bwhat do you drive\b"
)
_FAVOURITES = compile_late(
    r"(?i)\b(?:what(?:['’]s| is)|who(?:['’]s| is)|which is) your favou?rite (?P<what>[a-z]+(?: [a-z]+)?)\?"
)
_TOOLS = compile_late(
    rf"(?i)\b(?:what|which) (?:{_TOOL_KINDS})(?: (?:do|are) you| does your team| is your team) (?:\w+ )?(?:use|"
    rf"using|on|run)\b"
)
_STATES = compile_late(
    rf"(?i)\bare you (?:an? |still |also )*(?P<what>{ADJECTIVES}|smoker|vegan|"
    rf"vegetarian)(?: or (?P<other>{ADJECTIVES}))?\?"
)
_HABITS = compile_late(
    r"(?i)\bdo you (?:still )?(?P<what>smoke|drive|drink alcohol|drink|eat meat|eat fish)\?"
)

_LEAD = compile_late(
    r"(?i)^(?:(?:yes|yeah|yep|yup|ya|no|nope|nah|not any ?more|well|oh|ah|um+|hmm+|so|ok(?:ay)?|sure|just|only|mostly|"
    r"currently|now|nowadays|actually|it['’]s|it is|that['’]s|that would be|they['’]re|they are|I['’]m|I am|im|my name"
    r"(?:['’]s| is)|call me|you can call me|we['’]re|since recently|using|use)[,.:!;–-]*\s+)+"
)
_END = compile_late(
    r"\s*(?:[.!?;:\n(]|,? (?:but|because|since|so|though|although|and (?:I|my|we|you|what|how)|for (?:now|the))\b|"
    r" [-–—] |, (?!(?:and )?[\w-]+(?: [\w-]+)?(?:,|$| and)))"
)
_NEGATIVE = compile_late(
    r"(?i)^(?:no|nope|nah|none|nothing|never|not (?:that I know|really|any ?more|at all)|I don['’]t)\b"
)
_POSITIVE = compile_late(
    r"(?i)^(?:yes|yeah|yep|yup|ya|sure|indeed|I am|I do|of course|absolutely|correct|that['’]s right)\b"
)
_PLAINLY_NO = compile_late(r"(?i)(?:no|nope|nah)(?=$|[.,!;]| (?:I|not|never)\b)")
_NEITHER = compile_late(
    r"(?i)(?:no|yes)[ ,]+(?:and (?:no|yes)|or (?:no|yes)|idea|worries|thanks|thank you|way|problem|matter|clue)\b|"
    r"(?:no|yes),? (?:thanks|thank you|but)\b"
)
_INSTEAD = compile_late(rf"(?i)(?:no|nope|nah),? (?:I[’']m )?(?P<what>{ADJECTIVES})[.!]*$")
"""Another value: "Are you vegetarian?" - "No, vegan"."""
_NO_NAME = compile_late(
    r"(?i)(?:better|worse|moved|retired|home|freelance|self|myself|unemployed|remote(?:ly)?|alone|nowhere|everywhere|gone|"
    r"done|later|soon|whatever|anything|hotel|the (?:hotel|moment|office|pub|beach|airport|station)|out|away|here|"
    r"there|nobody)(?![\w-])"
)
"""Answers that name no place, employer or person."""
_VAGUE = compile_late(
    r"(?i)\b(?:lots?|some|few|usual|several|many|various|things?|stuff|ones?|everything|all|most)\b"
)
_OTHER_WORDS = compile_late(
    r"(?i)\b(?:I|you|we|he|she|they|it|this|that|these|those|why|what|who|how|dunno|idk|depends|maybe|perhaps|not|"
    r"don['’]t|none|nothing|here['’]s|my|your|same|guess|secret|"
    r"private|both|either|neither|please|thanks?|sorry|hello|hi|ask|tell|say)\b"
)
_IN = compile_late(r"(?i)^(?:(?:living|live|based|staying|working|work) )?(?:in|near|at|for|from|to)\s+")
_OF_OTHERS = compile_late(
    rf"(?i)\b(?:she|he|they|her|his|their|anyone|anybody|everyone|your (?:\w+ )?(?:{PEOPLE}))\b(?! name\b)"
)
_STILL_AT = compile_late(rf"(?i)\bstill (?:\w+ )?(?:in|at|for) [^?]*|\b(?:{ADJECTIVES})\b")
_NAME_IN_QUESTION = compile_late(r"^([A-Z][a-zà-ÿ]+)(?=, )|(?<=[a-z,] )(?!I\b)([A-Z][a-zà-ÿ]+)\b")
_FULL_NAME = compile_late(rf"{NAME}(?: {NAME}){{0,2}}")
_PLACE = compile_late(
    rf"(?!Out\b|Here\b|There\b|Still\b){NAME}(?:,? (?:(?:of|the|on|upon|de|am|in) )?{NAME}){{0,3}}"
)
_TIME_BEHIND = compile_late(
    r"(?i)[, ]+(?:now|since .*|for (?:\w+ ){0,3}(?:years?|months?|weeks?).*|these days|at the moment|currently|again|"
    r"nowadays|as of .*|until .*)$"
)


def answer_in_full(question: str, answer: str, speaker: str | None = None) -> str | None:
    """The statement that a short answer of the speaker makes to the question at the end of the message before; None
    where it makes none, as where the question names another person or is about one."""
    if not question.rstrip().endswith("?"):
        return None
    asked = sentences(question[-_LAST_WORDS:])[-1]
    if _OF_OTHERS.search(asked) or _names_another(asked, speaker):
        return None
    said = answer.strip()
    if (match := _STATES.search(asked)) and match["other"] is None:
        return _affirmed(said, f"I'm {_article(match['what'])}", f"I'm not {_article(match['what'])}")
    if match := _HABITS.search(asked):
        return _affirmed(said, f"I {match['what']}", f"I don't {match['what']}")
    value = _value_of(said)
    if value is None or _NEGATIVE.match(value):
        return None
    denied = _NEGATIVE.match(said) is not None
    return _stated(asked, value, denied=denied)


def _names_another(asked: str, speaker: str | None) -> bool:
    """Whether a question has a name that is not the speaker's; places behind "still in" are no names."""
    without_places = _STILL_AT.sub(" ", asked)
    own = (speaker or "").split(" ")[0].lower()
    named = (match[1] or match[2] for match in _NAME_IN_QUESTION.finditer(without_places))
    return any(name.lower() != own for name in named)


def _stated(asked: str, value: str, *, denied: bool) -> str | None:
    """`denied`: the answer begins with "no", which answers "still in Oslo?" only."""
    bare = _TIME_BEHIND.sub("", _IN.sub("", value))
    still = " still " in f" {asked.lower()}"
    kinds = (_NAMES, _HOMES, _ORIGINS, _JOBS, _EMPLOYERS, _ALLERGIES, _BIRTHDAYS, _AGES, _LANGUAGES, _CARS)
    if sum(kind.search(asked) is not None for kind in kinds) > 1 or _NO_NAME.match(bare):
        return None
    if _HOMES.search(asked):
        is_place = _PLACE.fullmatch(bare) or re.fullmatch(r"[a-z]{3,}", bare)
        return f"I live in {_capital(bare)} now" if is_place and (denied or not still) else None
    if _EMPLOYERS.search(asked):
        named = _FULL_NAME.match(bare) or (_IN.match(value) and re.match(r"[a-z]{3,}", bare))
        return f"I work at {bare} now" if named and (denied or not still) else None
    if denied:
        return None
    if _NAMES.search(asked):
        return f"My name is {bare}" if _FULL_NAME.fullmatch(bare) else None
    if _ORIGINS.search(asked):
        return f"I'm from {_capital(bare)}"
    if _JOBS.search(asked):
        is_job = re.fullmatch(rf"(?i)(?:an? |the )?{JOB}(?: (?:at|for|in|with) .+)?", bare)
        return f"I'm a {re.sub(r'(?i)^(?:an?|the) ', '', bare)}" if is_job else None
    if _ALLERGIES.search(asked):
        return None if _VAGUE.search(bare) else f"I'm allergic to {_lower(bare)}"
    if _BIRTHDAYS.search(asked):
        return f"My birthday is {re.sub(r'(?i)^on ', '', bare)}" if any(c.isdigit() for c in bare) else None
    if _AGES.search(asked):
        return f"I'm {bare.split()[0]} years old" if bare.split()[0].isdigit() else None
    if _LANGUAGES.search(asked):
        return None if _VAGUE.search(bare) else f"I speak {bare}"
    if _CARS.search(asked):
        return f"I drive {_lower(bare) if bare.lower().startswith(('a ', 'an ')) else bare}"
    if match := _FAVOURITES.search(asked):
        return f"My favourite {match['what']} is {bare}"
    if _TOOLS.search(asked):
        return f"We use {bare}" if re.match(rf"(?i){TOOLS}(?![\w-])|[A-Z]", bare) else None
    return None


def _affirmed(said: str, positive: str, negative: str) -> str | None:
    if len(said.split()) > _LONGEST_ANSWER or _NEITHER.match(said):
        return None
    if instead := _INSTEAD.match(said):
        return f"I'm {instead['what']}"
    if _POSITIVE.match(said):
        return positive
    return negative if _PLAINLY_NO.match(said) else None


def _value_of(said: str) -> str | None:
    """The first clause of an answer without its lead; None where it is long or states something by itself."""
    text = _LEAD.sub("", plainly(said) if said.islower() else said)
    end = _END.search(text)
    value = (text[: end.start()] if end else text).strip(" ,.!\"'")
    if not value or len(value.split()) > _LONGEST_ANSWER or _OTHER_WORDS.search(value):
        return None
    return value


def _article(what: str) -> str:
    return f"a {what}" if what.lower() == "smoker" else what


def _capital(value: str) -> str:
    return value if value[:1].isupper() else value.title()


def _lower(value: str) -> str:
    return value[:1].lower() + value[1:]
