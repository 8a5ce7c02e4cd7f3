"""Patterns of sentences that state a strong feeling: only these are high emotion by one sentence alone."""

from __future__ import annotations

import re

from memory_service.rules.relatives import CLOSE_RELATIVES, PETS
from memory_service.text.late_pattern import compile_late

LEAST = 0.65
"""The least strength of such a sentence, positive or negative."""
_OWN = compile_late(r"\b(?:I|[Mm]y|[Mm]e|[Ww]e|[Oo]ur|i[’'])\b")
_KIN = (
    rf"(?:{CLOSE_RELATIVES}|grand\w+|"
    r"baby|child|mutter|mama|vater|papa|frau|mann|sohn|tochter|bruder|schwester|oma|opa|freundin|freund|kind|hund|"
    r"katze|mère|maman|père|femme|mari|fils|fille|frère|s(?:œ|oe)ur|mamie|papi|amie?|bébé|enfant|chien|chat)"
)
_NO_THING = rf"(?!['’]s(?! (?:{CLOSE_RELATIVES}|{PETS})\b))"
"""Lookahead: "I lost my dad's watch" is no grief, "I lost my dad's cat" is."""
_CRISIS = compile_late(
    r"\b(?:i|we)\b[^.!?]{0,40}\b(?:can(?:no|[’'])t stop crying|(?:want(?:ed)?|going|wanna) (?:to )?(?:die(?! laugh| "
    r"of laugh)|kill myself|end my life)|(?:don[’']?t|do not) want to (?:live|be alive|exist)\b|end(?:ing)? it all|"
    r"(?:kill|killing|hurting|harming|cutting) myself|can(?:no|[’'])t go on (?:like this|living|any ?more))|"
    r"\blife (?:is not|isn[’']t|is no longer) worth living|\bno reason (?:left )?to live\b|"
    rf"\b(?:lost|buried|burying) (?:my|our) {_KIN}\b{_NO_THING}|\blost the baby\b|"
    r"\b(?:nicht (?:mehr )?aufhören zu weinen|(?:will|möchte|mag|wollte) (?:einfach )?nicht mehr leben|(?:will|möchte|"
    r"wollte) (?:nur noch |einfach )?sterben|mich umbringen|mir das leben nehmen|ich kann nicht mehr(?=\s*(?:[.,!…]|"
    r"$))|fehlgeburt|selbstmord|suizid\w*)|"
    rf"\b(?:mein|unser)\w{{0,2}} (?:\w+ )?{_KIN}\b[^.!?]{{0,40}}\b(?:gestorben|verstorben|tot|beerdigt)\b|"
    rf"\b(?:mein|unser)\w{{0,2}} {_KIN} (?:verloren|beerdigt)\b|"
    r"\b(?:arrêt\w+ (?:pas )?de pleurer|(?:veux|voulais) plus vivre|(?:envie de|veux|voulais) mourir|me suicider|"
    r"n[’']en peux plus(?! d)|fausse couche)\b|"
    rf"\b(?:mon|ma|mes|notre|nos) {_KIN}\b[^.!?]{{0,20}}\b(?:est|sont) (?:mort|décédé)e?s?\b|"
    rf"\bperdu (?:mon|ma|notre) {_KIN}\b"
)
"""Phrases of grief and despair in lower case; in German and French the first person is part of the pattern."""
_CRISIS_STEMS = (
    "stop crying", " die", "kill", "my life", "to live", "alive", "exist", "it all", "myself", "go on", "lost ", "buri",
    "burying", "worth living", "weinen", "leben", "sterben", "storben", "umbring",
    "nicht mehr", "fehlgeburt", "selbstmord", "suizid", " tot", "beerdigt", "verloren", "pleurer", "plus vivre",
    "mourir", "suicider", "peux plus", "fausse", "mort", "décéd", "perdu",
)  # fmt: skip
_VEHICLE = r"(?:car|bus|truck|lorry|van|tram|train|taxi|motorbike|motorcycle|scooter|bike|cyclist|driver)"
_HARM_DONE = (
    r"(?:fire (?:broke out )?(?:in|at) (?:my|our) (?:house|home|flat|apartment|building|kitchen|street)|"
    r"(?:my|our) (?:house|home|flat|apartment|building) (?:burn(?:ed|t) (?:down|out)|was (?:flooded|destroyed|"
    rf"broken into))|{_VEHICLE} (?:hit|ran over|knocked down|crashed into) (?:me|us|my \w+)|"
    rf"(?:hit|run over|knocked (?:down|over)) by an? {_VEHICLE}|"
    r"(?:had|was in|were in|survived) an? (?:bad |terrible |serious )?(?:(?:car |bike )?(?:accident|crash)|"
    r"heart attack|stroke|seizure|overdose)|"
    r"(?:i|we) (?:was|were|(?:have )?been|got) (?:robbed|mugged|burgled|stabbed|raped|evicted|"
    r"evacuated|kidnapped)(?! (?:by|of))|"
    r"rushed to (?:the )?hospital|(?:in|into) (?:intensive care|a coma)|emergency surgery|nearly (?:died|drowned))"
)
_JOY_DONE = (
    r"(?:(?:wept|weep|cr(?:y|ied|ying)|sobb(?:ed|ing)) (?:with|for|from|out of|tears of) (?:joy|happiness)|"
    r"(?:asked (?:me|him|her) to marry (?:me|him|her|them)|asked for my hand|proposed to (?:me|him|her))|"
    r"(?:i|we) (?:just )?(?:got|are|were) (?:engaged|married)(?! (?:in|with) (?:a|the|this|that|my)\b)|"
    r"(?:my|our) (?:wedding day|(?:first )?(?:baby|child|son|daughter|grand(?:child|son|daughter)) "
    r"(?:was|is|has been) born(?! to\b))|(?:i|we)(?:[’']m| am|[’']re| are) pregnant|"
    r"(?:is|am|are|was|were|been) (?:cancer[- ]free|in remission)|found (?:him|her|them) alive)"
)
"""Life events (after Holmes and Rahe's list of 1967), in whatever tone they are stated."""
_BAD = compile_late(
    rf"(?i)\b(?:{_HARM_DONE}|devastat\w+|heartbroken|heartbreaking|broke my heart|furious|terrified|panic\w*|hopeless|"
    r"suicid\w+|worst (?:day|week|year|thing|night)|died|passed away|funeral|grie(?:f|ving)|miscarriage|cancer|"
    r"can(?:no|[’'])t stop crying|cried (?:all|for|myself)|hate myself|so (?:scared|angry|sad|ashamed|lonely|hurt)|"
    r"humiliat\w+|betrayed|desperate|miserable|traumati[sz]\w+|assault\w*|got fired|laid off|lost my (?:job|home|house|"
    rf"(?:{CLOSE_RELATIVES}|{PETS}){_NO_THING})|lost everything|broke up|"
    r"left me(?! (?:an?|the|no|some|two|any|with|in|on|at|out|my|his|her|this|that)\b)|breakdown)\b"
)
_GOOD = compile_late(
    rf"(?i)\b(?:{_JOY_DONE}|ecstatic|overjoyed|over the moon|thrilled|elated|euphoric|best (?:day|week|year|night|"
    r"moment|news|thing) (?:of (?:my|our) li(?:fe|ves)|ever)|happiest|dream come true|tears of joy|so (?:happy|excited|"
    r"proud|grateful|in love) (?:to|that|about|of my|for my|because|i|with)|got engaged|getting married|we(?:[’']re|"
    r" are) (?:expecting|having a baby)|gave birth|got the job|can[’']t believe (?:i|we) (?:won|got|did|made)|"
    r"i (?:just |finally |actually )?(?:won(?![’'])|passed (?:my|the|all(?: my| the)?) (?:\w+ ){0,2}(?:exams?|tests?|"
    r"finals|bar|course|interview|class|defen[cs]e|board|audition)|passed(?=\s*(?:[.,!;]|$)))|madly in love|"
    r"head over heels)\b"
)
_DENIED = compile_late(
    r"(?i)(?:\b(?:not|never|nobody|no one|none|without|no longer|hardly|nearly|almost|if|unless|whether)|"
    r"n[’']t)\b(?! (?:only|just)\b)(?: \w+){0,3} ?$"
)
"""In the clause before such a phrase: it is not so, or not yet."""


def outcry(sentence: str, score: float) -> float | None:
    """Return the valence, -1..1, of a sentence that states a strong feeling or a life event, else None.

    `score` is VADER's compound of the sentence."""
    if _in_crisis(sentence):
        return -max(LEAST, -score)
    if not _OWN.search(sentence):
        return None
    if score < 0.4 and _states(_BAD, sentence):
        return -max(LEAST, abs(score))
    if score >= 0 and _states(_GOOD, sentence):
        return max(LEAST, score)
    return None


def _states(pattern: re.Pattern[str], sentence: str) -> bool:
    """Whether the pattern is in the sentence and not denied there."""
    found = pattern.search(sentence)
    return found is not None and _DENIED.search(sentence, max(found.start() - 40, 0), found.start()) is None


def _in_crisis(sentence: str) -> bool:
    """Whether the sentence states grief or despair, which VADER misses in polite words ("I can't stop crying")."""
    lowered = sentence.lower()
    for stem in _CRISIS_STEMS:
        if stem in lowered:
            return _CRISIS.search(lowered) is not None
    return False
