"""Clauses of a sentence: statements are separated from the question, request or condition beside them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from memory_service.rules.facts.informal_english import plainly
from memory_service.rules.facts.patterns import ADJECTIVES, DOSE, MEDICINE, ROLES
from memory_service.rules.relatives import CHILD_OR_SIBLING, ELDERS, KIN, PARTNER
from memory_service.rules.word_lists import DAY, HELPERS, MONTHS, TASK_VERBS
from memory_service.text.late_pattern import LatePattern, compile_late
from memory_service.text.text_cache import text_cache

Kind = Literal["statement", "question", "request", "other"]

PEOPLE = (
    rf"{KIN}|manager|supervisor|team ?lead|tech lead|mentor|coach|therapist|doctor|gp|dentist|physio\w*|landlord|"
    r"landlady|neighbou?rs?|colleagues?|co-?workers?|flatmates?|housemates?|roommates?|friends?|mate|teacher|tutor|"
    r"trainer|vet|ex(?:-\w+)?|step\w+|grand(?:child|children|kids?|parents)|(?:mother|father|sister|brother)-in-law|"
    r"in-laws|kids?|child(?:ren)?|sons|daughters|twins|parents|siblings|brothers|sisters|dogs|cats|baby|(?:younger|"
    rf"older|little|big|elder|eldest|oldest|youngest|twin) (?:{CHILD_OR_SIBLING}|kid|child|one)|best mate|assistant|"
    r"cleaner|nanny|carer|nurse|team|youngest|eldest|oldest|maid of honou?r|best man|bridesmaid"
)
"""Nouns behind "my"."""
_ADV = (
    "(?:(?:really|also|now|currently|still|just|actually|usually|normally|generally|always|never|often|sometimes|"
    "recently|mostly|mainly|only|already|finally|personally|typically|both|then|later|even|absolutely|kind of|sort of|"
    "rarely|hardly|barely) )*"
)
_QUESTION = (
    r"(?:what(?:[’']s|s)?|where(?:[’']s)?|when(?:[’']s)? (?:is|are|do|does|did|should|can|will|would)|"
    r"who(?:[’']s)? (?:is|are|do|does|did|should|can|will|would)|which|how(?:[’']s)?|why|any (?:good |other |quick |"
    r"nice |cheap |easy )*(?:ideas?|tips?|suggestions?|recommendations?|advice|thoughts|chance|recipes?|options?|way)|"
    r"(?:is|are|was|were|do|does|did|can|could|would|will|should|shall|may|might|must|am|isn't|aren't|don't|"
    r"doesn't|didn't|can't|couldn't|wouldn't|shouldn't|won't) "
    r"(?:I|we|you|he|she|it|they|there|this|that|these|those|my|our|your|the|a|an|any|some|anyone|someone)|have (?:I|"
    r"we|you|they)|has (?:it|he|she|my|the)|got any|know any|mind if|worth (?:it|\w+ing))\b"
)
_VERBS_OF_REQUESTS = (
    rf"{TASK_VERBS}|remind|search|set|send|book|pretend|imagine|act|let|keep|stop|use|avoid|skip|don't|do not|never|"
    r"always|no|answer|reply|respond|call|speak|talk|put|start|try|think|assume|come up|teach"
)
_REQUEST = (
    rf"(?:please |kindly |now |then |just |so )*(?:(?:can|could|would|will) you|please|let[’']s|i(?:[’']d| "
    rf"would) like you to|I (?:need|want) (?:you to|an?|some|help|to know|ideas)|"
    rf"I(?:[’']m| am) looking for|{_VERBS_OF_REQUESTS})\b"
)
_ASKS = r"(?:is|are|does|do|did|can|will|would|should|could|has|what|any)"
_SELF = (
    r"(?:I|we|my|our|me and|(?-i:[A-Z]\w+) and I|both of us|there are (?:\w+ )?(?:two|three|four|five|six|"
    r"seven|\d+) of us)\b"
)
_OTHERS = (
    r"(?:he|she|they|it|you|this|that(?! (?:is|are|was|I|we|my))|there|everyone|everybody|nobody|people|"
    r"someone)\b(?:[’'](?:s|re|ll|d|ve)\b)?"
)
_MY_VERB = (
    r"(?:my|our) (?:[\w'’-]+,? ){1,4}?(?:is|are|was|were|has|have|had|just|also|works?|lives?|loves?|likes?|hates?|"
    r"uses?|runs?|goes|plays?|died|passed|moved|started|got|can|can't|won't|doesn't|don't|isn't|aren't|will|named|"
    r"called|eats?|needs?|wants?|starts?|turned|turns|keeps?|says?|who|which)\b"
)
_OR_MY = (
    rf"(?:(?=my\b|our\b)(?={_MY_VERB}|(?:my|our) (?:new )?\w+'s (?:name|birthday|called|a|an|from|in|allergic|vegan|"
    rf"vegetarian|called|named)\b)|(?!my\b|our\b))"
)
_START = rf"(?:{_ADV}{_OR_MY}{_SELF}|{_OTHERS}|{_QUESTION}|{_REQUEST})"
_JOIN = (
    r"and|but|so|because|since|as|although|though|while|whereas|plus|also|which is why|that[’']s why|which "
    r"means(?: that)?|now that|given(?: that)?|seeing (?:that|as)|"
    r"considering(?: that)?|except(?: that)?|even though|however|anyway|so that|otherwise|or|yet|especially "
    r"(?:since|as|because)|mainly because|mostly because|just because|meaning"
)
_BOUNDARY = LatePattern(
    r"(?:(?<![;:—–()])[;:—–()]++\s*+|(?<![\s-])\s++-++\s++|(?<!\.)\.\.++\s*+|…\s*+|,\s*+|"
    rf"(?<=[.!?])\s++)(?:(?:{_JOIN})\s+)?(?={_START}|"
    rf"{_ASKS} (?:the )?[a-z]+ )|\s+(?P<conj>{_JOIN})\s+(?:then |now |also |please )*(?={_START})|\s+(?=(?:what|which|"
    r"how|where) (?:[a-z]+ ){0,2}?(?:should|can|do|would|could|is|are) (?:I|we|you|the)\b|what(?:'s|s) |(?:can|could|"
    r"would|will) you\b|do you\b|should (?:I|we)\b|any (?:ideas|tips|suggestions|recommendations|advice)\b)|\s+(?:and|"
    rf"but|or)\s+(?P<carried>{_ADV}(?:am|have|'ve|live|work|use|love|like|enjoy|hate|prefer|play|speak|drive|own|run|"
    r"study|was|grew|moved|don't|do not|can't|cannot|never eat|want to|need to|teach|sing|take|eat|drink|cook|read|"
    r"commute|share|volunteer|keep|raise|bake|swim|cycle|hike|collect|left|started|quit|got|bought|switched|joined|"
    r"adopted|became|sold|stopped|lost|married|relocated|wear|suffer|code|deploy|write|go to|go|manage|lead|train|"
    r"practi[cs]e|paint|garden|do yoga|avoid|work|graduated|lives|works|has|loves|likes|hates|plays|speaks|is|studies|"
    r"uses|drives|eats|teaches|runs|owns|goes))\b(?! (?:to be|of|that)\b)",
    re.IGNORECASE,
)
_WISH = LatePattern(
    r"(?i)(?:\b(?:want|hope|hoping|plan|planning|aim|aiming|wish|dream|dreaming|intend|decided|gonna|wanna|nice|great|"
    r"expect|plans?(?: is| are)|goal is|dream is)\b(?: (?:really|also|just|"
    r"one day|someday|eventually))?(?: to\b|(?<=gonna)|(?<=wanna)|(?<=wish) I)|"
    r"\b(?:trying|try|need|supposed) to\b(?! be\b)|"
    r"\bgoing to (?!therapy|school|uni(?:versity)?\b|college|counselling|counseling|rehab|physio|church|mass|the\b|"
    r"an? |my\b|(?-i:[A-Z])|work\b(?! (?:as |for |with |at (?-i:[A-Z])|in (?-i:[A-Z]))))|"
    r"(?:\bwould|'d)(?: (?:really|also))? "
    r"(?:love|like|prefer|rather|hate)\b|\b(?:could|might|should|would)\b)(?!.*\b(?:but|because|so|since)\b)"
)
"""A clause whose infinitives are no facts: in "I want to work at Google and live in Zurich" neither is one."""
_INFINITIVE = LatePattern(
    r"(?i)^(?:.* )?(?:live|work|use|play|drive|own|run|study|teach|take|eat|drink|cook|commute|share|volunteer|keep|"
    r"raise|bake|swim|cycle|hike|collect|quit|code|deploy|write|go|manage|lead|train|practi[cs]e|paint|garden)$"
)
_TAKES_MEDICINE = LatePattern(
    rf"(?i){_ADV}take (?:my |an? |some |the |a daily )?(?:[a-z]+ly )?(?:{DOSE}|{MEDICINE}|(?:medication|meds|pills|"
    r"tablets)\b)"
)
"""Never carried by a wish: "I need to be careful and take warfarin every day"."""
_BEGINS_SELF = LatePattern(
    rf"(?:{_ADV})(?-i:I|we|my|our|Me and|me and|[A-Z]\w+ and I|both of us|there are)\b", re.IGNORECASE
)
_BEGINS_QUESTION = LatePattern(
    rf"(?:and |but |so |or |then )*(?:{_QUESTION}|{_ASKS} (?:the )?[a-z]+ )", re.IGNORECASE
)
_BEGINS_REQUEST = LatePattern(_REQUEST, re.IGNORECASE)
_CONDITION = LatePattern(
    r"(?i)^(?:and |but |so |or |then )*(?:(?:what|even|only|as) )?(?:if|unless|suppos\w+|imagin\w+|pretend\w*|"
    r"let[’']s say|say|assum\w+|in case|hypothetically|in (?:a|my|the|this|our) (?:story|novel|game|book|dream|"
    r"role-?play|campaign|world|scene|script|other life)|were I|had I|picture)\b"
)
_REPORTED = LatePattern(
    r"(?i)\b(?:(?:he|she|they|who|everyone|someone|somebody|people|(?:my|our|the|a|his|her) [\w'-]+(?: [A-Z]\w+)?|"
    r"(?-i:[A-Z][a-z]+))(?:[’'](?:s|d|ve|re))?(?: (?:just|always|also|often|once|keeps?|kept|then|even|still|"
    r"recently))* (?:says?|said|saying|claims?|claimed|writes|wrote|replied|asked|asks|goes(?!$|[,.;!]| (?:to|away|"
    r"down|up|out|on|by|home|back)\b)|went like|(?:was|were|is|are) like|thinks?|thought|believes?|texted|told (?:me|"
    r"us|him|her|them)|tells (?:me|us)|joked|insists?)\b|"
    r"\b(?:the|this|that|an?) (?:quote|song|lyric|line|email|article|post|text|poem|character|narrator|speaker|author|"
    r"persona)\b|\bquote)"
)
_AS_A = LatePattern(
    rf"^(?:[Aa]s|[Bb]eing) (?P<what>(?:an? )?(?:[\w-]+ ){{0,3}}?(?:{ROLES}|{ADJECTIVES}))(?: (?P<rest>(?:at|"
    rf"in|for|from|with|living) [^,]{{2,40}}))?,\s*"
)
_SINCE_I = LatePattern(
    rf"^(?:[Ss]ince|[Bb]ecause|[Aa]s|[Gg]iven(?: that)?|[Ss]eeing (?:that|as)|[Cc]onsidering(?: that)?|"
    rf"[Nn]ow that|[Aa]lthough|[Tt]hough|[Ee]ven though|[Ww]hile)\s+(?=(?:{_ADV})(?:I|we|my|our)\b)"
)
_TIME_LEAD = LatePattern(
    r"(?i)^(?:(?:(?:last|this|next|earlier this|the past|later this) (?:week(?:end)?|month|year|spring|summer|autumn|"
    rf"fall|winter|night|morning|\w+day|{MONTHS})|yesterday|today|tonight|recently|lately|now|nowadays|these days|"
    r"currently|at the moment|right now|at present|since (?:[\w']+ ){1,3}?[\w']+|in (?:19|20)\d\d|in "
    rf"(?:{MONTHS})(?: \d{{4}})?|back in \w+|(?:a|an|one|two|three|four|five|six|\d+|a few|some|a couple of) (?:days?|"
    rf"weeks?|months?|years?) ago|(?:from|since) (?:the )?(?:\d{{1,2}}(?:st|nd|rd|th)? (?:of )?)?(?:{MONTHS}|{DAY}|"
    r"today|tomorrow|yesterday|next \w+|last \w+)(?: (?:the )?\d+\w*)?|(?:for )?(?:\w+ )?(?:years|months|decades)(?: "
    r"now)?|as of (?:\w+ ){0,2}\w+|starting (?:\w+ ){0,2}\w+|from (?:\w+ ){0,2}\w+ on(?:wards)?|for (?:work|breakfast|"
    r"lunch|dinner|fun|sport|exercise|years|months|now|(?:\w+ ){1,3}(?:years|months|weeks) now)|at (?:work|home|night|"
    r"weekends|school|uni)|on (?:the )?(?:\w+days?|weekends?|weeknights)(?: \w+s?)?|every (?:\w+ )?\w+|most (?:days|"
    r"mornings|nights|weekends|evenings)|in the (?:mornings?|evenings?|afternoons?)|in my (?:free|spare) time|after "
    r"(?:\w+ ){1,5}?(?:years|months|weeks|days)(?: of [^,]{2,30}| at [^,]{2,30}| with [^,]{2,30}| in [^,]{2,30})?|"
    r"after all|over the (?:weekend|summer|years|holidays)|growing up|as a (?:kid|child|teen\w*|student)|due to "
    r"[^,]{2,40}|because of [^,]{2,40}|after [^,]{2,40}|thanks to [^,]{2,40}|for health reasons|for (?:religious|"
    r"ethical|medical|environmental) reasons|generally(?: speaking)?|usually|normally|typically|personally|in general|"
    r"as a rule|most of the time|outside (?:of )?work|besides(?: that)?|apart from that|other than that|on top of that|"
    r"in addition|so far|to date|eventually|meanwhile)(?:,\s*|\s+))+(?=(?:I|we|my|our)\b)"
)
_WHO = LatePattern(
    rf"(?P<who>\b(?:my|our) (?:{PEOPLE})(?:,? (?-i:[A-Z])[\w'-]+)?),? who(?:'s| is|)? (?P<what>[^,.;!?]{{2,80}})",
    re.IGNORECASE,
)
_HAVE_ONE = LatePattern(
    rf"\b(?:I|we)(?:'ve got| have| got|'ve) an? (?:\w+ )?(?P<kin>{PEOPLE})(?P<name>,? (?:(?:named|called) "
    rf")?(?-i:[A-Z])[\w'-]+,?)? who(?P<is>'s)? (?P<what>[^,.;!?]{{2,80}})",
    re.IGNORECASE,
)
_KIN_NAME_VERB = LatePattern(
    rf"^(?P<my>my|our) (?P<kin>{PEOPLE}),? (?P<name>(?!(?:Is|Was|Unfortunately|Fortunately|Sadly|"
    r"Luckily|Obviously|Apparently|Finally|Actually|Honestly|Really|Only|Currently|"
    r"Usually)\b)[A-Z][\w-]+)(?P<rest>(?:,? (?!and\b|or\b)[a-z].*|"
    r"'s (?:a|an|\d+|turning|allergic|vegan|vegetarian|in|from|at|moving|getting|starting)\b.*))$"
)
_APPOSITION = LatePattern(
    rf"(?i)\b(?P<kin>(?:my|our) (?:{PEOPLE})), (?P<name>(?-i:[A-Z])[\w'-]+), (?=(?:is|was|has|can't|cannot|doesn't|"
    rf"won't|works|lives|takes|needs|gets)\b)"
)
"""A name between commas: "my boyfriend, Tom, is allergic"."""
_AGE_APART = LatePattern(
    rf"(?i)(?P<kin>\b(?:my|our) (?:{PEOPLE}),? (?-i:[A-Z])[\w'-]+), (?P<age>\d{{1,2}}), "
    r"(?=(?:is|was|has|just|lives|works|goes|plays|can't|cannot|doesn't|starts|started|moved|got|loves|hates|studies)\b)"
)
"""An age between commas: "my sister Amy, 25, lives in Leeds"."""
_NEW_ROLE = LatePattern(
    rf"(?i)(?:^|(?<=, )|(?<=and ))(?:so )?(?:the )?new (?P<role>{HELPERS}|flatmate|housemate|roommate|boss|manager|"
    r"neighbou?r|colleague|drummer|bassist|singer) (?=(?:is|'s)(?: called| named)? (?-i:[A-Z])|called (?-i:[A-Z]))"
    r"(?!.*\b(?:ChatGPT|GPT|Claude|Gemini|Copilot)\b)"
)
"""Without a possessive: "new flatmate is called Tove"."""
_ANOTHER = LatePattern(rf"(?i)\b(?:he|she|they|his|her|their|(?:my|our) (?:{PEOPLE}))\b")
"""People before a role without a possessive, whose role it may be: "my sister moved, the new landlord is Bob"."""
_WITHOUT_SPEAKER = LatePattern(
    r"^(?!.*(?<![\w'’])(?:I|me|we|us|my|our)(?!\w)).*[a-z](?:, (?:and |so |but )?| and )$"
)
"""A clause before "the new manager" that is about others: "Real Madrid lost and the new manager is Xabi"."""
_SAME_PERSON = LatePattern(
    rf"(?i)\b(?P<named>my (?:new )?(?P<kin>{PEOPLE}) (?:is called|is named|is) (?-i:[A-Z])[\w-]+),? (?:and|but) "
    r"(?:he|she|they)(?=(?:'s|'re| is| are) (?:\w+ly )?(?:allergic|vegan|vegetarian|coeliac|celiac|diabetic|lactose|"
    r"gluten|deaf|an?|from)\b)"
)
"""A pronoun for the person just named: "my flatmate is called Tove and she's allergic to cats"."""
_BOTH_CHILDREN = LatePattern(
    r"(?i)(?:\bboth (?:of )?(?:my|our)|^(?:(?:and|so|but|ok|okay|btw|well|also|oh),? ){0,2}both(?: of)?(?: the)?) "
    r"(?P<who>kids|children|sons|daughters)\b"
)
"""Without a possessive only at the start: "Anna has two boys and both sons are allergic" is about Anna's."""
_NAMED_WHO = LatePattern(
    r"(?P<name>\b(?!(?:Someone|Somebody|Anyone|Anybody|Everyone|Everybody|People|Those|She|He|They|One)\b)[A-Z][\w-]+)"
    r",? who(?:'s| is) (?P<what>(?:(?:severely|very|also|badly|highly) )?(?:allergic to (?:[a-z][\w'-]+ )?"
    r"[a-z][\w'-]+(?: (?:and|or) [a-z][\w'-]+)?(?=$|[,.;!?]| (?:and|but|so|because|which)\b)|"
    r"vegan|vegetarian|coeliac|celiac|diabetic|lactose intolerant|gluten intolerant|deaf|colou?r[- ]?blind|pregnant))\b"
)
"""What a relative clause says of a person by name: "Bram, who's allergic to latex"."""
_FICTION = LatePattern(
    r"(?i)\b(?:films?|movies?|books?|novels?|story|stories|shows?|series|episodes?|games?|characters?|songs?|"
    r"plays?|poems?|"
    r"dreams?|dreamt|campaign|comics?|anime|manga|fanfic\w*|villain|hero(?:ine)?|wrote about|writing about|imagine|"
    r"pretend|suppose)\b"
)
_ASKED_WHO = LatePattern(
    r"(?i)\b(?:ask(?:s|ed|ing)?|tell|tells|told|know|knows|knew|wonder|see|show(?:ed)?|remember) $"
)
"""Before a name and "who" without a comma, a question: "I asked Anna who is vegan"."""
_NAME_ALONE = compile_late(r"[A-Z][\w-]+")
"""The first of two names: "Nils and I"."""
BARE_KIN = LatePattern(
    rf"(?i)^(?:(?!(?:mama|mam|papa|daddy|nana) (?:is my\b|(?-i:[A-Z])))(?:{ELDERS})(?='s (?!name\b)| [a-z])(?! and\b)|"
    rf"(?:{PARTNER})(?= is (?:called |named )?(?-i:[A-Z])))"
)
""" "Mum" without a possessive is the speaker's own; "Mama Rosa" or "Nana is my friend" may be any person."""
_MOST = 12
"""Clauses read per sentence."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause in plain wording, without the word that joins it to the others."""

    text: str
    kind: Kind
    name: str | None = None
    """Of the person or animal that it is about, taken out of the text: "Tom" of "my brother Tom lives in Leeds"."""


@text_cache(256)
def clauses(sentence: str) -> tuple[Clause, ...]:
    """Return the clauses of one sentence.

    A statement begins with its subject: "I", "we", "my ..." or "our ...". Clauses under a condition and reported
    speech are left out.
    """
    asks = sentence.rstrip().endswith("?")
    text = plainly(_BOTH_CHILDREN.sub(r"my \g<who>", sentence) if "oth " in sentence else sentence)
    found: list[Clause] = []
    if match := _AS_A.match(text):
        what = match["what"]
        found.append(Clause(f"I'm {what}" + (f" {match['rest']}" if match["rest"] else ""), "statement"))
        text = text[match.end() :]
    asks = asks and text.endswith("?")
    text = text.rstrip(" .!?…,;:")
    for match in _HAVE_ONE.finditer(text):
        verb = "is " if match["is"] else ""
        found.append(Clause(f"my {match['kin']} {verb}{match['what']}".strip(), "statement"))
    if "new " in text:
        text = _NEW_ROLE.sub(_own_role, text)
    if "my " in text:
        text = _SAME_PERSON.sub(r"\g<named>, my \g<kin>", text)
    if ", " in text:
        text = _APPOSITION.sub(r"\g<kin> \g<name> ", text)
        text = _AGE_APART.sub(r"\g<kin> is \g<age>, \g<kin> ", text)
    if " who" in text:
        if _FICTION.search(text) is None:
            found += [
                Clause(f"{match['name']} is {match['what']}", "other")
                for match in _NAMED_WHO.finditer(text)
                if ", who" in match.group() or _ASKED_WHO.search(text[: match.start()]) is None
            ]
        text, stated = _without_relatives(text)
        found += stated
    if match := _SINCE_I.match(text):
        text = text[match.end() :]
    pieces = _pieces(text)
    for piece in pieces:
        if match := _SINCE_I.match(piece):
            piece = piece[match.end() :]
        if _CONDITION.match(piece):
            break
        if _REPORTED.match(piece):
            break
        if _BEGINS_QUESTION.match(piece):
            found.append(Clause(piece, "question"))
            continue
        if match := _TIME_LEAD.match(piece):
            piece = piece[match.end() :]
        if match := BARE_KIN.match(piece):
            piece = f"my {match.group().lower()}{piece[match.end() :]}"
        if _BEGINS_SELF.match(piece):
            found.extend(_named_apart(piece))
            if _REPORTED.search(piece):
                break
        elif _BEGINS_REQUEST.match(piece):
            found.append(Clause(piece, "request"))
        else:
            found.append(Clause(piece, "other"))
    if asks and not any(part.kind in ("question", "request") for part in found):
        return ()  # a question without a statement: "I live in Berlin?"
    return tuple(dict.fromkeys(found))


def _own_role(match: re.Match[str]) -> str:
    before = match.string[: match.start()]
    others = _ANOTHER.search(before) or ("the new " in match.group() and _WITHOUT_SPEAKER.match(before))
    return match.group() if others else f"my new {match['role']} "


def is_condition(clause: str) -> bool:
    """Whether the clause, in plain wording, only supposes what it says."""
    return _CONDITION.match(clause) is not None


def _without_relatives(text: str) -> tuple[str, list[Clause]]:
    """Return "my wife who loves gardening" as "my wife", and the statements about her."""
    stated: list[str] = []

    def one(match: re.Match[str]) -> str:
        verb = "is " if re.search(r"(?i)who(?:'s| is) ", match.group()) else ""
        stated.append(f"{match['who'].replace(',', '')} {verb}{match['what'].strip()}")
        return match["who"]

    return _WHO.sub(one, text), [part for statement in stated for part in _named_apart(statement)]


def _pieces(text: str) -> list[str]:
    """Split the text where clauses begin; a verb without a subject gets the subject of the clause before."""
    pieces: list[str] = []
    start = 0
    subject = ""
    for match in _BOUNDARY.finditer(text):
        if len(pieces) >= _MOST:
            break
        piece = (subject + text[start : match.start()]).strip()
        if not piece:
            start = match.end()
            continue
        if (
            match["conj"] == "and"
            and _NAME_ALONE.fullmatch(piece)
            and text.startswith(("I ", "I'"), match.end())
        ):
            continue
        carried = match["carried"]
        if carried is not None:
            who = re.match(rf"(?:{_ADV})(?P<who>I|we|(?:my|our) (?:{PEOPLE})(?: [A-Z]\w+)?)(?=[ '])", piece)
            plain = who and (who["who"] in ("I", "we")) != bool(
                re.search(r"(?:s|is|has)$", carried.split()[-1])
            )
            if who is None or not plain:
                continue
            joins_infinitives = not match.group().lstrip().lower().startswith("but")
            if (
                joins_infinitives
                and _INFINITIVE.match(carried)
                and _WISH.search(piece)
                and not _TAKES_MEDICINE.match_at(text, match.start("carried"))
            ):
                continue
            pieces.append(piece)
            subject, start = f"{who['who']} ", match.start("carried")
            continue
        pieces.append(piece)
        subject, start = "", match.end()
    rest = (subject + text[start:]).strip()
    if rest:
        pieces.append(rest)
    return pieces


def _named_apart(piece: str) -> list[Clause]:
    """Split "my sister Anna lives in Oslo" into her name and the statement about her."""
    match = _KIN_NAME_VERB.match(piece)
    if match is None:
        return [Clause(piece, "statement")]
    rest = match["rest"].lstrip(",").strip()
    if rest.startswith("'s "):
        rest = "is " + rest[3:]
    return [
        Clause(f"{match['my']} {match['kin']} is {match['name']}", "statement"),
        Clause(f"{match['my']} {match['kin']} {rest}", "statement", match["name"]),
    ]
