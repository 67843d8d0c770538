"""A tree in the making, into which canaries are planted: files, master file, inventory, and what has to be seen."""

import ast
import base64
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from tests.hostile.canaries.canary import Canary
from tests.hostile.canaries.sealing import BOX_KEY, box, copy_keys, seal

APP = "app1.example.com"
OTHER = "app2.example.com"
BROKEN = "broken1.example.com"
SEALED = re.compile(r"(?m)^( *)@SEALED (\d+)@")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a redaction has to stand."""

    canary: Canary
    """What is put away there."""
    minion: str
    """The minion."""
    path: tuple[str, ...]
    """The keys; all below but what begins with ``ctl`` has to be put away."""
    reason: str
    """A pattern of the reason."""
    in_key: bool = False
    """Whether it stands in a key."""
    needs_keys: bool = False
    """Whether only who has the keys can know of it."""


@dataclass(frozen=True, slots=True)
class Control:
    """An ordinary value beside the secrets that has to be seen."""

    minion: str
    """The minion."""
    path: tuple[str, ...]
    """The keys."""
    value: Any
    """The value."""


@dataclass(slots=True)
class Garden:
    """What is planted so far."""

    files: dict[str, str] = field(default_factory=dict)
    """Files by path."""
    master: dict[str, Any] = field(default_factory=dict)
    """Options of the master file."""
    minions: dict[str, dict[str, Any]] = field(default_factory=dict)
    """The inventory."""
    section: dict[str, Any] = field(default_factory=dict)
    """Options of the section in mkdocs.yml."""
    top: dict[str, list[str]] = field(default_factory=dict)
    """What each target gets."""
    stack: dict[str, Any] = field(default_factory=dict)
    """What the stack gives to everybody whose SLS ask for it."""
    by_pillar: dict[str, Any] = field(default_factory=dict)
    """What the stack chooses by the pillar of the command line."""
    hierarchy: dict[str, Any] = field(default_factory=dict)
    """What the hierarchy gives to the first minion."""
    answers: dict[str, Any] = field(default_factory=dict)
    """What the command gives."""
    canaries: dict[str, Canary] = field(default_factory=dict)
    """All canaries by their names."""
    sealed_only: set[str] = field(default_factory=set)
    """Those that are known to be secret by ciphertext alone."""
    places: list[Place] = field(default_factory=list)
    """Where redactions have to stand."""
    controls: list[Control] = field(default_factory=list)
    """What has to be seen."""
    told: set[str] = field(default_factory=set)
    """Files of which a diagnostic has to speak."""
    ways: dict[str, set[str]] = field(default_factory=dict)
    """Which canaries went each way."""
    boxes: list[str] = field(default_factory=list)
    """The boxes of NaCl."""
    messages: list[str] = field(default_factory=list)
    """The PGP messages, once the tree was written."""
    _sealed: list[str] = field(default_factory=list)

    def add(self, canary: Canary, way: str) -> Canary:
        """Count a canary, and the way that it goes."""
        self.canaries[canary.name] = canary
        self.ways.setdefault(way, set()).add(canary.name)
        return canary

    def give(self, minion: str, sls: str, text: str, *, first_line: str = "") -> None:
        """Write an SLS and name it in the top file."""
        self.files[f"pillar/base/{sls.replace('.', '/')}.sls"] = first_line + text
        self.top.setdefault(minion, []).append(sls)

    def seal(self, text: str) -> str:
        """Return what stands for a PGP message, in a block of YAML."""
        self._sealed.append(text)
        return f"@SEALED {len(self._sealed) - 1}@"

    def box(self, text: str) -> str:
        """Return a box of NaCl."""
        self.boxes.append(box(text))
        return f"NACL[{self.boxes[-1]}]"

    def see(self, minion: str, *path: str, value: Any) -> None:
        """Note what has to be seen."""
        self.controls.append(Control(minion, path, value))

    def write(self, folder: Path, *, decrypt: bool, backwards: bool = False) -> None:
        """Write the tree.

        If written ``backwards``, the inventory names the minions from last to first.
        """
        self.messages = self.messages or seal(self._sealed)
        for path, text in self._all_files(decrypt, backwards).items():
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            whole = SEALED.sub(lambda found: _indent(found, self.messages), text)
            file.write_text(whole, encoding="utf-8", newline="")
        copy_keys(folder / "gpgkeys")
        (folder / ".git").mkdir(exist_ok=True)
        (folder / "box.key").write_text(box_key())

    def _all_files(self, decrypt: bool, backwards: bool) -> Mapping[str, str]:
        order = reversed(self.minions) if backwards else self.minions
        section = {"master": "master", "inventory": "minions.yml", "python": True}
        section |= {**self.section, "decrypt": decrypt}
        pages = {"site_name": "Canaries", "docs_dir": "pages", "theme": {"name": "pillarbook"}}
        top = {target: list(names) for target, names in self.top.items()}
        ext_pillars: list[dict[str, Any]] = [
            {"stack": "stack/stack.cfg"},
            {"stack": self.by_pillar},
            {"hierarchy_pillar": {"hierarchy_pillar.data_path": "hierarchy"}},
            {"cmd_json": "cat answers.json"},
        ]
        return {
            "master": dump({**self.master, "ext_pillar": ext_pillars}),
            "minions.yml": dump({"minions": {one: self.minions[one] for one in order}}),
            "mkdocs.yml": dump({**pages, "plugins": [{"pillarbook": section}]}),
            "pages/index.md": "# Canaries\n",
            "pillar/base/top.sls": dump({"base": top}),
            "stack/stack.cfg": "all.yml\n",
            "stack/all.yml": dump(self.stack),
            **{f"hierarchy/{one}.yaml": "ctl: 1\n" for one in self.minions},
            f"hierarchy/{APP}.yaml": dump(self.hierarchy),
            "answers.json": json.dumps(self.answers),
            **self.files,
        }


def box_key() -> str:
    """Return the key of the boxes as a file holds it."""
    return base64.b64encode(BOX_KEY).decode() + "\n"


def dump(data: Any) -> str:
    """Return data as YAML."""
    return str(yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=10**6))


def in_yaml(value: Any) -> str:
    """Return a scalar as it stands in YAML, on one line."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return dump([value])[2:].strip().replace("|\n ", "").replace("\n", "")


def in_jinja(text: str) -> str:
    """Return a text as a literal of Jinja."""
    literal = ascii(text)
    assert ast.literal_eval(literal) == text
    return literal


def _indent(found: "re.Match[str]", messages: list[str]) -> str:
    spaces, number = found.groups()
    return "\n".join(spaces + line for line in messages[int(number)].splitlines())
