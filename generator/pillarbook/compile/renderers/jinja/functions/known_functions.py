"""The execution functions that some Salt has, by name.

They are those of Salt 3006, 3007 and 3008, and of Salt's extension for Vault. A call of another
name is most likely a slip, and fails on every master.
"""

import difflib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

# As like as `rum` and `run`: `cached_read` is no slip for `patch_raw`, but a module of the site.
LEAST_ALIKE = 0.66
"""How alike two names of functions are for one to be a slip for the other."""


ALWAYS = frozenset(
    (
        *("archive", "cmd", "config", "cp", "data", "defaults", "environ", "event", "file"),
        *("grains", "hashutil", "hosts", "http", "key", "locale", "log", "match", "mine"),
        *("minion", "mount", "network", "out", "pillar", "random", "ret", "saltutil"),
        *("schedule", "sdb", "slsutil", "status", "sys", "temp", "test"),
    )
)
"""Modules that load on every Linux, since their ``__virtual__`` asks for nothing else.

Source: Salt ``salt/modules/*.py``.
"""


def loads_always(name: str) -> bool:
    """Say whether every master has a function, or a module."""
    module, _, function = name.partition(".")
    return module in ALWAYS and (not function or is_known(name))


def is_known(name: str) -> bool:
    """Say whether some Salt has a function."""
    module, _, function = name.partition(".")
    return function in known_functions().get(module, ())


def is_optional(name: str) -> bool:
    """Say whether some masters have a function, and others lack it."""
    return is_known(name) and not loads_always(name)


# By the name, because many minions may fail at the same call.
@lru_cache(maxsize=1024)
def nearest_function(name: str) -> str | None:
    """Return the function whose name is most like one that no Salt has; None if none is."""
    module, _, function = name.partition(".")
    modules = known_functions()
    near = [module] if module in modules else difflib.get_close_matches(module, modules, n=1)
    for one in near:
        names = sorted(modules[one])
        longer = [other for other in names if other.startswith(function)]
        found = difflib.get_close_matches(function, names, n=1, cutoff=LEAST_ALIKE) or longer
        if found:
            return f"{one}.{found[0]}"
    return None


# The file is part of the package, and never changes.
@lru_cache(maxsize=1)
def known_functions() -> Mapping[str, frozenset[str]]:
    """Return the names of the functions of each module."""
    text = files(__package__).joinpath("salt.txt").read_text(encoding="utf-8")
    lines = (line.partition(": ") for line in text.splitlines())
    return {module: frozenset(names.split()) for module, _, names in lines}
