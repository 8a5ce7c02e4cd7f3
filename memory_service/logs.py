"""Logs: one line an event on stderr; text for a terminal, JSON otherwise. Never memory text."""

from __future__ import annotations

import logging
import sys
import traceback

import structlog


def configure(level: str) -> None:
    """Set up logging for this process. Tracebacks come without local variables: they would hold memory text."""
    renderer = (
        structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
        if sys.stderr.isatty()
        else structlog.processors.JSONRenderer()
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            *([] if sys.stderr.isatty() else [structlog.processors.format_exc_info]),
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        logger_factory=to_stderr,
    )
    root = logging.getLogger()
    for handler in [one for one in root.handlers if isinstance(one, OneLine)]:
        root.removeHandler(handler)
    root.addHandler(OneLine(logging.WARNING))


class OneLine(logging.Handler):
    """Writes what libraries log (asyncio, asyncpg, uvicorn) as events of this log: one line each, of an error only
    what `unexpected` tells of it. The first line of their messages is kept; asyncio's others quote exceptions."""

    def emit(self, record: logging.LogRecord) -> None:
        fields: dict[str, object] = {"logger": record.name}
        if record.exc_info and record.exc_info[1] is not None:
            fields |= unexpected(record.exc_info[1])
        lines = record.getMessage().strip().splitlines() or [""]
        structlog.get_logger().log(record.levelno, lines[0], **fields)


def to_stderr(*_: object) -> structlog.PrintLogger:
    """What is stderr when something is logged: a program that has replaced it since then gets the logs, too."""
    return structlog.PrintLogger(sys.stderr)


def unexpected(error: BaseException) -> dict[str, object]:
    """What a log may say of an error that is a bug of ours: its kind and the places in the code.

    Its message is left out: it may hold memory text (promise 6).
    """
    places = [f"{frame.filename}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)]
    return {"error": type(error).__name__, "where": places[-5:]}
