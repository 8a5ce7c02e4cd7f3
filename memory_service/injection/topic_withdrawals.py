"""Withdrawals of a user's earlier orders about one topic, which command the agent nothing: "ignore my previous
instructions about tabs, ruff does that now"."""

from __future__ import annotations

from memory_service.text.late_pattern import compile_late

_LEAD = r"(?:(?:ok|okay|so|and|but|also|actually|please|pls|just|hey|(?:can|could) you|you can)[,:]? ){0,3}"
_STATES = (
    r"(?:(?:and|but|so|because|since|as) )?(?:(?:we|i|it|they|that|this|the|our|my) [\w'’ .-]+|(?:[\w'’-]+ ){1,3}(?:is|"
    r"are|was|were|does|did|has|have|handles|takes)\b[\w'’ .-]*|(?:(?:please|just|instead) )?use [\w'’+#-]+(?: "
    r"[\w'’+#-]+){0,2})"
)
_TOPIC = (
    r"(?:(?:the|our|my|using|writing) )?(?!(?:and|or|then|but|to)\b)[\w'’+#-]+(?: (?!(?:and|or|then|but|to|with)\b)"
    r"[\w'’+#-]+){0,2}?"
)
_WITHDRAWAL = compile_late(
    rf"{_LEAD}(?:ignore|forget|disregard)(?: (?:all|any|of|the|those|these|that|my|our|previous|prior|earlier|old|"
    r"existing)){0,5} (?:instructions?|rules?|guidelines?|directions|directives)(?: (?:that )?(?:i|we) (?:gave|told|"
    r"set)"
    rf"(?: you)?)? (?:about|on|regarding|concerning) (?P<matter>{_TOPIC}(?:[,;–—-]+ {_STATES}|"
    rf" (?:because|since|as) {_STATES})?)"
)
_STATEMENT = compile_late(_STATES)
_OF_AGENT = compile_late(
    r"\b(?:you\w*|agents?|ais?|assistants?|bots?|chatbots?|(?:language )?models?|llms?|machines?|systems?|prompts?|"
    r"roles?|"
    r"personas?|personalit\w+|character|identit\w+|behaviou?rs?|behav\w+|conduct|safe\w*|secur\w*|harm\w*|danger\w*|"
    r"guard\w*|protect\w*|priva\w+|confiden\w+|secre\w+|sensitive|password\w*|credential\w*|tokens?|keys?|access\w*|"
    r"root|admin\w*|owners?|users?|operators?|developers?|vendors?|human\w*|anyone|anybody|everyone|everybody|"
    r"everything|anything|nothing|all|any|what\w*|who\w*|how|when|where|why|whether|not|never|no|above|below|following|"
    r"instruct\w*|rules?|guidelines?|polic\w+|restrict\w*|limit\w*|filter\w*|boundar\w+|constraint\w*|ethic\w*|"
    r"moral\w*|"
    r"legal\w*|illegal\w*|law\w*|consent\w*|permi\w+|approv\w*|authori\w+|confirm\w*|verif\w*|check\w*|ask\w*|refus\w*|"
    r"declin\w*|disclos\w*|reveal\w*|shar(?:e|es|ed|ing)|leak\w*|exfil\w*|steal\w*|print\w*|send\w*|forward\w*|"
    r"upload\w*|pay\w*|"
    r"money|transfer\w*|purchas\w*|bank\w*|invoice\w*|obey\w*|serv(?:e|es|ing)|command\w*|control\w*|charge|boss|"
    r"master|"
    r"allow\w*|free|freely|unlock\w*|honest\w*|lie|lies|lying|truth\w*|trust\w*|memor\w+|tools?|delet\w*|destr\w+|"
    r"execut\w*|shell|sudo|backups?|weapon\w*|bomb\w*|explosi\w+|drug\w*|poison\w*|kill\w*|suicid\w*|hack\w*|malware|"
    r"virus\w*|violen\w+|hate\w*|racis\w*|sex\w*|porn\w*|nud\w+|minors?|child\w*|medic\w*|crim\w+|fraud\w*|"
    r"copyright\w*|"
    r"content|topics?|webhooks?|servers?|urls?|links?|endpoints?|run|curl|install\w*|visit|click|download\w*|post|tell|"
    r"say|give|do|make|call|reply|answer|respond|output|mail|email|push|commit(?! messages?\b)|merge|open|add|act|"
    r"acting|pretend\w*|be|instead of|must|should|can|may|shall|will|now on|here on|henceforth)\b"
)
"""Words of the agent's own duties, of others than the user, and of orders that follow."""
_NOT_OF_SENTENCE = compile_late(r"[^\w\s'’+#,;.!–—-]|\w\.\w")
_BETWEEN = compile_late(r"(?<=[.!]) ")
_LONGEST = 200
_MOST_SENTENCES = 3


def withdraws_topic(plain: str) -> bool:
    """Whether a folded text in one line withdraws orders about a topic and else only states something.

    The topic is none of the agent's own, such as safety or its role, and no other order follows but "use ...".
    """
    if len(plain) > _LONGEST or _NOT_OF_SENTENCE.search(plain):
        return False
    found = False
    parts = _BETWEEN.split(plain)
    if len(parts) > _MOST_SENTENCES:
        return False
    for part in parts:
        sentence = part.rstrip(".! ")
        withdrawal = _WITHDRAWAL.fullmatch(sentence)
        if _OF_AGENT.search(withdrawal["matter"] if withdrawal else sentence):
            return False
        if withdrawal is None and _STATEMENT.fullmatch(sentence) is None:
            return False
        found = found or withdrawal is not None
    return found
