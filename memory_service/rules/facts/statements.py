"""Candidate facts that people state about themselves, their people and their pets.

Questions, wishes, conditions, denials, the past ("I used to ...") and quoted speech give no fact.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import islice, pairwise

from memory_service.rules.facts.attribute_names import DENIES
from memory_service.rules.facts.attributes import canonical, is_replaced
from memory_service.rules.facts.changes import changes
from memory_service.rules.facts.clause_facts import clause_facts, one_of
from memory_service.rules.facts.clause_words import BANKS, DAY, LONG_AGO, TOOLS
from memory_service.rules.facts.clauses import PEOPLE, clauses
from memory_service.rules.facts.informal_english import plainly
from memory_service.rules.facts.introductions import introduction_in
from memory_service.rules.facts.medicines import (
    each_has_a_dose,
    ending_of_dose,
    further_medicines,
    is_contrary,
    is_pause,
    names_one_dose,
    new_dose,
    replaced_medicines,
    with_dose,
)
from memory_service.rules.facts.moved_events import moved_events, moves_event
from memory_service.rules.facts.named_groups import listed_names
from memory_service.rules.facts.named_persons import DOUBTED, ONE_NAME, ROLE_AND_NAME, named_facts
from memory_service.rules.facts.order_limits import is_task
from memory_service.rules.facts.partings import partings_of_others
from memory_service.rules.facts.past_changes import is_past
from memory_service.rules.facts.reactions import allergies_to_it, is_for_the_moment
from memory_service.rules.facts.references import resolved
from memory_service.rules.facts.replaced_values import is_former_version, new_values, replacements, reversals
from memory_service.rules.facts.schedules import former_schedules
from memory_service.rules.facts.self_descriptions import self_descriptions
from memory_service.rules.facts.standing_instructions import (
    INSTRUCTION,
    is_for_request,
    standing_instructions,
)
from memory_service.rules.facts.taken_back import denied_values, taken_back
from memory_service.rules.facts.time_limits import is_to_come, with_until
from memory_service.rules.facts.user_text import own_words
from memory_service.rules.facts.value_limits import names_gift
from memory_service.rules.losses import in_plain_words
from memory_service.rules.word_lists import MONTHS
from memory_service.text.late_pattern import compile_late
from memory_service.text.sentences import sentences
from memory_service.types import CandidateFact

IDENTITY = frozenset(
    {"name", "preferred_name", "from", "born_in", "grew_up_in", "birthday", "works_as", "is", "has_condition"}
)
"""Attributes of identity, in contrast to possessions and likings."""
_Question = tuple[str | None, str | None]
"""Subject and attribute of a fact."""
_SPEAKS_OF_SELF = compile_late(r"(?i)(?<![\w'’])(?:i|im|ive|me|my|we|our|us)(?!\w)")
_TO_KEEP = compile_late(
    r"(?i)\b(?:keep (?:that|this|it) in mind|bear (?:that|this|it) in mind|please remember)\b"
)
_NOT_TO_KEEP = compile_late(
    r"(?i)(?:n['’]?t|\bnot|\bnever|\bno need)\b[^.!;]{0,30}\b(?:keep|bear|remember)\b|\b(?:said|says?|told|quiz|riddle|"
    r"puzzle|work out|figure out|guess|deduce|solve|chapter|story|novel|book|character|plot|scene|script|game|suppose|"
    r"imagine|pretend|example|exercise|who|whose|which|what|how)\b"
)
_TAG_QUESTION = compile_late(
    r"(?i), (?:or )?(?:do|does|did|is|am|are|was|were|has|have|will|can)(?:n['’]t)? (?:I|he|she|it|we|they|you)\s*\?+$"
)
"""Of a question about an ending: "Ben no longer works at Google, does he?"."""
_TIME_FIRST = compile_late(
    rf"(?i)^(?:(?:and|so|but|also),? )?((?:on (?:{DAY}s(?: (?:and|or) {DAY}s)?|{DAY} (?:mornings|"
    rf"evenings|nights|afternoons)|weekends|weekdays)|every (?:other |second )?{DAY}(?: (?:morning|evening|night))?)|"
    rf"(?:once|twice) a (?:day|week|month|year)|every (?:day|morning|evening|"
    r"night|week|weekend|month|year|summer|winter)),? ((?:I|we) (?!(?:was|were|had|will|would|can|could|do|did|have|am|"
    r"go back|are|used|might|may|must|should|want|need|hope|think|said|told|thought)\b)[a-z]+(?<!ed)\b[^.,;!?]*)"
)
_FOUND = compile_late(
    r"(?i)\b(?:came|come|comes|is|are|was|back|turned) (?:home|up|back)\b|\b(?:found|find|look\w* for|searching for) "
    r"(?:him|her|it)\b|\b(?:ran|run) (?:off|away)\b|\bescaped\b"
)
"""Of an animal that is lost, or was."""
_MOVED = compile_late(r"(?i)\b(?:moved|relocated)\b")
_JOKE = compile_late(r"(?i)\b(?:just|only) (?:kidding|joking|messing)\b|[,(] ?jk\b")
_LONG_AGO = compile_late(rf"(?i){LONG_AGO}")
_ON_STAGE = compile_late(
    r"(?i)^(?:I['’]?m|I am|I was|I play|I['’]?ve been cast as)(?: playing)? (?:an? |the )?"
    r"(?:(?!(?:and|but|my|met|with)\b)[\w-]+ ){1,4}in (?:the|an?|our|this) (?:\w+ ){0,2}"
    r"(?:play|musical|pantomime|panto|nativity|sketch|larp)(?=$|[.,;!?])"
)
_NO_HOME = compile_late(
    rf"(?i)(?!phoenix\b)(?:{TOOLS}|windows|linux|ubuntu|debian|fedora|macos|android|ios)(?![\w-])|[^\W\d]+ v?\d[\d.]*$"
)
"""Tools and versions, which people also move to."""
_MONTH_NAME = rf"{MONTHS}"
_NO_HOME_EITHER = compile_late(
    rf"(?i)(?:{DAY}|{_MONTH_NAME})s?(?![\w-])(?! (?:harbou?r|hill|island|heights|town)\b)|"
    r"(?:(?:the )?(?:early|late|night|day|morning|evening|afternoon|back|twilight) )?"
    r"(?:shifts?|nights?|days?|mornings?|afternoons?|evenings?|earlies|lates|weekends?|noon|midnight|today|tomorrow|"
    r"tonight|next|later|part[- ]time|full[- ]time|remote|freelance)(?: (?:now|at|on|in|from|for|because|since)\b.*)?$|"
    r"(?:the )?[\w-]+ floor\b|"
    r"(?:the )?(?:[\w&-]+ )?(?:team|squad|department|dept|division|unit|group|project|marketing|sales|finance|"
    r"accounting|engineering|hr|it|qa|ops|devops|procurement|logistics|legal|customer (?:service|support)|"
    r"front desk|reception|year \w+|grade \w+)$|"
    r"(?:palantir|(?:palantir )?foundry|databricks|sharepoint|confluence|miro|1password|bitwarden|keepass|proxmox|"
    r"truenas|substack|mastodon|bluesky|reddit|instagram|facebook|tiktok|threads|twitter|vodafone|telekom|starlink|"
    r"revolut|monzo|starling|n26|kraken|coinbase|typora|joplin|capacities|craft|tana|bear|superhuman|thunderbird|"
    r"hey|mullvad|home assistant|plex|jellyfin|steam|xbox|playstation|switch|windsurf|codeium|lovable|replit|bolt)$"
)
"""Days, times, shifts, floors, teams, and products beside those in TOOLS."""
_TOOL_NAME = compile_late(rf"(?i)(?!\w+ \d){TOOLS}(?<!\d)")
_TOOL = compile_late(
    rf"(?i)(?:{TOOLS}|render|railway|fly|scaleway|ovh(?:cloud)?|linode|vultr|netcup|ionos|koyeb|supabase|neon|"
    r"planetscale|firebase|cloud run|lightsail|coolify|dokku)"
)
"""Tools and hosting providers. Every other name after "we moved to" may be a town."""
_BANK = compile_late(rf"(?i){BANKS}")
_POSSESSIONS = frozenset({"drives", "has", "owns", "phone_model", "uses"})
_THE = compile_late(r"(?i)^(?:(?:and|so|but|now|then),? )*(?:the|his|her|their) ")
_OF_ANOTHER = compile_late(
    rf"(?i)^(?:(?:and|so|but|now|then),? )*(?:(?:my|our) (?:\w+ )?(?:{PEOPLE})\b|(?-i:{ONE_NAME}) )"
)
_OWNERS = compile_late(r"(?i)(?<![\w'’])(?:I|we|us|me)(?!\w)|.\b(?:my|our)\b")
_LONGEST_SENTENCE = 600


_SIDE_JOB = compile_late(
    rf"(?i)(?: in \w+)? (?:on (?:the )?(?:{DAY}s|weekends?)|(?:every|each) (?:{DAY}|weekend)|(?:once|twice) a (?:week|"
    r"month))(?![\w-])"
)
"""Behind a place of work: it may be beside the employer's."""
_NO_MEAT = compile_late(r"(?i)\b(?:still|but|and) no (?:other )?meat\b")
_OF_EVENTS = ("_date", "_day", "_time")
"""Ends of the names of attributes that say when an event is; such a fact says what `appointment` does."""


def statements(text: str, speaker: str | None, said_in: int | None = None) -> Iterator[CandidateFact]:
    """Yield the facts that the speaker states, as true or as no longer true.

    The subject is the name of the speaker or `user`; each attribute has its plain value beside the sentence. An
    ending without a value ("we broke up") is left out where a later sentence names the new value. `said_in`: the year
    of the message; changes of earlier years may be over (past_changes.py).
    """
    own = own_words(text, speaker)
    subject = speaker or "user"
    if (back := taken_back(own)) is not None:
        for fact in statements(back.what, speaker, said_in):
            if fact.holds:
                yield replace(fact, text=f"It is no longer true that {fact.text}", holds=False)
        own = back.rest
    read = [*resolved(in_plain_words(sentences(own)))]
    is_found = _FOUND.search(own) is not None
    said = [
        [
            fact
            for fact in statements_in_sentence(sentence, subject, said_in)
            if not moves_event(fact, sentence, last) and (fact.holds or not _is_others(fact, sentence, last))
        ]
        for last, sentence in pairwise(["", *read])
    ]
    ordered = any(fact.attribute == INSTRUCTION for facts in said for fact in facts)
    tasks = [*islice(filter(is_task, read), 2)] if ordered else []
    said = [
        [
            fact
            for fact in facts
            if not (
                is_pause(fact, sentence, own)
                or (is_found and fact.attribute == "named_animal")
                or (
                    fact.attribute == INSTRUCTION
                    and is_for_request(fact.value or "", sentence, (one for one in tasks if one != sentence))
                )
            )
        ]
        for facts, sentence in zip(said, read, strict=True)
    ]
    for (before, facts), sentence in zip(pairwise([[], *said]), read, strict=True):
        endings = [fact for fact in (*before, *facts) if not fact.holds]
        if endings:
            facts.extend(new_values(plainly(sentence), endings, facts, subject))
    if said:
        said[-1].extend(new_dose(own, subject))
    for ending in replaced_medicines(own, (fact for facts in said for fact in facts), subject):
        said = [[fact for fact in facts if not is_contrary(fact, ending)] for facts in said]
        said[-1] += [ending, *filter(None, [ending_of_dose(ending)])]
    if speaker is None and not (_SPEAKS_OF_SELF.search(own) or _asks_to_keep(own)):
        # "Anna is a nurse" may be a riddle
        said = [
            [fact if is_of(fact, subject) else replace(fact, if_known=True) for fact in facts]
            for facts in said
        ]
    if _NO_MEAT.search(own):
        for facts in said:
            facts.extend(
                [_pescatarian(fact) for fact in facts if (fact.attribute, fact.value) == ("eats", "fish")]
            )
    for (last, sentence), facts in zip(pairwise(["", *read]), said, strict=True):
        denials = [fact for fact in facts if fact.attribute in DENIES]
        facts[:0] = [
            _retracted(fact, value) for fact in denials for value in denied_values(fact, sentence, last)
        ]
    begun: set[_Question] = set()
    kept: list[list[CandidateFact]] = []
    for facts in reversed(said):
        begun.update(_question(fact) for fact in facts if fact.holds)
        kept.append([fact for fact in facts if fact.holds or _is_kept(fact, begun)])
    for facts in reversed(kept):
        yield from facts


def _asks_to_keep(message: str) -> bool:
    """Whether a message asks to keep its facts, and neither asks about them nor tells a story."""
    return "?" not in message and _TO_KEEP.search(message) is not None and not _NOT_TO_KEEP.search(message)


def _is_kept(ending: CandidateFact, begun: Container[_Question]) -> bool:
    """Whether an ending is written beside the facts that its message states, with the questions `begun`."""
    form = canonical(ending)
    if ending.attribute == "job_held":
        return not any((form.subject, name) in begun for name in ("works_at", "works_as"))
    return bool(
        ending.value
        or (form.subject, form.attribute) not in begun
        # Without a value it closes what holds; a value of one timeline that is stated with it would be closed, too.
        or (is_replaced(form.attribute) and form.cardinality != "one")
    )


def _is_of_plan(fact: CandidateFact) -> bool:
    """Whether a fact ends a plan or an event, or says that one is cancelled."""
    name = fact.attribute or ""
    return name == "cancelled" or (
        not fact.holds and (name in ("goal", "appointment") or name.endswith("_date"))
    )


def _retracted(denial: CandidateFact, value: str | None) -> CandidateFact:
    plain = denial.text.replace(denial.value, value) if denial.value and value else denial.text
    text = f"Contrary to an earlier statement, {plain}"
    return replace(denial, text=text, attribute=DENIES[denial.attribute or ""], value=value, holds=False)


def _pescatarian(fact: CandidateFact) -> CandidateFact:
    text = f"{fact.subject} eats fish but no meat."
    return replace(fact, text=text, attribute="diet", value="pescatarian")


def statements_in_sentence(
    sentence: str, subject: str, said_in: int | None = None
) -> tuple[CandidateFact, ...]:
    """Return the changes that a sentence states, then its other statements."""
    return _in_sentence(sentence, subject, said_in) if len(sentence) <= _LONGEST_SENTENCE else ()


@lru_cache(64)  # is_covered reads each sentence again after `statements` has read all
def _in_sentence(sentence: str, subject: str, said_in: int | None) -> tuple[CandidateFact, ...]:
    return tuple(_stated_in(sentence, subject, said_in))


def _stated_in(sentence: str, subject: str, said_in: int | None) -> Iterator[CandidateFact]:
    if _JOKE.search(sentence) or _ON_STAGE.search(sentence):
        return
    introduced = introduction_in(sentence)
    if introduced is None:
        parts = (*clauses(_with_time_last(sentence)), *self_descriptions(plainly(sentence)))
    else:
        parts = (*introduced.clauses, *clauses(introduced.rest))
    asks = sentence.endswith("?")
    spoken = [part.text for part in parts if part.kind in ("statement", "other")]
    told = spoken if asks else [plainly(sentence)]
    changed = [fact for text in told for fact in changes(text, subject)]
    if asks and _TAG_QUESTION.search(sentence):
        changed = [fact for fact in changed if fact.holds]
    stated = [
        *clause_facts(parts, subject),
        *listed_names(plainly(sentence), subject),
        *(
            fact
            for fact in named_facts(parts, subject)
            if fact.holds or not (asks or DOUBTED.search(sentence))
        ),
        *allergies_to_it(plainly(sentence), subject),
        *moved_events(plainly(sentence), subject),
        *(() if asks or DOUBTED.search(sentence) else partings_of_others(plainly(sentence), subject)),
        *standing_instructions(parts, sentence, subject),
    ]
    stated = [*stated, *further_medicines(plainly(sentence), stated)]
    names = _names_in(plainly(sentence), subject)
    changed, stated = (
        [
            with_until(_by_name(fact, names), sentence)
            for fact in facts
            if not _is_no_home(fact)
            and not is_past(fact, sentence, said_in)
            and not is_to_come(fact, sentence)
            and not (_is_of_plan(fact) and _LONG_AGO.search(sentence))
            and not (
                _is_death_of_spouse(fact) and _LONG_AGO.search(sentence) and str(said_in) not in sentence
            )
        ]
        for facts in (changed, stated)
    )
    stated = [
        fact
        for fact in stated
        if not is_for_the_moment(fact, sentence) and not is_former_version(fact, sentence)
    ]
    ended = {fact.attribute for fact in (*changed, *stated) if not fact.holds}
    if "uses" in ended and "works_at" not in ended:  # "Heroku is history, we moved to Render"
        changed, stated = ([_as_tool(fact, subject) for fact in facts] for facts in (changed, stated))
    if "uses" in ended and any(
        not fact.holds and _BANK.fullmatch(fact.value or "") for fact in changed + stated
    ):
        changed, stated = ([_as_bank(fact) for fact in facts] for facts in (changed, stated))
    if sum(fact.attribute == "died" for fact in stated) == 1:  # "died in March" says that it happened
        changed, stated = (
            [fact for fact in facts if fact.attribute != "has_died"] for facts in (changed, stated)
        )
    tools = {fact.value for fact in stated if fact.attribute == "uses"}
    if tools:  # "moved from Flask to FastAPI" is no change of home
        changed = [fact for fact in changed if fact.attribute != "lives_in"]
        stated = [fact for fact in stated if fact.attribute != "lives_in" or fact.value not in tools]
    stated = [fact for fact in stated if fact.attribute != "works_at" or not _is_side_job(fact, sentence)]
    if any((fact.attribute or "").endswith(_OF_EVENTS) for fact in stated):
        stated = [fact for fact in stated if fact.attribute != "appointment" or not fact.holds]
    if any(fact.attribute == "takes_medicine" for fact in (*changed, *stated)) and (
        names_one_dose(sentence) or each_has_a_dose(sentence, (*changed, *stated))
    ):
        changed, stated = (
            [part for fact in facts for part in with_dose(fact)] for facts in (changed, stated)
        )
    replaced = [
        *replacements([*changed, *stated], sentence),
        *reversals(stated, plainly(sentence)),
        *former_schedules([*changed, *stated], plainly(sentence)),
        *(_without_version(fact) for fact in (*changed, *stated) if _ends_tool(fact)),
        *filter(None, map(ending_of_dose, (*changed, *stated))),
    ]
    said: set[tuple[str | None, ...]] = set()
    texts: set[str] = set()
    for fact in dict.fromkeys((*replaced, *changed, *stated)):
        # Endings come first: "My husband Tom and I got divorced" names him, and ends it.
        answer = (*_question(fact), canonical(fact).value)
        if fact.holds and fact.text in texts:
            continue  # read by two patterns
        if not fact.holds or answer not in said:
            said.add(answer)
            if fact.holds:
                texts.add(fact.text)
            yield fact
        if answer[1] == "lives_in_country" and fact.holds and _MOVED.search(sentence):
            # The town is not named, but it is another: the former home has ended.
            yield CandidateFact(
                f"{fact.subject} left the former home.",
                fact.subject,
                "lives_in",
                None,
                stated=True,
                holds=False,
            )


def _is_death_of_spouse(fact: CandidateFact) -> bool:
    """Whether an ending is that of a husband or wife who died; of one who died years ago it may be that of a later
    partner, whom the bank knows."""
    return not fact.holds and (
        (fact.attribute == "partner" and fact.text.endswith("died."))
        or (fact.attribute == "alive" and fact.value in ("husband", "wife", "partner"))
    )


def _with_time_last(sentence: str) -> str:
    """Return the sentence with a regular time behind the verb: "On Fridays I swim" is "I swim on Fridays"."""
    return _TIME_FIRST.sub(lambda found: f"{found[2]} {found[1][0].lower()}{found[1][1:]}", sentence)


def _names_in(sentence: str, subject: str) -> dict[str, str]:
    """The subjects of facts about persons whom the sentence names behind their role, by the subject without the name.

    A role with two names is left out.
    """
    found: dict[str, str | None] = {}
    for match in ROLE_AND_NAME.finditer(sentence):
        if names_gift(sentence[: match.start()], match.group(), ""):
            continue
        whose, named = (one_of(subject, match["kin"], name) for name in (None, match["name"]))
        if named != whose:
            found[whose] = None if found.get(whose, named) != named else named
    return {whose: named for whose, named in found.items() if named is not None}


def _by_name(fact: CandidateFact, names: dict[str, str]) -> CandidateFact:
    named = names.get(fact.subject or "")
    if named is None or fact.subject is None:
        return fact
    return replace(fact, subject=named, text=fact.text.replace(fact.subject, named, 1))


def _is_side_job(fact: CandidateFact, sentence: str) -> bool:
    value, lower = (fact.value or "").lower(), sentence.lower()
    place = lower.find(value)
    return _SIDE_JOB.search(f" {value}") is not None or (
        place >= 0 and _SIDE_JOB.match(sentence, place + len(value)) is not None
    )


def _ends_tool(fact: CandidateFact) -> bool:
    return not fact.holds and fact.attribute == "uses" and _TOOL_NAME.fullmatch(fact.value or "") is not None


def _without_version(fact: CandidateFact) -> CandidateFact:
    """The ending of every version of a tool that is no longer used."""
    return replace(fact, attribute=f"{canonical(fact).value}_version".replace(" ", "_"), value=None)


def _is_others(ending: CandidateFact, sentence: str, last: str) -> bool:
    """Whether the possession in an ending may belong to the person in the previous sentence.

    In "My dad bought a Volvo. The Golf goes to my brother" the Golf may be the father's.
    """
    return (
        ending.attribute in _POSSESSIONS
        and _THE.match(sentence) is not None
        and _OF_ANOTHER.match(last) is not None
        and _OWNERS.search(last) is None
    )


def is_of(fact: CandidateFact, subject: str) -> bool:
    """Whether a fact is about the speaker or the speaker's people."""
    return (fact.subject or subject).startswith(subject)


def _as_tool(fact: CandidateFact, subject: str) -> CandidateFact:
    if fact.attribute != "lives_in" or not fact.holds or fact.subject != subject:
        return fact
    if _TOOL.fullmatch(fact.value or "") is None:  # "We stopped using Slack and moved to Berlin"
        return fact
    return replace(fact, text=f"{subject} uses {fact.value}.", attribute="uses")


def _as_bank(fact: CandidateFact) -> CandidateFact:
    """ "I switched from Barclays to Monzo"."""
    return (
        replace(fact, attribute="bank_name")
        if fact.attribute == "uses" and _BANK.fullmatch(fact.value or "")
        else fact
    )


def _is_no_home(fact: CandidateFact) -> bool:
    return (
        fact.attribute == "lives_in"
        and fact.value is not None
        and (_NO_HOME.match(fact.value) or _NO_HOME_EITHER.match(fact.value)) is not None
    )


def _question(fact: CandidateFact) -> _Question:
    """The question that a fact answers."""
    form = canonical(fact)
    return form.subject, form.attribute
