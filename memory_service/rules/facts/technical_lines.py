"""Lines of a message that a program wrote: commit logs, log lines, diffs, output of commands, rows of CSV."""

from __future__ import annotations

import re
from itertools import groupby

from memory_service.text.late_pattern import LatePattern

_DATE = r"\d{4}[-/]\d\d[-/]\d\d"
_HASH = r"(?=[0-9a-f]{0,39}\d)(?=\d{0,39}[a-f])[0-9a-f]{7,40}"
_SAYS_OF_COMMIT = (
    r"(?:is|was|has|had|isn't|wasn't|does|doesn't|did|didn't|breaks?|broke|introduced|introduces|fixed|fixes|still|seems?|"
    r"looks?|works?|should|can|can't|will|won't)"
)
_COMMIT = LatePattern(
    rf"(?m)^commit {_HASH}\b.*"
    r"(?:\n(?:(?:Author|AuthorDate|Commit|CommitDate|Date|Merge):.*|[ \t]+\S.*|[ \t]*(?=\n|\Z)))*"
)
_TIME = r"\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z| ?[+-]\d\d:?\d\d)?[\])>]?[ \t:|-]"
_LEVEL = r"(?:TRACE|DEBUG|INFO|WARN|ERROR|FATAL|CRITICAL)\b"
_COMMIT_KIND = r"(?:feat|fix|chore|refactor|docs|test|perf|ci|build|style|revert)"
_LINE = LatePattern(
    rf"(?m)^[ \t]*(?:(?P<sure>(?:[*|\\/] ?)*{_HASH} (?!{_SAYS_OF_COMMIT}\b)|{_COMMIT_KIND}(?:\([\w./ -]{{1,40}}\)!?|"
    rf"!): |[\[(<]?{_DATE}(?:[T ]+{_TIME}|[\])>]?[ \t]+\[?{_LEVEL})|[\[(<]?{_TIME}[ \t]*\[?{_LEVEL}|"
    r"[A-Z][a-z]{2} [ \d]\d "
    rf"\d\d:\d\d:\d\d |\[?{_LEVEL}(?:\]|[ \t]+[\[(])|(?:npm|yarn) (?:ERR!|WARN|warn|error|notice) )|{_COMMIT_KIND}: |"
    rf"(?P<time>[\[(<]?{_TIME}[ \t]*)|"
    rf"{_LEVEL}[ \t]+(?!I\b)\w).*$"
)
"""Without `sure`, a person may have written the line too: "test: I'm allergic to nuts"."""
_SPEAKS = LatePattern(r"(?i)(?<![\w'’-])(?:I|im|ive|my|we|our)(?![\w-])")
_SHELL = (
    r"(?:(?:\([\w.-]{1,40}\) ?)?(?:[\w.-]{1,40}@[\w.-]{1,60}(?:[: ]\S{0,100}){0,2} ?)?[$%] |"
    r"\[?[\w.-]{1,40}@[\w.-]{1,60}(?:[: ][^\s\]]{0,100})?\]? ?[#$%] |(?:PS )?[A-Z]:\\[^\n>]{0,100}> ?)"
)
"""A prompt: "$", "root@box:~#", "(venv) $", "PS C:\\>"."""
_PRINTS = (
    r"(?:git|grep|rg|sed|awk|echo|psql|curl|ls|docker|kubectl|journalctl|dmesg|jq|sqlite3|mysql|redis-cli)\b"
)
_RUNS = r"(?:pip\d?|npm|pnpm|npx|rustc|php|django-admin|uname|lsb_release|systemctl|ssh|uv)\b"
_ARGUMENT = r"(?= *(?:[|<>]| -|$)| [^\s.!?]*[./*:=@~][\w*/]\S*| (?-i:[A-Z])\w+ *$)"
_TASK = (
    r"(?= (?:install|add|remove|uninstall|run|build|test|list|get|mod|version|env|update|upgrade|show|init|dev|start|"
    r"lock|require|clean|all|check|fmt|vet|clippy|migrate|lint|deploy|info|search|doctor|services)\b"
    r"(?! (?:is|are|was|my|our|for|of|and|each|every)\b))"
)
_WORD = (
    r"(?:cat|head|tail|less|diff|node|python\d?|py|java|ruby|gem|composer|poetry|yarn|apt|cargo|make|go|brew)"
)
"""Programs that are words too: "% less than last year", "$ go figure"."""
_GOES_ON = r"(?!(?:[Aa]nd|[Bb]ut|so|then|it|which)\b)"
_SENTENCE = r"(?!(?=[^\n]*(?<![\w'’-])(?i:I|im|ive|my|we|our)(?![\w-]))[^\n]*\w[.!?](?:\s|\Z))"
_COMMAND = LatePattern(
    rf"(?m)^[ \t]*{_SHELL}(?:sudo )?(?!\w+ (?:is|are|was|were|has|can|my|our)\b)"
    rf"(?:(?:{_PRINTS}|(?:cat|head|tail|less|diff)\b{_ARGUMENT})[^\n]*"
    rf"(?:\n{_GOES_ON}[^\n]*\S[^\n]*)*|(?:{_RUNS}|{_WORD}\b(?:{_ARGUMENT}|{_TASK}))[^\n]*"
    rf"(?:\n{_GOES_ON}{_SENTENCE}[^\n]*\S[^\n]*)*)"
)
"""A command with its output up to an empty line, or to a line in which the writer goes on."""
_IS_DIFF = LatePattern(r"(?m)^(?:diff --git |@@ -\d|--- a/|\+\+\+ b/)")
_DIFF_LINE = LatePattern(r"(?m)^(?:[+-](?! ).*|[+-]{3} .*|@@ .*|diff --git .*|index [0-9a-f]+\.\..*)$")
_COMMA = LatePattern(r"(?<!\d),|,(?!\d)")
"""A comma that is not inside a number: "1,200 euros"."""
_FEWEST_ROWS, _FEWEST_ROWS_OF_TWO = 2, 3


def without_technical_lines(text: str) -> str:
    """Return a text of several lines without those that a program wrote."""
    if "commit " in text:
        text = _COMMIT.sub("", text)
    if "$ " in text or "% " in text or "# " in text or ":\\" in text:
        text = _COMMAND.sub("", text)
    if "\n-" in text or "\n+" in text:
        text = _DIFF_LINE.sub("", text) if _IS_DIFF.search(text) else text
    text = _without_lines(text)
    return _without_rows(text) if "," in text or ";" in text or "\t" in text else text


def _without_lines(text: str) -> str:
    """The text without lines of logs and commits; one alone that speaks of its writer stays, without its
    time, unless it is sure."""
    kept: list[str] = []
    start = 0
    groups: list[list[re.Match[str]]] = []
    for match in _LINE.finditer(text):
        if groups and groups[-1][-1].end() + 1 == match.start():
            groups[-1].append(match)
        else:
            groups.append([match])
    for lines in groups:
        if len(lines) > 1 or lines[0]["sure"] is not None or not _SPEAKS.search(lines[0].group()):
            kept.append(text[start : lines[0].start()])
            start = lines[-1].end()
        elif lines[0]["time"] is not None:
            kept.append(text[start : lines[0].start()])
            start = lines[0].end("time")
    return "".join([*kept, text[start:]])


def _without_rows(text: str) -> str:
    """The text without consecutive lines of the same number of cells, which have no space behind a separator.

    Rows may speak in the first person, but not the first one, which is a header, and not in their first cell.
    """
    kept: list[str] = []
    for cells, lines in groupby(text.split("\n"), _cells):
        rows = list(lines)
        if (
            cells is not None
            and len(rows) >= (_FEWEST_ROWS if cells[1] > 1 else _FEWEST_ROWS_OF_TWO)
            and not _SPEAKS.search(rows[0])
        ):
            continue
        kept.extend(rows)
    return "\n".join(kept)


def _cells(line: str) -> tuple[str, int] | None:
    """The separator of a row of CSV and how often it occurs; None for other lines."""
    for separator in ("\t", ";", ","):
        count = line.count(separator)
        if count and f"{separator} " not in line and not line.endswith(separator):
            if separator == "," and not _COMMA.search(line):
                continue
            return None if _SPEAKS.search(line.partition(separator)[0]) else (separator, count)
    return None
