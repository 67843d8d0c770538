"""The guide lists every reason that a redaction can have."""

from pathlib import Path

from tests.redact.reasons import every_reason

GUIDE = Path(__file__).parents[2] / "site_src" / "guide" / "security.md"
REASONS = list(dict.fromkeys(every_reason()))


def first_cells() -> str:
    text = GUIDE.read_text()
    part = text[text.index("### What is found") : text.index("### Short and common values")]
    return "\n".join(line.split("|")[1] for line in part.splitlines() if line.startswith("|"))


def test_the_guide_lists() -> None:
    for reason in REASONS:
        assert f"`{reason}`" in first_cells(), reason


def test_the_guide_lists_no_other() -> None:
    listed = set(first_cells().split("`")[1::2])
    assert listed == set(REASONS)


def test_reasons_are_short() -> None:
    assert max(map(len, REASONS)) <= 32
