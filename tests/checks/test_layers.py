"""Which SLS are meant to replace values of others."""

from pathlib import Path
from typing import Any

import pytest
from tests.support.derived import opened, write_tree

A, B = "a: {x: 1}\n", "a: {x: 2}\n"
TOPS = {
    "one target": ("'*': [one, two]", True),
    "a broad target, then a specific one": ("'*': [one], 'web*': [two]", False),
    "a specific target, then a broad one": ("'web*': [one], '*': [two]", True),
    "two of one kind": ("'G@os:Debian': [one], 'web*': [two]", False),
    "an id, then a pattern": ("web1: [one], 'web*': [two]", True),
    "a pattern, then an id": ("'web*': [one], web1: [two]", False),
    "a pattern, then all but some": ("'web*': [one], 'not db*': [two]", True),
    "both of two targets": ("'*': [one, two], 'web*': [two]", True),
    "a glob of names": ("'*': ['o*', 'tw?']", True),
    "an include below another target": ("'*': [one], 'web*': [over]", False),
    "an include below the same target": ("'*': [one, over]", True),
    "an include of the other": ("'*': [both]", False),
    "a target that does not match": ("'*': [one, two], 'db*': [one]", True),
}


@pytest.mark.parametrize(("top", "is_found"), TOPS.values(), ids=TOPS)
@pytest.mark.parametrize("strategy", ["smart", "overwrite"])
def test_what_replaces_a_value_on_purpose_is_no_finding(
    strategy: str, top: str, is_found: bool, tmp_path: Path
) -> None:
    files = {
        "pillar/top.sls": f"base: {{{top}}}\n",
        "pillar/one.sls": A,
        "pillar/two.sls": B,
        "pillar/over.sls": "include: [two]\n",
        "pillar/both.sls": f"include: [one]\n{B}",
    }
    minions = {"web1": {"grains": {"os": "Debian"}}}
    master = {"pillar_source_merging_strategy": strategy}
    folder = write_tree(tmp_path, files, minions=minions, master=master)
    with opened(folder, rules=("lost-scalar",)) as session:
        session.look_at_all()
        found = [one for one in session.shown.diagnostics if one.code == "lost-scalar"]
    assert bool(found) == (is_found and strategy == "smart")


def test_a_finding_is_of_the_minions_for_which_it_holds(tmp_path: Path) -> None:
    files = {
        "pillar/top.sls": "base: {'*': [one], 'web*': [two], 'all*': [one, two]}\n",
        "pillar/one.sls": A,
        "pillar/two.sls": B,
    }
    minions: dict[str, Any] = {name: {"grains": {}} for name in ("web1", "all1", "all2", "other")}
    with opened(write_tree(tmp_path, files, minions=minions), rules=("lost-scalar",)) as session:
        session.look_at_all()
        (found,) = [one for one in session.shown.diagnostics if one.code == "lost-scalar"]
        assert found.minions == ("all1", "all2")
        assert [one.code for one in session.compiler.findings.of("web1")] == []


def test_what_an_alias_loses_is_one_finding(tmp_path: Path) -> None:
    files = {
        "pillar/top.sls": "base: {'*': [one, two]}\n",
        "pillar/one.sls": "base: &base {x: 1, y: 1}\na: *base\nb: *base\n",
        "pillar/two.sls": "base:\n  x: 2\n\nz: 1\n",
    }
    with opened(write_tree(tmp_path, files)) as session:
        session.look_at_all()
        assert [one.code for one in session.shown.diagnostics] == ["changed-alias"]


@pytest.mark.parametrize(("setting", "is_found"), [("", False), ("on", True), ("warning", True)])
def test_it_is_found_only_if_the_rule_is_on(setting: str, is_found: bool, tmp_path: Path) -> None:
    files = {"pillar/top.sls": "base: {'*': [one, two]}\n"}
    files |= {"pillar/one.sls": A, "pillar/two.sls": B}
    settings = {"rules": {"lost-scalar": setting}} if setting else {}
    with opened(write_tree(tmp_path, files, settings=settings)) as session:
        session.look_at_all()
        found = [one.code for one in session.shown.diagnostics]
        assert ("lost-scalar" in found) == is_found
        assert session.compiler.findings.count_ignored(("lost-scalar",)) == 0
