"""Words and patterns of sentences about habits: frequency, situation, steps; and exclusions."""

from __future__ import annotations

from memory_service.rules.facts.clause_words import DAY
from memory_service.text.late_pattern import compile_late

_UNIT = (
    rf"(?:day|morning|evening|night|afternoon|noon|week|weekend|weekday|month|year|{DAY}|winter|summer|spring|"
    r"autumn|fall)"
)
ADVERB = (
    r"(?:almost always|nearly always|hardly ever|always|usually|normally|typically|generally|regularly|often|rarely|"
    r"seldom|mostly|never)"
)
"""How often; directly before the verb."""
_AND = r"(?:,? and |,? or |, | & )"
_DAYS = rf"{DAY}s(?:{_AND}(?:on )?{DAY}s)*"
_DAY_PARTS = rf"{DAY}s?(?:{_AND}{DAY}s?)* (?:mornings|afternoons|evenings|nights)"
FREQUENCY = (
    rf"(?:(?:every|each)(?: single| other| second| third| few)? (?:{_UNIT}s?|time)|(?:on|in the|at) "
    rf"(?:{_DAYS}|weekends|weekdays|weekday|mornings|evenings|nights|{_DAY_PARTS})|{_DAY_PARTS}|most (?:{_UNIT}s)|"
    rf"(?:once|twice|(?:\w+ )?times) an? {_UNIT}|"
    r"(?:at the (?:end|start|beginning) of (?:each|every) \w+)|(?:before|after) (?:every|each) \w+|daily|weekly|"
    r"monthly|nightly)"
)
_CLAUSE_END = r"(?=,|;|\s+(?:i|we|my wife and i|my husband and i)\b|[.!]?\s*$)"
SITUATION = compile_late(
    r"(?i)\b(?:(?:whenever|when|every time|each time|as soon as|if|before|after|while|"
    rf"at the (?:end|start|beginning) of)\s+[^,;]{{2,80}}?{_CLAUSE_END}|(?:(?:on|in) )?{FREQUENCY}\b)"
)
"""The clause that says when: "before bed", "when I travel for work", "every Sunday"."""
WHY = compile_late(r"(?i)\b(?:because|since|so that)\s+(.{3,200}?)[.!]?\s*$")
ROUTINE = compile_late(
    r"(?i)\bmy (?P<when>\w+ )?(?:routine|ritual)\s+(?:is|consists of|starts with|begins with|includes|goes)\b"
)
TRADITION = compile_late(r"(?i)\b(?:is|are)\s+(?:an?|our|my)\s+(?:\w+ )?(?:tradition|habit|ritual)\b")
IN_THE_HABIT = compile_late(
    r"(?i)\b(?:i(?:['’]m| am) in the habit of|i have (?:a|the|this) (?:\w+ )?habit of|it(?:['’]s| is) my habit to)\b"
)
APPROACH = compile_late(
    r"(?i)\bmy (?:usual|typical|standard|normal) (?:approach|way|method|process|workflow|recipe) (?:is|to|for|of)\b"
)
SKILL = compile_late(r"(?i)^to \w+[^,]{0,80},\s*i (?:first|start|begin|always|usually|then)\b")
FIRST_PERSON = compile_late(
    r"(?i)(?<![\w'’])(?:i|we|my (?:wife|husband|partner|daughter|son|kids) and i)\s+"
    rf"(?P<adverbs>(?:(?:{ADVERB}|also|just|only|still|then|first|tend to|make a point of|make sure to|"
    r"like to|love to|do not|don['’]t|first)\s+)*)(?P<verb>[a-z'’]+)"
)
"""The subject, adverbs and the first word after them."""
HABITUAL = compile_late(rf"(?i)\b(?:{ADVERB}|tend to|make a point of|make sure to)\b")
OFTEN = compile_late(
    rf"(?i)\b(?:{FREQUENCY}|(?:start|begin|end|finish) (?:my|the|our) (?:day|morning|evening|week)s? (?:with|by))\b"
)
WHENEVER = compile_late(
    r"(?i)(?:^|[,;]\s*|\s)(?:whenever|when|every time|each time|as soon as|if|before|after)\s+"
)
POINTS_ELSEWHERE = compile_late(
    rf"(?i)\b(?:i|we)\s+(?:(?:{ADVERB}|also|just|only|still|do not|don['’]t)\s+)*[a-z'’]+ (?:it|that|this|these|"
    rf"those|so|"
    rf"there)(?: (?:wrong|right|too|again|anyway|though|either|all the time|(?:on )?{FREQUENCY}))*\s*[.!]*$"
)
"""What one does is in another sentence: "I get it every week", "I always say that"."""
REACTION = compile_late(
    r"(?i)^(?:(?:and|so|but|then)\s+)?(?:whenever|every time|each time|as soon as|when|if)\s+"
    r"(?:i['’]?m?|we|someone|somebody|an?|the|my|things|it)\b[^,]{1,80}?,?\s+(?:i|we)\s+"
)
"""A sentence that begins with a situation and continues with what one does in it."""
AGAIN = compile_late(
    r"(?i)^(?:as|like) (?:usual|always|every \w+),? (?:i|we)\b|"
    r"\b(?:i|we)\s+\w+\b[^.!?]*\b(?:as usual|like every \w+|as every \w+|as always|like always)\b"
)
"""A single event that is described as usual."""
ELSEWHERE = compile_late(
    r"(?i)^(?:(?:can|could|would|will|do|does|did|should|is|are|was|were|may|might|have|has)\b|(?:what|who|where|why|"
    r"how|which)\b|(?:please|remind|remember|write|imagine|suppose|pretend|explain|tell|show|let|make|help|give|"
    r"always|never|answer|call|use)\b)|,\s(?:please |just |always |never |only )+(?:answer|reply|respond|use|write|"
    r"give|tell|show|explain|include|translate|convert|start with)\b|"
    r"\b(?:says?|said|told|tells?|claims?|thinks?|believes?) (?:that |me |him |her |them )?(?:i|we)\b|"
    r"\b(?:i|we) (?:was|were) told\b|\b(?:in the (?:film|movie|book|story|song|dream)|used to|as a (?:child|kid|"
    r"student|teenager)|when i was|when we were|back then|last (?:week|month|year|summer|winter|spring|night)|"
    r"yesterday|this (?:week|weekend|month)|now and (?:then|again)|once in a while|from time to time|(?:just|"
    r"only) (?:this )?once|for now|from now on|starting (?:today|"
    r"tomorrow|next)|once we|no longer|any ?more|next (?:week|month|year))\b"
)
"""Questions, requests, reported speech, the past and plans."""
NO_HABIT = frozenset(
    """
    was were had have has will would should could can can't cannot might may must shall want wanted wish hope
    hoped plan planned think thought guess believe believed feel felt need needed used did didn't said saw knew
    know knows am been be 'm 'd 'll 've love loved like liked hate hated prefer see told heard went came got
    gave took made found left bought met lost started began became ran ate drank slept woke drove flew wrote
    miss sent paid spent kept held wore broke spoke stood understood remember recall mean meant agree doubt suppose
    understand would've could've won't wouldn't couldn't forgave forgot threw taught
    thought caught chose grew hid led rang rose sang sat shook shot slept swam tore won wound stole swore stuck
    struck sank blew bit bent bled built burst dealt dug fed fought fled froze hung knelt laid learnt lit sought sold
    stung swept swung wept shouldn't haven't hadn't wasn't weren't isn't don't
    """.split()  # noqa: SIM905
)
"""Words after "I" that begin no habit: auxiliaries, mental states, irregular pasts."""
OPINIONS = frozenset("know think believe guess hope wish suppose doubt".split())  # noqa: SIM905
"""A sentence about what one thinks is no statement of a habit."""
STATES = frozenset("feel need love like hate see know think have do am was prefer mean".split())  # noqa: SIM905
PRESENT_ED = frozenset("need feed speed embed shred bleed heed weed proceed succeed exceed".split())  # noqa: SIM905
"""Present-tense verbs that end like a past one."""
