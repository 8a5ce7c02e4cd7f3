"""What a mood is about: a noun phrase of the sentence that states it, or nothing.

Prefers precision: a mood without a topic is understood, one with an odd topic is not. English only.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory_service.text.late_pattern import compile_late

LONGEST = 400
"""Characters read of a sentence."""
_SHORT = 5
"""Words of a sentence that may state a feeling alone."""
_MOST_WORDS = 3
"""Words of a phrase."""
_EVENTS = tuple(
    (compile_late(pattern), topic)
    for pattern, topic in (
        (r"(?i)\b(?:broke up|broken up|breaking up|split up|dumped me|left me(?= for\b|[.!,;]|$))", "breakup"),
        (r"(?i)\b(?:divorc\w+|(?:wants?|filed for|getting) a divorce)\b", "divorce"),
        (r"(?i)\bmiscarriage\b|\blost the baby\b", "miscarriage"),
        (r"(?i)\b(?:i|we)(?:[’']m| am|[’']re| are) (?:\w+ )?(?:pregnant|expecting)\b|\bhaving a baby\b", "pregnancy"),
        (r"(?i)\b(?:got|get|getting|are|we[’']re|i[’']m) engaged\b(?! (?:in|with|by)\b)", "engagement"),
        (r"(?i)\b(?:we|i)(?:[’']re| are| am|[’']m)? (?:got|getting|just) married\b", "wedding"),
        (r"(?i)\b(?:laid off|got fired|was fired|lost my job|made redundant|sacked)\b", "job loss"),
        (r"(?i)\bgot the job\b", "new job"),
        (r"(?i)\b(?:got|been|was) promoted\b", "promotion"),
        (
            r"(?i)\b(?:i|we)(?:[’']ve| have)? (?:was|were|got|been|just got) "
            r"(?:diagnosed|burgled|robbed|mugged|evicted)\b",
            "",
        ),
    )
)  # fmt: skip
"""Events of life and their nouns; an empty noun is written by `_DONE_TO`."""
_DONE_TO = {
    "diagnosed": "diagnosis", "burgled": "burglary", "robbed": "robbery", "mugged": "robbery", "evicted": "eviction",
}  # fmt: skip
_DETERMINER = r"(?:my|our|the|this|that|his|her|their)"
_NAMED = r"[A-ZÀ-Þ][a-zß-ÿ]+(?: [A-ZÀ-Þ][a-zß-ÿ]+)?"
_BARE_NOUN = "(?:work|school|uni|university|college|exams?|finals|money|rent|surgery|retirement|chemo)"
_FEELS = (
    r"(?:worried|nervous|anxious|scared|afraid|terrified|frightened|stressed(?: out)?|panick(?:ed|ing)|sad|upset|angry|"
    r"mad|furious|annoyed|frustrated|excited|happy|glad|proud|thrilled|relieved|grateful|thankful|ashamed|embarrassed|"
    r"guilty|disappointed|hopeful|jealous|devastated|heartbroken|fed up|sick|tired|freaking out|freaked out|crying|"
    r"cr(?:y|ied)|overwhelmed|depressed|down|pissed(?: off)?|disgusted|optimistic|stoked|hyped|miserable|bummed|"
    r"nightmares|anxiety|worry|worrying|fight|argument|fear)"
)
_ABOUT = compile_late(
    rf"\b(?i:{_FEELS})(?: (?i:again|today|right now|lately))? (?i:about|of|for|over|by|with|because of)"
    r"(?: (?i:losing|seeing|leaving|telling|meeting|having|missing|failing))? "
    rf"(?:(?i:{_DETERMINER}|an?) (?P<noun>)|(?P<name>{_NAMED}|{_BARE_NOUN}\b))"
)
_AT = compile_late(
    rf"\b(?i:(?:angry|mad|furious|pissed(?: off)?|annoyed) at) (?:(?i:{_DETERMINER}) (?P<noun>)|(?P<name>{_NAMED}))"
)
_VERB = compile_late(
    rf"\b(?i:miss|hate|dread|dreading|regret|mourn|mourning|fear|lost|love) (?:(?i:{_DETERMINER}) (?P<noun>)|"
    rf"(?P<name>{_NAMED}))"
)
_OWN = compile_late(
    r"(?i)(?<!\bin )(?<!\bon )(?<!\bat )(?<!\bto )(?<!\bfrom )(?<!\binto )(?<!\bnear )(?<!\binside )(?<!\boutside )"
    r"\b(?:my|our) (?P<noun>)"
)
"""Not where something happens: "I cried in my kitchen"."""
_HAD = compile_late(r"(?i)\b(?:i|we)(?:[’']ve| have)? (?:have|had|got) (?:an?|the|this) (?P<noun>)")
_SUBJECT = compile_late(
    r"(?i)^(?:(?:so|and|but|ugh|omg|well|also|honestly)[,!.]* ){0,2}(?:the|this|that) (?P<noun>)"
)
_OF_PERSON = compile_late(
    rf"(?P<name>{_NAMED}) (?:died|passed away|left me|dumped me|hates me|ghosted me|"
    r"is (?:sick|ill|dying|in (?:the )?hospital))\b"
)
_HELPS = compile_late(
    r"(?i)[ ](?:(?:just|also|always|really) )?(?:dr(?:ives?|ove)(?! (?:me|us) (?:crazy|mad|nuts|insane|up))|"
    r"help(?:s|ed|ing)?|takes?|took|picks?|picked|brings?|brought|says?|said|thinks?|thought|tells?|told|gives?|gave|"
    r"sen(?:ds|t)|supports?|supported|comes?|came|visits?|visited|lives?|asks?|asked|recommends?|recommended|suggests?|"
    r"suggested|lent|lends|bought|buys|cook(?:s|ed)|knows?)\b"
)
"""Verbs of persons that a mood is hardly about: "my sister drives me"."""
_WORD = compile_late(r"[ ]?([\w’'-]+)")
_POSSESSIVE = compile_late(r"[’']s$")
_END = frozenset(
    """
        a an the my our your his her its their this that these those i we you he she it they me us him them myself who
        whom which what when where why how and or but so because since as if while than then though tho although to of
        in on at for from with without about over by after before into onto up down out off near under between through
        during until till around against is are was were am be been being has have had having do does did done will
        would can could should shall may might must not no never just really very too also only even still again
        already soon now today tonight tomorrow yesterday always often ever there here all both more most much many
        some any each every go goes going went gone come comes came get gets got getting make makes made making say
        says said tell tells told keep keeps kept give gives gave take takes took leave leaves left lose loses lost
        run ran feel feels felt find finds found know knows knew think thinks thought want wants wanted need needs see
        sees saw hear heard let lets put puts lol haha hurts hurt ache aches kills killing kill sucks scares drives
        broke breaks break cut cuts threw bit fell began begins hates hate loves love calls yells wont won't isn't
        wasn't doesn't didn't don't can't couldn't i'm he's she's it's they're im cause cuz bc u ur like last next
        monday tuesday wednesday thursday friday saturday sunday morning week month year years days night nights
        turned turns became becomes looks seems sounds works moves forgot sold bought quit won met taught sent spent
        paid spoke wrote drove flew stole shut hit gonna gotta went's happened dies dying
        """.split()  # noqa: SIM905
)
"""Words that end a noun phrase."""
_BARE = frozenset(
    """
        new old little big small best good bad better worse worst whole entire own first second third last next final
        only same other poor dear dumb stupid fucking damn goddamn shitty lovely sweet amazing awesome beautiful great
        awful terrible horrible nice cute favorite favourite ex young upcoming long short real true former late sad
        happy crazy
        """.split()  # noqa: SIM905
)
"""Adjectives, which are no phrase alone."""
_DROPPED = frozenset(
    """
        poor dear dumb stupid fucking damn goddamn shitty lovely sweet amazing awesome beautiful great awful terrible
        horrible nice cute whole entire own bad sad happy crazy little
        """.split()  # noqa: SIM905
)
"""Adjectives that a topic leaves out."""
_NO_NOUN = frozenset(
    """
        god gosh goodness life time times day days thing things way ways fault bad mind eyes eye head heart face
        feelings feeling mood moment moments fact idea point one ones rest lot bit part kind sort opinion guess
        question answer message response reply chat bot conversation world people person man guy girl stuff end start
        best worst past future shit ass crap hell fuck mistake pleasure apologies turn word words reason problem tears
        fear anger anxiety depression sadness grief joy stress worry sleep brain self soul bed
        """.split()  # noqa: SIM905
)
"""Heads that say nothing about what it is."""
_NO_NAME = frozenset(
    """
        I God Jesus Christ Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May
        June July August September October November December Christmas Today Tomorrow This That The My It Everyone
        Everything
        """.split()  # noqa: SIM905
)
_VERBLIKE = compile_late(r"(?i).+(?:[^e]ed|ly)$|.*n[’']t$")
_KEPT_VERBLIKE = frozenset({"shed", "family", "assembly", "anomaly", "hundred", "belly", "bully", "monopoly"})


def mood_topic(sentences: Sequence[str], strengths: Sequence[float]) -> str | None:
    """Return what a mood is about: "job interview", "knee", "breakup".

    `strengths`: how much each sentence states the mood, 0 for not at all. A short one ("I'm so nervous.") may have the
    topic in a sentence beside it.
    """
    felt = sorted((n for n, strength in enumerate(strengths) if strength > 0), key=lambda n: -strengths[n])
    beside = [
        n + step
        for n in felt
        if len(sentences[n].split()) <= _SHORT
        for step in (-1, 1)
        if 0 <= n + step < len(sentences)
    ]
    for n in dict.fromkeys([*felt, *beside]):
        if len(sentences[n]) <= LONGEST and (topic := _topic_of(sentences[n])) is not None:
            return topic
    return None


def _topic_of(sentence: str) -> str | None:
    for pattern in (_ABOUT, _AT, _VERB, _OF_PERSON):
        for match in pattern.finditer(sentence):
            if (topic := _named(sentence, match)) is not None:
                return topic
    for pattern, topic in _EVENTS:
        if match := pattern.search(sentence):
            return topic or _DONE_TO[match[0].rsplit(" ", 1)[-1].lower()]
    for pattern in (_OWN, _SUBJECT, _HAD):
        for match in pattern.finditer(sentence):
            topic = _named(sentence, match)
            if topic is not None and not _helps(sentence, topic, match.start()):
                return topic
    return None


def _helps(sentence: str, topic: str, start: int) -> bool:
    place = sentence.find(topic, start)
    return place >= 0 and _HELPS.match(sentence, place + len(topic)) is not None


def _named(sentence: str, match: re.Match[str]) -> str | None:
    groups = match.groupdict()
    if name := groups.get("name"):
        return None if name.split()[0] in _NO_NAME else name
    return _noun_phrase(sentence, match.start("noun"))


def _noun_phrase(sentence: str, start: int) -> str | None:
    """The nouns, with their adjectives, from here on; None where that is no phrase to name."""
    words: list[str] = []
    place = start
    while match := _WORD.match(sentence, place):
        word = match[1]
        lowered = word.lower().replace("’", "'")
        if lowered in _END or (_VERBLIKE.match(word) and lowered not in _KEPT_VERBLIKE):
            break
        place = match.end()
        words.append(word)
        if len(words) > _MOST_WORDS:
            return None
    words = _without_verb([word for word in words if word.lower() not in _DROPPED])
    words[-1:] = [_POSSESSIVE.sub("", word) for word in words[-1:]]
    if not words or words[-1].lower() in _BARE | _NO_NOUN or not words[-1].strip("'’-")[:1].isalpha():
        return None
    return " ".join(words)


def _without_verb(words: list[str]) -> list[str]:
    """Without a third-person verb behind a noun: "boss yells"."""
    last = words[-1].lower() if words else ""
    ends = len(words) > 1 and last.endswith("s") and not last.endswith(("ss", "us", "is"))
    return words[:-1] if ends and words[-2].lower() not in _BARE else words
