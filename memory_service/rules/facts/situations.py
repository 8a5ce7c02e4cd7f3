"""The situation of an order: "when I paste code", "for commit messages"."""

from __future__ import annotations

from memory_service.rules.facts.informal_english import plainly
from memory_service.rules.facts.order_limits import ORDER_BEGINS
from memory_service.text.late_pattern import compile_late

LASTING = (
    "(?:from (?:now|here|today|this point) on(?:wards?)?|going forward|moving forward|in (?:the )?future|every time|"
    "each time|in general|as a rule|by default|whenever|at all times)"
)
SOFT = (
    "(?:(?:and|but|so|also|likewise|always, and I mean always|now|well|ok|okay|please|additionally|secondly|"
    "firstly|first|second|third|next|finally|remember|"
    "again|specifically|likewise|furthermore|moreover|actually|listen|great|in addition|for that|in your case|"
    "to get you started(?: on the right track)?|for your (?:first|next) (?:few )?tasks?|"
    f"(?-i:[A-Z][a-z]+)(?=,)|and I mean always|always, and I mean always|{LASTING})[,:]? )*"
)
_WHERE = r"(?:when(?:ever)?|if|for|in|before|after|while|as for|regarding|on|during|with|at) [^,;:]{3,70}"
_SITUATION = compile_late(
    rf"(?i)^{SOFT}(?:(?:just|only) (?=for |in |on |during ))?(?P<where>{_WHERE}?)(?: only)?(?:, |: "
    rf"(?={ORDER_BEGINS}))(?P<rest>.+)$"
)
_CONCESSION = compile_late(rf"(?i)^{SOFT}even (?:if|when) [^,;:]{{3,70}}, ")
RECURRING = (
    r"when(?:ever)? you (?:write|code|answer|reply|respond|draft|create|generate|review|translate|explain|summari[sz]e|"
    r"suggest|recommend|plan|name|refactor|document|test|quote|cite)\b(?! (?:the|this|that|these|those|it|him|her|them|"
    r"my|our|to (?:him|her|them|my|our|the))\b)"
)
"""Work that the assistant does again and again: "when you write Python", not "when you write the report"."""
_CUE = (
    r"when(?:ever)? I (?:paste|send|share|post|upload|forward|say|type|mention|ask)\b"
    r"(?! (?:this|these|those|it|them)\b)"
)
_RECURS = compile_late(rf"(?i)^(?:{RECURRING}|{_CUE})")
_TEXTS = (
    r"(?:in|for|with) (?:all |any |every |your |my |our )*(?:letters?|e-?mails?|messages?|reports?|code|commits?|"
    r"commit messages|replies|answers|documents?|texts?|posts?|recipes?|summaries|tests|essays?|translations?|invoices|"
    r"customers?|clients?)"
)
_BEGINS = r"just|please|always|never|only|don't|do not|use|write|give|keep|add|put|make"
_ORDER_FOLLOWS = compile_late(
    rf"(?i)^{SOFT}(?P<where>(?:{RECURRING}|{_CUE}|{_TEXTS})(?: (?!(?:{_BEGINS}|I|we|you|they|it|he|"
    rf"she)\b)[\w'-]+){{0,6}}) (?P<rest>(?:{_BEGINS}) .+)$"
)
"""A situation without a comma behind it: "when I paste a stack trace just tell me the cause"."""
_ACTS = (
    r"(?:use|run|commit|push|import|write|test|deploy|merge|format|lint|log|mock|name|start|end|include|put|keep|"
    r"add)"
)
_OF_CODE = (
    r"[^.;!?]{0,80}?(?:(?<=commit)|(?<=import)|(?<=deploy)|(?<=merge)|(?<=lint)|(?<=mock)|\w_\w|\w\(\)|"
    r"\w\.(?:log|py|js|ts)\b|\b(?:unwrap|eval|async|await|goto|null|var|const|globals?|tests?|mocks?|type hints|"
    r"docstrings?|semicolons?|tabs|imports?|commits?|rebase|squash|branch(?:es)?|(?:to|into|on|from) (?:main|master)|"
    r"migrations?|sql|orm|pytest|unittest|ruff|mypy|pyright|eslint|prettier|npm|pnpm|yarn|cargo|clippy|pip|uv|docker|"
    r"git|lodash|jquery|typescript|javascript|python|java|rust|golang|camelcase|decorators?|dataclasses|modules|"
    r"linters?|production|prod)\b)"
)
"""Behind its verb, an order about code."""
_PROJECT_FOLLOWS = compile_late(
    rf"(?i)^{SOFT}(?P<where>(?:for|in|on) (?:the )?(?!(?:my|our|your|his|her|their|all|any|every|short|general|"
    r"example|instance|fact|summary|addition|brief|case|particular|total|conclusion|now|once|future|me|us|you|it|that|"
    r"this|which)\b)(?:(?P<named>(?!(?:mid|long|short|pre|post|self|half|part|full|non|off|high|low)-)\w+(?:-\w+)+|"
    r"[\w-]+ (?:project|repo|repository|codebase|branch))|[\w-]+(?: (?:service|app))?))"
    rf"(?: (?P<rest>(?:please )?(?:always|never|don't) {_ACTS}\b(?(named)|(?={_OF_CODE})).+)|"
    rf": (?P<behind>(?:please )?(?:always|never|don't|no|use)\b(?(named)|(?={_OF_CODE})) .+))$"
)
"""A project or text without a comma behind it: "for kestrel never use unwrap".

Any other word ("on holiday", "in winter") is a project only before an order about code.
"""
HEADINGS = (
    r"(?:commit messages?|commits|e-?mails|mails|letters|tweets|(?:[a-z]+ )?posts|reports|pull requests|prs|slides|"
    r"newsletters|captions|readmes|docs|docstrings|comments|answers|replies|(?:variable|branch|function|file|class|"
    r"test) names|titles|headings|summaries|recipes)"
)
"""Kinds of texts for which a list of demands is given: "commit messages: imperative, no emoji"."""
_HEADED = compile_late(
    rf"(?i)^(?:for |in |in my |my |our )?(?P<what>{HEADINGS}): (?P<rest>(?=.*\b(?:no|never|always|max|don't|without|"
    r"only|use|imperative|lower ?case|short|in)\b)[^:?]{3,160})$"
)
_EMPTY_PLACE = compile_late(
    r"(?i)^(?:(?:general|addition|future|(?:now|here|today) on|your case|short|brief|summary|other words|it|example|"
    r"next ones?|instance|me|I forget|the (?:meantime|end|past|record))\b|(?:that|this)\b(?! (?:repo|repository|"
    r"project|codebase)\b))"
)
_PLACE_WORDS = compile_late(
    r"(?i)^(?:for|as for|regarding|in|on|with|at) (?:all |any |every |your |the |my |our )*"
)


def situation_of(sentence: str) -> tuple[str, str]:
    """A sentence without the situation before its order, and the situation in full: "for commit messages"."""
    text = sentence.replace("’", "'").strip().rstrip(" .!")
    text = text.strip('"“”') if text[:1] in '"“”' or text.count('"') % 2 else text
    text = _CONCESSION.sub("", text)
    if match := _HEADED.match(text):
        return match["rest"], f"for {plainly(match['what'])}"
    if match := _PROJECT_FOLLOWS.match(text):
        return match["rest"] or match["behind"], plainly(match["where"])
    for pattern in (_ORDER_FOLLOWS, _SITUATION):
        if match := pattern.match(text):
            where = _PLACE_WORDS.sub("", match["where"])
            if not _EMPTY_PLACE.match(where) and len(where) > 2:
                return match["rest"], plainly(match["where"])
    return text, ""


def is_recurring(where: str) -> bool:
    """Whether a situation is one that comes again and again: "when I paste code"."""
    return _RECURS.match(where) is not None


def parted(sentence: str) -> tuple[str, str]:
    """A sentence without its situation, and the situation: "When naming methods, always …"."""
    text, where = situation_of(sentence)
    return text, _PLACE_WORDS.sub("", where)
