"""Ids of minions by the files that a tree has for each of them: ``id/web1_example_com.sls``.

A minion that is made up looks for a file of its own and does not find it. The files beside show
the ids of those that do.
"""

import re
from collections.abc import Iterable, Iterator

from pillarbook.bootstrap.guess_minions import ANYBODY

MAX_FILES = 300
"""Files for minions of which ids are made."""
_MARKS = re.compile(r"[. ]")
_NO_ID = frozenset(("default", "init", "top"))
"""Names of files that are for no minion."""


def is_anybody(minion: str) -> bool:
    """Say whether an id only stands for some minion."""
    return minion.partition(".")[0] == ANYBODY


def own_files(word: str, sought: Iterable[str], names: Iterable[str]) -> list[str]:
    """Return the words that files have in place of an id, or of a grain's value.

    The id or value may have lost its dots and blanks in names. ``sought`` are the files that a
    minion looked for and that do not exist, ``names`` those that exist.
    """
    forms = dict.fromkeys((word, _MARKS.sub("_", word), _MARKS.sub("-", word)))
    patterns = {pattern for path in sought for pattern in _patterns(path, forms)}
    if not patterns:
        return []
    found: dict[str, None] = {}
    for name in names:
        for pattern in patterns:
            matched = pattern.fullmatch(name)
            if matched is not None and matched[1] not in _NO_ID:
                found[matched[1]] = None
    return [*found][:MAX_FILES]


def _patterns(path: str, forms: Iterable[str]) -> Iterator[re.Pattern[str]]:
    """Yield what a path is for any minion; only names of whole files and folders count."""
    for form in forms:
        before, sign, after = path.rpartition(form)
        is_whole = (not before or before.endswith("/")) and after.startswith((".", "/"))
        # Without a folder of their own, every file of the tree would look like one of a minion.
        if sign and is_whole and (before or after.startswith("/")):
            yield re.compile(f"{re.escape(before)}([\\w-]+(?:\\.[\\w-]+)*){re.escape(after)}")


def dotted(word: str) -> str:
    """Return the id of a file's name in which dots are replaced; host names have no `_`."""
    return word.replace("_", ".")
