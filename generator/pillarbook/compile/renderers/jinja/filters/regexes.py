"""Regular expressions as filters and tests.

Source: Salt ``salt/utils/jinja.py``.
"""

import re
from collections.abc import Callable
from typing import Any


def _flags(ignorecase: Any, multiline: Any) -> int:
    return (re.IGNORECASE if ignorecase else 0) | (re.MULTILINE if multiline else 0)


def _groups(found: re.Match[str] | None) -> tuple[Any, ...] | None:
    """Return what the groups hold; of an expression without groups the whole match."""
    if found is None:
        return None
    return found.groups() or (found.group(),)


def regex_search(txt: str, rgx: str, ignorecase: Any = False, multiline: Any = False) -> Any:
    """Return the groups of the first match anywhere, None without one."""
    return _groups(re.search(rgx, txt, _flags(ignorecase, multiline)))


def regex_match(txt: str, rgx: str, ignorecase: Any = False, multiline: Any = False) -> Any:
    """Return the groups of a match at the beginning, None without one."""
    return _groups(re.match(rgx, txt, _flags(ignorecase, multiline)))


def regex_replace(
    txt: str, rgx: str, val: Any, ignorecase: Any = False, multiline: Any = False
) -> str:
    """Return the text with every match replaced."""
    return re.compile(rgx, _flags(ignorecase, multiline)).sub(val, txt)


def matches(txt: str, rgx: str, ignorecase: Any = False, multiline: Any = False) -> bool:
    """Say whether a text begins with a match: the test ``match``."""
    return re.match(rgx, txt, _flags(ignorecase, multiline)) is not None


def is_equal(value: Any, other: Any) -> Any:
    """Say whether two values are equal: the test ``equalto``."""
    return value == other


def regex_escape(value: Any) -> Any:
    """Return a text that matches itself as a regular expression."""
    return re.escape(value)


FILTERS: dict[str, Callable[..., Any]] = {
    "regex_escape": regex_escape,
    "regex_match": regex_match,
    "regex_replace": regex_replace,
    "regex_search": regex_search,
}
