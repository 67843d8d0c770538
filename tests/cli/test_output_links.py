"""Files of ``--output``, and what is read by its name, on the way through links and pipes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.support.fleets import write_files
from tests.support.forked.commands import forked

from pillarbook.bootstrap.new_files import CannotWriteError, NewFiles
from pillarbook.cli.output import open_output
from pillarbook.inventory.reach import LinkPolicy

FLEET = {
    "master": "pillar_roots: {base: [pillar], dev: [pillar]}\n",
    "minions.yml": "minions: {m: {}}\n",
    "pillar/top.sls": "base: {'*': [a]}\n",
    "pillar/a.sls": "a: 1\n",
    "dump.json": '{"m": {"a": 1}}',
    ".git/HEAD": "ref: refs/heads/main\n",
    ".git/objects/x": "",
}
DECLARED = ("--master", "master", "--inventory", "minions.yml")
WRITERS = {
    "compile": ("compile", *DECLARED),
    "result": ("compile", "--format", "result", *DECLARED),
    "check": ("check", *DECLARED),
    "sarif": ("check", "--format", "sarif", *DECLARED),
    "diff": ("diff", "--environments", "base", "dev", *DECLARED),
    "diff of results": ("diff", "one.json", "one.json", "--format", "markdown"),
    "verify": ("verify", "dump.json", *DECLARED),
    "export": ("export", *DECLARED),
    "export csv": ("export", "--format", "csv", *DECLARED),
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return write_files(tmp_path / "tree", FLEET)


def run(tree: Path, *words: str) -> tuple[int, str]:
    ended = subprocess.run(
        [forked(), *words], cwd=tree, capture_output=True, text=True, check=False, timeout=120
    )
    assert "Traceback" not in ended.stderr
    return ended.returncode, ended.stderr


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", WRITERS)
def test_no_command_writes_through_a_link_that_leads_out(tree: Path, name: str) -> None:
    words = WRITERS[name]
    assert run(tree, *WRITERS["result"], "--output", "one.json")[0] == 0
    (tree / "out").symlink_to("../home/config")
    code, said = run(tree, *words, "--output", "out")
    assert code == 1
    lines = [line for line in said.splitlines() if "is a link" in line]
    assert len(lines) == 1
    assert f"{tree}/out is a link that leads out of the repository, to {tree.parent}" in lines[0]
    assert not [*(tree.parent / "home").iterdir()]
    assert run(tree, *words, "--output", "out", "--allow", "../home")[0] in (0, 2)
    (tree.parent / "home/config").unlink()
    assert run(tree, *words, "--output", "out", "--trust")[0] in (0, 2)
    assert (tree / "out").is_symlink()
    assert (tree.parent / "home/config").is_file()


def test_what_the_user_names_outside_is_written(tree: Path) -> None:
    by_link = tree.parent / "by-link"
    by_link.symlink_to(tree)
    out = tree.parent / "home/out.json"
    assert run(by_link, *WRITERS["compile"], "--output", str(out)) == (0, "")
    assert run(by_link, *WRITERS["compile"], "--output", str(by_link / "in.json")) == (0, "")
    assert out.read_text() == (tree / "in.json").read_text()


def test_a_hard_link_is_replaced_and_not_written_through(tree: Path) -> None:
    precious = tree.parent / "home/precious"
    precious.write_text("mine")
    (tree / "out").hardlink_to(precious)
    assert run(tree, *WRITERS["check"], "--output", "out")[0] == 0
    assert precious.read_text() == "mine"
    assert (tree / "out").read_text() == "nothing found\n"


def test_a_folder_that_becomes_a_link_after_the_test_is_not_followed(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = tree.parent / "home"
    (tree / "reports").mkdir()
    plain = LinkPolicy.resolve

    def resolve(self: LinkPolicy, path: Path) -> Path:
        real = plain(self, path)
        (tree / "reports").rmdir()
        (tree / "reports").symlink_to(outside)
        return real

    monkeypatch.setattr(LinkPolicy, "resolve", resolve)
    with (
        pytest.raises(Exception, match=r"cannot write .*: Not a directory"),
        open_output(tree / "reports/out", None, LinkPolicy()) as out,
    ):
        out.write("x")
    assert not [*outside.iterdir()]


def test_a_folder_that_becomes_a_link_while_it_is_written_is_not_followed(tree: Path) -> None:
    outside = tree.parent / "home"
    (tree / "reports").mkdir()
    with open_output(tree / "reports/out", None, LinkPolicy()) as out:
        (tree / "reports").rename(tree / "moved")
        (tree / "reports").symlink_to(outside)
        out.write("x")
    assert not [*outside.iterdir()]
    assert [path.name for path in (tree / "moved").iterdir()] == ["out"]


def test_init_does_not_follow_a_folder_that_becomes_a_link(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = tree.parent / "home"
    plain = os.open

    def exchange(path: str, *arguments: int, **options: int) -> int:
        if path == "pages" and not (tree / "pages").is_symlink():
            (tree / "pages").symlink_to(outside)
        return plain(path, *arguments, **options)

    monkeypatch.setattr(os, "open", exchange)
    with pytest.raises(CannotWriteError, match=r"pages/index\.md cannot be written"):
        NewFiles(tree).write("pages/index.md", "x")
    assert not [*outside.iterdir()]


DECLARATIONS = (
    "master",
    "minions.yml",
    "grains.json",
    "more.conf",
    "master.d/a.conf",
    "mkdocs.yml",
)


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", DECLARATIONS)
def test_a_pipe_in_place_of_a_declaration_hangs_nothing(tree: Path, name: str) -> None:
    site = "plugins: [pillarbook: {master: master, inventory: minions.yml}]\n"
    more = {
        "master": "pillar_roots: {base: [pillar]}\ninclude: more.conf\n",
        "minions.yml": "minions: {m: {grains: grains.json}}\n",
        "mkdocs.yml": f"site_name: x\ndocs_dir: pages\n{site}",
        "pages/index.md": "# Front\n",
        "master.d/b.conf": "a: b\n",
    }
    write_files(tree, more)
    (tree / name).unlink(missing_ok=True)
    os.mkfifo(tree / name)
    for command in ("check", "build"):
        code, said = run(tree, command)
        assert code == 1
        assert name in said
        assert "it is no regular file" in said or "which is not a file" in said


@pytest.mark.parametrize("name", ["mkdocs.yml", "minions.yml"])
def test_a_declaration_that_is_a_link_out_is_not_read(tree: Path, name: str) -> None:
    outside = {"mkdocs.yml": "canary: [", "minions.yml": "minions: {canary: {}}\n"}
    write_files(tree.parent / "home", outside)
    (tree / name).unlink(missing_ok=True)
    (tree / name).symlink_to(f"../home/{name}")
    words = DECLARED if name == "minions.yml" else ()
    for command in ("check", *(() if words else ("build",))):
        code, said = run(tree, command, *words)
        assert code == 1
        assert f"{tree}/{name} is a link that leads out of the repository" in said
        assert "canary" not in said


READERS = {
    "dump": ("verify", "dump.json", *DECLARED),
    "saved results": ("diff", "one.json", "dump.json"),
    "source": ("inventory", "import", "dump.json", "--output", "new.yml"),
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", READERS)
def test_a_file_that_a_command_names_is_not_read_through_a_link_out(tree: Path, name: str) -> None:
    assert run(tree, *WRITERS["result"], "--output", "one.json")[0] == 0
    write_files(tree.parent / "home", {"dump.json": '{"canary": {"os": "canary"}}'})
    (tree / "dump.json").unlink()
    (tree / "dump.json").symlink_to("../home/dump.json")
    code, said = run(tree, *READERS[name])
    assert code == 1
    assert f"{tree}/dump.json is a link that leads out of the repository" in said
    assert "canary" not in said
    assert not (tree / "new.yml").exists()


@pytest.mark.slow
def test_a_shell_may_give_an_inventory(tree: Path) -> None:
    reading, writing = os.pipe()
    os.write(writing, b"minions: {m: {}}\n")
    os.close(writing)
    words = ("check", "--master", "master", "--inventory", f"/dev/fd/{reading}")
    command = [sys.executable, "-m", "pillarbook", *words]
    ended = subprocess.run(command, cwd=tree, pass_fds=[reading], check=False, timeout=120)
    os.close(reading)
    assert ended.returncode == 0
