"""No canary gets out through a comparison: of commits, environments or saved results."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.hostile.canaries.garden import APP, OTHER, Garden
from tests.hostile.canaries.harvest import TOKEN_KEY
from tests.hostile.canaries.outputs import Ended, run_all, streams
from tests.hostile.canaries.plant import FEW, plant
from tests.hostile.canaries.search import Search
from tests.support.repositories import commit_all
from tests.support.sides import empty, start

SIDES = {
    "commits": (["HEAD~1", "HEAD"], ("text", "markdown", "json", "minions")),
    "commits, backwards": (["HEAD", "HEAD~1"], ("json",)),
    "environments": (["--environments", "base", "other"], ("markdown", "json")),
    "saved results": (["../0.json", "../1.json"], ("text", "json")),
}
"""What is compared, and the formats of the result."""
SAVE = ["compile", "--format", "result", "--output"]
OTHERS = [
    ["answers", "list"],
    ["inventory", "list"],
    ["inventory", "list", "--format", "json"],
    ["get", "common_secret", "--format", "json"],
    ["explain", OTHER],
]
CHANGED = 8
"""One SLS of so many changes all of its canaries; each changed line takes a compile."""
IGNORED = "gpgkeys\nbox.key\n"


@dataclass(frozen=True, slots=True)
class Compared:
    """What the commands gave over a tree whose secrets changed."""

    ended: dict[str, Ended]
    """The commands, by their words."""
    saved: dict[str, bytes]
    """The saved results."""
    search: Search
    """Looks for the canaries of both sides."""


def plant_both() -> tuple[Garden, Garden, Garden]:
    """Return the tree of the base, that of the head, and one with the head's other canaries.

    An environment has a part of these canaries, too.
    """
    base, head, other = plant(FEW), plant(FEW), plant(FEW, seed=2)
    given = {name: text for name, text in other.files.items() if "@SEALED" not in text}
    for number, (name, text) in enumerate(sorted(given.items())):
        if number % CHANGED == 0:
            head.files[name] = text
        if number % CHANGED == 1 or "/owned/" in name:
            for garden in (base, head):
                garden.files[name.replace("pillar/base", "pillar/other")] = text
    roots = {"pillar_roots": {"base": ["pillar/other", "pillar/base"]}}
    for garden in (base, head):
        garden.section["environments"] = ["base", {"other": roots}]
    return base, head, other


def compare(folder: Path, *, decrypt: bool) -> Compared:
    gardens = plant_both()
    tree = folder / "tree"
    tree.mkdir()
    start(tree)
    saved = {}
    for number, garden in enumerate(gardens[:2]):
        empty(tree)
        garden.write(tree, decrypt=decrypt)
        (tree / ".gitignore").write_text(IGNORED)
        commit_all(tree)
        name = f"{number}.json"
        assert next(iter(run_all(tree, [[*SAVE, f"../{name}"]], TOKEN_KEY).values())).code == 0
        saved[name] = (folder / name).read_bytes()
    commands = [
        ["diff", *sides, "--format", form] for sides, formats in SIDES.values() for form in formats
    ]
    ended = run_all(tree, [*commands, *OTHERS], TOKEN_KEY)
    sealed = set() if decrypt else {name for one in gardens for name in one.sealed_only}
    sought = [one for garden in gardens for one in garden.canaries.values()]
    return Compared(ended, saved, Search([one for one in sought if one.name not in sealed]))


@pytest.mark.slow
@pytest.mark.parametrize("decrypt", [True, False], ids=["with keys", "without keys"])
def test_no_canary_gets_out_of_a_comparison(decrypt: bool, tmp_path: Path) -> None:
    found = compare(tmp_path.resolve(), decrypt=decrypt)
    for words, ended in found.ended.items():
        assert ended.code in {0, 2}, (words, ended.err[-300:])
        assert b"Traceback" not in ended.err
    for name, (sides, _) in SIDES.items():
        told = json.loads(found.ended[" ".join(["diff", *sides, "--format", "json"])].out)
        changed = {one["path"][0] for one in told["atoms"] if "redacted" in json.dumps(one)}
        assert len(changed) > 5, name
        assert told["minions"][APP]["changed"]
    assert found.search.find({**streams(found.ended), **found.saved}) == []
