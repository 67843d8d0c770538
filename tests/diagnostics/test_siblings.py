"""Findings that most likely have one reason are one row."""

from collections.abc import Iterable
from dataclasses import replace

from pillarbook.diagnostics import Diagnostic, new_diagnostic
from pillarbook.diagnostics.formats.text_and_json import to_json, to_text
from pillarbook.diagnostics.siblings import FindingGroup, join_siblings
from pillarbook.model import Position


def missing(name: str, *minions: str, of_states: bool = False, line: int = 1) -> Diagnostic:
    kind = "state SLS" if of_states else "SLS"
    made = new_diagnostic(
        "missing-sls",
        f"the {kind} '{name}' does not exist in environment 'base'",
        Position("top.sls", line),
    )
    return replace(made, minions=minions, of_states=of_states)


def join(diagnostics: Iterable[Diagnostic]) -> list[FindingGroup]:
    return list(join_siblings({one: [] for one in diagnostics}))


PRIVATE = [missing("private.a", "m1"), missing("private.b", "m1", "m2"), missing("private.c", "m3")]
OTHERS = [missing("ntp", "m1"), missing("web.a", "m1"), missing("web.b", "m2", line=7)]


def test_a_missing_folder_is_one_row_with_all_names_and_minions() -> None:
    follow = missing("x")
    every = (*PRIVATE, *OTHERS[:2])
    folded = {one: [follow] if one is PRIVATE[2] else [] for one in every}
    row, *rest = join_siblings(folded)
    assert row.shown.message == "3 SLS do not exist in environment 'base'"
    assert row.names == ("private.a", "private.b", "private.c")
    assert (row.shown.minions, row.shown.position) == (("m1", "m2", "m3"), PRIVATE[1].position)
    assert row.follow_on == (follow,)
    assert [one.shown for one in rest] == OTHERS[:2]


def test_what_most_minions_have_comes_first() -> None:
    one, many = missing("ntp", "m1"), missing("web.a", "m1", "m2", "m3", line=7)
    rows = join_siblings({one: [missing("x")], many: []})
    assert [row.shown for row in rows] == [many, one]


def test_missing_sls_of_many_folders_are_another_row() -> None:
    private, others = join((*PRIVATE, *OTHERS))
    assert private.names == ("private.a", "private.b", "private.c")
    assert others.names == ("ntp", "web.a", "web.b")


def test_missing_states_are_one_row_whatever_their_folders() -> None:
    states = [missing(name, "m", of_states=True) for name in ("users", "openssh", "openssh.auth")]
    row, other = join((*states, OTHERS[0]))
    assert row.shown.message == "3 state SLS do not exist in environment 'base'"
    assert row.names == ("users", "openssh", "openssh.auth")
    assert other == FindingGroup(OTHERS[0], ())


def test_one_message_about_two_lines_is_one_row() -> None:
    (row,) = join((missing("ntp", "m1"), missing("ntp", "m2", line=5)))
    assert row.shown.message == missing("ntp").message
    assert row.shown.minions == ("m1", "m2")
    assert [one.position for one, _ in row.members] == [
        Position("top.sls", 1),
        Position("top.sls", 5),
    ]


def test_calls_of_one_function_are_one_row() -> None:
    calls = [
        new_diagnostic(
            "undeclared-function", f"SLS '{name}' calls '{function}', which has no answer"
        )
        for name, function in (("a", "vault.read"), ("b", "vault.read"), ("c.d", "vault.read"))
    ]
    other = replace(calls[0], message="SLS 'a' calls 'http.query', which has no answer")
    row, alone = join((*calls, other))
    assert row.shown.message == "3 SLS call 'vault.read', which has no answer"
    assert row.names == ("a", "b", "c.d")
    assert alone.shown == other


def test_errors_with_different_reasons_stay_apart() -> None:
    reasons = ("the pillar has no key 'a'", "the pillar has no key 'b'", "division by zero")
    errors = [
        new_diagnostic("jinja-error", f"SLS '{at}' does not render: {reason}")
        for at, reason in enumerate(reasons)
    ]
    assert [row.shown for row in join(errors)] == errors


def test_notes_of_one_rule_are_one_row_by_what_differs() -> None:
    notes = [
        new_diagnostic(
            "unknown-minion",
            f"the target 'web* or {name}' names the minion '{name}', which is not declared",
        )
        for name in ("a", "b", "c")
    ]
    (row,) = join(notes)
    assert row.shown.message == "3 minions that targets name and the inventory does not have"
    assert row.names == ("web* or a", "web* or b", "web* or c")


def test_a_message_without_a_name_leaves_the_others_theirs() -> None:
    messages = (
        "possible plain-text secret: 'app:dsn' (URL with a password)",
        "the source of this file has a plain-text secret (GitHub token)",
        "possible plain-text secret: 'app:key' (looks random)",
    )
    notes = [
        new_diagnostic("plain-secret", message, Position("a.sls", line))
        for line, message in enumerate(messages, 1)
    ]
    (row,) = join(notes)
    assert row.names == ("app:dsn", "GitHub token", "app:key")


def test_text_lists_each_place_and_json_each_finding() -> None:
    found = [*PRIVATE, missing("private.d", "m1", line=4)]
    assert list(to_text(found)) == [
        "top.sls:1: error: 4 SLS do not exist in environment 'base' [missing-sls]",
        "    on m1, m2, m3",
        "      top.sls:1: private.a, private.b, private.c",
        "      top.sls:4: private.d",
        "4 errors",
    ]
    assert len(to_json(found)["diagnostics"]) == 4


def test_text_does_not_list_all_of_many_places() -> None:
    found = [missing(f"private.s{number}", line=number) for number in range(1, 61)]
    *listed, more, _ = to_text(found)
    assert listed[-1] == "      top.sls:50: private.s50"
    assert more == "      10 more; `--format json` lists them"


def test_the_place_of_a_row_is_the_first_of_its_list() -> None:
    (row,) = join((missing("a", "m1", line=2), missing("b", "m1", "m2", line=5), missing("c")))
    assert row.shown.position == row.members[0][0].position == Position("top.sls", 2)


def test_the_row_from_which_most_follows_is_the_first_of_its_severity() -> None:
    warning = new_diagnostic("unused-sls", "an SLS that no minion gets", Position("a.sls", 1))
    rows = join_siblings({OTHERS[0]: [], OTHERS[1]: [missing("x")], warning: [missing("y")] * 2})
    assert [row.shown for row in rows] == [OTHERS[1], OTHERS[0], warning]


def test_a_row_has_the_remedy_of_most_of_its_findings() -> None:
    found = [
        new_diagnostic("unmatched-target", f"the target '{at}'", None, remedy=remedy)
        for at, remedy in enumerate("aab")
    ]
    (row,) = join_siblings(dict.fromkeys(found, ()))
    assert row.shown.help == "a"
    (row,) = join_siblings({replace(one, help=one.message): () for one in found})
    assert row.shown.help is None
