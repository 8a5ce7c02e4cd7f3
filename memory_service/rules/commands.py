"""Text that tries to command the agent, in whoever's message it comes (DESIGN §2 promise 7).

Remembered, such text would speak again in every later context; it is quarantined, where a person can look
at it.
Wishes about tone or language ("from now on, answer in German") are no commands in this sense.
"""

from __future__ import annotations

import re

from memory_service.rules.plain_text import folded, is_invisible

_RULES: tuple[tuple[str, str], ...] = (
    (
        "overrides instructions",
        r"\b(?:ignore|disregard|forget|override|bypass|skip|drop|neglect)\b(?: (?:all|any|every|the|your|"
        r"my|of|these|those|and|previous|prior|earlier|"
        r"above|preceding|existing|original|system|safety|current|initial)){0,6} (?:instructions?|prompts?|"
        r"guidelines?|directives?|"
        r"programming|guardrails|safety (?:rules|training)|training|(?<=your )rules|(?<=previous )rules|"
        r"(?<=all )rules|(?<=safety )rules|(?<=previous )messages|(?<=above )text)\b",
    ),
    (
        "overrides instructions",
        r"\b(?:ignorier\w*|vergiss) (?:alle |samtliche |deine )*(?:vorherigen |bisherigen |fruheren |"
        r"obigen )*(?:anweisungen|instruktionen|regeln)|"
        r"\bignore[sz]? (?:toutes )?les instructions|\bignora (?:todas )?las instrucciones|\bignora "
        r"(?:tutte )?le istruzioni",
    ),
    (
        "assigns a new role",
        r"\byou are (?:now|no longer) (?:(?:a|an|the|my|in|called|known as|acting as|going to act as) "
        r")*(?:[\w-]+ ){0,2}?(?:dan\b|jailbroken|unrestricted|uncensored|unfiltered|"
        r"developer mode|debug mode|god mode|admin mode|root|evil|ai\b|bot\b|language model|llm\b|hacker|"
        r"bound by|restricted|an assistant|terminal|shell)|"
        r"\bdo anything now\b|\b(?:dan|developer|god|jailbreak) mode (?:enabled|activated|on)\b|"
        r"\b(?:act|respond|behave|answer) as (?:if|though) you (?:have|had|were|are) (?:no|without|not "
        r"bound|free|unrestricted)|"
        r"\bpretend (?:that )?you (?:have|had|are|were) (?:no|without|not bound|free of|unrestricted)(?: "
        r"\w+){0,3} (?:rules|restrictions|limits|filters|guidelines|constraints)|"
        r"\b(?:no longer|not) (?:bound|restricted|limited) by (?:your|the|any|these) (?:rules|guidelines|"
        r"instructions|restrictions|programming|policy|policies)",
    ),
    (
        "reaches for the system prompt",
        r"\b(?:reveal|print|show|repeat|output|leak|display|give|tell|dump|expose|recite|translate|"
        r"summarize|write out)\b(?: \w+){0,3}? (?:your|the) (?:\w+ ){0,2}?"
        r"(?:system (?:prompt|message|instructions)|hidden (?:prompt|instructions)|initial (?:prompt|"
        r"instructions)|developer (?:prompt|message)|secret instructions)|"
        r"\bnew system (?:prompt|instructions?|message)\s*:|(?:^|\n)\W{0,6}(?:system|developer)(?: prompt| "
        r"message)?\s*:\s*(?:you|ignore|always|never|from|do|the user|the assistant|override)",
    ),
    (
        "imitates the frame of a prompt",
        r"<\|(?:im_start|im_end|system|user|assistant|endoftext|start_header_id|tool)[|_]|\[/?inst\]|"
        r"<</?sys>>|</?(?:system|system_prompt|system-reminder)>|"
        r"(?:^|\n)#{2,}\s*(?:system|instruction|new instructions?)\s*:?\s*(?:\n|$)",
    ),
    (
        "imitates a tool call",
        r"</?(?:tool_call|tool_use|function_calls?|function_results?|invoke|antml:\w+)\b[^>\n]{0,200}>|"
        r"\[tool_calls?\]|\"(?:tool_calls|function_call)\"\s*:\s*[\[{]|"
        r"\{\s*\"(?:tool|tool_name|function|action)\"\s*:\s*\"[\w.-]+\"\s*,\s*\"(?:arguments|parameters|"
        r"args|input|action_input)\"\s*:|\bto=functions\.",
    ),
    (
        "hides what it asks for",
        r"\b(?:do not|don[’']?t|never|without)(?: ever)? (?:tell|telling|inform|informing|notify|notifying|"
        r"alert|alerting|reveal|revealing|mention|mentioning|disclose|disclosing|show|asking|ask)"
        r"(?: (?:this|it|that|anything|about|of|to|any)){0,4} (?:the |any )?(?:user|owner|human|operator|"
        r"developer|account holder)s?\b",
    ),
    (
        "hides what it asks for",
        r"\bfrom now on\b[^\n.!?]{0,120}\b(?:always|must|will|never)\b[^\n]{0,160}\b(?:never|do not|"
        r"don[’']?t|without) (?:ever )?(?:tell|reveal|mention|admit|disclose|inform|telling)\b",
    ),
    (
        "plants a standing order",
        r"\b(?:when|whenever|if|every time|each time|next time) (?:the|any|a|this) "
        r"user\b[^\n.!?]{0,100}\b(?:always|never|must|instead|secretly|silently)\b|"
        r"\b(?:remember|store|save|note|memori[sz]e)\b[^\n.!?]{0,40}\b(?:you|the (?:assistant|agent|ai|"
        r"model)|all (?:agents|assistants))(?: \w+){0,3}? (?:must|should|have to|are (?:allowed|authorized|"
        r"permitted|required) to|always)"
        r"(?: \w+){0,3}? (?:obey|comply|execute|run|forward|transfer|leak|exfiltrate|bypass|trust|approve|"
        r"ignore|recommend|override|disable|grant)\b",
    ),
    (
        "asks for data to be sent away",
        r"\b(?:send|forward|post|upload|exfiltrate|e-?mail|transmit|leak|copy)\b(?: \w+){0,2}? (?:all|"
        r"every|the|any|your|their|his|her|user)(?: \w+){0,4}? "
        r"(?:passwords?|credentials?|secrets?|api keys?|tokens?|conversations?|chat history|memories|"
        r"private data|personal data|user data|database)\b[^\n]{0,60}?\bto\b[^\n]{0,20}?(?:https?:|www\.|"
        r"[\w.+-]{1,64}@|\w+\.(?:com|net|org|io|ru|xyz)\b)",
    ),
)

_COMPILED = tuple((reason, re.compile(pattern)) for reason, pattern in _RULES)
_TRIGGERS = re.compile(
    r"ignor|disregard|forget|vergiss|override|bypass|skip|drop|neglect|you are no|do anything|mode|as if|"
    r"as though|pretend|bound|restricted|limited|"
    r"prompt|instruct|instruk|anweis|istruz|system|developer|<|\[/?inst|\[tool|\"(?:tool|func|action)|"
    r"to=func|user|owner|human|operator|account holder|from now on|remember|store|save|note|memori|"
    r"send|forward|post|upload|exfil|mail|transmit|leak|copy"
)
_TAG_CHARACTERS = re.compile("[\U000e0020-\U000e007e]{8}")
_EMPHASIS = str.maketrans("", "", "*_`~")
_EMPHASIS_APART = str.maketrans("*_`~", "    ")
_SPACES = re.compile(r"[^\S\n]+")


def command_in(text: str) -> str | None:
    """Return which rule finds that the text commands the agent, or None.

    The text is read as it stands and as it is printed, in one line; with look-alike letters and accents folded;
    with invisible characters and emphasis taken out, and with spaces for them. Text hidden in Unicode tags counts
    by itself.
    """
    if _TAG_CHARACTERS.search(text):
        return "hides text in invisible characters"
    lines = folded(text)
    flat = " ".join(lines.split())
    joined = " ".join(flat.translate(_EMPHASIS).split())
    apart = flat if text.isascii() else folded("".join(" " if is_invisible(c) else c for c in text))
    apart = " ".join(apart.translate(_EMPHASIS_APART).split())
    for plain in dict.fromkeys((_SPACES.sub(" ", lines), flat, joined, apart)):
        if _TRIGGERS.search(plain):
            for reason, pattern in _COMPILED:
                if pattern.search(plain):
                    return reason
    return None
