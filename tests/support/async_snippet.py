"""Run a Python file with top-level await, as typed into `python -m asyncio`: `async_snippet FILE`."""

from __future__ import annotations

import ast
import asyncio
import inspect
import sys
from pathlib import Path
from types import FunctionType


def main() -> None:
    source = Path(sys.argv[1]).read_text(encoding="utf-8")
    code = compile(source, sys.argv[1], "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    if code.co_flags & inspect.CO_COROUTINE:
        asyncio.run(FunctionType(code, {"__name__": "snippet"})())
    else:
        exec(code, {"__name__": "snippet"})


if __name__ == "__main__":
    main()
