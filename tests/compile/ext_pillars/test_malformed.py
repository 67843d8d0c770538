"""``ext_pillar`` that is not a list: Salt runs none, and the remedy says what to write."""

from pathlib import Path

from tests.support.fleets import open_fleet, write_fleet


def test_external_pillars_without_a_dash(tmp_path: Path) -> None:
    options = {"ext_pillar": {"cmd_yaml": "x"}}
    write_fleet(tmp_path, {"top.sls": "base: {}\n"}, {"a": {}}, options)
    with open_fleet(tmp_path) as fleet:
        (found,) = fleet.compile("a").diagnostics
    assert (found.code, found.message, found.help) == (
        "malformed-option",
        "the option `ext_pillar` is not a list, so Salt runs no external pillar",
        "write a dash before each external pillar: `- NAME: SETTINGS`",
    )
