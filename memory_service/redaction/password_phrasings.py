"""Passwords in free wording: an odd word near a word for password, in any order and thirty languages.

"The password, in case you need it, is Otter-91", "hunter2! — that is my password", "you get in with Pluto&Goofy1". A
word is odd where letters stand with digits or signs as in no word, name or number that people write; a plain word
counts only where a value stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory_service.redaction.secret_context import FOREIGN, NAMED_AFTERWARDS
from memory_service.redaction.secret_patterns import Finding
from memory_service.redaction.secret_words import ABOUT_SECRETS, DEGREES, ORDINARY, PLACEHOLDER
from memory_service.text.late_pattern import compile_late

_WORDS = (
    "pass", "pwd", "pw", "p/w", "pword", "psk", "kennwort", "passcode", "mot de passe", "mdp",
    "contrase", "contra ", "clave",
    "parola", "senha", "wachtwoord", "ww ", "sifre", "adgangskode", "salasana", "heslo", "jelsz",
    "kata sandi", "cred", "hasl",
    "zugangsdaten", "login", "identifiants", "secret",
)  # fmt: skip
_WORDS_BEYOND_ASCII = (
    "hasł", "парол", "şifre", "lösenord", "κωδικ", "パスワード", "密码", "密碼", "비밀번호", "암호는", "كلمة",
    "पासवर्ड", "mật khẩu",
)  # fmt: skip
"""Of one of which a text must have some, in lower case, for any of this."""
_STRONG = (
    r"(?:pass ?words?|passw\b\.?|passwd|passwort\w{0,3}|kennwort\w{0,3}|passcodes?|pass ?phrases?|pwd|pword|p/w|psk|"
    r"(?:wi-?fi|wlan)[ -]?pass|mots? de passe|mdp|contraseñas?|contrasenas?|contra(?= del?\b)|parola d[’']ordine|"
    r"palavras?-passe|senhas?|wachtwoord\w{0,2}|parola d[’']ordine|has[łl][oae]\w{0,2}|парол\w{1,3}|şifre\w{0,4}|"
    r"sifre\w{0,4}|parola[mnu]?\w{0,3}|lösenord\w{0,2}|adgangskode\w{0,2}|passord\w{0,2}|salasana\w{0,3}|"
    r"hesl[oae]\w{0,1}|jelsz[óa]\w{0,3}|κωδικ\w{1,3}|pw(?![ \t]*[£$€0-9]))"
)
_STRONG_UNSPACED = r"(?:パスワード|密码|密碼|비밀번호|암호는|كلمة (?:المرور|السر)|पासवर्ड|kata sandi|mật khẩu)"
_WEAK = r"(?:pass|ww|creds|credentials|zugangsdaten|logindaten|identifiants|login(?: details| data)?|secret)"
_ABOUT_IT = (
    r"[ \t](?:managers?|polic(?:y|ies)|forms?|fields?|resets?|hints?|prompts?|pages?|rules?|hash\w*|expiry|length|"
    r"generators?|strength|jokes?|databases?|dumps?|leaks?|lists?|books?|rotation|protection|protected|requirements?|"
    r"storage|management)\b"
)
_KEYWORD = compile_late(
    rf"(?i)(?<!\w)(?P<strong>{_STRONG})(?![\w-])(?!{_ABOUT_IT})|"
    rf"(?P<unspaced>{_STRONG_UNSPACED})|(?<![\w-])(?P<weak>{_WEAK})(?![\w-])"
)
_SENTENCE_END = compile_late(r"[.!?…](?=[\s\"'”’)]|$)|\n|[。！？]")
_TOKEN = compile_late(r"[^\s\"'`“”„‘’«»「」『』（）<>|,;。、，：]{4,64}")
_REACH = 64
_BACK = 48
_NOT_ODD = compile_late(
    r"(?i)(?:https?:|www\.|\S+@\S+\.\w+$|\[?redacted|[0-9]+(?:st|nd|rd|th|e|er|ème|º|ª|a|x|px|ms|s|m|h|min|kg|g|mb|gb|"
    r"kb|k|km|cm|mm|ml|%|°c?|€|\$)?$|v?[0-9]+(?:\.[0-9x]+)+\S{0,8}$|[0-9]+(?:-[a-z]+)+$|[0-9]{1,4}[-/.:][0-9]{1,2}(?"
    r":[-/.:][0-9]{1,4})?(?:am|pm)?$|(?-i:[A-Z]{1,5}-?[0-9]{1,6}$|[A-Z]+(?:_[A-Z0-9]+)+$)|#[0-9]+$|"
    r"(?:covid|iphone|ipad|android|windows|python|chrome|firefox|safari|macbook|pixel|galaxy|office|office ?365|php|"
    r"java|node|mp3|mp4|h264|sha-?[0-9]+|md5|base64|utf-?8|utf8|ipv[46]|wpa[23]?(?:-psk)?|oauth2?|web3|log4j|1password|"
    r"bcrypt|argon2\w*|http/?[0-9.]*|s3|ec2|k8s|i18n|2fa|mfa|b2b|c\+\+|c#|r&d|q&a|faq|at&t|b&b)[\d.]*\W*$|"
    r"[\w-]+\.(?:py|js|ts|md|txt|json|ya?ml|toml|sql|html?|css|pdf|docx?|png|jpe?g|csv|sh|env|cfg|ini|exe|zip|com|org|"
    r"net|io|de|fr|app|dev)$|/|\.{1,2}/|~/|--?\w)"
)
"""Links, mails, numbers with units, versions, dates, tickets, products and files."""
_CODE = compile_late(r"[(){}\[\]=;\\]|\w\.\w+\.|->|::|^\$|^%|^@")
_INNER_SIGN = compile_late(r"\w[!#$%&*?@^~+_]+\w|\w[!#$*?^~]+$|^[!#$*?^~]+\w")
_DIGITS = compile_late(r"\d")
_LETTERS = compile_late(r"[^\W\d_]")
_SIGN = compile_late(r"[!#$%^*?@~]")
_JOINED = compile_late(r"(?i)(?:\b(?:with|and|mit|und|avec|con|com|met)|[,/&])[ \t]$")
"""Before "pass X" with a user's name or an account before it."""
_BESIDE = compile_late(r"[ \t]{0,2}(?:[:=]|->|is|was)?[ \t\"'`*]{0,3}")
_PRODUCT = compile_late(r"[A-Z][a-z]{1,7}[0-9]{1,3}$")
_NAMED = compile_late(
    r"(?i)\b(?:user ?names?|user|nick(?:name)?|handle|account|benutzer(?:name)?|utilisateur|usuario|utente|ticket|"
    r"issue|bug|version|build|release|branch|commit|page|room|line|error|model|serial|order|invoice|id|port|ssid|named|"
    r"called|release|chapter|since|flight|gate|seat)[ \t]?[:#=]?[ \t]?$"
)
_STATED = compile_late(
    r"(?i)(?:(?:[ \t]{1,3}(?:for|to|of|on|at|in|from|für|fürs|vom|von|zum|zur|der|die|das|de|du|del|della|des|da|do|"
    r"para|pour|per|van|voor|til|till|od|od|do|для|от|до|к|la|le|el|il|lo|the|my|our|your|a|an|wi-?fi|wlan|red|box|"
    r"router|server|cloud|nas|mail|konto)(?=[ \t]))(?:[ \t]{1,3}[\w'’.-]{1,20}){1,4}?)?(?:,[^,\n.!?]{1,40},)?[ \t]{0,3}"
    r"(?:[:=：]|->|→|–|—|,? ?\b(?:it|that)(?:[’']s| is)\b|\b(?:is|was|are|be|lautet|ist|heißt|heisst|wäre|bleibt|est|"
    r"c[’']est|es|era|è|é|sarebbe|adesso è|ora è|jest|brzmi|är|er|on|je|este|είναι|remains|equals)\b)[ "
    r"\t]{0,3}(?:(?:actually|really|simply|just|now|still|currently|probably|the word|übrigens|eigentlich|maintenant|"
    r"ahora|adesso|agora|teraz|теперь|nu|numera)[ \t]{1,3}){0,2}[\"'`“„«‘*「]{0,3}[ \t]?"
    r"(?P<value>[^\W\d_]{4,32}|(?!(?:19|20)[0-9]{2}(?![0-9]))[0-9]{4,12})[\"'`”“»’*」]{0,3}(?P<after>[ "
    r"\t]{0,2}(?:[.,;!?)\n]|$)|[ \t](?:with|mit|avec|con|com|followed)\b)"
)
"""A plain word where a value stands."""
_BETWEEN = compile_late(
    r"(?i)(?:[\s.,;:!?…–—\-()<=←\"'`*’“”]|(?<!\w)(?:that|this|it|s|is|was|the|my|our|your|his|her|a|as|would|will|"
    r"should|could|be|then|now|down|please|what|which|i|use|used|have|for|new|old|main|shared|bank|mail|e-?mail|server|"
    r"wi-?fi|wlan|router|laptop|netflix|admin|root|account|phone|tablet|master|current|of|from|save|safe|remember|keep|"
    r"note|here|gets|das|ist|mein|meine|neues|neue|so|heißt|ein|c|est|mon|ma|le|la|el|il|mi|es|è|mio|mia|é|o|minha|to|"
    r"jest|moje|это|мой|моя|como|come|comme|als|det|er|är|mitt|mit|on|je|este)(?!\w)){1,24}$"
)
_LINKS = compile_late(
    r"(?i)(?<!\w)(?:is|s|as|was|be|ist|heißt|est|c|es|è|é|to|jest|это|como|come|comme|als|"
    r"er|är|on|je|este)(?!\w)|[=←–—(]|<-|,[ \t](?:the|my|our)[ \t]|[ \t]-[ \t]|\.\.\."
)
"""What stands between a secret and its name behind it: small words, and a link."""
_ENTRY_WORDS = (
    "log in", "log on", "login", "sign in", "get in", "gets you in", "lets you in", "unlock",
    "opens with", "open the", "authenticate",
    "connect", "join the", "decrypt", "get into", "logs in", "kommst du rein", "meldest du dich",
    "anmelden", "einloggen", "meldest dich",
    "connecter", "connecte-toi", "para entrar", "entra con", "per entrare", "entra con", "in te loggen",
    "zaloguj", "войти", "logga in", "introduce",
    "for entry", "you need", "reach", "accept", "wants", " asks", "go in", "melde dich", "usando",
    "log in met", "decrypt",
)  # fmt: skip
_ENTRY = compile_late(
    r"(?i)\b(?:log(?:s|ging)? (?:in|on)|login|sign(?:s|ing)? in|get(?:s|ting)?(?: you)? in(?:to)?|lets (?:you|me) in|"
    r"unlocks?|opens?|authenticat\w+|connect\w*|join|decrypts?|asks?|router|wi-?fi|login page|comes up|reach|accepts|"
    r"wants|go in|mailbox|network|melde|kommst du rein|komm\w* (?:du|man) rein|meldest|anmelden|einloggen|connecter|"
    r"connecte-toi|entrar|entra|entrare|loggen|zaloguj\w*|войти|inloggen)\b"
)
_USER_AND = compile_late(
    r"(?i)(?<!\w)u(?:n|ser(?:name)?|id)?[ \t]?[:=][ \t]?[^\s,;]{2,64}[ \t,;/|]{1,3}p(?:w|"
    r"wd|ass|wort)?[ \t]?[:=][ \t]?([^\s\"'<>,;]{4,64})"
)
_USUAL = r"(?:admin(?:istrator)?|root|postgres|ubuntu|pi|sa|sysadmin|[\w.+-]{1,40}@[\w-]{1,40}\.[\w.-]{2,20})"
"""User names that stand for themselves, and addresses."""
_VALUE = r"(?P<value>[^\s\"'<>,;/]{5,64})"
_ACCESS = compile_late(
    r"(?i)(?<!\w)(?:access|acceso|accesso|acesso|accès|zugang|toegang|dostęp|доступ|creds|credentials|"
    r"login)(?P<host> (?:for|to|of|on) (?:(?:the|my|our) )?[\w.-]{1,40}(?: [\w.-]{1,40})?)?(?:[ \t]?[:=]|[ \t](?:are|"
    rf"is)\b:?)[ \t]?(?:(?P<usual>{_USUAL})|[\w.@+-]{{2,64}})(?P<sign>[ \t]?[:/][ \t]?)(?P<value>[^\s\"'<>,;]{{5,64}})"
    r"(?P<last>\s*(?:$|[\n,;]))?"
)
_LABELLED = compile_late(
    rf"(?im)^[ \t]{{0,3}}[\w.-]{{2,30}}(?: [\w.-]{{1,20}})?:[ \t]?{_USUAL}[ \t]?[/|][ \t]?{_VALUE}[ \t]*$"
)
"""A line with a host, a usual user name and a password: "nas: admin / secret"."""
_ROLES = frozenset(
    """
        admin administrator editor editors viewer viewers owner owners guest guests member members user users reader
        readers writer writers author authors operator operators manager managers moderator moderators staff support
        other others someone everyone superuser developer developers staging production login password passwords
        localhost repository wiki dashboard console panel settings empty blank
    """.split()  # noqa: SIM905
)
"""Words behind a user name and a slash that are no passwords."""
_NETWORK = compile_late(
    r"(?i)\b(?:wi-?fi|wlan|ssid|network|hotspot)\b[ \t]{0,2}[:=]?[ \t]{0,2}[^\s/|,]{2,32}[ "
    r"\t]{0,2}[/|,][ \t]{0,2}([^\s\"'<>|,;]{5,64})"
)
_WITH = compile_late(
    r"(?i)\b(?:with|use|using|type|enter|enters?|put in|puts? in|then|and|need|needs|usando|accepts|wants|give it|via|"
    r"mit|avec|utilise[rz]?|con|usa|use|com|met|gebruik|hasłem|введи|gib|tippe|,)[ \t]{1,2}(?:user \w{1,20}[ \t,]{1,3}|"
    r"the (?:code|password|word)[ \t])?[\"'`“„«*]{0,3}$|,[ \t]{0,2}[\"'`“„«*]{0,3}$"
)


_USER_SLASH = compile_late(
    rf"(?i)\b(?:with|as|using|use|mit|avec|con|com|met)[ \t](?:user )?(?:(?P<usual>{_USUAL})|[\w.@+-]{{2,64}})[ \t]?"
    rf"[/|][ \t]?{_VALUE}"
)
"""A user name and a password behind a preposition: "log in with admin / secret"."""


def may_name(lowered: str) -> bool:
    """Whether there is a word for password."""
    return any([word in lowered for word in _WORDS]) or (  # noqa: C419
        not lowered.isascii() and any([word in lowered for word in _WORDS_BEYOND_ASCII])  # noqa: C419
    )


def may_enter(lowered: str) -> bool:
    """Whether anything is said of getting in."""
    return any([word in lowered for word in _ENTRY_WORDS])  # noqa: C419


def find_phrasings(text: str) -> Iterator[Finding]:
    """Yield odd words near a word for password, and plain words where one states its value."""
    for match in _KEYWORD.finditer(text):
        if text[max(0, match.start() - 9) : match.start()].lower() == "redacted:":
            continue
        if match["weak"] is None:
            stated = _STATED.match(text, match.end())
            if stated is not None and _is_plain_value(stated["value"], match[0], stated[0]):
                yield Finding(stated.start("value"), stated.end("value"), "password")
                continue
        found = _odd_after(text, match) or _odd_before(text, match)
        if found is not None:
            yield found


_NETWORKS = compile_late(r"(?i)\b(?:wi-?fi|wlan|router|red)\b")
_ONLY_ODD = compile_late(r"(?i)pw|contra|parola[a-z]{0,4}")
"""Words that mean other things, too: beside them a plain word is none."""


def _is_plain_value(value: str, keyword: str, stated: str) -> bool:
    lowered = value.lower()
    if (
        value.islower()
        and FOREIGN.search(stated)
        and not (_NETWORKS.search(stated) and lowered[-1] not in "aeoéäő")
    ):
        return False  # "è segreta", "jest poprawne": an adjective
    if (
        lowered in ORDINARY
        or lowered in ABOUT_SECRETS
        or PLACEHOLDER.match(value)
        or _ONLY_ODD.fullmatch(keyword)
    ):
        return False
    return not lowered.endswith(
        ("ing", "ed", "ly", "able", "ible", "ful", "less", "ado", "ada", "ato", "ata", "ieren", "iert")
    )


def _odd_after(text: str, match: re.Match[str]) -> Finding | None:
    """The first odd word of the sentence behind the keyword; of the next one where the keyword's is a question."""
    reach = text[match.end() : match.end() + _REACH]
    end = _SENTENCE_END.search(reach)
    if end is not None and end[0] not in ("?", "\n"):
        reach = reach[: end.end()]
    elif end is not None:
        reach = reach[: end.end() + 24]
    strict = match["weak"] is not None and not _JOINED.search(text, max(0, match.start() - 16), match.start())
    adjacent = match["weak"] is not None and match["weak"].lower() in ("pass", "secret")
    of_studies = match["weak"] is not None and match["weak"].lower() == "credentials"
    for token in _TOKEN.finditer(reach):
        if adjacent and not _BESIDE.fullmatch(reach, 0, token.start()):
            break
        value = token[0].rstrip(".,;:?)!'’")
        if of_studies and DEGREES.fullmatch(value):
            continue
        bang = token[0][len(value) : len(value) + 1] == "!"
        if is_odd_word(value, strict=strict) and not _NAMED.search(reach[: token.start()]):
            start = match.end() + token.start()
            return Finding(start, start + len(value) + bang, "secret" if match["weak"] else "password")
    return None


def _odd_before(text: str, match: re.Match[str]) -> Finding | None:
    """The odd word before "— that is my password", "as password" and the like."""
    if match["weak"] is not None or not NAMED_AFTERWARDS.match(text, match.end()):
        return None
    low = max(0, match.start() - _BACK)
    reach = text[low : match.start()]
    for token in reversed(list(_TOKEN.finditer(reach))):
        value = token[0].rstrip(".,;:?)'’")
        if is_odd_word(value, strict=False):
            if token.start() == 0 and low > 0 and not text[low - 1].isspace():
                return None  # cut by the reach
            between = reach[token.start() + len(value) :]
            if _BETWEEN.match(between) and _LINKS.search(between):
                return Finding(low + token.start(), low + token.start() + len(value), "password")
            return None
    return None


def find_entries(text: str) -> Iterator[Finding]:
    """Yield odd words beside a verb of logging in."""
    for match in _USER_SLASH.finditer(text):
        value = match["value"].rstrip(".,;:?)'’")
        if is_odd_word(value, strict=match["usual"] is None) and _ENTRY.search(
            text, max(0, match.start() - _BACK), match.start()
        ):
            yield Finding(match.start("value"), match.start("value") + len(value), "password")
    for token in _TOKEN.finditer(text):
        value = token[0].rstrip(".,;:?)'’")
        if not is_odd_word(value, strict=True):
            continue
        before = text[max(0, token.start() - _BACK) : token.start()]
        around = before + " " + text[token.end() : token.end() + _BACK]
        ends = _SENTENCE_END.search(before[::-1])
        before = before if ends is None else before[len(before) - ends.start() :]
        if (
            (_WITH.search(before) or not before.strip())
            and _ENTRY.search(around)
            and not _NAMED.search(before)
        ):
            yield Finding(token.start(), token.start() + len(value), "password")


def find_networks(text: str) -> Iterator[Finding]:
    """Yield the odd word behind a network's name ("wifi: Loft / gooseberry7"), and what stands behind "u: … p:"."""
    for match in _USER_AND.finditer(text):
        yield Finding(match.start(1), match.end(1), "password")
    for match in _NETWORK.finditer(text):
        if is_odd_word(match[1].rstrip(".,;:?)!"), strict=True):
            yield Finding(match.start(1), match.end(1), "password")
    for match in _ACCESS.finditer(text):
        value = match["value"].rstrip(".,;:?)!")
        usual = match["usual"] is not None and match["host"] is not None
        if is_odd_word(value, strict=not usual) or (
            usual
            and match["sign"] != ": "
            and (match["last"] is not None or value != match["value"])
            and value.lower() not in _ROLES
            and PLACEHOLDER.match(value) is None
        ):
            yield Finding(match.start("value"), match.end("value"), "password")
    for match in _LABELLED.finditer(text):
        if is_odd_word(match["value"].rstrip(".,;:?)"), strict=True):
            yield Finding(match.start("value"), match.end("value"), "password")


def is_odd_word(value: str, *, strict: bool) -> bool:
    """Whether this is no word, name, number, date, version or, with `strict`, product name."""
    value = value.strip("*_~")
    if len(value) < 5 or _NOT_ODD.match(value) or _CODE.search(value) or PLACEHOLDER.match(value):
        return False
    digits, letters = len(_DIGITS.findall(value)), len(_LETTERS.findall(value))
    if letters < 3 or value.lower() in ORDINARY:
        return False
    sign = _INNER_SIGN.search(value) is not None
    if not digits:
        return sign and "_" not in value and _SIGN.search(value, 1, len(value) - 1) is not None and not strict
    if sign or ("-" in value[1:-1] and digits >= 2 and not value.isupper()):
        return True
    if not value.isalnum():
        return False
    if strict:
        return (digits >= 2 or letters >= 9) and letters >= 6 and not _PRODUCT.match(value)
    return letters >= 4 or digits >= 3
