"""Every late pattern is valid, and none is compiled by an import."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import import_module

from memory_service.text.late_pattern import compile_all, compile_late


def test_importing_the_service_compiles_few_patterns() -> None:
    code = (
        "import memory_service.server.app, memory_service.text.late_pattern as late\n"
        "print(sum(pattern._compiled is not None for pattern in late._late), len(late._late))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    compiled, known = map(int, out.split())
    assert compiled < known / 20


def test_all_patterns_are_valid() -> None:
    import_module("memory_service.server.app")  # with all modules that have patterns
    compile_all()


def test_it_works_as_the_compiled_pattern_does() -> None:
    late, plain = compile_late("(a)(b)?", re.IGNORECASE), re.compile("(a)(b)?", re.IGNORECASE)
    assert late.pattern == plain.pattern
    assert late.flags == plain.flags
    assert late.findall("xAb a") == plain.findall("xAb a")
    assert late.sub("-", "xAb a") == plain.sub("-", "xAb a")
