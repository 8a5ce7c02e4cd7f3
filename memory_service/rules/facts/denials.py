"""Patterns of plain denials of a property or a possession, and the fact that each states.

"I'm not allergic to nuts" is no change: it contradicts an earlier fact, and only the user knows which of the two is
right. So a denial is a fact that holds, with the opposite attribute (attribute_names.py). "No longer" and "not ...
anymore" are endings (endings.py).
"""

from __future__ import annotations

from memory_service.rules.facts.clause_words import NO_ALLERGEN
from memory_service.rules.facts.patterns import ADJECTIVES, CONDITIONS, ROLES, STOP, Rows, says
from memory_service.rules.relatives import KIN

_WHO = (
    r"(?:^|[,;:(–—-]\s*|\b(?:[Aa]nd|[Bb]ut|[Ss]o|[Bb]ecause|[Ss]ince|[Nn]o|[Nn]ope|[Ww]ell|[Aa]ctually|[Ss]orry|"
    rf"(?:[Tt]urns out|[Tt]urned out|[Yy]ou know)(?: that)?)\s+)(?P<who>I|my (?:{KIN}))"
    r"(?:,? (?-i:[A-ZÄÖÜÉ])[\w’'-]*\w(?<!['’]s),?(?= (?:is|isn|has|doesn|does|was)\b))?"
)
"""Where a clause begins: "she treats me as if ..." and "I feel like I'm not ..." deny nothing."""
_SURELY = r"(?: (?:actually|really|definitely|certainly|currently|still|even|in fact|at all|also|either))*"
_AM_NOT = (
    rf"(?:(?:[’']m| am| is|[’']s){_SURELY} (?:not|NOT)| isn[’']t| ain[’']t|(?:[’']ve| have|[’']s| has) never been|"
    rf" was never){_SURELY}"
)
_HAVE_NOT = rf"{_SURELY} (?:don[’']t|do (?:not|NOT)|doesn[’']t|does (?:not|NOT)|never had){_SURELY}(?: have)?"
_END = (
    r"(?=[.,;:!?\n)]|$| (?:and|or|because|so|since|yet|either|at all|at the moment|right now|now|currently|today|"
    r"anyway|though|[-–—])(?![\w’'-]))"
)
_ALWAYS = r"(?! (?:any ?more|any longer|if|when|until|unless|while|in case|though)\b)"
_IN_JEST = (
    rf"(?:{NO_ALLERGEN})(?=[.,;:!?\n()\"“”]|$| (?:and|or|but|because|so|since|yet|either|at|in|on|with|for|from|by|of|"
    r"before|after|when|who|that|like|lol|today|[-–—])(?![\w’'-]))"
)
"""At the end of a clause or before a preposition: "people", not "people's perfume" and "morning glory"."""

DENIALS: Rows = (
    (" allergic to ", rf"{_WHO}{_AM_NOT} allergic to (?!any|every|(?:it|that|this)\b|{_IN_JEST})(?P<value>(?:(?! any "
     rf"?more\b| any longer\b| or\b)[^.,;:!?\n()\"“”]){{2,40}}?)(?:(?= or\b)|{STOP}){_ALWAYS}",
     (says("not_allergic_to", "{who} is not allergic to {value}"),)),
    (" not | NOT | never |n't |n’t ", rf"{_WHO}{_AM_NOT} (?P<value>(?i:{ADJECTIVES})){_END}",
     (says("is_not", "{who} is not {value}"),)),
    (" not a| NOT a| never been a| was never a|n't a|n’t a", rf"{_WHO}{_AM_NOT} (?P<value>an? (?!(?:[\w-]+ )*(?:fan|"
     rf"person|beginner|member)\b)(?:[\w-]+ ){{0,2}}?(?i:{ROLES})){_END}(?!, but\b)",
     (says("is_not", "{who} is not {value}"),)),
    (" have | never had ", rf"{_WHO}{_HAVE_NOT} (?P<value>(?i:{CONDITIONS})){_END}",
     (says("does_not_have_condition", "{who} does not have {value}"),)),
)  # fmt: skip
