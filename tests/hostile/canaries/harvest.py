"""What pillarbook gives out over the planted tree, once with keys and once without."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.hostile.canaries.canary import Canary, draw_canary
from tests.hostile.canaries.garden import APP, BROKEN, OTHER, Garden
from tests.hostile.canaries.outputs import Ended, read_site, run_all, streams
from tests.hostile.canaries.search import Search
from tests.support.exports import read_bytes

TOKEN_KEY = "the key of these tests, which is long enough for them"
LIVE = 4
"""Passwords that are others on the live master."""
COMPILE = ["compile", "--format", "json"]
CHECK = ["check", "--format", "json"]
EXPORTS = {
    name: ["export", "--format", form, "--output", name]
    for name, form in (("fleet.sqlite", "sqlite"), ("fleet.zip", "csv"))
}


@dataclass(frozen=True, slots=True)
class Harvest:
    """What the commands gave over one tree."""

    garden: Garden
    """What was planted."""
    folder: Path
    """The tree."""
    ended: Mapping[str, Ended]
    """The commands, by their words."""
    site: Mapping[str, bytes]
    """The site, by file."""
    search: Search
    """Looks for what must not be found."""

    @property
    def pillars(self) -> dict[str, Any]:
        """The pillars as the site has them; of a minion with a secret id by another name."""
        files = {Path(name): data for name, data in self.site.items()}
        return {
            path.stem: json.loads(data)
            for path, data in files.items()
            if path.parent.name == "minions" and path.suffix == ".json"
        }

    @property
    def diagnostics(self) -> list[dict[str, Any]]:
        """What ``check`` lists."""
        found: list[dict[str, Any]] = json.loads(self.ended[" ".join(CHECK)].out)["diagnostics"]
        return found

    def outputs(self, group: str) -> dict[str, bytes]:
        """Return what a command printed, or the files of the site."""
        if group == "site":
            return dict(self.site)
        if group == "export":
            files = [self.folder / name for name in EXPORTS if (self.folder / name).exists()]
            return dict(found for file in files for found in read_bytes(file))
        ended = {
            words: one
            for words, one in self.ended.items()
            if words.startswith(group) and "--reveal" not in words
        }
        return streams(ended)


def reap(garden: Garden, folder: Path, *, decrypt: bool, thorough: bool = False) -> Harvest:
    """Write the tree and run commands over it: one of each kind, or every form of each."""
    garden.write(folder, decrypt=decrypt)
    has_dump = thorough
    first = [["build"], [*COMPILE, "--reveal", "--output", "dump.json"]]
    ended = run_all(folder, first if has_dump else first[:1], TOKEN_KEY)
    live = change_dump(garden, folder / "dump.json") if has_dump else []
    ended |= run_all(folder, _commands(garden, decrypt, thorough), TOKEN_KEY)
    hidden = [
        one for one in garden.canaries.values() if decrypt or one.name not in garden.sealed_only
    ]
    search = Search([*hidden, *live])
    return Harvest(garden, folder, ended, read_site(folder / "site"), search)


def _commands(garden: Garden, decrypt: bool, thorough: bool) -> list[list[str]]:
    named = next(one for one in garden.minions if "db-" in one)
    if decrypt and not thorough:
        return []
    few = [COMPILE, CHECK, ["explain", APP], *EXPORTS.values()]
    if thorough:
        few += [["verify", "dump.json", "--minion", OTHER]]
    more = [
        ["get", "master", "--minion", "app*"],
        *(["compile", "--format", form] for form in ("yaml", "jsonl", "result")),
        ["check"],
        *(["check", "--format", form] for form in ("github", "sarif", "junit", "gitlab")),
        ["explain", APP, "--format", "json"],
        ["explain", OTHER, "--format", "json"],
        ["explain", BROKEN],
        ["explain", named],
    ]
    return [*few, *(more if decrypt else ())]


def change_dump(garden: Garden, dump: Path) -> list[Canary]:
    """Keep one minion of a dump, give it other passwords, and return them."""
    pillar = json.loads(dump.read_text())[OTHER]
    owned = [one for one in garden.places if one.minion == OTHER and "own-" in one.path[0]]
    changed = []
    for place in owned[:LIVE]:
        canary = draw_canary(f"live-{place.canary.name}", "medium", 1)
        pillar[place.path[0]]["password"] = canary.text
        pillar[f"live-{place.canary.name}"] = {"api_key": canary.text}
        changed.append(canary)
    dump.write_text(json.dumps({OTHER: pillar}))
    return changed
