"""What differs between two sides, as the rows of a table."""

import difflib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import escape
from itertools import islice
from typing import Any

from pillarbook.compare import ANY_POSITION, Change
from pillarbook.compare.secret_pairs import tell_secrets
from pillarbook.model import KeyPath
from pillarbook.redact.model import RedactedOrigin
from pillarbook.report.keys import row_id, show_path
from pillarbook.report.rows import write_origin
from pillarbook.report.values import MOST_LINES as MOST_OPEN
from pillarbook.report.values import Token, make_visible, show_key, show_value

MOST_LINES = 200
"""Lines of one value, or of the difference of two, that a page shows."""
MOST_CHARACTERS = 20_000
"""Characters of the same."""
LONGEST_LINE = 2000
"""Characters of a line of it."""
MOST_DIFFED = 2000
"""Lines that two texts may have together to be compared line by line."""
MOST_KEYS = 30
"""Keys of a reordered mapping that are named."""


@dataclass(frozen=True, slots=True)
class ChangeRows:
    """Writes the changes from one side to another."""

    token: Token
    """Gives tokens of secrets."""
    names: tuple[str, str]
    """The names of both sides, escaped."""

    def write(
        self, change: Change, path: KeyPath, anchor: str, *, notes: str = "", last: str = ""
    ) -> str:
        """Return one change as a row: path, kind, before, after.

        Args:
            change: What differs.
            path: Where, as it is shown: with or without list positions.
            anchor: The row's id, percent-encoded.
            notes: What is said below the path, as HTML.
            last: A further cell.
        """
        shown = show_change_path(path, change.positions)
        return (
            f'<tr id="{anchor}"><th scope="row"><a href="#{anchor}">{shown}</a>{notes}</th>'
            f'<td><span class="kind {change.kind}">{change.kind}</span></td>'
            f"{self._write_sides(change)}{last}</tr>\n"
        )

    def _write_sides(self, change: Change) -> str:
        before, after = change.before, change.after
        if change.kind == "changed" and _are_long(before, after):
            places = (
                f"{write_set(change.before_origin)} → {write_set(change.after_origin)}"
                f"<br>{write_difference(before, after)}"
            )
            return f'<td class="both" colspan="2">{places}</td>'
        return (
            f'<td data-l="{self.names[0]}">{self._write_side(change, "before")}</td>'
            f'<td data-l="{self.names[1]}">{self._write_side(change, "after")}</td>'
        )

    def _write_side(self, change: Change, side: str) -> str:
        is_before = side == "before"
        if change.kind == ("added" if is_before else "removed"):
            return ""
        data = change.before if is_before else change.after
        origin = write_set(change.before_origin if is_before else change.after_origin)
        if change.kind == "reordered":
            return write_keys(data)
        shown = self._show(data)
        if change.kind == "moved":
            position = change.moved_from if is_before else change.moved_to
            shown = f"<small>position {position}</small> {shown}"
        elif not is_before and tell_secrets(change) is not None:
            shown += f" <small>{tell_secrets(change)}</small>"
        return f"{shown}{'' if shown.endswith('</pre>') else '<br>'}{origin}" if origin else shown

    def _show(self, data: Any) -> str:
        return write_tree(data, self.token) if _is_tall(data) else _show_scalar(data, self.token)


def show_change_path(path: KeyPath, positions: Iterable[int]) -> str:
    """Return the path of a change as HTML.

    Args:
        path: The keys, ``ANY_POSITION`` for list positions that are not told.
        positions: Which of its places are list positions.
    """
    return show_path(_name_positions(path), positions) if path else "<b>top-level keys</b>"


def anchor_of(path: KeyPath) -> str:
    """Return the id of a path's first row; other changes there need more than that."""
    return row_id(_name_positions(path))


def _name_positions(path: KeyPath) -> KeyPath:
    return tuple(str(key) if key is ANY_POSITION else key for key in path)


def write_set(origin: RedactedOrigin | None) -> str:
    """Return where a value was set: file, line and SLS."""
    return "" if origin is None else write_origin(origin)


def write_keys(keys: Iterable[Any]) -> str:
    """Return the keys of a mapping in their order."""
    names = [f"<code>{show_key(key)}</code>" for key in keys]
    more = len(names) - MOST_KEYS
    return ", ".join(names[:MOST_KEYS]) + (f" and {more} more" if more > 0 else "")


def write_difference(before: str, after: str) -> str:
    """Return two texts as what went and what came, line by line."""
    lines = difflib.unified_diff(before.split("\n"), after.split("\n"), n=2, lineterm="")
    marks = {"-": "del", "+": "ins"}
    shown = (
        f"<{tag}>{text}</{tag}>" if (tag := marks.get(line[:1])) else text
        for line in islice(lines, 2, None)  # without the names of files
        for text in [_write_line(line)]
    )
    return _wrap("difference", shown)


def write_tree(data: Any, token: Token) -> str:
    """Return a mapping, a list or a text of several lines, much as YAML has it."""
    return _wrap("tree", _write_lines(data, token, ""))


def _wrap(css: str, lines: Iterator[str]) -> str:
    shown: list[str] = []
    length = 0
    for line in lines:
        if len(shown) == MOST_LINES or length > MOST_CHARACTERS:
            left = 1 + sum(1 for _ in lines)
            shown.append(
                f"<small>… {left} more {'line' if left == 1 else 'lines'}, in the JSON</small>"
            )
            break
        shown.append(line)
        length += len(line)
    folded = ' long" tabindex="0' if len(shown) > MOST_OPEN else ""
    # HTML drops a line break that follows <pre> at once.
    text = "\n".join(shown)
    return f'<pre class="{css}{folded}">\n{text}</pre>'


def _write_lines(data: Any, token: Token, indent: str) -> Iterator[str]:
    if isinstance(data, Mapping):
        for key, value in data.items():
            yield from _write_entry(f"{indent}{show_key(key)}:", value, token, indent + "  ")
    elif isinstance(data, list):
        for value in data:
            yield from _write_entry(f"{indent}-", value, token, indent + "  ")
    else:
        yield from (indent + _write_line(line) for line in data.split("\n"))


def _write_entry(head: str, value: Any, token: Token, indent: str) -> Iterator[str]:
    if not _is_tall(value):
        yield f"{head} {_show_scalar(value, token)}"
        return
    yield f"{head} |" if isinstance(value, str) else head
    yield from _write_lines(value, token, indent)


def _is_tall(data: Any) -> bool:
    """Say whether data takes lines of its own: a text of several, or what has members."""
    if isinstance(data, str):
        return "\n" in data[:-1]
    return isinstance(data, Mapping | list) and bool(data)


def _write_line(line: str) -> str:
    return escape(make_visible(line[:LONGEST_LINE])) + _count_left(len(line) - LONGEST_LINE)


def _show_scalar(value: Any, token: Token) -> str:
    if isinstance(value, str) and len(value) > LONGEST_LINE:
        return show_value(value[:LONGEST_LINE], token) + _count_left(len(value) - LONGEST_LINE)
    return show_value(value, token)


def _count_left(characters: int) -> str:
    if characters <= 0:
        return ""
    return f"<small>… {characters} more characters, in the JSON</small>"


def _are_long(before: Any, after: Any) -> bool:
    """Say whether both are texts, one of several lines, and not too long to be compared so."""
    if not (isinstance(before, str) and isinstance(after, str)):
        return False
    breaks = before.count("\n") + after.count("\n")
    return (_is_tall(before) or _is_tall(after)) and breaks <= MOST_DIFFED
