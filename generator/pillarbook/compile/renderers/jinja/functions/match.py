"""Functions that match targets with the minion.

Ids in a target are compared with the *master's* own id, unless ``minion_id`` is given.

Source: Salt ``salt/modules/match.py``.
"""

import re
from collections.abc import Mapping
from typing import Any

from pillarbook.compile.matchers.ipcidr_match import find_version
from pillarbook.compile.renderers.jinja.function_errors import SaltTemplateError
from pillarbook.compile.renderers.jinja.functions.function_context import FunctionModule
from pillarbook.compile.renderers.jinja.plain_data import to_plain
from pillarbook.compile.renderers.jinja.plain_merge import update

_NEVER = "SALT_IFELSE_MATCH_NOTHING"
_OTHERWISE = "SALT_IFELSE_FUNCTION_DEFAULT"


class Match(FunctionModule):
    """The module ``match``."""

    def _match(
        self, target: Any, matcher: str, minion_id: Any = None, delimiter: str = ":"
    ) -> bool:
        """Match a target; an invalid expression matches nothing."""
        name = None if minion_id is None else str(minion_id)
        try:
            return self._context.match_target(target, matcher, name, delimiter)
        except (re.error, ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            return False

    def compound(self, tgt: Any, minion_id: Any = None) -> bool:
        """Say whether a compound target matches."""
        return self._match(tgt, "compound", minion_id)

    def glob(self, tgt: Any, minion_id: Any = None) -> bool:
        """Say whether a glob matches the id."""
        return self._match(tgt, "glob", minion_id)

    def pcre(self, tgt: Any, minion_id: Any = None) -> bool:
        """Say whether a regular expression matches the id."""
        return self._match(tgt, "pcre", minion_id)

    def list_(self, tgt: Any, minion_id: Any = None) -> bool:
        """Say whether the id is in a list: ``match.list``."""
        return self._match(tgt, "list", minion_id)

    def ipcidr(self, tgt: Any) -> Any:
        """Say whether the minion has an address in a network; an empty list for another target.

        Source: Salt ``salt/matchers/ipcidr_match.py``.
        """
        try:
            is_address = find_version(tgt) is not None
        except TypeError:  # a list, say
            is_address = False
        return self._match(tgt, "ipcidr") if is_address else []

    def data(self, tgt: Any) -> bool:
        """Say whether the minion's data matches."""
        return self._match(tgt, "data")

    def grain(self, tgt: Any, delimiter: str = ":") -> bool:
        """Say whether a grain matches a glob."""
        return self._match(tgt, "grain", delimiter=delimiter)

    def grain_pcre(self, tgt: Any, delimiter: str = ":") -> bool:
        """Say whether a grain matches a regular expression."""
        return self._match(tgt, "grain_pcre", delimiter=delimiter)

    def pillar(self, tgt: Any, delimiter: str = ":") -> bool:
        """Say whether a pillar value matches a glob."""
        return self._match(tgt, "pillar", delimiter=delimiter)

    def pillar_pcre(self, tgt: Any, delimiter: str = ":") -> bool:
        """Say whether a pillar value matches a regular expression."""
        return self._match(tgt, "pillar_pcre", delimiter=delimiter)

    def filter_by(
        self,
        lookup: Any,
        tgt_type: str = "compound",
        minion_id: Any = None,
        merge: Any = None,
        merge_lists: Any = False,
        default: Any = "default",
    ) -> Any:
        """Return the entry of the first target that matches.

        ``lookup`` has entries by targets, and ``tgt_type`` is the function of this module that
        decides. ``merge`` is merged over the entry, which is changed. ``default`` is the key if
        nothing matches.
        """
        for target in lookup:
            if self._matches(target, tgt_type, minion_id):
                break
        else:
            return lookup.get(default, None)
        if not merge:
            return lookup[target]
        if not isinstance(merge, Mapping):
            raise SaltTemplateError("filter_by merge argument must be a dictionary.")
        if lookup[target] is None:
            return merge
        update(lookup[target], to_plain(merge), merge_lists=merge_lists)
        return lookup[target]

    def search_by(self, lookup: Any, tgt_type: str = "compound", minion_id: Any = None) -> Any:
        """Return the keys of a table of targets that match, each once; None if none matches."""
        matched = [
            key
            for key, targets in lookup.items()
            for target in targets
            if self._matches(target, tgt_type, minion_id)
        ]
        return matched or None

    def ifelse(
        self,
        *arguments: Any,
        tgt_type: str = "compound",
        minion_id: Any = None,
        merge: Any = None,
        merge_lists: Any = False,
    ) -> Any:
        """Return the value after the first target that matches, or the last argument."""
        if len(arguments) % 2 == 0:
            raise SaltTemplateError("The ifelse function must have an odd number of arguments!")
        if len(arguments) == 1:
            return arguments[0]
        targets = [
            "*" if key is True else _NEVER if key is False else key for key in arguments[::2]
        ]
        lookup = dict(zip(targets, arguments[1::2], strict=False))
        lookup[_OTHERWISE] = arguments[-1]
        return self.filter_by(lookup, tgt_type, minion_id, merge, merge_lists, _OTHERWISE)

    def _matches(self, target: Any, tgt_type: str, minion_id: Any) -> Any:
        """Call a function of this module by its name in Salt's source: ``list_``, not ``list``."""
        if tgt_type.startswith("_") or not hasattr(self, tgt_type):
            raise KeyError(tgt_type)
        return getattr(self, tgt_type)(target, *([minion_id] if minion_id else []))
