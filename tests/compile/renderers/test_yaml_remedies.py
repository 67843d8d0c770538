"""What is said to do about a document that is not YAML, where the reason is a common one."""

from pathlib import Path

import pytest
from tests.support.fleets import open_fleet, write_fleet

TAB = "YAML needs spaces for indentation: replace the tab with spaces"
QUOTE = "quote the text that begins there: this character is reserved in YAML"
COLON = "quote the text if the colon is part of it, else correct the indentation"

TAG = "Salt knows only YAML's own tags: remove the tag, or quote the text if it begins with `!`"

TEXTS = {
    "tab": ("a:\n\tb: 1\n", TAB),
    "tab after a byte order mark": ("\ufeffa:\n\tb: 1\n", TAB),
    "tab in yamlex": ("#!yamlex\na:\n\tb: 1\n", TAB),
    "at": ("a: @x\n", QUOTE),
    "backtick": ("a: `x`\n", QUOTE),
    "at in yamlex": ("#!yamlex\na: @x\n", QUOTE),
    "colon": ("a: x: y\n", COLON),
    "indentation": ("a: 1\n  b: 2\n", COLON),
    "tag": ("a: !lookup x\n", TAG),
    "equals": ("a: =\n", 'quote it: `"="`'),
    "no end": ("a: [1, 2\n", "close the bracket that is open, and put commas between its members"),
    "alias": (
        "a: *x\n",
        "quote the text that begins with `*`, or define its anchor (`&name`) above",
    ),
    "a document marker": (
        "a: 1\n---\nb: 2\n",
        "remove the line `---`: a file has a single document",
    ),
}


@pytest.mark.parametrize(("text", "remedy"), TEXTS.values(), ids=TEXTS)
def test_remedy(text: str, remedy: str | None, tmp_path: Path) -> None:
    write_fleet(tmp_path, {"top.sls": "base: {'*': [site]}\n", "site.sls": text}, {"web1": {}})
    with open_fleet(tmp_path) as fleet:
        (found,) = fleet.compile("web1").diagnostics
    assert (found.code, found.help) == ("yaml-error", remedy)


UNKNOWN = "SLS 'site' does not render: could not determine a constructor for the tag"
TAGS = {
    "a tag": ("a: !lookup x\n", f"{UNKNOWN} '!lookup'"),
    "in a list": ("a:\n  - !include 'x.yml'\n", f"{UNKNOWN} '!include'"),
    "of a mapping": ("a: !Ref {b: 1}\n", f"{UNKNOWN} '!Ref'"),
    "of YAML": ("a: !!python x\n", f"{UNKNOWN} '!!python'"),
    "equals": ("a: =\n", "SLS 'site' does not render: a plain `=` is no text in YAML"),
    "maybe a password": ("a: !teapot\n", UNKNOWN),
    "maybe a password with a comment": ("a: !teapot # x\n", UNKNOWN),
    "a password": ("password: !tea pot\n", UNKNOWN),
    "below a key of passwords": ("passwords:\n- a\n- !tea pot\n", UNKNOWN),
    "on the next line": ("password:\n\n  !tea pot\n", UNKNOWN),
    "beside a password": ("password: x\na: !tea pot\n", f"{UNKNOWN} '!tea'"),
    "random": ("a: !Vq7sKw2p x\n", UNKNOWN),
    "printed": ("a: {{ '!tea' ~ 'pot' }} x\n", UNKNOWN),
    "printed in part": ("a: !tea{{ 'pot' }} x\n", UNKNOWN),
}


@pytest.mark.parametrize(("text", "message"), TAGS.values(), ids=TAGS)
def test_a_tag_is_named_unless_it_may_be_secret(text: str, message: str, tmp_path: Path) -> None:
    write_fleet(tmp_path, {"top.sls": "base: {'*': [site]}\n", "site.sls": text}, {"web1": {}})
    with open_fleet(tmp_path) as fleet:
        (found,) = fleet.compile("web1").diagnostics
    assert found.message == message
