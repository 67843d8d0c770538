"""What is most likely missing for one reason is one row of the home page."""

from dataclasses import replace

from pillarbook.diagnostics import Diagnostic, new_diagnostic
from pillarbook.model import Position
from pillarbook.report.missing_together import join_missing


def missing(name: str, *minions: str, of_states: bool = False, line: int = 1) -> Diagnostic:
    kind = "state SLS" if of_states else "SLS"
    made = new_diagnostic(
        "missing-sls",
        f"the {kind} '{name}' does not exist in environment 'base'",
        Position("top.sls", line),
    )
    return replace(made, minions=minions, of_states=of_states)


PRIVATE = [missing("private.a", "m1"), missing("private.b", "m1", "m2"), missing("private.c", "m3")]
OTHERS = [missing("ntp", "m1"), missing("web.a", "m1"), missing("web.b", "m2")]


def test_a_missing_folder_is_one_row_with_all_names_and_minions() -> None:
    follow = missing("x")
    every = (*PRIVATE, *OTHERS)
    folded = {one: [follow] if one is PRIVATE[2] else [] for one in every}
    joined = join_missing(folded)
    row, *rest = joined
    assert row.message == (
        "3 SLS do not exist in environment 'base': private.a, private.b, private.c"
    )
    assert (row.minions, row.position) == (("m1", "m2", "m3"), PRIVATE[1].position)
    assert joined[row] == [follow]
    assert rest == OTHERS


def test_missing_states_are_one_row_whatever_their_folders() -> None:
    states = [missing(name, "m", of_states=True) for name in ("users", "openssh", "openssh.auth")]
    (row, other) = join_missing({one: [] for one in (*states, OTHERS[0])})
    assert row.message.startswith("3 state SLS do not exist in environment 'base': users, openssh")
    assert other == OTHERS[0]


def test_many_names_are_counted() -> None:
    (row,) = join_missing({missing(f"p.s{at}", "m"): [] for at in range(20)})
    assert row.message.startswith("20 SLS do not exist")
    assert row.message.endswith("p.s11 and 8 more")


def test_calls_of_one_function_are_one_row() -> None:
    calls = [
        new_diagnostic(
            "undeclared-function", f"SLS '{name}' calls '{function}', which has no answer"
        )
        for name, function in (("a", "vault.read"), ("b", "vault.read"), ("c.d", "vault.read"))
    ]
    other = replace(calls[0], message="SLS 'a' calls 'http.query', which has no answer")
    row, alone = join_missing({one: [] for one in (*calls, other)})
    assert row.message == "3 SLS call 'vault.read', which has no answer: a, b, c.d"
    assert alone == other
