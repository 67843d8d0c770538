"""The known name that somebody may have meant, among many names."""

import difflib
from typing import Any

import pytest

from pillarbook.patterns import similar

MANY = [f"{kind}.number{number}" for kind in ("apache", "web", "zone") for number in range(3_000)]
CASES = {
    "wrong at its begin": ("bpache.number77", "apache.number77"),
    "wrong in its middle": ("apache.nubmer77", "apache.number77"),
    "wrong at its end": ("sshd_cnofig", "sshd_config"),
    "with capitals": ("SSHD_config2", "sshd_config"),
    "like nothing": ("qqqqqq", None),
}


@pytest.mark.parametrize(("name", "meant"), CASES.values(), ids=CASES)
def test_few_of_many_names_are_compared(
    name: str, meant: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts: list[int] = []

    def count(word: str, names: Any, **named: Any) -> list[str]:
        counts.append(len(names))
        return difflib.get_close_matches(word, names, **named)

    monkeypatch.setattr(similar, "get_close_matches", count)
    assert similar.find_similar(name, [*MANY, "sshd_config"]) == meant
    assert max(counts) <= similar.MOST
