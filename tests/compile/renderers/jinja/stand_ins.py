"""A minion for the functions to ask, and an environment with only Salt's additions in it."""

import datetime as dt
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from jinja2 import Undefined
from jinja2.sandbox import SandboxedEnvironment

from pillarbook.compile.matchers.traverse import traverse
from pillarbook.compile.reads import Trace, View
from pillarbook.compile.renderers.jinja.filters.dates import date_filters, has_no_clock
from pillarbook.compile.renderers.jinja.functions import Functions
from pillarbook.compile.renderers.jinja.salt_names import salt_filters, salt_globals, salt_tests
from pillarbook.compile.renderers.jinja.serializers import SerializerExtension
from pillarbook.compile.renderers.jinja.tree_files import OutsideTreesError
from pillarbook.compile.renderers.jinja.undefined import SaltUndefined
from pillarbook.inventory.declared_functions import DeclaredFunction, parse_functions
from pillarbook.inventory.settings_checks import Checks
from pillarbook.model import Position


@dataclass
class Minion:
    """What a ``FunctionContext`` needs; matches ids, grains and simple compounds."""

    grains: Mapping[str, Any] = field(default_factory=dict)
    pillar: Mapping[str, Any] = field(default_factory=dict)
    nodegroups: Mapping[str, Any] = field(default_factory=dict)
    master_opts: Mapping[str, Any] = field(default_factory=dict)
    opts: Mapping[str, Any] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    minion_id: str = "web01.lan"
    saltenv: str = "base"
    on_minion: bool = False

    @property
    def own_id(self) -> str:
        return str(self.master_opts.get("id"))

    def id_matches(self, kind: Any, pattern: str) -> bool:
        assert kind == "glob"
        return fnmatchcase(self.minion_id, pattern)

    def match_target(
        self, target: Any, matcher: str, minion_id: str | None, delimiter: str
    ) -> bool:
        name = self.master_opts["id"] if minion_id is None else minion_id
        if matcher == "compound":
            return all(self._match_word(word, name) for word in target.split(" and "))
        if matcher in ("glob", "list"):
            words = target.split(",") if matcher == "list" else [target]
            return any(fnmatchcase(name, word) for word in words)
        if matcher == "pcre":
            return re.match(target, name) is not None
        if matcher == "ipcidr":
            return True
        data = self.pillar if matcher.startswith("pillar") else self.grains
        path, _, pattern = target.rpartition(delimiter)
        values = traverse(data, path, [], delimiter)
        return any(
            re.match(pattern, str(value))
            if matcher.endswith("pcre")
            else fnmatchcase(str(value), pattern)
            for value in (values if isinstance(values, list) else [values])
        )

    def _match_word(self, word: str, name: str) -> bool:
        if word.startswith("G@"):
            return self.match_target(word[2:], "grain", None, ":")
        return fnmatchcase(name, word)

    def render_text(self, text: str, pipe: str, options: Mapping[str, Any]) -> Any:
        return [text, pipe, dict(options)]

    def render_path(self, path: str, pipe: str, options: Mapping[str, Any]) -> Any:
        return [path, pipe, dict(options)]

    def remark(self, rule: str) -> None:
        assert rule == "mine-in-pillar"

    def now(self) -> dt.datetime:
        return has_no_clock()

    @property
    def mine(self) -> "Mine":
        return Mine()

    @property
    def trees(self) -> "Trees":
        return Trees(self.files)


class Mine:
    """The mine of a fleet that has told nothing."""

    is_declared = False

    def matching(self, target: Any, matcher: str) -> Iterable[str]:  # noqa: ARG002
        return []

    def data_of(self, minion_id: str) -> Mapping[str, Any]:  # noqa: ARG002
        return {}


@dataclass(frozen=True)
class Trees:
    """The file system that consists of some files: addresses in the state tree, and full paths."""

    files: Mapping[str, str]
    secret: str | None = None
    hides: str | None = None

    def read_bytes(self, path: str) -> bytes | None:
        if path.startswith("/outside/"):
            raise OutsideTreesError
        return self.files[path].encode() if path in self.files else None

    def is_folder(self, path: str) -> bool:
        return any(True for _ in self.list_below(path))

    def list_below(self, path: str) -> Iterable[str]:
        if path.startswith("/outside"):
            raise OutsideTreesError
        return [file for file in self.files if file.startswith(f"{path}/")]

    def take_text(self, path: str, text: str) -> str:  # noqa: ARG002
        return text

    def read_state(self, path: str, saltenv: str) -> bytes | None:
        return self.read_bytes(f"salt://{path}") if saltenv == "base" else None

    def list_states(self, saltenv: str) -> Iterable[str]:
        prefix = "salt://"
        return [path.removeprefix(prefix) for path in self.files if saltenv == "base"]

    def state_environments(self) -> Iterable[str]:
        return ["base"]

    def has_pillar_file(self, path: str, saltenv: str | None) -> bool:
        return path == "top.sls" and saltenv in (None, "base")


def make_environment(undefined: type[Undefined] = SaltUndefined) -> SandboxedEnvironment:
    environment = SandboxedEnvironment(
        undefined=undefined,
        extensions=["jinja2.ext.do", "jinja2.ext.loopcontrols", SerializerExtension],
    )
    environment.filters.update(salt_filters())
    environment.filters.update(date_filters(lambda: has_no_clock))
    environment.tests.update(salt_tests())
    environment.globals.update(salt_globals())
    return environment


def recorded(minion: Minion) -> Minion:
    """Return the minion with views in place of its mappings, as templates see it in a compile."""
    trace = Trace()
    return Minion(
        grains=View("grains", minion.grains, trace),
        pillar=View("pillar", minion.pillar, trace),
        master_opts=View("master_opts", minion.master_opts, trace),
        opts=View("opts", minion.opts, trace),
        files=minion.files,
        minion_id=minion.minion_id,
        saltenv=minion.saltenv,
    )


def render(source: str, minion: Minion, **functions: Any) -> str:
    """Return what a template prints for a minion."""
    salt = Functions(minion, declare(functions))
    variables = {"grains": minion.grains, "pillar": minion.pillar, "opts": minion.opts}
    return make_environment().from_string(source).render(salt=salt, **variables)


def declare(functions: Mapping[str, Any]) -> dict[str, DeclaredFunction]:
    """Return functions as they are declared in a configuration that has no fault."""
    checks = Checks({"functions": functions}, lambda _path: Position("mkdocs.yml"))
    declared = parse_functions(checks)
    assert not checks.faults
    return declared
