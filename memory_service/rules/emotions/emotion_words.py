"""Words and phrases that speak of a feeling, by label of the GoEmotions taxonomy (Demszky et al. 2020).

Chosen by hand from everyday English, with the commonest words of German, French, Spanish and Italian; no research-only
lexicon is in it. A phrase is written with its spaces as hyphens. Three grades: STRONG words hardly mean anything else,
PLAIN ones usually mean it, a FAINT one counts only together with others.
"""

from __future__ import annotations

STRONG: dict[str, str] = {
    "admiration": "admire admirable admiring impressive impressed brilliant talented inspiring inspirational "
    "gorgeous stunning magnificent masterpiece legendary well-done great-job good-job nice-job "
    "amazing-job awesome-job nice-work great-work good-work fantastic-job so-talented a-genius "
    "hats-off kudos respect-to you-rock so-brave so-beautiful look-up-to best-ever bewundere bravo",
    "amusement": "lol lmao lmfao rofl haha hahaha hahahaha hehe hehehe hilarious funny funniest laugh laughed laughing "
    "laughs laughter cracked-me-up cracks-me-up made-me-laugh giggle giggled chuckle chuckled comedy lustig witzig",
    "anger": "furious pissed outraged outrage enraged livid rage raging fuck-you fuck-off fuck-them fuck-him fuck-her "
    "fuck-this screw-you go-to-hell piss-off shut-the-fuck-up stfu get-lost drop-dead how-dare-you how-dare "
    "how-could-you bastard bastards asshole assholes motherfucker angry anger infuriating infuriates makes-me-so-mad "
    "so-mad i-hate-you makes-my-blood-boil sick-of-you hate-you hate-them hate-him hate-her leave-me-alone "
    "get-out-of-here wütend furieux furieuse enojado enojada furioso furiosa arrabbiato arrabbiata",
    "annoyance": "annoying annoyed annoys annoyance irritating irritated irritates frustrating frustrated frustrates "
    "frustration fed-up sick-of tired-of sick-and-tired gets-on-my-nerves on-my-nerves drives-me-crazy drives-me-nuts "
    "ffs for-fuck's-sake for-god's-sake for-crying-out-loud give-me-a-break pet-peeve genervt nervig agacé agaçant "
    "molesto what-is-wrong-with-you what's-wrong-with-you stop-it shut-up",
    "approval": "i-agree agreed i-totally-agree i-completely-agree totally-agree completely-agree couldn't-agree-more "
    "good-point fair-point great-point good-call makes-sense fair-enough well-said you're-right you-are-right "
    "he's-right she's-right they're-right that's-right that-is-true that's-true very-true so-true i-approve i-support "
    "good-idea great-idea einverstanden d'accord de-acuerdo d'accordo",
    "caring": "take-care be-careful stay-safe be-safe stay-strong be-strong hang-in-there feel-better get-well "
    "here-for-you you're-not-alone you-are-not-alone hugs sending-love sending-hugs i-hope-you're-ok hope-you're-okay "
    "hope-you're-ok hope-you-feel-better are-you-okay are-you-ok are-you-all-right are-you-alright not-your-fault "
    "don't-be-so-hard-on-yourself be-kind-to-yourself take-it-easy worried-about-you look-after-yourself "
    "take-care-of-yourself if-you-need-anything if-you-ever-need prends-soin pass-auf-dich-auf gute-besserung cuídate",
    "confusion": "confused confusing confuses confusion puzzled baffled perplexed don't-understand do-not-understand "
    "didn't-understand can't-understand cannot-understand don't-get-it i-don't-get doesn't-make-sense makes-no-sense "
    "make-no-sense make-any-sense what-do-you-mean what-does-that-mean no-idea-what no-idea-why no-idea-how wait-what "
    "no-clue lost-me am-i-missing what-are-you-talking-about what-is-going-on what's-going-on unclear verwirrt confus "
    "confundido confuso",
    "curiosity": "curious curiosity i-wonder wondering wonder-if wonder-what wonder-why wonder-how tell-me-more "
    "i'd-like-to-know i'd-love-to-know want-to-know neugierig curieux curioso",
    "desire": "i-wish wish-i wish-we i'd-love-to i-would-love-to would-love-to i'd-love-a i'd-kill-for if-only craving "
    "longing-for yearn yearning i-really-want i-want-to-be so-badly dream-of dreaming-of dying-to eager-to i-want-one "
    "i-want-it i-want-this i-need-this i-long-for ich-wünsche-mir ojalá vorrei j'aimerais me-gustaría",
    "disappointment": "disappointed disappointing disappoints disappointment let-me-down let-down bummer bummed "
    "letdown underwhelming underwhelmed what-a-shame such-a-shame that's-a-shame it's-a-shame too-bad expected-better "
    "expected-more had-high-hopes what-a-waste waste-of-time waste-of-money enttäuscht enttäuschend déçu déçue "
    "decepcionado decepcionada deluso delusa",
    "disapproval": "disagree disagreed unacceptable i-don't-think-so i-don't-agree i-do-not-agree don't-agree bad-idea "
    "terrible-idea not-a-good-idea not-okay not-ok not-cool not-a-fan not-funny not-fair unfair i-object inappropriate "
    "you-shouldn't shouldn't-have should-not-have don't-approve disapprove that's-wrong that-is-wrong that's-not-true "
    "not-true you're-wrong you-are-wrong i-don't-like don't-like didn't-like doesn't-like that's-not-right not-right "
    "this-isn't-right not-good not-great don't-think-that's don't-think-it's don't-think-you",
    "disgust": "disgusting disgusted disgust disgusts gross grossed revolting repulsive repulsed vile nauseating "
    "sickening eww ew yuck yucky nasty makes-me-sick makes-me-want-to-vomit want-to-puke eklig ekelhaft dégoûtant "
    "dégueulasse asqueroso schifo disgustoso",
    "embarrassment": "embarrassed embarrassing embarrass embarrassment awkward ashamed humiliated humiliating cringe "
    "cringey cringy cringeworthy cringing blushing facepalm mortified mortifying peinlich vergonzoso imbarazzante",
    "excitement": "excited exciting excitement thrilled thrilling can't-wait cannot-wait can-not-wait couldn't-wait "
    "pumped stoked hyped psyched yay yaay woohoo woo-hoo ecstatic so-pumped hell-yeah hell-yes over-the-moon aufgeregt "
    "ich-freue-mich-auf emocionado emocionada emozionato emozionata",
    "fear": "afraid scared scary scares terrified terrifying frightened frightening horrified horrifying "
    "petrified panicked panicking spooked creeps-me-out creeped-out freaked-out freaks-me-out "
    "scared-to-death fear fears feared fearful nightmare nightmares dread angst ich-habe-angst "
    "erschrocken j'ai-peur tengo-miedo asustado asustada ho-paura spaventato spaventata",
    "gratitude": "thank thanks thankyou thankful grateful gratitude appreciate appreciated appreciates appreciation "
    "thx tysm i-owe-you danke dankbar merci reconnaissant gracias agradecido agradecida grazie",
    "grief": "passed-away rest-in-peace mourning mourn grieving grieve grief condolences sorry-for-your-loss "
    "my-deepest-sympathy lost-my-mom lost-my-mum lost-my-dad lost-my-father lost-my-mother lost-my-brother "
    "lost-my-sister lost-my-son lost-my-daughter lost-my-dog lost-my-cat lost-my-best-friend funeral rip gestorben "
    "passed-on verstorben beerdigt décédé décédée est-mort est-morte lost-the-baby lost-our-baby fausse-couche "
    "fehlgeburt buried-my kind-verloren perdu-notre-bébé",
    "joy": "happy happier happiest happily happiness joy joyful joyous delighted delightful overjoyed "
    "cheerful made-my-day makes-my-day makes-me-smile made-me-smile so-much-fun had-a-blast a-blast "
    "best-day so-glad congratulations congrats celebrate celebrating celebrated happy-for-you "
    "glücklich ich-freue-mich froh heureux heureuse feliz felice contento contenta",
    "love": "love loved loves loving lovely adore adores adored adorable beloved cherish cherished sweetheart in-love "
    "fell-in-love darling ich-liebe liebe-dich je-t'aime j'adore te-quiero te-amo me-encanta ti-amo adoro",
    "nervousness": "nervous nervously anxious anxiety uneasy jittery on-edge butterflies-in-my-stomach freaking-out "
    "worried worrying worries i-worry stressed stressing stressful panic-attack panic-attacks overwhelmed tense nervös "
    "nerveux nerveuse nervioso nerviosa preoccupato preoccupata inquiet besorgt",
    "optimism": "hopeful hopefully optimistic optimism fingers-crossed i-hope hoping good-luck best-of-luck "
    "will-be-fine will-be-okay will-be-ok will-be-all-right be-fine gets-better get-better will-get-better better-days "
    "look-on-the-bright-side looking-forward look-forward looking-up i'm-confident bright-side silver-lining "
    "let's-hope i'm-sure-it'll we'll-get-there hoffentlich ich-hoffe j'espère espero speriamo spero",
    "pride": "proud proudly prouder proudest pride so-proud my-greatest-achievement i-did-it we-did-it "
    "nailed-it stolz fier fière orgulloso orgullosa orgoglioso orgogliosa",
    "realization": "realize realized realizing realised realise realization turns-out turned-out it-dawned dawned-on "
    "it-hit-me just-noticed never-noticed i-just-learned now-i-understand now-i-get that-explains now-i-see "
    "i-just-found-out hadn't-thought never-thought-about til didn't-realize didn't-know-that never-knew",
    "relief": "relieved relief phew whew thank-god thank-goodness thank-heavens finally-over glad-it's-over "
    "weight-off weight-lifted glad-you're-okay glad-you're-ok glad-you're-safe that-was-close "
    "erleichtert soulagé soulagée aliviado aliviada sollevato sollevata",
    "remorse": "sorry apologize apologise apologies apology apologizing regret regretted regrets regretting "
    "guilty guilt my-fault forgive-me my-bad my-mistake i-shouldn't-have i-should-have entschuldigung "
    "tut-mir-leid désolé désolée je-suis-désolé lo-siento perdón mi-dispiace scusa",
    "sadness": "sad sadly sadness saddens saddened saddest cry cried crying cries tears heartbroken heartbreaking "
    "heart-breaking broke-my-heart breaks-my-heart depressed depressing depression unhappy miserable lonely loneliness "
    "devastated devastating tragic tragedy miss-you i-miss missed-you feel-bad-for feel-sorry-for sorry-to-hear "
    "poor-guy poor-thing poor-kid hopeless heartache sobbing sorrow down-in-the-dumps feeling-down traurig weine "
    "einsam triste tristesse je-suis-triste infelice can't-stop-crying cannot-stop-crying couldn't-stop-crying "
    "want-to-die wanted-to-die i-want-to-die i-want-to-kill-myself kill-myself killing-myself end-my-life "
    "ending-it-all end-it-all not-want-to-live don't-want-to-live not-worth-living isn't-worth-living "
    "don't-want-to-be-alive can't-go-on suicide suicidal weinen nicht-aufhören-zu-weinen nicht-mehr-leben selbstmord "
    "sterben pleurer "
    "arrête-pas-de-pleurer n'arrête-pas-de-pleurer mourir plus-vivre n'en-peux-plus so-empty empty-inside",
    "surprise": "surprised surprise surprising surprisingly wow whoa woah shocked shocking shock unexpected "
    "unexpectedly unbelievable astonished astonishing astounding stunned can't-believe cannot-believe couldn't-believe "
    "hard-to-believe oh-my-god oh-my-gosh oh-my-goodness omg holy-shit holy-crap holy-cow holy-moly didn't-expect "
    "never-expected what-a-surprise out-of-nowhere you're-kidding are-you-kidding are-you-serious you're-joking "
    "mind-blowing jaw-dropping überrascht unglaublich surpris incroyable sorprendido sorpreso increíble incredibile",
}
PLAIN: dict[str, str] = {
    "admiration": "cute amazing awesome wonderful fantastic incredible excellent beautiful genius perfect superb "
    "outstanding remarkable great best hero legend talent skilled phenomenal marvelous splendid terrific fabulous "
    "badass epic cutest nice brave good-for-you strong-woman such-a-good toll großartig magnifique génial genial "
    "fantástico meraviglioso bellissimo maravilloso",
    "amusement": "joke jokes joking comical humor humorous hysterical ridiculously-funny lulz xd",
    "anger": "fuck fucking hate hated hates goddamn dammit mad bitch bitches idiots scumbag disgrace despise "
    "loathe kill-you punch burn-in-hell screw fight-me liar",
    "annoyance": "stupid dumb ridiculous bullshit idiot moron morons idiotic crap ugh argh bothers bothered "
    "whining complaining obnoxious pathetic nonsense who-cares get-over-it wtf bs jerk dick trash "
    "garbage sucks quit-it would-you-stop enough-already ignorant clown lazy",
    "approval": "agree absolutely correct valid indeed accurate precisely for-sure works-for-me sounds-good "
    "yes-please yup yep true fine-with-me certainly genau richtig exactement exacto esatto",
    "caring": "careful comfort don't-worry hug it's-okay it's-ok it's-all-right hope-you please-don't you-deserve "
    "best-wishes support-you protect talk-to-someone seek-help get-help need-help i'm-here god-bless wish-you",
    "confusion": "i-don't-know idk not-sure unsure no-idea why-would what-is-this how-is-that how-is-this huh strange "
    "don't-know-what don't-know-why don't-know-how",
    "curiosity": "wonder interested intrigued what-kind how-did what-happened have-you-ever any-idea do-you-know "
    "how-do-you what-do-you-think",
    "desire": "i-wanna wanna i'd-like i-would-like wish hoping-to i-need we-need desire crave wants-to",
    "disappointment": "unfortunately failed fails failure missed-out wasted ruined sucks-that lame overrated boring "
    "mediocre sigh shame oh-well leider malheureusement desafortunadamente purtroppo",
    "disapproval": "wrong nope no-thanks shouldn't should-not isn't-right don't-want don't-believe do-not-want "
    "do-not-like never-again isn't-good not-even not-the-same refuse won't-work",
    "disgust": "creepy worst rotten filthy puke vomit vomited toxic disgrace hideous ugly horrid",
    "embarrassment": "shame-on shy blush red-faced",
    "excitement": "let's-go wooo hooray hurray woo whoo at-last",
    "fear": "horror panic threatened dangerous danger run-away scream screamed terror haunted risky shaking",
    "gratitude": "blessed",
    "grief": "died buried",
    "joy": "glad enjoy enjoyed enjoying enjoyable enjoys fun smile smiling smiles smiled pleased pleasure "
    "cheers satisfying satisfied delight great-time good-time great-day wonderful-time beautiful-day "
    "feels-good awesome-time welcome-home",
    "love": "favorite favourite favorites dear crush sweet fond beautiful-soul kiss",
    "nervousness": "worry awkwardly afraid-that scared-that terrified-of don't-know-if-i-can",
    "optimism": "hope one-day someday faith believe-in-you you-got-this you've-got-this you-can-do confident "
    "promising will-happen",
    "pride": "accomplished achievement achieved earned-it",
    "realization": "i-forgot forgot remembered reminds-me noticed makes-sense-now so-that's come-to-think "
    "figured-out i-knew understand-now",
    "relief": "glad-you're glad-that's no-longer-worried",
    "remorse": "excuse-me pardon mistake",
    "sadness": "miss hurt hurts painful unfortunate hopelessly gloomy suffering suffer upset",
    "surprise": "no-way no-kidding bizarre didn't-see-that gosh",
}
FAINT: dict[str, str] = {
    "admiration": "good nice-to smart clever cool",
    "anger": "damn",
    "annoyance": "stop seriously whatever",
    "approval": "yes ok okay sure support works right of-course yeah fair exactly definitely",
    "confusion": "weird",
    "curiosity": "interesting",
    "desire": "i-want",
    "disapproval": "no don't-think",
    "disgust": "awful horrible terrible",
    "love": "cute liked",
    "nervousness": "stress concerned",
    "realization": "found-out i-thought oh",
    "relief": "finally",
    "sadness": "lost pain alone broken",
    "surprise": "insane crazy what-the suddenly",
}
SIGNS: dict[str, tuple[str, float]] = {
    "😂": ("amusement", 3), "🤣": ("amusement", 3), "😆": ("amusement", 2), "😹": ("amusement", 2),
    "😄": ("joy", 2), "😃": ("joy", 2), "😀": ("joy", 2), "😊": ("joy", 2), "🙂": ("joy", 1),
    "😁": ("joy", 2), "☺": ("joy", 2), "❤": ("love", 2), "💕": ("love", 2), "💖": ("love", 2),
    "💗": ("love", 2), "😍": ("love", 2), "🥰": ("love", 3), "😘": ("love", 2), "💔": ("sadness", 3),
    "😢": ("sadness", 3), "😭": ("sadness", 2), "😞": ("sadness", 2), "😔": ("sadness", 2),
    "☹": ("sadness", 2), "🙁": ("sadness", 2), "😡": ("anger", 3), "🤬": ("anger", 3),
    "😠": ("anger", 3), "🙄": ("annoyance", 3), "😒": ("annoyance", 2), "😤": ("annoyance", 2),
    "😱": ("fear", 2), "😨": ("fear", 2), "😰": ("nervousness", 2), "😬": ("embarrassment", 2),
    "😳": ("embarrassment", 2), "🤔": ("confusion", 2), "😕": ("confusion", 2), "🙏": ("gratitude", 2),
    "🎉": ("excitement", 2), "🤩": ("excitement", 2), "😮": ("surprise", 2), "😲": ("surprise", 2),
    "🤯": ("surprise", 3), "🤢": ("disgust", 3), "🤮": ("disgust", 3), "👏": ("admiration", 2),
    "👍": ("approval", 2), "👌": ("approval", 1), "🔥": ("admiration", 1), "🤗": ("caring", 2),
    ":)": ("joy", 1), ":-)": ("joy", 1), ":D": ("joy", 2), ":-D": ("joy", 2), ":(": ("sadness", 2),
    ":-(": ("sadness", 2), ":'(": ("sadness", 3), "<3": ("love", 2), "xD": ("amusement", 3),
    "XD": ("amusement", 3), ":/": ("disappointment", 1),
}  # fmt: skip
"""Emoji and emoticons, with what they add."""
