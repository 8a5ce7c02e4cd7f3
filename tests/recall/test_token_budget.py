"""Token budgets: properties for any sections, contents, budgets and token counters (docs/design.md, "Context")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from memory_service.errors import InvalidInput
from memory_service.models.built_model import source_folder
from memory_service.models.sentence_model import read_tokenizer
from memory_service.models.token_counter import TokenCounter, token_counter
from memory_service.recall.formatting import quoted
from memory_service.recall.sections import KNOWLEDGE, RECENT, compaction_sections, context_sections
from memory_service.recall.token_budget import (
    LAST,
    NO_ROOM,
    OPENING,
    REPEATED,
    TOO_LONG,
    Assembled,
    Line,
    Offer,
    assemble,
)
from memory_service.text.sentences import ECHO_END, without_echo
from memory_service.validation import TOKENIZERS

NOW = datetime(2026, 3, 1, tzinfo=UTC)
ORDER = ["RELATIONAL", "EMOTIONAL", "RECENT", "FACTS", "RELEVANT", "CLARIFICATION"]


def letters(text: str) -> int:
    """A counter whose parts sum exactly to the whole."""
    return len(text)


def swelling(text: str) -> int:
    """A counter whose parts sum to less than the whole."""
    return len(text) + len(text) ** 2 // 2_000


def words(text: str) -> int:
    """A counter whose parts may sum to more than the whole: none for a part without words."""
    return len(text.split())


FRAME = letters(OPENING + "\n") + letters(ECHO_END)
MADE_UP: dict[str, TokenCounter] = {"letters": letters, "swelling": swelling, "words": words}
COUNTERS = [*MADE_UP, "wordpiece", "chars4", "o200k_base"]


def counter_of(name: str) -> TokenCounter:
    """The counter of a name; tables are read on use, not in each process that collects the tests."""
    return MADE_UP.get(name) or token_counter(name)


@cache
def wordpiece() -> Tokenizer:
    return read_tokenizer(source_folder() / "tokenizer.json")


def line(number: int, length: int = 20, **other: object) -> Line:
    """A line of exactly this many characters, its line break included."""
    return Line(UUID(int=number), f"- {number} ".ljust(length - 1, "x"), **other)  # type: ignore[arg-type]


def lines(first: int, count: int, length: int = 20) -> list[Line]:
    return [line(first + i, length) for i in range(count)]


def made_of(offers: Sequence[Offer], recent: int, knowledge: int, count: TokenCounter = letters) -> Assembled:
    """Budgets beyond the frame, which is paid by both by their size."""
    return assemble(offers, {RECENT: recent, KNOWLEDGE: knowledge}, count)


def shown(made: Assembled) -> dict[str, list[int]]:
    return {section.name: [memory_id.int for memory_id in section.memory_ids] for section in made.sections}


def cost(offer: Offer, numbers: Sequence[Line]) -> int:
    return len(offer.header) + 1 + sum(len(one.text) + 1 for one in numbers)


# Entitlements, with a counter that adds up


def test_sections_come_in_the_order_of_the_design() -> None:
    every = context_sections(
        relational=lines(1, 1), emotional=lines(2, 1), recent=lines(3, 1), facts=lines(4, 1),
        relevant=lines(5, 1), clarifications=lines(6, 1),
    )  # fmt: skip
    made = made_of(every, 500, 500)
    assert [section.name for section in made.sections] == ORDER
    assert [row[3:] for row in made.text.split("\n") if row.startswith("## ")] == ORDER
    assert made.dropped == ()


def test_neither_budget_starves_the_other() -> None:
    offers = context_sections(recent=lines(1, 50), relevant=lines(100, 50))
    made = made_of(offers, 300, 700)
    recent, relevant = (section.tokens for section in made.sections)
    frame_part = FRAME * 300 // 1000 + 1
    assert 300 - frame_part - 20 < recent <= 300
    assert 700 - FRAME - 20 < relevant <= 700


def test_facts_and_relevant_each_keep_thirty_percent_of_knowledge() -> None:
    many = context_sections(facts=lines(1, 100), relevant=lines(200, 100))
    made = made_of(many, 0, 1000)
    by_name = {section.name: section.tokens for section in made.sections}
    assert by_name["RELEVANT"] + 20 > 300
    assert by_name["FACTS"] > by_name["RELEVANT"], "what is left goes to facts first"
    assert made.tokens + 20 > 1000


def test_facts_and_relevant_share_what_required_sections_leave() -> None:
    """Neither reserve holds: both give way alike."""
    offers = context_sections(relational=[line(1, 300)], facts=lines(100, 50), relevant=lines(200, 50))
    by_name = {section.name: section.tokens for section in made_of(offers, 0, 600).sections}
    assert by_name["FACTS"] + by_name["RELEVANT"] > 120
    assert abs(by_name["FACTS"] - by_name["RELEVANT"]) <= 20


def test_required_sections_cannot_crowd_out_facts_and_relevant() -> None:
    offers = context_sections(
        relational=lines(1, 100), emotional=lines(200, 100), facts=lines(400, 100), relevant=lines(600, 100)
    )
    by_name = {section.name: section.tokens for section in made_of(offers, 0, 2000).sections}
    assert by_name["FACTS"] + 20 > 600
    assert by_name["RELEVANT"] + 20 > 600
    assert by_name["RELATIONAL"] + 20 > 400
    assert by_name["EMOTIONAL"] + 20 > 200


def test_what_is_required_comes_before_every_reserve() -> None:
    offers = context_sections(
        relational=[line(1, 100)], emotional=[line(2, 100)], recent=lines(3, 9), facts=lines(20, 9),
        relevant=lines(40, 9), clarifications=lines(60, 2),
    )  # fmt: skip
    room = cost(offers[0], offers[0].lines) + cost(offers[1], offers[1].lines)
    made = made_of(offers, 0, FRAME + room)
    assert shown(made) == {"RELATIONAL": [1], "EMOTIONAL": [2]}
    short = made_of(offers, 0, FRAME + room - 1)
    assert shown(short)["RELATIONAL"] == [1]
    assert "EMOTIONAL" not in shown(short)


def test_what_is_required_is_paid_by_the_other_budget_where_its_own_is_too_small() -> None:
    offers = context_sections(relational=[line(1, 100)], recent=lines(3, 9))
    assert shown(made_of(offers, FRAME + 150, 0))["RELATIONAL"] == [1]


def test_a_clarification_is_set_aside_before_the_reserves_and_is_but_one() -> None:
    offers = context_sections(
        facts=lines(1, 100), relevant=lines(200, 100), clarifications=[line(500, 60), line(501, 60)]
    )
    made = made_of(offers, 0, FRAME + 120)
    assert shown(made)["CLARIFICATION"] == [500]
    assert {d.memory_id.int: d.reason for d in made.dropped}[501] == "beyond the 1 that CLARIFICATION shows"


def test_what_a_section_leaves_unused_flows_on() -> None:
    alone = made_of(context_sections(relevant=lines(1, 100)), 500, 500)
    assert alone.tokens + 20 > 1000
    recent = made_of(context_sections(recent=lines(1, 100)), 500, 500)
    assert recent.tokens + 20 > 1000


def test_a_share_of_a_reserve_leaves_the_rest_to_other_sections() -> None:
    few = [line(i, share=1 / 3, rank=LAST) for i in range(1, 100)]
    made = made_of(context_sections(recent=few, relevant=lines(200, 100)), 600, 900)
    by_name = {section.name: section.tokens for section in made.sections}
    assert 200 - 20 < by_name["RECENT"] <= 200, "a third of 600"
    assert made.tokens + 20 > 1500


def test_a_share_counts_what_the_section_has_printed_already() -> None:
    others = [line(i, share=1 / 3, rank=LAST) for i in range(100, 200)]
    offers = context_sections(recent=[*lines(1, 10), *others], relevant=lines(200, 100))
    assert shown(made_of(offers, 600, 900))["RECENT"] == list(range(1, 11))


def test_a_line_without_a_share_competes_by_rank_only() -> None:
    weak = [line(i, share=0.0, rank=float(i)) for i in range(100, 130)]
    best = [line(i, rank=float(i)) for i in range(1, 100)]
    made = made_of(context_sections(facts=weak, relevant=best), 300, 700)
    assert "FACTS" not in shown(made), "thirty percent are not reserved for them"
    made = made_of(context_sections(facts=weak, relevant=best[:3]), 300, 700)
    assert shown(made)["FACTS"][:3] == [100, 101, 102]


def test_required_sections_compete_by_rank_beyond_their_reserve() -> None:
    norms = [line(i, rank=float(2 * i)) for i in range(1, 40)]
    best = [line(100 + i, rank=2.0 * i + 1) for i in range(1, 100)]
    made = made_of(context_sections(relational=norms, relevant=best), 0, 1000)
    by_name = shown(made)
    assert abs(len(by_name["RELATIONAL"]) - len(by_name["RELEVANT"])) <= 2, "in turns, as they are ranked"


def test_a_line_that_a_printed_fact_holds_is_left_out_though_there_is_room() -> None:
    fact = line(1)
    repeats = line(2, held_by={fact.memory_id})
    made = made_of(context_sections(facts=[fact], relevant=[repeats, line(3)]), 300, 700)
    assert shown(made) == {"FACTS": [1], "RELEVANT": [3]}
    assert [(one.memory_id.int, one.reason) for one in made.dropped] == [(2, REPEATED)]
    made = made_of(context_sections(relevant=[repeats, line(3)]), 300, 700)
    assert shown(made) == {"RELEVANT": [2, 3]}, "the fact is not printed"


def test_a_line_may_be_printed_in_another_section_than_the_one_that_pays_it() -> None:
    recent = [line(i, rank=float(i), order=(i,), printed_in="RECENT") for i in (7, 3)]
    others = [line(i, rank=float(i)) for i in range(10, 100)]
    for budgets in ((300, 700), (0, 1000), (1000, 0)):
        made = made_of(context_sections(recent=[line(1)], relevant=[*recent, *others]), *budgets)
        by_name = shown(made)
        assert set(by_name["RECENT"]) >= {3, 7}
        assert not {3, 7} & set(by_name["RELEVANT"])
        assert made.tokens == letters(made.text) <= 1000
        tokens = {section.name: section.tokens for section in made.sections}
        assert tokens["RECENT"] == len("## RECENT\n") + 20 * len(by_name["RECENT"])


def test_lines_that_come_last_have_what_nothing_else_needs() -> None:
    last = [line(i, share=1 / 3, rank=LAST) for i in range(1, 100)]
    made = made_of(context_sections(recent=last, relevant=lines(200, 3)), 600, 900)
    assert shown(made)["RELEVANT"] == [200, 201, 202]
    assert made.tokens + 20 > 1500


def test_a_memory_larger_than_its_reserve_is_shown_where_there_is_room() -> None:
    offers = context_sections(facts=lines(1, 100), relevant=[line(500, 400)])
    made = made_of(offers, 0, 1000)
    assert shown(made)["RELEVANT"] == [500], "30 % of 1000 holds no line of 400"


def test_everything_is_printed_where_everything_fits() -> None:
    offers = context_sections(recent=lines(1, 3), facts=lines(20, 3), relevant=lines(40, 3))
    room = sum(cost(offer, offer.lines) for offer in offers if offer.lines)
    for recent in (0, 1, FRAME, FRAME + room // 2, FRAME + room):
        made = made_of(offers, recent, FRAME + room - recent)
        assert made.dropped == ()
        assert made.tokens == FRAME + room
    assert len(made_of(offers, 0, FRAME + room - 1).dropped) == 1


def test_a_memory_is_printed_once() -> None:
    both = line(1)
    made = made_of(context_sections(recent=[both], relevant=[both, both]), 500, 500)
    assert shown(made) == {"RECENT": [1]}
    assert made.dropped == ()


def test_a_memory_that_recent_has_no_room_for_is_still_relevant() -> None:
    best = line(1, 100)
    made = made_of(context_sections(recent=[*lines(10, 9), best], relevant=[best]), 150, 400)
    assert shown(made)["RELEVANT"] == [1]
    assert UUID(int=1) not in {dropped.memory_id for dropped in made.dropped}


def test_what_is_dropped_says_why() -> None:
    made = made_of(context_sections(relevant=[line(1, 5_000), *lines(2, 60)]), 0, FRAME + 200)
    reasons = {dropped.memory_id.int: dropped.reason for dropped in made.dropped}
    assert reasons[1] == TOO_LONG
    assert reasons[60] == NO_ROOM


def test_messages_are_printed_but_are_no_memories() -> None:
    message = line(1)._replace(is_memory=False)
    made = made_of(context_sections(recent=[message, line(2, 5_000)._replace(is_memory=False)]), 500, 0)
    assert made.sections[0].memory_ids == ()
    assert made.text.count("- 1 ") == 1
    assert made.dropped == ()


def test_groups_of_a_compaction_compete_by_rank() -> None:
    offers = compaction_sections(
        experiences=[line(i, 20, rank=float(i)) for i in range(0, 40, 2)],
        habits=[line(i, 20, rank=float(i)) for i in range(1, 40, 2)],
    )
    made = assemble(offers, {KNOWLEDGE: FRAME + 250}, letters)
    taken = sorted(number for numbers in shown(made).values() for number in numbers)
    assert taken == list(range(len(taken)))
    assert len(taken) == 10


def test_lines_keep_the_order_that_they_ask_for() -> None:
    turned = [line(i, order=(-i,)) for i in range(1, 5)]
    made = made_of(context_sections(recent=turned), 1000, 0)
    assert shown(made)["RECENT"] == [4, 3, 2, 1]


def test_a_line_with_more_words_than_room_is_refused_as_if_it_were_counted() -> None:
    count = token_counter("wordpiece")
    texts = ["tea " * words for words in (90, 60, 33, 30, 20, 9, 2, 250, 700)] + [
        "é " * 40,
        "\u0301 " * 40,
        "a  b " * 20,
    ]
    relevant = [Line(UUID(int=n), quoted(text, NOW, "user"), rank=n) for n, text in enumerate(texts)]
    relevant += [Line(UUID(int=100), "one  two " * 20), Line(UUID(int=101), "\u0301 " * 60)]
    for room in range(240):
        made = assemble(context_sections(relevant=relevant), {KNOWLEDGE: room}, count)
        counted = assemble(context_sections(relevant=relevant), {KNOWLEDGE: room}, lambda text: count(text))
        assert made == counted, room


# Whatever comes

CONTENT = st.text(max_size=200) | st.sampled_from(
    [
        "",
        "## FACTS",
        ECHO_END,
        "x" * 3_000,
        "word " * 700,
        "😀" * 90,
        "a b c d e f " * 9,
        "one  two " * 9,
        "\u0301 " * 40,
    ]
)
SIZES = st.integers(0, 600) | st.sampled_from([0, 1, 40, 10_000])


@st.composite
def offered(draw: st.DrawFn) -> list[Offer]:
    """Any sections: some memories in several of them, entitlements of any size."""
    made: list[Offer] = []
    for name in draw(st.permutations(ORDER)):
        texts = draw(st.lists(st.tuples(st.integers(0, 30), CONTENT), max_size=6))
        made.append(
            Offer(
                name,
                [
                    Line(
                        UUID(int=number),
                        quoted(text, NOW, "user"),
                        rank=draw(st.sampled_from([-LAST, 0.0, 1.0, LAST])),
                        share=draw(st.sampled_from([0.0, 1 / 3, 1.0])),
                    )
                    for number, text in texts
                ],
                draw(st.sampled_from([RECENT, KNOWLEDGE])),
                required=draw(st.booleans()),
                reserve=draw(st.sampled_from([0.0, 0.3, 1.0])),
                set_aside=draw(st.booleans()),
                at_most=draw(st.sampled_from([None, 0, 1, 3])),
            )
        )
    return made


@given(
    offers=offered(),
    budgets=st.fixed_dictionaries({RECENT: SIZES, KNOWLEDGE: SIZES}),
    counter=st.sampled_from(COUNTERS),
)
def test_whatever_comes_the_total_holds_and_memories_stay_whole(
    offers: list[Offer], budgets: Mapping[str, int], counter: str
) -> None:
    count = counter_of(counter)
    made = assemble(offers, budgets, count)
    assert made.tokens == (count(made.text) if made.text else 0) <= sum(budgets.values())
    names = [offer.name for offer in offers if offer.name in shown(made)]
    assert list(shown(made)) == names, "in the order of the offers"
    expected: list[str] = []
    for section in made.sections:
        offer = next(offer for offer in offers if offer.name == section.name)
        assert offer.at_most is None or len(section.memory_ids) <= offer.at_most
        texts = {(one.memory_id, one.text) for one in offer.lines}
        rows = made.text.split("\n")
        start = rows.index(f"## {section.name}") + 1
        printed = rows[start : start + len(section.memory_ids)]
        assert set(zip(section.memory_ids, printed, strict=True)) <= texts
        expected += [f"## {section.name}", *printed]
    assert made.text == ("\n".join([OPENING, *expected, ECHO_END]) if expected else "")
    ids = [memory_id for section in made.sections for memory_id in section.memory_ids]
    assert len(ids) == len(set(ids)), "no memory twice"
    dropped = [one.memory_id for one in made.dropped]
    assert len(dropped) == len(set(dropped))
    assert set(dropped).isdisjoint(ids)
    assert {*ids, *dropped} == {one.memory_id for offer in offers for one in offer.lines}
    assert without_echo(made.text) == ""


SHORT = st.integers(2, 90)


@st.composite
def plain(draw: st.DrawFn) -> list[Offer]:
    """A context's own sections, of lines of any length, no memory in two of them."""
    ids = iter(range(1, 1000))

    def some(most: int) -> list[Line]:
        return [line(next(ids), 8 + n) for n in draw(st.lists(SHORT, max_size=most))]

    return context_sections(
        relational=some(4), emotional=some(3), recent=some(12), facts=some(12), relevant=some(12),
        clarifications=some(3),
    )  # fmt: skip


@given(offers=plain(), recent=st.integers(0, 900), knowledge=st.integers(0, 1500))
def test_what_is_required_is_there_where_it_fits(offers: list[Offer], recent: int, knowledge: int) -> None:
    made = made_of(offers, recent, knowledge)
    there = shown(made)
    room = recent + knowledge - FRAME
    for offer in offers:
        if not offer.required or not offer.lines:
            continue
        shortest = min(cost(offer, [one]) for one in offer.lines)
        if shortest <= room:
            assert offer.name in there
            room -= next(
                cost(offer, [one]) for one in offer.lines if cost(offer, [one]) <= room
            )  # the best that fits


@given(offers=plain(), recent=st.integers(0, 900), knowledge=st.integers(FRAME + 20, 1500))
def test_reserves_are_kept(offers: list[Offer], recent: int, knowledge: int) -> None:
    """No line that the reserve of its section has room for is dropped, unless required or set-aside lines took it."""
    made = made_of(offers, recent, knowledge)
    dropped = {one.memory_id for one in made.dropped}
    tokens = {section.name: section.tokens for section in made.sections}
    before = FRAME + sum(tokens.get(name, 0) for name in ("RELATIONAL", "EMOTIONAL", "CLARIFICATION"))
    for offer in offers:
        if offer.name not in ("FACTS", "RELEVANT") or knowledge - before < 0.6 * knowledge:
            continue
        for one in offer.lines:
            if one.memory_id in dropped:
                used = tokens.get(offer.name, len(offer.header) + 1)
                assert used + len(one.text) + 1 > int(0.3 * knowledge)


@given(offers=plain(), recent=st.integers(0, 900), knowledge=st.integers(0, 1500))
def test_no_room_is_left_that_something_dropped_would_fit_in(
    offers: list[Offer], recent: int, knowledge: int
) -> None:
    made = made_of(offers, recent, knowledge)
    left = recent + knowledge - (made.tokens or FRAME)
    dropped = {one.memory_id: one.reason for one in made.dropped}
    for offer in offers:
        header = 0 if offer.name in shown(made) else len(offer.header) + 1
        for one in offer.lines:
            if dropped.get(one.memory_id) in (NO_ROOM, TOO_LONG):
                assert header + len(one.text) + 1 > left


# Counters


def test_a_counter_that_swells_still_gives_up_the_least_first() -> None:
    offers = context_sections(relational=[line(1, 40)], facts=lines(100, 40, 60), relevant=lines(200, 40, 60))
    made = made_of(offers, 0, 2_000, swelling)
    assert swelling(made.text) == made.tokens <= 2_000
    assert shown(made)["RELATIONAL"] == [1]
    assert shown(made)["FACTS"][0] == 100
    assert shown(made)["RELEVANT"][0] == 200


@pytest.mark.parametrize("name", TOKENIZERS)
def test_every_named_counter_counts(name: str) -> None:
    count = token_counter(name)
    assert count("") == 0
    assert 8 <= count("I moved to Porto last week, near the river.") <= 14


def test_exact_counts_are_openais() -> None:
    text = "tiktoken is great! Ünïcödé <|endoftext|>"
    assert token_counter("cl100k_base")("tiktoken is great!") == 6  # OpenAI's cookbook
    assert token_counter("o200k_base")(text) > 10, "a special token in a text is text"


def test_an_unknown_counter_is_named_with_the_known_ones() -> None:
    with pytest.raises(InvalidInput, match="must be one of wordpiece, o200k_base, cl100k_base, chars4"):
        token_counter("gpt-9")


@given(st.text(alphabet=st.sampled_from("aBé ,.-'\"你😀#\n0\u0301"), max_size=60))
def test_wordpiece_by_words_is_wordpiece(text: str) -> None:
    whole = wordpiece().encode(text, add_special_tokens=False)
    if "[UNK]" in whole.tokens:
        assert token_counter("wordpiece")(text) >= len(whole.ids)
    else:
        assert token_counter("wordpiece")(text) == len(whole.ids)


@pytest.mark.parametrize("text", ["a" * 30_000, "😀" * 500, "สวัสดีครับวันนี้" * 50, "\u25a0" * 99])
def test_what_wordpiece_does_not_know_is_not_free(text: str) -> None:
    assert token_counter("wordpiece")(text) >= token_counter("o200k_base")(text) // 2


def test_each_line_is_counted_once_and_the_whole_a_few_times() -> None:
    counted: list[int] = []

    def counting(text: str) -> int:
        counted.append(len(text))
        return len(text)

    offers = context_sections(recent=lines(1, 20, 300), relevant=lines(100, 100, 500))
    made = made_of(offers, 3_000, 7_000, counting)
    assert sum(counted) < 20 * 300 + 100 * 500 + 2 * len(made.text) + 1_000


@pytest.mark.parametrize("name", TOKENIZERS)
def test_a_bank_of_long_texts_is_not_counted_whole(name: str) -> None:
    count = token_counter(name)
    counted: list[int] = []

    def counting(text: str) -> int:
        counted.append(len(text))
        return count(text)

    long = [Line(UUID(int=i), quoted("some words of a diary " * 1_450, NOW, "user")) for i in range(100)]
    made = made_of(context_sections(relevant=[*long, line(900)]), 300, 700, counting)
    assert shown(made) == {"RELEVANT": [900]}
    assert sum(counted) < 100 * 10_000
