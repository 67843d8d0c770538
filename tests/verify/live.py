"""Two fleets, one as it is on the live master and one as it is declared here."""

import io
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support.fleets import compile_case, write_fleet

from pillarbook.inventory.settings import Settings
from pillarbook.model import plain
from pillarbook.redact.secret_index import SecretIndex
from pillarbook.session import RunOptions, open_session
from pillarbook.verify import Dump, Verification, to_json, to_text, verify


@dataclass(frozen=True, slots=True)
class Side:
    """A tree, its minions and its master."""

    files: Mapping[str, str]
    minions: Mapping[str, Any]
    master: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Told:
    """A verification, and what is written of it."""

    found: Verification
    text: str
    data: dict[str, Any]

    @property
    def why(self) -> list[str]:
        """The causes, as they are told."""
        return [one["message"] for one in self.data["why"]]

    @property
    def paths(self) -> list[str]:
        """What differs, on the first minion that does."""
        minions = self.data["minions"].values()
        return [
            ":".join(map(str, one["path"]))
            for minion in list(minions)[:1]
            for one in minion["differences"]
        ]


def dump_of(folder: Path, live: Side) -> dict[str, Any]:
    """Return the pillars of a live fleet as its dump has them, where they hold plain JSON only."""
    write_fleet(folder, live.files, live.minions, live.master)
    return {minion: plain(compiled.tree) for minion, compiled in compile_case(folder).items()}


def verify_dump(folder: Path, dump: Mapping[str, Any] | str, here: Side, **settings: Any) -> Told:
    """Verify a dump against what is declared here."""
    write_fleet(folder, here.files, here.minions, here.master)
    declared = Settings(
        master=folder / "master", inventory=(folder / "minions.yml",), folder=folder, **settings
    )
    text = dump if isinstance(dump, str) else json.dumps(dump)
    with open_session(declared, RunOptions(environments=False)) as session:
        stream = Dump(
            io.BytesIO(text.encode()), "dump.json", frozenset(session.fleet.minions), None
        )
        found = verify(session, stream, "dump.json")
        lines = "\n".join(to_text(found, session.shown.token))
        data = to_json(found, session.shown.token)
        known = SecretIndex()
        known.follow(session.store)
        # What the filters of the output would stop at.
        assert list(known.find(f"{lines}\n{json.dumps(data)}".encode())) == []
        return Told(found, lines, data)
