"""Functions about grains.

Source: Salt ``salt/modules/grains.py``, ``salt/utils/data.py`` (``filter_by``).
"""

import fnmatch
import math
from collections.abc import Callable, Mapping
from typing import Any

from pillarbook.compile.matchers.traverse import traverse
from pillarbook.compile.renderers.jinja.function_errors import SaltTemplateError
from pillarbook.compile.renderers.jinja.plain_data import to_plain
from pillarbook.compile.renderers.jinja.plain_merge import update

_ABSENT = object()


class Grains:
    """The module ``grains``."""

    def __init__(self, context: Any) -> None:
        self._grains: Mapping[str, Any] = context.grains

    def get(self, key: Any, default: Any = "", delimiter: str = ":", ordered: Any = True) -> Any:
        """Return the grain at a path, or the default."""
        if ordered is not True:  # Salt's loader hands over an object that cannot be written
            raise TypeError("Object of type NamedLoaderContext is not JSON serializable")
        return traverse(self._grains, key, default, delimiter)

    fetch = get

    def has_value(self, key: Any) -> bool:
        """Say whether there is a grain at a path."""
        return traverse(self._grains, key, _ABSENT) is not _ABSENT

    def items(self, sanitize: Any = False) -> dict[str, Any]:
        """Return all grains, in a mapping of their own."""
        grains = dict(self._grains.items())
        return _sanitize(grains) if _is_true(sanitize) else grains

    def item(self, *keys: Any, **options: Any) -> dict[Any, Any]:
        """Return the grains at some paths, by path.

        Options are ``default``, ``delimiter`` and ``sanitize``; others do not count.
        """
        default, delimiter = options.get("default", ""), options.get("delimiter", ":")
        found = {key: traverse(self._grains, key, default, delimiter) for key in keys}
        return _sanitize(found) if _is_true(options.get("sanitize")) else found

    def ls(self) -> list[str]:
        """Return the names of all grains, sorted."""
        return sorted(self._grains)

    def equals(self, key: Any, value: Any) -> bool:
        """Say whether a grain prints like a value."""
        return str(value) == str(self.get(key))

    def filter_by(
        self,
        lookup_dict: Any,
        grain: Any = "os_family",
        merge: Any = None,
        default: Any = "default",
        base: Any = None,
    ) -> Any:
        """Return the entry of a table whose glob matches a grain."""
        return choose_by_value(
            lookup_dict, self._grains, grain, merge=merge, default=default, base=base
        )


def _mask_end(text: Any) -> str:
    shown = math.floor(len(text) * 0.75)
    return str(text[:shown]) + "X" * (len(text) - shown)


_SANITIZERS: Mapping[str, Callable[[Any], str]] = {
    "serialnumber": _mask_end,
    "domain": lambda _: "DOMAINNAME",
    "fqdn": lambda _: "MINION.DOMAINNAME",
    "id": lambda _: "MINION.DOMAINNAME",
    "host": lambda _: "MINION",
    "localhost": lambda _: "MINION",
    "nodename": lambda _: "MINION",
}


def _sanitize(grains: dict[Any, Any]) -> dict[Any, Any]:
    return {
        name: _SANITIZERS[name](value) if name in _SANITIZERS else value
        for name, value in grains.items()
    }


def _is_true(value: Any) -> bool:
    """Say whether a flag is set: a positive number, the word true, or what Python takes as true.

    Source: Salt ``salt/utils/data.py`` (``is_true``).
    """
    for number in (int, float):
        try:
            value = number(value)
        except (ValueError, TypeError):
            continue
    if isinstance(value, float):
        return value > 0
    return value.lower() == "true" if isinstance(value, str) else bool(value)


def choose_by_value(table: Any, data: Any, key: Any, *, merge: Any, default: Any, base: Any) -> Any:
    """Return the entry of a table for a value in data.

    ``table`` has entries by globs; of a list at ``key``, the first item that a glob matches counts.
    ``merge`` is merged over the entry, which is changed. ``default`` is the table's key if nothing
    matches, ``base`` that of an entry that is merged below the others.
    """
    value = traverse(data, key, [])
    chosen = _first_match(table, value if isinstance(value, list) else [value])
    if chosen is None:
        chosen = table.get(default, None)
    if base and base in table:
        chosen = _put_under(chosen, table[base])
    if not merge:
        return chosen
    if not isinstance(merge, Mapping):
        raise SaltTemplateError("filter_by merge argument must be a dictionary.")
    if chosen is None:
        return merge
    update(chosen, to_plain(merge))
    return chosen


def _first_match(table: Any, values: list[Any]) -> Any:
    for value in values:
        for glob in table:
            if fnmatch.fnmatchcase(str(value), str(glob)):
                if table[glob] is not None:
                    return table[glob]
                break  # an entry that is null counts as none, and ends the search for this value
    return None


def _put_under(chosen: Any, base: Any) -> Any:
    if chosen is None:
        return base
    if not isinstance(base, Mapping):
        return chosen
    if not isinstance(chosen, Mapping):
        raise SaltTemplateError("filter_by default and look-up values must both be dictionaries.")
    return update(to_plain(base), chosen)
