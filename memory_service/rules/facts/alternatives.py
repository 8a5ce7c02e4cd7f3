"""Preferences that exclude each other: window and aisle seats, "tea over coffee" and "coffee over tea".

A preference for anything else may stand beside the former ones.
"""

from __future__ import annotations

from memory_service.text.late_pattern import compile_late

_MEETINGS = r"appointment|meeting|call|flight|class|lesson|session|train|shift|interview|workout"
_CHOICES = tuple(
    (attribute, compile_late(rf"(?i)^{pattern}$"))
    for attribute, pattern in (
        ("preferred_seat", r"(?:(?:to sit|sitting) (?:in|on|at|by|near) )?(?:an? |the )?(?P<value>window|aisle|middle)"
         r"(?: seats?)?(?: (?:on|in) (?:the |a )?(?:planes?|flights?|trains?))?"),
        ("preferred_theme", r"(?:an? |the |using )?(?P<value>dark|light) (?:modes?|themes?)"),
        ("preferred_{kind}_time", rf"(?:an? )?(?P<value>(?:(?:early|late) )?(?:morning|afternoon|evening|night)|"
         rf"early|late) (?P<kind>{_MEETINGS})(?:e?s)?"),
        ("preferred_indentation", r"(?P<value>tabs|spaces)(?: for indentation)?"),
        ("preferred_payment", r"(?:to pay |paying )?(?:in |by |with )?(?P<value>cash|card|credit card|"
         r"bank transfer|invoice)"),
        ("preferred_contact", r"(?:to be (?:contacted|reached)|contact|communicating|communication|being contacted) "
         r"(?:by|via|over|through|on|in) (?P<value>e-?mail|phone|text|text message|sms|whatsapp|letter|post|"
         r"signal|chat)"),
        ("preferred_water", r"(?P<value>still|sparkling|tap) water"),
        ("preferred_wine", r"(?P<value>red|white) wines?"),
        ("preferred_milk", r"(?P<value>oat|soy|almond|rice|coconut|whole|skimmed|semi-skimmed) milk"
         r"(?: in (?:his|her|their|my) (?:coffee|tea))?"),
        ("preferred_bed", r"(?:an? )?(?P<value>twin|double|queen|king)(?:[ -]size)? beds?"),
    )
)  # fmt: skip
"""Attributes of one value; a `kind` in the pattern is part of the attribute."""
_WORDS = r"[a-z][\w'-]*(?: [a-z][\w'-]*)?"
_COMPARED = compile_late(
    rf"(?i)^(?!to |not )(?P<one>{_WORDS}) (?:over|rather than|instead of|to) (?:the |an? )?(?P<other>{_WORDS})$"
)
_NO_COMPARISON = compile_late(
    r"^(?:[a-z].* (?-i:to|over) (?:the |an? )?(?-i:[A-ZÄÖÜÉ])|.* (?:to|over) (?:\d|(?:an|one|two|three|four|five|six|"
    r"seven|eight|nine|ten|twelve|twenty|thirty|fifty|a hundred) (?:\w|$)|easy\b))"
)
"""Places, means and amounts: "flights to Rome", "meetings over Zoom", "films over two hours", "eggs over easy"."""
_FUNCTION_WORD = compile_late(
    r"(?i)(?:^| )(?:to|it|that|this|them|him|her|you|me|the|an?|all|any|over|else|not|be|have|do|go|get|see|use|and|or|"
    r"when|if|with|in|on|at|for|weekends?|time|everything|anything|other|others)(?= |$)"
)
"""Words that leave open which two things are compared: "coffee over everything"."""


def choice_of(preferred: str) -> tuple[str, str] | None:
    """The attribute and value of a preference that ends the former one: ("preferred_seat", "aisle")."""
    text = " ".join(preferred.split()).rstrip(".!").lower()
    if alone := _alone(text):
        return alone
    match = None if _NO_COMPARISON.match(" ".join(preferred.split())) else _COMPARED.match(text)
    if match is None or _FUNCTION_WORD.search(match["one"]) or _FUNCTION_WORD.search(match["other"]):
        return None
    one, other = match["one"], match["other"]
    known, unlike = _alone(one), _alone(other)
    if known and unlike and known[0] == unlike[0]:
        return known
    if one == other or one.split(" ")[0].endswith("ing") != other.split(" ")[0].endswith("ing"):
        return None
    either = "_or_".join(sorted(name.replace(" ", "_").replace("'", "") for name in (one, other)))
    return f"preferred_{either}", one


def _alone(text: str) -> tuple[str, str] | None:
    for attribute, pattern in _CHOICES:
        if match := pattern.match(text):
            kind = match.groupdict().get("kind") or ""
            return attribute.format(kind=kind), match["value"]
    return None
