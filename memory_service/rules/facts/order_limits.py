"""Limits of an order: words for one occasion or a period, and a request in the same message."""

from __future__ import annotations

from memory_service.rules.word_lists import COUNT, DAY, DAY_OR_MONTH, TASK_VERBS
from memory_service.text.late_pattern import compile_late

_PERIOD = r"(?:morning|afternoon|evening|week|weekend|month|quarter)(?!['’]s)"
_ONE = (
    r"(?:sentence|paragraph|part|line|title|section|e-?mail|story|poem|function|text|case|file|method|class|script|"
    r"module|task|ticket|checklist|document|draft|table|list|message|answer|reply|question|conversation|chat|session|"
    r"thread|exercise|chapter|article|essay|letter|post|pr|pull request|commit|hotfix|demo)"
)
_MOMENT = (
    rf"(?:this (?:time|{_PERIOD}|{_ONE})|for now|for the moment|just this once|for (?:just )?this one|this one time|"
    rf"in this one|this one {_ONE}|(?<!from )today(?!['’]s)|today['’]s {_ONE}|tonight|(?<!on )tomorrow|right now|the "
    rf"(?:next|coming) (?:{_ONE}|word|(?:few |couple of |{COUNT} )?(?:minutes|hours|days|weeks?|weekend|months?))|the "
    rf"rest of (?:the|this) (?:day|{_PERIOD}|{_ONE})|for once)"
)
FOR_NOW = rf"(?:{_MOMENT}|yet)"
"""Words of an order's clause that limit it to one text, one conversation or the present."""
_LEAD = r"(?:(?:please|pls|ok|okay|so|and|but|also|hey|just|only|at least|maybe)[, ]+)*"
ORDER_BEGINS = (
    r"(?:please|pls|always|never|only|just|don['’]?t|do not|no|use|answer|reply|respond|write|speak|talk|keep|be|stop|"
    r"avoid|skip|suggest|give|show|explain|call|add|put|make|leave|you (?:can|should|must))\b"
)
_LIFTED_BY_SPEAKER = (
    r"(?:(?:I|we)(?: explicitly|['’]ve| have)? (?:say|said|tell|told|ask|change|let|decide|revoke|stop|lift|approve|"
    r"confirm|agree|okay|review|check|see)|you (?:are|hear)|further notice|told|otherwise|notified)"
)
"""Ends that the speaker sets later or that come with each occasion, so that an order with one holds without a limit."""
_LIMITED = compile_late(
    rf"(?i)^{_LEAD}(?:(?:(?:for|in|on|during|with) )?(?:just |only )?(?:the )?{_MOMENT}(?: only)?(?: ?[:,–—-]| "
    rf"(?={ORDER_BEGINS}))|(?:until|till) (?!{_LIFTED_BY_SPEAKER}))|"
    rf"\b(?:until|till) (?:(?:the )?(?:end|start|beginning|middle) of |(?:(?:this|next|early|late|mid) )?(?:the )?"
    rf"(?:{DAY_OR_MONTH}|{DAY}|week|weekend|month|quarter|year|sprint|semester|term|holidays|christmas|easter|summer|"
    r"autumn|winter|spring|tomorrow|tonight|then)\b(?!s)|[^,;:]{2,40}? (?:is|are) (?:over|back|finished|behind us)\b|"
    r"I(?:['’]m| am| get| come) back\b|I return\b|the (?:release|launch|demo|workshop|meeting|move|migration|freeze|"
    r"audit|"
    r"exam|trip|wedding|conference|deadline)s?(?=$|[.,;:!]))"
)


def is_limited(sentence: str) -> bool:
    """Whether a sentence begins with a limit or names the day or event until which it holds: "just today: …"."""
    return _LIMITED.search(sentence) is not None


LASTS = compile_late(
    r"(?i)\b(?:from (?:now|here|today|this point) on|in (?:the )?future|going forward|moving forward|next time|in "
    r"general|generally|by default|as a (?:rule|default)|always|never|ever|every|each time|any ?more|at all times|"
    r"again|stop|quit|enough|no more|whenever|when (?:I|you|we)|with me|(?:talk|speak|write|reply) to me|from you|all "
    r"(?:your|of|my|our)|(?:your|in) (?:\w+ ){0,2}(?:answers|replies|responses|messages|explanations|e-?mails|outputs|"
    r"texts|suggestions|summaries)|(?:short|brief|concise|plain|simple|direct|honest|long|detailed) (?:answers|"
    r"replies|responses|messages|explanations))\b"
)
"""Words with which an order holds for more than the request beside it."""
_ACTS = (
    rf"(?:{TASK_VERBS}|rename|port|optimi[sz]e|test|analy[sz]e|outline|brainstorm|edit|shorten|expand|finish|extract|"
    r"classify|format|parse|solve|prove|read|run|set up|change|replace|document|clean up|prepare|compose|rephrase|"
    r"reword|paraphrase|polish|sketch|deploy|migrate|sort)"
)
"""TASK_VERBS and verbs that may also begin a statement: "Read two books"."""
_TASK = compile_late(
    r"(?i)^\W*(?:(?:ok(?:ay)?|so|and|but|now|hey|hi|hello|thanks|thank you|also|please|pls|then|first|next|quick "
    r"(?:one|question)|great|cool)[,.!:]* ){0,3}(?:(?:can|could|would|will) (?:you|u) (?:please )?(?:just )?|"
    r"(?:I|we)(?:['’]d like| would like| want| need) you to |let['’]?s )?"
    rf"(?:{_ACTS} (?!(?:in|like|as|me (?:if|when)|things|everything|stuff|back|sure)\b)\S|"
    r"(?:I|we)(?: just| also)?(?: need| want|['’]d like| would like|['’]m looking for| am looking for) (?:an?|some|"
    r"help|ideas|to (?:know|understand))\b)"
)
_QUESTION = compile_late(
    r"(?i)^(?!\W*(?:(?:hi|hey|hello)\b\W*)?(?:how (?:are you|is it going|do you do)|how['’]s (?:it going|life)|"
    r"what['’]?s up|you there|are you there|ok(?:ay)?|right|got it|understood|deal|alright|(?:is )?that (?:ok|okay|"
    r"clear|"
    r"possible)|what (?:should|can|do) (?:I|we|you) (?:do|think|say))"
    r"\b[^?]{0,20}\?)[^?]{6,}\?\W*$"
)


def is_task(sentence: str) -> bool:
    """Whether a sentence asks the assistant for one piece of work or for an answer: "Review this PR."."""
    return not LASTS.search(sentence) and (
        _TASK.match(sentence) is not None or _QUESTION.match(sentence) is not None
    )
