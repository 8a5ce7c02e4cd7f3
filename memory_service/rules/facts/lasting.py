"""The probability that a sentence states a lasting fact: a logistic regression over features of its surface.

The weights are in lasting.json, fitted by `python -m tests.bench.quality.fit_lasting` on the project's labelled
chats.
"""

from __future__ import annotations

import json
import math
from functools import cache
from importlib import resources

from memory_service.rules.facts.clause_words import DAY
from memory_service.rules.word_lists import MONTHS
from memory_service.text.late_pattern import LatePattern
from memory_service.text.text_cache import text_cache

_MONTH = rf"{MONTHS}|jan|feb|sept|oct|nov|dec"
_KIN = (
    r"mother|father|mum|mom|mam|dad|sister|brother|wife|husband|son|daughter|kids?|children|partner|girlfriend|"
    r"boyfriend|fianc\w+|nephew|niece|grand\w+|nan|aunt|uncle|cousin|parents|in-laws|twins?|baby"
)
_OTHERS = (
    r"friend|boss|manager|colleague|neighbou?r|flatmate|roommate|landlord|landlady|therapist|doctor|physio|"
    r"teacher|team|company|office|dog|cat|puppy|kitten"
)
_BEGINNING = (
    r"^(?:(?:and|but|so|also|then|now)[,:]? )*(?:I|we|(?:me|[A-Z]\w+) and (?:I|\w+)|(?:my|our|his|her)"
    r"(?: [\w'-]+){1,3}?|[A-Z][a-z]+)(?:'ve|'s|'m| have| has| had| just| also| now| only| always| still| finally| mostly|"
    r" recently| never| don't| doesn't| can't| cannot){0,3} "
)
"""Subject, auxiliary and adverbs before the verb of a sentence."""
_SIGNS: dict[str, str] = {
    "begins I am": r"^I(?:'m| am)\b",
    "begins I have": r"^I(?:'ve| have)\b(?! to\b)",
    "begins I have been": r"^I(?:'ve| have) (?:\w+ )?been\b",
    "begins I will": r"^I(?:'ll| will)\b",
    "begins I present": r"^I (?:also |always |usually |only |never |still |really |mostly |do |don't )*(?!was|had|did|"
    r"went|am|have|think|guess|know|mean|hope|see|want|need|would|could|can|will|should|might|just|got|feel|told|said|"
    r"asked|made|tried|saw|found|took|came|thought|felt|forgot|lost|\w+ed\b)[a-z]+\b",
    "begins I past": r"^I (?:just |also |never |finally |then |once |even )*(?:was|had|did|went|got|told|said|asked|"
    r"made|tried|saw|found|took|came|thought|felt|forgot|\w+ed)\b",
    "begins I think": r"^I (?:just |also |really )*(?:think|guess|know|mean|hope|see|feel|wonder|suppose|believe|wish|"
    r"bet)\b",
    "begins I want": r"^I (?:just |also |really |don't |do not )*(?:want|need|would|could|should|can|might|"
    r"may)\b|^I'd\b",
    "begins my": r"^(?:my|our)\b",
    "begins we": r"^we\b",
    "begins with a name": r"^[A-ZÀ-Þ][a-zà-ÿ]+(?:'s)? (?:is|was|has|and|works|lives|had|will|can|does|got|just|"
    r"wants|needs)\b|^[A-ZÀ-Þ][a-zà-ÿ]+'s\b",
    "begins with he or she": r"(?i)^(?:and |but |so )?(?:he|she|they)\b",
    "begins with it or that": r"(?i)^(?:and |but |so )?(?:it|that|this|these|those|there)\b",
    "speaks of self": r"(?<![\w'])(?:I|me|my)(?![\w])",
    "speaks of we": r"(?i)(?<![\w'])(?:we|our|us)(?![\w])",
    "speaks of you": r"(?i)(?<![\w'])(?:you|your|yours)(?![\w])",
    "points": r"(?i)(?<![\w'])(?:this|that|it|these|those|one)(?![\w])",
    "kin": rf"(?i)\b(?:{_KIN})\b",
    "others": rf"(?i)\b(?:{_OTHERS})\b",
    "number": r"\d",
    "money": r"[$€£]|\b(?:euros?|dollars|pounds|k a year|per month|a month)\b",
    "clock": r"\b\d{1,2}(?::\d\d|\s?[ap]m)\b",
    "month": rf"(?i)\b(?:{_MONTH})\b",
    "day of month": rf"(?i)\b(?:\d{{1,2}}(?:st|nd|rd|th)|(?:{_MONTH}) \d{{1,2}}|\d{{1,2}} (?:{_MONTH}))\b",
    "year": r"\b(?:19|20)\d\d\b",
    "weekday": rf"(?i)\b{DAY}\b",
    "weekdays": rf"(?i)\b{DAY}s\b|\b(?:every|each|once a|twice a|times a) \w+",
    "since": r"(?i)\bsince\b|\bfor (?:\w+ ){0,2}(?:years|months|decades)\b|\b(?:years|months) now\b",
    "from now on": r"(?i)\b(?:from now on|in (?:the )?future|going forward|next time|by default|every time|whenever|"
    r"permanently|for good)\b",
    "change": r"(?i)\b(?:no longer|any ?more|instead|switch\w*|changed?|moved|moving|quit|left|stopped|given up|"
    r"gave up|new|used to|now)\b",
    "today": r"(?i)\b(?:today|tonight|tomorrow|yesterday|this (?:morning|evening|afternoon|week|weekend)|just now|"
    r"right now|last night|later|in a minute|at the moment|soon)\b",
    "habit": r"(?i)\b(?:always|never|usually|normally|often|mostly|generally|twice|rarely)\b",
    "taste": r"(?i)\b(?:love|hate|prefer|favou?rite|allergic|can't stand|like|enjoy|dislike|fan of|afraid|scared)\b",
    "rule": r"(?i)\b(?:only|no|not|never|always|must|except|unless|rule|don't)\b",
    "was": r"(?i)\b(?:was|were|had|did|went|said|told|got|came|took)\b",
    "am": r"(?i)\b(?:am|is|are)\b|'(?:m|re)\b",
    "has": r"(?i)\b(?:have|has|own|got)\b|'ve\b",
    "perhaps": r"(?i)\b(?:would|could|should|might|may|maybe|perhaps|think|guess|probably|wonder|if|hope|suppose|"
    r"wish|seems?)\b|'d\b",
    "will": r"(?i)\b(?:will|going to)\b|'ll\b",
    "not": r"(?i)\b(?:not|no|never|nothing)\b|n't\b",
    "health": r"(?i)\b(?:allerg\w*|doctor|gp|hospital|diagnos\w*|migraines?|pills?|mg|tablets?|knee|hip|back pain|"
    r"heart|blood|surgery|operation|therap\w*|physio|diabet\w*|asthma|pregnan\w*|vegan|vegetarian|gluten|lactose|meds|"
    r"medication|glasses|hearing|insulin|stroke|cancer|intoleran\w*|coeliac|celiac|epilep\w*|wheelchair|due)\b",
    "work": r"(?i)\b(?:work\w*|jobs?|shifts?|hired|quit|retire\w*|teach\w*|stud(?:y|ies|ying|ent)|course|degree|"
    r"uni|university|school|exam|contract|salary|apprentice\w*|freelanc\w*|career|promotion|promoted)\b",
    "home": r"(?i)\b(?:live[sd]?|living|moved?|moving|flat|apartment|house|rent|street|town|city|village|born|"
    r"grew|floor|garden)\b",
    "tools": r"(?i)\b(?:use|uses|using|python|java\w*|typescript|react|docker|postgres\w*|server|laptop|phone|"
    r"iphone|pixel|linux|windows|mac\w*|git\w*|repo|deploy\w*|database|version|stack|app|car|van|bike|"
    r"camera|tablet|printer)\b",
    "names": r"(?i)\b(?:called|named|name|name's|names)\b",
    "step": r"(?i)\b(?:plan\w*|goal|dream|booked|signed up|decided|wedding|trip|saving|start(?:s|ed|ing)|join\w*|"
    r"bought|sold|adopted|married|engaged|broke up|accepted|passed|enrolled|registered)\b",
    "request": r"(?i)^(?:and |now |ok |then |so )*(?:please |can you |could you )?(?:write|give|make|show|explain|"
    r"help|tell|find|list|check|fix|add|remove|rewrite|translate|suggest|create|draft|do|put|try|send|"
    r"look|let's|let|run|update|change|compare|plan|go|say|read|start|keep)\b",
    "no request": r"(?i)^(?:and |but )*(?:don't|do not|never|always|no|stop|use|call|avoid|skip|only|answer|reply)\b",
    "reply": r"(?i)^(?:yes|no|yeah|ok|okay|thanks|thank|great|good|nice|perfect|cool|wow|haha|sorry|sure|right|"
    r"done|fine|exactly|true|agreed|love|ha|hm+|oh)\b",
    "reaction": r"(?i)\b(?:thanks|thank|perfect|great|haha|lol|sorry|funny|exactly|fine|weird|stupid|honestly|god|"
    r"hell|damn|shit)\b",
    "mood": r"(?i)\b(?:feel\w*|tired|happy|sad|angry|nervous|excited|proud|cried|crying|laugh\w*|bored|stressed|"
    r"exhausted|annoy\w*|lonely)\b",
    "task": r"(?i)\b(?:error|bug|line|file|test|function|code|list|draft|version|sentence|paragraph|email|letter|"
    r"recipe|answer|question|idea|option|point|word|text)s?\b",
    "name inside": r"(?<=[a-z,] )[A-Z][a-zà-ÿ]+",
    "two names inside": r"(?<=[a-z,] )[A-Z][a-zà-ÿ]+.*(?<=[a-z,] )[A-Z][a-zà-ÿ]+",
    "quote": r"[\"“…]",
    "code": r"[`{}<>=/_]|\.\w{2,4}\b",
    "exclaims": r"!",
    "aside": r"(?i)\(|\bby the way\b|\bbtw\b",
    "because": r"(?i)\b(?:because|since|so)\b",
    "in a place": r"\b(?:in|at|from|near|to) (?:the )?[A-Z][a-z]+",
    "asks inside": r"(?i)\b(?:can|could|would|will) (?:you|u)\b|\bI (?:wonder|should like to know|would like to know|"
    r"want to know|'d like to know)\b|\b(?:make|give|tell|show|explain to|remind|help|write|find) me\b|"
    r"\b(?:what|how) (?:is|are|do|does|to|can|should|would|much|many)\b|\?",
    "rates": r"\b(?:is|are|was|were|'s)(?: \w+)? (?:better|lovely|nice|good|bad|great|worse|best|worst|fun|true|fine|"
    r"easy|hard|cold|warm|beautiful|cute|ugly)\b",
    "gives reason": r"(?i)\b(?:because of|because|due to|thanks to)\b",
    "decided": r"(?i)\b(?:decided|chosen|chose|agreed|planned|booked|confirmed|signed)\b",
    "person told": r"(?i)\b(?:he|she|his|her|they|their|him)\b",
    "somebody says": r"(?i)\b(?:says?|said|tells?|told|thinks?|thought|asked|asks|wonders?|wants? to know|reckons?|"
    r"claims?|writes?|wrote|explained|called me)\b",
    "lasting verb": _BEGINNING
    + r"(?:lives?|works?|teach(?:es)?|owns?|keeps?|runs?|plays?|drives?|uses?|eats?|drinks?|wears?|speaks?|grows?|"
    r"sings?|sung|stud(?:y|ies)|takes?|prefers?|sleeps?|maintains?|manages?|handles?|deploys?|builds?|writes?|cooks?|"
    r"bakes?|swims?|swum|smokes?|rents?|shares?|practi[cs]es?|volunteers?|commutes?|cycles?|collects?|paints?|suffers?|"
    r"tolerates?|trains?|learns?|belongs?|go(?:es)?|weighs?|visits?|rings?|calls?|starts?|begins?|ends?)\b",
    "change verb": _BEGINNING
    + r"(?:moved|left|joined|switched|replaced|quit|sold|bought|adopted|dropped|gave up|"
    r"given up|started|finished|swapped|retired|became|become|married|separated|broke up|split|lost|inherited|resigned|"
    r"stopped|graduated|qualified|changed|enrolled|signed up|hired|sacked|fired|divorced|took up|taken up|passed|failed|"
    r"ended|decided|cancelled|upgraded|migrated|accepted|booked|died|born|diagnosed|opened|closed|promoted)\b",
    "passing verb": _BEGINNING
    + r"(?:got|gets?|need|see|saw|tried|try|wrote|made|make|asked|clicked|found|restarted|put|"
    r"think|feel|felt|know|meant|read|looked|waited|came|went|watched|ate|cooked|slept|told|said|heard|met|took|brought|"
    r"forgot|remember|gave|sent|called|drove|walked|laughed|cried)\b",
}
_COMPILED = {name: LatePattern(pattern) for name, pattern in _SIGNS.items()}
_WORD = LatePattern(r"[\w'’]+")
_TELLS = LatePattern(
    r"(?<![\w'’])(?:I|[Ww]e|[Mm]y|[Oo]ur|me|us)(?![\w])|(?<=[a-z,] )[A-Z][a-zà-ÿ]+|^[A-ZÀ-Þ][a-zà-ÿ]+(?:'s)? (?:is|"
    r"was|has|and I|works|lives|had|will|can|does|got|wants|needs)\b"
)
_WITHOUT_REFERENCE = LatePattern(
    r"(?i)^(?:and |but |so |or |then )*(?:it|that(?!'s (?-i:[A-Z][a-z]))|this|these|those|there|what|which|he|she|they|you|same|"
    r"because|like|if|when|unless)\b"
)
_PASSING = LatePattern(
    r"(?i)^(?:and |so |but |now )*(?:I'm|I am|we're|we are|(?:I|we)(?:'ve| have) been)(?: \w+ly| also| kind of| sort of| a bit| "
    r"just| still| now| currently| so| very| quite| super| pretty)* (?:trying|thinking (?:of|about)|looking (?:for|at|into|"
    r"forward)|concerned|worried|stressed|overwhelmed|wondering|having (?:trouble|issues|problems|a hard)|struggling|"
    r"feeling|considering|curious|confused|unsure|not (?:entirely |quite |really )?sure|not clear|excited|stuck|interested in|"
    r"hoping|nervous|eager|keen to|ready to|aware|open to|in the (?:process|middle) of)\b"
    r"|^(?:and |but |so |now )*(?:let's|let us|see (?:if|what|how|whether)|don't|can|could|would|how|what|why|below|"
    r"looks? like|looking forward|good job|no point|makes? sense|sounds|thanks|keen to|based on|"
    r"(?:I|we)(?:'ll| will) (?:definitely )?(?:make sure|try|let you)|(?:I|we) (?:understand|reckon))\b"
)
"""A question, order or concern of the moment. None of 194 sentences of the labelled chats that are kept and right begins
so; a third of those that BEAM's users write does."""
_REFERS_OR_DOUBTS = LatePattern(
    r"(?i)^(?:and |but |so )*(?:I|we)(?:'ve| have| had)? (?:bought|seen|got|made|did|done|found|sold|tried|used|kept|"
    r"left) (?:it|one|them|this|that)\b|\b(?:maybe|perhaps|to be honest|I'd say|I would say|would've|would have)\b|"
    rf"^(?:spring|summer|autumn|winter|{MONTHS})'s\b|^for the (?:last|next|first) \w+ \w+s\b|^\w+ more (?:days|weeks|"
    r"months)\b"
)
"""An object named before, doubt, a season, a time that passes: of 200 sentences that were kept 7 are so, none of them
right."""
FEWEST_WORDS, MOST_WORDS = 4, 40


def signs_of_lasting(sentence: str) -> list[float]:
    """Return the features of a sentence in plain wording (informal_english.py), in the order of `feature_names`."""
    count = len(_WORD.findall(sentence))
    return [
        *(1.0 if pattern.search(sentence) else 0.0 for pattern in _COMPILED.values()),
        min(count, 25) / 25,
        1.0 if count < 6 else 0.0,
        1.0 if count > 25 else 0.0,
    ]


def feature_names() -> list[str]:
    return [*_SIGNS, "words", "short", "long"]


def is_candidate(sentence: str) -> bool:
    """Whether the sentence is about its speaker or a named person, and is understood without the one before."""
    return (
        FEWEST_WORDS <= len(_WORD.findall(sentence)) <= MOST_WORDS
        and _TELLS.search(sentence) is not None
        and _WITHOUT_REFERENCE.match(sentence) is None
        and _PASSING.match(sentence) is None
        and _REFERS_OR_DOUBTS.search(sentence) is None
    )


@cache
def _fitted() -> tuple[tuple[float, ...], float, float]:
    text = resources.files("memory_service.rules.facts").joinpath("lasting.json").read_text(encoding="utf-8")
    table = json.loads(text)
    return tuple(table["weights"][name] for name in feature_names()), table["bias"], table["keep_at"]


@text_cache(256)
def lasting_probability(sentence: str) -> float:
    """Return the probability, 0..1, that a careful listener would record this sentence as a fact."""
    weights, bias, _ = _fitted()
    total = bias + sum(w * x for w, x in zip(weights, signs_of_lasting(sentence), strict=True) if x)
    return 1 / (1 + math.exp(-total))


def is_lasting(sentence: str) -> bool:
    return is_candidate(sentence) and lasting_probability(sentence) >= _fitted()[2]
