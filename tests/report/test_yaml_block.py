"""What is added or removed in full, and long values that are cut around what differs."""

import pytest

from pillarbook.compare.change import Change
from pillarbook.model.phrases import clip_pair
from pillarbook.redact import Redacted
from pillarbook.report.inline_change import InlineChange
from pillarbook.report.markdown_text import write_block
from pillarbook.report.yaml_block import MAX_LINES, cut_lines, list_lines

ADMIN = {"name": "mallory", "nopasswd": True, "groups": ["sudo", "adm"], "key": Redacted("key", 7)}
CASES: dict[str, tuple[Change, list[str]]] = {
    "a new administrator": (
        Change(path=("sudo",), kind="added", after=ADMIN),
        [
            "+ sudo:",
            "+   name: mallory",
            "+   nopasswd: true",
            "+   groups:",
            "+   - sudo",
            "+   - adm",
            "+   key: '<redacted: key, t7>'",
        ],
    ),
    "a member that goes": (
        Change(path=("users", 3), kind="removed", before=ADMIN, positions=frozenset({1})),
        [
            "- - name: mallory",
            "-   nopasswd: true",
            "-   groups:",
            "-   - sudo",
            "-   - adm",
            "-   key: '<redacted: key, t7>'",
        ],
    ),
    "a text of several lines": (
        Change(path=("motd",), kind="added", after="one\ntwo\n"),
        ["+ motd: |", "+   one", "+   two"],
    ),
    "what fits into a line": (Change(path=("a",), kind="added", after={"b": 1}), []),
    "a changed value": (Change(path=("a",), kind="changed", before=ADMIN, after=1), []),
}


@pytest.mark.parametrize(("change", "expected"), CASES.values(), ids=CASES)
def test_what_is_shown_in_full(change: Change, expected: list[str]) -> None:
    assert list_lines(change, lambda place: f"t{place}") == expected


def test_a_long_block_says_how_much_it_leaves_out() -> None:
    change = Change(path=("a",), kind="added", after={str(n): n for n in range(MAX_LINES + 9)})
    lines = cut_lines(list_lines(change, str))
    assert len(lines) == MAX_LINES + 1
    assert lines[-1] == "+ ... 10 more lines"


def test_the_fence_is_longer_than_any_run_of_backticks() -> None:
    assert write_block(["+ a: ````"]).splitlines() == ["`````diff", "+ a: ````", "`````"]


HEAD = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI"
KEYS = [f"{HEAD}{letter * 43} {who}" for letter, who in (("x", "alice@shop"), ("y", "mallory@ev"))]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        tuple(KEYS),
        ("a" * 200 + "1" + "b" * 200, "a" * 200 + "2" + "b" * 200),
        ("a" * 500, "a" * 501),
        ("x" * 300, "y" * 400),
        ("same" * 30 + "end", "same" * 30),
    ],
)
def test_long_values_are_cut_around_what_differs(before: str, after: str) -> None:
    one, two = clip_pair(before, after, 80)
    assert one != two
    assert max(len(one), len(two)) <= 80
    assert one.endswith(before[-5:])
    assert two.startswith(after[:5])


def test_keys_of_two_people_do_not_look_alike() -> None:
    change = Change(path=("key",), kind="changed", before=KEYS[0], after=KEYS[1])
    told = InlineChange(str, str, str).write(change)
    assert told.startswith("ssh-ed25")
    assert "alice@shop → ssh-ed25" in told
    assert told.endswith("mallory@ev")


def test_an_empty_text_is_visible() -> None:
    change = Change(path=("a",), kind="changed", before="x", after="")
    assert InlineChange(str, str, str).write(change) == '"x" → ""'
