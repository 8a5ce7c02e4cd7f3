"""Keywords of a text, and the names in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from memory_service.rules.gate.sentence_score import FILLER
from memory_service.rules.relatives import PETS, RELATIVES
from memory_service.text.late_pattern import compile_late
from memory_service.text.sentences import sentences

_WORD = compile_late(r"[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ'’-]{2,}")
_NAME = compile_late(
    r"[A-ZÀ-Þ][a-zß-ÿ'’]+(?:[ -](?:(?:of|the|de|van|von|di|da|la|le) )?[A-ZÀ-Þ][a-zß-ÿ'’]+)*|"
    r"[A-Z]{2,}[A-Za-z0-9]*|[A-Z][a-z]+[A-Z]\w+"
)
_MARKER = compile_late(r"\[[^\]\n]{0,80}\]")
_NO_TOPIC = FILLER | frozenset(
    """
        yesterday today tonight tomorrow last next week weekend month year years day days morning
        evening night monday tuesday wednesday thursday friday saturday sunday january february
        march april may june july august september october november december again always never ever
        still even ago first second new old little big bit kind sort few every each other another
        same own right well back away around over after before because while until since than then
        now soon later once them're people person someone everyone anyone everything anything
        nothing stuff ones say says said tell told ask asked talk talking want wanted wants need
        needs needed went gone come came coming take took taking taken give gave given put let made
        making done doing did getting gets gotten felt feels looking look looks looked find found
        started start starting try tried trying keep kept remember please okay ok oh haha lol maybe
        probably actually especially pretty super quite such only both being having been i'll i'd
        we'll we're we've it'll they're they've he's she's there's what's how's who's isn't wasn't
        aren't didn't doesn't couldn't wouldn't won't haven't hasn't shouldn't you've you'll thats
        dont im ive cant important happy excited proud help helps helped hard best better able
        enough together sometimes often really else hope hopefully congrats sorry note forget mind
        live lives lived use used using call called
        through across along behind beside besides between beyond during inside into near onto outside toward towards
        under upon within without against among above below beneath off down per via despite except although though
        unless whether
        """.split()  # noqa: SIM905
)
_ORDINARY_CAPITALS = frozenset(
    """
        i i'm i've i'd i'll ok okay hey hi hello wow yes yeah no not the a an and but so or if when
        what who how why where which this that these those it it's its we we're you your my our he
        she they his her their there here in on at by for from with to of as is are was were do does
        did have has had can could will would should may might please thanks thank sorry sure
        absolutely definitely totally oh well also just then now today yesterday tomorrow last next
        monday tuesday wednesday thursday friday saturday sunday january february march april june
        july august september october november december great good nice cool awesome amazing
        congrats congratulations glad remember don't lol omg haha let's sounds keep maybe actually
        after before since because while me all some any one two three mom dad really never always
        someone somebody everyone everybody anyone anybody nobody something everything nothing
        people doctors scientists experts critics work school traffic life good-bye bye tell give
        take go see hope happy love btw fyi asap faq diy pm am tv pin id
        """.split()  # noqa: SIM905
)


_KIN = rf"(?:{RELATIVES}|{PETS}|friend|neighbou?r|boss|colleague)"
_PERSON = compile_late(
    rf"(?:['’]s (?:{_KIN}|birthday|wedding|name|family|parents|house|flat|job)\b| (?:said|says|told|asked|asks|thinks|"
    r"thought|wants|wanted|loves|loved|likes|liked|hates|hated|prefers|enjoys|lives|lived|moved|moves|studies|studied|"
    r"teaches|plays|drinks|eats|owns|bought|adopted|married|met|knows|called|phoned|visited|got (?:married|engaged|"
    r"divorced|promoted|a job)|turned \d|turns \d|died|never (?:drinks|eats)|does(?:n['’]t| not) (?:like|eat|drink|"
    r"want|live|work))\b| (?:is|was|has been|will be) (?:allergic|married|engaged|pregnant|divorced|vegan|vegetarian|"
    rf"diabetic|retired|\d+\b|born|from [A-Z]|(?:my|our|his|her|their) (?:\w+ )?{_KIN}\b|"
    r"(?:a|an|the) (?:\w+ )?(?:nurse|doctor|teacher|engineer|student|lawyer|baker|cook|chef|artist|musician|manager|"
    r"developer|designer|writer|pilot|carpenter|gardener)\b|(?:coming|moving|visiting|living|working|studying)\b)|"
    r" and (?:I|me)\b)"
)
"""Words behind a name at the start of a sentence, rarely behind other capitalized words."""


def of_a_person(rest: str) -> bool:
    """Whether the rest of a sentence, after its first word, is about a named person."""
    return _PERSON.match(rest) is not None


def topics(text: str, names: Sequence[str] = (), limit: int = 5) -> tuple[str, ...]:
    """Return up to `limit` keywords in lower case, the most frequent first, names of people left out."""
    skip = {part.lower() for name in names for part in name.split()}
    tally: Counter[str] = Counter()
    for word in _WORD.findall(_MARKER.sub(" ", text)):
        lowered = word.lower().replace("’", "'").removesuffix("'s").strip("'-")
        if (
            len(lowered) > 2
            and lowered not in _NO_TOPIC
            and lowered not in skip
            and not lowered.endswith("n't")
        ):
            tally[lowered] += 2 if len(lowered) > 6 else 1
    return tuple(word for word, _ in tally.most_common(limit))


_LONGEST_NAME = 100
"""Characters: longer words are no names."""


def entities(text: str, speakers: Sequence[str] = (), limit: int = 10) -> tuple[str, ...]:
    """Return the names in a text, speakers first.

    A capital at the start of a sentence does not prove a name: such a word counts when it has a capital elsewhere
    too, is part of a longer name or an abbreviation, or when the words behind it are about people.
    """
    found: dict[str, None] = dict.fromkeys(speaker for speaker in speakers if speaker)
    first_words: dict[str, None] = {}
    for sentence in sentences(_MARKER.sub(" ", text)):
        for match in _NAME.finditer(sentence):
            name = match[0].replace("’", "'").removesuffix("'s").strip("'")
            starts = not any(character.isalnum() for character in sentence[: match.start()])
            if starts and " " in name and name.split()[0].lower() in _ORDINARY_CAPITALS:
                name, starts = name.split(" ", 1)[1], False
            if not 2 <= len(name) <= _LONGEST_NAME or name.lower() in _ORDINARY_CAPITALS:
                continue
            if starts and not (
                " " in name or name.isupper() or of_a_person(sentence[match.start() + len(name) :])
            ):
                first_words[name] = None
            else:
                found[name] = None
    known = {part for name in found for part in name.split()}
    found.update((name, None) for name in first_words if name in known and name not in found)
    return tuple(found)[:limit]
