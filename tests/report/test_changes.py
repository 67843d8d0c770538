"""The pages of what has changed since a revision."""

import json
from dataclasses import replace
from typing import Any

import pytest
from tests.report.reader import Reader, is_safe
from tests.report.sample import SampleBook, changed_session, filled
from tests.report.test_pages import write_all
from tests.support.redacted import make_pillar

from pillarbook.compare.atoms import Cited
from pillarbook.compare.ignore import Ignore
from pillarbook.diagnostics import Diagnostic, PillarbookError, Severity
from pillarbook.inventory.change_settings import IgnoreRule
from pillarbook.redact.redacted_pillar import Redacted, RedactedTarget
from pillarbook.report import change_groups, change_rows
from pillarbook.report.source import NotCompared

INDEX = "changes/index.html"


def pages_of(session: SampleBook) -> dict[str, Reader]:
    written, _ = write_all(session)
    pages = {uri: Reader(html) for uri, html in written.items()}
    for uri, page in pages.items():
        assert is_safe(page), uri
        assert len(set(page.ids)) == len(page.ids), uri
    return pages


def changed(before: Any, after: Any, *names: str, **fields: Any) -> SampleBook:
    """Return a book in which the data of each minion changes so."""
    names = names or ("m",)
    return changed_session(
        {name: filled(name, before) for name in names},
        {name: filled(name, after) for name in names},
        **fields,
    )


def index_of(session: SampleBook) -> Reader:
    return pages_of(session)[INDEX]


def test_the_page_of_changes_comes_only_with_a_base() -> None:
    assert INDEX not in pages_of(SampleBook({"m": filled("m", {"a": 1})}))
    pages = pages_of(changed({"a": 1}, {"a": 1}))
    assert "Pillar: no change on 1 minion" in pages[INDEX].text
    assert "1 unchanged" in pages["index.html"].text
    assert "changes" not in pages["minions/m.html"].ids


def test_where_there_is_nothing_to_compare_with_the_pages_say_why() -> None:
    why = NotCompared("v<1>", "there is no 'v<1>': `git fetch` it")
    pages = pages_of(SampleBook({"m": filled("m", {"a": 1})}, since=why))
    for uri in (INDEX, "index.html"):
        assert "there is no 'v<1>': git fetch it" in pages[uri].text
    _, beside = write_all(SampleBook({}, since=why))
    assert "changes/index.json" not in beside


def test_what_is_ignored_is_counted_and_in_the_json() -> None:
    rules = [IgnoreRule(keys=("<b>", "id")), IgnoreRule(keys=("port",), minions=("a",))]
    before, after = {"id": 1, "port": 80}, {"id": 2, "port": 81}
    session = changed(before, after, "a", "b", ignore=Ignore(rules))
    pages = pages_of(session)
    assert "Pillar: 1 change on 1 of 2 minions" in pages[INDEX].text
    assert "ignored by rule 1 (<b>, id): 1 change on 2 minions" in pages[INDEX].text
    assert "ignored by rule 2 (port): 1 change on 1 minion" in pages[INDEX].text
    assert "changes" not in pages["minions/a.html"].ids
    assert "changes" in pages["minions/b.html"].ids
    rows = [row for row in pages["minions/b.html"].rows if "|changed|" in row]
    assert [row.split("|")[1] for row in rows] == ["port"]
    _, beside = write_all(changed(before, after, "a", "b", ignore=Ignore(rules)))
    told = json.loads(beside["changes/index.json"])
    assert [atom["ignored"] for atom in told["atoms"]] == [1, 2, None]
    assert [one["atoms"] for one in told["ignored"]] == [1, 1]


@pytest.mark.parametrize(
    ("before", "after", "row"),
    [
        (
            {"a": {"b": 1}},
            {"a": {"b": 2}},
            "a:b|changed|1pillar/base/app.sls:1 base: app|2pillar/base/app.sls:1 base: app",
        ),
        ({"a": 1}, {"a": 1, "b": 2}, "b|added||2pillar/base/app.sls:2 base: app"),
        ({"a": [1, 2]}, {"a": [2]}, "a:0|removed|1pillar/base/app.sls:1 base: app|"),
        (
            {"a": Redacted("token", 1)},
            {"a": Redacted("token", 2)},
            "|redacted: token 0002-token secret changedpillar/base/app.sls:1 base: app",
        ),
        (
            {"a": Redacted("PGP message", 1)},
            {"a": Redacted("PGP message", 2)},
            "|redacted: PGP message 0002-token ciphertext changed, value unknown",
        ),
        ({"a": "one\ntwo\n"}, {"a": "one\nthree\n"}, "-two+three"),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, "top-level keys|reordered|a, b|b, a"),
    ],
)
def test_a_change_has_both_sides(before: Any, after: Any, row: str) -> None:
    pages = pages_of(changed(before, after))
    for uri in (INDEX, "minions/m.html"):
        rows = [found.replace("\n", "") for found in pages[uri].rows]
        assert any(row in found for found in rows), (uri, rows)


def test_equal_secrets_for_other_reasons_are_not_called_changed() -> None:
    page = index_of(changed({"a": Redacted("token", 1)}, {"a": Redacted("key names it", 1)}))
    assert "secret changed" not in page.text


def test_lines_that_are_the_cause_stand_with_a_change() -> None:
    because = {("a",): Cited("pillar/x.sls", 7, "head"), ("b",): Cited("pillar/x.sls", 9, "base")}
    page = index_of(changed({"a": 1, "b": 1}, {"a": 2}, because=because))
    assert "|abecause of pillar/x.sls:7|changed|" in page.row("|changed|")
    assert "|bbecause of pillar/x.sls:9 (before)|removed|" in page.row("|removed|")


@pytest.mark.parametrize(
    ("outcomes", "word", "told"),
    [
        (("ok", "partial"), "newly failing", "pillar/a.sls:3 it `breaks`"),
        (("partial", "failed"), "still failing", "pillar/a.sls:3 it `breaks`"),
        (("failed", "ok"), "fixed", ""),
        (("ok", "empty"), "empty", ""),
        ((None, "ok"), "new", ""),
        ((None, "failed"), "newly failing", "pillar/a.sls:3 it `breaks`"),
        (("ok", None), "removed", ""),
    ],
)
def test_what_fails_comes_and_goes(
    outcomes: tuple[str | None, str | None], word: str, told: str
) -> None:
    before, after = (
        None
        if outcome is None
        else make_pillar(
            "m",
            outcome=outcome,
            faults=("pillar/a.sls:3: it `breaks`",) if outcome in {"partial", "failed"} else (),
        )
        for outcome in outcomes
    )
    pages = pages_of(changed_session({"m": before}, {} if after is None else {"m": after}))
    row = pages[INDEX].row(f"|{word}\n|m")
    assert told.replace("`", "") in row
    shown = [outcome or "absent" for outcome in outcomes]
    assert f"|{shown[0]}|{shown[1]}|" in row
    if after is not None:
        assert word in pages["minions/m.html"].text
        assert "../minions/m.html#changes" in pages[INDEX].links
    assert f"1 {word}" in pages["index.html"].text


def test_a_failure_that_stays_is_named_though_nothing_touches_it() -> None:
    pillar = make_pillar("m", outcome="partial", faults=("a.sls:1: broken",))
    page = index_of(changed_session({}, {"m": pillar}))
    assert "a.sls:1 broken" in page.row("|still failing")
    assert "no change on 1 minion, of which 1 fails as before" in page.text


def test_new_errors_of_what_failed_before_come_first() -> None:
    old, new = "a.sls:1: broken", "b.sls:2: also broken"
    before = {name: make_pillar(name, outcome="partial", faults=(old,)) for name in ("m", "n")}
    after = before | {"n": make_pillar("n", outcome="partial", faults=(old, new))}
    rows = [row.replace("\n", "") for row in index_of(changed_session(before, after)).rows]
    assert [row for row in rows if "broken" in row] == [
        "|still failing, with new errors|n|partial|partial|b.sls:2 also broken",
        "|still failing|both minionsm, n|partial|partial|a.sls:1 broken",
    ]


def test_minions_with_the_same_changes_stand_together() -> None:
    names = ("web1", "web2", "db1")
    before = {"a": 1, "b": 1}
    session = changed_session(
        {name: filled(name, before) for name in names},
        {name: filled(name, {"a": 2, "b": 1 if name == "db1" else 2}) for name in (*names, "other")}
        | {"other": filled("other", before)},
    )
    page = index_of(session)
    sections = [row for row in page.rows if row.startswith(("|1 ", "|2 "))]
    assert sections == ["|1 web1, web2, db1", "|2 both of web*web1, web2"]
    assert "Pillar: 2 changes on 3 of 4 minions" in page.text


def test_a_large_group_has_a_page_with_every_minion_and_every_change() -> None:
    names = [f"m{number:02}" for number in range(40)]
    session = changed({"a": [1, 1]}, {"a": [2, 2]}, *names)
    pages = pages_of(session)
    assert "changes/1.html" in pages
    assert "1.html" in pages[INDEX].links
    assert not any(f"../minions/{name}.html#changes" in pages[INDEX].links for name in names)
    page = pages["changes/1.html"]
    assert [f"../minions/{name}.html#changes" in page.links for name in names] == [True] * 40
    assert ["a:0|" in page.text, "a:0" in page.text, "a:1" in page.text] == [False, True, True]
    assert all(path in pages[INDEX].text for path in ("a:0", "a:1"))


def test_values_that_are_others_on_each_minion_are_one_change_with_all_on_its_page() -> None:
    names = [f"m{number}" for number in range(6)]
    session = changed_session(
        {name: filled(name, {"a": f"{name} old"}) for name in names},
        {name: filled(name, {"a": f"{name} new"}) for name in names},
    )
    pages = pages_of(session)
    assert "(one of 6 similar variants)" in pages[INDEX].text
    assert "1 change on 6 of 6 minions" in pages[INDEX].text
    for name in names:
        assert f"|{name} new" in pages["changes/1.html"].row(f"{name} old")


def test_the_page_of_a_large_group_has_no_link_to_itself() -> None:
    names = [f"m{number:02}" for number in range(40)]
    before = {name: filled(name, {"a": 1}) for name in names}
    failed = {name: make_pillar(name, outcome="failed", faults=("a.sls:1: x",)) for name in names}
    page = pages_of(changed_session(before, failed))["changes/1.html"]
    assert "all 40 minions, one by one" in page.text
    assert "1.html" not in page.links
    assert "#minions" in page.links


def test_what_has_no_room_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(change_rows, "MAX_BYTES", 2_000)
    monkeypatch.setattr(change_groups, "MAX_MEMBERS", 2)
    monkeypatch.setattr(change_groups, "MAX_LINKS", 0)
    monkeypatch.setattr(change_groups, "FEW", 2)
    before = dict.fromkeys((f"k{number}" for number in range(30)), 1)
    names = ("m1", "m2", "m3")
    session = changed_session(
        {**{name: filled(name, before) for name in names}, "m4": filled("m4", {"x": 1})},
        {
            **{name: filled(name, dict.fromkeys(before, 2)) for name in names},
            "m4": filled("m4", {"x": 2}),
        },
    )
    pages = pages_of(session)
    shown = sum("|changed|" in row for row in pages[INDEX].rows)
    assert 0 < shown < 30
    assert f"{30 - shown} more changes for these minions, on their page." in pages[INDEX].text
    assert "1 more change, in 1 more group, is in" in pages[INDEX].text
    assert "m1, m2 and 1 more, in the JSON" in pages["changes/1.html"].text
    assert "more are in the JSON" in pages["changes/1.html"].text


def test_the_json_beside_the_page_has_everything() -> None:
    _, beside = write_all(changed({"a": [1, 1]}, {"a": [2, 2]}, "m1", "m2"))
    data = json.loads(beside["changes/index.json"])
    assert data["schema"] == "pillarbook.diff/1"
    assert {(atom["kind"], *atom["path"]) for atom in data["atoms"]} == {
        (kind, "a", place) for kind in ("removed", "added") for place in (0, 1)
    }
    assert set(data["minions"]) == {"m1", "m2"}


def test_what_is_out_of_reach_in_the_base_is_told() -> None:
    told = Diagnostic(
        code="not-compared", severity=Severity.WARNING, message="a.sls is locked in main"
    )
    other = replace(told, code="yaml-error", message="another")
    page = index_of(changed({"a": 1}, {"a": 1}, diagnostics=(told, other)))
    assert "a.sls is locked in main." in page.text
    assert "another" not in page.text


def test_a_minion_with_many_changes_shows_the_first() -> None:
    before = dict.fromkeys((f"k{number}" for number in range(120)), 1)
    page = pages_of(changed(before, dict.fromkeys(before, 2)))["minions/m.html"]
    assert "And 20 more changes, in the JSON" in page.text


def test_a_pillar_that_shows_its_secrets_is_not_published() -> None:
    shown = make_pillar("m", revealed=True)
    with pytest.raises(PillarbookError, match="not for publishing"):
        write_all(changed_session({"m": shown}, {"m": make_pillar("m")}))
    with pytest.raises(PillarbookError, match="not for publishing"):
        write_all(changed_session({"m": shown}, {}))


def test_the_page_lists_minions_that_lost_a_target() -> None:
    lost = RedactedTarget("<web*>", "glob", "base", "top.sls", 3, True, ("web",))
    before = replace(filled("m", {"a": 1, "b": 2}), targets=(lost,))
    after = replace(filled("m", {"b": 2}), targets=(replace(lost, matched=False),))
    page = index_of(changed_session({"m": before}, {"m": after}))
    assert "lost" in page.ids
    assert "the target <web*> in top.sls:3 (before) no longer gives web" in page.text


def test_who_can_newly_read_a_secret_comes_before_the_changes() -> None:
    secret = Redacted("key names a secret", 1)
    page = index_of(changed({"a": 1}, {"a": 1, "web": {"key": secret}}, "m1", "m2"))
    assert "2 minions can newly read a secret" in page.text
    told = page.text.partition("New access to a secret")[2].partition("Changed values")[0]
    assert "both minions" in told
    assert "web:key" in told
    assert "New access to a secret" not in index_of(changed({"a": 1}, {"a": 2})).text


def test_a_key_of_each_minions_own_is_written_without_quotes() -> None:
    names = [f"web{number}" for number in range(4)]
    before = {name: filled(name, {"port": 80}) for name in names}
    after = {name: filled(name, {"port": 80, f"{name}_port": 81}) for name in names}
    rows = pages_of(changed_session(before, after))[INDEX].rows
    assert [row.split("|")[1] for row in rows if "|added|" in row] == ["*_port"]
