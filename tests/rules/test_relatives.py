"""Words for relatives: SQL and Python name the same ones."""

from __future__ import annotations

import re
from pathlib import Path

from memory_service.rules import relatives

FUNCTIONS = Path(__file__).parents[2] / "db" / "functions"
ONE_WORD = re.compile(r"'\{([\w,]+)\}'\) then '(\w+)'")
PARTNERS = re.compile(r"\((partner\|[a-z|]*?)(?:\|fianc\\w\*)?\)")


def test_sql_reduces_the_names_of_parents_and_grandparents_to_the_same_word() -> None:
    source = (FUNCTIONS / "facts" / "kin_word.sql").read_text("utf-8")
    in_sql = {role: set(words.split(",")) for words, role in ONE_WORD.findall(source)}
    lists = (relatives.MOTHER, relatives.FATHER, relatives.GRANDMOTHER, relatives.GRANDFATHER)
    assert in_sql == {role: set(words) for role, *words in (one.split("|") for one in lists)}
    assert set(re.findall(r"= '(\w+)' then", source)) < set(relatives.PETS.split("|"))


def test_sql_takes_the_same_words_for_a_partner() -> None:
    own = set(relatives.PARTNER.split("|")) - {"fianc[ée]e?"}
    found = [
        (file.name, own ^ set(words.split("|")))
        for file in sorted(FUNCTIONS.rglob("*.sql"))
        for words in PARTNERS.findall(file.read_text("utf-8"))
    ]
    assert len(found) > 2
    assert [(name, missing) for name, missing in found if missing] == []
