"""Each token of a known form is hidden, whatever its key, and its public kin are not."""

import pytest
from tests.redact.token_samples import CHOICES, SAMPLES

from pillarbook.redact import Rules


@pytest.mark.sample(80)
@pytest.mark.parametrize(
    ("text", "reason"), [row[1:] for row in SAMPLES], ids=[f"{row[0]}-{row[2]}" for row in SAMPLES]
)
def test_tokens_are_hidden(text: str, reason: str) -> None:
    rules = Rules()
    assert rules.find_reason(("note",), text) == reason
    assert rules.find_reason(("note",), f"now it is '{text}', since monday") == reason


@pytest.mark.parametrize(
    ("text", "reason"), [row[1:3] for row in CHOICES], ids=[row[0] for row in CHOICES]
)
def test_choices(text: str, reason: str | None) -> None:
    assert Rules().find_reason(("note",), text) == reason
