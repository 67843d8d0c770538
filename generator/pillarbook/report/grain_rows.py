"""The grains of a minion, as rows."""

from collections.abc import Iterator, Mapping
from typing import Any

from markupsafe import Markup

from pillarbook.model import KeyPath
from pillarbook.report.key_html import show_path
from pillarbook.report.value_html import TokenOf, show_value


def write_grains(grains: Mapping[str, Any], token: TokenOf) -> Markup:
    """Return grains as table rows, one a value; the scalars of a list share a row."""
    rows = (
        f'<tr><th scope="row">{show_path(path)}</th><td>{_show(value, token)}</td></tr>\n'
        for path, value in _values(grains, ())
        if path
    )
    return Markup("".join(rows))  # noqa: S704 (keys and values are escaped)


def _values(value: Any, path: KeyPath) -> Iterator[tuple[KeyPath, Any]]:
    if isinstance(value, Mapping) and value:
        for key, item in value.items():
            yield from _values(item, (*path, key))
    elif isinstance(value, list) and any(isinstance(item, Mapping | list) for item in value):
        for index, item in enumerate(value):
            yield from _values(item, (*path, index))
    else:
        yield path, value


def _show(value: Any, token: TokenOf) -> str:
    if isinstance(value, list) and value:
        return ", ".join(show_value(item, token) for item in value)
    return show_value(value, token)
