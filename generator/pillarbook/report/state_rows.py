"""The states of a minion as table rows, in the order in which they run.

Minions whose files render alike share their states, so the rows are kept by identity.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from markupsafe import Markup

from pillarbook.model import KeyPath
from pillarbook.redact.redacted_pillar import Redacted, RedactedLeaf
from pillarbook.redact.redacted_states import MinionStates, Sources
from pillarbook.report.key_html import list_positions, show_path
from pillarbook.report.requisites import KINDS, Requisite, find_requisites
from pillarbook.report.rows import RowSection, find_anchor, write_origin, write_place
from pillarbook.report.slug import slug
from pillarbook.report.state_picture import draw_requisites
from pillarbook.report.value_html import TokenOf, make_visible, show_value

CHUNKS, ERRORS = "chunks", "errors"
OWN = frozenset(("state", "fun", "name", "__id__", "__sls__", "__env__", "order"))
"""What every chunk has, and which is shown in other places than among the arguments."""
HIDDEN = frozenset(("__sls_included_from__", "__prereq__", "__prerequiring__"))
"""What Salt notes for itself."""
MAX_NAMED = 8
"""Others that a row names of those that one requisite joins it with."""
# A table has a row for each state of a minion, so there are few, and large ones.
MAX_KEPT = 500
"""Tables that are kept."""
Leaves = Mapping[KeyPath, RedactedLeaf]


@dataclass(frozen=True, slots=True)
class StateTable:
    """The states of a minion."""

    rows: Markup
    """Rows of a table."""
    picture: Markup | None
    """What has to come before what; None where that is too large to be drawn."""
    count: int
    """How many states there are."""
    joined: int
    """How many of them have requisites, or are named in one."""
    kept: tuple[Any, ...]
    """What the table is found by."""


class StateRows:
    """Writes the states of minions and keeps tables that came up."""

    def __init__(self, token: TokenOf) -> None:
        self._token = token
        self._tables: dict[Hashable, StateTable] = {}

    def write(
        self,
        states: MinionStates,
        pillar: Iterable[RedactedLeaf],
        sections: Mapping[Any, RowSection],
    ) -> StateTable:
        """Return the states of a minion.

        Args:
            states: The states.
            pillar: The values of its pillar, to tell where arguments came from.
            sections: The sections of its page by top-level key, to link to.
        """
        listed = states.states.data.get(CHUNKS) or []
        used = {path: None for one in states.sources for keys in one.values() for path in keys}
        by_path = {leaf.path: leaf for leaf in pillar if leaf.path in used} if used else {}
        anchors = tuple(_anchor(path, sections) for path in used)
        key = (
            id(listed),
            id(states.sources),
            tuple(id(by_path.get(path)) for path in used),
            anchors,
        )
        table = self._tables.get(key)
        if table is None:
            if len(self._tables) >= MAX_KEPT:
                self._tables.clear()
            keys = _Keys(by_path, dict(zip(used, anchors, strict=True)))
            kept = (listed, states.sources, by_path)
            table = self._tables[key] = self._write(states, listed, keys, kept)
        return table

    def _write(
        self,
        states: MinionStates,
        chunks: Sequence[Mapping[str, Any]],
        keys: "_Keys",
        kept: tuple[Any, ...],
    ) -> StateTable:
        found = find_requisites(chunks)
        names = [(function_of(one), id_of(one, self._token)) for one in chunks]
        own = _by_chunk(states.states.leaves)
        rows = (
            self._write_row(
                number, chunk, own.get(number, ()), _Around(found, names, number), keys, source
            )
            for number, (chunk, source) in enumerate(zip(chunks, states.sources, strict=False))
        )
        joined = {one.owner for one in found} | {other for one in found for other in one.meant}
        return StateTable(
            Markup("".join(rows)),  # noqa: S704 (what writes rows escapes)
            draw_requisites(names, found),
            len(chunks),
            len(joined),
            kept,
        )

    def _write_row(
        self,
        number: int,
        chunk: Mapping[Any, Any],
        leaves: Sequence[RedactedLeaf],
        around: "_Around",
        keys: "_Keys",
        sources: Sources,
    ) -> str:
        anchor = f"s-{number + 1}"
        name = chunk.get("name")
        own = chunk.get("__id__")
        named = "" if name == own else f"<br><small>name</small> {show_value(name, self._token)}"
        if named:
            named += keys.write(sources.get(("name",), ()), "from")
        given = keys.write(sources.get(("__id__",), ()), "ID, or whether it is there, from")
        arguments = "".join(self._write_argument(leaf, chunk, keys, sources) for leaf in leaves)
        place = next(
            (leaf.origins[-1] for leaf in leaves if leaf.path[2] == "fun" and leaf.origins), None
        )
        sls, env = str(chunk.get("__sls__")), str(chunk.get("__env__"))
        link = f'<a href="{sls_address(env, sls, "../")}">{escape(make_visible(sls))}</a>'
        where = "" if place is None else f"{write_place(place.file, place.line)} "
        return (
            f'<tr id="{anchor}"><th scope="row"><a href="#{anchor}">{number + 1}</a> '
            f"<b>{escape(make_visible(function_of(chunk)))}</b><br>{show_value(own, self._token)}"
            f"{named}{given}</th>"
            f"<td>{f'<ul>{arguments}</ul>' if arguments else ''}</td>"
            f"<td>{around.write(self._token)}</td><td>{where}<small>{link}</small></td></tr>\n"
        )

    def _write_argument(
        self, leaf: RedactedLeaf, chunk: Mapping[Any, Any], keys: "_Keys", sources: Sources
    ) -> str:
        path = leaf.path[2:]
        if path[0] in OWN or path[0] in HIDDEN or path[0] in KINDS:
            return ""
        positions = list_positions(path, chunk.get(path[0]))
        value = show_value(leaf.value, self._token)
        given = keys.write(sources.get(path, ()), "from")
        return f"<li><span>{show_path(path, positions)}</span> {value}{given}</li>"


class _Keys:
    """The pillar keys that arguments came from."""

    def __init__(self, leaves: Leaves, anchors: Mapping[KeyPath, str | None]) -> None:
        self._leaves = leaves
        self._anchors = anchors

    def write(self, paths: Sequence[KeyPath], words: str) -> str:
        """Return links to the rows of keys, each with the place that set it."""
        if not paths:
            return ""
        parts = ", ".join(map(self._link, paths[:MAX_NAMED]))
        more = len(paths) - MAX_NAMED
        return f'<div class="from">{words} {parts}{f" and {more} more" if more > 0 else ""}</div>'

    def _link(self, path: KeyPath) -> str:
        text = show_path(path)
        anchor, leaf = self._anchors.get(path), self._leaves.get(path)
        link = f'<a href="#{anchor}">{text}</a>' if anchor is not None else text
        if leaf is None or not leaf.origins:
            return link
        return f"{link} <small>{write_origin(leaf.origins[-1])}</small>"


class _Around:
    """What one state has to do with others."""

    def __init__(
        self, requisites: Sequence[Requisite], names: Sequence[tuple[str, str]], number: int
    ) -> None:
        self._own = [one for one in requisites if one.owner == number]
        self._others: dict[str, dict[int, None]] = {}
        for one in requisites:
            if number in one.meant:
                self._others.setdefault(KINDS[one.kind], {})[one.owner] = None
        self._names = names

    def write(self, token: TokenOf) -> str:
        """Return it as a list."""
        items = [*self._write_own(token), *self._write_others()]
        return f"<ul>{''.join(items)}</ul>" if items else ""

    def _write_own(self, token: TokenOf) -> Iterator[str]:
        for one in self._own:
            value = one.value if isinstance(one.value, str | Redacted) else str(one.value)
            text = f"{escape(make_visible(one.named))}: {show_value(value, token)}"
            if len(one.meant) == 1:
                text = f'<a href="#s-{one.meant[0] + 1}">{text}</a>'
            elif one.meant:
                text += f" <small>{len(one.meant)} states</small> {self._link(one.meant)}"
            yield f"<li><small>{one.kind}</small> {text}</li>"

    def _write_others(self) -> Iterator[str]:
        for words, numbers in self._others.items():
            yield f"<li><small>{words}</small> {self._link(tuple(numbers))}</li>"

    def _link(self, numbers: Sequence[int]) -> str:
        links = ", ".join(
            f'<a href="#s-{one + 1}">{escape(make_visible(" ".join(self._names[one])))}</a>'
            for one in numbers[:MAX_NAMED]
        )
        more = len(numbers) - MAX_NAMED
        return f"{links} and {more} more" if more > 0 else links


def function_of(chunk: Mapping[Any, Any]) -> str:
    """Return what a state does, as ``pkg.installed``."""
    parts = (chunk.get("state"), chunk.get("fun"))
    return ".".join("?" if isinstance(one, Redacted) else str(one) for one in parts)


def id_of(chunk: Mapping[Any, Any], token: TokenOf) -> str:
    """Return the ID of a state as text; of a secret its token."""
    own = chunk.get("__id__")
    return f"redacted {token(own.place)}" if isinstance(own, Redacted) else str(own)


def sls_address(saltenv: str, sls: str, root: str) -> str:
    """Return the address of a state SLS file's page.

    Args:
        saltenv: Its environment.
        sls: Its name.
        root: How to get to the site's root.
    """
    return f"{root}states/{slug(saltenv)}/{slug(sls)}.html"


def _anchor(path: KeyPath, sections: Mapping[Any, RowSection]) -> str | None:
    return find_anchor(path, sections.get((type(path[0]), path[0])))


def _by_chunk(leaves: Iterable[RedactedLeaf]) -> dict[int, list[RedactedLeaf]]:
    found: dict[int, list[RedactedLeaf]] = {}
    for leaf in leaves:
        if len(leaf.path) > 2 and leaf.path[0] == CHUNKS and isinstance(leaf.path[1], int):
            found.setdefault(leaf.path[1], []).append(leaf)
    return found
