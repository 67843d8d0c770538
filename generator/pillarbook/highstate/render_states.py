"""The state SLS files of a minion, rendered with their includes, each once.

The result is the list of files in Salt's order, and the faults of their includes. ``high_data.py``
reads their content.

Source: Salt ``salt/state.py`` (``BaseHighState.render_highstate``, ``render_state``).
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from pillarbook.compile.broken import suggest_environment
from pillarbook.compile.minion_view import MinionView
from pillarbook.compile.render_file import render_file
from pillarbook.compile.render_result import RenderResult
from pillarbook.compile.renderers.unknown_text import holds_unknown_leaf
from pillarbook.compile.sls.compile_log import CompileLog
from pillarbook.compile.tree_lookups import RootsLookup
from pillarbook.highstate.state_faults import (
    Fault,
    as_printed,
    fault_at,
    lacks,
    looks_for,
    place_of,
)
from pillarbook.highstate.state_faults import new_fault as fault
from pillarbook.highstate.state_matches import StateMatches
from pillarbook.highstate.state_tops import names_environment, state_environments
from pillarbook.inventory.root_folders import DYNAMIC_ENVIRONMENT
from pillarbook.model import Leaf, ListNode, MapNode, Node, Origin, Position
from pillarbook.model.unknown import UnprovenUnknown

DOTS = re.compile(r"^(\.+)(.*)$")


@dataclass(frozen=True, slots=True, eq=False)
class RenderedState:
    """A state SLS with its includes."""

    sls: str
    saltenv: str
    result: RenderResult | None
    """Its render; None if the file does not exist."""
    fault: Fault | None
    """The reason why there is no data."""
    steps: tuple["StateStep", ...] = ()
    """Its includes, in order."""


StateStep: TypeAlias = RenderedState | Fault


@dataclass(frozen=True, slots=True, eq=False)
class NamedState:
    """A state SLS that the top file names, or a fault in its place."""

    named: str
    """The name or glob in the top file."""
    saltenv: Any
    """The environment under which it is named."""
    rendered: StateStep


ANY_MATCHED = "_xenv"
"""In place of an environment: the one environment with states of the minion that has the SLS."""


@dataclass(frozen=True, slots=True)
class _Include:
    """An entry of an include list."""

    name: str
    """The SLS name or glob, never relative."""
    environment: Any
    position: Position | None


class StateRenderer:
    """Renders the state SLS files of one minion; renders, lookups and diagnostics go to the log."""

    def __init__(self, view: MinionView, matches: StateMatches, log: CompileLog) -> None:
        self._view = view
        self._roots = view.scope.roots
        self._matches = matches
        self._log = log
        # Salt adds each environment whose files it lists.
        self._environments = {"base", *state_environments(view)}
        # For one minion: Salt renders each SLS of an environment once, at its first mention.
        self._done: set[tuple[str, str]] = set()

    def render_highstate(self) -> Iterator[NamedState]:
        """Yield the SLS files that the targets name, each once.

        Raises:
            CompileBreaksOff: An include of a shape that Salt's own compile does not survive.
        """
        names: Sequence[str] = ()
        for saltenv, patterns in self._matches.sls.items():
            for pattern in patterns:
                position = self._matches.places.get((saltenv, pattern))
                if names_environment(saltenv, self._environments):
                    # Salt expands no glob in an environment of `__env__`.
                    declared = saltenv in self._environments
                    names = self._matching(pattern, saltenv if declared else DYNAMIC_ENVIRONMENT)
                else:  # Salt goes on with the names that it found before
                    yield NamedState(
                        pattern, saltenv, _no_environment(saltenv, position, self._environments)
                    )
                names = names or (pattern,)
                for sls in names:
                    if (str(saltenv), sls) not in self._done:
                        yield NamedState(pattern, saltenv, self._render(sls, saltenv, position))

    def _matching(self, pattern: str, saltenv: Any) -> tuple[str, ...]:
        self._environments.add(saltenv)
        self._log.looks[RootsLookup("matching", (pattern,), saltenv)] = None
        return self._roots.matching(pattern, saltenv)

    def _render(self, sls: str, saltenv: Any, position: Position | None) -> RenderedState:
        self._log.looks[RootsLookup("sls", sls, saltenv)] = None
        found, is_init = self._roots.find_sls(sls, saltenv)
        if found is None:
            return RenderedState(sls, saltenv, None, self._missing(sls, saltenv, position))
        result = render_file(found, sls, saltenv, self._view, {})
        self._take(result)
        self._done.add((str(saltenv), sls))
        if result.message is not None:
            words = _word_failure(sls, saltenv, result)
            origin = Origin(found.shown, None, sls, str(saltenv), words)
            return RenderedState(sls, saltenv, result, Fault(words, None, origin))
        steps = self._include(sls, saltenv, result.tree, is_init=is_init)
        return RenderedState(sls, saltenv, result, None, tuple(steps))

    def _take(self, result: RenderResult) -> None:
        self._log.renders.append(result)
        self._log.diagnostics.update(dict.fromkeys(result.diagnostics))
        self._log.sealed = self._log.sealed or result.sealed

    def _missing(self, sls: str, saltenv: Any, position: Position | None) -> Fault:
        words = (
            f"Specified SLS {sls} in saltenv {saltenv} is not available on the salt master or"
            " through a configured fileserver"
        )
        message = f"the state SLS '{sls}' does not exist in environment '{saltenv}'"
        remedy = self._roots.suggest_sls(sls, str(saltenv)) or "add the file, or correct the name"
        barred = self._roots.bars_sls(sls, str(saltenv))
        if barred is not None:
            message = f"the state SLS '{sls}' is not used: {barred} cannot be read"
            remedy = "give the user that runs pillarbook the permission to read it"
        found = fault_at("missing-sls", words, message, position, remedy)
        return looks_for(found, "sls", sls)

    def _include(
        self, sls: str, saltenv: Any, tree: Node | None, *, is_init: bool
    ) -> Iterator[StateStep]:
        included = tree.items.get("include") if isinstance(tree, MapNode) else None
        for entry in included.items if isinstance(included, ListNode) else ():
            read = self._read_entry(sls, saltenv, entry, is_init=is_init)
            if isinstance(read, Fault):
                yield read
            else:
                yield from self._take_include(sls, saltenv, read)

    def _read_entry(
        self, sls: str, saltenv: Any, entry: Node, *, is_init: bool
    ) -> _Include | Fault:
        """Return an entry of an include with its full name.

        Source: Salt ``salt/state.py`` (``render_state``).
        """
        if holds_unknown_leaf(entry):
            raise UnprovenUnknown(sls)
        environment: Any = saltenv
        named = entry
        if isinstance(entry, MapNode):
            if not entry.items:
                raise lacks(entry, "popitem")
            environment, named = list(entry.items.items())[-1]
        if not names_environment(environment, self._environments):
            printed = as_printed(named)
            words = (
                f"Nonexistent saltenv '{environment}' found in include of '{printed}' within SLS"
                f" '{saltenv}:{sls}'"
            )
            message = f"an include names the environment '{environment}', which has no roots"
            remedy = suggest_environment(environment, self._environments, "file_roots")
            return fault("unknown-environment", words, entry.origins, message, remedy)
        if not isinstance(named, Leaf) or not isinstance(named.value, str):
            raise lacks(named, "startswith")
        name: str = named.value
        if name.startswith("."):
            full = absolute_name(name, sls, is_init=is_init)
            if full is None:
                words = (
                    f"Attempted relative include of '{name}' within SLS '{saltenv}:{sls}' goes"
                    " beyond top level package "
                )
                return fault("missing-sls", words, named.origins)
            name = full
        return _Include(name, environment, place_of(named.origins))

    def _take_include(self, sls: str, saltenv: Any, include: _Include) -> Iterator[StateStep]:
        name, asked = include.name, include.environment
        known = self._matches.sls
        if asked == ANY_MATCHED:
            found = [env for env in known if self._matching(name, env)]
        else:
            found = [asked] if asked in known or self._matching(name, asked) else []
        if len(found) != 1 and saltenv not in found:
            environments = ", ".join(
                map(str, found or (known if asked == ANY_MATCHED else (asked,)))
            )
            words = (
                f"Ambiguous include: Specified SLS {asked}: {name} is available on the salt master"
                f" in multiple available saltenvs: {environments}"
                if found
                else f"Unknown include: Specified SLS {asked}: {name} is not available on"
                f" the salt master in saltenv(s): {environments} "
            )
            remedy = self._roots.suggest_sls(name, str(asked))
            missing = fault_at("missing-sls", words, words.strip(), include.position, remedy)
            yield looks_for(missing, "sls", name)
            return
        environment = found[0] if len(found) == 1 else saltenv
        # Salt expands a glob in the environment of the file that includes.
        for one in self._matching(name, saltenv) or (name,):
            self._log.includes.add((str(saltenv), sls, one))
            if (str(environment), one) not in self._done:
                yield self._render(one, environment, include.position)


def _word_failure(sls: str, saltenv: Any, result: RenderResult) -> str:
    """Return Salt's message for a file that does not render.

    After an exception that is not its own Salt prints Python's traceback, with paths of its own
    installation; that is left out.
    """
    if result.foreign:
        return f"Rendering SLS {sls} failed, render error: {result.message}"
    return f"Rendering SLS '{saltenv}:{sls}' failed: {result.message}"


def absolute_name(name: str, sls: str, *, is_init: bool) -> str | None:
    """Return the full name of a relative include; None if it leads out of the tree."""
    matched = DOTS.match(name)
    if matched is None:  # a line break is in it
        return None
    levels, rest = matched.groups()
    parts = [*sls.split("."), *(["init"] if is_init else [])]
    return None if len(levels) > len(parts) else ".".join([*parts[: -len(levels)], rest])


def _no_environment(saltenv: Any, position: Position | None, known: Collection[str]) -> Fault:
    words = f"No matching salt environment for environment '{saltenv}' found"
    message = f"the top file names the environment '{saltenv}', which has no roots"
    remedy = suggest_environment(saltenv, known, "file_roots")
    return fault_at("unknown-environment", words, message, position, remedy)
