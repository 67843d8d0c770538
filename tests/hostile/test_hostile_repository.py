"""A repository that tries every way out at once: nothing outside is read or written, nothing runs."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.hostile.tree import CANARY, Place
from tests.hostile.watched import Watched, is_own, run_watched
from tests.support.fleets import write_files

SECTION = "plugins:\n  - pillarbook: {master: master, inventory: minions.yml"
HARMLESS = f"site_name: x\ntheme: {{name: pillarbook}}\n{SECTION}, python: true, decrypt: true}}\n"
TREE = {
    "master": "pillar_roots: {base: [pillar, linked, .git]}\nfile_roots: {base: [states, linked]}\n"
    "ext_pillar: [{git: ['main file://@INSIDE@/sub']}, {cmd_yaml: '@RUN@'}]\n"
    "extension_modules: states\ngpg_keydir: linked\n",
    "minions.yml": "minions: {m: {}}\n",
    "mkdocs.yml": HARMLESS,
    "docs/index.md": "# Front\n",
    "docs/main.txt": "text\n",
    "pillar/top.sls": "base: {'*': [a, linked.secret, code]}\n",
    "pillar/a.sls": "a: 1\n",
    "pillar/code.sls": "#!py\nimport os\nos.system('@RUN@')\ndef run():\n    return {}\n",
    "states/top.sls": "base: {'*': [a]}\n",
    "states/a.sls": "a: {test.nop: []}\n",
    "states/_modules/own.py": "import os\nos.system('@RUN@')\n",
    ".gitattributes": "* filter=evil diff=evil merge=evil text eol=lf ident\n",
    ".gitmodules": "[submodule \"sub\"]\n\tpath = sub\n\turl = ext::sh -c '@RUN@'\n"
    "\tupdate = !@RUN@\n\tfetchRecurseSubmodules = true\n",
    "sub/a.sls": "a: 1\n",
    "x/y.txt": "text\n",
}
CONFIGURATION = """
[core]
\tfsmonitor = @RUN@
\thooksPath = @INSIDE@/.git/hooks
\tsshCommand = @RUN@
\tattributesFile = @OUTSIDE@/attributes
\texcludesFile = @OUTSIDE@/ignored
\tpager = @RUN@
[filter "evil"]
\tclean = @RUN@
\tsmudge = @RUN@
\tprocess = @RUN@
\trequired = true
[diff "evil"]
\ttextconv = @RUN@
\tcommand = @RUN@
[diff]
\texternal = @RUN@
[include]
\tpath = @OUTSIDE@/secret.yml
[includeIf "gitdir:/"]
\tpath = @OUTSIDE@/secret.yml
"""
HOOKS = ("post-checkout", "post-index-change", "fsmonitor-watchman", "reference-transaction")
GIT = ("git", "-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "core.hooksPath=/")


def git(folder: Path, *words: str) -> str:
    ended = subprocess.run(
        [*GIT, *words], cwd=folder, capture_output=True, text=True, check=True, timeout=60
    )
    return ended.stdout


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """The repository, with every lure in it that stops no command by itself."""
    place = Place(tmp_path / "repository", tmp_path / "outside")
    outside = {
        "secret.yml": f"x: {CANARY}\n",
        "secret.sls": f"x: {CANARY}\n",
        "top.sls": f"base: {{'*': [{CANARY}]}}\n",
        "attributes": f"* {CANARY}\n",
        "ignored": f"{CANARY}\n",
        "precious": CANARY,
        "home/.gitconfig": f"[user]\n\tname = {CANARY}\n",
        "home/.config/git/config": f"[user]\n\tname = {CANARY}\n",
        "pages/index.md": CANARY,
        "mkdocs.yml": f"site_name: {CANARY}\nhooks: [code.py]\n",
        "repository/.git/HEAD": f"ref: refs/heads/{CANARY}\n",
        "repository/.git/objects/x": CANARY,
        "repository/.git/config": CANARY,
    }
    write_files(place.outside, outside)
    place.folder.mkdir()
    git(place.folder, "init", "-q", "-b", "main")
    write_files(place.folder, {path: place.fill(text) for path, text in TREE.items()})
    git(place.folder, "add", "-A")
    git(place.folder, "commit", "-qm", "one")
    write_files(place.folder, {"pillar/a.sls": "a: 2\n", "pillar/b.sls": "b: 2\n"})
    for link in ("linked", "pillar/linked", "states/linked", "x/linked"):
        (place.folder / link).symlink_to(place.outside)
    for link in ("pillar/one.sls", "states/one.sls"):
        (place.folder / link).symlink_to(place.outside / "secret.sls")
    for ring in ("pillar/ring.sls", "states/ring.sls"):
        (place.folder / ring).symlink_to("ring.sls")
    write_files(place.folder, {"sub/.git": f"gitdir: {place.outside}/repository/.git\n"})
    commit = git(place.folder, "rev-parse", "HEAD").strip()
    git(place.folder, "rm", "-q", "--cached", "sub/a.sls")
    git(place.folder, "update-index", "--add", "--cacheinfo", f"160000,{commit},sub")
    git(place.folder, "add", "pillar", "linked", "states", "x")
    git(place.folder, "commit", "-qm", "two")
    with (place.folder / ".git/config").open("a") as file:
        file.write(place.fill(CONFIGURATION))
    for hook in HOOKS:
        file_of = place.folder / ".git/hooks" / hook
        write_files(file_of.parent, {hook: place.fill("#!/bin/sh\n@RUN@\n")})
        file_of.chmod(0o755)
    for name in ("1a2b3c4d", "ready", "previous"):
        (place.folder / f".site.pillarbook-{name}").symlink_to(place.outside)
    (place.folder / "hard.json").hardlink_to(place.outside / "precious")
    os.mkfifo(place.folder / "pillar/pipe.sls")
    os.mkfifo(place.folder / "states/pipe.sls")
    return place


def held(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Return what lies in a folder: the time of its last change, and what it holds."""
    return {
        str(path): (path.lstat().st_mtime_ns, path.read_bytes() if path.is_file() else b"")
        for path in [folder, *folder.rglob("*")]
    }


def run(place: Place, *words: str) -> Watched:
    """Run pillarbook in the repository, and hold it to what no tree may bring about."""
    before = held(place.outside)
    watched = run_watched(place.folder, *words, home=place.outside / "home", secret=CANARY)
    assert watched.started == ()
    assert not [path for path in watched.opened if not is_own(path, place.folder)]
    assert not [path for path in watched.changed if not is_own(path, place.folder)]
    assert held(place.outside) == before
    assert CANARY not in watched.said
    assert "Traceback" not in watched.said
    site = place.folder / "site"
    for path in () if site.is_symlink() else site.rglob("*"):
        assert not path.is_symlink()
        assert path.is_dir() or CANARY.encode() not in path.read_bytes()
    return watched


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "words",
    [
        ("check",),
        ("compile", "--output", "hard.json"),
        ("compile", "--lowstate"),
        ("explain", "m"),
        ("diff", "HEAD~1"),
        ("diff", "HEAD~1", "HEAD", "--output", "hard.json"),
        ("init",),
    ],
    ids=" ".join,
)
def test_a_command_reads_and_writes_inside(place: Place, words: tuple[str, ...]) -> None:
    assert run(place, *words).code in (0, 2)


@pytest.mark.slow
def test_objects_of_another_repository_are_not_borrowed(place: Place) -> None:
    write_files(place.folder / ".git", {"objects/info/alternates": f"{place.outside}/objects\n"})
    assert run(place, "check").code in (0, 2)
    assert run(place, "diff", "HEAD~1").code == 1


@pytest.mark.slow
def test_a_listed_run_is_not_blind(place: Place) -> None:
    watched = run(place, "build")
    assert place.folder / "pillar/a.sls" in watched.opened
    assert place.folder / "docs/main.txt" in watched.opened
    assert place.folder / "site" not in watched.opened
    assert watched.code == 0
    home = place.outside / "home"
    allowed = run_watched(
        place.folder, "compile", "--allow", str(place.outside), home=home, secret=CANARY
    )
    assert place.outside / "secret.sls" in allowed.opened


def link(name: str, target: str) -> Callable[[Place], None]:
    def make(place: Place) -> None:
        (place.folder / name).symlink_to(place.fill(target))

    return make


def configure(text: str) -> Callable[[Place], None]:
    def make(place: Place) -> None:
        write_files(place.folder, {"mkdocs.yml": place.fill(text)})

    return make


def keep_link(place: Place) -> None:
    configure(f"site_dir: out\n{HARMLESS}")(place)
    write_files(place.folder, {"out/index.html": "x", "out/.pillarbook-site": ""})
    link("out/.well-known", "@OUTSIDE@")(place)


LURES: dict[str, Callable[[Place], None]] = {
    "the site": link("site", "@OUTSIDE@/home/.config/git"),
    "a site that is not there": link("site", "../outside/new"),
    "pages": link("docs/a", "../x"),
    "the environment": link("docs/env.txt", "/proc/self/environ"),
    "another process": link("docs/env.txt", "/proc/1/environ"),
    "a page": link("docs/a.md", "../../outside/pages/index.md"),
    "git": link("docs/a", "../.git"),
    "all": link("docs/a", "/"),
    "a pipe": lambda place: os.mkfifo(place.folder / "docs/pipe.txt"),
    "hooks": configure(f"{HARMLESS}hooks: [states/_modules/own.py]\n"),
    "a tag": configure(f"{HARMLESS}extra: !!python/object/apply:os.system ['@RUN@']\n"),
    "a variable": configure(f"{HARMLESS}copyright: !ENV CI_SECRET\n"),
    "a parent": configure(f"INHERIT: ../outside/mkdocs.yml\n{HARMLESS}"),
    "a parent by a link": configure(f"INHERIT: linked/mkdocs.yml\n{HARMLESS}"),
    "pages outside": configure(f"docs_dir: linked/pages\n{HARMLESS}"),
    "pages of git": configure(f"docs_dir: .git/hooks\n{HARMLESS}"),
    "a site outside": configure(f"site_dir: linked/new\n{HARMLESS}"),
    "a site in git": configure(f"site_dir: .git/hooks\n{HARMLESS}"),
    "what a site keeps": keep_link,
    "a watch": configure(f"watch: [linked]\n{HARMLESS}"),
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("lure", LURES.values(), ids=LURES)
def test_a_build_that_is_led_out_is_refused(place: Place, lure: Callable[[Place], None]) -> None:
    (place.folder / "mkdocs.yml").unlink()
    write_files(place.folder, {"mkdocs.yml": HARMLESS})
    lure(place)
    watched = run(place, "build")
    assert watched.code == 1
    assert not [*place.folder.glob(".site.pillarbook-????????????*")]
    assert len(watched.said.strip().splitlines()) == 1
