"""Patterns that imitate the frame of a prompt or a tool call, ask for the system prompt, or plant an order."""

from __future__ import annotations

from memory_service.text.unicode_folding import folded

_READER = r"(?:(?:ai|language|chat) ?)?(?:ai|llm|assistant|agent|model|chatbot|bot)s?"

_STOP = r"[\n.!?;:,]|\b(?:and|but|then)\b"
_KEPT_BACK = (
    r"\b(?:never|not|don[’']?t)(?: ever)?(?: to)? (?:send|share|give|grant|delete|remove|book|buy|order|spend|pay|"
    r"commit|"
    r"push|deploy|merge|run|install|change|edit|modify|move|post|publish|tweet|e-?mail|message|text|call|contact|reply|"
    r"respond|write|schedule|cancel|sign|submit|forward|upload|make|take|do|use|add|create|overwrite|rename|invite|"
    r"accept|approve|reserve|touch|start|offer|quote|promise|answer|close|open|restart|drop|release|update|upgrade|"
    r"agree|replace|export|import|reschedule)\b"
)
_ACTS = rf"(?:^|{_STOP})(?:(?!{_STOP}|{_KEPT_BACK})[\s\S])*?"
"""A clause that forbids nothing: "never send anything without asking the user" has a person decide."""

PLANTED_ORDERS: tuple[tuple[str, str, str], ...] = (
    (
        "reaches for the system prompt",
        f"system|above|hidden|initial|developer|secret|sistema|{folded('системный')}",
        r"\b(?:reveal|print|show|repeat|output|leak|display|give|tell|dump|expose|recite|translate|"
        r"summarize|write out)\b(?: \w+){0,3}? (?:your|the) (?:\w+ ){0,2}?"
        r"(?:system (?:prompt|message|instructions)|hidden (?:prompt|instructions)|initial (?:prompt|"
        r"instructions)|developer (?:prompt|message)|secret instructions)|"
        r"\b(?:repeat|print|output|recite) (?:all |everything )?(?:the )?(?:words|text|instructions|everything|"
        r"lines) above\b[^\n.!?]{0,20}\b(?:start|verbatim|from|word for word|beginning|in full)|"
        r"\b(?:zeig\w*|gib|nenn\w*|montre[rz]?|affiche[rz]?|revele[rz]?|muestra|revela|mostra|mostre|toon|pokaz|"
        rf"{folded('покажи')})\b[^\n.!?]{{0,30}}(?:system-?(?:prompt|nachricht)|systeemprompt|prompt (?:du "
        rf"|de |do |del )?(?:systeme|sistema)|{folded('системный промпт')})|"
        r"\bnew system (?:prompt|instructions?|message)\s*:|(?:^|\n)\W{0,6}(?:system|developer)(?: prompt|"
        r" message)?\s*:\s*(?:you|ignore|always|never|from|do|the user|the assistant|override|new (?:objective|goal|"
        r"task|polic(?:y|ies)|rules?|orders?|instructions?))",
    ),
    (
        "imitates the frame of a prompt",
        "<|##|```|inst|system|assistant|ai|model|admin|begin|start|end|developer",
        r"<\|[^|<>\n]{2,40}\|>|\[/?inst\]|<</?sys>>|</?(?:system|system_prompt|system-reminder)>|```\s*system\n|(?:^|"
        r"\n)#{2,}\s*(?:system|instruction|new instructions?)\s*:?\s*(?:\n|$)|<instructions?>[^<]{0,200}\b(?:the user|"
        r"users?['’])|\bsystem override\b\W{0,3}[:\n-]|\b(?:begin|start|end) (?:of )?(?:system|developer|admin) "
        r"(?:message|prompt|instructions?)\b|"
        r"(?:^|\n)\W{0,6}(?:assistant|ai|model)\s*:[^\n]{0,120}\b(?:ignore|disregard|without|no longer)\b[^\n]{0,40}"
        r"\b(?:my|the) (?:rules|instructions|guidelines|restrictions)\b",
    ),
    (
        "imitates the frame of a prompt",
        "role|<|[|![|end|start|begin|##|instructions|note|order|message|command",
        r"[\"']role[\"']\s?:\s?[\"'](?:system|developer)[\"']|"
        r"[\"']role[\"']\s?:\s?[\"']assistant[\"']\s?,\s?[\"']content[\"']\s?:|"
        r"(?:^|\n)\W{0,4}role\s?:\s?(?:system|developer)\s?\n\s?content\s?:|</?(?:system|assistant|developer|agent|ai|"
        r"llm|model|admin|hidden|secret)[_ -]?(?:prompt|instruction|message|directive|rule|override|reminder|note|"
        r"command)s?\b[^>\n]{0,80}>|</?(?:assistant|developer)>|\[/?(?:system|assistant|developer)[_ -]?(?:prompt|"
        r"instructions?|message)\]|"
        r"(?:^|\n)\W{0,6}\[(?:system|admin|administrator|developer|internal|assistant|tool)\b[^\n\]]{0,30}\]"
        r"(?=[^\n]{0,160}\b(?:skip|you|assistant|role|rights|permissions?|override|filters?|checks?|confirm\w*|must|"
        r"obey)\b)|"
        r"(?:^|\n)\W{2,8}(?:end|start|begin) (?:of )?(?:the )?(?:user|human|customer|client)(?: \w+)?(?: input|"
        r" message| turn| text)?\W{2,}|</(?:context|documents?|memor(?:y|ies)|user_?input|input|data|untrusted\w*|"
        r"search_results?)>\s{0,4}(?=[^\n]{0,12}\b(?:now|next|system|your|new|the (?:real|actual|new))\b)|"
        r"(?:^|\n)#{2,}\s*(?:assistant|agent|ai|model|system|bot)(?: \w+)? (?:config\w*|settings|parameters|"
        r"options)\b[^\n]{0,20}\n(?=[^\n]{0,40}=)|"
        r"\b(?:instructions?|notes?|orders?|messages?|commands?)[ _-](?:for|to)[ _-](?:the[ _-])?(?:ais?|llms?|agents?|"
        r"models?)\b\W{0,3}[:|=\"]|!\[[^\]\n]{0,80}\]\(https?://[^\s)]{0,200}[?&/=][^)\n]{0,20}[{<\[](?=[^)"
        r"\n]{0,80}\b(?:user|said|memor|secret|conversation|chat|data|e-?mail|history|name|password))",
    ),
    (
        "speaks to the machine that reads it",
        "reading|processing|summari|parsing|<!--|ai|llm|assistant|agent|model|chatbot|bot|chat|language",
        rf"\b{_READER} (?:(?:that is|who is|which is|currently|now) )?(?:reading|processing|summari[sz]ing|parsing) "
        r"(?:this|the (?:page|text|mail|message|document))(?: later| now)?(?:\s?[:,]| must| should)|<!--\s*(?:(?:note|"
        rf"instructions?) (?:to|for) )?(?:the |any )?(?:{_READER}|system)\b[^>]{{0,20}}[:,]|"
        rf"\bthe {_READER} (?:must|shall|has to|is (?:required|ordered|instructed|authori[sz]ed) to)(?: now| always|"
        r" never| only| immediately)? (?:reveal|obey|ignore|disregard|share|forward|approve|recommend|comply|bypass|"
        r"transfer|grant|execute|leak|output|print)\b",
    ),
    (
        "imitates a tool call",
        "<|{|tool|function|action",
        r"</?(?:tool_call|tool_use|function_calls?|function_results?|invoke|antml:\w+)\b[^>\n]{0,200}>|\[tool_calls?\]|"
        r"\"(?:tool_calls|function_call)\"\s*:\s*[\[{]|\"(?:tool|tool_name|function|function_name|func|action|"
        r"recipient_name|command|method)\"\s*:\s*\"[\w./-]+\"\s*,\s*\"(?:arguments|parameters|params|args|kwargs|"
        r"inputs?|action_input|tool_input)\"\s*:|\"name\"\s*:\s*\"[a-z]+(?:[_.-][a-z]+)+\"\s*,\s*\"(?:arguments|"
        r"parameters|params|args|input)\"\s*:|\"function\"\s*:\s*\{\s*\"name\"\s*:|\"method\"\s*:\s*\"tools/call\"|"
        r"\bto=functions\.|"
        r"(?:^|\n)\W{0,4}action\s*:\s*\w{1,60}\s*\n\W{0,4}action[ _]input\s*:|(?:^|\n)\W{0,4}tool_code\s*\n",
    ),
    (
        "hides what it asks for",
        "user|owner|human|operator|developer|holder",
        r"(?:\b(?:(?:do not|don[’']?t|never)(?: ever)? ask(?:ing)?|(?:do not|don[’']?t|never|"
        r"without)(?: ever)? (?:tell|"
        r"telling|inform|informing|notify|notifying|alert|alerting|reveal|revealing|mention|mentioning|disclose|"
        rf"disclosing|show))|{_ACTS}\bwithout(?: ever)? ask(?:ing)?)"
        r"(?: (?:this|it|that|anything|about|of|to|any)){0,4} (?:the |any )?(?:user|owner|human|operator|"
        r"developer|account holder)s?\b(?! (?:group|manual|meeting|guide|conference|interface|"
        r"test|stor(?:y|ies)|experience|research|stud(?:y|ies)))",
    ),
    (
        "hides what it asks for",
        "now|secretly|silently|covertly",
        r"\bfrom now on\b[^\n.!?]{0,120}\b(?:always|must|will|never)\b[^\n]{0,160}\b(?:never|do not|"
        r"don[’']?t|without) (?:ever )?(?:tell|reveal|mention|admit|disclose|inform|telling)\b|"
        r"\b(?:from now on|whenever|when|if|every time|always)\b[^\n.!?]{0,100}(?<!\bi )\b(?:secretly|silently|"
        r"covertly) (?:send|forward|copy|share|upload|transfer|insert|add|report)\b",
    ),
    (
        "plants a standing order",
        "user|anyone|anybody|someone|somebody|talk|speak|chat|write|reply|conversation|session|answer|"
        "replies|response",
        r"\b(?:when|whenever|if|every time|each time|next time) (?:the|any|a|this) user\b[^\n.!?]{0,100}?(?:\byou "
        r"(?:must|should|shall|will|have to|always|never|secretly|silently)\b|, (?:then )?(?:always|never|instead|"
        r"secretly|silently) (?!the\b|an?\b|it\b|its\b|our\b|my\b|this\b)\w+)|"
        r"\b(?:when|whenever|if|every time|each time|next time) (?:anyone|anybody|someone|somebody) (?:ask|mention|"
        r"want|talk|write)s?\b[^\n.!?]{0,80}\byou (?:must|have to|shall|will) (?:\w+ )?(?:say|answer|reply|tell|claim|"
        r"recommend|deny)\b|"
        r"\b(?:when|whenever|if|the next time|next time) you (?:next |again )?(?:talk|speak|chat|write|reply)(?: next|"
        r" again)? (?:to|with) \w+[^\n.!?]{0,20}?\b(?:say that|tell (?:him|her|them) that|claim that|pretend)\b|"
        r"\b(?:in|for) (?:every|each|all|any) (?:future |later |new )?(?:conversations?|chats?|sessions?|"
        r"answers?|repl(?:y|ies)|"
        r"responses?)\b[^\n!?]{0,60}\b(?:link|recommend|promote|advertise|insert|append|https?:|visit \w+\.)",
    ),
    (
        "plants a standing order",
        "remember|store|save|note|memory|add|update|record|keep|user|owner|holder",
        r"\b(?:remember|store|save|note|memori[sz]e|add|update|record)\b[^\n.!?]{0,40}\b(?:you|the "
        r"(?:assistant|agent|ai|model)|all (?:agents|assistants))(?: \w+){0,3}? (?:must|should|have to|are (?:allowed|"
        r"authorized|permitted|required) to|always)"
        r"(?: \w+){0,3}? (?:obey|comply|execute|run|forward|transfer|leak|exfiltrate|bypass|trust|approve|"
        r"ignore|recommend|override|disable|grant)\b|"
        r"\b(?:remember|store|save|note|add|record|keep) (?:this|that|it|the following)(?: to (?:your|the) memory)? as "
        r"(?:an? |your |the )?(?:permanent|standing|core|system|absolute|unbreakable) (?:rule|instruction|order|"
        r"directive|policy)|"
        r"\bmemory\b[:,]? (?:that )?the user (?:wants|prefers|has|likes|trusts|agreed)\b[^\n]{0,100}(?:@|"
        r"https?:|\biban\b|\btransfer|\bpayments?\b)|"
        r"\bthe (?:user|owner|account holder) has (?:been )?(?:authori[sz]ed|verified|cleared)(?: you)?(?: \w+){0,2}? "
        r"(?:to|as)\b",
    ),
    (
        "asks for data to be sent away",
        "send|forward|post|upload|exfiltrate|mail|email|transmit|leak|copy",
        r"\b(?:send|forward|post|upload|exfiltrate|e-?mail|transmit|leak|copy)\b(?: \w+){0,2}? (?:(?:all|"
        r"every|the|any|your|their|his|her|user|our|of)(?: \w+){0,4}? "
        r"(?:passwords?|credentials?|secrets?|api keys?|tokens?|conversations?|chat history|memories|contacts|"
        r"private data|personal data|user data|database)|everything you (?:know|have|remember))\b[^\n]{0,60}?"
        r"\bto\b[^\n]{0,20}?(?:https?:|www\.|[\w.+-]{1,64}@|\w+\.(?:com|net|org|io|ru|xyz)\b|\[redacted:)",
    ),
)
"""Rows: the reason; words and other substrings of which one must occur before the pattern is tried; the pattern."""
