"""replaces_schedule: which habits another time of an activity ends."""

from __future__ import annotations

import pytest

from tests.db.steps import Connection, value

REPLACED = [
    ("releases every second tuesday", "releases every friday"),
    ("yoga on wednesdays", "goes to yoga on mondays"),
    ("works out in the evenings", "works out every morning"),
    ("goes to the gym on tuesdays and fridays", "goes to the gym on mondays"),
    ("run is in the evenings", "runs every morning"),
    ("release is every second tuesday", "releases every friday"),
    ("swims three times a week", "swims twice a week"),
    ("swims three times a week", "swims every day"),
    ("gets up at 7", "gets up at 6 in the morning"),
    ("has piano lessons on wednesdays", "has piano on mondays"),
    ("gets up at 7 on weekdays", "gets up at 6 on weekdays"),
    ("swims on weekends", "swims on mondays"),
]
KEPT = [
    ("yoga on wednesdays", "goes to pilates on mondays"),
    ("works in the evenings", "works out every morning"),
    ("plays tennis on saturdays", "plays chess on tuesdays"),
    ("visits their mother on saturdays", "visits their sister on sundays"),
    ("goes to yoga twice a week", "goes to yoga on mondays"),
    ("swims twice a week", "swims every monday"),
    ("runs in the evenings", "runs twice a week"),
    ("plays tennis on saturdays", "plays tennis with anna on tuesdays"),
    ("plays tennis on saturdays", "plays tennis"),
    ("on saturdays", "on tuesdays"),
    ("yoga on wednesdays", "hates yoga"),
    ("gets up at 8 on weekends", "gets up at 6 on weekdays"),
    ("gets up at 6 on weekdays", "gets up at 9 on sundays"),
    ("goes to the gym in the evenings on weekends", "goes to the gym in the mornings on weekdays"),
]


@pytest.mark.parametrize(("latest", "former"), REPLACED)
def test_the_same_activity_at_another_time_is_replaced(service: Connection, latest: str, former: str) -> None:
    assert replaces(service, latest, former)


@pytest.mark.parametrize(("latest", "former"), KEPT)
def test_other_activities_and_other_figures_stay(service: Connection, latest: str, former: str) -> None:
    assert not replaces(service, latest, former)


@pytest.mark.parametrize(
    ("named", "former", "expected"),
    [
        ("yoga mondays", "goes to yoga on mondays", True),
        ("yoga on monday evenings", "goes to yoga on mondays", True),
        ("run mornings", "runs every morning", True),
        ("yoga mondays", "goes to yoga on tuesdays", False),
        ("goes to the gym every day", "goes to the gym every day", True),
        ("swims twice a week", "swims twice a week", True),
        ("goes to the gym every day", "goes to the gym every week", False),
        ("goes to the gym every day", "goes to the gym", False),
        ("goes to the gym every day", "goes to the gym on mondays", False),
        ("yoga mondays", "goes to yoga on mondays and thursdays", False),
    ],
)
def test_a_former_time_that_is_named_ends_alone(
    service: Connection, named: str, former: str, expected: bool
) -> None:
    assert replaces(service, named, former, is_named=True) is expected


def replaces(service: Connection, latest: str, former: str, *, is_named: bool = False) -> bool:
    found = value(service, "replaces_schedule", latest=latest, former=former, is_named=is_named)
    assert isinstance(found, bool)
    return found
