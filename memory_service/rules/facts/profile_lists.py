"""Facts of profiles that are committed as a list or a flat JSON object: "- Name: Anna", {"name": "Anna", "age": 34}.

A profile with a name is about the person of that name, one under a heading about the user about the user. Other lists
are left as they are unless they have a field that persons alone have: an opening time has none.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, cast

from memory_service.rules.facts.attributes import attribute_of
from memory_service.rules.facts.named_persons import ONE_NAME
from memory_service.text.late_pattern import compile_late
from memory_service.types import CandidateFact

_PERSONS_ALONE = frozenset(
    {"age", "pronouns", "diet", "allergic_to", "has_condition", "takes_medicine", "birthday", "birth_year", "born_in",
     "partner", "relationship_status", "pet", "child", "sibling", "preferred_name", "native_language", "nationality",
     "religion", "likes", "dislikes", "does_not_eat", "speaks", "studies", "studies_at"}
)  # fmt: skip
"""An employer and a post are in a job offer too, a place and a phone number in the profile of a company."""
_OF_PERSONS = _PERSONS_ALONE | {
    "name", "lives_in", "lives_in_country", "works_at", "works_as", "phone", "email", "address", "from", "goal",
    "prefers",
}  # fmt: skip
_TEXTS = {
    "name": "{who} is called {value}.", "lives_in": "{who} lives in {value}.",
    "lives_in_country": "{who} lives in {value}.", "works_at": "{who} works at {value}.",
    "works_as": "{who} works as {value}.", "allergic_to": "{who} is allergic to {value}.",
    "has_condition": "{who} has {value}.", "takes_medicine": "{who} takes {value}.", "speaks": "{who} speaks {value}.",
    "likes": "{who} likes {value}.", "dislikes": "{who} dislikes {value}.", "prefers": "{who} prefers {value}.",
    "does_not_eat": "{who} does not eat {value}.", "diet": "{who}'s diet is {value}.",
}  # fmt: skip
_LISTED = frozenset(
    {"allergic_to", "has_condition", "takes_medicine", "speaks", "likes", "dislikes", "does_not_eat"}
)
_LINE = compile_late(
    r"[ \t]*(?:[-*•+] |\d{1,2}[.)] )?[ \t]*(?:\*\*|__)?(?P<key>[A-Za-z][A-Za-z' /_-]{1,28}?)(?:\*\*|__)?[ \t]*:"
    r"(?:\*\*|__)?[ \t]+(?P<value>\S.{0,119})"
)
_HEADING = compile_late(
    r"(?i)[ \t#*_]*(?P<of>(?:about )?(?:the )?user(?:['’]?s)?(?: (?:profile|info(?:rmation)?|details|facts|data))?|"
    r"(?:user )?profile|personal (?:info(?:rmation)?|details))[ \t*_]*:?[ \t*_]*"
)
_OF_USER = compile_late(r"(?i)\buser|^[\W_]*(?:about )?the user")
_BESIDE = compile_late(r" ?\| ?|; ?|, (?=[A-Z][A-Za-z ]{1,24}: )")
_NO_VALUE = compile_late(
    r"(?i)(?:n/?a|not (?:given|known|specified|stated|sure)|unknown|unspecified|null|nil|-+|\?+|tbd)\W*"
)
_UNTYPED = compile_late(r"(?i)(?:none|no|yes|true|false)\b.*")
_AGE = compile_late(r"(?i)(?P<years>\d{1,3})(?: years?(?: old)?)?")
_NO_PROFILE = compile_late(r"\[redacted|[.!?] \w|https?:|[{}<>\\]")
_ITEMS = compile_late(r"(?:, (?:and )?|; )(?![^()]*\))")
_ITEMS_AND = compile_late(r"(?:, (?:and )?|; | and | & )(?![^()]*\))")
"""The second one also at "and": behind a comma, and where "and" is in no single item ("salt and vinegar crisps")."""
_NEVER_ONE = frozenset({"allergic_to", "has_condition", "takes_medicine", "speaks"})
_REMARK = compile_late(r" ?\([^()]*\)")
_EXCEPT = compile_late(r"(?i)(?:,? (?:but(?! also)|except|apart from)|, not) .*")
_NAME = compile_late(rf"{ONE_NAME}(?: (?:(?:de|van|von|der|den|di|da|la|le) ){{0,2}}{ONE_NAME}){{0,2}}")
_NOT_STORED = compile_late("[\\x00\\ud800-\\udfff]")
"""NUL and lone surrogates, which PostgreSQL stores in no text; JSON writes them as escapes."""
_FEWEST, _MOST = 2, 24
_LONGEST = 2_000


def can_be_stored(text: str) -> bool:
    """Whether PostgreSQL can store the text."""
    return _NOT_STORED.search(text) is None


def profile_facts(text: str) -> tuple[CandidateFact, ...]:
    """Return the facts of a profile, all of its fields; none where the text is anything else."""
    read = _of_json(text) if text.lstrip().startswith("{") else _of_lines(text)
    if read is None or not _FEWEST <= len(read[1]) <= _MOST:
        return ()
    of_user, fields = read
    typed = [(attribute_of(key) or "", key, value) for key, value in fields]
    if 2 * sum(attribute in _OF_PERSONS for attribute, _, _ in typed) < len(typed):
        return ()
    personal = of_user or any(attribute in _PERSONS_ALONE for attribute, _, _ in typed)
    names = [value for attribute, _, value in typed if attribute == "name"]
    typed = [one for one in typed if not _NO_VALUE.fullmatch(one[2])]
    if any(attribute == "age" and _AGE.fullmatch(value) is None for attribute, _, value in typed):
        return ()
    if len(names) > 1 or (names and _NAME.fullmatch(names[0]) is None) or not (names or personal):
        return ()
    who = names[0] if names and not of_user else "user"
    return tuple(_facts(typed, who, personal=personal))


def _facts(typed: Sequence[tuple[str, str, str]], who: str, *, personal: bool) -> Iterator[CandidateFact]:
    for attribute, key, value in typed:
        if attribute == "name" and who != "user":
            continue
        said = key.replace("_", " ").strip().lower()
        listed = attribute in _LISTED
        items = _items(attribute, value) if listed else [value]
        if listed and items and _EXCEPT.search(value):
            yield CandidateFact(f"{who}'s {said}: {value}.", who)
        for item in items:
            if _UNTYPED.fullmatch(item):
                yield CandidateFact(f"{who}'s {said}: {item}.", who)
            elif attribute == "age" and (age := _AGE.fullmatch(item)):
                yield CandidateFact(
                    f"{who} is {age['years']} years old.", who, attribute, age["years"], stated=True
                )
            else:
                form = _TEXTS.get(attribute, f"{{who}}'s {said}: {{value}}.")
                if attribute in _TEXTS and not personal:
                    form = f"{{who}}'s {said} is {{value}}."
                text = form.replace("{who}", who).replace("{value}", item)
                yield CandidateFact(
                    text, who, attribute, _REMARK.sub("", item) if listed else item, stated=True
                )


def _items(attribute: str, value: str) -> list[str]:
    """The items of a list, without what they exclude: "nuts, latex but not peanuts" has two."""
    value = _EXCEPT.sub("", value)
    split = _ITEMS_AND if attribute in _NEVER_ONE or _ITEMS.search(value) else _ITEMS
    return [item for item in split.split(value) if item]


def _of_lines(text: str) -> tuple[bool, list[tuple[str, str]]] | None:
    """The fields of a list, and whether its heading says that it is about the user."""
    if len(text) > _LONGEST or ":" not in text:
        return None
    lines = [line for line in text.splitlines() if line.strip()]
    of_user = False
    if len(lines) > 1 and (heading := _HEADING.fullmatch(lines[0])):
        of_user = _OF_USER.search(heading["of"]) is not None
        lines = lines[1:]
    if len(lines) == 1:
        lines = _BESIDE.split(lines[0])
    found: list[tuple[str, str]] = []
    for line in lines:
        match = _LINE.fullmatch(line)
        if match is None or _NO_PROFILE.search(match["value"]):
            return None
        found.append((match["key"].strip(), match["value"].strip(" *_,.")))
    return of_user, found


def _of_json(text: str) -> tuple[bool, list[tuple[str, str]]] | None:
    """The fields of a JSON object with texts, numbers and lists of texts, also of one that is its only field."""
    if len(text) > _LONGEST:
        return None
    try:
        read: Any = json.loads(text)
    except (ValueError, RecursionError):
        return None
    of_user = False
    if isinstance(read, dict) and len(cast("dict[str, Any]", read)) == 1:
        ((key, inner),) = cast("dict[str, Any]", read).items()
        if isinstance(inner, dict):
            of_user, read = _HEADING.fullmatch(key.replace("_", " ")) is not None, cast("Any", inner)
    if not isinstance(read, dict):
        return None
    found: list[tuple[str, str]] = []
    for key, value in cast("dict[str, Any]", read).items():
        values = cast("list[Any]", value) if isinstance(value, list) else [value]
        if not all(isinstance(one, (str, int, float)) and not isinstance(one, bool) for one in values):
            return None
        said = ", ".join(str(one).strip() for one in values)
        if len(key) > 30 or len(said) > 120 or _NO_PROFILE.search(said) or not can_be_stored(key + said):
            return None
        if said:
            found.append((key, said))
    return of_user, found
