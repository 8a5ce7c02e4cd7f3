"""Statements that a request to forget takes back with its reason: "forget that I'm allergic to nuts, the test was
negative".

A request without a reason states nothing (rules/gate/forgetting.py).
"""

from __future__ import annotations

from typing import NamedTuple

from memory_service.text.late_pattern import LatePattern

_IT = r"(?:it|that|this)"
_WHY = (
    r"(?:(?:the|my|his|her|their) (?:[\w-]+ )?(?:tests?|results?|diagnosis|biopsy|scans?|blood ?work) (?:was|were|is|"
    r"are|came back|turned out) (?:negative|clear|wrong|fine|normal|a mistake)|"
    rf"{_IT}(?:['’]?s| is| was| has)(?: not| no longer| never)(?: been)? (?:true|right|correct|the case|so|real|"
    rf"accurate|valid)|{_IT} (?:isn['’]?t|wasn['’]?t) (?:true|right|correct|the case|so|real|accurate)|"
    rf"{_IT}(?:['’]?s| is| was)(?: all| just)? (?:wrong|false|over|gone|outdated|a mistake|an error|a misdiagnosis|"
    r"a joke|off|history|a lie|cancel+ed|a false alarm|a typo)|"
    rf"{_IT} (?:has |['’]s )?changed|i(?:['’]?m| am) (?:not|no longer)(?: any ?more)?(?=\s*(?:[.!,;]|$))|"
    r"i (?:don['’]?t|do not)(?: any ?more)?(?=\s*(?:[.!,;]|$))|"
    r"i (?:was|am) (?:wrong|mistaken|joking|kidding|misdiagnosed)|i made (?:a mistake|that up|it up)|"
    r"(?:i['’]?m )?not (?:true|doing (?:it|that)|any ?more)(?: any ?more)?|no longer (?:true|the case|valid)|"
    rf"(?:{_IT} )?turn(?:s|ed) out (?:that )?(?:{_IT}|i)(?:['’]?s| is|['’]?m| am| was)(?: not|n['’]t)"
    r"(?: [\w-]+){0,2}|"
    r"(?:false alarm|misdiagnosis|wrong diagnosis)\b)"
)
_TAKEN_BACK = LatePattern(
    r"(?i)(?:^|[.!?\n]\s{0,3})(?:(?:please|pls|ok|okay|oh|so|and|actually|hey|you can|can you|could you|just|now)[,:]? "
    r"){0,3}forget (?:about )?(?:(?:the (?:part|bit|thing) )?(?:that|when i (?:said|told you)(?: that)?|what i (?:said|"
    r"told you)(?: about)?(?: that)?) )"
    r"(?P<what>(?:(?:i|my|we|our|the|having|being)\b|i['’]m|im\b)[^.!?\n;]{2,80}?)"
    rf"(?:\s?[,.;:–—-]{{1,2}}\s{{1,2}}|\s(?:because|since|as|cause|cos)\s)"
    rf"(?:(?:because|since|as|actually|it turns out) )?"
    rf"(?P<why>{_WHY})(?=\s*(?:[.!,;)\n]|$|\bnow\b|\banyway\b|\bsorry\b|\bany ?(?:more|longer)\b))"
)


class TakenBack(NamedTuple):
    """A statement that is no longer true, and the text around the request to forget it."""

    what: str
    rest: str


def taken_back(text: str) -> TakenBack | None:
    """Return the statement that the text takes back, or None where it gives no reason or only requests to forget."""
    if "orget" not in text or (match := _TAKEN_BACK.search(text)) is None:
        return None
    what = match["what"]
    what = f"I am {what[6:]}" if what.lower().startswith("being ") else f"{what[:1].upper()}{what[1:]}"
    return TakenBack(f"{what}.", f"{text[: match.start()]} {text[match.start('why') :]}".strip())
