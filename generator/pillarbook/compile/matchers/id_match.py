"""The matchers for the minion id: glob, pcre, list and managing_minion."""

import fnmatch
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Literal

from pillarbook.compile.matchers.subject import IdKind, MatcherError, Subject


def match_id(kind: IdKind, pattern: str, minion_id: str) -> bool:
    """Say whether ``minion_id`` matches ``pattern``; a pure function, used by ``id_matches``.

    ``glob`` matches the whole id, ``pcre`` its beginning; both are case sensitive. ``list`` is a
    list of ids with commas between them, without spaces and without globs.

    Raises:
        MatcherError: ``pattern`` is not a regular expression.

    Source: Salt ``salt/matchers/glob_match.py``, ``pcre_match.py`` and ``list_match.py``.
    """
    if kind == "list":
        return f",{minion_id}," in f",{pattern},"
    return _compile_pattern(kind, pattern).match(minion_id) is not None


def id_test(kind: Literal["glob", "pcre"], pattern: str) -> Callable[[str], object]:
    """Return a function that says whether a glob or a regular expression matches an id.

    Raises:
        MatcherError: ``pattern`` is not a regular expression.
    """
    return _compile_pattern(kind, pattern).match


def match_glob(target: Any, subject: Subject) -> bool:
    """Match the id with a glob; a target that is not text matches nothing."""
    return isinstance(target, str) and subject.id_matches("glob", target)


def match_pcre(target: Any, subject: Subject) -> bool:
    """Match the beginning of the id with a regular expression.

    Raises:
        MatcherError: The target is not text, or not a regular expression.
    """
    if isinstance(target, bytes):
        raise MatcherError("TypeError: cannot use a bytes pattern on a string-like object")
    if not isinstance(target, str):
        raise MatcherError("TypeError: first argument must be string or compiled pattern")
    return subject.id_matches("pcre", target)


def match_list(target: Any, subject: Subject) -> bool:
    """Search the id in a text with commas or, for a ``py`` top file, in a tuple."""
    if isinstance(target, str):
        return subject.id_matches("list", target)
    if isinstance(target, tuple | frozenset):
        return any(_is_id(name, subject) for name in target if isinstance(name, str))
    return False


def match_managing_minion(target: Any, subject: Subject) -> bool:
    """Compare the id, exactly; a pillar has no other resources than the minion itself.

    Source: Salt ``salt/matchers/managing_minion_match.py``.
    """
    return isinstance(target, str) and _is_id(target, subject)


def _is_id(name: str, subject: Subject) -> bool:
    """Compare the id with a question that is recorded."""
    return subject.id_matches("pcre", re.escape(name) + r"\Z")


# By kind and text, which determine the result. Each target is tested for each minion, and a large
# top file has more targets than the cache of `re` (512).
@lru_cache(maxsize=8192)
def _compile_pattern(kind: IdKind, pattern: str) -> re.Pattern[str]:
    if kind == "glob":
        return re.compile(fnmatch.translate(pattern))
    try:
        return re.compile(pattern)
    except re.error as error:
        # the class has another name in later Pythons; Salt runs on 3.11
        raise MatcherError(f"error: {error}") from error
    except (OverflowError, RecursionError) as error:
        raise MatcherError(f"{type(error).__name__}: {error}") from error
