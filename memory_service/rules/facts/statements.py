"""What people state about themselves and theirs, as candidate facts: few and sure.

Questions, wishes, conditions, denials, the past ("I used to ...") and quoted speech give no fact.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory_service.rules.facts.antecedents import person_in, resolved, speaks_of_person
from memory_service.rules.facts.attributes import canonical
from memory_service.rules.facts.changes import changes
from memory_service.rules.facts.clause_facts import clause_facts
from memory_service.rules.facts.clauses import clauses
from memory_service.rules.facts.informal_english import plainly
from memory_service.rules.facts.other_languages import stated_abroad
from memory_service.rules.facts.patterns import (
    ADJECTIVES,
    AM,
    CONDITIONS,
    KIN,
    NOT_A_JOB,
    NOT_LIKED,
    OFTEN,
    ROLES,
    STOP,
    THINGS,
    VALUE,
    WHO,
)
from memory_service.rules.facts.standing_instructions import standing_instructions
from memory_service.rules.facts.user_text import own_words
from memory_service.rules.facts.value_limits import UNSURE, without_ending
from memory_service.rules.facts.value_normalization import names_kind_of_place
from memory_service.text.sentences import sentences
from memory_service.types import CandidateFact

_PATTERNS: tuple[tuple[str, str, str, str], ...] = (
    ("name", "name", rf"\bmy (?:first |full )?name[’']?(?: i)?s {VALUE}{STOP}", "{who} is called {value}"),
    ("name", " called ", rf"\bI{AM} called (?P<value>[A-Z]\w+){STOP}", "{who} is called {value}"),
    (
        "preferred_name",
        "call me",
        rf"\bcall me (?P<value>[A-Z]\w+){STOP}",
        "{who} wants to be called {value}",
    ),
    (
        "{kin}_name",
        " is ",
        rf"\bmy (?P<kin>{KIN})(?:[’']s name)? (?:is (?:called |named )|is "
        rf"(?=[A-Z]))(?P<value>[A-Z][\w’'-]+){STOP}",
        "{subject}'s {kin} is called {value}",
    ),
    ("lives_in", " live", rf"\b{WHO}{OFTEN} lives? in {VALUE}{STOP}", "{who} lives in {value}"),
    (
        "lives_in",
        " moved ",
        rf"\b{WHO}(?:[’']ve| have| has)?{OFTEN} moved (?:from [\w ]{{2,30}} )?to (?P<value>(?:the "
        rf")?[A-Z][^.,;:!?\n]{{1,40}}?){STOP}",
        "{who} moved to {value}",
    ),
    (
        "from",
        " from ",
        rf"\b{WHO}{AM} from (?P<value>(?:the )?[A-Z][^.,;:!?\n]{{1,40}}?){STOP}",
        "{who} is from {value}",
    ),
    ("born_in", " born in ", rf"\b{WHO} (?:was|were) born in {VALUE}{STOP}", "{who} was born in {value}"),
    ("grew_up_in", " grew up in ", rf"\b{WHO} grew up in {VALUE}{STOP}", "{who} grew up in {value}"),
    (
        "birthday",
        "birthday",
        rf"\bmy birthday(?: is|[’']s)(?: on)? {VALUE}{STOP}",
        "{who}'s birthday is {value}",
    ),
    (
        "age",
        "0|1|2|3|4|5|6|7|8|9",
        rf"\b{WHO}{AM} (?P<value>[1-9][0-9]?)(?: years old)?(?=[.,;!?]|$| years old| and| now)",
        "{who} is {value} years old",
    ),
    (
        "works_as",
        " work",
        rf"\b{WHO}{OFTEN} (?:works?|working) as (?!{NOT_A_JOB}\b)(?:an? |the )?{VALUE}{STOP}",
        "{who} works as {value}",
    ),
    (
        "works_as",
        " working as ",
        rf"\b{WHO}{AM} working as (?:an? |the )?{VALUE}{STOP}",
        "{who} works as {value}",
    ),
    (
        "works_at",
        " work",
        rf"\b{WHO}{OFTEN} works? (?:at|for) (?!home\b|night\b|least\b|me\b|hours\b|free\b|"
        rf"it\b){VALUE}(?:(?= as (?:an?|the) )|{STOP})",
        "{who} works at {value}",
    ),
    (
        "works_as",
        " as ",
        rf"\b{WHO}{OFTEN} works? (?:at|for) [^.,;:!?\n]{{2,40}}? as (?:an? |the ){VALUE}{STOP}",
        "{who} works as {value}",
    ),
    (
        "fears",
        " of ",
        rf"\b{WHO}{AM}(?: really| very| so)? (?:afraid|scared|terrified) of (?!(?:{NOT_LIKED}|"
        rf"\w+ing)\b){VALUE}{STOP}",
        "{who} is afraid of {value}",
    ),
    (
        "studies",
        " stud",
        rf"\b{WHO}(?:{AM} studying|{OFTEN} stud(?:y|ies)) {VALUE}{STOP}",
        "{who} studies {value}",
    ),
    (
        "allergic_to",
        " allergic to ",
        rf"\b{WHO}{AM}(?: very| severely| highly)? allergic to {VALUE}{STOP}",
        "{who} is allergic to {value}",
    ),
    (
        "is",
        "’m|'m| am | is |’s|'s",
        rf"\b{WHO}{AM} (?P<value>(?i:{ADJECTIVES}))(?![\w-])",
        "{who} is {value}",
    ),
    (
        "is",
        "’m|'m| am | is |’s|'s",
        rf"\b{WHO}{AM} (?P<value>an? (?=(?:[\w-]+ ){{0,3}}?(?i:{ROLES})\b)(?!bit\b|little\b|lot\b|few\b|"
        rf"big fan|huge fan|fan\b|mess\b|while\b|couple\b|great\b|good\b|bad\b|complete\b|"
        rf"total\b)[^.,;:!?\n]{{2,50}}?){STOP}",
        "{who} is {value}",
    ),
    (
        "likes",
        " fan of ",
        rf"\b{WHO}{AM} a (?:big |huge |great )?fan of {VALUE}{STOP}",
        "{who} likes {value}",
    ),
    (
        "likes",
        " like| love| enjoy| adore",
        rf"\b{WHO}{OFTEN} (?:likes?|loves?|enjoys?|adores?) (?!(?:{NOT_LIKED})\b){VALUE}{STOP}",
        "{who} likes {value}",
    ),
    (
        "prefers",
        " prefer",
        rf"\b{WHO}{OFTEN} prefers? (?!it\b|that\b|this\b|not\b|option\b){VALUE}{STOP}",
        "{who} prefers {value}",
    ),
    (
        "dislikes",
        " hate| dislike| stand ",
        rf"\b{WHO}{OFTEN} (?:hates?|dislikes?|can[’']t stand) (?!(?:{NOT_LIKED})\b){VALUE}{STOP}",
        "{who} dislikes {value}",
    ),
    (
        "dislikes",
        " like | enjoy ",
        rf"\b{WHO}{OFTEN} (?:don[’']t|do not|doesn[’']t|does not|never)(?: really| particularly| even| much| "
        rf"actually)* "
        rf"(?:like|liked|enjoy|enjoyed) (?!(?:{NOT_LIKED})\b){VALUE}{STOP}",
        "{who} dislikes {value}",
    ),
    (
        "dislikes",
        " fan of ",
        rf"\b{WHO}{AM} not (?:really )?a (?:big |huge |great )?fan of (?!(?:{NOT_LIKED})\b){VALUE}{STOP}",
        "{who} dislikes {value}",
    ),
    (
        "avoids",
        " eat | drink | smoke",
        rf"\b{WHO} (?:don[’']t|do not|doesn[’']t|does not|never) "
        rf"(?P<value>(?:eat|drink|smoke)(?: (?!(?:{NOT_LIKED}|much|enough|anything|well|alone|out|at|breakfast|"
        rf"lunch|dinner)\b)"
        rf"[\w -]{{2,40}}?)?){STOP}",
        "{who} does not {value}",
    ),
    (
        "uses",
        " use ",
        rf"\b{WHO}{OFTEN} use (?!(?:{NOT_LIKED}|to|up|which|both|something|anything|words?|lots?|time|old|new|"
        rf"different)\b)"
        rf"(?P<value>[\w.+#/ -]{{2,40}}?){STOP}",
        "{who} uses {value}",
    ),
    (
        "drives",
        " drive",
        rf"\b{WHO}{OFTEN} drives? (?P<value>an? (?!bit\b|lot\b|hard\b|long\b|while\b)[^.,;:!?\n]{{2,40}}?){STOP}",
        "{who} drives {value}",
    ),
    (
        "has",
        " own ",
        rf"\bI own (?P<value>(?:an?|two|three|four|five|six|[2-9]|several|some) [^.,;:!?\n]{{2,40}}?){STOP}",
        "{who} has {value}",
    ),
    (
        "favorite_{kin}",
        "favo",
        rf"\bmy (?:all-time )?favou?rite (?P<kin>[a-z]+(?: [a-z]+)?) (?:is|are) {VALUE}{STOP}",
        "{subject}'s favorite {kin} is {value}",
    ),
    (
        "has",
        " have | has | got | own",
        rf"\b{WHO}{OFTEN} (?:have|has|[’']ve got|own|owns) (?P<value>(?:an?|two|three|four|five|six|"
        rf"[2-9]|my own|no) (?:[\w-]+ ){{0,3}}?(?:{THINGS})(?: (?:named|called) [A-Z]\w+(?: and "
        rf"[A-Z]\w+)?)?)\b",
        "{who} has {value}",
    ),
    (
        "has_condition",
        " have | has ",
        rf"\b{WHO}{OFTEN} (?:have|has) (?P<value>(?i:{CONDITIONS}))\b",
        "{who} has {value}",
    ),
    (
        "plays",
        " play",
        rf"\b{WHO}{OFTEN} plays? (?:the )?(?!(?:with|in|at|on|an?|around|along|some|it|for|to)\b)"
        rf"(?P<value>[a-z]+(?: [a-z]+)?)(?:(?= (?:in|with|at|every|on)\b)|{STOP})",
        "{who} plays {value}",
    ),
    (
        "speaks",
        " speak",
        rf"\b{WHO}{OFTEN} speaks? (?P<value>[A-Z][a-z]+(?:(?:, | and )[A-Z][a-z]+)*)",
        "{who} speaks {value}",
    ),
)
"""Attribute, substrings one of which must be there for the pattern to be worth a try, pattern, and wording."""
_COMPILED = tuple(
    (attribute, tuple(needles.split("|")), re.compile(pattern), text)
    for attribute, needles, pattern, text in _PATTERNS
)
_TRIGGER = re.compile(r"\bI\b|\b[Mm]y\b|\bcall me\b")
_DENIED = re.compile(
    r"(?i)\b(?:not|never|no longer|hardly|barely|neither|nor|without|cannot)\b|n[’']t\b|\bno \w+"
)
_DENYING = frozenset({"dislikes", "avoids"})
"""Attributes that a denial states."""
_EACH = re.compile(r", (?:and )?| and ")
_NO_VALUE = re.compile(r"(?i)\[redacted|\b(?:i|me|my|we|us|our|you|your|this|that|it|them)\b")
IDENTITY = frozenset(
    {"name", "preferred_name", "from", "born_in", "grew_up_in", "birthday", "works_as", "is", "has_condition"}
)
"""Attributes that say who somebody is rather than what they happen to have or like."""
_FIGURATIVE = re.compile(r"(?!the\b)[a-z]")
_LONGEST_SENTENCE = 600
_LONGEST_VALUE = 8
"""Words: a longer value is a story, not a value."""


def statements(text: str, speaker: str | None) -> Iterator[CandidateFact]:
    """Yield what the speaker states as true, or as no longer true, of themselves, their people and their pets.

    The subject is the speaker's name or `user`; each attribute has its plain value beside the sentence. What has ended
    whatever it was ("we broke up") is left out where a later sentence names what has come after it.
    """
    said: list[list[CandidateFact]] = []
    person: str | None = None
    for sentence in sentences(own_words(text)):
        said.append(list(of_sentence(sentence, speaker or "user", person)))
        if not speaks_of_person(sentence):
            person = person_in(sentence)
    begun: set[tuple[str | None, str | None]] = set()
    kept: list[list[CandidateFact]] = []
    for facts in reversed(said):
        begun.update(_asked(fact) for fact in facts if fact.holds)
        kept.append([fact for fact in facts if fact.holds or fact.value or _asked(fact) not in begun])
    for facts in reversed(kept):
        yield from facts


def of_sentence(sentence: str, subject: str, person: str | None = None) -> Iterator[CandidateFact]:
    """What a sentence says has changed, and what else it states; `person` is who the sentence before was about."""
    if len(sentence) > _LONGEST_SENTENCE:
        return
    parts = clauses(sentence)
    own = [part.text for part in parts if part.kind in ("statement", "other")]
    asks = sentence.endswith("?")
    changed = [fact for text in (own if asks else [plainly(sentence)]) for fact in changes(text, subject)]
    precise = [
        *clause_facts((*parts, *resolved(parts, person)), subject),
        *standing_instructions(parts, sentence, subject),
    ]
    answered = {_asked(fact) for fact in precise}
    tools = {fact.value for fact in precise if fact.attribute == "uses"}
    if tools:  # who "moved from Flask to FastAPI" lives where they did
        changed = [fact for fact in changed if fact.attribute != "lives_in"]
        precise = [fact for fact in precise if fact.attribute != "lives_in" or fact.value not in tools]
    written = sentence[:1].isupper()
    stated = [
        fact
        for text in own
        if _TRIGGER.search(text)
        for fact in _by_pattern(text, subject, written=written)
        if _asked(fact) not in answered
    ]
    abroad = () if asks else stated_abroad(sentence, subject)
    said: set[tuple[str | None, ...]] = set()
    for fact in dict.fromkeys((*changed, *precise, *stated, *abroad)):
        # Endings come first: "My husband Tom and I got divorced" names him, and says that he is it no longer.
        answer = (*_asked(fact), canonical(fact).value)
        if not fact.holds or answer not in said:
            said.add(answer)
            yield fact
        if answer[1] == "lives_in_country" and fact.holds and " moved to " in fact.text:
            # Whatever town it was: what is said of the new one is kept, wherever in the text it is named.
            yield CandidateFact(
                f"{fact.subject} left the former home.",
                fact.subject,
                "lives_in",
                None,
                stated=True,
                holds=False,
            )


def _asked(fact: CandidateFact) -> tuple[str | None, str | None]:
    """The question that a fact answers."""
    form = canonical(fact)
    return form.subject, form.attribute


def _by_pattern(sentence: str, subject: str, *, written: bool) -> Iterator[CandidateFact]:
    """`written`: with the capitals of careful writing, so that a place without one is a figure of speech."""
    seen: set[tuple[str, str]] = set()
    for attribute, needles, pattern, wording in _COMPILED:
        if not any(map(sentence.__contains__, needles)):
            continue
        for match in pattern.finditer(sentence):
            clause = sentence[_clause_start(sentence, match.start()) : match.end()]
            quoted = sentence.count('"', 0, match.start()) % 2 or "“" in sentence[: match.start()]
            if quoted or UNSURE.search(clause) or (attribute not in _DENYING and _DENIED.search(clause)):
                continue
            value = without_ending(match["value"].strip(" -–—'"))
            groups = match.groupdict()
            who = groups.get("who") or "I"
            name = subject if who == "I" else f"{subject}'s {who[3:]}"
            kin = groups.get("kin") or ""
            label = attribute.format(kin=kin.replace(" ", "_"))
            if (
                not value
                or len(value.split()) > _LONGEST_VALUE
                or (label, value) in seen
                or _NO_VALUE.search(value)
                or (
                    written
                    and label == "lives_in"
                    and _FIGURATIVE.match(value)
                    and not names_kind_of_place(value)
                )
            ):
                continue
            seen.add((label, value))
            for one in _EACH.split(value) if label == "speaks" else (value,):
                text = wording.format(who=name, subject=subject, kin=kin, value=one)
                yield CandidateFact(text=f"{text}.", subject=name, attribute=label, value=one, stated=True)


def _clause_start(sentence: str, position: int) -> int:
    """Where the clause around `position` begins: doubt before "but" or ";" does not reach over it."""
    before = sentence[:position]
    starts = [
        before.rfind(sign) + len(sign) for sign in (" but ", ";", " – ", " — ", " and ") if sign in before
    ]
    return max(starts, default=0)
