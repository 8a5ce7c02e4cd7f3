"""Writes the columns of the analytics views into docs/sql.md: `python -m tests.docs.views_section`."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "sql.md"
BEGIN, END = "<!-- generated: columns of the views -->\n", "<!-- end -->\n"
COMMENT = re.compile(r"comment on (view|column) analytics\.(\w+)(?:\.(\w+))? is\s+((?:'(?:[^']|'')*'\s*)+);")


def literal(source: str) -> str:
    """The text of adjacent SQL string literals."""
    return "".join(re.findall(r"'((?:[^']|'')*)'", source)).replace("''", "'")


def section() -> str:
    parts: list[str] = []
    for file in sorted((ROOT / "db" / "views" / "analytics").glob("*.sql")):
        for kind, view, column, text in COMMENT.findall(file.read_text()):
            if kind == "view":
                link = f"../db/views/analytics/{file.name}"
                parts.append(
                    f"\n### [`analytics.{view}`]({link})\n\n{literal(text)}\n\n| column | meaning |\n|---|---|"
                )
            else:
                parts.append(f"| `{column}` | {literal(text)} |")
    return "\n".join(parts) + "\n\n"


def page() -> str:
    """docs/sql.md with the present columns."""
    before, _, rest = PAGE.read_text().partition(BEGIN)
    after = rest.partition(END)[2]
    return before + BEGIN + section() + END + after


if __name__ == "__main__":
    PAGE.write_text(page())
