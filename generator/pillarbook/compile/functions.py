"""The ``salt`` object of templates, bound to one minion's views and the roots' files."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pillarbook.compile.matchers import IdKind, MatcherError, match_id, match_target
from pillarbook.compile.reads import Trace
from pillarbook.compile.renderers.jinja.functions import Functions
from pillarbook.compile.sight import Sight
from pillarbook.roots import Found

FindFile = Callable[[str, str], Found | None]


def make_functions(sight: Sight, trace: Trace | None, saltenv: str, find: FindFile) -> Functions:
    """Return the functions as the templates of one render see them.

    Args:
        sight: The minion.
        trace: Where reads are recorded; None where nothing is.
        saltenv: The environment of the file that is rendered.
        find: Finds a pillar file by path and environment, and records that it was looked for.
    """
    context = _Context(sight, trace, saltenv, find)
    return Functions(context, sight.project.functions, lambda _name: None)


class _Context:
    """What functions know of the minion and may ask of the tree."""

    def __init__(self, sight: Sight, trace: Trace | None, saltenv: str, find: FindFile) -> None:
        self._sight = sight
        self._trace = trace
        self._find = find
        self.saltenv = saltenv
        self.minion_id = sight.minion.id

    @property
    def grains(self) -> Mapping[str, Any]:
        """What templates see as ``grains``."""
        return self._sight.view("grains", self._trace)

    @property
    def pillar(self) -> Mapping[str, Any]:
        """What templates see as ``pillar``."""
        return self._sight.view("pillar", self._trace)

    @property
    def opts(self) -> Mapping[str, Any]:
        """What templates see as ``opts``."""
        return self._sight.view("opts", self._trace)

    @property
    def master_opts(self) -> Mapping[str, Any]:
        """The options with the master's own id."""
        return self._sight.view("master_opts", self._trace)

    def id_matches(self, kind: Any, pattern: str) -> bool:
        """Say whether the minion's id matches, and record the question."""
        return self._sight.id_matches(kind, pattern, self._trace)

    def match_target(
        self, target: Any, matcher: str, minion_id: str | None, delimiter: str
    ) -> bool:
        """Say whether a target matches; ids are held against the id given, else the master's."""
        if delimiter != ":" and matcher != "compound":
            return False
        try:
            return match_target(target, matcher, _OtherId(self, minion_id))
        except MatcherError:
            return False

    def read_file(self, path: str, saltenv: str) -> str | None:
        """Return the text of a file of the state tree."""
        found = self._sight.scope.states.find(path.removeprefix("salt://"), saltenv)
        return found.content.decode("utf-8", "replace") if found else None

    def list_files(self, saltenv: str) -> Iterable[str]:
        """Return the paths of the files in the state tree of an environment."""
        return self._sight.scope.states.names(saltenv)

    def has_pillar_file(self, path: str, saltenv: str | None) -> bool:
        """Say whether a pillar root has a file."""
        roots = self._sight.scope.roots
        environments = roots.environments if saltenv is None else (saltenv,)
        return any(self._find(path, environment) is not None for environment in environments)

    @property
    def nodegroups(self) -> Mapping[str, Any]:
        """The master's nodegroups."""
        return self._sight.scope.options.values.get("nodegroups") or {}

    @property
    def master_id(self) -> str:
        """The id that Salt's match functions hold ids against unless they are given one."""
        return str(self._sight.scope.options.values.get("id") or "master")


class _OtherId:
    """The minion with another id, as ``match.*`` functions look at it."""

    def __init__(self, context: _Context, minion_id: str | None) -> None:
        self._context = context
        self.minion_id = context.master_id if minion_id is None else str(minion_id)
        self.grains = context.grains
        self.pillar = context.pillar
        self.nodegroups = context.nodegroups

    def id_matches(self, kind: IdKind, pattern: str) -> bool:
        """Say whether the id matches; it is no secret of the minion's, so nothing is recorded."""
        return match_id(kind, pattern, self.minion_id)
