"""Introductions in a few words: "im maya, 27, nurse at st marys in bristol"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from memory_service.rules.facts.clause_facts import clause_facts
from memory_service.rules.facts.clause_words import JOB
from memory_service.rules.facts.clauses import Clause, clauses
from memory_service.rules.facts.given_names import GIVEN_NAME
from memory_service.rules.facts.informal_english import plainly
from memory_service.rules.facts.patterns import ADJECTIVES, NO_NAME, ROLES
from memory_service.rules.word_lists import DAY
from memory_service.text.late_pattern import LatePattern

_DESCRIPTIONS = (
    "black|bi|pan|ace|asexual|queer|obese|overweight|underweight|homeless|non-?binary|straight|freelance|jobless|"
    "childless|homeschooled|disabled|adopted|agender|cis|intersex|latino|latina|hispanic|asian|african|european"
)
NO_NAME_IN_LOWER_CASE = (
    rf"(?!(?:{ADJECTIVES}|{ROLES}|{_DESCRIPTIONS}|\w+(?:ed|ing|nt|ly)|sorry|sick|fine|good|okay|ok|done|home|back|late|lost|busy|"
    r"stuck|here|there|new|not|no|just|from|with|old|ill|free|ready|sure|sad|glad|mad|cold|hot|well|great|right|wrong|very|so|too|"
    r"still|also|now|about|almost|around|over|under|like|only|about|male|female|turning|currently|happy|lazy|hungry|"
    r"angry|pretty|lonely|crazy|early|thirsty|dizzy|funny|silly|lucky|guilty|moody|grumpy|sleepy|a|an|the|my|your|in|on|"
    r"at|up|down|off|out|down|away|alone|awake|asleep|broke|poor|rich|tall|short|fat|skinny|shy|bad|better|best|cool|"
    r"chill|english|irish|welsh|scottish|turkish|danish|greek|portuguese|russian|ukrainian|mexican|half|both|all|one|"
    r"two|going|gonna|trying|looking|worried|nervous|anxious|serious|curious|sober|high|drunk|dead|alive|human|adult|"
    r"teen|kid|man|woman|guy|girl|boy|mum|mom|dad|op|literally|actually|legit|lowkey|kinda|sorta|really|maybe|"
    r"probably|already|officially|technically|basically|that|this|it|what|who|why|how|where|when|because|but|and|or|"
    r"yes|yeah|nope|white|size|gate|room|bus|seat|table|platform|flat|unit|floor|level|stage|week|day|year|grade|class|"
    r"group|row|track|line|train|terminal|lane|team|number|page|chapter|version|phase|section|door|house|age|aged|desk|"
    r"zone|bay|route|tram|part|step|round|rank|player|patient|customer|order|ticket)\b)"
)
"""Lookahead: words behind "I'm" in careless writing that are no name."""
_INTRODUCED = LatePattern(
    rf"^(?:(?!(?i:sun\w*|rain\w*|snow\w*|storm\w*|heat\w*|cold|frost|fog|nothing|everything|hot\w*|warm\w*|"
    rf"wind\w*|fog\w*|chill\w*|humid|bitter|quiet|busy|empty|packed|full|crowd\w*|[a-z]+ed)\b)(?=[^\W\d_]+ here, "
    rf"\d\d(?:, I\b|, (?:an?|from)\b))|I'm |I am |my name is |my name's |name's "
    rf")(?P<name>{NO_NAME}(?!(?i:{_DESCRIPTIONS})\b)[A-ZÄÖÜÉÁ][a-zà-ÿ'-]+(?: "
    rf"{NO_NAME}[A-Z][a-zà-ÿ'-]+)?|"
    rf"{NO_NAME_IN_LOWER_CASE}[a-zà-ÿ]{{2,12}})(?: here)?(?=,|(?: (?:and )?I'm)? \d\d(?!\d))"
)
_NO_JOB = r"(?!(?:[\w/'’-]+ ){0,3}(?:my|our|his|her|their|is|are|was|been|not|never|no)\b)"
"""Lookahead: the next words are no job of the speaker: "my wife is a nurse", "not a teacher"."""
_NO_PLACE = (
    r"(?!(?:(?:the|my|our|his|her|your) )?(?:reality|work|home|school|uni|university|college|here|there|bed|scratch|"
    r"now|today|hell|heaven|space|online|office|accounting|accounts|hr|it|sales|marketing|finance|engineering|support|"
    rf"legal|payroll|reception|ops|logistics|front desk|{DAY})\b)"
)
_TWO_WORDS = r"[^\W\d_][\w'-]*(?: [^\W\d_][\w'-]*){0,2}?"
_STOPS = r"(?=$|[,.!]| (?:and|but|from|now|work|working|live|living|with|studying)\b)"
_PARTS = tuple(
    LatePattern(rf"(?i),? (?:and )?(?:I'm |I am |I )?{part}")
    for part in (
        r"(?P<age>[1-9]\d)(?: ?(?:y/?o\b|yrs?\b(?: old)?|years old))?(?: ?[mf](?![a-z]))?"
        rf"(?=$|[,.!]| (?:and|from|in|an?|uni|work|working|live|living|based|study|studying|{JOB})\b)",
        r"(?:[mf]|male|female)(?=$|[,. ])",
        rf"from {_NO_PLACE}(?P<origin>{_TWO_WORDS}){_STOPS}",
        rf"(?:living|live|based) in {_NO_PLACE}(?P<home>{_TWO_WORDS}){_STOPS}",
        rf"(?P<works>(?:work|working) (?:in|at|for|as) [^,.;!?]{{2,40}}?){_STOPS}",
        rf"(?:study|studying) (?P<studies>(?!(?:for|at|in|hard)\b)[^,.;!?]{{2,40}}?){_STOPS}",
        rf"{_NO_JOB}(?P<job>(?:an? )?{JOB})(?P<at>(?: (?:at|for|in) [^,.;!?]{{2,40}}?)?){_STOPS}",
    )
)
_GREETS = LatePattern(r"(?i)^\W*(?:hi+|he+y+|hiya|hello+|good (?:morning|evening|afternoon)|heya|yo|sup)\b")
_SAYS_NAME = LatePattern(r"(?:my name|name's)")
_THEN_AGE = LatePattern(r"(?i),? (?:and )?I'm \d")
"""Behind the name of "im noah im 14"; it may be an adjective ("im fit im 30"), so only a given name is one."""
_GIVEN = LatePattern(rf"(?i){GIVEN_NAME}$")
_AGE_OF_PERSON = LatePattern(r"(?i),| (?:and )?I'm \d\d| \d\d ?(?:[mf](?![a-z])|y/?o\b|years old\b)")
"""Behind a name; without a comma, a number may be that of a room or bus."""
_SMALL = frozenset(["of", "the", "in", "on", "upon", "and", "de", "la", "at", "for", "a", "an"])
_KINDS_OF_PLACE = LatePattern(
    r"(?i)^(?:a|an|the|my|our|logistics|retail|sales|marketing|finance|it|hr|tech|construction|hospitality|education|"
    r"healthcare|banking|insurance|law|media|security|care|school|uni|university|college|home|hospital|training)\b"
)


@dataclass(frozen=True, slots=True)
class Introduction:
    """The statements of an introduction, and the words behind it."""

    clauses: tuple[Clause, ...]
    rest: str


def introduction_in(sentence: str) -> Introduction | None:
    """Read the introduction at the beginning of a sentence; None where it has none, or may be anything else.

    A name in lower case is one before an age and another particular, or behind a greeting before one of them. A word
    that describes its speaker is no name: "I'm Autistic, 30, from Kiel".
    """
    plain = plainly(sentence)
    match = _INTRODUCED.match(plain)
    if match is None or sentence.rstrip().endswith("?"):
        return None
    if match["name"].islower() and _THEN_AGE.match_at(plain, match.end()) and not _GIVEN.match(match["name"]):
        return None
    said: list[str] = []
    end, aged = match.end(), False
    while len(said) <= _MOST:
        part = next((found for one in _PARTS if (found := one.match_at(plain, end))), None)
        if part is None:
            break
        end = part.end()
        aged = aged or "age" in part.groupdict()
        said.extend(_stated(part.groupdict()))
    given = match["name"] != match["name"].lower() or _GREETS.match(sentence) is not None
    if not aged or not said or (len(said) < 2 and not given):
        return None
    if (
        not _SAYS_NAME.match(plain)
        and not _GREETS.match(sentence)
        and not _AGE_OF_PERSON.match_at(plain, match.end())
    ):
        return None
    described = f"I'm {match['name'].lower()}"
    if any(fact.attribute != "name" for fact in clause_facts(clauses(described), "user")):
        return Introduction(_statements(described, *said), plain[end:].lstrip(" ,.!"))
    name = " ".join(word[:1].upper() + word[1:] for word in match["name"].split())
    return Introduction(_statements(f"my name is {name}", *said), plain[end:].lstrip(" ,.!"))


def _statements(*texts: str) -> tuple[Clause, ...]:
    return tuple(Clause(text, "statement") for text in texts)


def _stated(found: dict[str, str | None]) -> Iterator[str]:
    if age := found.get("age"):
        yield f"I'm {age}"
    elif origin := found.get("origin"):
        yield f"I'm from {_capitalized(origin)}"
    elif home := found.get("home"):
        yield f"I live in {_capitalized(home)}"
    elif works := found.get("works"):
        yield f"I {works.lower().replace('working', 'work', 1) if works == works.lower() else works}"
    elif studies := found.get("studies"):
        yield f"I'm studying {studies}"
    elif job := found.get("job"):
        named = job if job.startswith(("a ", "an ")) else f"{'an' if job[0] in 'aeio' else 'a'} {job}"
        yield f"I'm {named}{_with_capitals(found.get('at') or '')}"


def _with_capitals(where: str) -> str:
    """Return " at st marys" as " at St Marys"; a kind of place stays."""
    preposition, _, place = where.strip().partition(" ")
    if not place:
        return where
    return f" {preposition} {place if _KINDS_OF_PLACE.match(place) else _capitalized(place)}"


def _capitalized(place: str) -> str:
    return " ".join(word if word in _SMALL else word[:1].upper() + word[1:] for word in place.split())


_MOST = 6
"""Particulars read of an introduction."""
