"""Validation of a text by a model against its source: length, language, names, numbers, negations, words.

Rules for English, German, Spanish, French and Italian; in other languages script, names, digits and shared words are
checked. A paraphrase passes: only a clear contradiction is a fault.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cached_property
from typing import Literal

from memory_service.rules.summaries.dates import with_dates
from memory_service.rules.summaries.faithfulness_words import (
    FRAME,
    FUNCTION_WORDS,
    HARMLESS_NEGATIONS,
    IRREGULAR,
    LEXICAL_NEGATION,
    MONTHS,
    NEGATIONS,
    NUMBER_WORDS,
    RELATIVE_DAYS,
    UNITS,
    WEEKDAYS,
)
from memory_service.rules.summaries.summary import MOST_TOKENS, tokens
from memory_service.text.late_pattern import compile_late

FaultKind = Literal["empty", "long", "short", "language", "names", "numbers", "dates", "negation", "words"]

SLACK_TOKENS = 50
"""What a summary may have beyond MOST_TOKENS: models count differently."""
SHORT_SOURCE_TOKENS = 40
"""A summary may always have so many: names and dates are put in."""
LENGTHENED = 1.4
"""And so many times the tokens of its source."""
LONG_SOURCE_WORDS = 40
"""Content words of a source from which on a summary of fewer than `LEAST_WORDS` says too little."""
LEAST_WORDS = 3
SHARED_WORDS = 0.3
"""The least share of a summary's content words that occur in the source. Of 30 good paraphrases the lowest had .35."""
CLOSE = 0.6
"""The share of a clause's content words that its closest clause in the source must have to be compared for negation."""
CLOSE_WORDS = 2

_WORD = compile_late(r"[^\W\d_]+(?:['’\-][^\W\d_]+)*")
_NUMBER = compile_late(r"(?<![\w.,])\d+(?:[.,:]\d+)*(?=\D|$)")
_SCALED = compile_late(
    r"(?<!\d)(\d+(?:[.,]\d+)?)\s?(k\b|thousand|million|m\b|tausend|mil\b|mille|millionen|millones|millions)",
    re.I,
)
_COUNTED = compile_late(r"((?<!\d)\d+|(?<![^\W\d_])[^\W\d_]+)\s+([^\W\d_]+)")
"""Begins only at the start of a number or word: else a model's answer of one long word takes quadratic time."""
_SCALE = {"k": 1_000, "thousand": 1_000, "tausend": 1_000, "mil": 1_000, "mille": 1_000}
_CLAUSE = compile_late(
    r"[.!?;:…\n]+|,\s|\s[–—-]\s|\b(?:but|and|because|while|although|though|so that|which|who|aber|und|weil|"
    r"obwohl|sondern|pero|porque|aunque|sino|mais|parce que|et|ma|perché|y|e)\b",
    re.IGNORECASE,
)
_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_DAY_MONTH = compile_late(
    rf"\b(\d{{1,2}})(?:st|nd|rd|th|º|er)?\.?\s+(?:of\s+|de\s+)?({_MONTH})\b\.?|\b({_MONTH})\b\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?\b",
    re.IGNORECASE,
)
_ORDINAL_DAY = compile_late(rf"\b([^\W\d_]+)\s+(?:of\s+|de\s+)?({_MONTH})\b", re.IGNORECASE)
_NUMERIC_DATE = compile_late(r"\b(?:(\d{4})-(\d\d)-(\d\d)|(\d{1,2})[./](\d{1,2})[./](\d{2,4})?(?!\d))")
_LONE_MONTH = compile_late(rf"\b(?:{_MONTH})\b", re.IGNORECASE)
_LONE_YEAR = compile_late(r"(?<![\w.,])(?:19|20)\d\d(?![\w]|[.,]\d)")
_OTHER_YEAR = compile_late(
    rf"\b(?:{_MONTH}|next|last|spring|summer|autumn|fall|winter|frühling|frühjahr|sommer|herbst|primavera|verano|otoño|"
    r"invierno|printemps|été|automne|hiver|estate|autunno|inverno|nächste\w*|letzte\w*|pasad\w+|próxim\w+)\b",
    re.IGNORECASE,
)
"""A month or season without its year, or the next or last of something: it may be in the year before or after."""
_AMBIGUOUS_MONTHS = frozenset({"may", "march", "mar", "mai", "set", "dec", "ago", "juni", "mayo"})
_CAPITAL = compile_late(
    r"(?:(?<=[^\W\d_]|[,;:\d\"'”’)])|(?<=\b[DMS]r\.)|(?<=\bM[rs]s\.)|(?<=\bMs\.))\s+[\"'“‘(]?([A-ZÀ-ÖØ-Þ][\w’'-]*[\w])"
)
_FIRST = compile_late(
    r"(?:^|[.!?…]\s+|\n)[\"'“]?([A-ZÀ-ÖØ-Þ][\w’-]+)(?:['’]s\s+\w+)?\s+"
    r"(?:told|said|says|asked|explained|mentioned|wrote|reported|wants|wanted|is|was|has|had|lives|works|will|decided|"
    r"plans|planned|feels|felt|loves|likes|moved|sagte|sagt|erzählte|ist|war|hat|will|dijo|dice|contó|es|fue|tiene|quiere)\b"
)
_GERMAN_NAME = compile_late(
    r"\b(?:namens|heißt|hieß|heisst|Herrn?|Frau|Dr\.|Doktor|Onkel|Tante|Freund|Freundin|Kollegin?|Bruder|Schwester|in|nach|aus)\s+"
    r"([A-ZÄÖÜ][\wäöüß-]+)"
)
_GERMAN_NOUNS = frozenset(
    """
    rente urlaub hause ordnung kontakt ruhe behandlung therapie zukunft arbeit teilzeit vollzeit elternzeit pension
    schwierigkeiten sorge sorgen tränen angst höhe form zahlung person panik eile erfahrung
    """.split()  # noqa: SIM905
)
"""Nouns behind "in", "nach" or "aus" without an article that are no names."""
_HALF = compile_late(
    r"\b(?:half|quarter|halb\w*|viertel|media|medio|demie?|mezz[ao]|cuarto)\b", re.IGNORECASE
)
_SCRIPTS = (
    "LATIN", "CYRILLIC", "GREEK", "ARABIC", "HEBREW", "DEVANAGARI", "THAI", "HANGUL", "HIRAGANA", "KATAKANA", "CJK",
)  # fmt: skip
_EAST_ASIAN = frozenset({"HIRAGANA", "KATAKANA", "CJK"})
_ENDINGS = tuple(
    """
    ation ungen ingly ement ando iendo ung ing ies ied ado ido ers est ed es er en em ly as os te s e n t a o y
    """.split()  # noqa: SIM905
)
_LEAST_FUNCTION_WORDS = 3
_LANGUAGE_MARGIN = 1.6
"""Ratio of function words of one language to those of any other that identifies the language of a text."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of a text. `shown` is for the model that wrote it: it may quote the source."""

    kind: FaultKind
    shown: str


@dataclass(frozen=True)
class Source:
    """The source that a text is validated against."""

    said: Sequence[tuple[str, date]]
    """The texts and their days, which the text must be about."""
    names: frozenset[str] = frozenset()
    """Who speaks, or is known."""
    context: Sequence[tuple[str, date]] = ()
    """The messages before: they explain names, numbers and pronouns."""
    counts: frozenset[int] = field(default_factory=frozenset[int])
    """Numbers that follow from the source, such as the number of its memories."""

    @cached_property
    def everything(self) -> str:
        """All of it, with the dates that relative days stand for."""
        return "\n".join(with_dates(text, day) for text, day in (*self.said, *self.context))

    @cached_property
    def text(self) -> str:
        return "\n".join(text for text, _ in self.said)

    @cached_property
    def stems(self) -> frozenset[str]:
        names = " ".join(self.names)
        return frozenset(stem(word) for word in words_in(f"{self.everything}\n{names}"))

    @cached_property
    def words(self) -> str:
        """All words, folded, in one text: to find parts of compounds."""
        return " ".join(plain(word) for word in words_in(f"{self.everything}\n{' '.join(self.names)}"))

    @cached_property
    def initials(self) -> frozenset[str]:
        found: set[str] = set()
        run: list[str] = []
        for word in [*_WORD.findall(self.everything), ""]:
            if word[:1].isupper():
                run.append(word[0].lower())
                continue
            found.update(
                "".join(run[start:end]) for start in range(len(run)) for end in range(start + 2, len(run) + 1)
            )
            run = []
        return frozenset(found)

    @cached_property
    def numbers(self) -> frozenset[str]:
        return numbers_in(self.everything)

    @cached_property
    def days(self) -> frozenset[date]:
        """Days that relative words in the source may mean."""
        found: set[date] = set()
        for text, day in (*self.said, *self.context):
            found |= days_meant(text, day)
        return frozenset(found)

    @cached_property
    def explicit_days(self) -> frozenset[tuple[int, int]]:
        return frozenset(days_of_months(self.everything))

    @cached_property
    def clauses(self) -> Sequence[tuple[frozenset[str], bool | None]]:
        return clauses_of("\n".join(text for text, _ in (*self.said, *self.context)))

    @cached_property
    def longest_list(self) -> int:
        return max(
            (
                len(re.findall(r",|\b(?:and|und|y|et|e)\b", line)) + 1
                for line in re.split(r"[.!?\n]", self.everything)
            ),
            default=1,
        )

    def has(self, word: str) -> bool:
        """Whether the source has this word in some form."""
        key = stem(word)
        return key in self.stems or (len(key) >= 4 and key[:5] in self.words)


def plain(word: str) -> str:
    """In lower case, without accents."""
    decomposed = unicodedata.normalize("NFKD", word.casefold())
    return "".join(c for c in decomposed if not unicodedata.combining(c)).replace("’", "'")


def words_in(text: str) -> list[str]:
    """The words of a text; of scripts without spaces, pairs of characters."""
    found: list[str] = []
    for word in _WORD.findall(text):
        if "぀" <= word[0] <= "鿿":
            found += [word[place : place + 2] for place in range(max(1, len(word) - 1))]
        else:
            found += [part for part in re.split(r"[-’']", word) if part]
    return found


def stem(word: str) -> str:
    """The beginning of a word, without common endings: enough to know it again."""
    key = plain(word)
    key = IRREGULAR.get(key, key)
    for ending in _ENDINGS:
        if key.endswith(ending) and len(key) - len(ending) >= 3:
            key = key[: -len(ending)]
            break
    return key[:6]


def content_words(text: str) -> list[str]:
    """The words that carry what a text says, in their order."""
    return [
        word
        for word in words_in(text)
        if (key := plain(word)) not in FUNCTION_WORDS.every
        and key not in FRAME
        and (len(key) > 2 or key > "ⰰ")
    ]


def script_of(text: str) -> str | None:
    """The script that most letters of a text have."""
    counts = dict.fromkeys(_SCRIPTS, 0)
    for character in text[:4_000]:
        if character.isalpha():
            name = unicodedata.name(character, "").split(" ")[0]
            if name in counts:
                counts["CJK" if name in _EAST_ASIAN else name] += 1
    best = max(counts, key=counts.__getitem__)
    return best if counts[best] >= 5 else None


def language_of(text: str) -> str | None:
    """The language whose function words a text has; None where that is not clear."""
    counts = FUNCTION_WORDS.counted(plain(word) for word in words_in(text[:6_000]))
    (best, most), (_, second) = counts[0], counts[1]
    return best if most >= _LEAST_FUNCTION_WORDS and most >= _LANGUAGE_MARGIN * second else None


def languages_in(source: Source) -> set[str]:
    """The languages in which something is said, message by message."""
    found = {language_of(text) for text, _ in source.said}
    return {language for language in found if language} | (
        {whole} if (whole := language_of(source.text)) else set()
    )


def number(text: str) -> str:
    """A number in one spelling: without separators of thousands, a point before decimals."""
    if re.fullmatch(r"\d{1,3}(?:[.,]\d{3})+", text):
        text = re.sub(r"[.,]", "", text)
    text = text.replace(",", ".")
    whole, _, rest = text.partition(".")
    rest = rest.rstrip("0")
    return f"{whole.lstrip('0') or '0'}.{rest}" if rest else whole.lstrip("0") or "0"


def numbers_in(text: str) -> frozenset[str]:
    """All numbers of a text in one spelling, those in words too; of times the hour and the minutes as well, and the
    hour on the other side of noon."""
    found: set[str] = set()
    for written in re.findall(r"\d+(?:[.,:]\d+)*", text):
        found.add(number(written))
        parts = re.split(r"[.,:]", written)
        found.update(number(part) for part in parts)
        hour = int(parts[0]) if len(parts[0]) <= 2 else 99
        if hour <= 24:
            found |= {str((hour + 12) % 24)} if hour != 12 else {"0"}
    for amount, scale in _SCALED.findall(text):
        value = float(amount.replace(",", ".")) * _SCALE.get(scale.lower(), 1_000_000)
        found.add(f"{value:.0f}")
    for value in map(int, (n for n in found.copy() if n.isdigit() and n.endswith("000") and len(n) < 12)):
        found |= {str(value // 1_000)}
    for word in words_in(text.replace("-", " ")):
        value = NUMBER_WORDS.get(plain(word))
        if value is not None:
            found.add(str(value))
    for tens, ones in re.findall(r"\b(\w+)[- ](\w+)", text.lower()):
        if (high := NUMBER_WORDS.get(tens, 0)) >= 20 and 0 < (low := NUMBER_WORDS.get(ones, 0)) < 10:
            found.add(str(high + low))
    if _HALF.search(text):
        found |= {"30", "6", "50", "0.5", "1.5"}
    return frozenset(found)


def days_of_months(text: str) -> set[tuple[int, int]]:
    """(month, day) of each date that is written out."""
    found: set[tuple[int, int]] = set()
    for match in _DAY_MONTH.finditer(text):
        found.add((MONTHS[plain(match[2] or match[3])], int(match[1] or match[4])))
    for match in _ORDINAL_DAY.finditer(text):
        if (day := NUMBER_WORDS.get(plain(match[1]))) and day <= 31:
            found.add((MONTHS[plain(match[2])], day))
    for match in _NUMERIC_DATE.finditer(text):
        if match[1]:
            found.add((int(match[2]), int(match[3])))
        else:
            found |= {(int(match[5]), int(match[4])), (int(match[4]), int(match[5]))}
    return found


def days_meant(text: str, day: date) -> set[date]:
    """The day of a text and those that its words for days may mean, counted from it."""
    found = {day}
    lowered = plain(text)
    words = set(words_in(lowered))

    def add(*offsets: int) -> None:
        for offset in offsets:
            try:
                found.add(day + timedelta(days=offset))
            except OverflowError:
                continue

    for word, offsets in RELATIVE_DAYS.items():
        if word in words:
            add(*offsets)
    for word in words & WEEKDAYS.keys():
        ahead = (WEEKDAYS[word] - day.weekday()) % 7
        add(ahead - 14, ahead - 7, ahead, ahead + 7, ahead + 14)
    for count, unit in _COUNTED.findall(lowered):
        if unit in UNITS:
            many = int(count) if count.isdigit() and len(count) < 4 else NUMBER_WORDS.get(count, 1)
            for near in (many * UNITS[unit], many * UNITS[unit] + 1, many * UNITS[unit] - 1):
                add(near, -near)
            if UNITS[unit] >= 28:
                for sign in (1, -1):
                    add(*(sign * many * UNITS[unit] + offset for offset in range(-35, 36)))
    return found


def clauses_of(text: str) -> list[tuple[frozenset[str], bool | None]]:
    """The content stems of each clause, and whether it has a negation; None where that is open."""
    found: list[tuple[frozenset[str], bool | None]] = []
    for line in re.split(r"(?<=[.!?…])\s+|\n+", text):
        asks = line.rstrip("\"'”’)").endswith("?")
        for clause in _CLAUSE.split(line):
            stems = frozenset(stem(word) for word in content_words(clause)) | numbers_in(clause)
            if stems:
                found.append((stems, None if asks else denies(clause)))
    return found


def denies(clause: str) -> bool | None:
    """Whether a clause has a negation; None where words like "stopped" or "hardly" leave it open."""
    lowered = plain(clause)
    if HARMLESS_NEGATIONS.search(lowered):
        return None
    negations = NEGATIONS.findall(lowered)
    if len(negations) > 1:
        return None
    if LEXICAL_NEGATION.search(lowered):
        return None
    return bool(negations)


def faults(text: str, source: Source, *, lengthened: float = LENGTHENED) -> list[Fault]:
    """Return the faults of a summary; empty where there are none.

    It may have `lengthened` times the tokens of its source, or SHORT_SOURCE_TOKENS, and never more than MOST_TOKENS
    and SLACK_TOKENS.
    """
    content = content_words(text)
    if not any(character.isalnum() for character in text):
        return [Fault("empty", "it is empty")]
    found: list[Fault] = []
    length, source_length = tokens(text), tokens(source.text)
    most = min(MOST_TOKENS + SLACK_TOKENS, max(SHORT_SOURCE_TOKENS, round(lengthened * source_length)))
    if length > most:
        found.append(Fault("long", f"it has about {length} tokens; at most {most} fit its source"))
    source_content = content_words(source.text)
    if len(source_content) >= LONG_SOURCE_WORDS and len(content) < LEAST_WORDS:
        found.append(Fault("short", "it says nothing of its source"))
    if other_language(text, source):
        found.append(Fault("language", "it is not in the language of its source"))
        return found
    found += unsupported(text, source)
    if reversed_clause := negation_changed(text, source):
        found.append(Fault("negation", f"a negation is lost or added: {', '.join(sorted(reversed_clause))}"))
    shared = sum(source.has(word) for word in content)
    if content and source_content and (shared == 0 or shared < SHARED_WORDS * len(content)):
        found.append(Fault("words", f"only {shared} of its {len(content)} content words are in its source"))
    return found


def supported(text: str, source: Source) -> bool:
    """Whether the source supports a statement: its names, numbers and dates occur there, and a third of its words."""
    content = content_words(text)
    if unsupported(text, source):
        return False
    return not content or sum(source.has(word) for word in content) >= max(1, len(content) / 3)


def names_something(label: str, source: Source) -> bool:
    """Whether the source has a name: each of its words, or its initials."""
    parts = [plain(word) for word in words_in(label)]
    initials = "".join(part[0] for part in parts)
    return (len(parts) > 1 and initials in source.words.split()) or all(
        part in FUNCTION_WORDS.every or known_name(part, source) or part in source.initials for part in parts
    )


def other_language(text: str, source: Source) -> bool:
    script, scripts = script_of(text), {script_of(said) for said, _ in source.said} - {None}
    if script is not None and scripts and script not in scripts and script_of(source.text) != script:
        return True
    language = language_of(text)
    known = languages_in(source)
    return language is not None and bool(known) and language not in known


def unsupported(text: str, source: Source) -> list[Fault]:
    """Names, numbers and dates of a text that are not in its source and do not follow from it."""
    found: list[Fault] = []
    if names := sorted(unknown_names(text, source)):
        found.append(Fault("names", f"names that its source does not have: {', '.join(names)}"))
    rest, days = unknown_days(text, source)
    if days:
        found.append(Fault("dates", f"dates that do not follow from its source: {', '.join(days)}"))
    if figures := sorted(unknown_numbers(rest, source)):
        found.append(Fault("numbers", f"numbers that its source does not have: {', '.join(figures)}"))
    return found


def unknown_names(text: str, source: Source) -> set[str]:
    if language_of(text) == "de" or (language_of(text) is None and language_of(source.text) == "de"):
        candidates = [
            name for name in _GERMAN_NAME.findall(text) if name.lower() not in _GERMAN_NOUNS
        ] + _FIRST.findall(text)
    else:
        candidates = [*_CAPITAL.findall(text), *_FIRST.findall(text)]
    unknown: set[str] = set()
    for name in candidates:
        key = plain(name).removesuffix("'s")
        parts = [part for part in re.split(r"[-']", key) if part]
        known = (
            key in FRAME
            or key in MONTHS
            or key in WEEKDAYS
            or key in FUNCTION_WORDS.every
            or key in NUMBER_WORDS
            or key in source.initials
            or all(known_name(part, source) for part in parts)
        )
        if not known:
            unknown.add(name)
    return unknown


def known_name(part: str, source: Source) -> bool:
    if part in FRAME or part in FUNCTION_WORDS.every or len(part) < 2:
        return True
    return source.has(part) or (len(part) >= 3 and part in source.words)


def unknown_days(text: str, source: Source) -> tuple[str, list[str]]:
    """The text without its dates, and those dates that are none of the source's."""
    unknown: list[str] = []
    months = {day.month for day in source.days} | {month for month, _ in source.explicit_days}
    months |= {MONTHS[plain(match[0])] for match in _LONE_MONTH.finditer(source.everything)}
    years = {str(day.year) for day in source.days} | {n for n in source.numbers if len(n) == 4}
    years |= {f"{century}{n}" for n in source.numbers if len(n) == 2 for century in (19, 20)}
    if _OTHER_YEAR.search(source.everything):
        years |= {str(day.year + offset) for _, day in source.said for offset in (-1, 1)}
    pairs = source.explicit_days | {(day.month, day.day) for day in source.days}

    def take(match: re.Match[str]) -> str:
        if not days_of_months(match[0]) & pairs:
            unknown.append(match[0])
        if match.re is _NUMERIC_DATE and match[1] and match[1] not in years:
            unknown.append(match[1])
        return " "

    rest = _DAY_MONTH.sub(take, _NUMERIC_DATE.sub(take, text))
    for match in _LONE_MONTH.finditer(rest):
        key = plain(match[0])
        if MONTHS[key] not in months and not (
            key in _AMBIGUOUS_MONTHS or (match[0][0].islower() and len(key) < 5)
        ):
            unknown.append(match[0])
    for match in _LONE_YEAR.finditer(rest):
        if match[0] not in years:
            unknown.append(match[0])
    weekdays = {day.weekday() for day in source.days}
    said = {WEEKDAYS[word] for word in map(plain, words_in(source.everything)) if word in WEEKDAYS}
    for word in words_in(rest):
        key = plain(word)
        if len(key) > 3 and key in WEEKDAYS and WEEKDAYS[key] not in weekdays | said and word[0].isupper():
            unknown.append(word)
    return _LONE_YEAR.sub(" ", rest), unknown


def unknown_numbers(text: str, source: Source) -> set[str]:
    unknown: set[str] = set()
    counts = {str(count) for count in source.counts}
    for match in _NUMBER.finditer(text):
        written = number(match[0])
        parts = {number(part) for part in re.split(r"[.,:]", match[0])}
        parts -= {"0"} if ":" in match[0] else set()
        if not ({written} & (source.numbers | counts) or (":" in match[0] and parts <= source.numbers)):
            unknown.add(match[0])
    said = words_in(text.replace("-", " "))
    for place, word in enumerate(said):
        value = NUMBER_WORDS.get(plain(word))
        if word[0].isupper() and source.has(word):
            continue
        if value is None or value < 2 or str(value) in source.numbers | counts:
            continue
        before = NUMBER_WORDS.get(plain(said[place - 1]), 0) if place else 0
        after = NUMBER_WORDS.get(plain(said[place + 1]), 0) if place + 1 < len(said) else 0
        if (before >= 20 and str(before + value) in source.numbers) or (
            value >= 20 and str(value + after) in source.numbers
        ):
            continue
        if (
            value > 12
            or value > source.longest_list
            or counted_otherwise(said[place + 1 : place + 3], value, source)
        ):
            unknown.add(word)
    return unknown


def counted_otherwise(following: Sequence[str], value: int, source: Source) -> bool:
    """Whether the source gives another number of the same thing."""
    things = {stem(word) for word in following if plain(word) not in FUNCTION_WORDS.every}
    said = re.findall(r"[^\W\d_]+|\d+", source.everything)
    for place, word in enumerate(said):
        other = int(word) if word.isdigit() and len(word) < 6 else NUMBER_WORDS.get(plain(word))
        if other is not None and other > 1 and other != value:
            near = {stem(following_word) for following_word in said[place + 1 : place + 3]}
            if things & near:
                return True
    return False


def negation_changed(text: str, source: Source) -> frozenset[str]:
    """The words of the first clause that denies what its closest clause in the source states, or the reverse."""
    for stems, denied in clauses_of(text):
        known = stems & (source.stems | source.numbers)
        if denied is None or len(known) < CLOSE_WORDS:
            continue
        overlaps = [
            (len(known & other), -len(other - known), other_denied) for other, other_denied in source.clauses
        ]
        best = max((overlap[:2] for overlap in overlaps), default=(0, 0))
        if best[0] < CLOSE_WORDS or best[0] < CLOSE * len(stems):
            continue
        closest = {other for *overlap, other in overlaps if tuple(overlap) == best}
        if denied not in closest and None not in closest and not elsewhere(known, denied, source):
            return known
    return frozenset()


def elsewhere(stems: Iterable[str], denied: bool, source: Source) -> bool:
    """Whether a clause of the source that has nearly as many of these words states it as the text does."""
    wanted = frozenset(stems)
    return any(
        other_denied is denied and len(wanted & other) >= max(CLOSE_WORDS, len(wanted) - 1)
        for other, other_denied in source.clauses
    )
