"""How secrets come to minions, against what is left without a target, and with other grains."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.access.fleets import SecretFleet, draw_fleet
from tests.support.fleets import write_fleet

from pillarbook.inventory.settings import Settings
from pillarbook.model import KeyPath, Position
from pillarbook.redact import Redacted
from pillarbook.redact.shown_access import AccessPath, GrainReads
from pillarbook.session import RunOptions, Session, open_session

OPTIONS = RunOptions(environments=False)
Ways = dict[KeyPath, tuple[AccessPath, ...]]


def ways_of(session: Session, minion: str) -> Ways:
    leaves = session.report.pillar(minion).leaves
    return {
        leaf.path: session.report.ways(minion, leaf.origins[-1])
        for leaf in leaves
        if isinstance(leaf.value, Redacted)
    }


def find_all(fleet: SecretFleet, folder: Path) -> dict[str, Ways]:
    with open_session(fleet.write(folder), OPTIONS) as session:
        return {minion: ways_of(session, minion) for minion in session.fleet.minions}


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(5))
def test_a_secret_is_gone_with_its_last_target_and_not_before(seed: int, tmp_path: Path) -> None:
    fleet = draw_fleet(seed)
    found = find_all(fleet, tmp_path / "all")
    for number, target in enumerate(fleet.top):
        alone = replace(fleet, top={target: fleet.top[target]})
        others = {name: sls for name, sls in fleet.top.items() if name != target}
        left = find_all(alone, tmp_path / f"{number}")
        without = find_all(replace(fleet, top=others), tmp_path / f"{number}-others")
        for minion, secrets in found.items():
            for path, ways in secrets.items():
                named = {way.name for way in ways if way.kind == "target"}
                declared = any(way.kind == "inventory" for way in ways)
                assert (path in left[minion]) >= (target in named)
                assert path in without[minion] or named <= {target} or declared


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(5))
def test_who_takes_on_grains_gets_what_they_open(seed: int, tmp_path: Path) -> None:
    """Each minion says in turn that it is what another one is."""
    fleet = draw_fleet(seed)
    before = find_all(fleet, tmp_path / "all")
    for number, victim in enumerate(fleet.minions):
        grains = fleet.minions[victim]["grains"]
        minions = {name: {**entry, "grains": grains} for name, entry in fleet.minions.items()}
        after = find_all(replace(fleet, minions=minions), tmp_path / str(number))
        for minion in fleet.minions:
            for path in after[minion].keys() - before[minion].keys():
                ways = after[minion][path]
                assert any(way.forged for way in ways), (minion, path)
            for path, ways in before[victim].items():
                # By `or`, the victim may have it for its id.
                told = [way for way in ways if " or " not in way.name and way.forged]
                if any(way.forged and not way.forged.only for way in told):
                    assert path in after[minion], (minion, path)


def open_tree(
    folder: Path, files: dict[str, str], minions: dict[str, Any], **master: Any
) -> Session:
    write_fleet(folder, files, minions, master)
    settings = Settings(
        master=folder / "master", inventory=(folder / "minions.yml",), folder=folder
    )
    return open_session(settings, OPTIONS)


TOP = Position("pillar/top.sls", 2)


def test_includes_are_on_the_way(tmp_path: Path) -> None:
    files = {
        "top.sls": "base:\n  'web*':\n    - web.*\n",
        "web/init.sls": "include:\n  - .deep\n",
        "web/deep.sls": "include: [keys]\n",
        "keys.sls": "db: {password: earl-grey-42}\n",
    }
    with open_tree(tmp_path, files, {"web1": {}}) as session:
        (ways,) = ways_of(session, "web1").values()
    sls = ("web.deep", "keys")
    assert ways == (AccessPath("target", "web*", "compound", "base", TOP, sls),)


def test_what_no_target_gives(tmp_path: Path) -> None:
    (tmp_path / "stack").mkdir()
    (tmp_path / "stack.cfg").write_text("stack/*.yml\n")
    (tmp_path / "stack/all.yml").write_text("stack: {password: earl-grey-42}\n")
    files = {
        "top.sls": "base: {'*': [a]}\n",
        "a.sls": "a: 1\n{% do pillar.update({'put': {'password': 'darjeeling-43'}}) %}\n",
    }
    minions = {"web1": {"pillar": {"own": {"token": "assam-44"}}}}
    ext = [{"stack": "stack.cfg"}]
    with open_tree(tmp_path, files, minions, ext_pillar=ext, pillar_opts=True) as session:
        ways = ways_of(session, "web1")
    assert ways["stack", "password"] == (AccessPath("external pillar", "stack"),)
    assert ways["own", "token"] == (AccessPath("inventory", ""),)
    assert ways["put", "password"] == (AccessPath("template", ""),)


READS: dict[str, tuple[str, str, tuple[GrainReads, ...]]] = {
    "nothing": ("'*': [a]", "password: earl-grey-42", ()),
    "the id": ("'*': [a]", "{% if grains.id %}\npassword: earl-grey-42\n{% endif %}", ()),
    "beside the value": ("'*': [a]", "os: {{ grains.os }}\npassword: earl-grey-42", ()),
    "a condition": (
        "'*': [a]",
        "{% if grains.os == 'x' or grains.role %}\npassword: earl-grey-42\n{% endif %}",
        (GrainReads("pillar/a.sls", ("os", "role")),),
    ),
    "the value": (
        "'*': [a]",
        "password: earl-grey-{{ salt['grains.get']('os') }}",
        (GrainReads("pillar/a.sls", ("os",)),),
    ),
    "by options": (
        "'*': [a]",
        "password: earl-grey-{{ opts.grains.os }}",
        (GrainReads("pillar/a.sls", ("os",)),),
    ),
    "all of them": (
        "'*': [a]",
        "password: earl-grey-{{ grains | length }}",
        (GrainReads("pillar/a.sls", ("*",)),),
    ),
    "the SLS in the top file": (
        "'*': ['{{ grains.role }}']",
        "password: earl-grey-42",
        (GrainReads("pillar/top.sls", ("role",)),),
    ),
    "elsewhere in the top file": (
        "'*': [a]\n  '{{ grains.role }}': [b]",
        "password: earl-grey-42",
        (),
    ),
    "what is not recorded": (
        "'*': [a]",
        "{% do grains.update({'x': 1}) %}\npassword: earl-grey-{{ grains.os }}",
        (GrainReads("pillar/a.sls", ()),),
    ),
}


@pytest.mark.parametrize(("top", "sls", "reads"), READS.values(), ids=READS)
def test_files_that_ask_for_grains(
    top: str, sls: str, reads: tuple[GrainReads, ...], tmp_path: Path
) -> None:
    files = {"top.sls": f"base:\n  {top}\n", "a.sls": f"{sls}\n", "b.sls": "b: 1\n"}
    with open_tree(tmp_path, files, {"web1": {"grains": {"os": "Debian", "role": "a"}}}) as session:
        (ways,) = ways_of(session, "web1").values()
    assert [way.reads for way in ways] == [reads]


def test_minions_share_their_ways(tmp_path: Path) -> None:
    files = {"top.sls": "base: {'*': [a]}\n", "a.sls": "password: earl-grey-42\n"}
    with open_tree(tmp_path, files, {"web1": {}, "web2": {}}) as session:
        (first,), (second,) = (
            ways_of(session, minion).values() for minion in session.fleet.minions
        )
    assert first is second
