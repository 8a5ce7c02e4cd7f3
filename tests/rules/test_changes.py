"""Endings and beginnings of facts in common wordings, and sentences that only resemble them."""

from __future__ import annotations

import pytest

from memory_service.rules.facts.attributes import canonical
from memory_service.rules.facts.statements import statements

ENDED: list[tuple[str, str, str | None]] = [
    ("I left Berlin.", "lives_in", "berlin"),
    ("I left Berlin last year.", "lives_in", "berlin"),
    ("I left Berlin in 2019 and moved to Munich.", "lives_in", "berlin"),
    ("petra and i broke up yesterday", "partner", "petra"),
    ("We left Berlin for good.", "lives_in", "berlin"),
    ("I moved out of Berlin.", "lives_in", "berlin"),
    ("I've moved away from Berlin.", "lives_in", "berlin"),
    ("We moved from Berlin to Munich.", "lives_in", "berlin"),
    ("I no longer live in Berlin.", "lives_in", "berlin"),
    ("I don't live in Berlin anymore.", "lives_in", "berlin"),
    ("I don’t live in Berlin any more.", "lives_in", "berlin"),
    ("we don't live in Berlin any longer", "lives_in", "berlin"),
    ("I don't live in Berlin.", "lives_in", "berlin"),
    ("I used to live in Berlin.", "lives_in", "berlin"),
    ("I haven't lived in Berlin for years.", "lives_in", "berlin"),
    ("I quit my job at Siemens.", "works_at", "siemens"),
    ("I quit my job at Siemens.", "job_held", "siemens"),
    ("I lost my job.", "job_held", None),
    ("I no longer work at Siemens.", "job_held", "siemens"),
    ("I've dropped physics", "studies", "physics"),
    ("my wrist has healed", "injury", "wrist"),
    ("update: my broken ankle has healed now", "injury", "ankle"),
    ("my left wrist has healed", "injury", "left wrist"),
    ("I've dropped out of law", "studies", "law"),
    ("I quit studying music last year", "studies", "music"),
    ("we had to put bruno down yesterday", "named_animal", "bruno"),
    ("I gave Kiwi away to my brother", "named_animal", "kiwi"),
    ("I closed my Barclays account", "bank_name", "barclays"),
    ("I switched from Barclays to Monzo", "bank_name", "barclays"),
    ("I like olives now", "dislikes", "olives"),
    ("I love sushi again, the new place won me over", "dislikes", "sushi"),
    ("My boyfriend's name is Rui, we met at the dog park.", "relationship_status", "single"),
    ("I hate olives these days", "likes", "olives"),
    ("I use Neovim now", "editor", None),
    ("I study law now", "studies", None),
    ("I just quit my job.", "works_at", None),
    ("I left my job at the city hospital last week.", "works_at", "city hospital"),
    ("I lost my job.", "works_at", None),
    ("I quit my job as a nurse.", "works_as", "nurse"),
    ("I no longer work at Siemens.", "works_at", "siemens"),
    ("I don't work for Siemens anymore.", "works_at", "siemens"),
    ("I no longer work as a nurse.", "works_as", "nurse"),
    ("I'm not a nurse anymore.", "works_as", "nurse"),
    ("I used to be a teacher.", "works_as", "teacher"),
    ("I was fired from Siemens.", "works_at", "siemens"),
    ("I got laid off yesterday.", "works_at", None),
    ("I've been let go.", "works_at", None),
    ("I left Siemens in March.", "works_at", "siemens"),
    ("I left the company two months ago.", "works_at", None),
    ("I resigned last Friday.", "works_at", None),
    ("I retired last year.", "works_at", None),
    ("I dropped out of MIT.", "studies_at", "mit"),
    ("We broke up.", "partner", None),
    ("We broke up last week, it was hard.", "partner", None),
    ("My girlfriend and I split up.", "partner", None),
    ("Anna and I broke up.", "partner", "anna"),
    ("My boyfriend Tom and I broke up yesterday.", "partner", "tom"),
    ("I broke up with Tom.", "partner", "tom"),
    ("i broke up w maisie", "partner", "maisie"),
    ("I broke up with my boyfriend.", "partner", None),
    ("I broke up with my boyfriend Tom last night.", "partner", "tom"),
    ("My girlfriend broke up with me.", "partner", None),
    ("My husband left me.", "partner", None),
    ("My wife and I got divorced.", "partner", None),
    ("My husband Tom and I got divorced.", "partner", "tom"),
    ("We got divorced in May.", "partner", None),
    ("I'm not with Tom anymore.", "partner", "tom"),
    ("I'm no longer with Tom.", "partner", "tom"),
    ("We're not together anymore.", "partner", None),
    ("I'm single again.", "partner", None),
    ("I sold my car.", "has", "car"),
    ("I sold my car.", "drives", None),
    ("We sold our house last month.", "has", "house"),
    ("I sold my Volvo.", "drives", "volvo"),
    ("I sold the red Skoda.", "drives", "red skoda"),
    ("I'm no longer allergic to penicillin.", "allergic_to", "penicillin"),
    ("I'm not allergic to penicillin anymore.", "allergic_to", "penicillin"),
    ("I used to be allergic to penicillin.", "allergic_to", "penicillin"),
    ("I was wrong, I'm not allergic to penicillin.", "allergic_to", "penicillin"),
    ("Sorry, I was mistaken: I'm not allergic to penicillin.", "allergic_to", "penicillin"),
    ("It turns out I was wrong about that, I am not allergic to nuts.", "allergic_to", "nuts"),
    ("I was wrong about penicillin, I'm not allergic.", "allergic_to", "penicillin"),
    (
        "Actually, I was wrong about the penicillin allergy, I'm not allergic to it.",
        "allergic_to",
        "penicillin",
    ),
    ("I was wrong about being allergic to nuts, I am not allergic at all.", "allergic_to", "nuts"),
    ("I was wrong, I'm not vegan.", "diet", "vegan"),
    ("I'm not pregnant anymore.", "is", "pregnant"),
    ("I no longer have asthma.", "has_condition", "asthma"),
    ("I don't have asthma anymore.", "has_condition", "asthma"),
    ("I left Berlin yesterday.", "lives_in", "berlin"),
    ("I don't like sushi any more.", "likes", "sushi"),
    ("I don't have a dog anymore.", "has", "dog"),
    ("I no longer have a car.", "has", "car"),
    ("I don't have a car.", "has", "car"),
    ("I don't have a girlfriend anymore.", "partner", None),
    ("I stopped eating red meat about five years ago.", "eats", "red meat"),
    ("I used to have a cat.", "has", "cat"),
    ("Rex died.", "pet", "rex"),
    ("Rex passed away last night.", "pet", "rex"),
    ("My dog Rex died.", "pet", "rex"),
    ("My dog Rex died.", "has", "dog"),
    ("Our cat passed away.", "has", "cat"),
    ("We had to put Rex down.", "pet", "rex"),
    ("I stopped playing tennis.", "plays", "tennis"),
    ("I no longer play the piano.", "plays", "piano"),
    ("I used to play tennis.", "plays", "tennis"),
    ("I no longer like sushi.", "likes", "sushi"),
    ("I don't like sushi anymore.", "likes", "sushi"),
    ("I used to love hiking.", "likes", "hiking"),
    ("I no longer hate cilantro.", "dislikes", "cilantro"),
    ("I'm not vegetarian anymore.", "diet", "vegetarian"),
    ("I'm no longer vegan.", "diet", "vegan"),
    ("I stopped being vegan.", "diet", "vegan"),
    ("I don't eat meat anymore.", "eats", "meat"),
    ("I stopped drinking coffee.", "drinks", "coffee"),
    ("I quit smoking two years ago.", "smokes", "anything"),
    ("I don't use vim anymore.", "uses", "vim"),
    ("I'm no longer married.", "relationship_status", "married"),
]
BEGUN: list[tuple[str, str, str]] = [
    ("I moved to Munich.", "lives_in", "munich"),
    ("We moved to Munich last week.", "lives_in", "munich"),
    ("I've relocated to Munich.", "lives_in", "munich"),
    ("We live in Munich now.", "lives_in", "munich"),
    ("I left Berlin and moved to Munich.", "lives_in", "munich"),
    ("I started working at Siemens.", "works_at", "siemens"),
    ("I started at Siemens last week.", "works_at", "siemens"),
    ("I just started a new job at a bakery.", "works_at", "bakery"),
    ("I started working as a teacher.", "works_as", "teacher"),
    ("I got a new job at Siemens.", "works_at", "siemens"),
    ("I got a new job as a teacher.", "works_as", "teacher"),
    ("I joined Siemens as a data scientist.", "works_at", "siemens"),
    ("I joined Siemens as a data scientist.", "works_as", "data scientist"),
    ("I was hired by Siemens.", "works_at", "siemens"),
    ("I'm now working for Siemens.", "works_at", "siemens"),
    ("I got promoted to team lead.", "works_as", "team lead"),
    ("I became a nurse.", "works_as", "nurse"),
    ("I retired last year.", "works_as", "retired"),
    ("I got married to Tom.", "partner", "tom"),
    ("I got married to Tom.", "relationship_status", "married"),
    ("I'm married to Tom.", "partner", "tom"),
    ("I married Tom last year.", "partner", "tom"),
    ("I'm dating Anna.", "partner", "anna"),
    ("I started dating Anna in May.", "partner", "anna"),
    ("Anna and I are dating now.", "partner", "anna"),
    ("Anna and I got engaged.", "relationship_status", "engaged"),
    ("My new girlfriend is Anna.", "partner", "anna"),
    ("My new boyfriend is called Tom.", "partner", "tom"),
    ("My wife Anna works at Siemens.", "partner", "anna"),
    ("We got married last summer.", "relationship_status", "married"),
    ("We got divorced.", "relationship_status", "divorced"),
    ("I'm in a relationship now.", "relationship_status", "in a relationship"),
    ("We adopted a dog.", "has", "dog"),
    ("We adopted a dog named Rex.", "has", "dog"),
    ("We adopted a dog named Rex.", "pet", "rex"),
    ("I have a cat called Luna.", "pet", "luna"),
    ("I have a cat called Mr Purr.", "pet", "mr purr"),
    ("I bought a car last week.", "has", "car"),
    ("I work at Vester Health as a product manager since today.", "works_at", "vester health"),
    ("I work at Vester Health as a product manager since today.", "works_as", "product manager"),
    ("I adopted a dog, his name is Pixel!", "pet", "pixel"),
    ("My dog Pixel ate a shoe.", "pet", "pixel"),
    ("My sister Clara had a baby.", "sibling", "clara"),
    ("Noor is my best friend, I owe her everything.", "best_friend", "noor"),
    ("My partner Rui cooks better than me.", "partner", "rui"),
    ("Tom is my boyfriend.", "partner", "tom"),
    ("We went out for my daughter Sara's birthday.", "child", "sara"),
    ("My blood type is O.", "blood_type", "o"),
    ("I'm 34 now!", "age", "34"),
    ("I'm afraid of heights.", "fears", "heights"),
    ("I play the cello in a quartet.", "plays", "cello"),
    ("I'm a pescatarian now.", "diet", "pescatarian"),
    ("I'm a lab technician.", "works_as", "lab technician"),
    ("I turned 35.", "age", "35"),
    ("I just turned 35 yesterday!", "age", "35"),
    ("I don't eat meat anymore.", "does_not_eat", "meat"),
    ("I don't like sushi anymore.", "dislikes", "sushi"),
    ("I quit smoking two years ago.", "does_not_smoke", "anything"),
    ("Jana and I got married on Saturday", "partner", "jana"),
    ("my girlfriend and I tied the knot last week", "relationship_status", "married"),
    ("gone fully vegan since october", "diet", "vegan"),
    ("doctor upped my metformin to 1000", "metformin_dose", "1000"),
    ("my metformin is now 1000", "metformin_dose", "1000"),
    ("my new dentist's a Dr. Kim near the station", "dentist_name", "dr kim"),
    ("they made me team lead!!", "works_as", "team lead"),
    ("my company made me head of marketing last week", "works_as", "head of marketing"),
    ("they made me regional sales manager", "works_as", "regional sales manager"),
    ("Jana and I got married in June", "partner", "jana"),
    ("my insulin is up to 20 units", "insulin_dose", "20 units"),
    ("I've been a type 1 diabetic since I was 9", "has_condition", "type 1 diabetes"),
    ("I got my adhd diagnosis at 41", "has_condition", "adhd"),
    ("I closed my Barclays account, I'm with Monzo now", "bank_name", "monzo"),
]
DENIED: list[tuple[str, str, str]] = [
    ("I'm not allergic to penicillin.", "not_allergic_to", "penicillin"),
    ("No, I am not allergic to penicillin or nuts.", "not_allergic_to", "penicillin"),
    ("I've never been allergic to penicillin!", "not_allergic_to", "penicillin"),
    ("Turns out I'm actually not allergic to penicillin.", "not_allergic_to", "penicillin"),
    ("I was wrong about penicillin, I'm not allergic to amoxicillin.", "not_allergic_to", "amoxicillin"),
    ("I was wrong about Greg. I'm not allergic to cats.", "not_allergic_to", "cats"),
    ("I was wrong. I'm not allergic to penicillin.", "not_allergic_to", "penicillin"),
    ("I'm not allergic to morning glory.", "not_allergic_to", "morning glory"),
    ("I'm not allergic to people's perfume.", "not_allergic_to", "people's perfume"),
    ("I'm not allergic to children's paracetamol.", "not_allergic_to", "children's paracetamol"),
    ("I'm not allergic to exercise.", "not_allergic_to", "exercise"),
    ("I am not pregnant.", "is_not", "pregnant"),
    ("Well, I'm definitely not pregnant yet.", "is_not", "pregnant"),
    ("i'm not pregnant", "is_not", "pregnant"),
    ("I'm not deaf and I'm not blind.", "does_not_have_condition", "deaf"),
    ("I'm not deaf and I'm not blind.", "does_not_have_condition", "blind"),
    ("I am NOT allergic to penicillin!", "not_allergic_to", "penicillin"),
    ("I'm not a cyclist.", "is_not", "cyclist"),
    ("I don't have diabetes.", "does_not_have_condition", "diabetes"),
    ("I'm not vegetarian.", "diet_is_not", "vegetarian"),
    ("I'm not married.", "relationship_status_is_not", "married"),
    ("I'm not a nurse.", "does_not_work_as", "nurse"),
]
"""Plain denials: no change, but a fact with the opposite attribute."""
NOTHING: list[str] = [
    "She treats me as if I'm not pregnant.",
    "I feel like I'm not a mother.",
    "It's not true that I'm not pregnant.",
    "If I'm not pregnant, we go.",
    "I hope I'm not pregnant.",
    "I'm not sure I'm not pregnant.",
    'She wrote "I am not pregnant".',
    "I'm not married to the idea.",
    "I'm not American enough.",
    "I'm not a lawyer, but I would wait.",
    "I'm not a morning person.",
    "I'm not allergic to cats when I take my pills.",
    "I left Berlin this morning for a trip.",
    "I left Berlin at noon.",
    "I left Berlin on the early train.",
    "I left Berlin yesterday to visit my parents.",
    "I left the office.",
    "I live in slides.",
    "I like living here.",
    "I'm afraid of losing him.",
    "My sister and Tom left.",
    "Noor is not my best friend.",
    "I play with the kids.",
    "I'm not allergic to anything.",
    "I was wrong, I'm not allergic to work.",
    "I'm not allergic to mornings, I just hate them.",
    "I'm not allergic to people who talk.",
    "I'm not allergic to meetings on Fridays.",
    "I'm not allergic to drama and I like it.",
    "I'm not allergic to fun!",
    "Maybe I was wrong, I'm not allergic to penicillin.",
    "I was wrong about being not allergic.",
    "I was wrong about not being allergic to nuts.",
    "I was wrong about penicillin.",
    "I was wrong about work, I'm not allergic.",
    "My doctor was wrong about penicillin, I'm not allergic.",
    "I was wrong about penicillin, I'm not allergic if it's a low dose.",
    "I was wrong about cats, he's not allergic.",
    "I left home early.",
    "I left the table.",
    "I left my keys at home.",
    "I left Berlin, but I came back a week later.",
    "Should I leave Berlin?",
    "If I left Berlin, I would miss it.",
    "I haven't left Berlin.",
    "I never left Berlin.",
    "When I left Berlin, it was raining.",
    "I want to leave Berlin.",
    "I'm thinking of leaving Berlin.",
    "I almost left Berlin.",
    'She said "I left Berlin".',
    "He told me I left Berlin too soon.",
    "Tom left Berlin.",
    "I moved out of the way.",
    "I moved to the next room.",
    "I quit my job in my dream.",
    "I wish I had quit my job.",
    "I might quit my job.",
    "I didn't quit my job.",
    "I'm going to quit my job.",
    "I will quit my job next month.",
    "I was fired up about it.",
    "I lost my job application.",
    "We broke up the old floor.",
    "We broke up into small groups.",
    "We broke up, but we are back together.",
    "My parents split up.",
    "My sister and her husband got divorced.",
    "Did we break up?",
    "The band broke up.",
    "They broke up.",
    "In the movie we broke up.",
    "I'm not with you on this anymore.",
    "I'm used to living in Berlin.",
    "I used to live in Berlin and still do.",
    "My phone died.",
    "Everyone died.",
    "The plants died.",
    "He died.",
    "I stopped to play.",
    "I turned 180 degrees.",
    "I turned left.",
    "When I turned 30 I was happy.",
    "I started at noon.",
    "I started working at 6.",
    "I'm dating again.",
    "I got a job offer.",
    "I got a job interview at Siemens.",
    "I bought a bike for my son.",
    "I bought a car seat.",
    "I sold my car seat.",
    "Anna and I went shopping.",
    "We got a dog bed.",
    "I wish I was dating Anna.",
    "I joined Siemens for lunch.",
    "I have a job with long hours.",
    "I don't work for three days in a week.",
    "I dropped my physics book",
    "I dropped everything",
    "my heart has healed",
    "we had to put it down yesterday",
    "we had to put prices down by half",
    "I closed my Twitter account",
    "I'm with Anna now",
    "work made me lead the meeting",
    "they made me manager of the month",
    "I got my adhd diagnosis appointment",
    "I've been blind drunk",
    "my metformin is now 12 euros",
    "doctor upped my metformin to 2 tablets",
    "Bonnie and I got married in the game",
    "Rust is no longer supported on Windows 7",
    "Mia isn't here any more",
    "my ankle is better, still can't run though",
    "my knee is better",
    "my knee has healed, mostly",
    "my knee has healed a bit",
    "my knee has almost healed",
    "my knee has healed but still hurts",
    "my knee has healed in the game",
    "hopefully my wrist has healed",
    "my son's wrist has healed",
    "they made me team lead for the day",
    "they made me team lead for a week",
    "they made me team lead until March",
    "they made me team lead while Jo is on leave",
    "they made me team lead in the game",
    "they made me feel like a manager",
    "they made me look like a senior engineer",
    "they made me call the manager",
    "they made me a better manager",
    "work made me a bad manager",
    "they made me interim manager",
    "my manager made me acting team lead",
    "my boss made me head of fun",
    "they made me senior engineer on paper",
    "they promoted me to manager in Football Manager",
    "they made me director of the school play",
    "Jana and I got married in Minecraft",
    "Jana and I got married in The Sims",
    "Jana and I got married in a dream",
    "Jana and I got married in the play",
    "Jana and I got married on stage",
    "Jana and I got married on the same day",
    "Jana and I got married, she to Tom",
    "Jana and I got married two years apart",
    "Jana and I got married this year to our partners",
    "Bob and I tied the knot on the rope",
    "my insulin is down to 20 and I need more",
    "my insulin is down to 20, need to reorder",
    "my insulin is up to 20 units in the fridge",
    "my insulin is now 20 and running out",
    "my metformin is now 500 pills short",
    "I got her asthma diagnosis",
    "I got his adhd diagnosis yesterday",
    "I got the wrong asthma diagnosis",
    "my mum got my asthma diagnosis",
    "we got our asthma diagnosis",
    "I've been diabetic for the role",
    "I've been diabetic in a past life",
    "gone vegan for a week",
    "gone fully vegan for January",
    "I went fully vegan for Lent",
    "I gave up music for Lent",
    "I quit politics",
    "I gave up medicine for a while",
    "I dropped chemistry for this term",
    "I dropped music",
    "I gave up history in year 9",
    "Ben is not allergic to nuts any more than I am",
    "Paul isn't vegan any more than I'm a fish",
    "Ben no longer works at Google, does he?",
    "Ben no longer works at Google, right?",
    "Ben no longer works at Google, I think",
    "Ben no longer works at Google on Fridays",
    "Ben no longer works at weekends",
    "Ben no longer lives in Rome in the sequel",
    "Ben isn't married anymore, or is he",
    "Ben no longer has asthma attacks",
    "Ben stopped being vegan for a day",
    "Ben lost his job in the film",
    "Ben is divorced from reality",
    "Ben is divorced in the show",
    "Ben is engaged in a dispute",
    "Ben is married to his job",
    "I'm divorced from reality",
    "I'm divorced from my emotions",
    "I lost her job",
    "I lost my job in The Sims",
    "I lost my job in a dream",
    "I lost my job and then got it back",
    "my sister lost my job",
    "my brother no longer works at Google, does he?",
    "my dentist is a Dr Who fan",
    "I've quit",
    "we had to put bruno down for a nap",
    "we had to put bruno down, my arms were tired",
    "I gave Kiwi away in the game",
    "I gave Anna away in church",
    "I closed my Barclays account application",
    "I closed my Wise account page",
]


def _found(text: str) -> list[tuple[str | None, str | None, bool]]:
    return [(form.attribute, form.value, form.holds) for form in map(canonical, statements(text, None))]


@pytest.mark.parametrize(("text", "attribute", "value"), ENDED)
def test_an_ending_names_what_it_ends(text: str, attribute: str, value: str | None) -> None:
    found = _found(text)
    assert (attribute, value, False) in found
    assert (attribute, value, True) not in found


@pytest.mark.parametrize(("text", "attribute", "value"), BEGUN)
def test_a_beginning_names_what_holds(text: str, attribute: str, value: str) -> None:
    found = _found(text)
    assert (attribute, value, True) in found
    assert (attribute, value, False) not in found


@pytest.mark.parametrize(("text", "attribute", "value"), DENIED)
def test_a_denial_states_the_opposite_and_ends_nothing(text: str, attribute: str, value: str) -> None:
    found = _found(text)
    assert (attribute, value, True) in found
    assert all(holds for _, _, holds in found)


@pytest.mark.parametrize("text", NOTHING)
def test_what_only_sounds_like_a_change_is_none(text: str) -> None:
    assert _found(text) == []


@pytest.mark.parametrize(("text", "attribute", "value"), ENDED)
@pytest.mark.parametrize(
    "frame",
    [
        "If {}, it was long ago.",
        "When {}, it rained.",
        "She said that {}",
        "Maybe {}",
        "I hope {}",
        '"{}"',
        "What if {}",
    ],
)
def test_in_doubt_nothing_has_ended(frame: str, text: str, attribute: str, value: str | None) -> None:
    assert [fact for fact in _found(frame.format(text.rstrip("."))) if not fact[2]] == []


@pytest.mark.parametrize(("text", "attribute", "value"), [*ENDED, *BEGUN])
def test_a_question_changes_nothing(text: str, attribute: str, value: str | None) -> None:
    assert _found(text.rstrip(".!") + "?") == []


@pytest.mark.parametrize(
    ("text", "attribute"),
    [
        ("I like olives now and then", "dislikes"),
        ("I like olives now, and capers too", "dislikes"),
        ("I use Neovim now, but VS Code at work as well", "editor"),
        ("I use Slack now", "editor"),
        ("I study Spanish now", "studies"),
        ("I study law now as well", "studies"),
        ("I quit my job at Siemens. I work at Bosch now.", "job_held"),
        ("I was laid off, but I work as a tutor now.", "job_held"),
    ],
)
def test_a_value_beside_the_former_one_ends_nothing(text: str, attribute: str) -> None:
    assert (attribute, False) not in {(found, holds) for found, _, holds in _found(text)}


@pytest.mark.parametrize("text", ["I was laid off in 2009.", "I lost my job three years ago."])
def test_an_old_ending_of_a_job_ends_no_present_one(text: str) -> None:
    assert [fact for fact in statements(text, None, 2026) if not fact.holds] == []


def test_an_ending_says_the_same_of_kin() -> None:
    (fact,) = statements("My sister no longer lives in Rome.", None)
    assert (fact.subject, fact.attribute, fact.value, fact.holds) == (
        "user's sister",
        "lives_in",
        "Rome",
        False,
    )
    assert fact.text == "user's sister no longer lives in Rome."


@pytest.mark.parametrize(
    ("text", "subject", "attribute", "if_known"),
    [
        ("Mia is no longer allergic to eggs", "Mia", "allergic_to", True),
        ("Mia isn't allergic to eggs any more", "Mia", "allergic_to", True),
        ("my friend Lucy no longer has breast cancer", "user's friend Lucy", "has_condition", False),
        ("Anna lost her job", "Anna", "works_at", True),
        ("Lucy no longer works at Tesco", "Lucy", "works_at", True),
    ],
)
def test_an_ending_is_read_of_a_person_by_name(
    text: str, subject: str, attribute: str, if_known: bool
) -> None:
    (fact, *_) = (fact for fact in statements(text, None) if not fact.holds and fact.attribute == attribute)
    assert (fact.subject, fact.if_known) == (subject, if_known)


def test_an_ending_is_told_of_who_speaks() -> None:
    (ended, *_) = statements("We broke up.", "Caroline")
    assert (ended.text, ended.subject) == ("Caroline's relationship has ended.", "Caroline")


def test_what_came_after_an_ending_stands_for_it() -> None:
    """Both statements of one memory have the same time: an ending without a value would close the new fact."""
    found = _found("We broke up in spring. I'm dating Anna now.")
    assert ("partner", "anna", True) in found
    assert ("partner", None, False) not in found
    found = _found("I was dating someone. My girlfriend is Anna. We broke up yesterday.")
    assert ("partner", None, False) in found


def test_one_partner_ends_and_another_begins_in_one_sentence() -> None:
    found = _found("I broke up with Tom and I'm dating Anna.")
    assert ("partner", "tom", False) in found
    assert ("partner", "anna", True) in found
