"""The table lookup for ``grains.filter_by`` and ``pillar.filter_by``.

Source: Salt ``salt/utils/data.py`` (``filter_by``).
"""

import fnmatch
from collections.abc import Mapping
from typing import Any

from pillarbook.compile.matchers.traverse import traverse
from pillarbook.compile.renderers.jinja.function_errors import SaltTemplateError
from pillarbook.compile.renderers.jinja.plain_data import to_plain
from pillarbook.compile.renderers.jinja.plain_merge import update


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
