"""Finds templates that change their input: grains, the pillar so far, or options.

Salt passes a minion's own data to its templates, so later templates see the changes. Only a compile
without recording allows this (``reads.TemplateWrites``), so only there changes are searched.

An external pillar may change the pillar in place, too: Salt continues with the changed one.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from pillarbook.compile.limits import Limits
from pillarbook.compile.minion_view import MinionView
from pillarbook.compile.reads import Answer, fingerprint
from pillarbook.compile.renderers.python_data import ValuePlaces, from_python
from pillarbook.diagnostics import Diagnostic, new_diagnostic
from pillarbook.model import MapNode, Origin, Position, plain
from pillarbook.model.long_integers import holds_long_integer
from pillarbook.roots.tree_interface import FoundFile

CHANGE = re.compile(
    r"[.|]\s*(?:append|clear|extend|insert|pop|popitem|remove|reverse|setdefault|sort|update)\s*\("
)
"""A call that changes a list or a mapping."""
KNOWN_AS = {
    "grains": re.compile(r"\bgrains\b"),
    "pillar": re.compile(r"\bpillar\b"),
    "opts": re.compile(r"\bopts\b"),
}
"""The names by which templates call their inputs."""
WORDS = {"grains": "the grain", "pillar": "the pillar's key", "opts": "the option"}
MAX_NAMED = 3
HELP = "change a copy instead: later templates of the minion see this change"
ENDLESS: Answer = ("endless",)
State = Mapping[str, Mapping[Any, Answer]]
"""Fingerprints of the values of each input, by their keys."""
NAMES_PILLAR = re.compile(r"\bpillar\b")


def note_writes(view: MinionView, what: str) -> Callable[[Iterable[FoundFile]], list[Diagnostic]]:
    """Return a function that returns diagnostics of changes after a render.

    Its argument is the files of the render, the rendered one first. It finds changes only for a
    minion that is compiled without recording.
    """
    before = _take_state(view) if view.without_recording else {}

    def compare(files: Iterable[FoundFile]) -> list[Diagnostic]:
        after = _take_state(view) if view.without_recording else {}
        changed = [(kind, _differing(before[kind], after[kind])) for kind in before]
        return [_word(kind, keys, what, list(files)) for kind, keys in changed if keys]

    return compare


def _take_state(view: MinionView) -> State:
    data = {kind: view.data(kind) for kind in WORDS}
    return {
        kind: {
            key: _fingerprint(value)
            for key, value in values.items()
            if not (kind == "opts" and key in ("grains", "pillar"))
        }
        for kind, values in data.items()
    }


def _fingerprint(value: Any) -> Answer:
    try:
        return fingerprint(value)
    except RecursionError:  # a template put an object into itself
        return ENDLESS


def _differing(before: Mapping[Any, Any], after: Mapping[Any, Any]) -> list[str]:
    keys = dict.fromkeys([*before, *after])
    changed = [key for key in keys if before.get(key) != after.get(key)]
    return ["..." if holds_long_integer(key) else str(key) for key in changed]


def _word(kind: str, keys: list[str], what: str, files: list[FoundFile]) -> Diagnostic:
    named = ", ".join(f"'{key}'" for key in keys[:MAX_NAMED])
    more = f" and {len(keys) - MAX_NAMED} more" if len(keys) > MAX_NAMED else ""
    plural = "s" if len(keys) > 1 else ""
    return new_diagnostic(
        "changes-grains",
        f"{what} changes {WORDS[kind]}{plural} {named}{more} in its input",
        _find_line(files, kind, keys),
        remedy=HELP,
    )


def _find_line(files: list[FoundFile], kind: str, keys: list[str]) -> Position | None:
    """Return the most likely line: one that calls a method for changes, and names the key."""
    best: tuple[int, int, int] | None = None
    for number, file in enumerate(files):
        text = file.text
        for at, line in enumerate(text.splitlines(), 1):
            is_change = CHANGE.search(line) is not None
            names = KNOWN_AS[kind].search(line) is not None
            score = 4 * is_change + 2 * names + any(key in line for key in keys)
            if score > 1 and (best is None or score > -best[0]):
                best = (-score, number, at)
    if best is not None:
        return Position(files[best[1]].shown, best[2])
    return Position(files[0].shown, 1) if files else None


def may_change_pillar(text: str) -> bool:
    """Say whether a template names the pillar, and calls a method that changes something."""
    return NAMES_PILLAR.search(text) is not None and CHANGE.search(text) is not None


def find_changed_pillar(
    pillar: MapNode, data: Mapping[Any, Any], name: str, files: Sequence[FoundFile], limits: Limits
) -> tuple[MapNode, Diagnostic] | None:
    """Return the pillar whose ``data`` templates have changed, and what is said of the change.

    A value that is unchanged keeps its origins. None if the pillar is as before.

    Raises:
        RenderError: A value is impossible in a pillar.
    """
    before = plain(pillar)
    if before == data and [*before] == [*data]:
        return None
    what = f"the external pillar '{name}'"
    found = _word("pillar", _differing(before, data), what, list(files))
    place = found.position or Position("", None)
    origin = Origin(place.file, place.line, f"ext_pillar:{name}", None, None)
    tree = from_python(data, ValuePlaces(origin, pillar), limits)
    assert isinstance(tree, MapNode)  # noqa: S101 (so is the data)
    return tree, found
