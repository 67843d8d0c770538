"""What the environments of a fleet are, and what a minion gets in each."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.support.fleets import write_fleet

from pillarbook.inventory.declaration_errors import SettingsError
from pillarbook.inventory.settings import Environment, Settings
from pillarbook.session import RunOptions, Session, open_session

FILES = {
    "top.sls": "base: {'*': [where]}\n",
    "where.sls": "where: base\npinned: {{ opts.pillarenv }}\nstates: {{ saltenv }}/{{ opts.saltenv }}\n",
    "staging/top.sls": "staging: {'*': [where]}\n",
    "staging/where.sls": "where: staging\nstates: {{ opts.saltenv }}\n",
    "bare/where.sls": "where: bare\n",
}
ROOTS = {"base": ["pillar"], "staging": ["pillar/staging"], "bare": ["pillar/bare"]}
MINIONS: dict[str, Any] = {"web1": {"grains": {"os": "Debian"}}}


def open_tree(
    folder: Path,
    *environments: Environment,
    roots: Mapping[str, Any] = ROOTS,
    minions: Mapping[str, Any] = MINIONS,
    run: RunOptions | None = None,
    **options: Any,
) -> Session:
    write_fleet(folder, FILES, minions, {"pillar_roots": roots, **options})
    settings = Settings(
        master=folder / "master",
        inventory=(folder / "minions.yml",),
        folder=folder,
        environments=environments,
    )
    return open_session(settings, run or RunOptions())


def where(session: Session, environment: str) -> Any:
    return session.report.pillar_in(environment, "web1").data.get("where")


def test_all_of_pillar_roots_are_compared_by_default(tmp_path: Path) -> None:
    with open_tree(tmp_path) as session:
        assert [
            (one.name, one.is_pillarenv, one.has_top) for one in session.fleet.environments
        ] == [
            ("base", True, True),
            ("staging", True, True),
            ("bare", True, False),
        ]
        assert [where(session, name) for name in ("base", "staging", "bare")] == [
            "base",
            "staging",
            None,
        ]
        assert session.report.pillar_in("bare", "web1").outcome == "empty"


def test_declared_ones_keep_their_order(tmp_path: Path) -> None:
    with open_tree(tmp_path, Environment(name="staging"), Environment(name="base")) as session:
        assert [one.name for one in session.fleet.environments] == ["staging", "base"]


def test_one_alone_is_not_compared(tmp_path: Path) -> None:
    with open_tree(tmp_path, roots={"base": ["pillar"]}) as session:
        assert session.fleet.environments == ()


def test_a_named_set_of_options_is_a_side(tmp_path: Path) -> None:
    options = {"pillar_roots": {"base": ["pillar/bare", "pillar"]}}
    with open_tree(
        tmp_path,
        Environment(name="base"),
        Environment(name="next", options=options),
        minions={"web1": {"pillarenv": "base"}},
    ) as session:
        assert [
            (one.name, one.is_pillarenv, one.has_top) for one in session.fleet.environments
        ] == [
            ("base", True, True),
            ("next", False, True),
        ]
        assert where(session, "next") == "bare"
        assert session.report.pillar("web1").data["where"] == "base"


def test_a_named_set_of_options_is_checked_at_once(tmp_path: Path) -> None:
    options = {"pillar_roots": "pillar"}
    with pytest.raises(SettingsError, match="pillar_roots"):
        open_tree(tmp_path, Environment(name="base"), Environment(name="next", options=options))


WRONG = {
    "a name with a slip": (
        Environment(name="stagin"),
        "'stagin' of 'environments' is not in pillar_roots (did you mean 'staging'?)",
    ),
    "a name of nothing": (Environment(name="zz"), "(known here: bare, base, staging)"),
    "an option with a slip": (
        Environment(name="x", options={"pillar_root": {}}),
        "sets 'pillar_root', which is not a master option (did you mean 'pillar_roots'?)",
    ),
    "an option of nobody": (
        Environment(name="x", options={"bogus_opt": 5}),
        "the environment 'x' sets 'bogus_opt', which is not a master option",
    ),
    "roots that are none": (
        Environment(name="x", options={"pillar_roots": 5}),
        "'pillar_roots' is a number",
    ),
}


@pytest.mark.parametrize("compares", [True, False], ids=["build", "check"])
@pytest.mark.parametrize(("environment", "words"), WRONG.values(), ids=WRONG)
def test_an_environment_that_cannot_be_stops_every_command(
    tmp_path: Path, environment: Environment, words: str, *, compares: bool
) -> None:
    with pytest.raises(SettingsError) as caught:
        open_tree(
            tmp_path,
            Environment(name="base"),
            environment,
            run=RunOptions(environments=compares),
        )
    assert words in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_an_option_that_the_master_file_sets_is_known(tmp_path: Path) -> None:
    own = Environment(name="x", options={"company": "b"})
    with open_tree(tmp_path, Environment(name="base"), own, company="a") as session:
        assert [one.name for one in session.fleet.environments] == ["base", "x"]


def test_a_name_that_only_a_minions_own_roots_have_is_known(tmp_path: Path) -> None:
    minions = {"web1": {"opts": {"pillar_roots": {"own": ["pillar"]}}}}
    asked = (Environment(name="base"), Environment(name="own"))
    with open_tree(tmp_path, *asked, minions=minions) as session:
        assert len(session.fleet.environments) == 2


def test_a_named_set_whose_roots_lead_outside_is_told_of(tmp_path: Path) -> None:
    options = {"pillar_roots": {"base": ["/srv/elsewhere"]}}
    with open_tree(
        tmp_path, Environment(name="base"), Environment(name="x", options=options)
    ) as session:
        found = [one for one in session.shown.diagnostics if one.code == "outside-reach"]
    assert ["/srv/elsewhere" in one.message for one in found] == [True]


def test_roots_by_the_name_of_the_environment_have_top_files(tmp_path: Path) -> None:
    roots = {"base": ["pillar"], "__env__": ["pillar/__env__"]}
    asked = (Environment(name="base"), Environment(name="staging"), Environment(name="bare"))
    with open_tree(tmp_path, *asked, roots=roots) as session:
        assert [one.has_top for one in session.fleet.environments] == [True, True, False]
        assert where(session, "staging") == "staging"


@pytest.mark.parametrize(("follows", "saltenv"), [(False, None), (True, "staging")])
def test_saltenv_follows_only_where_the_option_says_so(
    tmp_path: Path, *, follows: bool, saltenv: str | None
) -> None:
    with open_tree(tmp_path, pillarenv_from_saltenv=follows) as session:
        assert session.report.pillar_in("staging", "web1").saltenv == saltenv


def test_a_minion_pinned_to_it_is_not_compiled_again(tmp_path: Path) -> None:
    with open_tree(tmp_path, minions={"web1": {"pillarenv": "staging"}}) as session:
        declared = session.report.pillar("web1")
        assert session.report.pillar_in("staging", "web1") is declared
        assert session.report.pillar_in("base", "web1") is not declared


def test_what_goes_wrong_there_is_not_noted_here(tmp_path: Path) -> None:
    with open_tree(tmp_path, minions={"web1": {"pillarenv": "base"}}) as session:
        (tmp_path / "pillar/staging/where.sls").write_text("a: {{ grains.none }}\n")
        session.report.pillar("web1")
        forced = session.report.pillar_in("staging", "web1")
        assert forced.outcome == "partial"
        assert forced.faults[0].startswith("pillar/staging/where.sls:1: SLS 'where' reads the")
        assert not session.shown.diagnostics_of("web1")
        assert not [one for one in session.shown.diagnostics if one.code == "missing-grain"]
