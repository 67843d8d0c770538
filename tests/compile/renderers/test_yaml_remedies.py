"""What is said to do about a document that is not YAML, where the reason is a common one."""

from pathlib import Path

import pytest
from tests.support.fleets import open_fleet, write_fleet

TAB = "YAML needs spaces for indentation: replace the tab with spaces"
QUOTE = "quote the text that begins there: this character is reserved in YAML"
COLON = "quote the text if the colon is part of it, else correct the indentation"

TEXTS = {
    "tab": ("a:\n\tb: 1\n", TAB),
    "tab after a byte order mark": ("\ufeffa:\n\tb: 1\n", TAB),
    "tab in yamlex": ("#!yamlex\na:\n\tb: 1\n", TAB),
    "at": ("a: @x\n", QUOTE),
    "backtick": ("a: `x`\n", QUOTE),
    "at in yamlex": ("#!yamlex\na: @x\n", QUOTE),
    "colon": ("a: x: y\n", COLON),
    "indentation": ("a: 1\n  b: 2\n", COLON),
    "no end": ("a: [1, 2\n", None),
    "alias": ("a: *x\n", None),
}


@pytest.mark.parametrize(("text", "remedy"), TEXTS.values(), ids=TEXTS)
def test_remedy(text: str, remedy: str | None, tmp_path: Path) -> None:
    write_fleet(tmp_path, {"top.sls": "base: {'*': [site]}\n", "site.sls": text}, {"web1": {}})
    with open_fleet(tmp_path) as fleet:
        (found,) = fleet.compile("web1").diagnostics
    assert (found.code, found.help) == ("yaml-error", remedy)
