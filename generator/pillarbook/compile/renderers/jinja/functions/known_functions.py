"""The execution functions that some Salt has, by name.

They are those of Salt 3006, 3007 and 3008, and of Salt's extension for Vault. A call of another
name is most likely a slip, and fails on every master.
"""

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files


def is_known(name: str) -> bool:
    """Say whether some Salt has a function."""
    module, _, function = name.partition(".")
    return function in known_functions().get(module, ())


# The file is part of the package, and never changes.
@lru_cache(maxsize=1)
def known_functions() -> Mapping[str, frozenset[str]]:
    """Return the names of the functions of each module."""
    text = files(__package__).joinpath("salt.txt").read_text(encoding="utf-8")
    lines = (line.partition(": ") for line in text.splitlines())
    return {module: frozenset(names.split()) for module, _, names in lines}
