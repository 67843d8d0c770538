"""A declared time is read in UTC, from whatever form and on whatever machine."""

import datetime as dt
from typing import Any

import pytest
import yaml

from pillarbook.inventory.clock import Clock, EpochError, parse_time, read_epoch

NOON = dt.datetime.fromisoformat("2026-01-31T12:00:00")


@pytest.mark.parametrize(
    ("written", "time"),
    [
        ("2026-01-31T12:00:00", NOON),
        ("2026-01-31 12:00:00", NOON),
        ("2026-01-31T12:00:00Z", NOON),
        ("2026-01-31T13:00:00+01:00", NOON),
        ("2026-01-31", NOON.replace(hour=0)),
        ("2026-01-31T12:00:00.250000", NOON.replace(microsecond=250_000)),
        ("soon", None),
        ("", None),
        ("0001-01-01T00:00:00+14:00", None),
        ("12", None),
        ("true", None),
    ],
)
def test_text_and_yaml_mean_the_same(written: str, time: dt.datetime | None) -> None:
    assert parse_time(written) == parse_time(yaml.safe_load(written)) == time


def test_what_yaml_makes_of_a_number_is_no_time() -> None:
    assert parse_time(1_769_860_800) is None


@pytest.mark.parametrize("text", ["x", "-1", "1.5", " 1", "9" * 30, "9" * 5000, "\u0661"])
def test_a_broken_epoch_is_refused(text: str) -> None:
    with pytest.raises(EpochError):
        read_epoch({"SOURCE_DATE_EPOCH": text})


@pytest.mark.parametrize(("environment", "found"), [({}, None), ({"SOURCE_DATE_EPOCH": ""}, None)])
def test_no_epoch_is_no_clock(environment: dict[str, str], found: Any) -> None:
    assert read_epoch(environment) is found


def test_an_epoch_is_in_utc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    clock = read_epoch({"SOURCE_DATE_EPOCH": "1769860800"})
    assert clock == Clock(NOON, "SOURCE_DATE_EPOCH")
    assert str(clock) == "2026-01-31T12:00:00 UTC"
