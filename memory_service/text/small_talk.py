"""Words that keep a conversation going and carry nothing: greetings, thanks, acknowledgements, farewells."""

from __future__ import annotations

import unicodedata

from memory_service.text.late_pattern import compile_late

_INTENSIFIER = (
    r"(?:so much|very much|a lot|a bunch|a million|again|anyway|for (?:that|everything|your "
    r"help|the help|asking|sharing|the info|letting me know|your time)|man|mate|buddy|dude|bro|"
    r"friend|all|everyone|there|guys|dear|sir|madam)"
)
_PHRASES = (
    rf"(?:hi+|hey+|hello+|hiya|howdy|yo|greetings|hallo|moin|servus|bonjour|salut|hola|ciao)(?: "
    rf"{_INTENSIFIER})*",
    rf"good (?:morning|afternoon|evening|night|day)(?: {_INTENSIFIER})*|guten (?:morgen|tag|abend)|gute "
    rf"nacht|morning|evening",
    rf"(?:ok(?:ay)?,? )?(?:many )?(?:thank you|thanks?|thx|ty|tysm|cheers|danke(?: schön| dir)?|vielen "
    rf"dank|merci|gracias|grazie)(?: {_INTENSIFIER})*",
    r"i (?:really )?appreciate (?:it|that|your help)|much appreciated|you(?: a|')re (?:so |very |most "
    r")?(?:welcome|kind|the best|awesome|amazing)|you rock|(?:you )?too kind",
    r"no (?:problem|worries|prob|trouble)|my pleasure|anytime|any time|don't mention it|bitte(?: schön)?|"
    r"gern(?: geschehen)?|glad (?:to help|i could help|you (?:like|liked|enjoyed) it)|happy to help",
    r"o?k(?:ay)?(?: then| cool| great| thanks?)*|kk?|alright(?: then)?|all right|sure(?: thing)?|of course|"
    r"yes|yeah+|yep|yup|yea|ja|nein|no|nope|nah|right|exactly|indeed|absolutely|definitely|totally|agreed|"
    r"true|correct|fine|got it|gotcha|understood|i see|noted|will do|makes sense|fair enough|i (?:totally |"
    r"completely )?agree|for sure|that's (?:right|true|fine|ok|okay)|go ahead|never ?mind",
    r"(?:that(?:'s| is| sounds| was| looks)|it(?:'s| is| sounds)|sounds?|looks?|this is)?(?: (?:so|really|"
    r"very|pretty|just|absolutely))* ?(?:great|good|cool|nice|awesome|amazing|perfect|wonderful|fantastic|"
    r"excellent|lovely|brilliant|neat|sweet|super|interesting|funny|hilarious|incredible|impressive|"
    r"helpful|prima|toll)(?: (?:idea|job|work|one|plan|stuff|to hear|to know|news|point|question|answer))*",
    rf"(?:ok |okay )?(?:bye(?: bye)?|goodbye|see (?:you|ya|u)(?: (?:later|soon|tomorrow|around|then|next "
    rf"time))*|cya|later|take care|ttyl|talk (?:to you )?(?:later|soon)|catch you later|tschüss|tschau|"
    rf"until (?:next time|tomorrow)|cu|brb|gtg|gotta go|i have to go(?: now)?)(?: {_INTENSIFIER})*",
    r"have a (?:\w+ )?(?:day|night|evening|weekend|one|time|trip|week)(?: too)?|enjoy(?: your (?:day|"
    r"evening|weekend))?|sweet dreams|sleep well|happy (?:friday|monday|weekend)",
    r"(?:and )?how(?: a|')re (?:you|things|u)(?: (?:doing|today|feeling|going|all|this (?:morning|"
    r"evening)))*|how(?: i|')s (?:it going|everything|life|your day(?: going)?|things)|how have you been|"
    r"how do you do|what(?: i|')s (?:up|new|going on|happening)|sup|wassup|anything new|and you|you(?: "
    r"there)?|how about you|what about you|wie geht'?s(?: dir)?|are you (?:there|ok|okay)|long time no see",
    r"i(?:'| a)m (?:fine|good|great|ok|okay|well|doing (?:well|good|great|fine|ok)|alright|back|here)(?: "
    r"thanks?| thank you| too| as well| today)*|(?:doing|pretty|all|very) (?:well|good|fine)|not (?:much|"
    r"bad|too bad)|can't complain|same (?:here|to you|old)|you too|me too|likewise|nice to (?:meet|see|"
    r"hear from) you(?: too| again)*|(?:it's |so )?(?:good|great|nice|lovely) to (?:see|meet|hear from|"
    r"talk to|chat with) you(?: too| again)*|(?:it was )?(?:nice|great|good|lovely) (?:talking|chatting|"
    r"speaking)(?: (?:to|with) you)?",
    r"(?:ha){1,20}h?|(?:he){2,20}|lol+|lmao|rofl|haha+|hehe+|wow+|whoa+|oh+(?: (?:my|no|wow|god|well|yes|"
    r"yeah|ok|okay|i see|really))*|omg|ah+|aha+|aw+|hm+|uh|um+|er+|huh|well|so|yay|woo ?hoo|yikes|oops|"
    r"ooh+|phew|please|pls|really|seriously|wait|hold on|one (?:sec|second|moment)|just a (?:sec|second|"
    r"moment)|test(?:ing)?|ping|(?:be )?welcome(?: back)?|congrat(?:s|ulations)(?: to you)?|good luck|well "
    r"done|bravo|cheers|bless you|no way|my god|let's go|great|continue|go on|next|and|but|then|too|again|"
    r"today|sir|ma'am",
)
_COMPILED = tuple(compile_late(rf"(?:{phrases})(?: |$)") for phrases in _PHRASES)
_ANY = compile_late(rf"(?:{'|'.join(_PHRASES)})(?: |$)")
"""Whether one of them begins here: the first words rule out most sentences."""
_VOCATIVE = compile_late(
    r"\b((?:[Hh]i+|[Hh]ey+|[Hh]ello|[Tt]hanks|[Tt]hank you|[Bb]ye|[Gg]oodbye|[Gg]ood (?:morning|night|"
    r"evening|afternoon)|[Ww]ow|[Yy]eah|[Yy]es|[Ss]ure|[Cc]ongrats|[Tt]ake care|[Ss]ee you|[Aa]bsolutely|"
    r"[Tt]otally|[Nn]ice|[Gg]reat),?) [A-Z][a-zß-ÿ]{1,14}(?=[\s,.!?]|$)"
    r"|,\s*[A-Z][a-zß-ÿ]{1,14}(?=\s*[.!?]*\s*$)"
)
_NO_WORD = compile_late(r"[^\w'\s]|_")
_NO_WORD_ASCII = {code: " " for code in range(128) if _NO_WORD.match(chr(code))}
_SPACE = compile_late(r"\s+")
_LONGEST = 200
"""Characters: longer text is never small talk."""


def _plain(text: str) -> str:
    if text.isascii():
        return " ".join(text.translate(_NO_WORD_ASCII).lower().split())
    return _SPACE.sub(" ", _NO_WORD.sub(" ", text)).strip().lower()


def has_no_words(text: str) -> bool:
    """Whether there is nothing but spaces, punctuation, emoji or invisible characters."""
    return not any(unicodedata.category(character)[0] in "LN" for character in text)


def is_small_talk(text: str) -> bool:
    """Whether the whole text is greetings, thanks, acknowledgements, farewells or a polite question back."""
    if len(text) > _LONGEST:
        return False
    text = text.replace("’", "'")
    if not _ANY.match(_plain(text)) and not text.lstrip().startswith(","):
        return False  # a name follows a greeting, never precedes it
    words = _plain(_VOCATIVE.sub(lambda match: match[1] or "", text))
    position = 0
    while position < len(words):
        ends = [match.end() for pattern in _COMPILED if (match := pattern.match(words, position))]
        if not ends or max(ends) == position:
            return False
        position = max(ends)
    return True
