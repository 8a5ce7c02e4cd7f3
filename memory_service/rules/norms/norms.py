"""The norms that a person states in a segment: standing instructions, preferences, and topics not to bring up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from memory_service.injection.detection import command_in
from memory_service.rules.facts.standing_instructions import is_attributed, is_for_request
from memory_service.rules.facts.user_text import LEFT_OUT, own_words
from memory_service.rules.losses import plain_words
from memory_service.rules.norms.areas import areas_in
from memory_service.rules.norms.instructions import (
    about_speaker,
    in_words,
    instructions_in,
    with_referent,
)
from memory_service.rules.norms.preferences import matter_of, preference_in
from memory_service.rules.norms.silence import as_order, fits, in_plain_letters, only_one
from memory_service.rules.norms.slots import Slot, slot_of, stems_of
from memory_service.rules.norms.withdrawals import (
    ANY,
    LEAD,
    TALKS,
    Withdrawal,
    as_permission,
    matter,
    withdrawal_in,
)
from memory_service.rules.relatives import RELATIVES
from memory_service.rules.word_lists import DAY, DAY_OR_MONTH, LANGUAGE
from memory_service.text.late_pattern import compile_late
from memory_service.text.sentences import is_between_persons, sentences, without_echo
from memory_service.types import CandidateNorm, Segment

_NOT = r"(?:please )?(?:don't|do not|never|stop|quit|no more) (?:ever )?"
_TABOO = compile_late(
    rf"(?i)\b(?:{_NOT}(?:bring(?:ing)? up |bring(?:ing)? (?=[^.,;!?]{{2,80}} up(?:$|[.,;!?]| (?:again|any ?more|ever|"
    r"please|unless|until|when|if)\b))|(?P<mention>mention(?:ing)? )|talk(?:ing)? (?:to me )?about |"
    r"ask(?:ing)? (?:me )?about |remind(?:ing)? me (?:of|about) )|"
    r"I(?: (?:don't|do not|never|would rather not|can't)|'d rather not) (?:want to |wanna |like to )?"
    r"(?:talk|speak|hear|think|be reminded) (?:about |of )|I(?: am|'m) not comfortable (?:talking|"
    r"speaking) about )(?P<topic>[^.,;!?]{2,80}?)"
    r"(?: up)?(?: again| any ?more| ever again| please| right now| today| tonight| yet| for now)*(?=$|[.,;!?])"
)
_IN_TEXT = compile_late(
    r"(?i) (?:in|on|for|from|at) (?:(?:a|an|the|this|that|my|our|your|his|her|their|any|all|every|each|"
    r"(?-i:[A-Z])\w+['’]s) )?"
    r"(?:[\w'&-]+ ){0,3}?(?:ads?|adverts?|listings?|bios?|eulogy|eulogies|obituary|posts?|blogs?|e-?mails?|mails?|"
    r"letters?|"
    r"speech|speeches|toasts?|talks?|reports?|articles?|essays?|cv|cvs|resumes?|résumés?|profiles?|presentations?|"
    r"slides?|decks?|pitch|pitches|proposals?|commit messages?|captions?|tweets?|"
    r"newsletters?|press releases?|releases?|readmes?|docs?|documents?|documentation|invoices?|cards?|invitations?|"
    r"invites?|notes?|summar(?:y|ies)|minutes|poems?|songs?|lyrics|story|stories|chapters?|novels?|scripts?|abstracts?|"
    r"statements?|applications?|reviews?|descriptions?|drafts?|copy|flyers?|leaflets?|posters?|brochures?|linkedin|"
    r"instagram|twitter|facebook|slack|ebay|website|homepage|page|pages|code|comments?|commits?|changelogs?|"
    r"interviews?)\b(?P<rest>(?: (?:for|to|about|of) [^.,;!?]{2,40})?)$"
)
"""The end of an order about a text, which is no sensitive topic: "the price in the ad".

Answers, messages and calls are where the assistant or others talk to the speaker, and are not in the list.
"""
_TO_SPEAKER = compile_late(r"(?i)\b(?:I|me)\b")
"""An order that is about no text: "don't ask me about", "I don't want to talk about"."""
_OF_TRADE = compile_late(
    r"(?i)^(?:(?:the|our|any|your) )?(?:[\w-]+ )?(?:prices?|pric?ing|costs?|fees?|rates?|discounts?|competitors?|"
    r"competition|brands?|sources?|deadlines?|budgets?|features?|versions?|products?|suppliers?|vendors?)"
    r"(?: (?:in|on|to) [^.,;!?]{2,40})?$"
)
"""Matters of trade, which are left out of a text: "don't mention competitors"."""
_FOR_NOW = compile_late(
    r"(?i)\b(?:right now|today|tonight|yet|for now|at the moment|this (?:morning|evening|week))\b"
)
_KEPT_OUT = compile_late(
    rf"(?i)^{LEAD}(?:(?:let'?s|please|pls|can we|could we|you should|we should) )(?:please )?(?:leave|keep) "
    rf"(?P<topic>(?!{DAY}"
    r"|you|me|us|it|this|that|them\b)[^.,;!?]{2,60}?) out of (?:our|these|my) (?:chats?|conversations?|talks?|"
    r"discussions?)(?: from now on| please| altogether| entirely)*[.!?]*$"
)
_ALLOWED = compile_late(
    r"(?i)\b(?:it's|it is|I'm|I am) (?:fine|ok|okay|comfortable|ready|happy) (?:now )?(?:to|with|"
    r"if you) (?:talk(?:ing)?|bring(?:ing)?|mention(?:ing)?|speak(?:ing)?|ask) "
    r"(?:about |up )?(?P<topic>[^.,;!?]{3,80}?)(?: again| up| now)*(?=$|[.,;!?])"
)
_MAY_TALK = compile_late(
    rf"(?i)^{LEAD}(?:you|u|we)(?: may| can|(?: are|'re) (?:allowed|free|welcome) to) (?:now )?(?:(?:talk|speak|"
    r"ask)(?: to| with)?(?: me)? about|bring up|mention|remind me (?:of|about)) (?P<topic>[^.,;:!?]{3,80}?)(?: with "
    r"me| to me)?(?P<return>(?: (?:again|now|any ?time))+)(?:,? (?:please|if (?:you|u) (?:like|want|wish)))*[.!]*$"
)
"""A topic that may be talked about again. "Now" alone is for now unless the topic is in an area of life."""
_REMINDS = compile_late(r"(?i)^\W*(?:please )?(?:don't|do not|never|stop|quit|no more) (?:ever )?remind")
_REMINDS_NO_MORE = compile_late(r"(?i)^(?:,? (?:again|any ?more|ever|at all|please|pls))*[.!]*$")
"""The end of an order against all reminders of a topic: neither a situation nor a remark."""
_STOPS_REMINDERS = compile_late(r"(?i)\b(?:you|u) (?:can|may) (?:now )?stop reminding\b")
_DEICTIC = compile_late(r"(?i)^(?:it|that|this|them|these|those|him|her|things|stuff)\b")
_ALLERGY = compile_late(r"(?i)\b(?:allerg(?:ic|y|ies)|intoleran(?:t|ce)|coeliac|celiac|anaphyla\w+)\b")
_IS_ALLERGIC = compile_late(
    r"(?i)^(?:(?:because|since|as) )?(?:I(?:'m|’m|m| am| have(?= (?:coeliac|celiac)))|[\w' -]{2,30}? (?:is|are)|"
    r"(?:it|that)'s an?) (?:[\w-]+ ){0,2}?(?:allergic|allergy|intoleran(?:t|ce)|coeliac|celiac)(?: disease)?"
    r"(?: to (?:it|them|those|that|these|this|both))?\W*$"
)
"""An allergy to what the sentence beside it names."""
_TO_ME = compile_late(r"(?i) (?:to|with) me$")
_PROVISO = compile_late(r"(?i)(?:^|\s)(?:unless|until|except|if|when)\b.*$")
"""The end of "my divorce unless I bring it up"."""
_UNLESS_SPEAKER = compile_late(r"(?i)\b(?:unless|until) (?:I|we) (?:do|bring|mention|say|start|raise)\b")
"""The end of an order that keeps a matter from being brought up: "don't mention it unless I do"."""
_GRAVE = compile_late(
    r"(?i)\b(?:pregnant|died|dead|dying|death|passed away|funeral|diagnosed|cancer|tumou?r|leuk(?:a)?emia|dementia|"
    r"alzheimer\w*|parkinson\w*|ill(?:ness)?|suicid\w*|miscarr\w*|abortion|infertil\w*|ivf|divorc\w*|separat(?:ed|ing)|"
    r"breakup|broke up|depress\w*|anxiety|rehab|addict\w*|relaps\w*|arrested|abus\w+|assault\w*|bankrupt\w*|redundant|"
    r"sacked|fired|laid off|lost (?:my|our|the|a) (?!bet\b|keys?\b|phone\b|game\b))\b"
)
"""Of matters that a person keeps from being mentioned: a passing liking is none."""
_REFUSES_TALK = compile_late(r"(?i)\b(?:talk|speak|hear|think|be reminded|bring) ")
"""Not "don't mention it", which is an answer to thanks."""
_RELATIVE = compile_late(
    r"(?i)\bmy (?:late |ex-?|older |younger |big |little )?(?P<relative>\w+)(?P<name> (?-i:[A-Z])[\w'-]+)?"
)
_NAMED = compile_late(rf"(?<=[a-z,] )(?!(?:I|{DAY_OR_MONTH})\b)[A-Z][\w'-]+")
_SUFFERED = compile_late(
    r"(?i)\b(?:diagnosed with|died of|suffer(?:s|ing|ed)? from|lost|about) (?:a |an |the |my )?(?P<what>\w+(?: \w+)?)|"
    r"\bi(?:'?m| am| was| (?:might|may|could) be) pregnant\b"
)
_WITHOUT_APOSTROPHE = compile_late(r"(?i)\b(do|ca|wo)nt\b")
_KIN = (
    rf"(?:{RELATIVES}|parents|siblings|kids|children|family|friends?|flatmates?|roommates?|"
    r"boss|manager|team|colleagues?|coworkers?|clients?|customers?|landlord|neighbou?rs?|doctor|teacher|ex)"
)
_PERSON = (
    rf"(?:(?:my|our|the) (?:\w+ )?{_KIN}(?: (?-i:[A-Z])[\w'-]+)?|(?!{DAY_OR_MONTH})(?-i:[A-Z])[\w'-]+|"
    r"anyone|anybody)"
)
_SECRET = compile_late(
    rf"(?i)^{LEAD}(?:you (?:must|should) )?(?:don't|do not|never|not) (?:ever )?tell (?P<whom>{_PERSON}"
    rf"(?:(?:,| and| or|, and|, or) {_PERSON}){{0,3}})(?P<about> (?:about [\w' -]{{2,60}}?|this|that|it))?"
    r"(?P<yet> yet)?(?:,? (?:please|pls|ok|okay))?[.!]*$"
)
_NO_MORE = compile_late(
    rf"(?i)^(?:please )?(?:don'?t|do not|never|stop|(?P<no>no))(?: ever)? (?P<said>[^,;]{{3,60}}?)"
    rf"(?:(?P<language> in {LANGUAGE})\b(?(no)(?!))| any ?(?:more|longer)\b)"
)
_TO_TALK = compile_late(
    r"(?i)^(?:please )?(?:always )?(?:mention|bring up|remind me (?:of|about)|(?:ask|talk to) me about) "
    r"(?P<topic>.{2,60})$"
)
_NOT_ALLERGIC = compile_late(
    r"(?i)^(?:(?:so|well|ok|okay|actually|apparently|luckily|(?:good|great) news|(?:it )?turns out)[,:!]? "
    r"(?:that )?){0,3}I(?:(?:'m| am) (?:(?:actually|really) )?(?:not|no longer)| was never) "
    r"(?:(?:actually|really) )?allergic\b(?P<what>(?:(?! but\b)[^.,;!?]){0,60})(?![^.]*\?)"
)
"""The end of an allergy of the user, after which a permission ends the order that it was the reason of."""
_AT_TIMES = compile_late(
    rf"(?i)(?:^(?:please )?|\s)(?P<time>(?:on|at) (?:weekends|(?:the )?weekend|weekdays|night|{DAY}s|(?:my )?(?:days "
    rf"off|work "
    r"days|working days|holidays))|(?:on|at) work)(?= (?:please )?(?:don't|do not|never|I\b)|[.!]*$|,)"
)
"""Times that come again, at which alone a topic is not to be brought up."""
_STATES = compile_late(
    r"(?!(?i:good|great|nice|fine|thanks|thank|ok|okay|yes|no|please|sorry|what|how|wow)\b)(?:[A-Z]|.*\b(?:i|we|my|"
    r"our|he|she|"
    r"they)\b)"
)
_FORGETS = compile_late(
    rf"(?i)^{LEAD}(?:(?:please|pls|just|actually|oh|(?:can|could|would) you|you can)[,:]? ){{0,3}}forget (?:about )?"
    r"(?:that|what|when|how|I|(?:the (?:part|bit|thing|fact)))\b"
)
"""A request to forget, which states nothing: "forget that I hate nuts"."""
_FOR_SPEAKER = compile_late(r"(?i)^(?:I|God|Me)\b")
_FEWEST_WORDS, _MOST_WORDS = 3, 25
_MOST_SENTENCES = 60
_LONGEST_MESSAGE = 6_000
_EARLIER, _LONGEST_EARLIER = 2, 1_000
"""Messages of the speaker, and characters of each, in which "it" and "him" of a wish for silence are searched."""
SENSITIVE = 1.0
"""Level of a topic that a person asked not to bring up."""
LONGEST_SLOT = 120
BECAUSE_OF_ALLERGY = " because of an allergy"
"""Appended to an order whose reason is in another sentence; read by the SQL function allergy_reason."""


def norms_of(segment: Segment) -> tuple[CandidateNorm, ...]:
    """The norms that the segment's users state, each slot of a speaker once, the last one holding.

    What persons ask of each other is no instruction for an assistant.
    """
    found: dict[tuple[str | None, str, str], CandidateNorm] = {}
    to_assistant = not is_between_persons(segment)
    earlier: dict[str | None, list[str]] = {}
    for utterance in segment.context:
        if utterance.role == "user":
            earlier.setdefault(utterance.name, []).append(without_echo(utterance.content)[:_LONGEST_EARLIER])
    for utterance in segment.utterances:
        if utterance.role != "user":
            continue
        text = without_echo(utterance.content)
        said_before = earlier.setdefault(utterance.name, [])
        two = tuple(said_before[-_EARLIER:])
        said_before.append(text[:_LONGEST_EARLIER])
        for norm in _norms_said(text[:_LONGEST_MESSAGE], utterance.name or "user", two):
            if norm.kind == "instruction" and not to_assistant:
                continue
            found.pop((utterance.name, norm.kind, norm.slot), None)
            found[utterance.name, norm.kind, norm.slot] = replace(norm, speaker=utterance.name)
    return tuple(found.values())


@lru_cache(256)
def _norms_said(text: str, subject: str, earlier: tuple[str, ...] = ()) -> tuple[CandidateNorm, ...]:
    """The norms of one message, given with the speaker's earlier ones: the gate and the extraction ask for them."""
    said = sentences(own_words(text, subject, wording=True))[:_MOST_SENTENCES]
    return tuple(
        norm
        for before, sentence, after in zip(["", *said], said, [*said[1:], ""], strict=False)
        for norm in norms_in(
            with_referent(sentence, before), subject, before, after, beside=said, earlier=earlier
        )
        if command_in(norm.norm) is None and LEFT_OUT not in norm.norm
    )


def norms_in(
    sentence: str,
    subject: str,
    before: str = "",
    after: str = "",
    *,
    beside: Sequence[str] = (),
    earlier: tuple[str, ...] = (),
) -> Iterator[CandidateNorm]:
    """The norms of one sentence: a topic to avoid, else instructions, else a preference.

    `before` and `after` are the sentences around it: what "it" may refer to, and an allergy as the reason of an order;
    `beside`: the sentences of the message, among which a request may be what an order is for; `earlier`: the speaker's
    messages before it, which "it" may refer to if they name one grave matter.
    """
    alone = len(beside) == 1
    plain = _WITHOUT_APOSTROPHE.sub(r"\1n't", sentence.replace("’", "'"))
    if _FORGETS.match(plain) and withdrawal_in(plain, subject) is None:
        return
    whole, silent = plain, as_order(in_plain_letters(plain))
    for pattern, level in ((_TABOO, SENSITIVE), (_KEPT_OUT, SENSITIVE), (_ALLOWED, 0.0), (_MAY_TALK, 0.0)):
        plain = silent if pattern is _TABOO else whole
        match = pattern.search(plain)
        if match is None or is_attributed(plain):
            continue
        if pattern is _TABOO and _STOPS_REMINDERS.search(plain):
            continue
        if pattern is _TABOO and (at := _AT_TIMES.search(plain)):
            topic = match["topic"].removesuffix(at["time"]).strip()
            said = f"mention {_TO_ME.sub('', topic)}"
            slot = slot_of(f"don't {said}", at["time"])
            yield CandidateNorm(
                "instruction", in_words(f"not {said}", subject), at["time"], slot.name, slot.value
            )
            return
        if pattern is _MAY_TALK and "again" not in match["return"].lower() and not areas_in(match["topic"]):
            continue
        topic = _TO_ME.sub("", _PROVISO.sub("", match["topic"]).strip())
        to_speaker = pattern is _TABOO and _TO_SPEAKER.search(plain[match.start() : match.start("topic")])
        if pattern is _TABOO and not to_speaker and about_a_text(topic, mention=match["mention"] is not None):
            continue
        refers = _DEICTIC.match(topic) is not None
        if refers:
            pronoun, unless = topic, _UNLESS_SPEAKER.search(match["topic"]) is not None
            topic = (
                topic_of(before.replace("’", "'"))
                if _REFUSES_TALK.search(match[0]) or (unless and _GRAVE.search(before))
                else ""
            )
            if not topic and pattern is _TABOO and not before and (unless or _REFUSES_TALK.search(match[0])):
                topic = only_one(map(_grave_topic, earlier))
                topic = topic if fits(pronoun, topic) else ""
            if not topic:
                return
        if topic and not _FOR_NOW.search(plain):
            norm = sensitivity(subject, topic, level, by_area=not refers)
            ends = _REMINDS.match(plain) and _REMINDS_NO_MORE.match(plain[match.end("topic") :])
            yield (
                replace(norm, lifts=(*matter(topic), "remind")) if ends and topic == match["topic"] else norm
            )
            if not level and (also := withdrawal_in(plain, subject)):
                yield _lifting(also)
            return
    plain = whole
    if secret := secret_in(plain, subject, before.replace("’", "'")):
        yield secret
        return
    if (ended := withdrawal_in(plain, subject, before.replace("’", "'"))) is not None:
        gone = [
            one for said in (before, plain) if (one := _NOT_ALLERGIC.match(said.replace("’", "'").strip()))
        ]
        if any(not stems_of(one["what"]).isdisjoint(stems_of(" ".join(ended.lifts))) for one in gone):
            ended = replace(ended, slot=Slot(ended.slot.name, ANY))
        yield _lifting(ended)
    read = instructions_in(ended.aside if ended else sentence, subject, alone=alone)
    for one in read:
        if is_for_request(one.said, sentence, (text for text in beside if text != sentence)):
            continue
        slot = slot_of(one.said, one.situation)
        lifts = _lifted_by(one.said) if slot.value == "no" else () if one.situation else _talked_of(one.said)
        norm = one.norm
        if _of_allergy(one.said, plain, before, after) and not _ALLERGY.search(norm):
            norm += BECAUSE_OF_ALLERGY
        yield CandidateNorm("instruction", norm, one.situation, slot.name, slot.value, lifts=lifts)
    if read or ended:
        return
    if permission := as_permission(plain, alone=alone):
        yield from (replace(norm, level=0.0) for norm in norms_in(permission, subject))
    elif (preference := preference_in(sentence)) is not None:
        about = matter_of(preference)
        slot = slot_of(about if stems_of(about) else preference)
        yield CandidateNorm("preference", preference, "", slot.name, slot.value)


def _of_allergy(said: str, sentence: str, *around: str) -> bool:
    """Whether an order's sentence, or one beside it about the same thing, gives an allergy as its reason."""
    return _ALLERGY.search(sentence) is not None or any(
        _ALLERGY.search(one) and (_IS_ALLERGIC.match(one) or not stems_of(one).isdisjoint(stems_of(said)))
        for one in around
    )


def _lifted_by(said: str) -> tuple[str, ...]:
    """The matter of an order that ends an earlier one: "don't correct me any more", "never reply in English"."""
    order = _NO_MORE.match(said)
    return matter(f"{order['said']}{order['language'] or ''}") if order else ()


def _talked_of(said: str) -> tuple[str, ...]:
    """The matter of an order to speak of a topic, which may be spoken of again: "always remind me about my pills". An
    order for a situation allows the topic in that alone."""
    order = _TO_TALK.match(said)
    return (*about, TALKS) if order and (about := matter(order["topic"])) else ()


def _lifting(ended: Withdrawal) -> CandidateNorm:
    slot, level = ended.slot, 0.0 if ended.only_lifts else None
    return CandidateNorm(
        "instruction", ended.norm, ended.situation, slot.name, slot.value, level, lifts=ended.lifts
    )


def about_a_text(topic: str, *, mention: bool) -> bool:
    """Whether an order not to speak of a topic is about a text to write; `mention`: not to mention it."""
    return _IN_TEXT.search(topic) is not None or (mention and _OF_TRADE.match(topic) is not None)


def secret_in(sentence: str, subject: str, before: str = "") -> CandidateNorm | None:
    """The norm of what the assistant must not tell a person: "do not tell Petra yet".

    The sentence `before` says what it is about, where the order does not.
    """
    match = _SECRET.match(sentence)
    if match is None or is_attributed(sentence) or _FOR_SPEAKER.search(match["whom"]):
        return None
    about = (match["about"] or "").strip()
    matter = "" if about and not _DEICTIC.match(about.removeprefix("about ")) else _matter_of(before)
    said = f"tell {match['whom']}{' ' + about if about else ''}{' yet' if match['yet'] else ''}"
    norm = in_words(f"not {said}", subject)
    if matter:
        norm = f"{norm}: {about_speaker(matter, subject)}"
    return CandidateNorm(
        "instruction", norm, "", slot_of(f"don't {said.removesuffix(' yet')} {matter}").name, "no"
    )


def _matter_of(before: str) -> str:
    """The sentence before an order, where it states something."""
    text = " ".join(before.split()).rstrip(".! ")
    if not _FEWEST_WORDS <= len(text.split()) <= _MOST_WORDS or text.endswith("?"):
        return ""
    if _SECRET.match(text) or not _STATES.match(text):
        return ""
    return text


def topic_of(sentence: str) -> str:
    """The matter that a sentence is about, for "it" in the next one: a relative, names, an illness; may be empty."""
    relative = _RELATIVE.search(sentence)
    named = [
        one for one in _NAMED.findall(sentence) if relative is None or one != (relative["name"] or "").strip()
    ]
    suffered = _SUFFERED.search(sentence)
    parts = [f"my {relative['relative']}"] if relative else []
    parts += named or ([suffered["what"] or "being pregnant"] if suffered else [])
    return " and ".join(parts[:3])


def _grave_topic(message: str) -> str:
    """The matter of the sentences of an earlier message that state a death, an illness or a separation."""
    said = (plain_words(one, unsure=True) for one in sentences(message.replace("’", "'")))
    return only_one(topic_of(one) for one in said if _GRAVE.search(one))


def sensitivity(
    subject: str, topic: str, level: float, situation: str = "", *, by_area: bool = True
) -> CandidateNorm:
    """The norm of a topic to avoid, or with level 0 of one that may be talked about again.

    `by_area`: a topic in an area of life ("my illness") is the whole area.
    """
    areas = areas_in(topic) if by_area else ()
    slot = areas[0] if areas else f"topic: {' '.join(sorted(stems_of(topic))) or topic.lower()}"
    verb = "does not want to talk about" if level else "is fine with talking about"
    return CandidateNorm(
        "sensitivity",
        f"{subject} {verb} {about_speaker(topic, subject)}",
        situation,
        slot[:LONGEST_SLOT],
        None,
        level,
    )
