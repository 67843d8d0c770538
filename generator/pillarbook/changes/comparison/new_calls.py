"""Calls of the head that nobody answers, that the base does not have, and that no value shows.

Salt runs such a function on the master, or on the minion for its states, and it may do anything
there, even if no value comes from its answer.
"""

from collections.abc import Callable, Iterable, Iterator

from pillarbook.compare.diff import MAX_NAMED
from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.model.phrases import count, list_some
from pillarbook.model.tree import all_leaves
from pillarbook.model.unknown import Unknown, function_of

Call = tuple[str, str]
"""The path of the file that calls a function, and the call in words."""


def find_new_calls(before: CompiledPillar | None, after: CompiledPillar | None) -> set[Call]:
    """Return the function and the file of each new call that no value shows.

    There are none for a minion that one side lacks.
    """
    if before is None or after is None or before is after:
        return set()
    new = set(_calls_of(after)) - set(_calls_of(before))
    if not new:
        return new
    values = (leaf.value for leaf in all_leaves(after.tree))
    shown = {source for one in values if one.__class__ is Unknown for source in one.sources}
    return {(file, function_of(call)) for file, call in new if call not in shown}


def describe_new_calls(
    found: Iterable[set[Call]], clean: Callable[[str], str], whose: str
) -> Iterator[str]:
    """Yield the sentence about new calls.

    ``found`` has the files and functions of each minion; ``whose`` are they: of pillar or states.
    """
    found = [one for one in found if one]
    if found:
        named = sorted({f"{function} ({clean(file)})" for one in found for file, function in one})
        yield (
            f"new calls of functions in {whose} of which no value shows the answer, on"
            f" {count(len(found), 'minion')}: {list_some(named, MAX_NAMED, str)}"
        )


def _calls_of(compiled: CompiledPillar) -> Iterator[Call]:
    for render in compiled.renders:
        yield from ((render.files[0].path, call) for call in render.called)
