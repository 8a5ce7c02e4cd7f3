"""Parsing of plain command lines without typer, whose start takes longer than the answer of a running service.

Only unambiguous forms are parsed: `--name value`, `-n value`, flags and positional words. Other forms and errors are
left to typer, which prints the message.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Sequence
from types import NoneType, UnionType
from typing import Annotated, Any, get_args, get_origin

from typer.models import OptionInfo

_NUMBERS = {int: re.compile(r"-?[0-9]{1,15}"), float: re.compile(r"-?[0-9]{1,15}(?:\.[0-9]{1,15})?")}


def arguments_in(command: Callable[..., object], words: Sequence[str]) -> dict[str, Any] | None:
    """The command's arguments in `words`, or None if typer has to parse them."""
    parameters = inspect.signature(command, eval_str=True).parameters.values()
    options: dict[str, tuple[inspect.Parameter, type]] = {}
    positional: list[tuple[inspect.Parameter, type]] = []
    for parameter in parameters:
        kind, names = kind_of(parameter)
        if not names:
            positional.append((parameter, kind))
        for name in names:
            options[name] = (parameter, kind)
    found: dict[str, Any] = {}
    rest = iter(words)
    for word in rest:
        if word.startswith("-"):
            parameter, kind = options.get(word, (None, str))
        else:
            parameter, kind = positional.pop(0) if positional else (None, str)
        if parameter is None:
            return None
        value = True if kind is bool else word if not word.startswith("-") else next(rest, None)
        value = value_of(value, kind)
        if value is None or (parameter.name in found and kind is not list):
            return None
        found[parameter.name] = [*found.get(parameter.name, []), value] if kind is list else value
    for parameter in parameters:
        if found.setdefault(parameter.name, parameter.default) is inspect.Parameter.empty:
            return None
    return found


def kind_of(parameter: inspect.Parameter) -> tuple[type, Sequence[str]]:
    """A parameter's value type and its option names; no names for a positional parameter."""
    annotation = parameter.annotation
    kind, *notes = get_args(annotation) if get_origin(annotation) is Annotated else (annotation,)
    if isinstance(kind, UnionType):
        kind = next(one for one in get_args(kind) if one is not NoneType)
    option = next((note for note in notes if isinstance(note, OptionInfo)), None)
    if option is None and parameter.default is inspect.Parameter.empty:
        return get_origin(kind) or kind, ()
    given = () if option is None else (option.default, *(option.param_decls or ()))
    names = tuple(name for name in given if isinstance(name, str))  # typer keeps the first name in `default`
    return get_origin(kind) or kind, names or (f"--{parameter.name.replace('_', '-')}",)


def value_of(word: object, kind: type) -> Any:
    """The word as a value of this type, or None if it is not unambiguously one."""
    if word is True or word is None:
        return word
    text = str(word)
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            return None
    if kind in _NUMBERS:
        return kind(text) if _NUMBERS[kind].fullmatch(text) else None
    return text if kind in (str, list) else None
