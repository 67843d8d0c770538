"""Whoever adds guesses as plain text learns from no reason which of them is a decrypted secret."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.support.derived import PASSWORD, look, reasons, write_tree
from tests.support.messages import encrypting

MASTER = {"ext_pillar": [{"stack": "stack/stack.cfg"}]}
MADE = """
url: postgres://shop:{{ pillar.db.password | upper }}@db1
length: {{ pillar.db.password | length }}
of_guess: '{{ pillar.GUESS | upper }}'
of_both: {{ pillar.db.password | length + pillar.GUESS | length }}
length_of_guess: {{ pillar.GUESS | length }}
"""


@pytest.fixture(scope="module")
def encrypt() -> Iterator[Callable[[bytes], str]]:
    with encrypting() as run:
        yield run


@pytest.mark.parametrize("name", ["plain_password", "a_password"])
@pytest.mark.parametrize("order", ["[site, guess]", "[guess, site]"])
def test_reasons_are_the_same_whether_a_guess_is_right(
    name: str, order: str, encrypt: Callable[[bytes], str], tmp_path: Path
) -> None:
    message = encrypt(PASSWORD.encode()).replace("\n", "\n    ")
    found = []
    for number, guess in enumerate((PASSWORD, "Xw" + PASSWORD[2:])):
        files = {
            "pillar/top.sls": f"base: {{'*': {order}}}",
            "pillar/site.sls": f"#!yaml|gpg\ndb:\n  password: |\n    {message}\n",
            "pillar/guess.sls": f"{name}: '{guess}'\n",
            "stack/stack.cfg": "one.yml\n",
            "stack/one.yml": MADE.replace("GUESS", name),
        }
        folder = tmp_path / str(number)
        folder.mkdir()
        found.append(
            reasons(look(write_tree(folder, files, master=MASTER, settings={"decrypt": True})))
        )
    assert found[0] == found[1]
