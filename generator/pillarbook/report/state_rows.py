"""The states of a minion as table rows, in the order in which they run."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

import jinja2
from markupsafe import Markup

from pillarbook.model import KeyPath
from pillarbook.model.shared_results import SharedResults
from pillarbook.redact.redacted_pillar import Redacted, RedactedLeaf, RedactedOrigin
from pillarbook.redact.redacted_states import MinionStates, Sources
from pillarbook.report.pictures import draw_requisites
from pillarbook.report.requisites import KINDS, Requisite, find_requisites
from pillarbook.report.row_ids import ListPositions, list_positions
from pillarbook.report.rows import SectionsByKey, find_anchor
from pillarbook.report.templates import find_macro
from pillarbook.report.value_html import TokenOf

T = TypeVar("T")
CHUNKS = "chunks"
OWN = frozenset(("state", "fun", "name", "__id__", "__sls__", "__env__", "order"))
"""What every chunk has, and which is shown in other places than among the arguments."""
HIDDEN = frozenset(("__sls_included_from__", "__prereq__", "__prerequiring__"))
"""What Salt notes for itself."""
MAX_NAME = 120
"""Characters of a name that is shown below the ID."""
MAX_NAMED = 8
"""Others that a row names of those that one requisite joins it with."""
# A table has a row for each state of a minion, so there are few, and large ones.
MAX_KEPT = 500
"""Tables that are kept."""


@dataclass(frozen=True, slots=True)
class StateTable:
    """The states of a minion."""

    rows: Markup
    """Rows of a table."""
    picture: Markup | None
    """What has to come before what; None if that is too large to be drawn."""
    count: int
    """How many states there are."""
    joined: int
    """How many of them have requisites, or are named in one."""


@dataclass(frozen=True, slots=True)
class Some(Generic[T]):
    """The first few of a list."""

    shown: list[T]
    """The first few."""
    more: int
    """How many are left out."""


SourceKey: TypeAlias = tuple[KeyPath, str | None, RedactedOrigin | None]
"""A pillar key that an argument came from, the id of its row, and what set it."""
StateLink: TypeAlias = tuple[int, str]
"""The number of a state, and what it is called."""


class StateRows:
    """Writes the states of minions; minions whose files render alike share their states."""

    def __init__(self, templates: jinja2.Environment, token: TokenOf) -> None:
        self._write_row = find_macro(templates, "state_row")
        self._draw = find_macro(templates, "requisites", "pictures")
        self._token = token
        self._tables: SharedResults[StateTable] = SharedResults(MAX_KEPT)

    def write(
        self, states: MinionStates, pillar: Iterable[RedactedLeaf], sections: SectionsByKey
    ) -> StateTable:
        """Return the states of a minion."""
        listed = states.states.data.get(CHUNKS) or []
        used = {path: None for one in states.sources for keys in one.values() for path in keys}
        by_path = {leaf.path: leaf for leaf in pillar if leaf.path in used} if used else {}
        anchors = {path: find_anchor(path, sections) for path in used}
        return self._tables.find(
            lambda: self._write(states, listed, _Keys(by_path, anchors)),
            listed,
            states.sources,
            *(by_path.get(path) for path in used),
            also=tuple(anchors.values()),
        )

    def _write(
        self, states: MinionStates, chunks: Sequence[Mapping[str, Any]], keys: "_Keys"
    ) -> StateTable:
        found = find_requisites(chunks)
        names = [(function_of(one), id_of(one, self._token)) for one in chunks]
        own = _by_chunk(states.states.leaves)
        around = _Around(found, [" ".join(name) for name in names])
        rows = (
            self._write_row(
                token=self._token,
                number=number + 1,
                function=function_of(chunk),
                origin=_origin_of(own.get(number, ())),
                requisites=around.own.get(number, []),
                others=around.others_of(number),
                arguments=_list_arguments(chunk, own.get(number, ()), keys, source),
                id=chunk.get("__id__"),
                id_keys=keys.find(source.get(("__id__",), ())),
                # A long one, such as a public key, has no room below the ID.
                name=chunk.get("__id__" if _is_long(chunk.get("name")) else "name"),
                name_keys=keys.find(source.get(("name",), ())),
                saltenv=str(chunk.get("__env__")),
                sls=str(chunk.get("__sls__")),
            )
            for number, (chunk, source) in enumerate(zip(chunks, states.sources, strict=False))
        )
        joined = {one.owner for one in found} | {other for one in found for other in one.meant}
        picture = draw_requisites(names, found)
        return StateTable(
            Markup().join(rows),
            None if picture is None else self._draw(picture),
            len(chunks),
            len(joined),
        )


def _list_arguments(
    chunk: Mapping[Any, Any], leaves: Iterable[RedactedLeaf], keys: "_Keys", sources: Sources
) -> list[tuple[KeyPath, ListPositions, Any, Some[SourceKey]]]:
    """Return the arguments of a state, with the pillar keys they came from.

    The name is among them only if it is long, and not the ID.
    """
    own = [(leaf.path[2:], leaf.value) for leaf in leaves]
    elsewhere = OWN | HIDDEN | KINDS.keys()
    if _is_long(chunk.get("name")) and chunk.get("name") != chunk.get("__id__"):
        elsewhere -= {"name"}
    return [
        (path, list_positions(path, chunk.get(path[0])), value, keys.find(sources.get(path, ())))
        for path, value in own
        if path[0] not in elsewhere
    ]


def _is_long(name: Any) -> bool:
    return isinstance(name, str) and len(name) > MAX_NAME


def _origin_of(leaves: Iterable[RedactedLeaf]) -> RedactedOrigin | None:
    """Return what set a state: the origin of its function."""
    return next(
        (leaf.origins[-1] for leaf in leaves if leaf.path[2] == "fun" and leaf.origins), None
    )


class _Keys:
    """The pillar keys that arguments came from."""

    def __init__(
        self, leaves: Mapping[KeyPath, RedactedLeaf], anchors: Mapping[KeyPath, str | None]
    ) -> None:
        self._leaves = leaves
        self._anchors = anchors

    def find(self, paths: Sequence[KeyPath]) -> Some[SourceKey]:
        """Return the first of some keys."""
        shown = [(path, self._anchors.get(path), self._origin(path)) for path in paths[:MAX_NAMED]]
        return Some(shown, len(paths) - len(shown))

    def _origin(self, path: KeyPath) -> RedactedOrigin | None:
        leaf = self._leaves.get(path)
        return leaf.origins[-1] if leaf is not None and leaf.origins else None


class _Around:
    """How the states of a minion refer to each other."""

    def __init__(self, requisites: Sequence[Requisite], names: Sequence[str]) -> None:
        self._names = names
        self.own: dict[int, list[tuple[Requisite, Some[StateLink]]]] = {}
        """The requisites of each state, with links to the states that they mean."""
        self._others: dict[int, dict[str, dict[int, None]]] = {}
        for one in requisites:
            self.own.setdefault(one.owner, []).append((one, self._name(one.meant)))
            for number in one.meant:
                by_words = self._others.setdefault(number, {})
                by_words.setdefault(KINDS[one.kind], {})[one.owner] = None

    def others_of(self, number: int) -> list[tuple[str, Some[StateLink]]]:
        """Return the states that have requisites on one, by what these are."""
        found = self._others.get(number, {})
        return [(words, self._name(tuple(numbers))) for words, numbers in found.items()]

    def _name(self, numbers: Sequence[int]) -> Some[StateLink]:
        shown = [(number, self._names[number]) for number in numbers[:MAX_NAMED]]
        return Some(shown, len(numbers) - len(shown))


def function_of(chunk: Mapping[Any, Any]) -> str:
    """Return what a state does, as ``pkg.installed``."""
    parts = (chunk.get("state"), chunk.get("fun"))
    return ".".join("?" if isinstance(one, Redacted) else str(one) for one in parts)


def id_of(chunk: Mapping[Any, Any], token: TokenOf) -> str:
    """Return the ID of a state as text; of a secret its token."""
    own = chunk.get("__id__")
    return f"redacted {token(own.secret_id)}" if isinstance(own, Redacted) else str(own)


def _by_chunk(leaves: Iterable[RedactedLeaf]) -> dict[int, list[RedactedLeaf]]:
    found: dict[int, list[RedactedLeaf]] = {}
    for leaf in leaves:
        if len(leaf.path) > 2 and leaf.path[0] == CHUNKS and isinstance(leaf.path[1], int):
            found.setdefault(leaf.path[1], []).append(leaf)
    return found
