"""How firmly a sentence decides, promises or plans something (gate `decision_made`; docs/design.md, "Gate").

Against DailyDialog's act `commissive`: precision .33, recall .12; keywords (will, going to, promise): .20, .19.
"""

from __future__ import annotations

from memory_service.rules.word_lists import MONTHS
from memory_service.text.late_pattern import compile_late

_DECIDED = compile_late(
    r"(?i)\b(?:(?:i|we)(?:[’']ve| have|[’']d)?(?: just| finally| both| also| now| officially)* (?:decided|agreed|"
    r"chosen|chose|committed|signed (?:up|the|a)|accepted (?:the|a|an|their)|booked|quit|resigned|enrolled|registered|"
    r"applied|made up (?:my|our) minds?|settled on|put (?:in|down) (?:an offer|a deposit|my notice)|turned down|"
    r"ordered|cancell?ed)\b|i promise\b|my decision|(?:let[’']s|we[’']ll|i[’']ll) go (?:with|for)\b|"
    r"it[’']s (?:decided|settled)|i[’']m (?:committed|determined) to\b|"
    r"ich (?:habe (?:mich )?(?:beschlossen|entschieden))\b|j[’']ai décidé\b|he decidido\b|ho deciso\b)"
)
_PROMISES = compile_late(
    r"(?i)\b(?:i|we)(?:[’']ll| will| shall)(?: definitely| certainly| surely| just| also)* "
    r"(?!(?:see|think|miss|bet|need|say|admit|guess|know|feel|love|like|want|wish|hope|believe|remember|forget|never|"
    r"always|probably|enjoy|find|lose|fail|die|try|get (?:used|sick|old|better)|turn|end up|have|let you know (?:if|"
    r"when)|be (?!there\b|here\b|back\b|expecting\b|doing\b|waiting\b|with you\b))\b)[a-z]+|"
    r"\b(?:i|we) (?:certainly |definitely )?will[.!]*$|\bleave (?:it|that) to (?:me|us)\b|\bit[’']s a deal\b|"
    r"\b(?:i|we)(?:[’']d| would) be (?:happy|glad) to\b|"
    r"\bich verspreche\b|\bje (?:te |vous )?promets\b|\bprometo\b|\bprometto\b|"
    r"\bcount (?:me in|on me|on us)\b|\byou have my word\b|"
    r"\b(?:i|we) (?:can (?:do|get|bring|help|give|send|take|lend|show|fix) (?:you|it|that|this|your)|"
    r"won[’']t let you down)\b|\bconsider it done\b"
)
_PLANS = compile_late(
    r"(?i)\b(?:i|we)(?:[’']m| am|[’']re| are)(?: really| also| now| definitely)* (?:going to|gonna|planning (?:to|on)|"
    r"starting|moving to|getting married|quitting|switching to)\b(?! (?:miss|need|love|like|die|say|guess|know)\b)|"
    r"\b(?:i|we) plan (?:to|on)\b"
)
DAY_OR_MONTH = rf"(?:\w+day|{MONTHS})"
_DATED = compile_late(
    r"(?i)\b(?:tomorrow|tonight|next \w+|this (?:week|weekend|month|year|summer|\w+day)|(?:on|by|until|in) "
    rf"(?:{DAY_OR_MONTH}|\d)|from now on|starting)\b"
)
_OPEN = compile_late(
    r"(?i)\b(?:if(?! you (?:like|want|wish|prefer)\b)|whether|wish|imagine|should i|not (?:yet )?(?:decided|sure)|"
    r"undecided|maybe|perhaps|might|haven[’']t|didn[’']t|would have|afraid|usually|often|sometimes|whenever|"
    r"every \w+)\b"
)
"""A condition, a doubt or a habit: nothing is decided in the sentence."""


def decision_in(sentence: str) -> float:
    """1.0 for a decision, 0.7 for a promise or a dated plan, 0.4 for another plan, else 0."""
    sentence = joined(sentence)
    if sentence.endswith("?") or _OPEN.search(sentence):
        return 0.0
    if _DECIDED.search(sentence):
        return 1.0
    if _PROMISES.search(sentence):
        return 0.7
    if _PLANS.search(sentence):
        return 0.7 if _DATED.search(sentence) else 0.4
    return 0.0


def joined(text: str) -> str:
    """The text with "I ' ll", as some transcripts have it, put together."""
    return _APART.sub(r"\1", text) if " '" in text or " ’" in text else text


_APART = compile_late(r"(?i)\s([’'])\s?(?=(?:ll|m|ve|re|d|s|t)\b)")
_LIFE = compile_late(
    r"(?i)\b(?:jobs?|resign\w*|notice|career|retir\w+|promotion|(?:accept|turn)\w* (?:down )?the (?:offer|position)|"
    r"mov(?:e|ed|ing) (?:in\b|out\b|to (?-i:[A-Z])\w*|back to (?-i:[A-Z])\w*|abroad|away|home)|emigrat\w+|house|flat|"
    r"apartment|mortgage|lease|marr(?:y|ied|iage)|wedding|divorc\w+|engaged|separat(?:e|ed|ing) from|split up|"
    r"break(?:ing)? up|bab(?:y|ies)|kids?|children|adopt\w*|pregnan\w+|universit\w+|college|degree|phd|master[’']?s|"
    r"drop(?:ped)? out|surgery|operation|chemo\w*|therapy|rehab|smoking|drinking|alcohol|vegan|vegetarian|meat|"
    r"citizenship|visa|convert\w* to|transition|found(?:ed|ing)? (?:a|my|our) (?:company|business)|my own (?:company|"
    r"business|shop|studio)|funeral|forgive|testament|inheritance|army|military|sobriety|sober|quit(?:ting)? (?:my|"
    r"the) (?:job|band|team|course))\b"
)


def changes_life(sentence: str) -> bool:
    """Whether the sentence is about work, home, family, health or faith."""
    return _LIFE.search(sentence) is not None
