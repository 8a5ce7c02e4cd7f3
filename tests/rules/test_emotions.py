"""How a text feels: labels, their order, and valence."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_service.rules.emotions.emotion_words import FAINT, PLAIN, SIGNS, STRONG
from memory_service.rules.emotions.emotions import _ANALYZER, _compound, emotions, valence  # pyright: ignore[reportPrivateUsage]
from memory_service.types import EMOTIONS
from tests.growth import check_growth


@pytest.mark.parametrize(
    ("text", "emotion"),
    [
        ("You did such a great job, I'm really impressed.", "admiration"),
        ("That was hilarious, I laughed so hard.", "amusement"),
        ("How dare you talk to her like that!", "anger"),
        ("I'm so sick of this noise.", "annoyance"),
        ("Good point, that makes sense.", "approval"),
        ("Take care and stay safe, I'm here for you.", "caring"),
        ("I don't understand what you mean.", "confusion"),
        ("I'm curious about that.", "curiosity"),
        ("I wish I could fly.", "desire"),
        ("What a letdown, I expected better.", "disappointment"),
        ("I don't like that, it's a bad idea.", "disapproval"),
        ("Eww, that is gross.", "disgust"),
        ("That was so awkward, I was blushing.", "embarrassment"),
        ("Yay, I can't wait!", "excitement"),
        ("It was a nightmare, I was terrified.", "fear"),
        ("I really appreciate it.", "gratitude"),
        ("My condolences. May he rest in peace.", "grief"),
        ("This made my day, I'm so happy.", "joy"),
        ("I adore this little café.", "love"),
        ("I'm anxious about Monday.", "nervousness"),
        ("Fingers crossed, hopefully it works out.", "optimism"),
        ("We did it, I'm so proud.", "pride"),
        ("It turns out he never knew, I just realized.", "realization"),
        ("Phew, thank goodness.", "relief"),
        ("It was my fault, I regret it.", "remorse"),
        ("She cried, it was heartbreaking.", "sadness"),
        ("Whoa, I didn't expect that!", "surprise"),
        ("The bus leaves at nine.", "neutral"),
        ("Ich bin so wütend!", "anger"),
        ("Je suis très heureuse.", "joy"),
        ("Muchas gracias", "gratitude"),
        ("Ho paura del buio.", "fear"),
    ],
)
def test_each_feeling_has_words(text: str, emotion: str) -> None:
    assert emotions(text)[0] == emotion


@pytest.mark.parametrize(
    ("text", "emotion"),
    [("😂😂", "amusement"), ("see you ❤️", "love"), ("my tooth :(", "sadness"), ("<3", "love")],
)
def test_signs_speak_too(text: str, emotion: str) -> None:
    assert emotions(text)[0] == emotion


def test_a_phrase_is_read_as_one() -> None:
    assert emotions("Don't worry about it.") == ("caring",)
    assert emotions("I can't wait!") == ("excitement",)


@pytest.mark.parametrize(
    ("text", "emotion"),
    [
        ("I'm not happy with it.", "joy"),
        ("I was never afraid of dogs.", "fear"),
        ("It isn't funny.", "amusement"),
    ],
)
def test_a_denied_feeling_is_not_that_feeling(text: str, emotion: str) -> None:
    assert emotion not in emotions(text)


def test_a_denial_ends_with_its_clause() -> None:
    assert emotions("No, I'm happy.")[0] == "joy"


def test_what_is_far_weaker_than_the_strongest_is_not_given() -> None:
    assert emotions("I was so scared, so afraid, terrified. Nice.") == ("fear",)


def test_drawn_out_letters_change_nothing() -> None:
    assert emotions("I'm sooooo happyyyyy") == emotions("I'm so happyy")
    assert emotions("Woooow")[0] == "surprise"


def test_a_faint_word_leaves_a_text_neutral() -> None:
    assert emotions("It is interesting.")[0] == "neutral"


def test_an_echo_is_surprise_and_a_question_only_a_little_curious() -> None:
    assert emotions("You did what?!")[0] == "surprise"
    assert emotions("What?")[0] == "surprise"
    assert emotions("Where is the station?") == ("neutral", "curiosity")


def test_the_tables_hold_labels_of_the_taxonomy_and_nothing_that_cannot_match() -> None:
    for grade in (STRONG, PLAIN, FAINT):
        assert set(grade) <= set(EMOTIONS)
        for listed in grade.values():
            assert listed == listed.lower()
            assert not any(character in "?!.,;:" for character in listed)
    assert {label for label, _ in SIGNS.values()} <= set(EMOTIONS)


def test_valence_has_the_sign_of_the_feeling_and_little_is_nothing() -> None:
    assert valence(["I am so grateful, this is wonderful."]) > 0.3
    assert valence(["This is disgusting, I hate it."]) < -0.3
    assert valence(["The table is near the window."]) == 0.0
    assert valence([]) == 0.0
    assert 0.0 <= valence(["The form is okay."]) < 0.1


def test_only_words_that_mean_it_are_high_emotion() -> None:
    assert valence(["I'm devastated, my dog died."]) < -0.6
    assert valence(["I'm over the moon, I got the job!"]) > 0.6
    assert valence(["Great, awesome, wonderful, lovely, thanks!"]) <= 0.6


@pytest.mark.parametrize(
    "text",
    [
        "I can't stop crying.",
        "I can’t stop crying since Monday, sorry.",
        "I don't want to live anymore.",
        "I want to die.",
        "I feel like ending it all.",
        "I can't go on like this.",
        "We lost the baby.",
        "We buried my grandmother today.",
        "Ich kann nicht aufhören zu weinen.",
        "Mein Vater ist letzte Woche gestorben.",
        "Ich will nicht mehr leben.",
        "Ich kann nicht mehr.",
        "Wir haben unser Kind verloren.",
        "Je n'arrête pas de pleurer.",
        "Mon père est mort.",
        "Ma mère est décédée hier.",
        "Je ne veux plus vivre.",
        "Je n’en peux plus.",
    ],
)
def test_grief_and_despair_are_high_emotion(text: str) -> None:
    assert valence([text]) < -0.6


@pytest.mark.parametrize(
    "text",
    [
        "I'm dying to see you!",
        "I could die laughing.",
        "Ich kann nicht mehr essen, ich bin satt.",
        "Je n'en peux plus de rire.",
        "I lost my keys in the park.",
        "The weekend is all planned, my friend.",
        "Die Kinder leben in Bonn.",
    ],
)
def test_what_only_sounds_like_despair_is_none(text: str) -> None:
    assert valence([text]) > -0.6


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("There was a fire in our building, nobody was hurt.", -1),
        ("Our flat was flooded overnight.", -1),
        ("A truck hit my bike on the bridge.", -1),
        ("I was knocked over by a scooter, only scratches.", -1),
        ("Yesterday I had a car accident.", -1),
        ("We were robbed on the way home.", -1),
        ("We both cried with happiness.", 1),
        ("She asked me to marry her.", 1),
        ("Our daughter was born this morning.", 1),
        ("We got engaged on Monday.", 1),
    ],
)
def test_what_changes_a_life_is_high_emotion_however_soberly_told(text: str, sign: int) -> None:
    assert sign * valence([text]) > 0.6


@pytest.mark.parametrize(
    "text",
    [
        "We sat by the fire in the evening.",
        "My car hit a pothole.",
        "I was hit by a wave of sleep.",
        "The film was attacked by critics and I liked it.",
        "We were robbed by the referee.",
        "My son was born to sing.",
        "I proposed to her that we leave early.",
        "There was an accident on the motorway, I read.",
    ],
)
def test_what_only_sounds_like_it_is_none(text: str) -> None:
    assert abs(valence([text])) < 0.6


@pytest.mark.parametrize(
    "text",
    [
        "I won't go to the gym today.",
        "I won’t go to the gym today.",
        "How do I kill a process that listens on port 8080?",
        "There is dead code in our branch.",
        "The build failed and my tests crashed again.",
        "We got a kernel panic on my box.",
        "My laptop died, so I'm on my phone.",
        "The bug is back, I get a fatal error.",
        "Give me a breakdown of my costs.",
        "She left me a voicemail.",
    ],
)
def test_negations_and_technical_words_are_no_feeling(text: str) -> None:
    assert abs(valence([text])) < 0.15
    assert not {"anger", "disgust", "fear", "grief", "joy", "sadness"} & set(emotions(text))


@pytest.mark.parametrize(
    "text",
    ["I'm not furious.", "Nobody died in my family.", "I'm not terrified.", "I passed the wrong argument."],
)
def test_a_denied_outcry_is_none(text: str) -> None:
    assert abs(valence([text])) < 0.6


@pytest.mark.parametrize("text", ["I won!", "I won the chess tournament.", "I passed my driving test!"])
def test_what_somebody_won_is_high_emotion(text: str) -> None:
    assert valence([text]) > 0.6


def test_what_somebody_else_feels_about_a_thing_is_no_mood_of_the_speaker() -> None:
    assert emotions("My daughter Emma is seven and hates broccoli.") == ("neutral",)
    assert valence(["My daughter Emma is seven and hates broccoli."]) == 0.0
    assert emotions("She hates me.") == ("anger",)
    assert emotions("I hate this.") == ("anger",)


def test_dying_to_is_a_wish() -> None:
    assert emotions("I'm dying to see you.")[0] == "desire"


@pytest.mark.parametrize(
    ("text", "emotion"),
    [
        ("I can't stop crying.", "sadness"),
        ("I want to die.", "sadness"),
        ("Ich kann nicht aufhören zu weinen.", "sadness"),
        ("Je n'arrête pas de pleurer.", "sadness"),
        ("We lost the baby.", "grief"),
        ("Meine Oma ist verstorben.", "grief"),
        ("Mon père est mort.", "grief"),
    ],
)
def test_grief_and_despair_have_words(text: str, emotion: str) -> None:
    assert emotions(text)[0] == emotion


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "der",
                "Tisch",
                "’s",
                "“nice”",
                "good",
                "(great!)",
                "GOOD",
                "très",
                "❤",
                "🙂",
                ":)",
                "!!",
                "Éole",
                "no",
            ]
        )
    )
)
def test_vader_is_asked_wherever_it_knows_a_word_or_a_sign(words: list[str]) -> None:
    text = " ".join(words)
    assert _compound(text) == _ANALYZER.polarity_scores(text)["compound"]  # pyright: ignore[reportUnknownMemberType]


def test_valence_of_more_sentences_is_their_mean() -> None:
    good, plain = "This is wonderful.", "The table is near the window."
    assert valence([good, plain]) == pytest.approx(valence([good]) / 2)


@settings(max_examples=200, deadline=None)
@given(st.text())
def test_any_text_has_a_mood(text: str) -> None:
    found = emotions(text)
    assert 1 <= len(found) <= 3
    assert set(found) <= set(EMOTIONS)
    assert -1.0 <= valence([text]) <= 1.0


@pytest.mark.parametrize(
    "text",
    [
        "sorry, I meant Roche",
        "sorry i meant roche",
        "no wait sorry, york",
        "sorry, not shrimp, lobster",
        "typo, sorry",
        "my mistake, I meant Tuesday",
        "Entschuldigung, ich meinte Dienstag",
        "Sorry, what?",
        "pardon?",
        "Excuse me, what time is it?",
        "sorry, can you repeat that?",
        "sorry to bother you again",
        "Sorry for the late reply",
        "sorry again for all the questions",
        "sorry if this is a dumb question, but how do I exit vim?",
        "sorry wrong window",
        "better safe than sorry",
    ],
)
def test_an_apology_of_a_correction_or_of_politeness_is_no_remorse(text: str) -> None:
    assert "remorse" not in emotions(text)
    assert valence((text,)) >= 0


@pytest.mark.parametrize(
    "text",
    [
        "I'm so sorry I yelled at you",
        "Sorry, I was rude yesterday",
        "I'm sorry for what I did to my sister",
        "sorry about yesterday",
        "Sorry, can you ever forgive me?",
        "I meant to call her and I'm sorry I didn't",
        "sorry mum, I didn't mean it",
        "sorry, mum",
        "sorry for being such a bad friend",
        "I apologize for hurting you",
        "I'm sorry I lied, I told him it was a typo",
        "I'm sorry, I meant to hurt you",
        "I'm so sorry, I should have said goodbye before he died",
        "sorry, I got it wrong and hurt her",
        "I'm sorry, what have I done?",
        "I'm so sorry, will you ever talk to me again?",
        "sorry for my messages last night, I was cruel",
        "I'm sorry if it was stupid of me to leave her",
        "sorry, not proud of what I did",
        "sorry, grandma",
        "sorry, Tom.",
    ],
)
def test_an_apology_for_what_one_did_is_remorse(text: str) -> None:
    assert emotions(text)[0] == "remorse"


@pytest.mark.parametrize(
    "piece",
    [
        "i am so ",
        "so ",
        "aaaa",
        "?",
        "!?",
        "not ",
        "😂",
        ":",
        "don't ",
        "kill a process ",
        "sorry, ",
        "sorry for my my ",
        "the error ",
        "test is ",
    ],
)
def test_hostile_text_ends_soon(piece: str) -> None:
    check_growth(emotions, piece)


@pytest.mark.parametrize(
    "text",
    [
        "My mother is against it, she's alone since papa died",
        "my dad is on his own since grandma died",
        "I hate phone calls, text or email is fine",
        "I hate peonies between us",
        "I really hate cilantro",
        "I detest small talk, I like direct people",
        "afraid of flying but i do it",
        "I'm scared of spiders",
        "I am afraid of heights and I live on the tenth floor",
        "I hate Mondays",
        "gran is still going strong, her husband Josef died in 2004",
        "the panda died on the motorway last week, scrapped it",
        "my car died",
        "My old car died",
        "our ford focus died on the A9, had it towed",
        "his wife Anna died three years ago in the US",
    ],
)
def test_lasting_dislikes_and_losses_of_others_are_no_mood(text: str) -> None:
    assert emotions(text) == ("neutral",)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("My dog died on the way to the scrap yard", "grief"),
        ("my husband died last week; I had it towed, his van", "grief"),
        ("my uncle died last week, his car went to the scrapyard", "grief"),
        ("My friend in the car died", "grief"),
        ("the girl in my car died", "grief"),
        ("My husband and the van died", "grief"),
        ("my mini dachshund Rex died, his cage went to the scrap yard", "grief"),
        ("his wife Anna died three years ago and she was my sister", "grief"),
        ("their daughter died in 2021, my niece", "grief"),
        ("I hate my boss so much right now", "anger"),
        ("I hate this", "anger"),
        ("I hate my life", "anger"),
        ("I hate that he left me", "anger"),
        ("I hate meetings so much right now!", "anger"),
        ("I'm afraid of the surgery tomorrow", "fear"),
        ("I'm scared of flying tomorrow", "fear"),
        ("I'm so scared of losing her", "fear"),
        ("I have been so lonely since my husband died", "sadness"),
        ("My mother died last week", "grief"),
        ("My mother is alone since papa died, I miss him", "sadness"),
    ],
)
def test_feelings_of_the_moment_are_a_mood(text: str, label: str) -> None:
    assert label in emotions(text)
