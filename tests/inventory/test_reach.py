"""What a tree may read, and which of its wishes count."""

from dataclasses import replace
from pathlib import Path

import pytest

from pillarbook.inventory.declaration_errors import SettingsError
from pillarbook.inventory.permissions import decide, refuse_missing_files
from pillarbook.inventory.reach import OutsideReachError, Reach, Trust, find_reach, find_repository
from pillarbook.inventory.settings import load_settings
from pillarbook.session import open_session


@pytest.mark.parametrize("kind", ["folder", "file"])
def test_finds_the_nearest_repository(tmp_path: Path, kind: str) -> None:
    inner = tmp_path / "outer/inner/salt"
    inner.mkdir(parents=True)
    (tmp_path / "outer/.git").mkdir()
    git = tmp_path / "outer/inner/.git"
    if kind == "folder":
        git.mkdir()
    else:
        git.write_text("gitdir: elsewhere\n")
    assert find_repository(inner) == tmp_path / "outer/inner"
    assert find_reach(inner / "master").allowed == (tmp_path / "outer/inner",)


def test_takes_the_master_files_folder_without_a_repository(tmp_path: Path) -> None:
    allowed = (tmp_path / "more",)
    reach = find_reach(tmp_path / "salt/master", allow=allowed)
    assert reach.allowed == (tmp_path / "salt", tmp_path / "more")
    assert not reach.trusting
    assert find_reach(tmp_path / "master", trust=Trust(given=True)).trusting


class ExchangedReach(Reach):
    """A reach whose folder another process exchanges for a link, once a file in it was checked."""

    def allows(self, path: Path) -> bool:
        """Say whether a path may be read; then put a link to elsewhere in its folder's place."""
        is_allowed = super().allows(path)
        if path.parent.name == "sub":
            path.parent.rename(path.parent.with_name("before"))
            path.parent.symlink_to("../elsewhere")
        return is_allowed


def test_a_link_that_appears_after_the_check_is_not_followed(tmp_path: Path) -> None:
    for folder in ("reach/sub", "elsewhere"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "file").write_text(folder)
    file = tmp_path / "reach/sub/file"
    assert Reach((tmp_path / "reach",)).read(file, 5) == b"reach"
    with pytest.raises(OSError, match="Not a directory"):
        ExchangedReach((tmp_path / "reach",)).read(file)
    assert file.read_text() == "elsewhere"


@pytest.mark.parametrize(
    ("name", "is_allowed"),
    [
        ("file", True),
        ("not/there", True),
        (".", True),
        ("inner-link", True),
        ("link", False),
        ("link/below", False),
        ("../out", False),
        ("../reach-sibling", False),
        ("loop", False),
    ],
)
def test_follows_links_before_it_decides(tmp_path: Path, name: str, is_allowed: bool) -> None:
    folder = tmp_path / "reach"
    folder.mkdir()
    (folder / "file").touch()
    (folder / "link").symlink_to("../out")
    (folder / "inner-link").symlink_to("file")
    (folder / "loop").symlink_to("loop")
    reach = Reach((folder,))
    if is_allowed:
        assert reach.allows(reach.resolve(folder / name))
    else:
        with pytest.raises(OutsideReachError, match="leads out of the repository"):
            reach.resolve(folder / name)


def test_does_not_trust_links_where_it_trusts_names(tmp_path: Path) -> None:
    reach = Reach((tmp_path / "in",), trusting=True)
    assert reach.resolve_declared(tmp_path / "out") == tmp_path / "out"
    with pytest.raises(OutsideReachError):
        reach.resolve(tmp_path / "out")


def settings_file(folder: Path, extra: str = "", master: str = "salt/master") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "mkdocs.yml"
    file.write_text(
        f"plugins:\n- pillarbook:\n    master: {master}\n    inventory: minions.yml\n{extra}"
    )
    return file


@pytest.mark.parametrize(
    ("trust", "python", "decrypt", "told"),
    [
        (Trust(), False, False, ["python", "decrypt"]),
        (Trust(given=True), True, True, []),
        (Trust(python=True), True, False, ["decrypt"]),
        (Trust(reveal=True), False, True, ["python"]),
    ],
    ids=["nothing", "--trust", "--python", "--reveal"],
)
def test_counts_what_was_decided_from_outside(
    tmp_path: Path, trust: Trust, python: bool, decrypt: bool, told: list[str]
) -> None:
    file = settings_file(tmp_path, "    python: true\n    decrypt: true\n")
    permissions, found = decide(load_settings(file), trust)
    assert (permissions.python, permissions.decrypt) == (python, decrypt)
    assert [(one.code, one.path) for one in found] == [("needs-trust", (name,)) for name in told]
    lines = {"python": 5, "decrypt": 6}
    assert [one.position and one.position.line for one in found] == [lines[name] for name in told]


@pytest.mark.parametrize("trust", [Trust(), Trust(python=True), Trust(given=True)])
def test_runs_and_decrypts_nothing_that_nobody_asked_for(tmp_path: Path, trust: Trust) -> None:
    permissions, found = decide(load_settings(settings_file(tmp_path)), trust)
    assert (permissions.python, permissions.decrypt) == (trust.python, False)
    assert not found


def test_maps_paths_outside_the_repository_with_trust_only(tmp_path: Path) -> None:
    home = tmp_path / "repo"
    (home / ".git").mkdir(parents=True)
    extra = f"    paths: {{/srv/a: pillar, /srv/b: ../b, /srv/c: {tmp_path}/c, /srv/d: {home}/d}}\n"
    settings = load_settings(settings_file(home, extra))
    permissions, found = decide(settings, Trust())
    assert permissions.paths == {"/srv/a": home / "pillar", "/srv/d": home / "d"}
    assert [(one.code, one.path) for one in found] == [
        ("needs-trust", ("paths", "/srv/b")),
        ("needs-trust", ("paths", "/srv/c")),
    ]
    permissions, found = decide(settings, Trust(given=True))
    assert set(permissions.paths) == {"/srv/a", "/srv/b", "/srv/c", "/srv/d"}
    assert permissions.reach.allows(tmp_path / "c/x")
    assert not found
    permissions, found = decide(settings, Trust(), allow=(tmp_path / "c",))
    assert set(permissions.paths) == {"/srv/a", "/srv/c", "/srv/d"}


def test_keeps_a_repositorys_configuration_in_its_repository(tmp_path: Path) -> None:
    home = tmp_path / "repo"
    (home / ".git").mkdir(parents=True)
    settings = load_settings(settings_file(home, master="../other/master"))
    with pytest.raises(SettingsError, match=r"mkdocs.yml:3: 'master' leads out of the repository"):
        decide(settings, Trust())
    decide(settings, Trust(given=True))
    decide(settings, Trust(), allow=(tmp_path / "other",))


def test_lets_a_configuration_outside_of_repositories_name_any_master(tmp_path: Path) -> None:
    settings = load_settings(settings_file(tmp_path / "site", master="../tree/master"))
    permissions, _ = decide(settings, Trust())
    assert permissions.reach.allowed == (tmp_path / "tree",)


def test_a_missing_file_is_reported_with_the_key_that_names_it(tmp_path: Path) -> None:
    file = settings_file(tmp_path, master="salt")
    (tmp_path / "salt").mkdir()
    settings = load_settings(file)
    with pytest.raises(SettingsError) as caught:
        open_session(settings)
    assert str(caught.value).splitlines() == [
        f"{file}:3: 'master' names salt, which is not a file",
        f"{file}:4: 'inventory' names minions.yml, which does not exist",
    ]
    refuse_missing_files(replace(settings, positions={}))  # their readers name them
