"""What pages show is true: their commands run, print what is shown, and name what there is."""

import re
from pathlib import Path

import click
import pytest
from make import TASKS
from tests.docs.not_run import NOT_RUN, STAND_INS
from tests.docs.pages import ROOT, page_id, read_blocks, read_codes, read_prose, user_pages
from tests.docs.session import Session, is_shown, read_steps, split_command

from pillarbook.cli.main import cli

LANGUAGES = {
    "console",
    "bash",
    "yaml",
    "sls",
    "json",
    "html",
    "css",
    "text",
    "python",
    "toml",
    "sql",
}


README = ROOT / "README.md"
PLAYED = [
    page for page in user_pages() if page != README and any(map(read_steps, read_blocks(page)))
]
LONG = (
    "ci",
    "commands",
    "diff",
    "export",
    "github",
    "gitlab",
    "inventory",
    "nightly",
    "python",
    "start",
    "states",
    "theme",
    "verify",
)
"""Pages whose commands take more than three seconds together; those of the others run by default."""


def _marks(page: Path) -> tuple[pytest.MarkDecorator, ...]:
    return (pytest.mark.slow,) if page.stem in LONG else ()


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "page", [pytest.param(page, marks=_marks(page), id=page_id(page)) for page in PLAYED]
)
def test_commands_print_what_is_shown(page: Path, tmp_path: Path) -> None:
    complaints = Session(tmp_path / "page").play(page)
    assert not complaints, "\n\n".join(complaints)


def test_commands_of_the_readme_print_what_is_shown(tmp_path: Path) -> None:
    complaints = Session(tmp_path / "page").play(README)
    assert not complaints, "\n\n".join(complaints)


def test_commands_in_text_exist() -> None:
    """What stands in backticks, and what is not run, names commands and options that exist."""
    for page in user_pages():
        shown = [step.command for block in read_blocks(page) for step in read_steps(block)]
        inline = [code for code in read_codes(read_prose(page)) if code.startswith("pillarbook ")]
        for command in (*shown, *inline):
            words = split_command(command)
            if words:
                accept(words)


def accept(words: list[str]) -> None:
    """Have click read a command without running it."""
    name, *rest = words
    if name.startswith("-"):
        assert name in {"--help", "-h", "--version"}
        return
    command = cli.get_command(click.Context(cli), name)
    assert command is not None, f"there is no command {name}"
    if rest or name != name.lower():
        command.make_context(name, rest, resilient_parsing=not _is_whole(rest))


def _is_whole(words: list[str]) -> bool:
    """Say whether a command names what it is about; in a text it may be named alone."""
    return any(not word.startswith("-") for word in words)


def test_blocks_have_a_language() -> None:
    for page in user_pages():
        for block in read_blocks(page):
            assert block.language in LANGUAGES, f"{block.place}: {block.language!r}"


def test_exceptions_are_shown_somewhere() -> None:
    """The list of what is not run holds nothing that no page shows."""
    commands = [
        step.command
        for page in user_pages()
        for block in read_blocks(page)
        for step in read_steps(block)
    ]
    for beginning in (*NOT_RUN, *STAND_INS):
        assert any(command.startswith(beginning) for command in commands), beginning


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("a\nb\n", "a\nb\n", True),
        ("a\n", "a\nb\n", False),
        ("a\n...\n", "a\nb\nc\n", True),
        ("...\nc\n", "a\nb\nc\n", True),
        ("a\n...\nd\n", "a\nb\nc\n", False),
        ("a ... c\n", "a b c\n", True),
        ("a ... c\n", "a b\nc\n", False),
        ("token: 0123456789abcdef\n", "token: fedcba9876543210\n", True),
        ("token: 0123456789abcdef\n", "token: none\n", False),
        ("reading 0.41 s\n", "reading 1.07 s\n", True),
    ],
    ids=str,
)
def test_what_counts_as_the_same_output(shown: str, printed: str, same: bool) -> None:
    assert is_shown(shown, printed) is same


def test_tasks_exist() -> None:
    for page in [*user_pages(), ROOT / "CONTRIBUTING.md"]:
        for task in re.findall(r"python3 make\.py (\w+)", page.read_text()):
            assert task in TASKS, page


def test_readme_counts_the_cases_that_salt_answered() -> None:
    cases = len(list((ROOT / "tests" / "cases").rglob("expected.json")))
    assert f"More than {cases // 100 * 100} small trees" in (ROOT / "README.md").read_text()
