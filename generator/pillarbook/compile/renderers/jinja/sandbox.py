"""Jinja's sandbox, with a short way for what templates do most.

Jinja asks some twenty questions about each attribute and each call. Where the object is a plain
``dict``, ``list``, text or number, their answers are known beforehand.
"""

import types
from collections.abc import Mapping
from typing import Any

from jinja2.runtime import Context
from jinja2.sandbox import SandboxedEnvironment

_KINDS: tuple[type[Any], ...] = (str, int, float, bool, dict, list, tuple)
_FORMATS = ("format", "format_map")
"""Methods that Jinja guards in its own way, as they reach attributes."""
_METHODS: Mapping[type[Any], frozenset[str]] = {
    kind: frozenset(name for name in dir(kind) if name[0] != "_" and name not in _FORMATS)
    for kind in _KINDS
}
"""What may be had of an object of exactly this type."""
_OF_DICT = frozenset(dir(dict))


class QuickSandbox(SandboxedEnvironment):
    """A sandbox that gives and refuses what Jinja's own does."""

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Return an attribute of an object, else its member, else an undefined value."""
        kind = type(obj)
        methods = _METHODS.get(kind)
        if methods is not None:
            if attribute in methods:
                return getattr(obj, attribute)
            if kind is dict and attribute not in _OF_DICT and attribute in obj:
                return obj[attribute]
        return super().getattr(obj, attribute)

    def call(self, context: Context, called: Any, /, *arguments: Any, **options: Any) -> Any:
        """Call what a template calls."""
        if type(called) is types.BuiltinMethodType and type(called.__self__) in _METHODS:
            options.pop("_block_vars", None)
            options.pop("_loop_vars", None)
            return called(*arguments, **options)
        return super().call(context, called, *arguments, **options)
