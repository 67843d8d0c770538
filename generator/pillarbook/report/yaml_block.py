"""What is added or removed, in full: as YAML, each line with a sign before it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import yaml

from pillarbook.compare.change import Change
from pillarbook.model import to_tagged
from pillarbook.model.phrases import clip_middle, count
from pillarbook.redact import Redacted
from pillarbook.report.few_values import show_few
from pillarbook.report.value_html import TokenOf, make_visible

MAX_LINES = 60
"""Lines of a block that is cut."""
MAX_LINE = 200
"""Characters of a line in it."""
MAX_TEXT = 80
"""Characters of a value that is shown in the line of its change."""
SIGNS: Mapping[str, str] = {"added": "+", "removed": "-"}


def list_lines(change: Change, token: TokenOf, lead: str | None = None) -> list[str]:
    """Return the lines of what a change adds or removes.

    Empty for other changes, and for a value that is short enough for the line of its change.

    ``lead`` is what the value follows; None for its key.
    """
    sign = SIGNS.get(change.kind)
    value = change.after if change.kind == "added" else change.before
    if sign is None or not change.path or _is_short(value, token):
        return []
    last = change.path[-1] if lead is None else lead
    is_member = lead is None and len(change.path) - 1 in change.positions
    data = [_plain(value, token)] if is_member else {_key(last): _plain(value, token)}
    return [f"{sign} {make_visible(line)}".rstrip() for line in _dump(data)]


def split_sides(change: Change) -> Sequence[Change]:
    """Return a mapping or list that another value replaces, or the reverse, as two changes."""
    if not any(isinstance(one, Mapping | list | tuple) for one in (change.before, change.after)):
        return ()
    return (
        replace(change, kind="removed", after=None),
        replace(change, kind="added", before=None),
    )


def cut_lines(lines: Sequence[str]) -> list[str]:
    """Return the first lines of a block, each without its middle if it is long."""
    shown = [clip_middle(line, MAX_LINE) for line in lines[:MAX_LINES]]
    left = len(lines) - MAX_LINES
    return [*shown, f"{lines[-1][0]} ... {count(left, 'more line')}"] if left > 0 else shown


def _is_short(value: Any, token: TokenOf) -> bool:
    """Say whether a value is shown as a whole in one line."""
    if isinstance(value, Mapping | list | tuple):
        shown = show_few(value, token)
        return shown[0] in "{[" and len(shown) <= MAX_TEXT
    return not isinstance(value, str) or (len(value) <= MAX_TEXT and "\n" not in value)


def _plain(value: Any, token: TokenOf) -> Any:
    """Return data for YAML, with the words for a secret in its place."""
    if isinstance(value, Redacted):
        return f"<redacted: {value.reason}, {token(value.secret_id)}>"
    if isinstance(value, Mapping):
        return {_key(key): _plain(below, token) for key, below in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(below, token) for below in value]
    return value if isinstance(value, float) else to_tagged(value)


def _key(key: Any) -> Any:
    return key if isinstance(key, int | float | bool | None) else str(key)


class _Dumper(yaml.CSafeDumper):
    """Writes shared data out each time: an alias says nothing in a piece of a pillar."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 (as PyYAML calls it)
        return True


def _represent_text(dumper: _Dumper, text: str) -> yaml.ScalarNode:
    """Return a text as YAML: several lines as a block, as people write them."""
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _represent_text)


def _dump(data: Any) -> list[str]:
    text: str = yaml.dump(
        data,
        Dumper=_Dumper,
        sort_keys=False,
        allow_unicode=True,
        default_flow_style=False,
        width=1 << 30,  # a text goes on in its line, where it can be read and searched
    )
    return text.splitlines()
