"""Statements that a request to forget takes back with its reason: "forget that I'm allergic to nuts, the test was
negative".

A request without a reason states nothing (rules/gate/forgetting.py).
"""

from __future__ import annotations

from typing import NamedTuple

from memory_service.text.late_pattern import LatePattern
from memory_service.types import CandidateFact

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
_WRONG = (
    rf"{_IT}(?:['’]s| is| was) (?:just |simply |all )?(?:wrong|not (?:true|right|correct)|incorrect|nonsense|false|a "
    r"mistake)"
)
_LEAD = r"(?:(?:but|no|oh|hey|sorry|actually|well|wait|hm+),? ){0,2}"
_NEVER_SAID = LatePattern(
    rf"(?i)(?:^|[.!?\n;]\s{{0,3}}){_LEAD}I never (?:said|claimed) (?:that )?"
    r"(?P<what>(?:I|I['’]m|my|we|our)\b(?: (?:am|was|were|are|have|had)\b)?(?: (?:allergic|intolerant) to\b| (?:live|"
    r"lived|work|worked) (?:in|at|for|as)\b)?(?: (?!(?:but|though|although|even|because|cause|cos|since|as|at|to|on|in|"
    r"when|if|while|for|before|until|till|out|just|only|so|unless|like|by|with|around|and)\b)[\w'’-]{1,30}){1,4})"
    rf"(?=\s{{0,3}}[.!]{{0,3}}\s{{0,3}}$|[,.;!]\s{{1,3}}(?:{_WRONG}\s{{0,3}}[.!]{{0,3}}\s{{0,3}}$|I said\b))"
)
_ANOTHERS = LatePattern(
    rf"(?i)(?:^|[.!?\n;]\s{{0,3}}){_LEAD}(?:btw,? )?(?:(?:that|the (?:thing|bit|part|message|"
    r"line))(?: (?:one|thing|bit|part|message))? (?:with|about) (?:the |my |an? )?(?P<what>[\w-]{1,30}(?: [\w-]{1,30})"
    r"{0,2}?) was (?:actually )?(?:my|an?|our) (?:[\w'’-]{1,30} ){1,4}?(?:typing|writing|using my \w{1,20}|on my "
    r"(?:phone|laptop|computer|account)),? (?:and )?not me\b|"
    r"(?:I have )?(?:no idea|don['’]t know|dunno) where you (?:got|get|have) (?:the|that|this|my|an?) "
    r"(?P<what2>[\w-]{1,30}(?: [\w-]{1,30}){0,2}?) from[,.;!]? {1,2}(?:because |since |as )?I (?:don['’]?t|do not) "
    r"have (?:it|one|that|any)\b)"
)
_ALLERGY = LatePattern(r"(?i)^allergy to | allergy$")
_PRESENT = {"was": "am", "were": "are", "had": "have", "lived": "live", "worked": "work", "took": "take"}
_DENIED_AS_WRONG = LatePattern(
    rf"(?i)^{_LEAD}(?:{_WRONG}|you(?:['’]ve)? (?:got|have) (?:that|it|me) wrong|I never said (?:that|so|it)|"
    r"(?P<mine>(?:(?:it )?turns out )?I was (?:wrong|mistaken)(?: about (?:it|that|this|(?P<allergy>(?:the|my) "
    r"(?:(?:food|bad|severe|whole) )?(?:(?P<to>[a-z]+(?: [a-z]+)?) )?allergy)))?))"
    r"\s?(?:[.!]{1,3}$|$|[,;:–—-]\s?(?:because |and |but )?(?=(?:I|I['’]m|my|we)\b))"
)


def denied_values(denial: CandidateFact, sentence: str, before: str) -> tuple[str | None, ...]:
    """Return the values of earlier statements that a denial retracts: "that's wrong, I'm not vegan", or "That's wrong."
    before it; none if it retracts nothing.

    "I was wrong." as a sentence may be about any other matter. "I was wrong about my nut allergy" retracts no other
    allergy, and no diet; "I'm not allergic to nuts" after it retracts "nut" and "nuts".
    """
    match = _DENIED_AS_WRONG.match(sentence)
    if match is None:
        match = _DENIED_AS_WRONG.match(before)
        if match is None or match.end() < len(before) or (match["mine"] and not match["allergy"]):
            return ()
    elif match.end() == len(sentence):
        return ()
    if match["allergy"] is None:
        return (denial.value,)
    if denial.attribute != "not_allergic_to" or denial.value is None:
        return ()
    if match["to"] is None:
        return (denial.value,)
    named = match["to"].lower()
    same = named.removesuffix("s") == denial.value.lower().removesuffix("s")
    return tuple(dict.fromkeys((denial.value, named))) if same else ()


class TakenBack(NamedTuple):
    """A statement that is no longer true, and the text around the request to forget it."""

    what: str
    rest: str


def taken_back(text: str) -> TakenBack | None:
    """Return the statement that the text takes back, or None where it gives no reason or only requests to forget."""
    if "never " in text and (match := _NEVER_SAID.search(text)):
        who, verb, *rest = f"{match['what']} ".split(" ", 2)
        what = " ".join((who, _PRESENT.get(verb, verb), *rest)).strip()
        return TakenBack(f"{what}.", f"{text[: match.start()]} {text[match.end() :].lstrip(' ,')}".strip())
    if ("not me" in text or "not mine" in text or "where you " in text) and (match := _ANOTHERS.search(text)):
        what = match["what"] or match["what2"]
        to = _ALLERGY.sub("", what)
        about = f"I have {what}" if to == what else f"I am allergic to {to}"
        return TakenBack(f"{about}.", f"{text[: match.start()]} {text[match.end() :].lstrip(' ,')}".strip())
    if "orget" not in text or (match := _TAKEN_BACK.search(text)) is None:
        return None
    what = match["what"]
    what = f"I am {what[6:]}" if what.lower().startswith("being ") else f"{what[:1].upper()}{what[1:]}"
    return TakenBack(f"{what}.", f"{text[: match.start()]} {text[match.start('why') :]}".strip())
