"""A minion for the matchers, and the answers that the real Salt gave about such minions."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pillarbook.compile.matchers import IdKind, MatcherError, match_id, match_target

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Minion:
    """A subject over plain data that keeps the questions about its id."""

    minion_id: str = "web1"
    grains: Mapping[str, Any] = field(default_factory=dict)
    pillar: Mapping[str, Any] = field(default_factory=dict)
    nodegroups: Mapping[Any, Any] = field(default_factory=dict)
    asked: list[tuple[IdKind, str]] = field(default_factory=list)

    def id_matches(self, kind: IdKind, pattern: str) -> bool:
        self.asked.append((kind, pattern))
        return match_id(kind, pattern, self.minion_id)


def read_answers(name: str) -> dict[str, Any]:
    """Return a file of Salt's answers: the minions' data, and rows that end with the answer."""
    answers: dict[str, Any] = json.loads((HERE / name).read_text())
    return answers


def name_row(row: list[Any]) -> str:
    """Return a test id for a row of such a file, short enough to read."""
    words = "-".join(str(part) for part in row[:-1])
    return words if len(words) < 60 else f"{words[:50]}...{len(words)}"


def answer_as_salt(target: Any, matcher: str, minion: Minion) -> Any:
    """Return the truth, or ``{"$raises": text}`` where Salt would break off."""
    try:
        return match_target(target, matcher, minion)
    except MatcherError as error:
        return {"$raises": str(error)}
