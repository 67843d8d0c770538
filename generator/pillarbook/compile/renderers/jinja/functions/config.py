"""Functions for configuration: they search options, grains and pillar in turn.

Salt's own defaults for the settings of some modules are not included.

Source: Salt ``salt/modules/config.py``.
"""

import fnmatch
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pillarbook.compile.matchers.traverse import traverse
from pillarbook.compile.renderers.jinja.functions.function_context import FunctionModule
from pillarbook.compile.renderers.jinja.plain_merge import merge as merge_mappings

_ABSENT = object()


class Config(FunctionModule):
    """The module ``config``."""

    def get(  # noqa: PLR0913, PLR0917 (Salt's signature)
        self,
        key: Any,
        default: Any = "",
        delimiter: str = ":",
        merge: Any = None,
        omit_opts: Any = False,
        omit_pillar: Any = False,
        omit_master: Any = False,
        omit_grains: Any = False,
    ) -> Any:
        """Return what is at a path in the options, else the grains, the pillar, ``pillar:master``.

        ``delimiter`` is between the keys of the path. ``merge`` is ``recurse`` or ``overwrite`` to
        merge all of them and search that instead.
        """
        if merge is not None:
            return traverse(self._merge_all(merge), key, default, delimiter)
        for place in self._places((omit_opts, omit_grains, omit_pillar, omit_master)):
            found = traverse(place, key, _ABSENT, delimiter)
            if found is not _ABSENT:
                return found
        return default

    def option(  # noqa: PLR0913, PLR0917 (Salt's signature)
        self,
        value: Any,
        default: Any = None,
        omit_opts: Any = False,
        omit_grains: Any = False,
        omit_pillar: Any = False,
        omit_master: Any = False,
        omit_all: Any = False,
        wildcard: Any = False,
    ) -> Any:
        """Return a top-level setting; with ``wildcard`` all that a glob matches, by name."""
        omitted = [
            bool(omit_all or omit) for omit in (omit_opts, omit_grains, omit_pillar, omit_master)
        ]
        if wildcard:
            found: dict[Any, Any] = {}
            for place in reversed(list(self._places(omitted))):
                found.update((name, place[name]) for name in fnmatch.filter(place, value))
            return found or ({} if default is None else default)
        for place in self._places(omitted):
            if value in place:
                return place[value]
        return "" if default is None else default

    def _places(self, omitted: Sequence[Any]) -> Iterator[Mapping[str, Any]]:
        """Yield the places to search, in order; a place is read only when it is needed."""
        omit_opts, omit_grains, omit_pillar, omit_master = omitted
        if not omit_opts:
            yield self._context.master_opts
        if not omit_grains:
            yield self._context.grains
        if not omit_pillar:
            yield self._context.pillar
        if not omit_master:
            yield self._context.pillar.get("master", {})

    def _merge_all(self, strategy: str) -> Any:
        if strategy not in ("recurse", "overwrite"):
            strategy = "recurse"
        merged: Any = {}
        for place in reversed(list(self._places((False, False, False, False)))):
            merged = merge_mappings(merged, place, strategy)
        return merged
