"""Which state SLS a tree names, and which of them are not in it: those of formulas, mostly.

Files are searched as text, before anything is compiled: whether a report has states at all has to
be known before its first page. A name that a template makes is not seen.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pillarbook.compile.top.tops import top_path
from pillarbook.highstate.render_states import absolute_name
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
