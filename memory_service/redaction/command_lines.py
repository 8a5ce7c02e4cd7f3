"""Passwords on a command line: as an option of a client, or as a variable that is set."""

from __future__ import annotations

import re

from memory_service.redaction.secret_patterns import Shape
from memory_service.redaction.secret_words import PLACEHOLDER
from memory_service.text.late_pattern import compile_late

_WORD = r"(?:(?<=\")[^\"\n]{1,200}|(?<=')[^'\n]{1,200}|(?<![\"'])[^\s\"'`$<>|;&]{2,200}+)"
"""One argument, in quotes or not."""
_SAME_COMMAND = r"[^\n|;&]{0,120}?"


def _is_given(value: str) -> bool:
    return PLACEHOLDER.match(value) is None


def _option(program: str, option: str) -> re.Pattern[str]:
    return compile_late(rf"\b(?:{program})\b{_SAME_COMMAND}\s{option}[\"']?({_WORD})")


COMMAND_SHAPES: tuple[Shape, ...] = (
    Shape(
        "password",
        ("password=", "passwd=", "passphrase=", "_pass=", "_pwd="),
        compile_late(
            r"(?<![A-Za-z0-9_])[A-Z0-9_]{0,40}(?:PASSWORD|PASSWD|PASSPHRASE|_PASS|_PWD)=[\"']?"
            rf"({_WORD})"
        ),
        1,
        _is_given,
    ),
    Shape(
        "password",
        ("mysql", "mariadb"),
        _option(r"mysql\w{0,12}|mariadb(?:-\w{1,12})?", "-p"),
        1,
        _is_given,
    ),
    Shape("password", ("sshpass",), _option("sshpass", r"-p ?"), 1, _is_given),
    Shape("password", ("redis-cli",), _option("redis-cli", r"-a "), 1, _is_given),
    Shape(
        "password",
        ("curl",),
        _option("curl", r"(?:-u ?|--user[ =]|-a )[\"']?[^\s:\"'/]{1,64}:"),
        1,
        _is_given,
    ),
)
"""Case-sensitive: `-p` is a password and `-P` a port, and variables are in capitals."""
