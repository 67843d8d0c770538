"""Targets that minions lose, in words."""

from dataclasses import replace

import pytest

from pillarbook.redact.redacted_pillar import RedactedTarget
from pillarbook.report.lost_target_wording import MAX_TARGETS, LostTargets


@pytest.mark.parametrize(
    ("number", "last"), [(2, "gives sls1"), (MAX_TARGETS + 2, "2 more targets")]
)
def test_each_target_has_a_line_and_the_others_are_counted(number: int, last: str) -> None:
    targets = tuple(
        RedactedTarget(
            target=f"web{at}*",
            match="compound",
            matched=True,
            file="top.sls",
            line=at,
            saltenv="base",
            sls=(f"sls{at}",),
        )
        for at in range(number)
    )
    lines = LostTargets(("m",), targets, ()).describe(str, str)
    assert lines[0] == "the target web0* in top.sls:0 (before) no longer gives sls0"
    assert lines[-1].endswith(last)
    assert len(lines) == min(number, MAX_TARGETS + 1)


def test_a_target_with_an_sls_of_each_minions_own_is_named_once() -> None:
    one = RedactedTarget("*", "compound", "prod", "top.sls", 9, True, ("host.a",))
    lost = LostTargets(("a", "b"), (one, replace(one, sls=("host.b",))), ())
    told = "the target * in top.sls:9 (before) no longer gives host.a, host.b"
    assert lost.describe(str, str) == [told]
