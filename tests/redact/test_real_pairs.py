"""The rules, judged by keys and values as real pillars hold them."""

from typing import Any

import pytest
from tests.redact.real_pairs import OPEN, SECRET

from pillarbook.redact import Rules

RULES = Rules()


def reason_of(path: str, value: Any) -> str | None:
    return RULES.find_reason(tuple(path.split(":")), value)


@pytest.mark.parametrize(("path", "value"), SECRET, ids=[path for path, _ in SECRET])
def test_secrets_are_found(path: str, value: Any) -> None:
    assert reason_of(path, value) is not None


@pytest.mark.parametrize(("path", "value"), OPEN, ids=[path for path, _ in OPEN])
def test_what_is_no_secret_is_shown(path: str, value: Any) -> None:
    assert reason_of(path, value) is None


def test_the_table_is_large() -> None:
    assert len(SECRET) + len(OPEN) >= 250
