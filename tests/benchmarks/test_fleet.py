import json
from pathlib import Path

import pytest
import yaml
from benchmarks import fleet
from tests.support.leaky import files_of


def test_the_same_arguments_give_the_same_bytes(tmp_path: Path) -> None:
    fleet.write_fleet(tmp_path / "one", minions=50)
    fleet.write_fleet(tmp_path / "two", minions=50)
    assert files_of(tmp_path / "one") == files_of(tmp_path / "two")


def test_another_seed_gives_another_fleet_of_the_same_shape(tmp_path: Path) -> None:
    fleet.write_fleet(tmp_path / "one", minions=50)
    fleet.write_fleet(tmp_path / "two", minions=50, seed=2)
    one, two = files_of(tmp_path / "one"), files_of(tmp_path / "two")
    assert list(one) == list(two)
    assert one["minions.yml"] != two["minions.yml"]
    assert one["pillar/base/roles/web/init.sls"] != two["pillar/base/roles/web/init.sls"]


def test_the_tree_has_its_shape_whatever_the_number_of_minions(tmp_path: Path) -> None:
    fleet.write_fleet(tmp_path, minions=1)
    pillar = tmp_path / "pillar"
    names = [path.name for path in pillar.rglob("*.sls")]
    assert len([name for name in names if name != "top.sls"]) == 110
    assert sorted(path.name for path in pillar.iterdir()) == sorted(fleet.ENVIRONMENTS)
    assert {path.parent.name for path in pillar.glob("*/top.sls")} == set(fleet.ENVIRONMENTS)
    assert {path.stem for path in (pillar / "base/sites").iterdir()} == set(fleet.SITES)
    assert {path.name for path in (pillar / "base/roles").iterdir()} == set(fleet.ROLES)
    assert (len(fleet.ROLES), len(fleet.SITES), len(fleet.ENVIRONMENTS)) == (40, 6, 3)


def test_placeholders_are_all_filled_in() -> None:
    assert [name for name, text in fleet.tree_files(1).items() if "$" in text] == []


def test_a_fleet_has_minions_of_every_role_site_and_environment() -> None:
    grains = [entry["grains"] for _, entry in fleet.declare_minions(2000, seed=1)]
    assert {role for each in grains for role in each["roles"]} == set(fleet.ROLES)
    assert {each["site"] for each in grains} == set(fleet.SITES)
    assert {each["env"] for each in grains} == set(fleet.ENVIRONMENTS)
    assert {each.get("cluster") for each in grains} == {None, *fleet.CLUSTERS}


def test_minions_are_told_apart_by_id_and_address() -> None:
    minions = dict(fleet.declare_minions(10_000, seed=1))
    assert len(minions) == 10_000
    assert len({entry["grains"]["ipv4"][-1] for entry in minions.values()}) == 10_000


def test_a_minion_has_about_25_grains_some_of_them_nested() -> None:
    ((_, entry),) = fleet.declare_minions(1, seed=1)
    grains = entry["grains"]
    assert 23 <= len(grains) <= 27
    assert {type(value) for value in grains.values()} == {str, int, list, dict}


@pytest.mark.sample(1)
@pytest.mark.parametrize("inventory_format", ["yaml", "json"])
def test_the_inventory_says_what_was_declared(
    tmp_path: Path, inventory_format: fleet.InventoryFormat
) -> None:
    fleet.write_fleet(tmp_path, minions=200, inventory_format=inventory_format)
    declared = {"minions": dict(fleet.declare_minions(200, seed=1))}
    if inventory_format == "json":
        read = json.loads((tmp_path / "minions.json").read_text())
    else:
        read = yaml.safe_load((tmp_path / "minions.yml").read_text())
    assert read == declared
    assert list(read["minions"]) == list(declared["minions"])


@pytest.mark.parametrize("inventory_format", ["yaml", "json"])
def test_a_sample_is_the_same_tree_with_the_first_minions(
    tmp_path: Path, inventory_format: fleet.InventoryFormat
) -> None:
    whole, sample = tmp_path / "whole", tmp_path / "sample"
    fleet.write_fleet(whole, minions=40, inventory_format=inventory_format, seed=3)
    fleet.write_sample(whole, sample, 5)
    assert files_of(sample / "pillar") == files_of(whole / "pillar")
    assert (sample / "master").read_bytes() == (whole / "master").read_bytes()
    read = yaml.safe_load((sample / "minions.yml").read_text())["minions"]
    assert read == dict(fleet.declare_minions(5, seed=3))


def test_a_sample_is_never_larger_than_its_fleet(tmp_path: Path) -> None:
    fleet.write_fleet(tmp_path / "whole", minions=3)
    fleet.write_sample(tmp_path / "whole", tmp_path / "sample", 30)
    assert len(yaml.safe_load((tmp_path / "sample/minions.yml").read_text())["minions"]) == 3
