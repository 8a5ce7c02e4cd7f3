"""Lines that a program wrote are not the writer's words: logs, diffs, rows of CSV. What stands beside them is."""

from __future__ import annotations

import pytest

from memory_service.rules.facts.sentence_facts import facts_in
from memory_service.rules.facts.user_text import own_words

LINES = [
    "commit 3f2a9c1d\nAuthor: Maya <maya@example.com>\nDate:   Tue Nov 3 10:22:01 2026\n\n    my editor is Neovim now",
    "3f2a9c1 we moved from Flask to FastAPI\na81bd22 we no longer use Redis",
    "* 3f2a9c1 (HEAD -> main) I switched to vim\n* a81bd22 Merge: we use Postgres now",
    "2026-11-03 10:22:01 INFO I moved to Berlin\n[10:22:03] ERROR I work at Aldi",
    "2026-11-03T10:22:01.123Z my name is Tom", "Nov  3 10:22:04 host sshd[22]: I live in Leeds",
    "ERROR [main] I work at Aldi", "npm ERR! my app is called foo\nnpm WARN I use node 18",
    "name,city,note\nAnna,Leeds,I am vegan\nTom,York,my dog is called Rex",
    "id;note\n1;I am vegan\n2;I moved to York", "$ cat notes.txt\nI live in Leeds\nI am vegan",
    "diff --git a/x b/x\n@@ -1 +1 @@\n-I live in York\n+I live in Leeds",
    "$ python --version\nPython 3.9.2\n$ pip list | grep Django\nI use Django 3.2.1",
    "root@box:~$ node -v\nI use Node 18",
    "fix(auth): we no longer use Redis", "> On Tue, Nov 3, 2026 at 9:12 Tom wrote:\n> I live in Leeds.\nthanks!",
    "On Tue, Nov 3, 2026 at 9:12 AM Tom Smith <tom@x.org> wrote:\n\nI live in Leeds and work at Aldi.",
]  # fmt: skip


@pytest.mark.parametrize("text", LINES)
def test_lines_of_programs_state_nothing(text: str) -> None:
    assert list(facts_in(text, None)) == []


@pytest.mark.parametrize("text", LINES[:-1])
def test_the_words_beside_them_do(text: str) -> None:
    said = {
        (fact.attribute, fact.value)
        for fact in facts_in(f"I live in Ghent.\n\n{text}\n\nI am left-handed.", None)
    }
    assert {value for _, value in said} == {"Ghent", "left-handed"}


@pytest.mark.parametrize(
    "text",
    [
        "3f2a9c1 is broken. I live in York.", "WARNING: I am allergic to nuts!", "INFO: I am allergic to nuts",
        "Note: I am vegan", "Nov 3: I moved to Berlin", "2026-11-03: I moved to Berlin",
        "10:30 I have a dentist appointment",
        "I work at Aldi,\nmy dog is called Rex,\nI live in Leeds", "i live in leeds,york,hull\nand i like tea",
        "Update: we moved from Flask to FastAPI", "- I live in Leeds\n- I am vegan", "+ I live in Leeds\n- I am vegan",
        "I paid $ 5\nI live in Leeds", "INFO I am vegan", "deadbeef was the name\nof my band",
        "I like tea, coffee\nand cake",
        "fix my bike: I am stuck\nI live in Leeds", "12:30\nI eat lunch", "1234567 is my order number",
    ],
)  # fmt: skip
def test_lines_of_a_person_stay(text: str) -> None:
    assert own_words(text) == text


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("test: I'm allergic to nuts", {("allergic_to", "nuts")}),
        ("chore: I do the dishes, I'm allergic to dust", {("allergic_to", "dust")}),
        ("ci: we use GitHub Actions", {("uses", "GitHub Actions")}),
        ("FATAL allergy: I'm allergic to nuts", {("allergic_to", "nuts")}),
        ("INFO for you: I'm vegan", {("is", "vegan")}),
        ("[12:30:00] I'm allergic to nuts", {("allergic_to", "nuts")}),
        ("12:30:00 I took my insulin and I'm diabetic", {("is", "diabetic")}),
        ("test: I'm vegan\nci: I live in Leeds", set[tuple[str, str]]()),
        ("[12:30:00] I'm vegan\n[12:30:04] I live in Leeds", set[tuple[str, str]]()),
        ("12:30:00 ERROR I live in Leeds", set[tuple[str, str]]()),
        ("fix!: I live in Leeds", set[tuple[str, str]]()),
    ],
)
def test_a_line_alone_that_speaks_of_its_writer_is_read(text: str, found: set[tuple[str, str]]) -> None:
    assert {(fact.attribute, fact.value) for fact in facts_in(text, None)} == found


@pytest.mark.parametrize(
    "text",
    [
        "My rent is 1,200 euros\nMy salary is 3,400 euros\nMy budget is 2,000 euros",
        "Rent is 1,200 euros\nSalary is 3,400 euros\nBudget is 2,000 euros",
        "I weigh 80,5 kg\nI'm 1,80 tall", "im allergic to nuts,milk,eggs\ni live in leeds,uk,england",
        "my name is Tom,im 34,from leeds\nmy wife is Ann,shes 32,from york",
    ],
)  # fmt: skip
def test_amounts_and_lists_without_spaces_are_no_rows(text: str) -> None:
    assert own_words(text) == text


def test_rows_of_numbers_may_have_a_remark() -> None:
    assert own_words("id,age,note\n1,34,I am vegan\n2,36,I live in Leeds") == ""
