"""What each build changed: the entries of a history, and what pages show of them."""

import datetime as dt
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from typing import Any

import pytest
from tests.report.reader import Reader, is_safe
from tests.report.sample import SampleBook, SampleSince, filled

from pillarbook.compare.diff import Diff, DiffBuilder
from pillarbook.compare.result_reader import BROKEN
from pillarbook.redact.redacted_pillar import Redacted, RedactedPillar
from pillarbook.redact.tokens import TokenKey, Tokens
from pillarbook.report.group_names import GroupNames
from pillarbook.report.history_entry import MAX_CHANGES, MAX_VALUE, make_entry, write_entry
from pillarbook.report.history_pages import (
    MAX_BUILDS,
    MAX_OF_MINION,
    MAX_OPEN,
    MAX_TOLD,
    HistoryPages,
)
from pillarbook.report.history_reader import SavedHistory, read_entry, redact_entry
from pillarbook.report.key_patterns import KeyPatterns
from pillarbook.report.report import Report
from pillarbook.report.source_links import ForgeLinks
from pillarbook.report.templates import page_environment

TEMPLATES = page_environment()
Pillars = Mapping[str, RedactedPillar]


class HexBook(SampleBook):
    """A book whose tokens have their real form."""

    def token(self, place: int) -> str:
        return f"{place:016x}"


def build(
    before: Pillars, after: Pillars, entries: Sequence[Any] = ({},)
) -> tuple[dict[str, Reader], Any]:
    """Return the pages of a build, and its entry as its file has it."""
    session = HexBook(after)
    session.since = SampleSince(session, before)
    saved = [one or start() for one in entries]
    session.history = SavedHistory(saved, bool(saved), str)
    report = Report(session, TEMPLATES)
    pages: dict[str, Reader] = {}
    planned = list(report.pages)
    for page in planned:  # which grows
        pages[page.uri] = Reader(report.write(page))
        planned += report.further(page)
    for uri, read in pages.items():
        assert is_safe(read), uri
        assert len(set(read.ids)) == len(read.ids), uri
    entry = report.entry
    return pages, entry and json.loads(write_entry(entry, TokenKey()))


def start() -> Any:
    """Return the entry of a first build."""
    _, entry = build({}, {"m": filled("m", {"a": 1})}, ())
    return entry


def fleet(*data: Any) -> Pillars:
    return {f"m{number}": filled(f"m{number}", one) for number, one in enumerate(data)}


def changes_of(before: Sequence[Any], after: Sequence[Any]) -> list[Any]:
    _, entry = build(fleet(*before), fleet(*after))
    return [] if entry is None else list(entry["changes"])


def shown(before: Sequence[Any], after: Sequence[Any]) -> str:
    """Return the text of the page of all builds, without spaces."""
    return squeeze(build(fleet(*before), fleet(*after))[0]["history.html"].text)


def squeeze(text: str) -> str:
    return "".join(text.split())


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ({"a": 1}, {"a": "1"}, 'a changed 1 → "1"'),
        ({"a": 1}, {"a": None}, "a changed 1 → null"),
        ({"a": {"b": 1}}, {"a": {"b": 1, "c": [1, 2]}}, "a: c added [1, 2]"),
        ({"a": [1, 2, 3]}, {"a": [3, 1, 2]}, "a moved 3 moved from position 2 to 0"),
        ({"a": {"x": 1, "y": 2}}, {"a": {"y": 2, "x": 1}}, "a reordered order of keys changed"),
        ({"b": 1, "a": 2}, {"a": 2, "b": 1}, "top-level keysreordered"),
        ({"a": "x"}, {"a": "y" * MAX_VALUE}, "a changed a long value"),
        ({"a": Redacted("gpg", 1)}, {"a": Redacted("gpg", 2)}, "a secret changed (token"),
        (
            {"a": Redacted("key names a password", 1)},
            {"a": Redacted("key names a password", 2, 3)},
            "different source, not compared (token",
        ),
        ({"a": {"redacted": "x", "token": 1}}, {"a": 2}, 'a changed {redacted: "x", token: 1} → 2'),
        ({"a": b"\0\1"}, {"a": {1: True, "$x": None}}, "a changed"),
    ],
)
def test_a_change_of_each_kind_is_kept_and_shown(before: Any, after: Any, told: str) -> None:
    assert squeeze(told) in shown([before], [after])


def test_a_value_for_each_minion_is_one_change_without_values() -> None:
    few = changes_of([{"a": 1}] * 3, [{"a": one} for one in "xyz"])
    assert [(one["variants"], one["after"]) for one in few] == [(1, "x"), (1, "y"), (1, "z")]
    (many,) = changes_of([{"a": 1}] * 5, [{"a": one} for one in "vwxyz"])
    assert many["variants"] == 5
    assert not {"before", "after"} & many.keys()
    assert "5differentvalues" in shown([{"a": 1}] * 5, [{"a": one} for one in "vwxyz"])


def test_nothing_is_kept_if_nothing_changed() -> None:
    pages, entry = build(fleet({"a": 1}), fleet({"a": 1}))
    assert entry is None
    assert "history" not in pages["minions/m0.html"].ids
    assert "The first report." in pages["history.html"].text


def test_a_key_has_the_changes_of_the_mappings_around_it() -> None:
    before: list[Any] = [{"app": {}}, {"app": {}}]
    after = [{"app": {"tls": {"on": True, "at": {"port": port}}}} for port in (1, 2)]
    pages, _ = build(fleet(*before), fleet(*after))
    own = pages["keys/app~tls~at~port.html"]
    assert "history" in own.ids
    assert "app:tls:at:portadded1m0" in squeeze(own.text)
    assert "app:tls:at:portadded2m1" in squeeze(own.text)
    assert "history" in pages["keys/app.html"].ids
    other, _ = build(fleet({"a": {"b": 1}}), fleet({"a": {"c": {"d": 1}}}))
    assert "added" in other["keys/a.html"].text


def test_a_member_of_a_list_has_the_changes_of_the_list() -> None:
    pages, _ = build(fleet({"l": [{"x": 1}], "a": 1}), fleet({"l": [{"x": 2}], "a": 1}))
    assert "changed 1 → 2" in pages["keys/l.html"].text


def test_long_histories_are_folded_and_cut() -> None:
    last = fleet({"a": 2, "b": 0})
    _, entry = build(fleet({"a": 1, "b": 0}), last)
    entries = [start(), *({**entry, "number": number} for number in range(2, MAX_TOLD + 10))]
    pages, entry = build(last, last, entries)
    assert entry is None
    key, minion = pages["keys/a.html"].text, pages["minions/m0.html"].text
    assert f"{MAX_TOLD - MAX_OPEN} older changes" in key
    assert f"{MAX_OF_MINION - MAX_OPEN} older changes" in minion
    assert all("There are changes before these." in text for text in (key, minion))
    assert "history" not in pages["keys/b.html"].ids
    assert f"{len(entries) - MAX_BUILDS} older reports" in pages["history.html"].text


def test_other_changes_than_the_first_are_counted() -> None:
    names = [f"k{number:04}" for number in range(MAX_CHANGES + 7)]
    before, after = (fleet(dict.fromkeys(names, value)) for value in (1, 2))
    words = GroupNames({"m0": ()})
    made = make_entry(SampleBook(after), 2, compare(before, after), words)
    entry = json.loads(write_entry(made or {}, TokenKey()))
    assert (len(entry["changes"]), entry["left_out"]) == (MAX_CHANGES, 7)
    pages, _ = build(fleet({}), fleet({}), [start(), entry])
    assert f"{MAX_CHANGES + 7 - 12:,} more changes" in pages["history.html"].text


def compare(before: Pillars, after: Pillars) -> Diff:
    builder = DiffBuilder()
    for minion in after:
        builder.add(before.get(minion), after[minion])
    return builder.finish("base", "head", ())


def test_a_change_of_all_of_a_large_fleet_is_small() -> None:
    """A year of such nights of 10,000 minions is below 200 MB."""
    names = [f"role{number % 40}-{number:05}.ams.prod.example.com" for number in range(2_000)]
    before, after = (
        {
            name: filled(
                name, {"common": value, "role": (number % 40) + value, "own": name * value}
            )
            for number, name in enumerate(names)
        }
        for value in (1, 2)
    )
    words = GroupNames({name: (f"role:{at % 40}",) for at, name in enumerate(names)})
    entry = make_entry(SampleBook(after), 2, compare(before, after), words)
    assert entry is not None
    assert sorted(entry["minions"]) == sorted(names)
    assert len(entry["changes"]) == 3
    text = write_entry(entry, TokenKey())
    assert 5 * len(text) * 365 < 200_000_000
    read = read_entry(json.loads(text), Tokens())
    assert {frozenset(one.group.minions) for one in read.changes} == {frozenset(names)}


PARTS: tuple[Any, ...] = (None, True, -1, 0.5, "x", ["x"], {}, {"$set": 1}, 10**30)


def leaves_of(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of each part of a document."""
    yield path
    for key in (
        data if isinstance(data, dict) else range(len(data) if isinstance(data, list) else 0)
    ):
        yield from leaves_of(data[key], (*path, key))


def exchange(data: Any, path: tuple[Any, ...], part: Any) -> Any:
    """Return a document with another part at a path."""
    if not path:
        return part
    other = copy(data)
    other[path[0]] = exchange(data[path[0]], path[1:], part)
    return other


def test_an_entry_with_a_part_of_another_type_is_refused_or_shown() -> None:
    """Without a token key, anybody who can write to the folder can write an entry."""
    secret = Redacted("gpg", 1)
    before = {"a": 1, "l": [1, 2, 3], "s": secret, "o": {"x": 1, "y": 2}, "m": {}}
    after = {"a": "x\ny", "l": [3, 1], "s": Redacted("gpg", 2), "o": {"y": 2, "x": 1}}
    entry = build(fleet(before), {**fleet(after), "new": filled("new", {"a": 1})})[1]
    line = {"id": "ab" * 20, "date": "2026-01-31", "author": "somebody"}
    entry |= {"commits": [line], "commit": {"id": "ab" * 20, "time": "x", "modified": True}}
    entry["changes"] = [{**one, "commits": [0]} for one in entry["changes"]]
    refused = 0
    for path in list(leaves_of(entry))[1:]:
        for part in PARTS:
            changed = exchange(entry, path, part)
            try:
                read_entry(changed, Tokens())
            except BROKEN:
                refused += 1
                continue
            pages = HistoryPages(
                SavedHistory([changed], True, str),
                SampleBook({}).about,
                patterns := KeyPatterns(["m0"]),
                ForgeLinks(None, None),
                TEMPLATES,
            )
            assert pages.write(lambda _: ""), path
            assert pages.write_minion("m0", None) is not None
            for key in after:
                assert pages.write_key(patterns.pattern_of((key,))) is not None
    assert refused > 100


def test_a_commit_of_several_changes_is_named_once() -> None:
    entry = build(fleet({"a": 1, "b": 1, "c": 1}), fleet({"a": 2, "b": 2, "c": 2}))[1]
    lines = [{"id": one * 20, "date": "2026-01-31", "author": None} for one in ("ab", "cd")]
    whose = zip(entry["changes"], ([0], [0], [1]), strict=True)
    entry |= {"commits": lines, "changes": [{**one, "commits": own} for one, own in whose]}
    page = build(fleet({"a": 2}), fleet({"a": 2}), [entry])[0]["history.html"]
    told = [row.split("|")[1] for row in page.rows if "changed" in row]
    assert told == ["abababa 2026-01-31", "", "cdcdcdc 2026-01-31"]


def test_what_is_a_secret_later_is_taken_out_of_an_entry() -> None:
    day = dt.date(2026, 1, 31)
    before = {"a": 1, "born": 1, "n": 1, "k": 1, "b": {"v": 1}}
    after = {"a": 2, "born": day, "n": 4187418, "k": "x teapot y", "b": {"v": 1, "teapot": None}}
    entry = build(fleet(before), fleet(after))[1]
    assert redact_entry(entry, str) is entry

    def clean(text: str) -> str:
        return re.sub("teapot|4187418|2026-01-31", "<redacted>", text)

    redacted = redact_entry(entry, clean)
    assert "teapot" not in json.dumps(redacted)
    told = {one["path"][0]: (one["path"][1:], one["after"]) for one in redacted["changes"]}
    assert told == {
        "a": ([], 2),
        "n": ([], "<redacted>"),
        "k": ([], "x <redacted> y"),
        "b": (["<redacted>"], None),
    }
    assert len(read_entry(redacted, Tokens()).changes) == 4


def test_equal_changes_that_several_files_set_are_one() -> None:
    before, after = (
        {name: filled(name, {"a": value}, f"pillar/{name}.sls") for name in ("m0", "m1", "m2")}
        for value in (1, 2)
    )
    entry = build(before, after)[1]
    assert [(one["after"], one["variants"]) for one in entry["changes"]] == [(2, 1)]
    assert [one["members"] for one in entry["affected"]] == [[[0, 2]]]
