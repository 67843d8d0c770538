"""The index of targets says of each what the matchers say, and asks few of them."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.compile.matchers.minion import Minion

from pillarbook.compile.matchers import MatcherError, match_target
from pillarbook.compile.matchers.compound_logic import evaluate_logic, find_needed
from pillarbook.compile.top.target_index import TargetIndex
from pillarbook.compile.top.target_terms import read_formula
from pillarbook.compile.top.tops import Target

NODEGROUPS = {"group": "web* or G@os:Debian", "empty": "", "deep": ["N@group", "and", "not", "db1"]}
IDS = ("web1", "web1.example.com", "db-2", "x", "a,b", "Web1", "", "we*", "[x]")
WORDS = (
    *(
        "web*",
        "*",
        "web1",
        "*.com",
        "*e*",
        "w[e]b?",
        "[x]",
        "we[*]",
        "a,b",
        "WEB1",
        "*[0-9]",
        "x*]",
    ),
    *("E@web", "E@^web\\d", "E@we?b", "E@w+", "E@db|web", "E@(?i)WEB", "E@we{1}b1$", "E@x*y"),
    *("L@web1,db-2", "L@a,b", "L@a", "L@", "G@os:Debian", "G@os:debian", "G@os:Deb*", "G@os:*"),
    *("G@roles:web", "G@roles:0:web", "G@roles:*", "G@nest:a", "G@nest:a:x", "G@nest:*", "G@num:1"),
    *(
        "G@num:True",
        "G@num:1.0",
        "G@7:x",
        "G@os",
        "G@*:x",
        "G;@os;Debian",
        "P@os:D.*n",
        "P@roles:we",
    ),
    *(
        "P@os:(a+)+b",
        "G@os:",
        "G@missing:x",
        "G@roles:[w]eb",
        "N@group",
        "N@deep",
        "N@none",
        "I@a:b",
    ),
    *("S@10.0.0.0/8", "E@[", "M@web1", "G@list:a:1", "G@roles:Web", "G@num:none"),
)
LOGIC = ("{0}", "not {0}", "{0} and {1}", "{0} or {1}", "{0} and not {1}", "not ( {0} or {1} )")
DEEPER = (
    *("( {0} or {1} ) and {2}", "{0} and ( not {1} or not {2} )", "{0} {1}", "( {0}", "{0} or ( )"),
    *(
        "{0} ( )",
        "not not {0}",
        "{0} and {1} and {2}",
        "{0} or {1} and {2}",
        "( ) or {0}",
        "and {0}",
    ),
)
WHOLE = (
    *(("web*", "glob"), ("web1", "list"), ("web1,db-2", "list"), ("web|db", "pcre"), ("[", "pcre")),
    *(("os:Debian", "grain"), ("os:D.*", "grain_pcre"), ("group", "nodegroup"), ("os", "grain")),
    *(("a:b", "pillar"), (7, "glob"), (None, "compound"), ("x", "unknown"), ("10.0.0.1", "ipcidr")),
)
VALUES = st.sampled_from(
    [
        *("Debian", "debian", "x", "", 1, True, 1.0, None, ["web"], ["web", "db"], [], [["web"]]),
        *([{"a": 1}], {"a": "x"}, {"a": {"x": 1}}, {}, ["Web", 1], "a,b", {"x": ["web"]}),
    ]
)
GRAINS = st.dictionaries(
    st.sampled_from(["os", "roles", "nest", "num", "list", "7", 7, "a"]), VALUES, max_size=5
)


@st.composite
def targets(draw: st.DrawFn) -> Target:
    """Draw a target of a top file."""
    expression, matcher = draw(st.sampled_from(WHOLE))
    if draw(st.integers(0, 3)):
        words = [draw(st.sampled_from(WORDS)) for _ in range(3)]
        expression, matcher = draw(st.sampled_from((*LOGIC, *DEEPER))).format(*words), "compound"
    return Target(expression, matcher, ("s",), "top.sls", 1, (1,))


def ask(target: Target, minion: Minion) -> bool | None:
    try:
        return match_target(target.expression, target.matcher, minion)
    except MatcherError:
        return None


@given(drawn=st.lists(targets(), max_size=8), ids=st.lists(st.sampled_from(IDS)), grains=GRAINS)
def test_index_says_what_matchers_say(
    drawn: list[Target], ids: list[str], grains: Mapping[Any, Any]
) -> None:
    index = TargetIndex([read_formula(one, NODEGROUPS) for one in drawn])
    for minion_id in ids:
        minion = Minion(minion_id, grains, nodegroups=NODEGROUPS)
        matched = index.match(minion_id, grains)
        for at, one in enumerate(drawn):
            said = bool(matched >> at & 1)
            assert said == (at not in index.others and ask(one, minion)), one


LOOKED_UP = ("web*", "web1", "G@os:Debian", "P@os:D.*", "L@a,b", "N@deep and E@w", "G@a:b:c or x")
ASKED = (
    "I@a:b",
    "S@10.0.0.0/8",
    "E@[",
    "E@(a+)+b",
    "P@os:(a+)+b",
    "G@7:x",
    "web1 and J@a:b",
    "R@x",
)


@pytest.mark.parametrize("text", [*LOOKED_UP, *ASKED])
def test_what_reads_more_or_may_fail_is_asked_by_itself(text: str) -> None:
    formula = read_formula(Target(text, "compound", (), "", 1, ()), NODEGROUPS)
    assert (formula is not None) == (text in LOOKED_UP or text == "R@x")


@given(
    words=st.lists(st.sampled_from(["web", "and", "or", "not", "(", ")"]), max_size=9),
    answers=st.lists(st.booleans(), min_size=9, max_size=9),
)
def test_what_is_needed_is_needed(words: list[str], answers: list[bool]) -> None:
    formula = read_formula(Target(" ".join(words) or "x", "compound", (), "", 1, ()), {})
    if formula is not None and formula.logic is not None:
        needed = find_needed(formula.logic, [1] * len(formula.terms))
        if evaluate_logic(formula.logic, answers) and needed is not None:
            assert any(answers[number] for number in needed)
