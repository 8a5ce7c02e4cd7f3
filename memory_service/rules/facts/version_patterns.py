"""Patterns of the versions of tools.

Rows as in clause_patterns.py, where the tables are joined.
"""

from __future__ import annotations

from memory_service.rules.facts.clause_words import (
    CLAUSE_START,
    LEAD,
    SURE,
    TOOLS,
)
from memory_service.rules.facts.patterns import Says, says

_USES = (says("uses", "{subject} uses {value}"),)

VERSION_MENTIONS: tuple[tuple[str, str, tuple[Says, ...]], ...] = (
    (" 0| 1| 2| 3| 4| 5| 6| 7| 8| 9| v", rf"(?:^|, )(?P<value>(?:{TOOLS})(?<!\d) v?\d+(?:\.\d+)*)$", _USES),
    (" on ", rf"^{SURE}{LEAD}(?:our |the )?[\w -]{{2,20}} (?:is|are|runs|run)(?: now| still)? on "
     rf"(?P<value>(?:{TOOLS})(?<!\d) v?\d+(?:\.\d+)*)(?![\w-])", _USES),
    (" is ", rf"{CLAUSE_START}(?:our |the )?(?P<value>(?:{TOOLS})(?<!\d)) is (?:now )?(?:at |on )?(?:version "
     rf")?v?(?P<old>\d+(?:\.\d+)*) now\b",
     (says("uses", "{subject} uses {value} {old}", "{value} {old}"),)),
)  # fmt: skip
"""Rows that match in clauses without a person as their subject."""
