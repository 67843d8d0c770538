"""Top files: read, included, merged and sorted in Salt's own steps.

Source: Salt ``salt/pillar/__init__.py`` (``get_tops``, ``merge_tops``, ``sort_top_targets``).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pillarbook.compile.broken import CompileBreaksOff, suggest_environment
from pillarbook.compile.minion_view import MinionView
from pillarbook.compile.render_file import render_file
from pillarbook.compile.render_result import RenderResult
from pillarbook.compile.renderers.yaml import is_falsy
from pillarbook.compile.renderers.yamlex_names import names_in
from pillarbook.compile.tree_lookups import Look, RootsLookup
from pillarbook.diagnostics import Diagnostic, new_diagnostic
from pillarbook.model import Leaf, ListNode, MapNode, Node, Position, plain

SETTINGS = frozenset(("match", "order", "ignore_missing"))
"""The settings of a target."""
_UNFINISHED = tuple(f"{name}:" for name in SETTINGS)


@dataclass(frozen=True, slots=True, eq=False)
class Target:
    """A target of the merged top file."""

    expression: Any
    """The expression in the top file; text, unless it is malformed."""
    matcher: Any
    """The name of the matcher."""
    sls: tuple[str, ...]
    """The SLS names under it."""
    file: str
    """The last top file that sets it."""
    line: int | None
    """Its line there."""
    lines: tuple[int | None, ...]
    """The line of each SLS name."""


@dataclass(frozen=True, slots=True, eq=False)
class MergedTop:
    """All top files of a minion, merged."""

    environments: Mapping[Any, tuple[Target, ...]]
    """Targets by environment, sorted by ``order``."""
    ignored: frozenset[tuple[Any, str]]
    """Environment and name of SLS files that may be missing."""
    errors: tuple[str, ...]
    """Salt's errors."""
    faults: tuple[Diagnostic, ...] = ()
    """What is wrong with the structure of the top files."""

    def places(self, saltenv: Any) -> dict[str, Position]:
        """Return the first position of each SLS name in an environment."""
        places: dict[str, Position] = {}
        for target in self.environments.get(saltenv, ()):
            for name, line in zip(target.sls, target.lines, strict=True):
                places.setdefault(name, Position(target.file, line))
        return places

    def first_place(self, saltenv: Any) -> Position | None:
        """Return the position of the first target in an environment that names an SLS."""
        named = (target for target in self.environments.get(saltenv, ()) if target.sls)
        return next((Position(target.file, target.line) for target in named), None)


@dataclass(slots=True)
class Tops:
    """The top files that were read."""

    results: list[tuple[str, RenderResult]] = field(default_factory=list)
    """Environment and render of each, in Salt's order."""
    errors: list[str] = field(default_factory=list)
    """Salt's errors for top files that failed."""
    diagnostics: list[Diagnostic] = field(default_factory=list)
    """Diagnostics about them."""
    looks: list[Look] = field(default_factory=list)
    """The lookups: whether each file exists, and all reads of failed top files."""


def get_top(view: MinionView) -> tuple[MergedTop, Tops]:
    """Return the merged top file of a minion, and the top files that it was made from.

    Raises:
        CompileBreaksOff: A top file has a form at which Salt's compile stops.
    """
    environments = _environments(view)
    # Only for top files without questions: they depend on the scope (options and roots) and the
    # environments. With `ext_pillar_first` a top file may read a pillar, which is a part of the
    # key.
    settled = ("tops", view.scope.number, view.shows_pillar, tuple(environments) or _chosen(view))
    derived = view.remembered.derived
    if settled in derived:
        known: tuple[MergedTop, Tops] = derived[settled]
        return known
    tops = get_tops(environments, view)
    # By the renders, which are compared by identity: minions whose answers lead to the same renders
    # share one merged top file, and the tries of its targets (docs/decisions/0007).
    key = ("top", tuple((env, result) for env, result in tops.results), tuple(tops.errors))
    trees = [(env, result.tree) for env, result in tops.results]
    merged = view.remembered.derive(key, lambda: merge_tops(trees, tops.errors))
    if not tops.errors and all(one.recorded and not one.questions for _, one in tops.results):
        derived[settled] = (merged, tops)
    return merged, tops


def get_tops(environments: list[str], view: MinionView) -> Tops:
    """Read the top file of each environment, then the top files that they include."""
    tops = Tops()
    roots, state_top = view.scope.roots, top_path(view.scope.options.values)
    by_env: dict[str, list[RenderResult]] = {}
    for saltenv in environments:
        tops.looks.append(RootsLookup("top", state_top, saltenv))
        found = roots.find(state_top, saltenv)
        if found is None:
            continue
        result = render_file(found, "", saltenv, view, {})
        tops.diagnostics.extend(result.diagnostics)
        if result.message is not None:
            tops.looks.extend(result.files)
            tops.errors.append(
                f"Rendering Primary Top file failed, render error:\n{result.message}"
            )
            break  # Salt reads no more top files
        by_env[saltenv] = [result]
    if not by_env and not tops.errors:
        tops.diagnostics.extend(_describe_missing(state_top, environments, view))
    # As in Salt (`get_tops`), all includes come after all top files.
    for saltenv, results in by_env.items():
        results.extend(_included(results[0], saltenv, view, tops))
    tops.results = [(env, result) for env, results in by_env.items() for result in results]
    return tops


def _describe_missing(
    state_top: str, environments: list[str], view: MinionView
) -> Iterator[Diagnostic]:
    """Report that there is no top file, unless there are external pillars."""
    options = view.scope.options
    if options.values.get("ext_pillar"):
        return
    where = "environment" if len(environments) == 1 else "environments"
    named = ", ".join(environments) or _chosen(view)
    if environments:
        missing = f"there is no top file '{state_top}' in the {where} {named}"
        misnamed = (view.scope.roots.suggest_ending(state_top, env) for env in environments)
        remedy = next(
            filter(None, misnamed),
            "write one, or correct `pillar_roots`, `state_top` or the minions' pillarenv",
        )
    else:
        missing = f"the environment '{named}' is not in `pillar_roots`"
        remedy = suggest_environment(named, view.scope.roots.environments, "pillar_roots")
    yield new_diagnostic(
        "missing-top",
        f"{missing}, so the pillar is empty",
        options.positions.get("pillar_roots"),
        remedy=remedy,
        missing=("top", named),
    )


def _included(
    result: RenderResult, saltenv: str, view: MinionView, tops: Tops
) -> Iterator[RenderResult]:
    done: list[Any] = []
    for sls in _include_names(result.tree):
        if sls in done:
            continue
        done.append(sls)
        found = None
        if isinstance(sls, str):
            tops.looks.append(RootsLookup("sls", sls, saltenv))
            found = view.scope.roots.find_sls(sls, saltenv)[0]
        if found is None:
            continue  # Salt ignores this
        included = render_file(found, "", saltenv, view, {})
        tops.diagnostics.extend(included.diagnostics)
        if included.message is not None:
            tops.looks.extend(included.files)
            tops.errors.append(
                f"Rendering Top file {sls} failed, render error:\n{included.message}"
            )
        else:
            yield included


def _include_names(tree: Node | None) -> list[Any]:
    if isinstance(tree, Leaf) and not isinstance(tree.value, str):
        name = type(tree.value).__name__
        raise CompileBreaksOff(f"TypeError: argument of type '{name}' is not iterable")
    if not isinstance(tree, MapNode) or "include" not in tree.items:
        return []
    names = plain(tree.items["include"])
    try:
        return list(names)
    except TypeError as error:
        raise CompileBreaksOff(f"TypeError: {error}") from error


def _environments(view: MinionView) -> list[str]:
    roots, values = view.scope.roots, view.scope.options.values
    pillarenv = view.pillarenv
    if pillarenv:
        return [pillarenv] if pillarenv in roots.environments else []
    # Salt puts `base` first, independent of the order of `pillar_roots`.
    names = list(dict.fromkeys(["base", *roots.environments]))
    if values.get("pillar_source_merging_strategy") == "none":
        only = view.minion.saltenv or "base"
        return [only] if only in names else []
    return names


def _chosen(view: MinionView) -> str:
    """Return the single environment that counts for a minion."""
    return str(view.pillarenv or view.minion.saltenv or "base")


def top_path(options: Mapping[str, Any]) -> str:
    """Return the path of the top file in the roots, by ``state_top``.

    An empty name means no file. An environment in the address is ignored.

    Source: Salt ``salt/utils/url.py`` (``parse``).
    """
    top = options.get("state_top")
    path = "top.sls" if top is None else str(top).removeprefix("salt://").lstrip("/")
    return re.split(r"\?(?:salt)?env=", path, maxsplit=1)[0]


def merge_tops(trees: list[tuple[str, Node | None]], errors: list[str]) -> MergedTop:
    """Merge top files: if a later file has the same target, its list replaces the earlier one.

    Raises:
        CompileBreaksOff: A top file is not a mapping.
    """
    targets: dict[Any, dict[Any, tuple[int, Target]]] = {}
    ignored: set[tuple[Any, str]] = set()
    try:
        for _, tree in trees:
            _merge_top(tree, targets, ignored)
    except TypeError:
        from pillarbook.compile.top.top_shapes import describe_refused  # noqa: PLC0415 (rare)

        failed = (*errors, "Error encountered while rendering pillar top file.")
        return MergedTop({}, frozenset(ignored), failed, describe_refused(trees))
    ordered = {
        # Stable like Salt's sort: targets with the same order stay as declared.
        env: tuple(target for _, target in sorted(body.values(), key=lambda pair: pair[0]))
        for env, body in targets.items()
        if body
    }
    faults = tuple(_describe_texts(trees))
    return MergedTop(ordered, frozenset(ignored), tuple(errors), faults)


def _merge_top(
    tree: Node | None,
    targets: dict[Any, dict[Any, tuple[int, Target]]],
    ignored: set[tuple[Any, str]],
) -> None:
    if not isinstance(tree, MapNode):
        from pillarbook.compile.top.top_shapes import break_off  # noqa: PLC0415 (rare)

        assert tree is not None  # noqa: S101 (only of a failed render)
        raise break_off(tree)
    for name, body in tree.items.items():
        if name == "include":
            continue
        saltenv = names_in(tree, name)
        if not isinstance(body, MapNode):
            if is_falsy(body) and not (isinstance(body, Leaf) and body.value != ""):
                continue  # an empty text or list has no entries
            raise TypeError("not a mapping of targets")
        known = targets.setdefault(saltenv, {}) if body.items else {}
        for expression, entries in body.items.items():
            order, target, may_miss = read_target(expression, entries)
            target = replace(target, sls=tuple(names_in(tree, [*target.sls])))
            known[expression] = (order, target)
            if may_miss:
                ignored.update((saltenv, name) for name in target.sls)


def _describe_texts(trees: list[tuple[str, Node | None]]) -> Iterator[Diagnostic]:
    """Yield what is said of entries that Salt accepts, but does not use as meant."""
    bodies = [
        body for _, tree in trees if isinstance(tree, MapNode) for body in tree.items.values()
    ]
    for body in bodies:
        for expression, entries in body.items.items() if isinstance(body, MapNode) else ():
            if not isinstance(entries, ListNode) or any(map(is_doubtful, entries.items)):
                from pillarbook.compile.top.top_shapes import describe_entries  # noqa: PLC0415 (rare)

                yield from describe_entries(expression, entries)


def is_doubtful(entry: Node) -> bool:
    """Say whether Salt ignores an entry of a target, or takes a setting for the name of an SLS."""
    if isinstance(entry, MapNode):
        return not entry.items.keys() <= SETTINGS
    return not (isinstance(entry, Leaf) and isinstance(entry.value, str)) or lacks_space(entry)


def lacks_space(entry: Node) -> bool:
    """Say whether an entry is the text ``match:grain``, in place of a setting."""
    text = entry.value if isinstance(entry, Leaf) else None
    return isinstance(text, str) and text.startswith(_UNFINISHED)


def read_target(expression: Any, entries: Node) -> tuple[int, Target, bool]:
    """Return a target with its order, and whether its files may be missing.

    A text in place of the list of entries is read character by character.

    Raises:
        TypeError: The entries are not a list.
    """
    matcher: Any = "compound"
    order, may_miss = 0, False
    names: dict[str, int | None] = {}
    data = plain(entries)
    origin = entries.origins[-1]
    for at, entry in enumerate(data):  # a text is read character by character
        if isinstance(entry, dict):
            matcher = entry.get("match", matcher)
            order = _order(entry["order"]) if "order" in entry else order
            may_miss = may_miss or bool(entry.get("ignore_missing", False))
        elif isinstance(entry, str):
            named = entries.items[at].origins[-1] if isinstance(entries, ListNode) else origin
            names.setdefault(entry, named.line)
    lines = tuple(names.values())
    target = Target(expression, matcher, tuple(names), origin.file, origin.line, lines)
    return order, target, may_miss


def _order(value: Any) -> int:
    try:
        return int(value)
    except ValueError:
        return 0
