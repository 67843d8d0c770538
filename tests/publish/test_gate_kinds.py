"""Every kind of file of a site, with a secret put in at the last step: the gate finds it anywhere."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.support.leaky import SECRET, TREE, files_of, inventory, write_leaky
from tests.support.repositories import commit_all
from tests.support.sides import start
from tests.support.tiers import is_thorough

from pillarbook.cli.main import run
from pillarbook.publish import run as publish_run
from pillarbook.publish.leak_gate import find_leaks
from pillarbook.redact.leak_errors import Leak

NAMED = frozenset(("keys", "groups", "sls", "minions", "changes", "rules", "schemas", "assets"))
"""Folders of which one file of each ending represents the others."""
EXPECTED = {
    *(
        "404.html",
        "index.html",
        "targets.html",
        "secrets.html",
        "secrets.json",
        "diagnostics.html",
        "history.html",
    ),
    *("report.json", ".pillarbook-site", "search/search_index.json", "environments/base--prod.js"),
    *("keys/*.html", "groups/*.html", "sls/*.html", "minions/*.html", "minions/*.json"),
    *("minions/*.yaml", "changes/*.html", "changes/index.json", "rules/*.html", "schemas/*.json"),
    *("assets/*.js", "assets/search/*.js", "states/base/app.html", "img/icon.svg", "js/rows.js"),
}
"""Kinds of files that the site must have, so that they are tested."""
COMMON = "motd: hello {{ grains.id }}\nsite: {name: {{ grains.site }}}\nasked: {{ salt['vault.read_secret']('x') }}\n"


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a fleet that is large enough for pages of keys and groups, and build its site."""
    minions = {
        f"{role}{number}": {"grains": {"roles": [role], "site": "ams" if number % 2 else "hel"}}
        for role in ("a", "b", "web")
        for number in range(1, 9)
    }
    folder = write_leaky(
        tmp_path,
        minions_yml=inventory(minions),
        pillar__common_sls=COMMON,
        states__top_sls="base: {'*': [app]}\n",
        states__app_sls="x: {test.nop: [{v: {{ pillar.motd }}}]}\n",
    )
    (folder / "master").write_text(TREE["master"] + "file_roots: {base: [states]}\n")
    compared = "      environments: [base, prod]\n      revisions: {base: HEAD}\n"
    (folder / "mkdocs.yml").write_text(TREE["mkdocs.yml"] + compared)
    commit_all(start(folder))
    (folder / "prod/common.sls").write_text("motd: other {{ grains.id }}\n")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PILLARBOOK_TOKEN_KEY", "a key for the tests of kinds, 0123456789")
    return folder


def kind_of(name: str) -> str:
    path = Path(name)
    folder = path.parent.as_posix()
    if path.parts[0] not in NAMED or path.stem == "index":
        return name
    return f"{path.parts[0] if path.parts[0] != 'assets' else folder}/*{path.suffix}"


def representatives(names: Iterable[str]) -> dict[str, str]:
    """Return a file for each kind."""
    return {kind_of(name): name for name in names}


def mutations(data: bytes) -> Iterator[bytes]:
    """Yield a file with a secret at its beginning, in its middle and at its end."""
    for at in (0, len(data) // 2, len(data)):
        yield data[:at] + SECRET.encode() + data[at:]


class Mutated:
    """The gate, before which something puts a secret into each kind of file.

    ``step`` is 1 for a secret at the beginning, in the middle and at the end of each file, and 3
    for one of these.
    """

    def __init__(self, step: int) -> None:
        self._step = step
        self.missed: list[str] = []
        self.kinds: set[str] = set()

    def find(self, folder: Path, known: Any, *_: Any) -> list[Leak]:
        assert find_leaks(folder, known) == []
        files = files_of(folder)
        for at, (kind, name) in enumerate(representatives(files).items()):
            self.kinds.add(kind)
            some = list(enumerate(mutations(files[name])))[at % self._step :: self._step]
            for number, data in some:
                (folder / name).write_bytes(data)
                if not find_leaks(folder / Path(name).parent, known):
                    self.missed.append(f"{name} {number}")
            (folder / name).write_bytes(files[name])
        (folder / "report.json").write_text(SECRET)
        return find_leaks(folder, known)


@pytest.mark.grows
@pytest.mark.parametrize(
    "words",
    [
        ["build", "--history", "history"],
        pytest.param(["merge", "1.part", "2.part"], marks=pytest.mark.slow),
    ],
)
def test_the_gate_finds_a_secret_in_each_kind_of_file(
    words: list[str],
    tree: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    request: pytest.FixtureRequest,
) -> None:
    expected = EXPECTED
    if words[0] == "merge":  # a report in parts is not compared with a revision
        settings = (tree / "mkdocs.yml").read_text()
        (tree / "mkdocs.yml").write_text(settings.replace("revisions: {base: HEAD}", ""))
        expected = {kind for kind in EXPECTED if not kind.startswith(("changes/", "history"))}
    for number in (1, 2) if words[0] == "merge" else ():
        assert run(["build", "--shard", f"{number}/2", "--output", f"{number}.part"]) == 0
        assert SECRET.encode() not in (tree / f"{number}.part").read_bytes()
    (tree / "site").mkdir()
    (tree / "site/index.html").write_text("the site before")
    mutated = Mutated(1 if is_thorough(request.config) else 3)
    monkeypatch.setattr(publish_run, "find_leaks", mutated.find)
    assert run(words) == 3
    assert mutated.missed == []
    assert expected - mutated.kinds == set()
    assert files_of(tree / "site") == {"index.html": b"the site before"}
    assert not (tree / "history").exists()
    out, err = capfd.readouterr()
    assert SECRET not in out + err
    assert "report.json contains the secret of `db:password`" in err
