"""Deaths and break-ups in ordinary wordings, rewritten to those that the patterns of facts, gate and feelings read.

"Tom lost his battle with cancer" becomes "Tom died, of cancer", "jay dumped me" becomes "Jay broke up with me".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memory_service.rules.facts.given_names import is_given_name
from memory_service.rules.facts.patterns import NO_NAME
from memory_service.rules.relatives import CHILD_OR_SIBLING, ELDERS, RELATIVES
from memory_service.rules.word_lists import CONTESTS, MONTHS
from memory_service.text.late_pattern import compile_late

_NAME = r"[A-ZÄÖÜÉÈÀÁÍÓÚÇŁŚŠŽØÅ][^\W\d_]+(?:-[A-Z][^\W\d_]+)?"
_WHO = (
    rf"(?:(?P<role>(?:[Mm]y|[Oo]ur) (?:(?:late|dear|poor|older|younger|elder|big|little|twin|only) )?"
    rf"(?i:{RELATIVES})(?:-in-law)?(?:,? {_NAME},?)?)|(?P<bare>(?i:{ELDERS}))|"
    rf"(?P<name>(?:(?i:aunt|auntie|uncle|grandma|grandpa) )?(?:{NO_NAME}{_NAME}|[a-z]{{2,12}}?)))"
)
_SUBJECT = (
    r"(?:^|(?<=[,;:.!?…] )|(?<=\b(?:and|but) )|(?<=\bso )|(?<=\bsince )|(?<=\b(?:when|that) )|(?<=^(?:today|sadly) ))"
    rf"(?<![\w'’-]){_WHO}"
)
_OBJECT = rf"{_WHO}(?![\w’'-])"
_OWNER = rf"{_WHO}['’]?s"
_UNIT = r"(?:days?|weeks?|months?|years?|wks?|yrs?)"
_AGO = rf"(?:an?|two|three|four|five|six|seven|eight|nine|ten|\d+|a few|a couple of|many) {_UNIT}"
_STOP = r"[.,;:!?)…]|$| [-–—]"
_WHEN = (
    rf"(?:(?:last|this) (?:week|month|year|spring|summer|autumn|fall|winter|night|weekend|morning|{MONTHS})|yesterday|"
    rf"today|in (?:{MONTHS}|(?:19|20)\d\d|the (?:spring|summer|autumn|fall|winter|war|pandemic))|on \w+day|when I was|"
    rf"{_AGO} ago|suddenly|peacefully|unexpectedly|far too (?:young|soon|early)|too (?:young|soon|early))\b"
)
_END = rf"(?={_STOP}| (?:{_WHEN}|(?:and|but|so|because|after|before|during|too|now|at (?:home|\d\d)|in (?:his|her))\b))"
_CLOSED = rf"(?={_STOP}| (?:too|now|as well|and|but|so|{_WHEN})\b)"
_HAS = r"(?:['’]?s| is| has| was)?(?: just| finally| sadly| also| now| suddenly| actually)*"
_CAUSE = (
    r"(?!(?:laugh\w*|boredom|embarrass\w+|shame|jealousy|cringe|hunger|thirst|envy|curiosity|happiness|joy|shock|"
    rf"excitement)\b)[^.,;:!?()…]{{2,40}}?(?={_STOP}| {_WHEN}| (?:and|but|so|because|after|at)\b)"
)
_ACCIDENT = (
    r"(?:(?:in|by|during) (?:an? |the |his |her )?(?:[\w-]+ ){0,2}?(?:crash|accident|avalanche|fire|floods?|earthquake|"
    r"collision|bombing|shooting|explosion|war|action|landslide|storm|pile-?up|car|truck|lorry|bus|train|driver|"
    r"motorbike|tsunami|derailment|stabbing|raid)|instantly|outright)\b"
)
_DIED = (
    rf"{_HAS} died (?:of|from) (?P<of>{_CAUSE})"
    rf"|{_HAS} passed (?:away|on(?! (?:the|his|her|their|my|our|your|an?|that|this|it|to)\b)){_END}"
    rf"|(?:['’]?s| is) no longer with us{_END}"
    rf"|{_HAS} lost (?:his|her|their) (?:\w+ )?(?:battle|fight) (?:with|against|to) (?P<lost>{_CAUSE})"
    rf"|{_HAS} (?:took|taken|ended) (?:his|her|their) own life"
    rf"|{_HAS} (?:hanged|hung|killed|shot) (?:himself|herself|themselves)(?! (?:laughing|with|trying|to|in the foot)\b)"
    rf"|(?:['’]?s| has)?(?: been)?(?: was| got)? killed (?P<killed>{_ACCIDENT})"
    r"|(?:['’]?s| is) dead(?=[.,;:!?)…]|$| [-–—]| (?:now|and|too)\b)(?! (?:and|now) (?:tired|to me)\b)"
)
_PASSED = rf"{_HAS} passed(?={_STOP}| {_WHEN}| in (?:his|her) sleep)"
_GONE = (
    rf"(?:(?:['’]?s| is| has) gone|{_HAS} (?:didn['’]?t|did not) (?:make it|pull through))(?: too)?{_CLOSED}"
)
_WE = r"(?:\b(?:I|(?P<we>[Ww]e))|^i)(?:['’]?ve| have)?(?: just| finally| also)*"
_LOST_TO = r"to (?:cancer|suicide|covid|dementia|leuk\w+|an? (?:stroke|heart attack|overdose|car (?:crash|accident)))"
_FUNERAL = (
    r"(?:funeral|cremation|memorial service|wake|burial)(?= (?:is|was|will|went|on|yesterday|today|tomorrow|"
    r"last|next|this|in|at)\b|['’]s (?:on|at|in|today|tomorrow)\b|[.,;!]|$)"
)
_DEATHS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("died passed longer lost life himself herself themselves killed dead", compile_late(f"{_SUBJECT}(?:{_DIED})")),
    ("passed", compile_late(f"{_SUBJECT}(?P<passed>{_PASSED})")),
    ("gone make pull", compile_late(f"{_SUBJECT}(?P<unsure>{_GONE})")),
    ("buried cremated", compile_late(rf"{_WE} (?:buried|cremated) {_OBJECT}(?={_STOP}| {_WHEN}| (?:and|next to)\b)")),
    ("ashes", compile_late(rf"{_WE} (?:scattered|spread|buried|picked up|collected) {_OWNER} ashes\b")),
    ("lost", compile_late(rf"{_WE} lost {_OBJECT}(?P<lost_him>(?= {_WHEN}| {_LOST_TO}|{_STOP}))")),
    ("funeral cremation memorial wake burial", compile_late(
        rf"^(?:(?:(?:and|but|so|well),? )?(?:(?:I|[Ww]e|i)(?:['’]?ve| have)? (?:(?:just )?(?:went|been|got back|was|"
        rf"were) (?:to|at|from)|attended|(?:had|organi[sz]ed)) |(?:(?:[Ii]t|[Tt]oday|[Yy]esterday|[Tt]omorrow) (?:is|"
        rf"was)|[Ii]t['’]?s|[Tt]oday['’]?s) ))?{_OWNER} (?P<funeral>{_FUNERAL})")),
)  # fmt: skip
"""Words of which a sentence has one, and the pattern of a death."""
_SINCE = compile_late(
    rf"(?i)^(?:(?:and|but|so|well|wow),? )?(?:(?:today|tomorrow) )?(?:it|that)(?:['’]?s| is| has| will be|['’]ll be|"
    rf"['’]?s going to be)(?: been)?(?: (?:now|nearly|almost|exactly|already|about|just over|over))* (?P<ago>{_AGO})"
    r"(?: (?:ago|today|now|tomorrow|already|exactly|this \w+))* (?:since|that) "
    rf"(?P<who>my [\w-]+(?: friend)?(?: (?-i:{_NAME}))?|(?-i:{_NAME})|[a-z]+) (?:died|passed(?: away| on)?|left us)\b"
)
_BESIDE = compile_late(
    r"(?i)\b(?:(?:his|her|their) heart(?! (?:is|was)(?: not|n['’]t)?\b(?! (?:failing|attack)))|"
    r"(?:it|that) was (?:his|her) heart|heart (?:attack|failure)|cardiac|stroke|cancer|tumou?r|leuk(?:a)?emia|hospice|"
    r"funeral|coffin|ashes|coroner|overdose|suicid\w+|grie(?:f|ve|ving)|mourn\w*|widow\w*|in (?:his|her) sleep|died|"
    r"death|passed away|buried|intensive care|ICU|coma|"
    r"paramedics|aneurysm|sepsis|pneumonia|life support|resuscitat\w+|condolences|rest in peace|rip)\b"
)
"""Makes a death of "Tom's gone" and of "I lost Tom"."""
_ELSE = compile_late(
    r"(?i)\b(?:party|meeting|train|flight|bus|traffic|cut|team|auditions?|tryouts|finals?|playoffs|exams?|tests?|viva|"
    r"driving|interview|round|shortlist|concert|gig|dinner|deadline|battery|game|gaming|movie|film|novel|book|episode|"
    r"season|character|boss fight|level|crowd|found|find|shop|shopping|mall|supermarket|election|vote|match|bet|town|"
    rf"market|airport|station|zoo|museum|{CONTESTS})\b"
)
"""Of contests, journeys and stories: to go, to pass and to lose are no deaths there."""
_NO_PERSON = frozenset(
    """
    i it he she they we us you who things what that this there here one mine everyone everybody someone somebody nobody
    people friends guys all some most none work life boss luck hope sleep god school uni college karma reality universe
    love time money energy motivation strength faith joy fear pain phone laptop car train bus uber taxi weather team
    kids police mum mom dad mam mother father nan gran just finally also never almost nearly not so and but well
    then now today yesterday everything nothing something yes no yeah maybe summer winter spring google facebook
    """.split()  # noqa: SIM905
)

_LEAD = (
    r"(?P<lead>^(?:(?:and|so|but|well|welp|ok|okay|ugh|omg|oh|hey|update|sad news|news|fml|guess what|btw|yeah|anyway)"
    r"[,:!.]* )*)"
)
_HER = rf"(?P<name>(?:{NO_NAME}{_NAME}|[a-z]{{2,12}}))"
_WITH = r"(?:with|w/?)"
_AND = r"(?:and|n|&|\+)"
_OFTEN = (
    r"(?: (?:just|finally|has|have|literally|actually|also|really|recently|officially|basically))*(?:['’]ve)?"
)
_AFTER = (
    rf"(?={_STOP}| (?:{_WHEN}|lol|lmao|too|again|over (?:text|the phone|whatsapp)|by text|via|"
    r"for (?:someone|somebody|another|his|her|my|good|an? (?:girl|guy|man|woman|colleague|younger))|because|bc|cos|cuz|"
    r"and|after|when|so|now|last nite)\b)"
)
_SPLIT = r"(?:(?:broke|broken) up|broke it off|split(?: up)?|separated|called it quits|ended (?:it|things))"
_PARTED = r"(?:parted ways|(?:are|r)(?: so| totally| completely| officially| like)* over)"
_DONE = r"(?:are|r)(?: so| totally| completely| officially| like)* (?:done|finished|through)"
_OF_BUSINESS = compile_late(
    r"(?i)\b(?:business|company|start-?up|co-?founders?|founders?|band|agency|agent|studio|firm|label|project|contract|"
    r"clients?|podcast|publisher|manager|coach|trainer|landlord|employer|team)\b"
)
"""Of partners in business."""
_PARTINGS: tuple[tuple[str, re.Pattern[str], str], ...] = (
    (" me", compile_late(
        rf"(?i){_LEAD}(?-i:{_HER}){_OFTEN} (?:dumped me|broke up {_WITH} me|broke it off {_WITH} me|"
        rf"ended (?:it|things) {_WITH} me|"
        rf"split up {_WITH} me|finished {_WITH} me|left me(?! (?:and|now|so|too|when|again)\b)){_AFTER}"),
     "{name} broke up with me"),
    (" me", compile_late(rf"(?i){_LEAD}(?:s?he){_OFTEN} (?:dumped|broke up {_WITH}) me{_AFTER}"), "we broke up"),
    (" w", compile_late(
        rf"(?i){_LEAD}(?:i )?{_OFTEN} ?(?:broke up|broke it off|split(?: up)?) {_WITH} (?-i:{_HER})(?![\w-]){_AFTER}"),
     "I broke up with {name}"),
    ("dumped ", compile_late(rf"(?i){_LEAD}(?:i )?{_OFTEN} ?dumped (?-i:(?P<given>{_NAME}|[a-z]+))(?![\w-]){_AFTER}"),
     "I broke up with {name}"),
    *(("", compile_late(
        rf"(?i){_LEAD}(?:(?:me|I) {_AND} (?-i:{_HER})|(?-i:{_HER.replace('<name>', '<first>')}) {_AND} (?:me|I))"
        rf"(?![\w’'-]){_OFTEN}(?:['’]ve)? {how}{_AFTER}"), said)
      for how, said in ((rf"(?:{_SPLIT}|{_PARTED})", "{name} and I broke up"), (_DONE, "{name} and I are done"))),
    ("over ", compile_late(
        rf"(?i){_LEAD}(?:it|things)(?:['’]?s| is| are)(?: all| really| finally| officially)? over (?:{_WITH}|between)"
        rf" (?:me {_AND} )?(?-i:{_HER})(?![\w-])(?: {_AND} (?:me|I))?(?={_STOP}| \w+$)"), "{name} and I broke up"),
    ("over between us", compile_late(
        rf"(?i){_LEAD}(?:it|things)(?:['’]?s| is| are)(?: all| really| finally)? over between us{_AFTER}"),
     "we broke up"),
    ("my ex", compile_late(rf"(?i){_LEAD}(?-i:{_HER}?)(?:['’]?s| is)(?P<now> now)? my ex(?: now)(?={_STOP})"),
     "{name} and I broke up"),
)  # fmt: skip
"""A substring, the pattern of a break-up at the start of a sentence, and the plain wording."""
_ENDS_PAIR = (
    "up",
    "split",
    "separat",
    "quits",
    "ended",
    "broke",
    "ways",
    "over",
    "done",
    "finished",
    "through",
)
_NEXT_WORDS = 3
"""Sentences on each side in which the cause of a loss may stand."""


def in_plain_words(said: Sequence[str]) -> Iterator[str]:
    """Yield the sentences of a message, deaths and break-ups in plain words.

    "Tom's gone", "Tom didn't make it" and "I lost Tom." are deaths only beside another word of a death.
    """
    for n, sentence in enumerate(said):
        around = " ".join(said[max(n - _NEXT_WORDS, 0) : n + _NEXT_WORDS + 1])
        yield plain_words(sentence, around)


def plain_words(sentence: str, around: str = "", *, unsure: bool = False) -> str:
    """Return the sentence with its death or break-up in plain words, `around`: the sentences around it and itself;
    `unsure`: also with those that may be no death."""
    lowered = sentence.lower()
    for words, pattern in _DEATHS:
        if any(word in lowered for word in words.split()):
            sentence = pattern.sub(lambda match: _death(match, around or sentence, unsure), sentence)  # noqa: B023
    if "since" in lowered or "that" in lowered:
        sentence = _SINCE.sub(_long_dead, sentence)
    for part, pattern, plain in _PARTINGS:
        if part in lowered and (part or any(word in lowered for word in _ENDS_PAIR)):
            sentence = pattern.sub(lambda match: _parting(match, plain, around or sentence), sentence)  # noqa: B023
    return sentence


def states_loss(sentence: str) -> bool:
    """Whether a sentence states a death or a break-up in an ordinary wording."""
    return plain_words(sentence, unsure=True) != sentence


def _death(match: re.Match[str], around: str, unsure: bool) -> str:
    found = match.groupdict()
    who = found["role"] or (f"my {found['bare'].lower()}" if found["bare"] else _person(found["name"]))
    # "Anna passed" may be an examination, "our grandma passed" and "Anna passed last night" hardly.
    is_name_alone = found["name"] and not _BLANK.match(match.string, match.end())
    if who is None or (found.get("passed") and (is_name_alone or _ELSE.search(around) or _YOUNG.search(who))):
        return match.group()
    # "I lost Tom in October" has a time behind it, which lost things and ways lack.
    # A team loses a member to another employer.
    bare_loss = found.get("lost_him") is not None and (
        not _BLANK.match(match.string, match.end()) or bool(found["we"] and found["name"])
    )
    if found.get("unsure") or found.get("lost_him") is not None:
        dead = not _ELSE.search(around) and (not (found.get("unsure") or bare_loss) or _BESIDE.search(around))
        if not (dead or unsure):
            return match.group()
    how = found.get("of") or found.get("lost")
    after = f", of {how}" if how else f", {found['killed']}" if found.get("killed") else ""
    after += f", the {found['funeral']}" if found.get("funeral") else ""
    return f"{who} died{after}"


_BLANK = compile_late(r" \w")
_YOUNG = compile_late(rf"(?i)\b(?:{CHILD_OR_SIBLING}|cousin|niece|nephew|friend|grandson|granddaughter)\b")
"""Persons of whom "passed" may say that they passed an examination."""


def _person(name: str) -> str | None:
    """The name with a capital; None for a word in lower case that is no listed name, and for words that are no name."""
    last = name.split()[-1]
    if last.lower() in _NO_PERSON or (last.islower() and not is_given_name(last)):
        return None
    return " ".join(part[0].upper() + part[1:] for part in name.split())


def _long_dead(match: re.Match[str]) -> str:
    who = match["who"]
    if who.islower() and not who.startswith("my "):
        if re.fullmatch(ELDERS, who):
            who = f"my {who}"
        elif (person := _person(who)) is None:
            return match.group()
        else:
            who = person
    elif not _IS_RELATIVE.match(who) and who.lower().startswith("my "):
        return match.group()
    ago = match["ago"].lower().replace("yr", "year").replace("wk", "week")
    return f"{who} died {ago} ago"


_IS_RELATIVE = compile_late(rf"(?i)my (?:{RELATIVES})\b")


def _parting(match: re.Match[str], plain: str, around: str) -> str:
    if _OF_BUSINESS.search(around):
        return match.group()
    found = match.groupdict()
    name = found.get("name") or found.get("first") or found.get("given")
    if name is None:
        return plain
    if name.lower() in _NO_PERSON or (found.get("given") and not is_given_name(name)):
        return match.group()
    return plain.format(name=name[0].upper() + name[1:])
