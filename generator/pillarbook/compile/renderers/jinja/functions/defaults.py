"""Functions about the defaults of formulas.

Source: Salt ``salt/modules/defaults.py``.
"""

import json
from typing import Any

from pillarbook.compile.matchers.traverse import traverse
from pillarbook.compile.renderers.jinja.functions.function_context import FunctionModule
from pillarbook.compile.renderers.jinja.plain_data import to_plain
from pillarbook.compile.renderers.jinja.plain_merge import update as update_mapping
from pillarbook.compile.renderers.yaml_loader import load_plain


class Defaults(FunctionModule):
    """The module ``defaults``."""

    def get(self, key: str, default: Any = "") -> Any:
        """Return a value of ``salt://FORMULA/defaults.yaml``; the first key is the formula."""
        formula, _, path = key.partition(":")
        loaded = self._load(formula)
        return traverse(loaded, path, default) if path else loaded

    def _load(self, formula: str) -> Any:
        saltenv = self._context.master_opts.get("saltenv") or "base"
        for suffix, load in (("yaml", load_plain), ("json", json.loads)):
            content = self._context.trees.read_state(f"{formula}/defaults.{suffix}", saltenv)
            if content is not None:
                return load(content.decode("utf-8", "replace")) or {}
        return None

    def deepcopy(self, source: Any) -> Any:
        """Return a copy that shares nothing."""
        return to_plain(source)

    def merge(
        self,
        dest: Any,
        src: Any,
        merge_lists: Any = False,
        in_place: Any = True,
        convert_none: Any = True,
    ) -> Any:
        """Merge one mapping over another, which it changes unless ``in_place`` is off."""
        if convert_none and dest is None:
            if in_place:
                raise TypeError("Can't perform in-place merge into NoneType")
            dest = {}
        source = {} if convert_none and src is None else src
        return update_mapping(dest if in_place else to_plain(dest), source, merge_lists=merge_lists)

    def update(
        self,
        dest: Any,
        defaults: Any,
        merge_lists: Any = True,
        in_place: Any = True,
        convert_none: Any = True,
    ) -> Any:
        """Put defaults under each member of a mapping, which changes unless ``in_place`` is off."""
        if dest is None and in_place:
            raise TypeError("Can't perform in-place update into NoneType")
        nodes = dest if in_place else to_plain({} if dest is None and convert_none else dest)
        under = {} if defaults is None and convert_none else defaults
        for name, node in list(nodes.items()):
            nodes[name] = self.merge(
                to_plain(under), node, merge_lists=merge_lists, convert_none=convert_none
            )
        return nodes
