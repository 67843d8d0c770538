"""Top files of the states: read, and merged by one of Salt's strategies.

Source: Salt ``salt/state.py`` (``BaseHighState.get_tops``, ``merge_tops``, ``verify_tops``).
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pillarbook.compile.broken import CompileBreaksOff, malformed_option
from pillarbook.compile.minion_view import MinionView
from pillarbook.compile.project import Scope
from pillarbook.compile.render_file import render_file
from pillarbook.compile.render_result import RenderResult
from pillarbook.compile.renderers.yaml import is_falsy
from pillarbook.compile.top.top_shapes import describe_texts
from pillarbook.compile.top.tops import MergedTop, Target, read_target, top_path
from pillarbook.compile.tree_lookups import Look, RootsLookup
from pillarbook.diagnostics import Diagnostic
from pillarbook.highstate.merge_tops import STRATEGIES, Merged, merge_by_base
from pillarbook.highstate.state_faults import (
    SHAPE,
    Fault,
    as_printed,
    breaks_off,
    lacks,
    no_container,
    not_iterable,
    type_name,
)
from pillarbook.highstate.state_faults import new_fault as fault
from pillarbook.inventory.root_folders import DYNAMIC_ENVIRONMENT
from pillarbook.model import Leaf, ListNode, MapNode, Node, Origin, plain
from pillarbook.roots.tree_interface import FoundFile

EMPTY = MapNode({}, (), kind="plain")
NO_SLS = "write `- SLS` below it for each SLS, or `[]` if there is none"


@dataclass(frozen=True, slots=True, eq=False)
class StateTop:
    """All top files of a minion's states as one."""

    top: MergedTop
    """The targets."""
    elsewhere: Mapping[Target, tuple[tuple[Any, Any], ...]]
    """Environments and names, in order, of targets that name SLS files of other environments."""
    broken: Mapping[Target, CompileBreaksOff]
    """Salt's exceptions for targets whose SLS names it cannot read."""
    faults: tuple[Fault, ...]
    """The faults of its shape."""


@dataclass(slots=True)
class TopFiles:
    """The top files that were read."""

    by_env: dict[str, list[tuple[RenderResult | None, Node]]] = field(default_factory=dict)
    """The renders and their data by environment, in Salt's order."""
    looks: list[Look] = field(default_factory=list)
    """The lookups of files."""
    diagnostics: list[Diagnostic] = field(default_factory=list)
    failed: bool = False
    """Whether one of them does not render, so that Salt treats all as empty."""

    @property
    def results(self) -> Iterator[RenderResult]:
        """Every render."""
        return (one for pairs in self.by_env.values() for one, _ in pairs if one is not None)


def state_environments(view: MinionView) -> list[str]:
    """Return the environments of the states, in Salt's order.

    Source: Salt ``salt/state.py`` (``BaseHighState._get_envs``).
    """
    values = view.scope.options.values
    in_order = list(dict.fromkeys(values.get("env_order") or []))
    if in_order:
        return [env for env in in_order if env in values["file_roots"]]
    return list(dict.fromkeys(["base", *values["file_roots"]]))


def names_environment(saltenv: Any, environments: Collection[str]) -> bool:
    """Say whether an environment has roots; with ``__env__`` any has.

    Source: Salt ``salt/state.py`` (``BaseHighState.render_highstate``).
    """
    return saltenv in environments or DYNAMIC_ENVIRONMENT in environments


def has_state_tops(scope: Scope) -> bool:
    """Say whether any environment of the states has a top file, without which there are none."""
    path = top_path(scope.options.values)
    return any(scope.states.find(path, env) is not None for env in scope.states.environments)


def pinned_saltenv(view: MinionView) -> str | None:
    """Return the one environment whose states a minion gets; None for all."""
    minion = view.minion
    pinned = minion.saltenv if minion.saltenv is not None else minion.opts.get("saltenv")
    return None if not pinned else str(pinned)


def get_state_top(view: MinionView) -> tuple[StateTop, TopFiles]:
    """Return the merged top file of a minion's states, and its files.

    Raises:
        CompileBreaksOff: A top file of a shape that Salt's own compile does not survive.
    """
    files = _read_tops(view)
    strategy = str(view.scope.options.values.get("top_file_merging_strategy"))
    default = view.scope.options.values.get("default_top")
    # Renders compare by identity, and the scope has the options. Kept for the run.
    read = tuple((env, tuple(pairs)) for env, pairs in files.by_env.items())
    key = ("state-top", view.scope.number, read, files.failed)

    def merge_tops() -> StateTop:
        tops = {env: [tree for _, tree in pairs] for env, pairs in files.by_env.items()}
        merge = STRATEGIES.get(strategy, merge_by_base)
        merged = {} if files.failed else merge(tops, default)
        return _read_targets(merged, state_environments(view))

    return view.remembered.derive(key, merge_tops), files


def _read_tops(view: MinionView) -> TopFiles:
    files = TopFiles()
    pinned = pinned_saltenv(view)
    values, options = view.scope.options.values, view.scope.options
    strategy = values.get("top_file_merging_strategy")
    if strategy == "same" and not pinned and not values.get("default_top"):
        files.failed = True
        position = options.positions.get("top_file_merging_strategy")
        message = "`top_file_merging_strategy` is `same` without a `default_top`: there is no state"
        files.diagnostics.append(malformed_option(message, position, "default_top"))
        return files
    first = values.get("state_top_saltenv")
    chosen = [pinned] if pinned else ([str(first)] if first else state_environments(view))
    _read_primary(chosen, view, files)
    if not files.failed:
        _read_included(view, files)
    return files


def _read_primary(environments: Sequence[str], view: MinionView, files: TopFiles) -> None:
    path = top_path(view.scope.options.values)
    for saltenv in environments:
        files.looks.append(RootsLookup("top", path, saltenv))
        found = view.scope.roots.find(path, saltenv)
        files.by_env[saltenv] = [(None, EMPTY)] if found is None else []
        if found is not None and not _take(found, saltenv, view, files):
            return


def _take(found: FoundFile, saltenv: str, view: MinionView, files: TopFiles) -> bool:
    """Render a top file; say whether Salt goes on."""
    result = render_file(found, "", saltenv, view, {})
    if result.foreign:
        raise CompileBreaksOff(f"{result.message}", next(iter(result.diagnostics), None))
    files.diagnostics.extend(result.diagnostics)
    tree = result.tree
    files.by_env[saltenv].append((result, EMPTY if tree is None or is_falsy(tree) else tree))
    files.failed = result.message is not None
    return not files.failed


def _read_included(view: MinionView, files: TopFiles) -> None:
    """Read the includes of top files; Salt ignores includes of includes."""
    for saltenv, pairs in files.by_env.items():
        patterns = [one for _, tree in pairs for one in _include_of(tree)]
        done: set[str] = set()
        for pattern in patterns:
            files.looks.append(RootsLookup("matching", (pattern,), saltenv))
            for sls in view.scope.roots.matching(pattern, saltenv):
                found = None if sls in done else view.scope.roots.find_sls(sls, saltenv)[0]
                if found is not None and not _take(found, saltenv, view, files):
                    return
                done.add(sls)


def _include_of(tree: Node) -> list[str]:
    if isinstance(tree, Leaf) and not isinstance(tree.value, str):
        raise no_container(tree)
    if not isinstance(tree, MapNode) or "include" not in tree.items:
        return []
    names = plain(tree.items["include"])
    if not isinstance(names, str | list) or not all(isinstance(one, str) for one in names):
        raise breaks_off("TypeError: an include that is not a list of names", tree.origins)
    return list(names)


def _read_targets(merged: Merged, environments: Sequence[str]) -> StateTop:
    """Return the targets of merged top files."""
    targets: dict[Any, tuple[Target, ...]] = {}
    elsewhere: dict[Target, tuple[tuple[Any, Any], ...]] = {}
    broken: dict[Target, CompileBreaksOff] = {}
    faults: list[Fault] = []
    notes: list[Diagnostic] = []
    for saltenv, body in merged.items():
        made = []
        faults.extend(_verify_name(saltenv, next(iter(body.values())).origins))
        for expression, entries in body.items():
            faults.extend(_verify(saltenv, expression, entries))
            notes.extend(describe_texts(expression, entries))
            target, named, fall = _read_one(saltenv, expression, entries)
            made.append(target)
            if fall is not None:
                broken[target] = fall
            if any(env != saltenv for env, _ in named):
                known = ("base", *environments)
                elsewhere[target] = tuple(one for one in named if one[0] in known)
        targets[saltenv] = tuple(made)
    top = MergedTop(targets, frozenset(), (), tuple(notes))
    return StateTop(top, elsewhere, broken, tuple(faults))


def _read_one(
    saltenv: Any, expression: Any, entries: Node
) -> tuple[Target, list[tuple[Any, Any]], CompileBreaksOff | None]:
    """Return a target, the environments and SLS names in it, and Salt's exception for it."""
    try:
        listed = _as_list(expression, entries)
        named = [_named_by(one, saltenv) for one in listed.items if not isinstance(one, ListNode)]
    except CompileBreaksOff as fall:
        return read_target(expression, ListNode((), entries.origins))[1], [], fall
    target = read_target(expression, listed)[1]
    return target, [one for one in named if isinstance(one[1], str)], None


def _as_list(expression: Any, entries: Node) -> ListNode:
    """Return the value of a target as the list over which Salt loops."""
    if isinstance(entries, ListNode):
        return entries
    if isinstance(entries, MapNode):
        keys = tuple(Leaf(key, entries.origins) for key in entries.items)
        return ListNode(keys, entries.origins)
    if not isinstance(entries.value, str):
        words = f"TypeError: '{type_name(entries)}' object is not iterable"
        what = f"the target '{expression}' has no list of SLS, and Salt stops"
        raise breaks_off(words, entries.origins, NO_SLS, what)
    return ListNode((entries,), entries.origins)


def _named_by(item: Leaf | MapNode, saltenv: Any) -> tuple[Any, Any]:
    """Return the environment and name in an entry; ``match: grain`` looks like one, too."""
    if isinstance(item, MapNode):
        if not item.items:
            raise lacks(item, "popitem")
        environment, named = list(item.items.items())[-1]
        return environment, plain(named)
    if not isinstance(item.value, str):
        raise not_iterable(item)
    return saltenv, item.value


def _verify_name(saltenv: Any, origins: Sequence[Origin]) -> Iterator[Fault]:
    """Yield Salt's errors about the name of an environment."""
    if not isinstance(saltenv, str):
        words = f"Environment {saltenv} in top file is not formed as a string"
        yield fault(SHAPE, words, origins)
    if saltenv == "":
        yield fault(SHAPE, "Empty saltenv statement in top file", origins)


def _verify(saltenv: Any, expression: Any, entries: Node) -> Iterator[Fault]:
    """Yield Salt's errors about the shape of one target.

    Source: Salt ``salt/state.py`` (``BaseHighState.verify_tops``).
    """
    if not isinstance(entries, ListNode):
        yield fault(
            SHAPE,
            f"Malformed topfile: state declarations for matcher {expression!r} in saltenv"
            f" {saltenv!r} are not formed as a list (got {type_name(entries)})",
            entries.origins,
            f"the top file of the states has no list of SLS for the target '{expression}'",
            "write a dash before each entry below it: the names of SLS, and `match:`",
        )
        return
    for item in entries.items:
        if isinstance(item, MapNode):
            for value in item.items.values():
                if is_falsy(value):
                    words = "Improperly formatted top file matcher in saltenv"
                    yield fault(
                        SHAPE,
                        f"{words} {as_printed(item)}: {as_printed(value)} file",
                        item.origins,
                        f"an entry of the target '{expression}' has a colon, and nothing after it",
                        "remove the colon after the name of an SLS",
                    )
        elif isinstance(item, Leaf) and item.value == "":
            words = f"Environment {saltenv} contains an empty sls index"
            yield fault(SHAPE, words, item.origins)
