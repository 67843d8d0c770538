"""Each token of a known form is hidden, whatever its key, and its public kin are not."""

import pytest
from tests.redact.token_samples import CHOICES, SAMPLES

from pillarbook.redact import Rules


def test_tokens_are_hidden() -> None:
    for text, reason in [row[1:] for row in SAMPLES]:
        rules = Rules()
        assert rules.find_reason(("note",), text) == reason, (text, reason)
        assert rules.find_reason(("note",), f"now it is '{text}', since monday") == reason, (
            text,
            reason,
        )


@pytest.mark.parametrize(
    ("text", "reason"), [row[1:3] for row in CHOICES], ids=[row[0] for row in CHOICES]
)
def test_choices(text: str, reason: str | None) -> None:
    assert Rules().find_reason(("note",), text) == reason
