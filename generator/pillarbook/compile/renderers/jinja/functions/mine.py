"""The mine: data that minions have published, as the inventory declares it.

Salt's ``mine.get`` is for minions. In a pillar, which a master renders, it reads a store of the
master, which is empty. The runner of the same name reads the mine. If mine data is declared, both
read it here.

Source: Salt ``salt/modules/mine.py``, ``salt/runners/mine.py``, ``salt/daemons/masterapi.py``
(``RemoteFuncs._mine_get``), ``salt/modules/saltutil.py`` (``runner``).
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from pillarbook.compile.renderers.jinja.function_errors import UnansweredCallError
from pillarbook.compile.renderers.jinja.functions.function_context import (
    FunctionContext,
    FunctionModule,
)
from pillarbook.compile.renderers.jinja.plain_data import to_plain

_KINDS = (
    "glob",
    "pcre",
    "list",
    "grain",
    "grain_pcre",
    "ipcidr",
    "compound",
    "pillar",
    "pillar_pcre",
)
"""The target types of ``mine.get`` for the master's own store."""
ON_MASTER = "mine-in-pillar"
"""The rule for a call of ``mine.get``."""
NO_MINE = "for mine data, but the inventory has none (`mine:`)"
DECLARE_MINE = "declare mine data of minions in the inventory: `mine: {network.ip_addrs: [...]}`"
_MARK, _DATA = "__saltmine_acl__", "__data__"
"""Keys of a mine entry with access control."""


class Mine(FunctionModule):
    """The module ``mine``."""

    def get(
        self,
        tgt: Any,
        fun: Any,
        tgt_type: str = "glob",
        exclude_minion: Any = False,  # noqa: ARG002 (the master is none of the minions)
    ) -> Any:
        """Return mine data of minions.

        Several functions are a list, or a text with commas. ``exclude_minion`` has no effect.

        Returns:
            Shape ``{minion: data}``; of several functions ``{function: {minion: data}}``. Where
            no mine data is declared, it is what a master gives: nothing.
        """
        self._context.remark(ON_MASTER)
        if self._context.mine.is_declared:
            return read_mine(self._context, tgt, fun, tgt_type)
        if tgt_type not in _KINDS:
            raise KeyError(tgt_type)
        return {}


class SaltUtil(FunctionModule):
    """The module ``saltutil``: only the runner that reads declared data."""

    def runner(
        self,
        name: str,
        arg: Any = None,
        kwarg: Any = None,
        full_return: Any = False,
        saltenv: Any = "base",  # noqa: ARG002 (the mine has no environments)
        jid: Any = None,
        **options: Any,
    ) -> Any:
        """Return what the runner ``mine.get`` gives.

        ``saltenv`` and ``jid`` have no effect, and ``options`` are more named arguments.
        """
        if name != "mine.get" or full_return or jid:
            raise UnansweredCallError("with a runner; pillarbook runs none")
        if not self._context.mine.is_declared:
            raise UnansweredCallError(NO_MINE, DECLARE_MINE)
        named = {key: value for key, value in options.items() if not key.startswith("__")}
        return _run_get(self._context, *(arg or ()), **{**(kwarg or {}), **named})


def _run_get(context: FunctionContext, tgt: Any, fun: Any, tgt_type: str = "glob") -> Any:
    return read_mine(context, tgt, fun, tgt_type)


def read_mine(context: FunctionContext, tgt: Any, fun: Any, tgt_type: str) -> dict[str, Any]:
    """Return mine data of the minions that a target matches; see ``Mine.get``."""
    if isinstance(fun, str):
        functions = list(dict.fromkeys(fun.split(",")))
        by_function = len(functions) > 1
    elif isinstance(fun, list):
        functions, by_function = fun, True
    else:
        return {}
    allowed = _allowed(context, functions)
    found: dict[str, Any] = {}
    for minion in context.mine.matching(tgt, tgt_type) if allowed else ():
        data = context.mine.data_of(minion)
        for function in allowed:
            if function not in data or not _may_read(context, data[function]):
                continue
            entry = to_plain(_unwrap(data[function]))
            if by_function:
                found.setdefault(function, {})[minion] = entry
            else:
                found[minion] = entry
    return found


def _allowed(context: FunctionContext, functions: list[Any]) -> list[Any]:
    """Return the functions that the option ``mine_get`` allows for the id of the caller."""
    if "mine_get" not in context.master_opts:
        return functions
    rules = context.master_opts["mine_get"]
    if not isinstance(rules, Mapping):
        return []
    own = context.own_id
    patterns = [
        pattern
        for minions, given in rules.items()
        if re.match(minions, own) and isinstance(given, list)
        for pattern in given
    ]
    return [one for one in functions if any(re.match(pattern, one) for pattern in patterns)]


def _unwrap(entry: Any) -> Any:
    return entry[_DATA] if isinstance(entry, Mapping) and _MARK in entry else entry


def _may_read(context: FunctionContext, entry: Any) -> bool:
    """Say whether the minion that published an entry allows the id of the caller to read it."""
    if not isinstance(entry, Mapping) or _MARK not in entry or "allow_tgt" not in entry:
        return True
    kind = entry.get("allow_tgt_type", "glob")
    ids: Iterable[str] = context.mine.matching(entry["allow_tgt"], kind)
    return context.own_id in ids
