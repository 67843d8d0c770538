"""Functions for the pillar that templates see during the compile.

Functions that would compile the pillar again (``items``, ``ls``, ``data``, and ``get`` for another
environment) are available only to a minion that renders its states.

Source: Salt ``salt/modules/pillar.py``.
"""

from collections.abc import Mapping
from typing import Any

from jinja2 import Undefined

from pillarbook.compile.matchers.traverse import keys_of, traverse
from pillarbook.compile.missing_reads import note_bare_miss
from pillarbook.compile.reads import PillarCopy
from pillarbook.compile.renderers.jinja.function_errors import SaltFunctionError
from pillarbook.compile.renderers.jinja.functions.function_context import FunctionContext
from pillarbook.compile.renderers.jinja.functions.grains import choose_by_value
from pillarbook.compile.renderers.jinja.plain_data import to_plain
from pillarbook.compile.renderers.jinja.plain_merge import update

_NOT_SET = "__unset__"
_MASK = "**********"
_ABSENT: Any = KeyError
_NOTHING: Any = object()


class Pillar:
    """The module ``pillar``."""

    def __init__(self, context: FunctionContext) -> None:
        self._context = context
        self._pillar = context.pillar

    def get(  # noqa: PLR0913, PLR0917 (Salt's signature)
        self,
        key: Any,
        default: Any = _NOT_SET,
        merge: Any = False,
        merge_nested_lists: Any = None,
        delimiter: str = ":",
        pillarenv: Any = None,
        saltenv: Any = None,
        unmask: Any = None,
    ) -> Any:
        """Return the pillar value at a path, or the default.

        If ``merge``, what is there is merged over the default; unset, ``merge_nested_lists`` is the
        option ``pillar_merge_lists``. ``pillarenv`` and ``saltenv`` would ask for another compile.
        With ``unmask`` off, asterisks replace the values; unset, templates see them.
        """
        _refuse_environment(pillarenv, saltenv)
        options = self._context.master_opts
        is_bare = isinstance(default, str | Undefined) and default == _NOT_SET
        if is_bare:
            default = _ABSENT if options.get("pillar_raise_on_missing") else ""
        if merge:
            if merge_nested_lists is None:
                merge_nested_lists = options.get("pillar_merge_lists", False)
            merged = self._merge_over(default, key, delimiter, merge_nested_lists)
            if merged is not None:
                return _show(merged, unmask)
        found = traverse(self._pillar, key, _NOTHING, delimiter)
        if found is not _NOTHING:
            return _show(found, unmask)
        if is_bare:
            note_bare_miss(self._pillar, keys_of(key, delimiter))
        if default is _ABSENT:
            raise KeyError(f"Pillar key not found: {key}")
        return _show(default, unmask)

    fetch = get

    def _merge_over(self, default: Any, key: Any, delimiter: str, merge_lists: Any) -> Any:
        """Return pillar merged over the default; None if their types do not match."""
        if isinstance(default, dict):
            found = traverse(self._pillar, key, {}, delimiter)
            if isinstance(found, Mapping):
                return update(to_plain(default), found, merge_lists=merge_lists)
        elif isinstance(default, list):
            found = traverse(self._pillar, key, [], delimiter)
            if isinstance(found, list):
                merged = to_plain(default)
                merged.extend([item for item in found if item not in merged])
                return merged
        return None

    def item(
        self,
        *keys: Any,
        default: Any = None,
        delimiter: str | None = None,
        pillarenv: Any = None,
        saltenv: Any = None,
        unmask: Any = None,
    ) -> dict[Any, Any]:
        """Return the values at some paths, by path."""
        _refuse_environment(pillarenv, saltenv)
        missing = "" if default is None else default
        found = {key: traverse(self._pillar, key, missing, delimiter or ":") for key in keys}
        return {key: _show(value, unmask) for key, value in found.items()}

    def raw(self, key: Any = None, unmask: Any = None) -> Any:
        """Return a top-level value, or all of them in a new mapping."""
        return _show(self._pillar.get(key, {}) if key else PillarCopy(self._pillar.items()), unmask)

    def keys(self, key: Any, delimiter: str = ":", unmask: Any = None) -> list[Any]:  # noqa: ARG002 (keys are never masked)
        """Return the keys of the mapping at a path."""
        found = traverse(self._pillar, key, _ABSENT, delimiter)
        if found is _ABSENT:
            raise KeyError(f"Pillar key not found: {key}")
        if not isinstance(found, Mapping):
            raise ValueError(f"Pillar value in key {key} is not a dict")  # noqa: TRY004 (Salt's)
        return list(found)

    def file_exists(self, path: str, saltenv: str | None = None) -> bool:
        """Say whether a pillar root has a file, of any environment unless one is named."""
        return self._context.trees.has_pillar_file(path, saltenv or None)

    def filter_by(
        self,
        lookup_dict: Any,
        pillar: Any,
        merge: Any = None,
        default: Any = "default",
        base: Any = None,
    ) -> Any:
        """Return the entry of a table whose glob matches a pillar value."""
        return choose_by_value(
            lookup_dict, self._pillar, pillar, merge=merge, default=default, base=base
        )


class MinionPillar(Pillar):
    """The module ``pillar`` of a minion that renders its states, and so has its whole pillar."""

    def items(self, *keys: Any, pillar: Any = None, **options: Any) -> dict[Any, Any]:
        """Return the pillar, or the values at some paths.

        ``pillar`` would be merged in another compile, and ``pillarenv`` and ``saltenv`` would ask
        for one.
        """
        _refuse_environment(options.get("pillarenv"), options.get("saltenv"))
        if pillar:
            raise SaltFunctionError("no other pillar is compiled inside a template")
        unmask = options.get("unmask")
        return self.item(*keys, unmask=unmask) if keys else self.raw(unmask=unmask)

    data = items

    def ls(self, **options: Any) -> list[Any]:
        """Return the top-level keys."""
        return list(self.items(**options))


def _show(value: Any, unmask: Any) -> Any:
    """Return a value; if masking is requested, with asterisks for all non-empty values in it.

    Source: Salt ``salt/utils/secret.py`` (``serial``).
    """
    if unmask is None or unmask:
        return value
    if isinstance(value, dict):
        return {key: _show(item, unmask) for key, item in value.items()}
    if isinstance(value, list):
        return [_show(item, unmask) for item in value]
    if not isinstance(value, str | bytes | int | float) or not value:
        return value
    return _MASK.encode() if isinstance(value, bytes) else _MASK


def _refuse_environment(pillarenv: Any, saltenv: Any) -> None:
    if pillarenv is not None or saltenv is not None:
        raise SaltFunctionError(
            "the pillar of another environment is not compiled inside a template"
        )
