"""What renders, but most likely not as its author means, has a warning."""

from pathlib import Path

import pytest
from tests.support.fleets import open_fleet, write_fleet

SHEBANG = "Salt reads renderers only in the first line"
NULL = "YAML reads a text that begins with `&` as an anchor, so the value here is null"
DASH = "YAML reads a dash without a space as text, so there is one text here, and no list"
SIXTY = "YAML reads numbers with colons between them as one number in base 60"
BREAK = "the name of the key begins with a no-break space, which does not indent it"
SEALED = "nothing decrypts this value: the file does not use the renderer `gpg`"
MESSAGE = "a: |\n  -----BEGIN PGP MESSAGE-----\n\n  hQEMA\n  -----END PGP MESSAGE-----\n"
# What Salt makes of each was read from the real one.
CASES: dict[str, tuple[int, str]] = {
    "\n#!yaml\na: 1\n": (2, SHEBANG),
    "# web\n#!jinja|yaml|gpg\na: 1\n": (2, SHEBANG),
    " #!py\ndef run():\n  return {}\n": (1, SHEBANG),
    "\ufeff#!yaml\na: 1\n": (1, SHEBANG),
    "a: 1\nb: &c\nd: 2\n": (2, NULL),
    "a:\n  - &c\n": (2, NULL),
    "a:\n  -b\n  -c\n": (2, DASH),
    "a:\n  - 22:22\n": (2, SIXTY),
    "a: 1:30 # hours\n": (1, SIXTY),
    "a:\n\u00a0\u00a0b: 1\n": (2, BREAK),
    MESSAGE: (1, SEALED),
}
FINE = {
    "same renderers": "\n#!jinja|yaml\na: 1\n",
    "an interpreter": "\n#!/usr/bin/python3\na: 1\n",
    "first line": "#!yaml\na: 1\n",
    "later line": "a: 1\n#!yaml\n",
    "an anchor with a value": "a: &b\n  c: 1\nd: *b\n",
    "an anchor of a text": "a: &b c\nd: *b\n",
    "an anchor in a text": "a: |\n  b: &c\n",
    "a negative number": "a:\n  -1\n",
    "a dash in a text": "a: |\n  b:\n    -c\n",
    "numbers in quotes": "a: '22:22'\n",
    "numbers in a text": "a: |\n  b: 22:22\n",
    "numbers in a comment": "a: 80 # on 10.0.0.1:80\n",
    "a break in a value": "a: '\u00a0b'\n",
    "a break in a text": "a: |\n  \u00a0\u00a0b: 1\n",
    "decrypted": f"#!jinja|yaml|gpg\n{MESSAGE}",
    "no message": "a: -----BEGIN PGP MESSAGE-----\n",
}


def read_doubts(folder: Path, text: str) -> list[tuple[int | None, str]]:
    write_fleet(folder, {"top.sls": "base: {'*': [site]}\n", "site.sls": text}, {"web1": {}})
    with open_fleet(folder) as fleet:
        found = fleet.compile("web1").diagnostics
    doubts = [one for one in found if one.code == "doubtful-yaml"]
    assert all(one.help for one in doubts)
    return [(one.position.line if one.position else None, one.message) for one in doubts]


@pytest.mark.parametrize("text", CASES)
def test_the_line_and_what_salt_makes_of_it(text: str, tmp_path: Path) -> None:
    assert read_doubts(tmp_path, text) == [CASES[text]]


@pytest.mark.parametrize("text", FINE.values(), ids=FINE)
def test_what_is_not_doubtful(text: str, tmp_path: Path) -> None:
    assert read_doubts(tmp_path, text) == []
