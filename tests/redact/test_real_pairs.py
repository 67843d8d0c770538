"""The rules, judged by keys and values as real pillars hold them."""

from typing import Any

from tests.redact.real_pairs import OPEN, SECRET

from pillarbook.redact import Rules

RULES = Rules()


def reason_of(path: str, value: Any) -> str | None:
    return RULES.find_reason(tuple(path.split(":")), value)


def test_secrets_are_found() -> None:
    for path, value in SECRET:
        assert reason_of(path, value) is not None, (path, value)


def test_what_is_no_secret_is_shown() -> None:
    for path, value in OPEN:
        assert reason_of(path, value) is None, (path, value)


def test_the_table_is_large() -> None:
    assert len(SECRET) + len(OPEN) >= 250
