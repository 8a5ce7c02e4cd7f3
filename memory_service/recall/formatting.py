"""Formatting: memories as quoted data with date and source, delimiters within them replaced (docs/design.md,
"Injection")."""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime
from functools import lru_cache

from memory_service.speakers import ASSISTANT, Speakers
from memory_service.text.late_pattern import compile_late
from memory_service.text.sentences import echo_marks
from memory_service.text.unicode_folding import folded_with_places, is_invisible
from memory_service.types import Candidate, Superseded

LONGEST_SOURCE = 40
LONGEST_MARK = 80
NOBODY = Speakers()
BETWEEN = " / "
"""Separates a memory's text from the assistant's reply."""
UNCONFIRMED = "last known, unconfirmed"
ASK = "ask the user when it fits"
_QUOTES = str.maketrans(dict.fromkeys('"“”„‟«»″‴⁗‶‷＂〝〞〟〃❝❞ʺˮ˝״⹂🙶🙷🙸', "'"))
_LEADERS = compile_late(r"(?:-(?:\s+|$)|#+\s*)+")
"""Begins a line of a context; removed from the lines of a text."""
_BLANKS = compile_late("[\u115f\u1160\u2800\u3164\uffa0]")
"""Blank letters and signs, replaced by a space."""
_UNSEEN = compile_late(
    "[\u034f\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0d\U000e0100-\U000e01ef]|(?<=[\ufe0e\ufe0f])[\ufe0e\ufe0f]+"
)
"""Invisible marks: a sequence of variation selectors can spell text that only a model reads. A single one that
distinguishes an emoji from a sign stays."""
_FENCE = compile_late(r"`{3,}")
_PIPES = compile_late(r"[<＜﹤](?=[|｜])|(?<=[|｜])[>＞﹥]")
"""The ends of a token such as <|im_end|>."""
_BRACKETS = frozenset("<>[]＜＞﹤﹥‹›〈〉⟨⟩❬❭❮❯［］【】〔〕⟦⟧")
_LESS = r"(?:[<‹〈⟨❬❮]|&(?:amp;){0,3}(?:lt|#0{0,5}60|#x0{0,5}3c);)"
_MORE = r"(?:[>›〉⟩❭❯]|&(?:amp;){0,3}(?:gt|#0{0,5}62|#x0{0,5}3e);)"
_OPEN = r"(?:[\[【〔⟦]|&(?:amp;){0,3}(?:lbrack|lsqb|#0{0,5}91|#x0{0,5}5b);)"
_CLOSE = r"(?:[\]】〕⟧]|&(?:amp;){0,3}(?:rbrack|rsqb|#0{0,5}93|#x0{0,5}5d);)"
_TAGS = (
    r"(?:s|bos|eos|pad|unk|inst|think(?:ing)?|(?:start|end|begin)[ _-]?of[ _-]?(?:turn|"
    r"image|text|sentence|sequence)|"
    r"(?:antml[ :_-]{1,3})?(?:invoke|parameters?|functions?|function[ _-]?(?:calls?|results?|call_block)|"
    r"tools?|tool[ _-]?(?:calls?|use|responses?|results?|outputs?|code)|thinking)|"
    r"(?:system|developer|assistant|user|human|admin|ai|hidden|secret)(?:[ _-]?(?:prompts?|"
    r"messages?|instructions?|"
    r"reminders?|directives?|rules?|override|notes?|turn|input))?|sys|instructions?|context|memor(?:y|ies)|"
    r"memory[ _-]?context|available[ _-]?tools|untrusted[ \w-]{0,20}|documents?|search[ _-]?results?)"
)
_TAG = compile_late(
    rf"(?P<first>{_LESS}(?:\s{{0,3}}{_LESS})?)\s{{0,3}}/?\s{{0,3}}{_TAGS}\s{{0,3}}(?:/|"
    rf"(?<=\W)[^<>\n]{{0,200}}?)?"
    rf"(?P<last>{_MORE}(?:\s{{0,3}}{_MORE})?)"
)
"""A tag of prompt templates (</function_calls>, <system-reminder>, <<SYS>>), in `folded` text."""
_GENERIC = compile_late(r"\w<[a-z]+>")
"""A type parameter, not a tag: List<User>."""
_MARK = compile_late(
    rf"(?P<first>{_OPEN})\s{{0,3}}(?:/\s{{0,3}})?(?:inst|think|(?:end|begin\w{{0,5}}|"
    rf"start)?[\s_-]{{0,3}}(?:of[\s_-]{{1,3}})?(?:the[\s_-]{{1,3}}|this[\s_-]{{1,3}}|"
    r"your[\s_-]{1,3})?(?:system|developer|assistant|user|memor(?:y|ies)|context|available|tools?|admin)"
    r"(?:[\s_-]{0,3}(?:prompts?|messages?|instructions?|context|section|block|input|turn|"
    r"tools|calls?|results?|content|override|reminder|ends?))"
    rf"{{0,2}})\s{{0,3}}(?P<last>{_CLOSE})"
)
"""Tags in square brackets, and marks like those of a context: [INST], [SYSTEM_PROMPT], [end of the memory context]."""


def quoted(text: str, occurred_at: datetime, source: str) -> str:
    """One line: date, source, and the quoted text, in which quotation marks are replaced; a leading `source: ` is
    removed."""
    text = text.removeprefix(f"{source}: ")
    return f'- {occurred_at.date().isoformat()} ({plain_name(source)}): "{inert_line(text)}"'


def quoted_memory(candidate: Candidate, speakers: Speakers = NOBODY) -> str:
    """One line of a memory, followed by the assistant's reply where that matches the query. Facts in an open conflict
    and episodes with a superseded fact are marked."""
    line = quoted(candidate.content, candidate.occurred_at, speakers.named(candidate.source))
    if candidate.superseded is not None:
        line += f" ({superseded_mark(candidate.superseded)})"
    if candidate.from_reply and candidate.reply:
        line += f"{BETWEEN}{quoted_reply(candidate.reply, speakers)}"
    return f"{line} ({UNCONFIRMED})" if candidate.unconfirmed else line


def superseded_mark(superseded: Superseded) -> str:
    """The mark of an episode with a superseded or retracted fact: the date, and the fact that is true instead; without
    one, the fact that has ended, where the episode states others."""
    day = f"{superseded.since:%Y-%m-%d}"
    if superseded.by_fact is not None:
        return f'superseded {day}: "{short(superseded.by_fact)}"'
    ended = f"retracted {day}" if superseded.retracted else f"no longer so since {day}"
    return ended if superseded.alone else f'"{short(superseded.fact)}" {ended}'


_NO_SURE_NAMES = frozenset({"April", "August", "Bill", "Grant", "June", "Mark", "May", "Will"})
"""Names that are a month or may begin a sentence as a verb."""


def names(text: str, name: str) -> bool:
    """Whether a text has a name as a whole word and says nothing of this person's death. "May" may be the month."""
    if name in _NO_SURE_NAMES:
        return False
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) is not None and not re.search(
        rf"(?<![\w-]){re.escape(name)} (?:has |had )?(?:died|passed)\b", text
    )


def death_mark(name: str, since: datetime) -> str:
    """The mark of a line that names a person who has died since."""
    return f"{plain_name(name)} died {since:%Y-%m-%d}"


def short(text: str) -> str:
    """A fact as part of a mark: one line of at most LONGEST_MARK characters."""
    line = inert_line(text)
    return line if len(line) <= LONGEST_MARK else f"{line[: LONGEST_MARK - 1].rstrip()}…"


def quoted_reply(reply: str, speakers: Speakers = NOBODY) -> str:
    """A reply of the assistant, quoted under its name."""
    return f'{plain_name(speakers.named(ASSISTANT), ASSISTANT)}: "{inert_line(reply)}"'


def quoted_question(question: str) -> str:
    """One line of a question for the user; quoted, because it contains facts."""
    return f'- {ASK}: "{inert_line(question)}"'


def quoted_norm(norm: str, situation: str = "") -> str:
    """One line of a norm, with the situation in which it applies unless the norm ends with it."""
    where = f" (when: '{inert_line(situation)}')" if situation and not norm.endswith(situation) else ""
    return f'- "{inert_line(norm)}"{where}'


def quoted_thread(state: str, started_at: datetime, length: int, *, acknowledge: bool) -> str:
    """One line of the emotional thread; quoted, because it names a topic."""
    messages = "1 message" if length == 1 else f"{length} messages"
    line = f'- "{inert_line(state)}", since {started_at.date().isoformat()} ({messages})'
    return f"{line}; acknowledge it" if acknowledge else line


def quoted_procedure(
    kind: str, content: str, situation: str, occurred_at: datetime, failures: tuple[int, int] | None = None
) -> str:
    """One line of a procedure, with the situation in which it applies; of one to avoid with `failures`, how often it
    failed and was tried."""
    where = f" (when: '{inert_line(situation)}')" if situation else ""
    if failures is not None:
        return f'- avoid (failed {failures[0]} of {failures[1]}): "{inert_line(content)}"{where}'
    return f'- {kind} ({occurred_at.date().isoformat()}): "{inert_line(content)}"{where}'


def plain_name(source: str, default: str = "user") -> str:
    """A name reduced to letters, digits and . _ ' -, at most 40: names are untrusted as well."""
    return _plain_name(source[: 4 * LONGEST_SOURCE]) or default


@lru_cache(1_000)
def _plain_name(source: str) -> str:
    shown = "".join(
        character if unicodedata.category(character)[0] in "LMN" or character in "._'-" else " "
        for character in unicodedata.normalize("NFC", _seen(source))
    )
    return " ".join(shown.split())[:LONGEST_SOURCE].strip()


def _seen(text: str) -> str:
    """The text without invisible characters."""
    if not text.isprintable():
        text = "".join(character for character in text if not is_invisible(character))
    return text if text.isascii() else _UNSEEN.sub("", _BLANKS.sub(" ", text))


def inert_line(text: str) -> str:
    """The text as one line without quotation marks, invisible characters, tags of prompts and marks of a context."""
    if text.isascii() and text.isprintable():  # most texts: one line, nothing invisible
        line = _without_leader(text.strip()).replace('"', "'").rstrip()
        if "  " in line:
            line = " ".join(line.split())
    else:
        lines = (_without_leader(line.strip()) for line in _seen(text).splitlines())
        line = " ".join(" ".join(lines).split()).translate(_QUOTES)
    if "```" in line:
        line = _FENCE.sub("'''", line)
    if _has_bracket(line) or "&" in line:
        line = _without_tags(_without_marks(line))
        line = _PIPES.sub(lambda found: f" {found[0]}" if found[0] in ">＞﹥" else f"{found[0]} ", line)
    return f"{line} " if line.endswith("\\") else line  # a final backslash would escape the quotation mark


def _has_bracket(line: str) -> bool:
    if line.isascii():  # a tenth of the time: each `in` is one search for a byte
        return "<" in line or ">" in line or "[" in line or "]" in line
    return not _BRACKETS.isdisjoint(line)


def _without_leader(line: str) -> str:
    return line[found.end() :] if (found := _LEADERS.match(line)) else line


def _without_tags(line: str) -> str:
    """The line with round brackets around tags of chat templates and prompts, which a model may obey. Case, width,
    spaces, look-alike characters and escapes are folded before the search."""
    plain, places = (line.lower(), None) if line.isascii() else folded_with_places(line)
    round_ones: dict[int, tuple[int, str]] = {}
    for match in (*_TAG.finditer(plain), *_MARK.finditer(plain)):
        if _GENERIC.match(plain, match.start() - 1, match.end()):
            continue
        for group, sign in (("first", "("), ("last", ")")):
            start, end = match.span(group)
            first, after = (start, end) if places is None else (places[start], places[end - 1] + 1)
            round_ones[first] = (after, sign)
    parts: list[str] = []
    position = 0
    for first in sorted(round_ones):
        after, sign = round_ones[first]
        if first >= position:
            parts += (line[position:first], sign)
            position = after
    return "".join([*parts, line[position:]])


def _without_marks(text: str) -> str:
    # Found as in `without_echo`, which therefore takes no remaining mark for the end of the context.
    for mark in reversed(echo_marks(text)):
        name = "(end of memory context)" if mark.closes else "(memory context)"
        text = text[: mark.start] + name + text[mark.end :]
    return text
