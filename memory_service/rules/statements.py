"""What people state about themselves and theirs, as candidate facts: few and sure.

Questions, wishes, conditions, denials, the past ("I used to ...") and quoted speech give no fact.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory_service.rules.speech import sentences
from memory_service.rules.statements_abroad import stated_abroad
from memory_service.types import CandidateFact

KIN = (
    r"mom|mum|mother|dad|father|wife|husband|partner|son|daughter|brother|sister|boyfriend|girlfriend|"
    r"fiancée?|best friend|grandma|grandmother|grandpa|"
    r"grandfather|aunt|uncle|cousin|niece|nephew|roommate|boss|dog|cat|puppy|kitten|rabbit|horse|parrot|"
    r"hamster"
)
_THINGS = (
    r"kids?|child(?:ren)?|sons?|daughters?|brothers?|sisters?|siblings?|dogs?|cats?|pets?|puppy|puppies|"
    r"kittens?|rabbits?|horses?|parrots?|wife|husband|"
    r"girlfriend|boyfriend|partner|car|motorcycle|bike|house|apartment|garden|degree|phd|master's|allergy|"
    r"diabetes|asthma|migraines|adhd|autism|celiac disease"
)
_ADJECTIVES = (
    r"vegan|vegetarian|pescatarian|single|married|divorced|engaged|widowed|retired|unemployed|"
    r"self-employed|diabetic|left-handed|colou?r-?blind|deaf|blind|"
    r"lactose[- ]intolerant|gluten[- ]intolerant|pregnant|transgender|trans|gay|lesbian|bisexual|"
    r"bipolar|non-binary|christian|catholic|muslim|jewish|buddhist|hindu|"
    r"atheist|bilingual|dyslexic|autistic|german|french|italian|spanish|american|british|swedish|polish|"
    r"indian|chinese|japanese|canadian|australian|dutch"
)
_ROLES = (
    r"\w+(?:ologist|icist|ician|ctor|eer|iter|cher|wyer|rser|signer|ager|veloper|grammer|sician|tist|nter|"
    r"river|aker|river|chitect|ctrician|rnalist|nalyst|countant|sultant|sistant|mber|nner|udent|"
    r"llower|liever|vocate|dent|ssor|ilor|tor)|nurse|chef|cook|pilot|vegan|vegetarian|lawyer|mom|mum|"
    r"mother|dad|father|parent|grand\w+|widow(?:er)?|immigrant|refugee|veteran|muslim|christian|jew|"
    r"buddhist|hindu|"
    r"catholic|atheist|alcoholic|introvert|extrovert|intern|freelancer|founder|entrepreneur|person|owner|coach|"
    r"dancer|singer|gamer|runner|cyclist|farmer|judge|soldier|clerk|cashier|barista|waiter|waitress|guide|"
    r"trans(?:gender)? (?:woman|man)|single child|twin|only child|german|american|citizen|native|beginner|fan"
)
_NOT_LIKED = (
    r"it|that|this|you|your|how|the|them|to|what|when|these|those|him|her|his|their|every|all|any|some|"
    r"seeing|hearing|being|having|holding|finding|is|and|but|where|everything|"
    r"both|both of|each|working with you|talking to you|chatting|one|ones|me|us|more|most|an?|how|if|as|"
    r"with|in|on|of|for|our|my|its|so|doing it|here|there|watching (?:our|my|them|her|him)"
)
_WHO = rf"(?P<who>I|my (?:{KIN}))"
_AM = r"(?:(?:[’']m| am| is|[’']s)(?: actually| also| now| currently| still| originally)?)"
_OFTEN = (
    r"(?: really| also| now| currently| still| just| absolutely| usually| mostly| both| all| recently|"
    r" finally)*"
)
_VALUE = r"(?P<value>[^.,;:!?\n()\"“”]{2,80}?)"
_STOP = (
    r"(?=[.,;:!?\n()]|$| (?:and|but|because|so|since|which|who|when|while|though|although|as well|too|now|"
    r"these days|right now|at the moment|for (?:\w+ ){0,2}(?:years?|months?|weeks?)|"
    r"with my|if|until|in case|today|lately|anymore|that)\b| [-–—])"
)
_PATTERNS: tuple[tuple[str, str, str, str], ...] = (
    ("name", "name", rf"\bmy (?:first |full )?name[’']?(?: i)?s {_VALUE}{_STOP}", "{who} is called {value}"),
    ("name", " called ", rf"\bI{_AM} called (?P<value>[A-Z]\w+){_STOP}", "{who} is called {value}"),
    ("name", "call me", rf"\bcall me (?P<value>[A-Z]\w+){_STOP}", "{who} wants to be called {value}"),
    (
        "{kin}_name",
        " is ",
        rf"\bmy (?P<kin>{KIN})(?:[’']s name)? (?:is (?:called |named )|is "
        rf"(?=[A-Z]))(?P<value>[A-Z][\w’'-]+){_STOP}",
        "{subject}'s {kin} is called {value}",
    ),
    ("lives_in", " live", rf"\b{_WHO}{_OFTEN} lives? in {_VALUE}{_STOP}", "{who} lives in {value}"),
    (
        "lives_in",
        " moved ",
        rf"\b{_WHO}(?:[’']ve| have| has)?{_OFTEN} moved (?:from [\w ]{{2,30}} )?to (?P<value>(?:the "
        rf")?[A-Z][^.,;:!?\n]{{1,40}}?){_STOP}",
        "{who} moved to {value}",
    ),
    (
        "from",
        " from ",
        rf"\b{_WHO}{_AM} from (?P<value>(?:the )?[A-Z][^.,;:!?\n]{{1,40}}?){_STOP}",
        "{who} is from {value}",
    ),
    ("born_in", " born in ", rf"\b{_WHO} (?:was|were) born in {_VALUE}{_STOP}", "{who} was born in {value}"),
    ("grew_up_in", " grew up in ", rf"\b{_WHO} grew up in {_VALUE}{_STOP}", "{who} grew up in {value}"),
    (
        "birthday",
        "birthday",
        rf"\bmy birthday(?: is|[’']s)(?: on)? {_VALUE}{_STOP}",
        "{who}'s birthday is {value}",
    ),
    (
        "age",
        "0|1|2|3|4|5|6|7|8|9",
        rf"\b{_WHO}{_AM} (?P<value>[1-9][0-9]?)(?: years old)?(?=[.,;!?]|$| years old| and)",
        "{who} is {value} years old",
    ),
    (
        "works_as",
        " work",
        rf"\b{_WHO}{_OFTEN} (?:works?|working) as (?:an? |the )?{_VALUE}{_STOP}",
        "{who} works as {value}",
    ),
    (
        "works_as",
        " working as ",
        rf"\b{_WHO}{_AM} working as (?:an? |the )?{_VALUE}{_STOP}",
        "{who} works as {value}",
    ),
    (
        "works_at",
        " work",
        rf"\b{_WHO}{_OFTEN} works? (?:at|for) (?!home\b|night\b|least\b|me\b|hours\b|free\b|"
        rf"it\b){_VALUE}{_STOP}",
        "{who} works at {value}",
    ),
    (
        "studies",
        " stud",
        rf"\b{_WHO}(?:{_AM} studying|{_OFTEN} stud(?:y|ies)) {_VALUE}{_STOP}",
        "{who} studies {value}",
    ),
    (
        "allergic_to",
        " allergic to ",
        rf"\b{_WHO}{_AM}(?: very| severely| highly)? allergic to {_VALUE}{_STOP}",
        "{who} is allergic to {value}",
    ),
    ("is", "’m|'m| am | is |’s|'s", rf"\b{_WHO}{_AM} (?P<value>(?i:{_ADJECTIVES}))\b", "{who} is {value}"),
    (
        "is",
        "’m|'m| am | is |’s|'s",
        rf"\b{_WHO}{_AM} (?P<value>an? (?=(?:[\w-]+ ){{0,3}}?(?i:{_ROLES})\b)(?!bit\b|little\b|lot\b|few\b|"
        rf"big fan|huge fan|fan\b|mess\b|while\b|couple\b|great\b|good\b|bad\b|complete\b|"
        rf"total\b)[^.,;:!?\n]{{2,50}}?){_STOP}",
        "{who} is {value}",
    ),
    (
        "likes",
        " fan of ",
        rf"\b{_WHO}{_AM} a (?:big |huge |great )?fan of {_VALUE}{_STOP}",
        "{who} likes {value}",
    ),
    (
        "likes",
        " like| love| enjoy| adore",
        rf"\b{_WHO}{_OFTEN} (?:likes?|loves?|enjoys?|adores?) (?!(?:{_NOT_LIKED})\b){_VALUE}{_STOP}",
        "{who} likes {value}",
    ),
    (
        "prefers",
        " prefer",
        rf"\b{_WHO}{_OFTEN} prefers? (?!it\b|that\b|this\b|not\b){_VALUE}{_STOP}",
        "{who} prefers {value}",
    ),
    (
        "dislikes",
        " hate| dislike| stand ",
        rf"\b{_WHO}{_OFTEN} (?:hates?|dislikes?|can[’']t stand) (?!(?:{_NOT_LIKED})\b){_VALUE}{_STOP}",
        "{who} dislikes {value}",
    ),
    (
        "dislikes",
        " like | enjoy ",
        rf"\b{_WHO}{_OFTEN} (?:don[’']t|do not|doesn[’']t|does not|never)(?: really| particularly| even| much| "
        rf"actually)* "
        rf"(?:like|liked|enjoy|enjoyed) (?!(?:{_NOT_LIKED})\b){_VALUE}{_STOP}",
        "{who} dislikes {value}",
    ),
    (
        "dislikes",
        " fan of ",
        rf"\b{_WHO}{_AM} not (?:really )?a (?:big |huge |great )?fan of (?!(?:{_NOT_LIKED})\b){_VALUE}{_STOP}",
        "{who} dislikes {value}",
    ),
    (
        "avoids",
        " eat | drink | smoke",
        rf"\b{_WHO} (?:don[’']t|do not|doesn[’']t|does not|never) "
        rf"(?P<value>(?:eat|drink|smoke)(?: (?!(?:{_NOT_LIKED}|much|enough|anything|well|alone|out|at|breakfast|"
        rf"lunch|dinner)\b)"
        rf"[\w -]{{2,40}}?)?){_STOP}",
        "{who} does not {value}",
    ),
    (
        "uses",
        " use ",
        rf"\b{_WHO}{_OFTEN} use (?!(?:{_NOT_LIKED}|to|up|which|both|something|anything|words?|lots?|time|old|new|"
        rf"different)\b)"
        rf"(?P<value>[\w.+#/ -]{{2,40}}?){_STOP}",
        "{who} uses {value}",
    ),
    (
        "drives",
        " drive",
        rf"\b{_WHO}{_OFTEN} drives? (?P<value>an? (?!bit\b|lot\b|hard\b|long\b|while\b)[^.,;:!?\n]{{2,40}}?){_STOP}",
        "{who} drives {value}",
    ),
    (
        "has",
        " own ",
        rf"\bI own (?P<value>(?:an?|two|three|four|five|six|[2-9]|several|some) [^.,;:!?\n]{{2,40}}?){_STOP}",
        "{who} has {value}",
    ),
    (
        "favorite_{kin}",
        "favo",
        rf"\bmy (?:all-time )?favou?rite (?P<kin>[a-z]+(?: [a-z]+)?) (?:is|are) {_VALUE}{_STOP}",
        "{subject}'s favorite {kin} is {value}",
    ),
    (
        "has",
        " have | has | got | own",
        rf"\b{_WHO}{_OFTEN} (?:have|has|[’']ve got|own|owns) (?P<value>(?:an?|two|three|four|five|six|"
        rf"[2-9]|my own|no) (?:[\w-]+ ){{0,3}}?(?:{_THINGS})(?: (?:named|called) [A-Z]\w+(?: and "
        rf"[A-Z]\w+)?)?)\b",
        "{who} has {value}",
    ),
    (
        "has_condition",
        " have | has ",
        rf"\b{_WHO}{_OFTEN} (?:have|has) (?P<value>(?i:adhd|autism|asperger[’']?s|diabetes|epilepsy|dyslexia|asthma|"
        rf"parkinson[’']?s|celiac disease|multiple sclerosis|bipolar disorder|ptsd|ocd))\b",
        "{who} has {value}",
    ),
    (
        "plays",
        " play",
        rf"\b{_WHO}{_OFTEN} plays? (?:the )?(?P<value>[a-z]+(?: [a-z]+)?){_STOP}",
        "{who} plays {value}",
    ),
    (
        "speaks",
        " speak",
        rf"\b{_WHO}{_OFTEN} speaks? (?P<value>[A-Z][a-z]+(?:(?:, | and )[A-Z][a-z]+)*)",
        "{who} speaks {value}",
    ),
)
"""Attribute, substrings one of which must be there for the pattern to be worth a try, pattern, and wording."""
_COMPILED = tuple(
    (attribute, tuple(needles.split("|")), re.compile(pattern), text)
    for attribute, needles, pattern, text in _PATTERNS
)
_TRIGGER = re.compile(r"\bI\b|\b[Mm]y\b|\bcall me\b")
_UNSURE = re.compile(
    r"(?i)\b(?:if|would|could|might|maybe|perhaps|wish|imagine|suppose|pretend|thinking (?:of|about)|hope|"
    r"hoping|used to|almost|nearly|someday|one day|as if|"
    r"dream(?:ed|t)?|guess|probably|unless|whether|joking|kidding|said|says|told|asked|think|thinks|"
    r"wonder\w*|pretty sure)\b|[I’']d\b"
)
_DENIED = re.compile(
    r"(?i)\b(?:not|never|no longer|hardly|barely|neither|nor|without|cannot)\b|n[’']t\b|\bno \w+"
)
_DENYING = frozenset({"dislikes", "avoids"})
"""Attributes that a denial states."""
_LOWER_I = re.compile(r"(?<![\w.])i(?=[’' ])")
_LOWER_MY = re.compile(r"\bMy\b")
_TRAILING = re.compile(
    r"(?i)\s+(?:at all|one bit|anyway|though|again|a lot|so much|very much|more|most|already|here|there|really|also|"
    r"just|"
    r"of|in|at|with|to|the|a|an)$"
)
_NO_VALUE = re.compile(r"(?i)\[redacted|\b(?:i|me|my|we|us|our|you|your|this|that|it|them)\b")
IDENTITY = frozenset({"name", "from", "born_in", "grew_up_in", "birthday", "works_as", "is", "has_condition"})
"""Attributes that say who somebody is rather than what they happen to have or like."""
_LONGEST_VALUE = 8
"""Words: a longer value is a story, not a value."""


def statements(text: str, speaker: str | None) -> Iterator[CandidateFact]:
    """Yield what the speaker states as true of themselves, their people and their pets.

    The subject is the speaker's name or `user`; each attribute has its plain value beside the sentence.
    """
    subject = speaker or "user"
    for sentence in sentences(text):
        if not sentence.endswith("?") and len(sentence) <= 400:
            plain = _LOWER_MY.sub("my", _LOWER_I.sub("I", sentence))
            if _TRIGGER.search(plain):
                yield from _of_sentence(plain, subject)
            yield from stated_abroad(sentence, subject)


def _of_sentence(sentence: str, subject: str) -> Iterator[CandidateFact]:
    seen: set[tuple[str, str]] = set()
    for attribute, needles, pattern, wording in _COMPILED:
        if not any(map(sentence.__contains__, needles)):
            continue
        for match in pattern.finditer(sentence):
            clause = sentence[_clause_start(sentence, match.start()) : match.end()]
            quoted = sentence.count('"', 0, match.start()) % 2 or "“" in sentence[: match.start()]
            if quoted or _UNSURE.search(clause) or (attribute not in _DENYING and _DENIED.search(clause)):
                continue
            value = match["value"].strip(" -–—'")
            while (shorter := _TRAILING.sub("", value)) != value:
                value = shorter
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
            ):
                continue
            seen.add((label, value))
            text = wording.format(who=name, subject=subject, kin=kin, value=value)
            yield CandidateFact(text=f"{text}.", subject=name, attribute=label, value=value, stated=True)


def _clause_start(sentence: str, position: int) -> int:
    """Where the clause around `position` begins: doubt before "but" or ";" does not reach over it."""
    before = sentence[:position]
    starts = [
        before.rfind(sign) + len(sign) for sign in (" but ", ";", " – ", " — ", " and ") if sign in before
    ]
    return max(starts, default=0)
