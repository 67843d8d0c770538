"""Which words of a tree go into no file that ``init`` writes, because they are secrets.

A target may name a secret (``G@token:...``), and so may what a template holds a grain against.
"""

import re
from collections.abc import Sequence

from pillarbook.bootstrap.target_requirements import GrainNeed, Need
from pillarbook.model import KeyPath
from pillarbook.redact import Rules, secrets_in_target


def needs_secret(need: Need) -> bool:
    """Say whether a minion would have to be called after a secret, or have one for a grain."""
    names = (name for one in need.ids for name in (one.pattern, *one.exact))
    return any(map(is_secret_word, names)) or any(map(_is_secret_grain, need.grains))


def shows_secret(expression: str) -> bool:
    """Say whether a target of any kind has a secret in it."""
    has_secret_word = any(map(is_secret_word, (expression, *expression.split())))
    return has_secret_word or any(True for _ in secrets_in_target(expression, Rules()))


def is_secret_word(word: str) -> bool:
    """Say whether a word is a secret, or has one behind a dash or dot: ``web-ghp_...``."""
    starts = (0, *(found.end() for found in re.finditer(r"[-.]", word)))
    return any(_is_secret((), word[start:]) for start in starts)


def shown_values(grain: str, values: Sequence[str | int]) -> Sequence[str | int]:
    """Return the values that templates hold a grain against, unless they are secrets."""
    if Rules().names_secret(grain):
        return ()
    return [one for one in values if not _is_secret((grain,), one)]


def _is_secret_grain(need: GrainNeed) -> bool:
    return any(map(is_secret_word, need.path)) or _is_secret(need.path, need.value)


def _is_secret(path: KeyPath, value: str | int) -> bool:
    return Rules().find_reason(path, value) is not None
