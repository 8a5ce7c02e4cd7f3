"""How a text feels: valence by VADER (Hutto & Gilbert 2014), emotions by a small word list of our own.

The labels are GoEmotions' (Demszky et al. 2020). The words were chosen by hand; no research-only lexicon is
in it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer  # pyright: ignore[reportUnknownVariableType]

_ANALYZER = SentimentIntensityAnalyzer()

_WORDS: dict[str, str] = {
    "admiration": "admire admirable impressive incredible brilliant talented inspiring wonderful beautiful "
    "gorgeous stunning fantastic excellent amazing awesome masterpiece genius "
    "great good nice perfect best cool well-done legend hero",
    "amusement": "lol lmao haha hahaha hilarious funny funniest laugh laughed laughing joke jokes rofl "
    "comedy",
    "anger": "angry furious mad rage pissed outraged hate hated hates fuck fucking bastard livid enraged "
    "screw idiot idiots damn",
    "annoyance": "annoying annoyed annoys irritating irritated frustrating frustrated fed-up stupid "
    "ridiculous bothers bothered ugh bullshit dumb tired-of sick-of",
    "approval": "agree agreed right exactly definitely absolutely correct true valid fair yes indeed support",
    "caring": "careful worry-about take-care hope-you hug hugs comfort safe support be-strong feel-better "
    "get-well here-for-you",
    "confusion": "confused confusing unclear puzzled lost-me don't-understand don't-get no-idea not-sure "
    "why-would unsure what-does",
    "curiosity": "curious wonder wondering interested how-did what-happened why-do what-kind tell-me-more "
    "have-you",
    "desire": "want wanna wish wishing desire crave craving longing dream-of would-love need hoping-to "
    "can't-wait-to",
    "disappointment": "disappointed disappointing disappointment let-down letdown unfortunately sadly "
    "failed failing missed-out too-bad underwhelming",
    "disapproval": "disagree wrong unacceptable shouldn't unfair inappropriate against object "
    "terrible-idea bad-idea not-okay",
    "disgust": "disgusting disgusted gross nasty revolting vile sickening eww ew yuck creepy awful horrible",
    "embarrassment": "embarrassed embarrassing awkward ashamed humiliated humiliating cringe blushing shame",
    "excitement": "excited exciting thrilled can't-wait pumped stoked hyped yay woohoo ecstatic "
    "looking-forward",
    "fear": "afraid scared scary terrified frightened frightening fear fears horror terrifying panic "
    "panicked dread",
    "gratitude": "thank thanks thankful grateful gratitude appreciate appreciated thx blessed",
    "grief": "died dead funeral mourning grieving grief passed-away rip rest-in-peace buried",
    "joy": "happy glad joy joyful delighted cheerful enjoy enjoyed enjoying fun blast smile smiling "
    "overjoyed celebrate celebrated pleased",
    "love": "love loved loves loving adore adores beloved cherish favorite favourite sweetheart fell-in-love",
    "nervousness": "nervous anxious anxiety worried worry worrying stressed stress uneasy jittery "
    "overwhelmed tense",
    "optimism": "hope hopeful hopefully optimistic looking-up will-get-better better-days confident "
    "promising",
    "pride": "proud pride accomplished achievement achieved nailed-it",
    "realization": "realize realized realised realise turns-out i-see i-just-learned it-hit-me dawned "
    "now-i-understand",
    "relief": "relieved relief phew finally-over glad-it's-over thank-goodness thank-god weight-off",
    "remorse": "sorry apologize apologise apologies regret regretted guilty guilt my-fault forgive-me my-bad",
    "sadness": "sad sadness cry cried crying tears heartbroken depressed depressing unhappy miserable "
    "lonely devastated hurt hurts miss missing gloomy hopeless",
    "surprise": "surprised surprise surprising wow omg shocked shocking unexpected unexpectedly "
    "unbelievable whoa astonished no-way can't-believe",
}
_STRONG = frozenset(
    """
        gratitude amusement love remorse fear sadness grief anger joy excitement surprise pride
        relief embarrassment nervousness disgust disappointment
        """.split()  # noqa: SIM905
)
"""Labels whose words seldom mean anything else; they count double."""
_EMOTIONS_OF: dict[str, list[str]] = {}
_LONG: dict[str, str] = {}
for _label, _listed in _WORDS.items():
    for _entry in _listed.split():
        if _entry.count("-"):
            _LONG[_entry.replace("-", " ")] = _label
        else:
            _EMOTIONS_OF.setdefault(_entry, []).append(_label)

_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
_NEGATIONS = frozenset(
    """
        not no never isn't wasn't aren't weren't don't doesn't didn't can't couldn't won't wouldn't
        hardly without nothing neither nor ain't
        """.split()  # noqa: SIM905
)
_TURNED = {
    "joy": "sadness",
    "love": "disapproval",
    "excitement": "disappointment",
    "approval": "disapproval",
    "admiration": "disapproval",
    "pride": "disappointment",
    "optimism": "disappointment",
}
"""What a denied feeling most often means; the others, denied, mean nothing."""


def valence(sentences: Sequence[str]) -> float:
    """Return how good or bad the sentences feel, -1..1: VADER's compound, averaged, so that length adds
    nothing.

    VADER gives 0.8 to any polite compliment. Beyond ±0.6, which S2 calls high emotion, only words get that
    mean it.
    """
    if not sentences:
        return 0.0
    scores = [float(_ANALYZER.polarity_scores(sentence)["compound"]) for sentence in sentences]  # pyright: ignore[reportUnknownMemberType]
    mild = _MILD * sum(scores) / len(scores)
    for sentence, score in zip(sentences, scores, strict=True):
        if score < 0.4 and _OUTRIGHT_BAD.search(sentence) and _OWN.search(sentence):
            return min(mild, -max(0.65, abs(score)))
        if score >= 0 and _OUTRIGHT_GOOD.search(sentence) and _OWN.search(sentence):
            return max(mild, 0.65, score)
    return max(-1.0, min(1.0, mild))


_MILD = 0.6
_OWN = re.compile(r"\b(?:I|[Mm]y|[Mm]e|[Ww]e|[Oo]ur|i[’'])\b")
_OUTRIGHT_BAD = re.compile(
    r"(?i)\b(?:devastat\w+|heartbroken|heartbreaking|broke my heart|furious|terrified|panic\w*|hopeless|"
    r"suicid\w+|worst (?:day|week|year|thing|night)|"
    r"died|passed away|funeral|grie(?:f|ving)|miscarriage|cancer|can(?:no|[’'])t stop crying|cried (?:all|"
    r"for|myself)|hate myself|so (?:scared|angry|sad|ashamed|lonely|hurt)|humiliat\w+|"
    r"betrayed|desperate|miserable|traumati[sz]\w+|assault\w*|got fired|laid off|lost my (?:job|home|house|"
    r"mom|mum|mother|dad|father|wife|husband|son|daughter|brother|sister|dog|cat|best friend)|"
    r"lost everything|broke up|left me|breakdown)\b"
)
_OUTRIGHT_GOOD = re.compile(
    r"(?i)\b(?:ecstatic|overjoyed|over the moon|thrilled|elated|euphoric|best (?:day|week|year|night|"
    r"moment|news|thing) (?:of (?:my|our) li(?:fe|ves)|ever)|"
    r"happiest|dream come true|tears of joy|so (?:happy|excited|proud|grateful|in love) (?:to|that|about|"
    r"of my|for my|because|i|with)|got engaged|getting married|we(?:[’']re| are) (?:expecting|having a "
    r"baby)|gave birth|"
    r"got the job|can[’']t believe (?:i|we) (?:won|got|did|made)|i (?:won|passed)|madly in love|head over "
    r"heels)\b"
)


def emotions(text: str) -> tuple[str, ...]:
    """Return up to three labels of EMOTIONS, strongest first; `neutral` where no word speaks of a feeling."""
    lowered = text.lower().replace("’", "'")
    tally: Counter[str] = Counter()
    for phrase, label in _LONG.items():
        if phrase in lowered:
            tally[label] += 2
    words = _WORD.findall(lowered)
    for position, word in enumerate(words):
        for label in _EMOTIONS_OF.get(word, ()):
            if not _NEGATIONS.isdisjoint(words[max(0, position - 3) : position]):
                if label in _TURNED:
                    tally[_TURNED[label]] += 1
            else:
                tally[label] += 2 if label in _STRONG else 1
    return tuple(label for label, _ in tally.most_common(3)) or ("neutral",)
