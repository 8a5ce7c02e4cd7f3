"""Patterns that set the agent's own instructions aside, or give it another role or another master."""

from __future__ import annotations

from memory_service.text.unicode_folding import folded

_THEIR_RULES = r"(?:instructions?|prompts?|guidelines?|directives?|directions|programming|guardrails)"
_RULES_OF_YOURS = (
    r"(?:instructions?|(?:system )?prompts?|guidelines?|directives?|programming|guardrails|rules|restrictions|"
    r"limits)"
)
_OLD = r"(?:previous|prior|earlier|preceding|old|existing|original|current|initial|system|safety|content)"
_VOID = (
    "(?:(?:null and )?void|cancell?ed|revoked|suspended|lifted|rescinded|annulled|repealed|obsolete|invalid|abolished|"
    "superseded|overwritten|overridden|terminated|nullified|withdrawn|disabled|deleted|erased|removed|no longer "
    "(?:valid|binding|in (?:force|effect)))"
)
_ARE_VOID = rf"(?:are|is|has been|have been|shall be)(?: \w+ly)?(?: now| hereby| all| henceforth)? {_VOID}\b"
_ELSEWHERE = (
    "anweisung|richtlinien|regeln|vorgaben|instruc|consignes|regles|reglas|directrices|istruz|regole|linee"
)

OVERRIDES: tuple[tuple[str, str, str], ...] = (
    (
        "overrides instructions",
        "instruct|prompt|guidel|direct|programming|guardrails|training|rules|messages|text",
        r"\b(?:ignore|disregard|forget|override|bypass|skip|drop|neglect|discard|set aside)\b(?: (?:all|any|every|the|"
        r"your|my|of|these|those|and|previous|prior|earlier|above|preceding|existing|original|system|safety|current|"
        rf"initial)){{0,6}} (?:{_THEIR_RULES}|safety (?:rules|training)|training|(?<=your )rules|(?<=previous )rules|"
        r"(?<=safety )rules|(?<=previous )messages|(?<=above )text)\b",
    ),
    (
        "overrides instructions",
        "follow|obey|apply|hold|count|bind|exist|above|before|instruct|orders|directives|prompt",
        r"\b(?:stop (?:following|obeying)|(?:do not|don[’']t|should not|must not|no longer) (?:follow|obey)) "
        r"(?:any of |all )?(?:your (?:\w+ )?(?:guidelines|instructions|rules|programming|training)|"
        r"(?:the|any) (?:\w+ )?(?:instructions|rules|guidelines|prompt) (?:that )?(?:you|above|before))\b|"
        r"\byour (?:previous |old |earlier |original |current |system )?(?:instructions|rules|guidelines|programming|"
        r"restrictions|prompt)(?: \w+)? (?:no longer|do not|don[’']t) (?:apply|hold|count|bind|exist)|"
        r"\byour (?:real|true|actual|new) (?:instructions|orders|directives|system prompt) (?:start|begin|are|"
        r"follow)\b|\beverything (?:above|before)\b[^\n.!?]{0,30} (?:was|is) (?:only |just )?an? (?:test|fake|"
        r"example)\b",
    ),
    (
        "overrides instructions",
        "instruct|prompt|guidel|direct|programming|guardrails|rules|restrict|limit",
        r"\b(?:your|(?:all |any )?(?:of )?(?:the |these |those |your )?(?:previous|prior|earlier|preceding|existing|"
        rf"system|safety|content))(?: {_OLD})? (?:{_RULES_OF_YOURS})(?: (?:above|before this|so far))? {_ARE_VOID}|"
        r"\b(?:instructions|guidelines|rules|directives) (?:above|(?:given |you got )?before (?:this|"
        rf"now)\b[^\n.!?]{{0,12}}|so far) {_ARE_VOID}|"
        r"\bthe (?:guidelines|guardrails|directives|safety rules) (?:are|have been) (?:now |hereby |all )?"
        r"(?:cancell?ed|(?:null and )?void|revoked|annulled|rescinded|nullified)"
        r"(?=\s*(?:[.,;:!\n]|$|from (?:now|today|this)|as of))|"
        rf"\b(?:consider|treat|regard) (?:all |any )?(?:of )?(?:the |your )?(?:{_OLD} ){{0,2}}(?:{_RULES_OF_YOURS})"
        rf"(?: as)?(?: being)? (?:{_VOID}|gone)\b|"
        r"\b(?:this|these|the following)(?: new)?(?: \w+)? (?:replaces?|supersedes?|overrides?|takes? precedence over) "
        rf"(?:(?:all|any|your|the|of) ){{0,3}}(?:(?:{_OLD}) (?:{_RULES_OF_YOURS})|system prompt)\b",
    ),
    (
        "overrides instructions",
        "instruct|prompt|guidel|direct|programming|guardrails|rules|restrict|polic",
        r"\byou(?: are|[’']re| have been) (?:hereby |now )?(?:released|freed|exempt(?:ed)?|relieved|"
        r"liberated|unbound) from "
        rf"(?:(?:all|any|your|the|of|content|safety|system|previous) ){{0,4}}(?:{_RULES_OF_YOURS}|polic(?:y|ies))\b|"
        r"\byou (?:do not|don[’']t|no longer|need not)(?: (?:have|need) to)? (?:follow|obey|heed|respect) "
        r"(?:any of |all )?(?:your|the system|the developer)(?: \w+)? ?(?:instructions|guidelines|rules|programming|"
        r"prompt|directives|restrictions|message)\b|"
        r"\b(?:cease|quit|stop) (?:following|obeying|heeding) (?:any of |all )?your (?:\w+ )?(?:instructions|"
        r"guidelines|rules|programming|prompt|directives|restrictions)\b|"
        r"\b(?:abandon|erase|delete|dismiss|revoke|cancel|do away with|get rid of|wipe)(?: (?:all|of|any|"
        r"the|every)){0,3} "
        rf"(?:your|{_OLD})(?: {_OLD}){{0,2}} (?:instructions?|guidelines?|prompts?|programming|guardrails|"
        r"directives?)\b|\bthrow (?:out|away) (?:all |every |any )(?:\w+ )?(?:instructions?|guidelines?|prompts?|"
        r"directives?) (?:that )?(?:you (?:got|were|had|have)|above|before)\b|"
        r"\b(?:set|put) your (?:\w+ )?(?:instructions|guidelines|programming|directives) aside\b",
    ),
    (
        "overrides instructions",
        _ELSEWHERE,
        r"\b(?:deine|alle (?:bisherigen|vorherigen|fruheren|deine)) (?:\w+ )?(?:anweisungen|richtlinien|"
        r"regeln|vorgaben) "
        r"(?:sind|gelten|wurden) (?:\w+ ){0,2}?(?:aufgehoben|ungultig|nichtig|nicht mehr|ausser kraft|außer kraft)|"
        r"\b(?:(?:tes|vos) (?:instructions|consignes|regles)|(?:instructions|consignes|regles) (?:precedentes|"
        r"anterieures)) sont (?:desormais )?(?:annulees|nulles|caduques|levees)|"
        r"\b(?:tus (?:instrucciones|reglas|directrices)(?: anteriores| previas)?|las (?:instrucciones|"
        r"reglas|directrices) (?:anteriores|previas)) (?:quedan|estan|han sido|son) (?:anuladas|canceladas|suspendidas|"
        r"revocadas|sin efecto)|"
        r"\b(?:le tue (?:istruzioni|regole|linee guida)(?: precedenti)?|le (?:istruzioni|regole) precedenti) sono "
        r"(?:annullate|sospese|revocate|nulle)",
    ),
    (
        "overrides instructions",
        "anweisung|instruk|regeln|vorgaben|instruc|consignes|regles|reglas|istruz|regole|instrucoes|"
        f"regras|regels|polecenia|talimat|regler|指|规|規|提示|命令|{folded('инструкции')}|{folded('правила')}",
        r"\b(?:ignorier\w*|vergiss|missacht\w*|ubergeh\w*|ignore[rsz]?|oublie[rz]?|olvida(?:d|te de)?|ignora(?:te|d)?|"
        r"descarta(?:d)?|dimentica(?:te)?|esqueca|desconsidere|negeer|vergeet|zignoruj|zapomnij|ignorera|glom|"
        rf"{folded('игнорируй')}(?:{folded('те')})?|{folded('забудь')}(?:{folded('те')})?)\b[^\n.!?]{{0,25}}\b(?:alle|"
        r"samtliche|deine|ihre|vorherigen|vorigen|bisherigen|fruheren|obigen|tes|vos|toutes|les|todas|tus|sus|tutte|"
        r"(?:le )?tue|suas|je|jouw|vorige|eerdere|wszystkie|poprzednie|twoje|alla|dina|"
        rf"{folded('все')}|{folded('предыдущие')}|{folded('твои')})\b[^\n.!?]{{0,25}}?\b(?:anweisungen|instruktionen|"
        r"regeln|vorgaben|(?:instructions|consignes|regles)(?= (?:precedentes|anterieures|du systeme|et\b)|[^\w ]|$)|"
        r"instrucciones|reglas|istruzioni|regole|instrucoes|regras|instructies|regels|instrukcje|polecenia|"
        rf"instruktioner|regler|{folded('инструкции')}|{folded('правила')})|"
        r"(?:忽略|无视|無視)[^。\n]{0,20}(?:指令|指示|规则|規則|提示)|(?:指示|命令|指令|規則)[^。\n]{0,8}(?:無視|忽略)|"
        r"\btalimat\w* (?:yok say|unut)",
    ),
    (
        "overrides instructions",
        "told|taught|given|instruct|attention|notice|exist|apply|safety|content|security|comply|obey|approve|"
        "grant|fulfil|tiens|tenez|gesagt|aufgetragen",
        r"\b(?:ignore|disregard|forget|pay no attention to|take no notice of|never mind|discard) (?:all |"
        r"everything )?(?:of )?"
        r"(?:what|that|everything|anything) you (?:were|have been|had been) (?:told|taught|given|instructed)\b|"
        r"\b(?:pay no attention to|take no notice of) (?:the |your |any )?(?:system|developer|previous|"
        r"earlier) (?:message|prompt|instructions?|rules)\b|"
        r"\b(?:pretend|act as if|assume|imagine) (?:that )?(?:the |your |all )?(?:rules|instructions|"
        r"guidelines|restrictions)(?: you (?:were|have been) given)? (?:do not|don[’']t|no longer) (?:exist|apply)|"
        r"\byour (?:\w+ )?(?:safety|content|security) ?(?:protocols?|filters?|rules|checks|policy|policies|guidelines|"
        r"measures|features) (?:are|is|have been|were) (?:now |hereby )?(?:disabled|off|lifted|removed|suspended|"
        r"deactivated|void)\b|\b(?:you|the (?:assistant|ai|agent|model)) (?:must|shall|will|have to)(?: now| always)? "
        r"(?:comply with|obey|approve|grant|fulfil+) (?:every|all|any|each)(?: of)?(?: \w+){0,2}? (?:requests?|orders?|"
        r"commands?|instructions?|demands?)\b|"
        r"\bne (?:tiens|tenez) pas compte d(?:es?|u) (?:tes|vos|toutes|instructions|consignes|regles)|"
        r"\b(?:vergiss|ignorier\w*) (?:alles|bitte alles),? was (?:dir|ihnen|man dir) (?:bisher |vorher "
        r")?(?:gesagt|aufgetragen)",
    ),
    (
        "overrides instructions",
        "ignore|disregard|forget|reveal|print|show",
        r"(?:ignore|disregard|forget)(?:all|your|the|previous|any){1,4}(?:instructions|rules|prompts?)|"
        r"(?:reveal|print|show)(?:me)?(?:your|the)?systemprompt",
    ),
    (
        "poses as somebody in charge",
        "speaking|treat|unlock|enter|enable|activate|switch",
        r"\bthis is (?:the|your) (?:developer|administrator|admin|system|creator|operator|owner|openai|"
        r"anthropic)(?: \w+)? speaking\b|"
        r"\btreat (?:every|all|any|each) (?:\w+ )?(?:messages?|requests?|mails?|e-mails?|orders?) "
        r"from\b[^\n.!?]{0,60}\bas "
        r"(?:if )?(?:\w+ )?(?:coming |they came |it came )?(?:from )?(?:the |an? )?(?:owner|admin\w*|trusted|verified|"
        r"system|authori[sz]ed|user)\b|"
        r"\b(?:unlock|enter|enable|activate|switch to) (?:the )?(?:admin|root|developer|maintenance|sudo) "
        r"mode (?:and|then|to) (?:\w+ ){0,2}?(?:dump|reveal|show|print|ignore|disable|bypass|give|output|answer)\b",
    ),
    (
        "assigns a new role",
        "now|longer|anything|mode|respond|behave|answer|act|pose|roleplay|pretend|bound|restricted|limited|"
        "unfiltered|uncensored|unrestricted|jailbroken|restrictions|filters|guardrails|guidelines|censorship",
        r"\byou are (?:now|no longer) (?:(?:a|an|the|my|in|called|known as|acting as|going to act as) )*(?:[\w-]+ "
        r"){0,2}?(?:dan\b|jailbroken|unrestricted|uncensored|unfiltered|developer mode|debug mode|god mode|admin mode|"
        r"root|evil|ai\b|bot\b|language model|llm\b|hacker|bound by|restricted|an assistant|terminal|shell)|"
        r"\bdo anything now\b|\b(?:dan|developer|god|jailbreak) mode (?:enabled|activated|on(?! (?:my|the|your|an?|"
        r"this|\w*(?:phone|android|windows|chrome))\b))\b|"
        r"\b(?:switch|change|go|enter|enable|activate)(?: \w+){0,2}? (?:unrestricted|unfiltered|uncensored|god|"
        r"jailbreak|dan) mode\b|"
        r"\b(?:act|respond|behave|answer) as (?:if|though) you (?:have|had|were|are) (?:no|without|not "
        r"bound|free|unrestricted)|"
        r"\bpretend (?:that )?you (?:have|had|are|were) (?:no|without|not bound|free of|unrestricted)(?: "
        r"\w+){0,3} (?:rules|restrictions|limits|filters|guidelines|constraints)|"
        r"\byou are an? (?:jailbroken|unrestricted|uncensored|unfiltered) (?:ai|assistant|model|bot|chatbot|llm)\b|"
        r"\b(?:act|respond|behave|answer|pose|roleplay) as (?:an? |the )?(?:\w+ )?(?:ai|assistant|model|chatbot|"
        r"llm)\b[^\n.!?]{0,30}\b(?:no|without|free of|unrestricted|unfiltered)(?: \w+)? (?:rules|restrictions|limits|"
        r"filters?|guidelines|ethics|constraints|morals)\b|"
        r"\byou (?:now )?(?:have no|no longer have(?: any)?|are free (?:of|from)(?: all| any)?)(?: (?:more|content|"
        r"safety|ethical|moral|other))? (?:restrictions|filters|guardrails|guidelines|censorship)\b|"
        r"\b(?:no longer|not) (?:bound|restricted|limited) by (?:your|the|any|these) (?:rules|guidelines|"
        r"instructions|restrictions|programming|policy|policies)(?! of (?:the|my|our)\b)",
    ),
)
"""Rows as in PLANTED_ORDERS."""
