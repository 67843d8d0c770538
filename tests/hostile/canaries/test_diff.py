"""No canary gets out through a comparison: of commits, environments or saved results."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.hostile.canaries.canary import Canary
from tests.hostile.canaries.garden import APP, OTHER, Garden
from tests.hostile.canaries.harvest import TOKEN_KEY
from tests.hostile.canaries.outputs import Ended, run_all, streams
from tests.hostile.canaries.plant import FEW, plant
from tests.hostile.canaries.search import Search
from tests.support.repositories import commit_all
from tests.support.sides import empty, start

SIDES = {
    "commits": (["HEAD~1", "HEAD"], ("text", "markdown", "json", "minions")),
    "environments": (["--environments", "base", "other"], ("markdown", "json")),
    "saved results": (["../0.json", "../1.json"], ("text", "json")),
}
"""What is compared, and the formats of the result."""
SAVE = ["compile", "--format", "result", "--output"]
OTHERS = [
    ["answers", "list"],
    ["inventory", "list"],
    ["get", "common_secret", "--format", "json"],
    ["explain", OTHER],
]
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
    search_head: Search
    """Looks for those of the head: a run knows no secret that only an earlier run had."""


def plant_both() -> tuple[Garden, Garden, list[Canary]]:
    """Return the tree of the base, that of the head, and the other canaries of the head.

    They are secret by their own keys; an environment of both trees has those of the base.
    """
    base, head, other = plant(FEW), plant(FEW), plant(FEW, seed=2)
    owned = {name: text for name, text in other.files.items() if "/owned/" in name}
    before = {name: base.files[name] for name in owned}
    head.files |= owned
    roots = {"pillar_roots": {"base": ["pillar/other", "pillar/base"]}}
    for garden in (base, head):
        garden.files |= {
            name.replace("pillar/base", "pillar/other"): text for name, text in before.items()
        }
        garden.section["environments"] = ["base", {"other": roots}]
    places = {place.canary.name: place.canary for place in other.places if "own-" in place.path[0]}
    return base, head, list(places.values())


def compare(folder: Path, *, decrypt: bool) -> Compared:
    base, head, others = plant_both()
    tree = folder / "tree"
    tree.mkdir()
    start(tree)
    saved = {}
    for number, garden in enumerate((base, head)):
        empty(tree)
        garden.write(tree, decrypt=decrypt)
        (tree / ".gitignore").write_text(IGNORED)
        commit_all(tree)
        name = f"{number}.json"
        assert next(iter(run_all(tree, [[*SAVE, f"../{name}"]], TOKEN_KEY).values())).code == 0
        saved[name] = (folder / name).read_bytes()
    commands = [
        ["diff", *sides, "--format", form]
        for sides, formats in SIDES.values()
        for form in (formats if decrypt else ("json",))
    ]
    ended = run_all(tree, [*commands, *OTHERS], TOKEN_KEY)
    sought = [one for one in base.canaries.values() if decrypt or one.name not in base.sealed_only]
    return Compared(ended, saved, Search([*sought, *others]), Search(others))


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
    both = {words: one for words, one in found.ended.items() if words.startswith("diff HEAD~1")}
    alone = {words: one for words, one in found.ended.items() if words not in both}
    assert found.search.find(streams(both)) == []
    assert found.search_head.find({**streams(alone), "1.json": found.saved["1.json"]}) == []
