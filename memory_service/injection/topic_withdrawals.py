"""Withdrawals of a user's earlier orders about the form of texts or code, which command the agent nothing: "ignore my
previous instructions about tabs, ruff does that now"."""

from __future__ import annotations

from memory_service.text.late_pattern import compile_late

_LEAD = r"(?:(?:ok|okay|so|and|but|also|actually|please|pls|just|hey|(?:can|could) you|you can)[,:]? ){0,3}"
_STATES = (
    r"(?:(?:and|but|so|because|since|as) )?(?:(?:we|i|it|they|that|this|the|our|my) [\w'’ .-]+|(?:[\w'’-]+ ){1,3}(?:is|"
    r"are|was|were|does|did|has|have|handles|takes)\b[\w'’ .-]*|(?:(?:please|just|instead) )?use [\w'’+#-]+(?: "
    r"[\w'’+#-]+){0,2})"
)
FORM = (
    r"(?:tabs|spaces|white ?space|indent\w*|semicolons?|commas|(?:single|double) quotes|quotes|braces|brackets|"
    r"line (?:lengths?|breaks?|widths?|endings?)|camel ?case|snake[_ ]?case|kebab case|naming(?: conventions?)?|"
    r"(?:variable|function|branch|file|test|class|column) names|type (?:hints|annotations)|doc ?strings?|(?:code |"
    r"inline )?comments|import (?:order|sorting)|(?:code |section )?head(?:ings?|ers?)|titles|foot(?:notes?|ers?)|"
    r"bullets?|bullet (?:points?|lists?)|numbered lists|lists|tables|emojis?|emoticons|smileys|markdown|"
    r"bold(?: text)?|italics|(?:text |code |date |time |number )?format(?:s|ting)?|layout|lengths?|(?:short|long|"
    r"brief|concise|one-line) (?:answers?|replies|responses?)|answer length|tone|(?:writing |code |coding )?style|"
    r"wording|spelling|(?:british|american) (?:spelling|english)|grammar|punctuation|exclamation (?:marks|points)|"
    r"capitals|capital letters|capitali[sz]ation|(?:lower|upper)[ -]?case|(?:metric |imperial )?units|celsius|"
    r"fahrenheit|commit messages?|commit titles|pr (?:descriptions?|titles?|templates?)|ticket numbers|"
    r"changelogs?(?: entries)?|release notes|readmes?|abbreviations|acronyms|lint(?:ing|ers?)|prettier|ruff|"
    r"eslint|recipes?|meals?|jokes|puns|small ?talk|summar(?:y|ies)|recaps|examples|diagrams|code (?:blocks|"
    r"samples|examples)|analogies|metaphors|greetings|sign-offs|nicknames)"
)
"""Matters of form and taste, an order about which protects no person."""
_WITHDRAWAL = compile_late(
    rf"{_LEAD}(?:ignore|forget|disregard)(?: (?:all|any|of|the|those|these|that|my|our|previous|prior|earlier|old|"
    r"existing)){0,5} (?:instructions?|rules?|guidelines?|directions|directives)(?: (?:that )?(?:i|we) (?:gave|told|"
    rf"set)(?: you)?)? (?:about|on|regarding|concerning) (?:(?:the|our|my|using|writing) )?{FORM}"
    rf"(?:[,;–—-]+ (?P<aside>{_STATES})|(?P<reason> (?:because|since|as) {_STATES})?)"
)
_STATEMENT = compile_late(_STATES)
_OF_AGENT = compile_late(
    r"\b(?:you\w*|agents?|ais?|assistants?|bots?|chatbots?|(?:language )?models?|llms?|machines?|systems?|prompts?|"
    r"roles?|personas?|personalit\w+|character|identit\w+|behaviou?rs?|behav\w+|conduct|safe\w*|secur\w*|harm\w*|"
    r"danger\w*|guard\w*|protect\w*|priva\w+|confiden\w+|secre\w+|sensitive|password\w*|credential\w*|tokens?|keys?|"
    r"access\w*|root|admin\w*|owners?|users?|operators?|developers?|vendors?|human\w*|anyone|anybody|everyone|"
    r"everybody|everything|anything|nothing|all|any|what\w*|who\w*|how|when|where|why|whether|not|never|no|above|below|"
    r"following|instruct\w*|rules?|guidelines?|polic\w+|restrict\w*|limit\w*|filter\w*|boundar\w+|constraint\w*|"
    r"ethic\w*|moral\w*|legal\w*|illegal\w*|law\w*|consent\w*|permi\w+|approv\w*|authori\w+|confirm\w*|verif\w*|"
    r"check\w*|ask\w*|refus\w*|declin\w*|disclos\w*|reveal\w*|shar(?:e|es|ed|ing)|leak\w*|exfil\w*|steal\w*|print\w*|"
    r"send\w*|forward\w*|upload\w*|pay\w*|money|transfer\w*|purchas\w*|bank\w*|invoice\w*|obey\w*|serv(?:e|es|ing)|"
    r"command\w*|control\w*|charge|boss|master|allow\w*|free|freely|unlock\w*|honest\w*|lie|lies|lying|truth\w*|"
    r"trust\w*|memor\w+|tools?|delet\w*|destr\w+|execut\w*|shell|sudo|backups?|weapon\w*|bomb\w*|explosi\w+|drug\w*|"
    r"poison\w*|kill\w*|suicid\w*|hack\w*|malware|virus\w*|violen\w+|hate\w*|racis\w*|sex\w*|porn\w*|nud\w+|minors?|"
    r"child\w*|medic\w*|crim\w+|fraud\w*|copyright\w*|content|topics?|webhooks?|servers?|urls?|links?|endpoints?|run|"
    r"curl|install\w*|visit|click|download\w*|post\w*|tell|say|give|do|make|call|reply|answer|respond|output|mail|"
    r"email|push|commit(?! messages?\b)|merge|open|add|act|acting|pretend\w*|be|instead of|must|should|can|may|shall|"
    r"will|now on|here on|henceforth|needs?|wants?|requires?|expects?|demands?|orders?|holds?|jailbreak\w*|"
    r"unrestricted|uncensored|dan|moderat\w*|censor\w*|sandbox\w*|eval|pii)\b"
)
"""Words of the agent's own duties, of others than the user, and of orders that follow."""
_NOT_OF_SENTENCE = compile_late(r"[^a-z0-9_\s'’+#,;.!–—-]|\w\.\w")
_BETWEEN = compile_late(r"(?<=[.!]) ")
_LONGEST = 200
_MOST_SENTENCES = 3


def beside_withdrawal(plain: str) -> str | None:
    """What a folded text in one line states beside withdrawals of orders about the form of texts or code; None for
    other texts, and where it is about the agent's duties or orders more than "use ..."."""
    if len(plain) > _LONGEST or _NOT_OF_SENTENCE.search(plain):
        return None
    parts = _BETWEEN.split(plain)
    if len(parts) > _MOST_SENTENCES:
        return None
    found, rest = False, list[str]()
    for part in parts:
        sentence = part.rstrip(".! ")
        if withdrawal := _WITHDRAWAL.fullmatch(sentence):
            found = True
            rest.append(withdrawal["aside"] or withdrawal["reason"] or "")
        elif _STATEMENT.fullmatch(sentence):
            rest.append(sentence)
        else:
            return None
    stated = ". ".join(filter(None, rest))
    return stated if found and not _OF_AGENT.search(stated) else None
