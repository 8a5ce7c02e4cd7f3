"""Word lists for faithfulness.py, folded in the same way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from memory_service.text.late_pattern import compile_late

_BY_LANGUAGE: Mapping[str, str] = {
    "en": """
        the a an and or but if then than that this these those there here it its he him his she her hers they them
        their theirs we us our ours i me my mine you your yours who whom whose which what where when why how is are
        was were be been being am do does did done doing have has had having will would shall should can could may
        might must to of in on at by for with from into onto about as up down out off over under again further once
        not no nor so too very just also only own same such some any each every all both few more most other another
        because while during before after until since though although let got get gets one really still even now ve
        ll re don didn doesn isn aren wasn weren won wouldn couldn shouldn hasn haven hadn ain im ive dont didnt
        cant
    """,
    "de": """
        der die das den dem des ein eine einen einem einer eines und oder aber wenn dann als dass dies diese dieser
        dieses diesen diesem es er ihn ihm sein seine seinen seinem seiner sie ihr ihre ihren ihrem ihrer wir uns
        unser unsere ich mich mir mein meine meinen meinem meiner du dich dir dein deine deinen euch euer wer wen
        wem was wo wann warum wie ist sind war waren bin bist sei gewesen habe hast hat hatte hatten haben wird
        werden wurde wurden worden will wollte kann konnte konnen muss musste soll sollte darf durfte mag mochte zu
        von in im an am auf bei beim fur mit aus nach uber unter vor hinter zwischen durch gegen ohne um bis seit
        wahrend nicht kein keine keinen keinem nur auch noch schon sehr so mehr sich man da hier dort jetzt immer
        wieder weil denn ob doch mal ja nein zum zur vom ins einfach etwas alle alles
    """,
    "es": """
        el la los las un una unos unas y o pero si que este esta estos estas ese esa eso aquel lo le les se su sus
        nos nuestro nuestra yo me mi mis tu tus te usted ustedes ella ellos ellas quien cual donde cuando porque
        como es son era eran fue fueron ser sido estar estoy esta estan estaba ha han he hay habia tiene tengo tenia
        a de del al en por para con sin sobre entre hasta desde durante no ni muy mas menos tambien solo ya aun
        todavia cada todo toda todos todas otro otra asi pues entonces luego antes despues aqui alli eso esto va voy
    """,
    "fr": """
        le la les un une des et ou mais si que ce cette ces cet il elle ils elles on nous vous je me moi mon ma mes
        tu te ton ta tes son sa ses leur leurs notre nos votre vos qui quoi ou quand pourquoi comment est sont etait
        etaient etre ete suis ai as a ont avait avoir a de du au aux en dans par pour avec sans sur sous entre
        jusque depuis pendant ne pas plus moins tres aussi seulement deja encore chaque tout toute tous toutes autre
        alors donc puis avant apres ici la cela ca c d j l m n qu s t y se
    """,
    "it": """
        il lo la i gli le un uno una e o ma se che questo questa questi queste quello quella egli lui lei loro noi
        voi io mi me mio mia miei mie tu ti tuo tua suo sua suoi sue nostro vostro chi quale dove quando perche come
        e sono era erano essere stato stata ha hanno ho aveva avere a di del della dei delle al alla in nel nella da
        dal dalla per con senza su tra fra fino non ne piu meno molto anche solo gia ancora ogni tutto tutta tutti
        tutte altro altra cosi poi prima dopo qui si
    """,
}


class FunctionWords:
    """Function words of each language, and of all of them."""

    def __init__(self, listed: Mapping[str, str]) -> None:
        self._by_language = {language: frozenset(words.split()) for language, words in listed.items()}
        self.every = frozenset[str]().union(*self._by_language.values())

    def counted(self, words: Iterable[str]) -> list[tuple[str, int]]:
        """How many function words of each language there are, the most first."""
        counts = Counter(dict.fromkeys(self._by_language, 0))
        for word in words:
            for language, listed in self._by_language.items():
                counts[language] += word in listed
        return counts.most_common()


FUNCTION_WORDS = FunctionWords(_BY_LANGUAGE)

FRAME = frozenset(
    """
        user users assistant person people man woman told tells tell said says say saying asked asks ask asking
        mentioned mention mentions explained explains explain talked talks talk discussed discusses discuss
        discussion conversation spoke speaks speak shared shares stated states noted notes reported reports
        described describes described added adds wrote writes replied answered confirmed confirms expressed
        expresses wants wanted want recalled according thing things something currently recently previously later
        earlier today yesterday tomorrow day days week weeks month months year years time times date talks first
        last next first nutzer nutzerin benutzer benutzerin assistent person sagte sagt sagen erzahlte erzahlt
        erzahlen fragte fragt erwahnte erwahnt erklarte erklart berichtete berichtet sprach spricht besprach mochte
        wollte tag tage woche wochen monat jahr jahre zeit gesprach heute gestern morgen usuario usuaria asistente
        persona dijo dice contado conto cuenta explico explica pregunto pregunta menciono menciona comento comenta
        quiere queria conversacion hablo habla dia dias semana semanas mes ano anos vez hoy ayer utilisateur
        utilisatrice assistant dit raconte explique demande jour semaine mois an utente assistente ha detto racconta
        spiega chiede giorno settimana mese anno
    """.split()  # noqa: SIM905
)
"""Phrases of a summary about the conversation itself."""

_NUMBERS = {
    "en": "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty",
    "de": "null eins zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn "
    "siebzehn achtzehn neunzehn zwanzig",
    "es": "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis "
    "diecisiete dieciocho diecinueve veinte",
    "fr": "zero un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize "
    "dixsept dixhuit dixneuf vingt",
    "it": "zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici "
    "sedici diciassette diciotto diciannove venti",
}
_TENS = {
    "thirty forty fifty sixty seventy eighty ninety hundred": (30, 40, 50, 60, 70, 80, 90, 100),
    "dreissig vierzig funfzig sechzig siebzig achtzig neunzig hundert": (30, 40, 50, 60, 70, 80, 90, 100),
    "treinta cuarenta cincuenta sesenta setenta ochenta noventa cien": (30, 40, 50, 60, 70, 80, 90, 100),
    "trente quarante cinquante soixante": (30, 40, 50, 60), "trenta quaranta cinquanta sessanta": (30, 40, 50, 60),
}  # fmt: skip
NUMBER_WORDS: dict[str, int] = {
    **{word: n for listed in _NUMBERS.values() for n, word in enumerate(listed.split())},
    **{word: n for words, values in _TENS.items() for word, n in zip(words.split(), values, strict=True)},
    **{
        f"{one}und{ten}": 10 * tens + ones
        for tens, ten in enumerate("zwanzig dreissig vierzig funfzig sechzig siebzig achtzig neunzig".split(), 2)  # noqa: SIM905
        for ones, one in enumerate("ein zwei drei vier funf sechs sieben acht neun".split(), 1)  # noqa: SIM905
    },
    "a": 1, "an": 1, "one": 1, "ein": 1, "eine": 1, "einem": 1, "einer": 1, "einen": 1, "un": 1, "una": 1, "une": 1,
    "couple": 2, "pair": 2, "both": 2, "twice": 2, "second": 2, "beide": 2, "beiden": 2, "zweimal": 2, "paar": 2,
    "first": 1, "third": 3, "thrice": 3, "dreimal": 3, "dozen": 12, "dutzend": 12, "docena": 12, "fourth": 4,
    "fifth": 5, "sixth": 6, "seventh": 7,
    "eighth": 8, "ninth": 9, "tenth": 10,
    "ambos": 2, "ambas": 2, "twins": 2, "zwillinge": 2, "gemelos": 2, "trio": 3, "thousand": 1000, "tausend": 1000,
}  # fmt: skip
_ORDINALS = {
    2: "zweite segunda segundo deuxieme seconda secondo", 3: "dritte tercera tercero troisieme terza terzo",
    4: "vierte cuarta cuarto quatrieme quarta quarto", 5: "funfte quinta quinto cinquieme",
    6: "sechste sexta sexto sixieme",
    7: "siebte septima septimo septieme", 8: "achte octava octavo huitieme", 9: "neunte novena noveno neuvieme",
    10: "zehnte decima decimo dixieme", 1: "erste primera primero premier premiere prima primo",
}  # fmt: skip
NUMBER_WORDS.update(
    (f"{word}{ending}", n)
    for n, words in _ORDINALS.items()
    for word in words.split()
    for ending in ("", *(["n", "r", "s", "m"] if word == words.split()[0] else []))
)
for _word in ("as", "second", "paar", "sei", "prima", "primo"):
    NUMBER_WORDS.pop(_word, None)

_MONTH_NAMES = {
    "en": "january february march april may june july august september october november december",
    "de": "januar februar marz april mai juni juli august september oktober november dezember",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "fr": "janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "short": "jan feb mar apr may jun jul aug sep oct nov dec",
}
MONTHS: dict[str, int] = {
    word: n for listed in _MONTH_NAMES.values() for n, word in enumerate(listed.split(), 1)
} | {"sept": 9, "märz": 3, "février": 2, "août": 8, "décembre": 12}
"""With the accents that a text may have, too: patterns match before folding."""

_WEEKDAY_NAMES = {
    "en": "monday tuesday wednesday thursday friday saturday sunday",
    "de": "montag dienstag mittwoch donnerstag freitag samstag sonntag",
    "es": "lunes martes miercoles jueves viernes sabado domingo",
    "fr": "lundi mardi mercredi jeudi vendredi samedi dimanche",
    "it": "lunedi martedi mercoledi giovedi venerdi sabato domenica",
}
WEEKDAYS: dict[str, int] = {
    word + ending: n
    for listed in _WEEKDAY_NAMES.values()
    for n, word in enumerate(listed.split())
    for ending in ("", "s")
} | {"weekend": 5, "wochenende": 5, "fin": 5}

RELATIVE_DAYS: dict[str, tuple[int, ...]] = {
    "yesterday": (-1, -2), "tomorrow": (1, 2), "tonight": (0, 1), "last": (-1, -7), "night": (-1, 0, 1),
    "gestern": (-1,), "vorgestern": (-2,), "morgen": (1,), "ubermorgen": (2,),
    "ayer": (-1,), "anteayer": (-2,), "manana": (1, 2), "hier": (-1,), "demain": (1, 2), "ieri": (-1,),
    "domani": (1, 2),
    "weekend": (*range(-9, 10),), "wochenende": (*range(-9, 10),), "week": (*range(-14, 15),),
    "woche": (*range(-14, 15),),
    "semana": (*range(-14, 15),), "semaine": (*range(-14, 15),), "settimana": (*range(-14, 15),),
    "month": (*range(-62, 63),), "monat": (*range(-62, 63),), "mes": (*range(-62, 63),), "mois": (*range(-62, 63),),
    "mese": (*range(-62, 63),), "year": (-365, 365, -366), "jahr": (-365, 365, -366), "ano": (-365, 365, -366),
    "annee": (-365, 365), "anno": (-365, 365), "christmas": (*range(-30, 31),), "birthday": (),
}  # fmt: skip
"""Days from when something is said that a word may mean, whichever way the word counts."""

UNITS: dict[str, int] = {
    "day": 1, "days": 1, "night": 1, "nights": 1, "tag": 1, "tage": 1, "tagen": 1, "dia": 1, "dias": 1, "jour": 1,
    "jours": 1,
    "giorno": 1, "giorni": 1, "week": 7, "weeks": 7, "woche": 7, "wochen": 7, "semana": 7, "semanas": 7, "semaine": 7,
    "semaines": 7, "settimana": 7, "settimane": 7, "month": 30, "months": 30, "monat": 30, "monate": 30,
    "monaten": 30,
    "mes": 30, "meses": 30, "mois": 30, "mese": 30, "mesi": 30, "year": 365, "years": 365, "jahr": 365, "jahre": 365,
    "jahren": 365, "ano": 365, "anos": 365, "an": 365, "ans": 365, "anno": 365, "anni": 365, "fortnight": 14,
}  # fmt: skip

NEGATIONS = compile_late(
    r"n't\b|\b(?:not|no|never|nobody|none|nothing|nowhere|neither|nor|cannot|without|dont|didnt|cant|wont|isnt|doesnt|"
    r"nicht|kein|keine|keinen|keinem|keiner|keines|nie|niemals|niemand|nichts|ohne|weder|nunca|jamas|nadie|nada|ningun|"
    r"ninguna|ninguno|tampoco|sin|pas|jamais|aucun|aucune|rien|sans|non|mai|nessuno|niente|senza)\b"
)
HARMLESS_NEGATIONS = compile_late(
    r"\b(?:can(?:no|')t wait|cant wait|not only|no doubt|no problem|no worries|don'?t worry|don'?t forget|not to "
    r"mention|why not|not sure|don'?t know|no idea|not just|no wonder|couldn'?t be|can'?t help|couldn'?t help|not to|"
    r"no later|nicht nur|keine ahnung|kein problem|no solo|sin duda|no se|no hay problema|no less|not until|nicht "
    r"vergessen|no olvid\w+|don'?t let me forget|no matter|can'?t stand|not that|ja nicht|no way|couldn'?t agree)\b"
)
LEXICAL_NEGATION = compile_late(
    r"\b(?:stop\w*|quit\w*|refus\w+|avoid\w*|lack\w*|unable|fail\w*|den(?:y|ied|ies)|hat(?:e|es|ed)|dislik\w+|"
    r"allerg\w+|intoleran\w+|hardly|barely|scarcely|rarely|seldom|unless|instead|except|free of|gave up|giv\w+ up|"
    r"forb\w+|ban(?:s|ned)?|prohibit\w*|miss(?:ed|es|ing)?|only|until|too|un(?!der|it|i|cle|til)\w{4,}|impossible|"
    r"cancel\w*|declin\w+|reject\w*|against|lost|lose|loses|losing|forgot\w*|skip\w*|leav\w+|left|ended|over|away|"
    r"rather|former|ex|drop\w*|decided against|remov\w+|end(?:s|ed)?|turn\w* down|problem\w*|vegan|vegetarian|dairy|"
    r"abandon\w*|postpon\w*|delay\w*|prevent\w*|protect\w*|aufgehort|aufgegeben|aufhoren|vermeid\w+|weiger\w+|"
    r"verzicht\w+|hass\w+|allergi\w+|unvertrag\w+|kaum|selten|ausser|verbot\w*|un\w{5,}|abgesagt|abgelehnt|lehnt\w*|"
    r"verloren|vergess\w+|statt|erst|nur|dej[oaóe]\w*|abandon\w+|evit\w+|alergi\w+|intoleran\w+|apenas|raramente|salvo|"
    r"prohib\w+|cancel\w+|rechaz\w+|perdi\w+|olvid\w+|solo|solamente|sino|odi\w+|arret\w+|cess\w+|refus\w+|evit\w+)\b"
)
"""Words that imply a negation, or leave the negated clause open: beside them no negation is missing."""

_PAIRS = """
        bought:buy went:go gone:go took:take taken:take made:make met:meet began:begin begun:begin found:find
        saw:see seen:see wrote:write written:write ran:run had:have gave:give given:give came:come felt:feel
        taught:teach thought:think chose:choose chosen:choose built:build drew:draw sold:sell broke:break
        broken:break spent:spend paid:pay left:leave lost:lose won:win knew:know known:know got:get kept:keep
        brought:bring caught:catch flew:fly grew:grow grown:grow heard:hear held:hold slept:sleep spoke:speak
        stood:stand swam:swim threw:throw wore:wear woke:wake ate:eat eaten:eat drank:drink drove:drive driven:drive
        fell:fall forgot:forget children:child kids:kid mum:mother mom:mother dad:father moved:move moving:move
        married:marry dying:die died:die lived:live living:live using:use used:use chosen:choose lent:lend sent:send
        rode:ride ging:gehen gegangen:gehen kam:kommen gekommen:kommen nahm:nehmen genommen:nehmen kaufte:kaufen
        gekauft:kaufen zog:ziehen gezogen:ziehen umgezogen:ziehen fand:finden gefunden:finden bekam:bekommen
        verlor:verlieren trank:trinken ass:essen gegessen:essen isst:essen sah:sehen gesehen:sehen lief:laufen
        fuhr:fahren gefahren:fahren schrieb:schreiben tengo:tener tiene:tener tuvo:tener hizo:hacer hecho:hacer
        fue:ir voy:ir compre:comprar vino:venir quiero:querer
    """
IRREGULAR: dict[str, str] = dict(pair.split(":") for pair in _PAIRS.split())  # type: ignore[misc]
