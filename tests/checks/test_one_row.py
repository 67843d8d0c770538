"""A mistake gives one row: what only follows from it is below it, or left out."""

from pathlib import Path

import pytest
from tests.support.findings import find_all
from tests.support.fleets import write_files

MISSPELT = "Salt has no master option 'pillar_root', and ignores it"
GPG_FIRST = "write `#!jinja|yaml|gpg`, so that gpg decrypts the values at the end"
TREE = {
    "master": "pillar_roots: {base: [pillar]}\n",
    "minions.yml": "minions: {web1: {}}\n",
    "pillar/top.sls": "base: {'*': [site]}\n",
    "pillar/site.sls": "name: shop\n",
}
ROWS: dict[str, tuple[dict[str, str], tuple[str, str | None]]] = {
    "no pillar_roots": (
        {"master": "pillar_root: {base: [pillar]}\n"},
        (MISSPELT, "write `pillar_roots`"),
    ),
    "a nodegroup without words": (
        {
            "master": f"{TREE['master']}nodegroups: {{webs: {{a: b}}}}\n",
            "pillar/top.sls": "base: {'*': [site], webs: [{match: nodegroup}, site]}\n",
        },
        (
            "the nodegroup 'webs' is a mapping, so it has no minions",
            "write a target, such as `L@web1,web2`, or a list of words",
        ),
    ),
    "gpg before jinja": (
        {"pillar/site.sls": "#!gpg|jinja|yaml\nname: shop\n"},
        (
            (
                "SLS 'site' does not render: [Errno 2] No such file or directory: text that gpg gave is"
                " taken for a file name"
            ),
            GPG_FIRST,
        ),
    ),
    "an external pillar without settings": (
        {"master": f"{TREE['master']}ext_pillar: [git]\n"},
        ("an entry of `ext_pillar` is not a mapping", "write `- NAME: SETTINGS`"),
    ),
}


@pytest.mark.parametrize(("files", "row"), ROWS.values(), ids=ROWS)
def test_one_row_says_what_to_write(
    files: dict[str, str], row: tuple[str, str | None], tmp_path: Path
) -> None:
    write_files(tmp_path, TREE | files)
    found = [one for one in find_all(tmp_path) if one.caused_by is None]
    assert [(one.message, one.help) for one in found] == [row]
