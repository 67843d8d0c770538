"""What the environments of a fleet are, and what a minion gets in each."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.support.fleets import write_fleet

from pillarbook.book import FleetBook, RunOptions, open_book
from pillarbook.inventory.faults import SettingsError
from pillarbook.inventory.settings import Environment, Settings

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
    **options: Any,
) -> FleetBook:
    write_fleet(folder, FILES, minions, {"pillar_roots": roots, **options})
    settings = Settings(
        master=folder / "master",
        inventory=(folder / "minions.yml",),
        folder=folder,
        environments=environments,
    )
    return open_book(settings, RunOptions())


def where(book: FleetBook, environment: str) -> Any:
    return book.pillar_in(environment, "web1").data.get("where")


def test_all_of_pillar_roots_are_compared_by_default(tmp_path: Path) -> None:
    with open_tree(tmp_path) as book:
        assert [(one.name, one.is_pillarenv, one.has_top) for one in book.environments] == [
            ("base", True, True),
            ("staging", True, True),
            ("bare", True, False),
        ]
        assert [where(book, name) for name in ("base", "staging", "bare")] == [
            "base",
            "staging",
            None,
        ]
        assert book.pillar_in("bare", "web1").outcome == "empty"


def test_declared_ones_keep_their_order(tmp_path: Path) -> None:
    with open_tree(tmp_path, Environment(name="staging"), Environment(name="base")) as book:
        assert [one.name for one in book.environments] == ["staging", "base"]


def test_one_alone_is_not_compared(tmp_path: Path) -> None:
    with open_tree(tmp_path, roots={"base": ["pillar"]}) as book:
        assert book.environments == ()


def test_a_named_set_of_options_is_a_side(tmp_path: Path) -> None:
    options = {"pillar_roots": {"base": ["pillar/bare", "pillar"]}}
    with open_tree(
        tmp_path,
        Environment(name="base"),
        Environment(name="next", options=options),
        minions={"web1": {"pillarenv": "base"}},
    ) as book:
        assert [(one.name, one.is_pillarenv, one.has_top) for one in book.environments] == [
            ("base", True, True),
            ("next", False, True),
        ]
        assert where(book, "next") == "bare"
        assert book.pillar("web1").data["where"] == "base"


def test_a_named_set_of_options_is_checked_at_once(tmp_path: Path) -> None:
    options = {"pillar_roots": "pillar"}
    with pytest.raises(SettingsError, match="pillar_roots"):
        open_tree(tmp_path, Environment(name="base"), Environment(name="next", options=options))


def test_roots_by_the_name_of_the_environment_have_top_files(tmp_path: Path) -> None:
    roots = {"base": ["pillar"], "__env__": ["pillar/__env__"]}
    asked = (Environment(name="base"), Environment(name="staging"), Environment(name="bare"))
    with open_tree(tmp_path, *asked, roots=roots) as book:
        assert [one.has_top for one in book.environments] == [True, True, False]
        assert where(book, "staging") == "staging"


@pytest.mark.parametrize(("follows", "saltenv"), [(False, None), (True, "staging")])
def test_saltenv_follows_only_where_the_option_says_so(
    tmp_path: Path, *, follows: bool, saltenv: str | None
) -> None:
    with open_tree(tmp_path, pillarenv_from_saltenv=follows) as book:
        assert book.pillar_in("staging", "web1").saltenv == saltenv


def test_a_minion_pinned_to_it_is_not_compiled_again(tmp_path: Path) -> None:
    with open_tree(tmp_path, minions={"web1": {"pillarenv": "staging"}}) as book:
        declared = book.pillar("web1")
        assert book.pillar_in("staging", "web1") is declared
        assert book.pillar_in("base", "web1") is not declared


def test_what_goes_wrong_there_is_not_noted_here(tmp_path: Path) -> None:
    with open_tree(tmp_path, minions={"web1": {"pillarenv": "base"}}) as book:
        (tmp_path / "pillar/staging/where.sls").write_text("a: {{ grains.none }}\n")
        book.pillar("web1")
        assert book.pillar_in("staging", "web1").outcome == "partial"
        assert not book.diagnostics_of("web1")
        assert not [one for one in book.diagnostics if one.code == "missing-grain"]
