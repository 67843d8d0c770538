"""Warnings of options and values that Salt does not know."""

from pathlib import Path

import pytest
from tests.support.fleets import write_files

from pillarbook.diagnostics import Diagnostic
from pillarbook.inventory.master import load_master
from pillarbook.inventory.reach import Reach

UNKNOWN = {
    "file_root: {base: [states]}": (("file_root",), "write `file_roots`"),
    "top_file: x.sls": (("top_file",), "write `state_top`"),
    "nodegroups: {web: {a: b}}": (
        ("nodegroups", "web"),
        "write a target, such as `L@web1,web2`, or a list of words",
    ),
    "nodegroups: {web: }": (
        ("nodegroups", "web"),
        "write a target, such as `L@web1,web2`, or a list of words",
    ),
    "node_groups: {}": (("node_groups",), "write `nodegroups`"),
    "pillar_source_merge_strategy: recurse": (
        ("pillar_source_merge_strategy",),
        "write `pillar_source_merging_strategy`",
    ),
    "pillar_source_merging_strategy: recursive": (
        ("pillar_source_merging_strategy",),
        "write one of smart, recurse, aggregate, overwrite, list, none",
    ),
    "file_roots: {base: states}": (
        ("file_roots", "base"),
        "write a list, also for one folder: `base: [FOLDER]`",
    ),
}


def find(folder: Path, text: str) -> tuple[Diagnostic, ...]:
    write_files(folder, {"master": f"pillar_roots: {{base: []}}\n{text}\n"})
    return load_master(folder / "master", reach=Reach((folder.resolve(),), trusting=False))[1]


@pytest.mark.parametrize(("text", "wanted"), UNKNOWN.items(), ids=UNKNOWN)
def test_warns_of_what_salt_does_not_know(
    tmp_path: Path, text: str, wanted: tuple[tuple[str, ...], str]
) -> None:
    found = find(tmp_path, text)
    assert [(one.code, one.path, one.help, str(one.position)) for one in found] == [
        ("option-type", *wanted, "master:2")
    ]


@pytest.mark.parametrize(
    "text",
    [
        "own_option: 1",
        "nodegroups: {a: b, c: [d]}",
        "nodegroups: [{a: b}]",
        "hgfs_remotes: []",
        "pillar_cache: true",
    ],
)
def test_other_options_are_the_trees_own(tmp_path: Path, text: str) -> None:
    found = find(tmp_path, text)
    assert not found
