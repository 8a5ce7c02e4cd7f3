"""A score of how much a sentence tells: eight surface features with round weights, by which summaries choose
sentences.

Features that the gate's fact-bearing score shares are here too (worth_score.py).
"""

from __future__ import annotations

from memory_service.rules.word_lists import DAY
from memory_service.text.late_pattern import compile_late
from memory_service.text.text_cache import text_cache
from memory_service.text.unicode_folding import words_of

CONTENT_WORD = 0.07
"""Each word that is not grammar or filler, the first 20."""
SPEAKS_OF_SELF = 0.7
"""An "I" or "my", in full from four content words on: statements about oneself, not comments on others."""
SAYS_WHEN = 1.0
"""A day, a month, "yesterday", "two years ago": the surest mark of an event."""
DID_SOMETHING = 0.5
"""Each clause in the past with its subject ("I bought", "she moved"), the first two."""
NAMES_LIFE = 0.3
"""Each word for family, home, work, pets or pastimes, the first three."""
APPLAUDS = -0.25
"""Each "wow", "great", "glad", the first three: a reaction to another speaker."""
SPEAKS_OF_YOU = -1.0
"""When one word in ten or more is "you"; in proportion below."""
ASKS = -0.6
"""When all sentences are questions; in proportion below. A question tells little of who asks."""


_WHEN = compile_late(
    r"(?i)\b(?:yesterday|today|tonight|tomorrow|(?:last|next|this|past) (?:night|weekend|week|month|year|summer|winter|"
    rf"spring|fall|autumn|morning|{DAY})|(?:days?|weeks?|months?|years?) ago|(?:\d+|a few|two|three|four|five) (?:days|"
    rf"weeks|months|years)|recently|just|since|{DAY}s?|january|february|march|april|june|july|august|september|october|"
    r"november|december|(?:in|on|by|until|\d) may|may \d|19\d\d|20\d\d|\d{1,2}(?:st|nd|rd|th)|"
    r"\d{1,2}[./]\d{1,2}(?:[./]\d{2,4})?)\b"
)
_DONE = compile_late(
    r"\b(?:[Ii]|[Ww]e|[Hh]e|[Ss]he|[Tt]hey|[Ii]t|[Mm]y \w+)(?:'ve|'d| have| has| had| just| also| even| recently|"
    r" finally| already)* (?:\w+ed|went|bought|got|started|took|won|made|met|began|found|lost|saw|read|wrote|ran|had|"
    r"gave|been|came|did|felt|taught|told|thought|left|chose|built|drew|was|were|quit|sold|broke|spent|paid)\b"
)
_LIFE = frozenset(
    """
        mom mum mother dad father parent parents wife husband son daughter kid kids child children
        baby brother sister family friend friends aunt uncle cousin partner boyfriend girlfriend
        fiancé fiancée dog dogs cat cats pet pets puppy job work career boss company school college
        university degree class home house apartment flat hobby favorite favourite love enjoy
        birthday wedding married engaged divorce divorced trip vacation holiday book books movie
        game music concert diet vegan vegetarian doctor hospital
        """.split()  # noqa: SIM905
)
_LIFE_STEMS = ("grand", "travel", "allerg")
_APPLAUSE = frozenset(
    """
        wow awesome amazing great glad thanks thank congrats congratulations sounds cool nice sure
        yeah yep absolutely definitely totally agree proud keep hope luck incredible right sorry
        """.split()  # noqa: SIM905
)
YOU = frozenset({"you", "your", "yours"})
_SELF = frozenset({"I", "My", "my", "i", "im"})
_END = compile_late(r"[.!?]+(?=\s|$)|\n")
_TOKEN = compile_late(r"\w+")
WORD = compile_late(r"[A-Za-zÀ-ɏ']+")
FILLER = frozenset(
    """
        i me my we our us you your he she it they him her them his its their a an the and or but so
        if of to in on at for with from by as is are was were be been am do does did have has had
        will would can could should may might must not no yes this that these those there here what
        who how when where why which just really very too also about up out all some any more most
        much many one like get got go going know think see it's i'm i've that's you're don't can't
        let's wow great awesome amazing nice cool thanks thank sounds glad love good way keep sure
        yeah definitely totally absolutely hey hi lot things thing something time make makes feel
        feeling s t m re ve ll d
        """.split()  # noqa: SIM905
)
"""Function words and fillers."""


_SAYS_NOTHING = compile_late(
    r"\[redacted:[a-z_0-9]+\]|https?://\S+|(?i:\b(?:i mean(?:t)?|am i right)\b)|"
    r"(?i:\bi (?:can[’']?t|cannot|don[’']?t) remember\b[^.!?\n]*)|(?i:\bi(?:[’']m| am| feel)(?: (?:so|really|very|just|"
    r"a bit|a little|kinda|pretty|too|still))* (?:tired|sleepy|hungry|thirsty|bored|cold|hot|busy|fine|good|great|ok|"
    r"okay|exhausted|late|back|ready|here|home|stressed|happy|sad)(?: (?:today|now|tonight|right now|this morning|"
    r"at the moment|again))*(?=\s*(?:[.,!?\n]|$)))"
)
"""Redacted secrets, links and transient moods."""

_TASK = compile_late(
    r"(?i)(?:^|(?<=[.!?]\s)|(?<=\n))(?:(?:please|now|and|ok|okay|hey|then|also),? )*(?:write|rewrite|explain|translate|"
    r"summari[sz]e|convert|generate|calculate|compute|solve|define|describe|compare|continue|debug|refactor|implement|"
    r"draft|compose|send|sort|look up|turn (?:on|off)|switch (?:on|off)|set an?|make (?:it|this|that)|act as|imagine|"
    r"pretend|how (?:do|can|does|to)(?=[^.!?\n]*(?:$|[.\n])))\b[^.!?\n,;:]*"
)
"""A task for now, up to the first comma: no statement about the user, even with "I"."""

_CODE = compile_late(
    r"```[\s\S]*?(?:```|\Z)|(?m:^(?:Traceback \(.*|[ \t]+File \".*|\w+(?:Error|Exception): .*|"
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:.*|[ \t]*(?:[{}].*|\[[\"{\d].*[\]},])|"
    r"(?:SELECT\b.*\bFROM|INSERT INTO|UPDATE \w+ SET|DELETE FROM|CREATE TABLE|ALTER TABLE)\b.*|[ \t]*(?:def \w+\(|"
    r"class \w+[(:]|from [\w.]+ import|import [\w.]+$|(?:const|let|var) \w+ =|function \w*\(|#include).*|"
    r"[ \t]*[-+]? ?return\b.*)$)"
)
"""Pasted code, logs and data."""

_CODE_SIGNS = ("```", "{", "}", "[", "Error:", "Exception:")
"""Text with code has one of these, a word of _HAS_CODE or a time of day."""


_HAS_WHEN = frozenset(
    """
        yesterday today tonight tomorrow night weekend week month year summer winter spring fall
        autumn morning days weeks months years day recently just since may monday mondays tuesday
        tuesdays wednesday wednesdays thursday thursdays friday fridays saturday saturdays sunday
        sundays january february march april june july august september october november december
        """.split()  # noqa: SIM905
)
_HAS_TASK = frozenset(
    """
        write rewrite explain translate summarise summarize convert generate calculate compute solve
        define describe compare continue debug refactor implement draft compose send sort look turn switch set
        make act imagine pretend how
        """.split()  # noqa: SIM905
)
_HAS_MOOD = frozenset(
    """
        mean meant remember right tired sleepy hungry thirsty bored cold hot busy fine good great ok okay
        exhausted late back ready here home stressed happy sad
        """.split()  # noqa: SIM905
)
_HAS_DONE = frozenset(
    """
        went bought got started took won made met began found lost saw read wrote ran had gave been
        came did felt taught told thought left chose built drew was were quit sold broke spent paid
        """.split()  # noqa: SIM905
)
_HAS_CODE = frozenset(
    """
        traceback file select insert update delete create alter def class import const let var
        function include return
        """.split()  # noqa: SIM905
)
"""Words without which the patterns of the same name match nothing."""
_DIGIT = compile_late(r"\d")


@text_cache(512)
def raw_score(text: str) -> float:
    """Return the weighted sum of the features of a text; sentences are compared by it."""
    text = telling(text)
    words = WORD.findall(text)
    if not words:
        return 0.0
    content = sum([word.lower() not in FILLER for word in words])
    tokens, distinct = words_of(text.lower())
    return (
        CONTENT_WORD * min(content, 20)
        + SPEAKS_OF_SELF * (not _SELF.isdisjoint(_TOKEN.findall(text))) * min(content / 4, 1.0)
        + SAYS_WHEN * says_when(text, distinct)
        + DID_SOMETHING * things_done(text, distinct)
        + NAMES_LIFE * min(life_words(tokens), 3)
        + APPLAUDS * min(count(tokens, distinct, _APPLAUSE), 3)
        + ASKS * share_of_questions(text)
        + SPEAKS_OF_YOU * min(count(tokens, distinct, YOU) / len(words) * 10, 1.0)
    )


def telling(text: str) -> str:
    """Return the text without code, tasks, links and transient moods."""
    _, words = words_of(text.lower())
    timed = ":" in text and "-" in text and _DIGIT.search(text)
    if timed or not words.isdisjoint(_HAS_CODE) or any(map(text.__contains__, _CODE_SIGNS)):
        text = _CODE.sub(" ", text)
    if not words.isdisjoint(_HAS_TASK):
        text = _TASK.sub(" ", text)
    if not words.isdisjoint(_HAS_MOOD) or "[redacted:" in text or "http" in text:
        text = _SAYS_NOTHING.sub(" ", text)
    return text


def count(tokens: list[str], distinct: frozenset[str], words: frozenset[str]) -> int:
    return 0 if distinct.isdisjoint(words) else sum([token in words for token in tokens])


def life_words(tokens: list[str]) -> int:
    """How many of the words, in lower case, are about family, home, work, pets or pastimes."""
    return sum([t in _LIFE or (t.startswith(_LIFE_STEMS) and t != "grand") for t in tokens])


def things_done(text: str, words: frozenset[str]) -> int:
    if words.isdisjoint(_HAS_DONE) and not any([word.endswith("ed") for word in words]):  # noqa: C419 - faster
        return 0
    return min(len(_DONE.findall(text)), 2)


def says_when(text: str, words: frozenset[str]) -> bool:
    maybe = not words.isdisjoint(_HAS_WHEN) or _DIGIT.search(text) is not None
    return maybe and _WHEN.search(text) is not None


def share_of_questions(text: str) -> float:
    asked = text.count("?")
    return asked / max(len(_END.findall(text)), asked, 1) if asked else 0.0
