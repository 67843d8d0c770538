"""Which state SLS a tree names, and which of them are not in it: those of formulas, mostly.

Also which keys of the pillar states use as secrets: ``- password: {{ pillar['app']['relay'] }}``.

Files are searched as text, before anything is compiled: whether a report has states at all has to
be known before its first page. A name that a template makes is not seen.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pillarbook.compile.top.tops import top_path
from pillarbook.highstate.render_states import absolute_name
from pillarbook.model import KeyPath
from pillarbook.patterns.key_names import kind_of_name
from pillarbook.roots.environment_roots import Roots

# Below it a name that is not here is a slip more likely than a formula.
FEWEST = 5
"""Missing SLS from which on states may count as elsewhere."""
# A top file lists names below targets, and nothing else but `match: KIND`.
_ENTRY = re.compile(r"^\s*-\s+(['\"]?)(\.*\w[\w.*-]*)\1\s*(?:#.*)?$", re.MULTILINE)
_LIST = re.compile(r":[ \t]*\[([^][{}]*)\]")
_IN_LIST = re.compile(r"\.*\w[\w.*-]*")
_INCLUDE = re.compile(
    r"^include:[ \t]*(?:\[.*|(?:#.*)?\n(?:[ \t]*(?:-.*|#.*|\{%.*)?\n)+)", re.MULTILINE
)
_ARGUMENT = re.compile(
    r"""^[ \t]*(?:-[ \t]+)?["']?([\w.-]+)["']?:[ \t]+["']?\{\{-?(.+?)-?\}\}["']?[ \t]*(?:\#.*)?$""",
    re.MULTILINE,
)
_SET = re.compile(r"\{%-?\s*set\s+(\w+)\s*=(.+?)-?%\}")
_CALL = re.compile(
    r"""\s*(?:salt\.pillar\.get|salt\[["']pillar\.get["']\]|pillar\.get)"""
    r"""\(\s*["']([^"'\n]+)["']\s*(?:,[^()]*)?\)"""
)
_NAME = re.compile(r"\s*(\w+)")
_STEP = re.compile(r"""\.(\w+)(?![\w(])|\[\s*["']([^"'\n]+)["']\s*\]""")


@dataclass(frozen=True, slots=True)
class NeededStates:
    """The state SLS that top files and includes name."""

    here: tuple[str, ...]
    """Those that the tree has, in the order in which they are named."""
    missing: tuple[str, ...]
    """Those that it lacks."""
    top: str
    """The first top file, as it is shown; empty if there is none."""

    @property
    def are_elsewhere(self) -> bool:
        """Whether most of them are not in the tree."""
        return len(self.missing) >= max(FEWEST, len(self.here) + 1)


def find_needed_states(roots: Roots, options: Mapping[str, Any]) -> NeededStates:
    """Return the state SLS that top files name, and the includes of those."""
    path = top_path(options)
    tops = [top for env in roots.environments if (top := roots.find(path, env)) is not None]
    waiting = [name for top in tops for name in _names_in(top.text + "\n")]
    here: dict[str, None] = {}
    missing: dict[str, None] = {}
    for name in waiting:  # grows while it is read
        if name in here or name in missing:
            continue
        # A top file may name SLS of any environment.
        found = [roots.find_sls(name, env) for env in roots.environments]
        for file, is_init in found:
            if file is not None:
                here[name] = None
                waiting += _included_by(file.text + "\n", name, is_init=is_init)
        if name not in here and not any(roots.matching(name, env) for env in roots.environments):
            missing[name] = None
    return NeededStates(tuple(here), tuple(missing), tops[0].shown if tops else "")


def _names_in(text: str) -> Iterator[str]:
    yield from (match[2] for match in _ENTRY.finditer(text))
    yield from (name for match in _LIST.finditer(text) for name in _IN_LIST.findall(match[1]))


def _included_by(text: str, sls: str, *, is_init: bool) -> Iterator[str]:
    for block in _INCLUDE.finditer(text):
        for name in _names_in(block[0]):
            full = absolute_name(name, sls, is_init=is_init) if name.startswith(".") else name
            if full is not None:
                yield full


def find_used_keys(roots: Roots, options: Mapping[str, Any]) -> dict[KeyPath, str]:
    """Return key paths of the pillar, each with the argument whose name says that it is secret.

    A key with any name may hold a password, and the argument of the state says so.
    """
    used: dict[KeyPath, str] = {}
    for name in find_needed_states(roots, options).here:
        for environment in roots.environments:
            file, _ = roots.find_sls(name, environment)
            text = "" if file is None else file.text
            if "pillar" in text:
                used.update(_find_in(text))
    return used


def _find_in(text: str) -> Iterator[tuple[KeyPath, str]]:
    variables: dict[str, KeyPath] = {"pillar": ()}
    for name, expression in _SET.findall(text):
        path = _path_of(expression, variables)
        if path:
            variables[name] = path
    for argument, expression in _ARGUMENT.findall(text):
        path = _path_of(expression, variables)
        if path and kind_of_name(argument) is not None:
            yield path, argument


def _path_of(expression: str, variables: Mapping[str, KeyPath]) -> KeyPath | None:
    """Return the key path that an expression reads, without its filters; None for any other."""
    call = _CALL.match(expression)
    if call is not None:
        path, rest = tuple(call[1].split(":")), expression[call.end() :]
    else:
        name = _NAME.match(expression)
        if name is None or name[1] not in variables:
            return None
        path, rest = variables[name[1]], expression[name.end() :]
    while (step := _STEP.match(rest)) is not None:
        path, rest = (*path, step[1] or step[2]), rest[step.end() :]
    return path if not rest.strip() or rest.lstrip().startswith("|") else None
