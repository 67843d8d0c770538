"""The matchers that look at the minion id: glob, pcre, list and managing_minion."""

import fnmatch
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Literal

from pillarbook.compile.matchers.subject import IdKind, MatcherError, Subject


def match_id(kind: IdKind, pattern: str, minion_id: str) -> bool:
    """Say whether ``minion_id`` matches ``pattern``; the pure function behind ``id_matches``.

    ``glob`` covers the whole id, ``pcre`` its beginning; both heed case. ``list`` is ids between
    commas, without blanks and without globs.

    Raises:
        MatcherError: ``pattern`` is no regular expression.

    Source: Salt ``salt/matchers/glob_match.py``, ``pcre_match.py`` and ``list_match.py``.
    """
    if kind == "list":
        return f",{minion_id}," in f",{pattern},"
    return _compile_pattern(kind, pattern).match(minion_id) is not None


def id_test(kind: Literal["glob", "pcre"], pattern: str) -> Callable[[str], object]:
    """Return what is true of the ids that a glob or a regular expression matches.

    Raises:
        MatcherError: As ``match_id``.
    """
    return _compile_pattern(kind, pattern).match


def match_glob(target: Any, subject: Subject) -> bool:
    """Match the id with a glob; a target that is no text matches nothing."""
    return isinstance(target, str) and subject.id_matches("glob", target)


def match_pcre(target: Any, subject: Subject) -> bool:
    """Match the beginning of the id with a regular expression.

    Raises:
        MatcherError: The target is no text, or no regular expression.
    """
    if isinstance(target, bytes):
        raise MatcherError("TypeError: cannot use a bytes pattern on a string-like object")
    if not isinstance(target, str):
        raise MatcherError("TypeError: first argument must be string or compiled pattern")
    return subject.id_matches("pcre", target)


def match_list(target: Any, subject: Subject) -> bool:
    """Look the id up in a text with commas or, as a ``py`` top file may write it, in a tuple."""
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
    """Ask for equality with one of the questions that are recorded."""
    return subject.id_matches("pcre", re.escape(name) + r"\Z")


# Kept by kind and text, which are all that the pattern is made of. Each target is asked about each
# minion, and there are more targets in a large top file than `re` itself keeps (512).
@lru_cache(maxsize=8192)
def _compile_pattern(kind: IdKind, pattern: str) -> re.Pattern[str]:
    if kind == "glob":
        return re.compile(fnmatch.translate(pattern))
    try:
        return re.compile(pattern)
    except re.error as error:
        # the class has another name in later Pythons; Salt's runs on 3.11
        raise MatcherError(f"error: {error}") from error
    except (OverflowError, RecursionError) as error:
        raise MatcherError(f"{type(error).__name__}: {error}") from error
