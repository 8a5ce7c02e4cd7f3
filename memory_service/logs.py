"""Logs: one line per event on stderr, text on a terminal, else JSON. Memory text is never logged."""

from __future__ import annotations

import logging
import sys
import traceback

import structlog


def configure(level: str) -> None:
    """Set up logging for this process. Tracebacks have no local variables, which hold memory text."""
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
    for handler in [one for one in root.handlers if isinstance(one, LibraryLogs)]:
        root.removeHandler(handler)
    root.addHandler(LibraryLogs(logging.WARNING))


class LibraryLogs(logging.Handler):
    """Writes log records of libraries (asyncio, asyncpg, uvicorn) as events of this log: the first line of the message,
    since asyncio's other lines quote exceptions, and of an error the fields of `unexpected`."""

    def emit(self, record: logging.LogRecord) -> None:
        fields: dict[str, object] = {"logger": record.name}
        if record.exc_info and record.exc_info[1] is not None:
            fields |= unexpected(record.exc_info[1])
        lines = record.getMessage().strip().splitlines() or [""]
        structlog.get_logger().log(record.levelno, lines[0], **fields)


def to_stderr(*_: object) -> structlog.PrintLogger:
    """Uses the current sys.stderr, also where a program has replaced it."""
    return structlog.PrintLogger(sys.stderr)


def unexpected(error: BaseException) -> dict[str, object]:
    """Log fields of an unexpected error: its type and the places in the code.

    The message is left out, since it may hold memory text.
    """
    places = [f"{frame.filename}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)]
    return {"error": type(error).__name__, "where": places[-5:]}
