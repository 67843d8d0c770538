"""Whoever adds guesses, plain or encrypted, learns from no reason which is a decrypted secret."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.support.derived import PASSWORD, look, reasons, write_tree
from tests.support.messages import encrypting

MASTER = {"ext_pillar": [{"stack": "stack/stack.cfg"}]}
MADE = """
url: postgres://shop:{{ pillar.db.password | upper }}@db1
length: {{ pillar.db.password | length }}
shouted: it is {{ pillar.db.password | upper }}
whole: '{{ pillar.db.password | upper }}'
of_guess: '{{ pillar.GUESS | upper }}'
of_both: {{ pillar.db.password | length + pillar.GUESS | length }}
both: '{{ pillar.db.password | upper }} {{ pillar.GUESS | upper }}'
length_of_guess: {{ pillar.GUESS | length }}
"""
Encrypt = Callable[[bytes], str]


@pytest.fixture(scope="module")
def encrypt() -> Iterator[Encrypt]:
    with encrypting() as run:
        yield run


def encrypted(encrypt: Encrypt, text: str, indent: int) -> str:
    """Return a block value that is a message."""
    return "|\n" + "".join(
        f"{' ' * indent}{line}\n" for line in encrypt(text.encode()).splitlines()
    )


@pytest.mark.sample(1)
@pytest.mark.parametrize("form", [str, str.upper], ids=["itself", "transformed"])
@pytest.mark.parametrize("order", ["[site, guess]", "[guess, site]"])
@pytest.mark.parametrize(
    ("name", "pipe"),
    [
        ("plain_password", ""),
        ("a_password", ""),
        ("a_password", "#!yaml|gpg\n"),
        ("plain", "#!gpg|yaml\n"),
    ],
)
def test_reasons_are_the_same_whether_a_guess_is_right(
    name: str,
    pipe: str,
    order: str,
    form: Callable[[str], str],
    encrypt: Encrypt,
    tmp_path: Path,
) -> None:
    password = encrypted(encrypt, PASSWORD, 4)
    found = []
    for number, guess in enumerate(map(form, (PASSWORD, "Xw" + PASSWORD[2:]))):
        given = encrypted(encrypt, guess, 2) if pipe else f"'{guess}'"
        files = {
            "pillar/top.sls": f"base: {{'*': {order}}}",
            "pillar/site.sls": f"{pipe or '#!yaml|gpg'}\ndb:\n  password: {password}",
            "pillar/guess.sls": f"{pipe}{name}: {given}\n",
            "stack/stack.cfg": "one.yml\n",
            "stack/one.yml": MADE.replace("GUESS", name),
        }
        folder = tmp_path / str(number)
        folder.mkdir()
        found.append(
            reasons(look(write_tree(folder, files, master=MASTER, settings={"decrypt": True})))
        )
    assert found[0] == found[1]
