"""Which links are followed on the way to what the user names."""

from pathlib import Path

import pytest

from pillarbook.inventory.reach import LinkLeadsOutError, LinkPolicy


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A repository, with folders beside it."""
    (tmp_path / "home/config").mkdir(parents=True)
    (tmp_path / "tree/.git/hooks").mkdir(parents=True)
    (tmp_path / "tree/inner").mkdir()
    return tmp_path / "tree"


LINKS = {
    "to a folder": ("out", "../home", "out/x"),
    "to a file that is not there": ("out", "../home/x", "out"),
    "by a full path": ("out", "/nowhere/x", "out"),
    "in a folder": ("inner/out", "../../home", "inner/out/config/x"),
    "by another link": ("out", "inner/second", "out/x"),
    "into .git": ("out", ".git/hooks/post-commit", "out"),
}


@pytest.mark.parametrize(("link", "leads", "path"), LINKS.values(), ids=LINKS)
def test_a_link_of_the_tree_does_not_lead_out(tree: Path, link: str, leads: str, path: str) -> None:
    (tree / "inner/second").symlink_to("../../home")
    (tree / link).symlink_to(leads)
    with pytest.raises(LinkLeadsOutError) as caught:
        LinkPolicy().resolve(tree / path)
    said = str(caught.value)
    real = (tree / path).resolve()
    assert f"/tree/{link} is a link" in said
    assert f"to {real}, and is not followed" in said
    assert LinkPolicy(trusted=True).resolve(tree / path) == real
    assert LinkPolicy(allow=(real.parent,)).resolve(tree / path) == real
    with pytest.raises(LinkLeadsOutError):
        LinkPolicy(allow=(tree / "elsewhere",)).resolve(tree / path)


def test_the_remedy_names_what_is_needed(tree: Path) -> None:
    (tree / "out").symlink_to("../home")
    with pytest.raises(LinkLeadsOutError) as caught:
        LinkPolicy().resolve(tree / "out")
    allowed = str(caught.value).partition("--allow ")[2].partition(" ")[0]
    assert LinkPolicy(allow=(Path(allowed),)).resolve(tree / "out") == tree.parent / "home"


def test_links_that_stay_inside_are_followed(tree: Path) -> None:
    (tree / "in").symlink_to("inner/new.json")
    assert LinkPolicy().resolve(tree / "in") == tree / "inner/new.json"


def test_a_way_out_without_a_link_is_the_users(tree: Path) -> None:
    out = tree / "inner/../../home/out.json"
    assert LinkPolicy().resolve(out) == tree.parent / "home/out.json"


def test_links_around_a_repository_are_followed(tree: Path) -> None:
    link = tree.parent / "by-link"
    link.symlink_to(tree)
    assert LinkPolicy().resolve(link / "out.json") == tree / "out.json"
    (tree / "out").symlink_to("../home")
    with pytest.raises(LinkLeadsOutError):
        LinkPolicy().resolve(link / "out")


def test_a_tree_without_a_repository_is_its_folder(tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree/out").symlink_to("..")
    assert LinkPolicy().resolve(tmp_path / "tree/out/x") == tmp_path / "x"
    with pytest.raises(LinkLeadsOutError):
        LinkPolicy(homes=(tmp_path / "tree",)).resolve(tmp_path / "tree/out/x")
