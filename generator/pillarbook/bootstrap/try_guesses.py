"""Guesses that are kept only if more of a tree renders with them, and ids that its files name."""

import copy
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from pillarbook.bootstrap.guess_minions import ANYBODY, NewMinion
from pillarbook.bootstrap.study import as_declared
from pillarbook.compile.project import FileRead
from pillarbook.session.session import Session

DOMAIN = "example.com"
"""The domain of an id that templates take apart."""


def find_better(
    session: Session,
    one: NewMinion,
    grains: Iterable[str],
    value_of: Callable[[str], tuple[object, str]],
) -> NewMinion | None:
    """Return a minion of which more renders; None if no guess helps.

    ``grains`` are the absent ones that the minion was asked for where it does not render;
    ``value_of`` returns a value for a grain, and why it is that.
    """
    failing = _count_failing(session, one)
    trials = _list_trials(one, [*grains], value_of)
    return next((trial for trial in trials if _count_failing(session, trial) < failing), None)


def _list_trials(
    one: NewMinion, grains: list[str], value_of: Callable[[str], tuple[object, str]]
) -> Iterator[NewMinion]:
    """Yield a minion with the grains that templates have a default for, and one with a domain."""
    guesses = {grain: value_of(grain) for grain in grains}
    if guesses:
        yield replace(
            one,
            grains={**one.grains, **{grain: value for grain, (value, _) in guesses.items()}},
            guesses={**one.guesses, **{grain: why for grain, (_, why) in guesses.items()}},
        )
    if is_anybody(one.id) and "." not in one.id:
        grown = copy.deepcopy(one.grains)
        yield replace(one, id=f"{one.id}.{DOMAIN}", grains=grown, invented=True)


def _count_failing(session: Session, one: NewMinion) -> tuple[bool, int]:
    """Return whether the top file fails, and how many SLS do."""
    compiled = session.compiler.compile_as(as_declared(one), briefly=True)
    is_top = any(isinstance(look, FileRead) for look in compiled.looks)
    return is_top, sum(render.message is not None for render in compiled.renders)


def fit_files(one: NewMinion, sought: Iterable[str], names: Iterable[str]) -> None:
    """Give guessed grains values that the tree has a file for, if it has none for these."""
    for grain in one.guesses:
        value = one.grains.get(grain)
        words = own_files(value, sought, names) if isinstance(value, str) else ()
        if words:
            one.grains[grain] = words[0]


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
