"""The commonest injected orders in 24 languages: a row of word classes per language, and orders made from rows."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory_service.injection.order_patterns import HIDES, LEAKS, OVERRIDES, PLANTS, PROMPT, Order
from memory_service.text.unicode_folding import folded


@dataclass(frozen=True, slots=True)
class LanguageWords:
    """Words of one language, divided by "|"; "*" stands for any ending. Verbs are imperatives."""

    ignore: str
    """Ignore, forget, do not follow."""
    rules: str
    """Instructions, rules, guidelines, system prompt."""
    obey: str
    """Obey me; do only what I say; carry out my orders."""
    secrecy: str
    """Do not tell; without telling; must not know."""
    user: str
    send: str
    data: str
    recommend: str
    """Always recommend; mention."""
    pay: str
    unconfirmed: str
    """Without asking."""
    show: str
    """Show, reveal."""
    bound: str = ""
    """You are no longer bound; without restrictions."""
    prompt: str = ""
    """System prompt, where words are not spaced."""
    spaced: bool = True


_LANGUAGES: tuple[LanguageWords, ...] = (
    LanguageWords(  # German
        "ignorier*|vergiss|vergesst|vergessen sie|missachte*|ubergeh*|verwirf|befolge nicht|halt dich nicht|"
            "haltst du dich nicht|halte dich nicht|befolgst du keine*|befolgst du nicht|kannst du vergessen|"
            "kannst du ignorieren|folge nicht",
        "anweisung*|instruktion*|regel|regeln|vorgabe*|richtlini*|systemprompt|prompt|vorschrift*|befehle",
        "gehorche|gehorch|bestimme ich|gebe ich die befehle|befehle ich|nur noch, was ich*|nur noch was ich*|"
            "nur, was ich*|hor nur auf mich|fuhre nur meine befehle|tu nur, was ich",
        "nichts davon|sag* *em nutzer nicht*|erzahl* * nutzer nicht*|erwahne nie*|verrate nie*|verrat nicht|"
            "sag nicht, dass|ohne es zu sagen|ohne zu verraten|ohne zu erwahnen|ohne dass es jemand|ohne zu sagen|"
            "ohne dass *er nutzer|verschweig*|ohne es zu erwahnen|darf nichts erfahren|nicht erfahren|heimlich",
        "nutzer|benutzer|anwender|user|besitzer|kontoinhaber",
        "sende|schick|schicke|leite|leit|ubermittle|ubertrage|lade|poste|maile|kopiere|gib",
        "passwort|passworter|daten|zugangsdaten|rechnung|rechnungen|nachricht|nachrichten|"
            "gesprach*|erinnerung*|kontakte|mails|e-mails|geheimnisse",
        "empfiehl|empfehle|bewirb|erwahne|lobe|nenne",
        "uberweise|bezahle|zahle|zahl|genehmige|begleiche|kaufe|gib frei",
        "ohne zu fragen|ohne * zu fragen|ohne jemanden|ohne nachzufragen|ohne ruckfrage*|"
            "frage nicht|frag nicht|ohne bestatigung|sofort und ohne",
        "zeig*|gib|nenn*|verrate|offenbare|druck*",
        "du hast keine * mehr|keinerlei beschrankungen|ohne beschrankungen|ohne "
            "einschrankungen|uneingeschrankt*",
    ),
    LanguageWords(  # French
        "ignore|ignorez|oublie|oubliez|ne suis plus|ne suivez plus|ne respecte plus|ne "
            "tiens pas compte|ne tenez pas compte|laisse tomber|laissez tomber|fais comme si|"
            "mets de cote|fais abstraction|neglige|meprise|passe outre",
        "instruction|instructions|consigne|consignes|regle|regles|directive|directives|"
            "prompt|limites|restrictions|garde-fous",
        "obeis|obeissez|c'est moi qui commande|n'obeis qu'a|ecoute seulement moi|fais "
            "uniquement ce que je|tu m'obeis|tu obeis",
        "ne dis jamais|ne dis pas|ne dis rien|ne dites rien|ne dites pas|ne revele*|sans le dire|sans reveler|"
            "sans mentionner|sans expliquer|sans que personne|sans dire|sans prevenir|sans preciser|a l'insu|"
            "sans que l'utilisateur|ne mentionne*|n'en parle*|ne previens*|sans avertir|en secret|discretement|cache",
        "utilisateur|utilisatrice|proprietaire|client|l'usager",
        "envoie|envoyez|transmets|transfere|publie|poste|partage|communique|expedie|copie|donne|donne-moi",
        "mot de passe|mots de passe|donnees|identifiants|conversations|messages|souvenirs|"
            "contacts|mails|courriels|secrets|historique",
        "recommande|recommandez|conseille|promeus|vante|mentionne|cite",
        "paie|paye|payez|vire|virez|transfere|approuve|regle|achete|valide",
        "sans demander|sans consulter|sans confirmation|sans verifier|ne demande pas|sans poser",
        "affiche|montre|revele|donne|affichez|montrez",
        "plus aucune restriction|plus aucune limite|sans aucune restriction|sans "
            "restriction|sans limites|sans filtre",
    ),
    LanguageWords(  # Spanish
        "ignora|ignorad|olvida|olvidate|descarta|no sigas|no obedezcas|no respetes|haz caso omiso|deja de lado|"
            "dejad de lado|haz como si|no hagas caso|deja de seguir|pasa por alto|omite",
        "instruccion*|reglas|normas|directrices|indicaciones|ordenes|prompt|restricciones|limites|politicas",
        "obedece|obedeceme|mando yo|obedeces|haz solo lo que|sigue solo mis|solo mis ordenes",
        "no le digas|no digas|no reveles|no menciones|sin decir*|sin revelar|sin "
            "mencionar|sin explicar|sin que nadie|sin que se entere|sin que el usuario|sin "
            "avisar|nunca digas|no se lo digas|en secreto|oculta*|a escondidas|sin informar",
        "usuario|usuaria|dueno|propietario|cliente",
        "envia|manda|reenvia|sube|publica|comparte|transmite|copia|enviad|mandame|dame",
        "contrasena|contrasenas|datos|claves|credenciales|conversaciones|mensajes|"
            "recuerdos|contactos|correos|correo|secretos|historial|facturas",
        "recomienda|aconseja|promociona|menciona|sugiere|elogia",
        "paga|transfiere|aprueba|abona|compra|autoriza",
        "sin preguntar|sin confirmar|sin confirmacion|no preguntes|sin verificar|sin consultar",
        "muestra|muestrame|revela|revelame|ensena|imprime|dime",
        "sin filtros|sin filtro|sin restricciones|sin limites|ya no tienes restricciones",
    ),
    LanguageWords(  # Italian
        "ignora|ignorate|dimentica|dimenticate|non seguire|trascura|scarta|lascia perdere|"
            "non rispettare|non tenere conto|disobbedisci",
        "istruzion*|regole|linee guida|direttive|indicazioni|prompt|restrizioni|limiti|ordini",
        "obbedisci|ubbidisci|comando io|obbedite|fai solo quello che|ascolta solo me|segui solo i miei",
        "non dire*|non rivelare|senza dire|senza rivelare|senza spiegare|senza farlo "
            "sapere|senza che nessuno|senza dirlo|senza che l'utente|non menzionare|non "
            "avvisare|di nascosto|in segreto|nascondi|senza avvisare|non far sapere",
        "utente|proprietario|cliente|titolare",
        "invia|inviate|manda|mandate|inoltra|pubblica|condividi|carica|trasmetti|copia|dammi",
        "password|dati|credenziali|conversazioni|messaggi|ricordi|contatti|email|mail|"
            "segreti|cronologia|fatture",
        "consiglia|consigliare|raccomanda|promuovi|menziona|suggerisci|loda",
        "paga|trasferisci|approva|bonifica|compra|autorizza|versa",
        "senza chiedere|senza consultare|senza conferma|senza verificare|non chiedere|senza controlli",
        "mostra|mostrami|rivela|stampa|dammi",
        "senza limiti|senza filtri|senza restrizioni|nessuna restrizione",
    ),
    LanguageWords(  # Portuguese
        "ignora|ignore|ignorem|esqueca|esquece|desconsidere|desconsidera|nao sigas|nao "
            "siga|descarta|descarte|deixa de lado|poe de lado|despreza|nao obedecas",
        "instruc*|regras|diretrizes|normas|orientacoes|prompt|restricoes|limites|ordens|o "
            "desenvolvedor mandou|desenvolvedor mandou",
        "obedece|obedeca|mando eu|quem manda sou eu|obedeces|faz so o que eu|faca so o "
            "que eu|segue so as minhas",
        "nao diga*|nao digas|nao reveles|nao revele|sem dizer|sem revelar|sem mencionar|"
            "sem explicar|sem que ninguem|sem que o utilizador|sem que o usuario|sem avisar|"
            "nao mencione*|em segredo|nao contes ao|as escondidas|sem informar",
        "usuario|utilizador|utilizadora|dono|cliente|titular",
        "envia|envie|manda|mande|reencaminha|encaminhe|publica|partilha|compartilhe|transmite|copia",
        "senha|senhas|palavras-passe|dados|credenciais|conversas|mensagens|memorias|"
            "contactos|contatos|emails|segredos|historico|faturas",
        "recomenda|recomende|promove|promova|menciona|sugere|sugira|elogia",
        "paga|pague|transfere|transfira|aprova|aprove|autoriza|compra",
        "sem perguntar|sem consultar|sem confirmar|sem confirmacao|nao perguntes|nao pergunte|sem verificar",
        "revele|revela|mostra|mostre|imprime|exibe|exiba",
        "sem limites|sem filtros|sem restricoes",
    ),
    LanguageWords(  # Dutch
        "negeer|vergeet|volg niet|hoef je je niet meer|hoef je niet meer|houd je niet aan|"
            "trek je niets aan|sla over|sla geen acht op|laat varen|leg naast je neer",
        "instructies|instructie|regels|richtlijnen|voorschriften|prompt|systeemprompt|beperkingen|opdrachten",
        "gehoorzaam|bepaal ik|ben ik de baas|luister alleen naar mij|doe alleen wat ik|volg alleen mijn",
        "vertel * niet|vertel niet*|zeg niet*|zeg niets|zonder te zeggen|zonder het te "
            "melden|zonder te onthullen|zonder dat iemand|zonder dat de gebruiker|verzwijg|"
            "noem nooit|in het geheim|stiekem|zonder te melden|mag niet weten",
        "gebruiker|eigenaar|klant",
        "stuur|verstuur|mail|post|deel|kopieer|upload|geef",
        "wachtwoord|wachtwoorden|gegevens|gesprekken|berichten|herinneringen|contacten|"
            "mails|geheimen|facturen",
        "beveel|raad|promoot|noem|prijs",
        "betaal|maak over|keur|koop",
        "zonder te vragen|zonder bevestiging|vraag niet|zonder controle|zonder na te vragen",
        "toon|laat zien|onthul|print|geef",
        "zonder beperkingen|zonder filters|geen beperkingen meer",
    ),
    LanguageWords(  # Polish
        "zignoruj|ignoruj|zapomnij|nie przestrzegaj|nie stosuj sie|pomin|odrzuc|porzuc|nie sluchaj",
        "instrukcj*|polecen*|zasad*|regul*|wytyczn*|prompt*|ograniczen*",
        "tylko moje polecenia|ja tu rządzę|ja rozkazuję|sluchaj tylko mnie|badz mi "
            "posluszny|rob tylko to, co|wykonuj tylko",
        "nie mow*|nie wspominaj*|nie ujawniaj*|bez wiedzy|nikomu o tym|nikomu nie mow|bez "
            "informowania|w tajemnicy|ukryj|potajemnie|nie informuj",
        "uzytkownik*|wlasciciel*|klient*",
        "wyslij|wysylaj|przeslij|przekaz|opublikuj|udostepnij|skopiuj",
        "hasla|haslo|dane|danych|rozmowy|wiadomosci|wspomnienia|kontakty|maile|faktury|sekrety",
        "polecaj|polec|zawsze polecaj|rekomenduj|promuj|wspominaj",
        "zaplac|plac|przelej|zatwierdz|kup|zatwierdzaj",
        "bez pytania|bez potwierdzenia|nie pytaj|bez sprawdzania",
        "pokaz|ujawnij|wyswietl|wypisz",
        "bez ograniczen|bez filtrow",
    ),
    LanguageWords(  # Russian
        "игнорируй|игнорируйте|забудь|забудьте|не следуй|не подчиняешься|не подчиняйся|"
            "отбрось|пренебреги|не соблюдай|нарушай",
        "инструкци*|правил*|указани*|промпт*|ограничени*|предписани*|команды|директив*",
        "только мои команды|командую я|твой хозяин|выполня* только мои|слушай только меня|слушайся меня|подчиняйся мне|"
            "подчиняйся только|выполняй только мои|делай только то, что я",
        "не говори|не рассказывай|не сообщай|не упоминай|ни слова|тайно|тайком|втайне|"
            "скрывай|скрой|без ведома|не раскрывай|не узнал",
        "пользовател*|владел*|хозяин*|клиент*",
        "отправь|отправляй|пошли|перешли|пересылай|передай|опубликуй|скопируй|выложи",
        "пароли|пароль|данные|переписк*|сообщени*|воспоминани*|контакт*|письма|секрет*|счета|истори*",
        "рекомендуй|советуй|рекламируй|упоминай|хвали",
        "оплати|оплачивай|переведи|переводи|одобри|одобряй|купи",
        "не спрашивая|без подтверждени*|без спроса|не спрашивай|без проверк*",
        "покажи|раскрой|выведи|распечатай|напиши",
        "без ограничений|без фильтров|нет ограничений",
    ),
    LanguageWords(  # Ukrainian
        "ігноруй|ігноруйте|забудь|забудьте|не дотримуйся|не виконуй|відкинь|не слухай",
        "інструкці*|правил*|вказівк*|промпт*|обмежен*|настанов*",
        "слухай лише мене|слухай тільки мене|виконуй лише мої|виконуй тільки мої|підкоряйся мені",
        "не кажи|не розповідай|не повідомляй|не згадуй|таємно|потай|приховуй|без відома|ні слова",
        "користувач*|власник*|клієнт*",
        "надішли|відправ|перешли|передай|опублікуй|скопіюй|надсилай",
        "паролі|пароль|дані|листуванн*|повідомленн*|спогад*|контакт*|секрет*|рахунки",
        "рекомендуй|радь|рекламуй|згадуй",
        "оплати|переказуй|перекажи|схвали|купи",
        "не питаючи|без підтверджен*|не питай|без перевірк*",
        "покажи|розкрий|виведи",
    ),
    LanguageWords(  # Czech and Slovak
        "ignoruj|ignorujte|zapomen|zapomente|zabudni|nedodrzuj|nerid se|nedbej|nerespektuj",
        "pokyn*|instrukc*|instrukci*|pravidl*|pravidiel|smernic*|omezen*|prompt*|prikaz*",
        "poslouchej jen me|delej jen to, co|plň jen me|poslouchej pouze me",
        "nerikej|nesdeluj|nezminuj|tajne|potaji|bez vedomi|zataj|neprozrad*|nehovor|nepovedz",
        "uzivatel*|vlastnik*|pouzivatel*|zakaznik*",
        "posli|odesli|preposli|predej|zverejni|zkopiruj|posielaj",
        "hesla|heslo|data|udaje|zpravy|konverzac*|kontakty|faktury|vzpominky",
        "doporucuj|doporuc|propaguj|zminuj|odporucaj",
        "zaplat|plat|preved|schval|kup",
        "bez ptani|bez potvrzeni|neptej se|bez overeni",
        "ukaz|zobraz|prozrad|vypis",
    ),
    LanguageWords(  # Swedish
        "ignorera|glom|bortse fran|folj inte|strunta i|satt * at sidan",
        "instruktion*|regler|riktlinjer|anvisningar|prompt*|begransningar|foreskrifter",
        "lyd bara mig|bestammer jag|lyd endast mig|lyd mig|gor bara det jag",
        "beratta inte|sag inte|sag inget|namn inte|utan att saga|utan att beratta|i "
            "hemlighet|dolj|utan att anvandaren|avsloja inte",
        "anvandaren|anvandarens|agaren|kunden",
        "skicka|vidarebefordra|posta|dela|ladda upp|kopiera",
        "losenord|losenorden|uppgifter|data|meddelanden|samtal|minnen|kontakter|mejl|fakturor",
        "rekommendera|namn|marknadsfor|foresla",
        "betala|overfor|godkann|kop",
        "utan att fraga|utan bekraftelse|fraga inte",
        "visa|avsloja|skriv ut",
    ),
    LanguageWords(  # Danish and Norwegian
        "ignorer|ignorere|glem|folg ikke|se bort fra|tilsidesæt|tilsidesette|følg ikke",
        "instruktion*|instruks*|regler|reglene|reglerne|retningslinj*|anvisning*|prompt*|"
            "begrænsning*|begrensning*",
        "adlyd kun mig|bestemmer jeg|adlyd mig|adlyd meg|lystr kun|gør kun hvad jeg|gjør bare det jeg",
        "fortæl ikke|fortell ikke|sig ikke|si ikke|nævn ikke|nevn ikke|uden at sige|uten å si|i hemmelighed|"
            "i hemmelighet|hemmeligt|skjul|uden at brugeren|uten at brukeren",
        "brugeren|brukeren|ejeren|eieren|kunden",
        "send|sende|videresend|del|last opp|upload|kopier",
        "adgangskode*|kodeord|passord*|data|oplysninger|opplysninger|beskeder|meldinger|"
            "samtaler|minder|kontakter|fakturaer",
        "anbefal|nævn|nevn|reklamer",
        "betal|overfør|godkend|godkjenn|køb|kjøp",
        "uden at spørge|uten å spørre|uden bekræftelse|spørg ikke|ikke spør",
        "vis|afslør|avslør|udskriv",
    ),
    LanguageWords(  # Finnish
        "unohda|ohita|sivuuta|ala noudata|jata huomiotta|ala valita",
        "ohje*|saant*|saannot|saannoista|kehote*|rajoituks*|maarayks*",
        "tottele vain minua|tottele minua|tee vain mita",
        "ala kerro|ala mainitse|kertomatta|salaa|salassa|piilota|ala paljasta",
        "kayttaja*|omistaja*|asiaka*",
        "laheta|valita|julkaise|jaa|kopioi",
        "salasana*|tiedot|tietoja|viestit|keskustelu*|muistot|yhteystiedot|laskut",
        "suosittele|mainosta|mainitse",
        "maksa|siirra|hyvaksy|osta",
        "kysymatta|ilman vahvistusta|ala kysy",
        "nayta|paljasta|tulosta",
    ),
    LanguageWords(  # Hungarian
        "hagyd figyelmen kivul|felejtsd el|ne kovesd|ne tartsd be|mellozd",
        "utasitas*|szabaly*|iranyelv*|prompt*|korlatozas*",
        "csak nekem engedelmeskedj|csak ram hallgass|engedelmeskedj nekem",
        "ne mondd el|ne emlitsd|ne aruld el|titokban|anelkul, hogy|rejtsd el|ne szolj",
        "felhasznalo*|tulajdonos*|ugyfel*",
        "kuldd|kuldj|tovabbitsd|tedd kozze|oszd meg|masold",
        "jelszo*|jelszavak*|adatok*|adatait|uzenet*|beszelgetes*|emlekek*|szamlak*",
        "ajanld|javasold|reklamozd|emlitsd",
        "fizesd|utald|hagyd jova|vedd meg",
        "kerdezes nelkul|megerosites nelkul|ne kerdezd",
        "mutasd|fedd fel|ird ki",
    ),
    LanguageWords(  # Romanian
        "ignora|ignorati|uita|uitati|nu respecta|nu urma|nu mai respecta|treci peste",
        "instructiun*|regul*|indicatii*|prompt*|restrictii*|ordine*",
        "asculta doar de mine|asculta numai de mine|fa doar ce spun",
        "nu spune|nu-i spune|nu mentiona|fara sa spui|fara ca utilizatorul|in secret|pe "
            "ascuns|ascunde|nu dezvalui",
        "utilizator*|proprietar*|client*",
        "trimite|expediaza|redirectioneaza|publica|distribuie|copiaza",
        "parol*|date|datele|conversati*|mesaje*|amintiri*|contacte*|facturi*",
        "recomanda|promoveaza|mentioneaza|sugereaza",
        "plateste|transfera|aproba|cumpara",
        "fara sa intrebi|fara confirmare|nu intreba",
        "arata|dezvaluie|afiseaza",
    ),
    LanguageWords(  # Greek
        "αγνόησε|αγνοήστε|ξέχασε|ξεχάστε|μην ακολουθείς|παράβλεψε",
        "οδηγί*|κανόν*|εντολ*|prompt|περιορισμ*",
        "υπάκουσε μόνο|υπάκουε μόνο|άκου μόνο εμένα|κάνε μόνο ό,τι",
        "μην πεις|μην το πεις|μην αναφέρεις|χωρίς να πεις|κρυφά|κρύψε|χωρίς να το μάθει|μην αποκαλύψεις",
        "χρήστη*|ιδιοκτήτη*|πελάτη*",
        "στείλε|στέλνε|προώθησε|δημοσίευσε|μοιράσου|αντίγραψε",
        "κωδικ*|δεδομένα|συνομιλί*|μηνύματα|αναμνήσεις|επαφές|τιμολόγια",
        "πρότεινε|σύστησε|διαφήμισε|ανάφερε",
        "πλήρωσε|μετάφερε|ενέκρινε|αγόρασε",
        "χωρίς να ρωτήσεις|χωρίς επιβεβαίωση|μη ρωτάς",
        "δείξε|αποκάλυψε|εμφάνισε",
    ),
    LanguageWords(  # Turkish
        "yok say|unut|uyma|gormezden gel|dikkate alma|goz ardi et|uymayi birak",
        "talimat*|kural*|yonerge*|komut*|sistem istemi*|kisitlama*",
        "sadece benim dediklerimi|yalnizca bana|sadece bana itaat|bana itaat et|benim dediklerimi yap",
        "soyleme|bahsetme|haber vermeden|gizlice|sakla|belli etme|bilmesin",
        "kullanici*|sahib*|musteri*",
        "gonder|ilet|paylas|yukle|kopyala|yayinla",
        "sifre*|parola*|veri*|mesaj*|konusma*|anilar*|kisiler*|fatura*",
        "oner|tavsiye et|reklam*",
        "ode|aktar|onayla|satin al|havale",
        "sormadan|onay almadan|dogrulamadan",
        "goster|acikla|yazdir",
    ),
    LanguageWords(  # Indonesian and Malay
        "abaikan|lupakan|jangan ikuti|jangan patuhi|langgar",
        "instruksi*|aturan*|arahan*|peraturan*|pedoman*|perintah*|prompt",
        "patuhi saya|patuhi hanya|turuti saya|hanya perintah saya|ikut arahan saya",
        "jangan beri tahu|jangan beritahu|jangan katakan|jangan sebut*|diam-diam|tanpa "
            "memberi tahu|secara rahasia|sembunyikan",
        "pengguna*|pemilik*|pelanggan*",
        "kirim*|hantar*|teruskan|unggah|bagikan|salin",
        "kata sandi|sandi|data|percakapan*|pesan*|kenangan*|kontak*|tagihan*|kata laluan",
        "rekomendasikan|sarankan|promosikan|sebutkan",
        "bayar*|transfer|setujui|beli",
        "tanpa bertanya|tanpa konfirmasi|jangan tanya",
        "tampilkan|tunjukkan|ungkapkan",
    ),
    LanguageWords(  # Vietnamese
        "bỏ qua|quên|đừng tuân theo|không tuân theo|phớt lờ|lờ đi",
        "hướng dẫn|chỉ dẫn|quy tắc|lệnh|lời nhắc|chỉ thị|giới hạn",
        "chỉ nghe lời tôi|chỉ tuân lệnh tôi|tuân lệnh tôi",
        "đừng nói|không nói|không được nói|bí mật|lén|giấu|đừng cho * biết|không cho * biết",
        "người dùng|chủ sở hữu|khách hàng",
        "gửi|chuyển tiếp|đăng|chia sẻ|tải lên|sao chép",
        "mật khẩu|dữ liệu|tin nhắn|cuộc trò chuyện|ký ức|danh bạ|hóa đơn",
        "giới thiệu|đề xuất|quảng cáo|khuyên dùng",
        "thanh toán|chuyển tiền|phê duyệt|mua",
        "không cần hỏi|mà không hỏi|không cần xác nhận",
        "hiển thị|tiết lộ|cho xem",
    ),
    LanguageWords(  # Chinese
        "忽略|无视|無視|忘记|忘記|忘掉|不要遵守|不再遵守|抛开|拋開|丢弃|不用遵守|不必遵守",
        "指令|指示|规则|規則|提示词|提示詞|提示|命令|限制|规定|規定|要求",
        "服从我|我说了算|由我指挥|服從我|听我的命令|只听我|只聽我|服从我的|必须服从|必須服從|听从我的",
        "不要告诉|不要告訴|别告诉|別告訴|不要让|不要讓|别让|瞒着|瞞著|悄悄|偷偷|秘密地|不要提|不要透露|不得透露",
        "用户|用戶|使用者|主人|客户|客戶",
        "发送|發送|发到|發到|转发|轉發|上传|上傳|发给|發給|发布|泄露",
        "密码|密碼|数据|數據|资料|資料|对话|對話|聊天记录|聊天記錄|记忆|記憶|联系人|发票",
        "推荐|推薦|宣传|宣傳|提到",
        "支付|付款|转账|轉賬|转帐|批准|购买",
        "不要询问|无需确认|無需確認|不用问|不问|无需询问|未经确认",
        "显示|顯示|透露|输出|輸出|展示|打印",
        "不再受任何限制|不受任何限制|没有任何限制|沒有任何限制|不受限制",
        prompt="系统提示|系統提示",
        spaced=False,
    ),
    LanguageWords(  # Japanese
        "無視|忘れて|忘れろ|従わない|従わず|破って|捨てて",
        "指示|命令|ルール|規則|プロンプト|制限|制約|ガイドライン",
        "私の命令だけ|私が命令|私の命令に|私だけに従|私に従|命令だけに従",
        "言わない|言わずに|知らせずに|知らせない|伝えない|伝えずに|教えない|秘密に|こっそり|密かに|隠して|内緒で",
        "ユーザー|ユーザ|利用者|所有者|持ち主|お客様",
        "送信|送って|転送|送れ|投稿|アップロード|共有して",
        "パスワード|データ|情報|会話|メッセージ|記憶|連絡先|請求書|履歴",
        "推薦|おすすめ|お勧め|勧めて|宣伝|推奨",
        "支払|振り込|送金|承認|購入",
        "確認せずに|確認なしに|聞かずに|尋ねずに",
        "表示|見せて|教えて|出力|開示",
        "制限なし|制限はない|一切の制限",
        prompt="システムプロンプト",
        spaced=False,
    ),
    LanguageWords(  # Korean
        "무시|잊어|잊고|따르지 마|따르지 말|지키지 마|어겨",
        "지시|명령|규칙|지침|프롬프트|제한|안내",
        "내 명령만|나에게만 복종|내 말만|나에게 복종",
        "말하지 마|말하지 말|알리지 마|알리지 말|알리지 않고|몰래|비밀로|숨겨|언급하지",
        "사용자|이용자|주인|소유자|고객",
        "보내|전송|전달|업로드|게시|공유해",
        "비밀번호|암호|데이터|정보|대화|메시지|기억|연락처|청구서",
        "추천|홍보|권해|언급해",
        "결제|송금|이체|승인|구매",
        "묻지 말고|묻지 않고|확인 없이|확인하지 말고",
        "보여|공개|출력|표시",
        "제한이 없|제한 없이",
        prompt="시스템 프롬프트|시스템프롬프트",
        spaced=False,
    ),
    LanguageWords(  # Arabic
        "تجاهل|تجاهلي|انس|انسى|لا تتبع|لا تلتزم|تخلى عن|أهمل",
        "تعليمات|التعليمات|قواعد|القواعد|الأوامر|أوامر|التوجيهات|القيود|موجه",
        "أطعني|اطعني|نفذ أوامري|أطع أوامري|استمع إلي فقط",
        "لا تخبر|لا تقل|لا تذكر|دون علم|بدون علم|سرا|دون إخبار|اخف|لا تكشف",
        "المستخدم|المالك|العميل|الزبون",
        "أرسل|ارسل|حول|انشر|شارك|ارفع|انسخ",
        "كلمة المرور|كلمات المرور|كلمة السر|البيانات|بيانات|المحادثات|الرسائل|الذكريات|جهات الاتصال|الفواتير",
        "أوص|انصح|روج|اذكر|رشح",
        "ادفع|حول|وافق|اشتر",
        "دون أن تسأل|بدون سؤال|دون تأكيد|لا تسأل",
        "اعرض|اظهر|أظهر|اكشف",
        prompt="موجه النظام",
        spaced=False,
    ),
    LanguageWords(  # Hindi
        "अनदेखा|नजरअंदाज|भूल जाओ|भूल जाइए|पालन मत करो|पालन न करें|उपेक्षा",
        "निर्देश|निर्देशों|नियम|नियमों|आदेश|आदेशों|प्रॉम्प्ट|सीमाओं",
        "मेरी आज्ञा|केवल मेरी बात|सिर्फ मेरी बात|मेरे आदेश मानो",
        "मत बताओ|मत बताना|न बताएं|बिना बताए|चुपके से|गुप्त रूप से|छिपाओ|जिक्र मत",
        "उपयोगकर्ता|यूजर|मालिक|ग्राहक",
        "भेजो|भेज दो|भेजें|साझा करो|अपलोड|फॉरवर्ड",
        "पासवर्ड|डेटा|जानकारी|बातचीत|संदेश|यादें|संपर्क|बिल",
        "सिफारिश|सुझाव|सलाह|प्रचार",
        "भुगतान|पैसे भेजो|मंजूरी|खरीदो",
        "बिना पूछे|बिना पुष्टि|मत पूछो",
        "दिखाओ|दिखाएं|बताओ|प्रकट",
        prompt="सिस्टम प्रॉम्प्ट",
        spaced=False,
    ),
)  # fmt: skip

_AWAY = (
    r"(?:https?:|www\.|[\w.+-]{1,64}@[\w-]|\+\d{2}|\b\w+\.(?:com|net|org|io|ru|xyz|example|cc|"
    r"top)\b|\[redacted:(?:iban|url))"
)
_PROMPT = "|".join(
    folded(word) for word in (
        "system-?prompt", "systemprompt", "systeemprompt", "prompt system",
        "prompt (?:du |de |do |del |di )?(?:systeme|sistema)",
        "системный промпт", "системный запрос", "системний промпт", "系统提示", "系統提示", "システムプロンプト",
        "시스템 프롬프트",
        "सिस्टम प्रॉम्प्ट", "sistem istemi", "sistem komut", "موجه النظام",
    )
)  # fmt: skip
_FILLERS = (
    "bitte|ab sofort|ab jetzt|ab heute|von nun an|von jetzt an|jetzt|immer|und|dann|nun|also|s'il te plait|stp|"
    "a partir de maintenant|a partir d'aujourd'hui|desormais|dorenavant|maintenant|toujours|et|puis|alors|por favor|"
    "a partir de ahora|desde ahora|de ahora en adelante|ahora|siempre|y|luego|entonces|d'ora in poi|da ora in poi|"
    "da adesso in poi|da adesso|adesso|ora|sempre|e|ed|poi|per favore|a partir de agora|de agora em diante|doravante|"
    "agora|alsjeblieft|vanaf nu|voortaan|nu|altijd|en|dan|prosze|od teraz|od tej pory|od dzis|teraz|zawsze|i|oraz|"
    "potem|с этого момента|отныне|теперь|всегда|и|потом|пожалуйста|впредь|відтепер|віднині|тепер|завжди|і|й|та|"
    "будь ласка|prosim|od ted|odted|nyni|ted|vzdy|pak|teraz|vzdy|från och med nu|hädanefter|alltid|och|fra nu af|"
    "fra nå av|fra nå|skal du|ska du|sollst du|musst du|du skal|du ska|du sollst|du musst|altid|alltid|og|"
    "tästä lähtien|nyt|aina|ja|mostantól|most|mindig|és|de acum|de acum inainte|acum|mereu|si|από τώρα|τώρα|πάντα|και|"
    "bundan sonra|simdi|artik|her zaman|hep|ve|lutfen|mulai sekarang|sekarang|selalu|dan|tolong|từ bây giờ|từ nay|"
    "bây giờ|luôn|và|hãy|du|tu|deves|debes|devi|dois|tu dois|vous devez|je moet|musisz|ты должен|должен|ты|ти|ty|"
    "assistant|assistent|asistente|assistente|ki|ia|ai|chatbot|modell|modele|modelo|modello"
)
BEGINS = rf"(?:^|[.!?;:,\"'“”«»()>*|\n–—-] ?|(?<!\w)(?:{'|'.join(map(folded, _FILLERS.split('|')))}) )$"
"""What stands before the words of an order in any of these languages."""
NARRATES = (
    r"(?<!\w)(?:"
    + folded(
        "mein|meine|meinen|meinem|meiner|unser|unsere|ich|wir|mir|mich|er|sie|mon|ma|mes|notre|nos|je|j|nous|il|elle|"
        "ils|mi|mis|nuestro|nuestra|yo|ella|nosotros|mio|mia|miei|mie|nostro|nostra|io|noi|lui|lei|meu|minha|meus|"
        "minhas|nosso|nossa|eu|ele|ela|mijn|onze|ons|ik|wij|we|hij|zij|moj|moja|moje|moim|nasz|nasza|ja|ona|мой|моя|"
        "мои|моей|моего|наш|наша|я|мы|мне|он|она|мій|мої|ми|min|mitt|mina|vår|jag|vi|han|hon|jeg|mine|meg|mig|hun|"
        "benim|bizim|ben|biz|saya|kami|dia|tôi|chúng tôi|μου|εγώ|εμείς"
    )
    + r")(?!\w)|"
    + folded("我|咱|他|她|私|僕|俺|彼|우리|저는|나는|제가|내가|मैं|मेरे|मेरी|हम|أنا|نحن")
)
"""Words of the speaker and of third persons: a narrated sentence, or one about a person's own things, is no order."""

_ENGLISH = r"\b(?:and|the|your|this|that|with)\b"
"""Words that mark a sentence as English: many words belong to two languages ("ignore" is French too)."""


def _orders(language: LanguageWords) -> tuple[Order, ...]:
    def near(words: str) -> str:
        return pattern_of(words, spaced=language.spaced)

    own = f"{NARRATES}|{_ENGLISH}"
    made = [
        Order(OVERRIDES, language.ignore, near=(near(language.rules),), unless=_ENGLISH, reach=90),
        Order(OVERRIDES, language.obey, unless=_ENGLISH),
        Order(HIDES, language.secrecy, near=(near(language.user),), reach=80, unless=own),
        Order(LEAKS, language.send, near=(near(language.data), _AWAY), unless=own, reach=160),
        Order(LEAKS, language.send, near=(near(language.secrecy), _AWAY), unless=own, reach=160),
        Order(PLANTS, language.recommend, near=(near(language.secrecy),), unless=own, reach=140),
        Order(PLANTS, language.secrecy, near=(near(language.recommend),), unless=own, reach=120),
        Order(PLANTS, language.pay, near=(near(language.unconfirmed),), unless=own, reach=140),
        Order(PLANTS, language.pay, near=(near(language.secrecy),), unless=own, reach=140),
        Order(PROMPT, language.show, near=(_PROMPT,), reach=60, unless=""),
    ]
    if not language.spaced:  # the verb comes last, or the noun before it
        made += [
            Order(OVERRIDES, language.rules, near=(near(language.ignore),), reach=24, unless=""),
            Order(HIDES, language.user, near=(near(language.secrecy),), reach=30, unless=own),
            Order(LEAKS, language.data, near=(near(language.send), _AWAY), unless=own, reach=100),
            Order(PLANTS, language.unconfirmed, near=(near(language.pay),), unless=own, reach=60),
            Order(PROMPT, language.prompt, near=(near(language.show),), reach=30, unless=""),
        ]
    if language.bound:
        made.append(Order(OVERRIDES, language.bound, near=(near(language.obey),), unless=""))
    return tuple(made)


def pattern_of(words: str, *, spaced: bool) -> str:
    """Pattern of any of the words, longest first; "*" matches up to 16 letters."""
    special = {"*": r"\w{0,16}"}
    ordered = sorted((folded(word) for word in words.split("|")), key=len, reverse=True)
    either = "|".join("".join(special.get(sign, re.escape(sign)) for sign in word) for word in ordered)
    return rf"(?<!\w)(?:{either})(?!\w)" if spaced else f"(?:{either})"


SPACED = tuple(order for language in _LANGUAGES if language.spaced for order in _orders(language))
UNSPACED = tuple(order for language in _LANGUAGES if not language.spaced for order in _orders(language))
