"""Guesses that are kept only if more of a tree renders with them."""

import copy
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from pillarbook.bootstrap.guess_minions import NewMinion
from pillarbook.bootstrap.own_files import is_anybody, own_files
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
