"""Changes that rules of the configuration take for noise."""

import re
from datetime import date, datetime
from typing import Any

import pytest
from tests.compare.pillars import as_pillar
from tests.support.apply_changes import apply_changes

from pillarbook.compare.alarms import is_alarm
from pillarbook.compare.change import Change
from pillarbook.compare.diff import Diff, DiffBuilder, Ignored
from pillarbook.compare.ignore import MAX_TEXT, Ignore
from pillarbook.compare.pillars import comparable_data
from pillarbook.inventory.change_settings import IgnoreRule
from pillarbook.redact import Redacted

SECRET = Redacted("key names a password", 1)


def changed(before: Any, after: Any, path: tuple[Any, ...] = ("a",)) -> Change:
    return Change(path=path, kind="changed", before=before, after=after)


ADDED = Change(path=("a", "b"), kind="added", after="x", behind=())
REMOVED = Change(path=("a", "b"), kind="removed", before="x")
MOVED = Change(path=("a",), kind="moved", before="x", after="x", moved_from=0, moved_to=1)
REORDERED = Change(path=(), kind="reordered", before=("x", "y"), after=("y", "x"))
DATE = (r"\d{4}-\d\d-\d\d",)

FITS: dict[str, tuple[IgnoreRule, Change]] = {
    "a key": (IgnoreRule(keys=("b",)), ADDED),
    "a key, whatever its case": (IgnoreRule(keys=("Build_*",)), changed(1, 2, ("BUILD_ID",))),
    "below a key": (IgnoreRule(keys=("motd",)), changed(1, 2, ("x", "motd", "text"))),
    "a path": (IgnoreRule(keys=("motd:**",)), changed(1, 2, ("motd", "text"))),
    "a path with positions": (IgnoreRule(keys=("a:*:b",)), changed(1, 2, ("a", 3, "b"))),
    "a kind": (IgnoreRule(kinds=("reordered", "moved")), MOVED),
    "the order at the top": (IgnoreRule(kinds=("reordered",)), REORDERED),
    "both dates": (IgnoreRule(values=DATE), changed("2024-01-01", "2024-01-02")),
    "real dates": (IgnoreRule(values=DATE), changed(date(2024, 1, 1), "2024-01-02")),
    "a time": (
        IgnoreRule(values=(r"2024-01-01T.*",)),
        changed(datetime(2024, 1, 1), datetime(2024, 1, 1, 12)),  # noqa: DTZ001 (as YAML has it)
    ),
    "each by another": (IgnoreRule(values=("a", "b")), changed("a", "b")),
    "an added one": (IgnoreRule(values=("x",)), ADDED),
    "a removed one": (IgnoreRule(values=("x",)), REMOVED),
    "as JSON has them": (IgnoreRule(values=("true", "null")), changed(True, None)),
    "numbers": (IgnoreRule(values=(r"\d+", r"0\.5")), changed(12, 0.5)),
    "the same JSON": (IgnoreRule(same_as="json"), changed('{"a": 1}', '{"a":1}')),
    "all of it": (
        IgnoreRule(keys=("a",), kinds=("changed",), values=(r"\[.*",), same_as="yaml"),
        changed("[1]", "[ 1 ]"),
    ),
}

FITS_NOT: dict[str, tuple[IgnoreRule, Change]] = {
    "another key": (IgnoreRule(keys=("c",)), ADDED),
    "above a path": (IgnoreRule(keys=("motd:**",)), changed(1, 2, ("motd",))),
    "the order at the top": (IgnoreRule(keys=("**",)), REORDERED),
    "another kind": (IgnoreRule(kinds=("moved",)), ADDED),
    "one value only": (IgnoreRule(values=DATE), changed("2024-01-01", "never")),
    "a part of a value": (IgnoreRule(values=DATE), changed("2024-01-01", "2024-01-021")),
    "a line of it": (IgnoreRule(values=("a",)), changed("a", "a\n")),
    "a mapping": (IgnoreRule(values=(".*",)), changed("a", {})),
    "a list": (IgnoreRule(values=(".*",)), changed([1], "a")),
    "bytes": (IgnoreRule(values=(".*",)), changed(b"a", "a")),
    "keys in another order": (IgnoreRule(values=(".*",)), REORDERED),
    "a secret": (IgnoreRule(values=("(?s).*",)), changed("a", SECRET)),
    "what was a secret": (IgnoreRule(values=("(?s).*",)), changed(SECRET, "a")),
    "a long text": (IgnoreRule(values=("(?s).*",)), changed("a" * (MAX_TEXT + 1), "a")),
    "a number without end": (IgnoreRule(values=(".*",)), changed(10**5000, 1)),
    "other JSON": (IgnoreRule(same_as="json"), changed('{"a": 1}', '{"a":2}')),
    "JSON of secrets": (IgnoreRule(same_as="json"), changed(SECRET, SECRET)),
    "JSON beside a mapping": (IgnoreRule(same_as="json"), changed("{}", {})),
    "JSON that moved": (
        IgnoreRule(same_as="json"),
        Change(path=(), kind="moved", before="[]", after="[]", moved_from=0, moved_to=1),
    ),
    "not all of it": (IgnoreRule(keys=("b",), kinds=("moved",)), ADDED),
}


@pytest.mark.parametrize(("rule", "change"), FITS.values(), ids=FITS)
def test_fits(rule: IgnoreRule, change: Change) -> None:
    assert Ignore([rule]).find("web1", [change]) == (1,)


@pytest.mark.parametrize(("rule", "change"), FITS_NOT.values(), ids=FITS_NOT)
def test_fits_not(rule: IgnoreRule, change: Change) -> None:
    assert Ignore([rule]).find("web1", [change]) == (None,)


def test_the_first_rule_of_a_minion_counts() -> None:
    rules = [
        IgnoreRule(minions=("db*",)),
        IgnoreRule(keys=("a",), minions=("web?", "app*")),
        IgnoreRule(keys=("a",)),
    ]
    ignore = Ignore(rules)
    other = changed(1, 2, ("c",))
    assert ignore.find("db1", [ADDED, other]) == (1, 1)
    assert ignore.find("web1", [ADDED, other]) == (2, None)
    assert ignore.find("WEB1", [ADDED, other]) == (3, None)
    assert ignore.find("web10", [other, ADDED]) == (None, 3)


def test_keeps_what_no_rule_ignores() -> None:
    changes = (ADDED, changed(1, 2, ("c",)))
    ignore = Ignore([IgnoreRule(keys=("a",), minions=("web*",))])
    assert ignore.keep("web1", changes) == changes[1:]
    assert ignore.keep("web1", changes) is ignore.keep("web2", changes)
    assert ignore.keep("db1", changes) == changes
    assert Ignore(()).keep("web1", changes) is changes


def test_an_expression_that_takes_too_long_is_given_up() -> None:
    asked = []

    def fits(pattern: re.Pattern[str], text: str) -> bool | None:
        asked.append((pattern.pattern, text))
        return None if pattern.pattern == "slow" else pattern.fullmatch(text) is not None

    ignore = Ignore([IgnoreRule(keys=("c",)), IgnoreRule(values=("slow", "fast"))], fits)
    assert ignore.notes == ()
    assert ignore.find("m", [changed("fast", "fast", ("x",)), ADDED]) == (2, None)
    assert asked == [("slow", "fast"), ("fast", "fast"), ("fast", "fast"), ("fast", "x")]
    assert len(ignore.notes) == 1
    assert ignore.notes[0].startswith("a regular expression of rule 2 of `changes: ignore` takes")


BASE = {"build_id": 1, "motd": {"text": "a", "by": "x"}, "port": 80}
HEAD = {"build_id": 2, "motd": {"by": "x", "text": "b"}, "port": 80}
MORE = HEAD | {"port": 81}
NOISE = [
    IgnoreRule(keys=("build_id",), minions=("web*",)),
    IgnoreRule(keys=("motd:**", "motd"), kinds=("changed", "reordered")),
    IgnoreRule(keys=("nothing",)),
]


def compare(sides: dict[str, tuple[Any, Any]], **head: Any) -> Diff:
    builder = DiffBuilder(Ignore(NOISE))
    for minion, (base, after) in sides.items():
        builder.add(as_pillar(base, minion=minion), as_pillar(after, minion=minion, **head))
    return builder.finish("base", "head", [])


def test_atoms_say_which_rule_ignores_them() -> None:
    sides = {"web1": (BASE, HEAD), "web2": (BASE, MORE), "db1": (BASE, HEAD), "db2": (BASE, BASE)}
    diff = compare(sides)
    assert {name: result.word for name, result in diff.minions.items()} == {
        "web1": "unchanged",
        "web2": "changed",
        "db1": "changed",
        "db2": "unchanged",
    }
    told = {(atom.change.path, atom.change.kind, atom.ignored): atom.minions for atom in diff.atoms}
    assert told == {
        (("build_id",), "changed", 1): ("web1", "web2"),
        (("build_id",), "changed", None): ("db1",),
        (("motd",), "reordered", 2): ("web1", "web2", "db1"),
        (("motd", "text"), "changed", 2): ("web1", "web2", "db1"),
        (("port",), "changed", None): ("web2",),
    }
    assert [atom.change.path for atom in diff.shown] == [("port",), ("build_id",)]
    assert diff.ignored == (
        Ignored(1, ("build_id",), 1, 2),
        Ignored(2, ("motd:**", "motd"), 2, 3),
        Ignored(3, ("nothing",), 0, 0),
    )
    by_id = {atom.id: atom for atom in diff.atoms}
    for minion, (base, head) in sides.items():  # what is ignored is still all there
        changes = [by_id[number].change for number in diff.minions[minion].atoms]
        made = apply_changes(comparable_data(as_pillar(base)), changes)
        assert list(made.items()) == list(head.items())


def test_a_difference_without_other_changes_is_none() -> None:
    diff = compare({"web1": (BASE, HEAD)})
    assert not is_alarm(diff, "change")
    assert len(diff.atoms) == 3


@pytest.mark.parametrize(
    ("head", "word"),
    [({"outcome": "partial"}, "newly failing"), ({"outcome": "failed"}, "newly failing")],
    ids=["partial", "failed"],
)
def test_a_failure_is_never_ignored(head: dict[str, Any], word: str) -> None:
    diff = compare({"web1": (BASE, HEAD)}, **head)
    assert diff.minions["web1"].word == word
    assert is_alarm(diff, "new-failure")


def test_an_empty_pillar_is_never_ignored() -> None:
    builder = DiffBuilder(Ignore([IgnoreRule(minions=("*",))]))
    builder.add(as_pillar(BASE, minion="web1"), as_pillar({}, minion="web1"))
    builder.add(as_pillar(BASE, minion="web2"), None)
    builder.add(None, as_pillar(BASE, minion="web3"))
    builder.add(as_pillar(BASE, minion="web4", outcome="partial"), as_pillar(HEAD, minion="web4"))
    diff = builder.finish("base", "head", [])
    words = {name: result.word for name, result in diff.minions.items()}
    assert words == {"web1": "empty", "web2": "gone", "web3": "new", "web4": "fixed"}
    assert diff.shown == ()
