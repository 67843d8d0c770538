"""A pillar tree that is being put together from pieces, and written in the end."""

import json
import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from benchmarks.wild_pieces import LOCKED, Part, read_piece

KEYS = Path(__file__).parent.parent / "tests" / "cases" / "gpgkeys"
"""A GPG home that opens the messages of ``own.asc``."""
NO_KEYS = "no-keys"
"""The master's key folder where it has no key."""
BASE = "pillar/base"
CONFIGURATION = """\
site_name: Generated pillar
theme: {name: pillarbook}
plugins:
"""


@dataclass(frozen=True, slots=True, order=True)
class Planted:
    """A construct that no compile can make a value of, and that a diagnostic has to name."""

    code: str
    """The rule."""
    file: str
    """The file, from the tree's folder."""
    line: int | None
    """The line; None where the file as a whole is at fault."""


@dataclass(slots=True)
class _Target:
    """A target of a top file."""

    match: str | None = None
    ignoring: bool = False
    names: list[str] = field(default_factory=list)
    faults: dict[str, str] = field(default_factory=dict)
    """Codes by the SLS name whose line is at fault."""


class Draft:
    """Files, targets, options and minions, until they are written.

    Args:
        seed: Decides all that is drawn.
    """

    def __init__(self, seed: str) -> None:
        self.rng = random.Random(seed)
        self.files: dict[str, str | bytes] = {}
        self.planted: list[Planted] = []
        self.master: dict[str, Any] = {"pillar_roots": {"base": [BASE]}}
        self.paths: dict[str, str] = {}
        """Where absolute paths of the master lie here."""
        self.configured: dict[str, Any] = {}
        """More options of the configuration."""
        self.minions: dict[str, dict[str, Any]] = {}
        self.top_key: dict[str, str] = {}
        """How a top file writes its own environment, where not by its name."""
        self._targets: dict[str, dict[str, _Target]] = {}
        self._count = 0

    def take(self, piece: str, **values: str) -> None:
        """Put a piece in.

        Its name is ``FOLDER/NAME``. ``values`` are what stands for ``$name`` in it; ``n`` is made
        up where it is not given.
        """
        self._count += 1
        named = {"n": f"{piece.rpartition('/')[2].replace('-', '_')}{self._count}", **values}
        for part in read_piece(piece, self.rng, named):
            self._take_part(part)

    def _take_part(self, part: Part) -> None:
        if part.kind in ("file", "locked"):
            name = part.words[0]
            path = name[1:] if name.startswith("/") else f"{BASE}/{name}"
            self.files[path] = part.text if part.kind == "file" else LOCKED + path.encode()
            for line, code in part.faults:
                self.planted.append(Planted(code, path, line or None))
        elif part.kind == "give":
            self._give(part)
        else:
            self._lay(
                {"master": self.master, "paths": self.paths, "configured": self.configured}[
                    part.kind
                ],
                yaml.safe_load(part.text),
            )

    def _give(self, part: Part) -> None:
        words = " ".join(part.words)
        words, ignoring = words.removesuffix(" ignoring"), words.endswith(" ignoring")
        words, _, environment = words.partition(" in ")
        words, _, match = words.partition(" by ")
        names, _, target = words.partition(" for ")
        self.give(names.split(), target or "*", match=match or None, env=environment or "base")
        placed = self._targets[environment or "base"][target or "*"]
        placed.ignoring = placed.ignoring or ignoring
        for _, code in part.faults:
            placed.faults[names.split()[-1]] = code

    def give(
        self, names: Iterable[str], target: str = "*", *, match: str | None = None, env: str
    ) -> None:
        """Let a top file name SLS files for a target."""
        placed = self._targets.setdefault(env, {}).setdefault(target, _Target(match))
        placed.names += [name for name in names if name not in placed.names]

    def _lay(self, under: dict[str, Any], over: Mapping[str, Any]) -> None:
        for key, value in over.items():
            known = under.get(key)
            if isinstance(known, dict) and isinstance(value, Mapping):
                self._lay(known, value)
            elif isinstance(known, list):
                under[key] = known + [item for item in value if item not in known]
            else:
                under[key] = value

    def write(self, out: Path) -> tuple[Planted, ...]:
        """Write the tree and return what was planted in it.

        ``out`` gets ``master``, ``minions.yml``, ``pillar/`` and whatever else the pieces have.
        """
        self._write_tops()
        self._write_options()
        plugin = {"master": "master", "inventory": "minions.yml", "paths": self.paths}
        plugin |= self.configured
        self.files["mkdocs.yml"] = CONFIGURATION + f"  - pillarbook: {json.dumps(plugin)}\n"
        self.files["docs/index.md"] = "# Pillar\n"
        self.files["minions.yml"] = json.dumps({"minions": self.minions}, indent=1) + "\n"
        for path, content in self.files.items():
            file = out / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content.encode() if isinstance(content, str) else content)
        return tuple(sorted(set(self.planted), key=str))

    def _write_tops(self) -> None:
        for environment, targets in self._targets.items():
            lines = [f"{self.top_key.get(environment, environment)}:"]
            path = f"pillar/{environment}/top.sls"
            for target, placed in targets.items():
                lines.append(f"  {target!r}:")
                lines += [f"    - match: {placed.match}"] if placed.match else []
                lines += ["    - ignore_missing: True"] if placed.ignoring else []
                for name in placed.names:
                    lines.append(f"    - {_quoted(name)}")
                    if name in placed.faults:
                        self.planted.append(Planted(placed.faults[name], path, len(lines)))
            self.files[path] = "\n".join(lines) + "\n"

    def _write_options(self) -> None:
        """Write the master file, one option a line, so that faults of an option have its line."""
        lines = [f"{name}: {json.dumps(value)}" for name, value in self.master.items()]
        self.files["master"] = "\n".join(lines) + "\n"
        if "ext_pillar" in self.master:
            line = list(self.master).index("ext_pillar") + 1
            self.planted.append(Planted("unavailable-ext-pillar", "master", line))
        if self.master.get("gpg_keydir") == NO_KEYS:
            self.files[f"{NO_KEYS}/README"] = "A key folder without a key.\n"
        if self.master.get("gpg_keydir") == "gpgkeys":
            for path in sorted(KEYS.rglob("*")):
                if path.is_file():
                    name = path.relative_to(KEYS).as_posix()
                    self.files[f"gpgkeys/{name}"] = path.read_bytes()


def _quoted(name: str) -> str:
    return f"'{name}'" if name[0] in "*{[" else name
