"""The files of the pillar's roots that have pages, and whether their text is shown."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from pillarbook.compile.project import Project, Scope, scope_of
from pillarbook.compile.renderers.ciphertext import name_sealed
from pillarbook.compile.renderers.jinja.environment import environment_arguments
from pillarbook.compile.renderers.pipe import choose_pipe
from pillarbook.inventory.minions import Minion
from pillarbook.inventory.reach import Reach, find_reach
from pillarbook.inventory.settings import NO_SOURCE, Settings
from pillarbook.redact.source_files import SourceFile
from pillarbook.roots.tree_interface import FoundFile, sls_of_path

TEXT_RENDERERS = frozenset(
    ("jinja", "yaml", "yamlex", "json", "toml", "gpg", "nacl", "stateconf", "msgpack")
)
"""Renderers that run no code."""
OPENING = frozenset(("gpg", "nacl"))
CODE_ENDS = (".py", ".pyx", ".pyc", ".so", ".mako", ".wempy", ".sh", ".pl", ".rb")
MAX_SHOWN = 512 * 1024
"""Bytes; the text of a larger file is not shown."""


@dataclass(frozen=True, slots=True)
class _Root:
    """A tree of the pillar's roots."""

    folder: str
    """Its folder, as in the names of files."""
    saltenv: str
    """The environment in which the fewest other trees come before it."""
    scope: Scope
    """The options with which it was opened."""


class PillarFiles:
    """Lists the files of a fleet's pillar roots."""

    def __init__(
        self,
        project: Project,
        settings: Settings,
        minions: Iterable[Minion],
        clean: Callable[[str], str],
    ) -> None:
        self._project = project
        self._settings = settings
        self._minions = tuple(minions)
        self._clean = clean
        # By the full path: a run sees one version of each file.
        self._made: dict[str, SourceFile | None] = {}
        self._found: dict[str, FoundFile] = {}
        self._by_name: dict[str, SourceFile] | None = None

    def forget(self) -> None:
        """Empty the caches, because names are shown differently now."""
        self._made.clear()
        self._found.clear()
        self._by_name = None

    @property
    def sls_files(self) -> tuple[SourceFile, ...]:
        """The SLS files of all environments, including top files."""
        return tuple(one for one in self.by_name.values() if one.is_sls)

    @property
    def by_name(self) -> Mapping[str, SourceFile]:
        """The SLS files, and the other files that were needed so far, by their shown names."""
        if self._by_name is None:
            listed = (*self._list_sls(), *self._made.values())
            self._by_name = {one.file: one for one in listed if one is not None}
        return self._by_name

    def _list_sls(self) -> Iterator[SourceFile]:
        for root, tree in self._trees:
            for name in sorted(tree.names()):
                found = tree.find(name) if name.endswith(".sls") else None
                made = None if found is None else self.of(found)
                if made is not None and root.folder == self._root_of(found.full).folder:  # type: ignore[union-attr] # both are there
                    yield made

    def of(self, found: FoundFile | None) -> SourceFile | None:
        """Return the page's file for a found file; None if it is not in the pillar's roots."""
        if found is None:
            return None
        if found.full not in self._made:
            root = self._root_of(found.full)
            made = self._made[found.full] = None if root is None else self._make(found, root)
            if made is not None:
                self._found[made.file] = found
                if self._by_name is not None:
                    self._by_name.setdefault(made.file, made)
        return self._made[found.full]

    def find_in(self, saltenv: str, path: str) -> SourceFile | None:
        """Return the file at a path of an environment."""
        found = (one.roots.find(path, saltenv) for one in self._scopes)
        return next((made for one in found if (made := self.of(one)) is not None), None)

    def found(self, file: str) -> FoundFile:
        """Return a file with a page, by its shown name."""
        return self._found[file]

    def jinja_of(self, file: str) -> Mapping[str, Any]:
        """Return the Jinja options of a file with a page."""
        root = self._root_of(self._found[file].full)
        options = self._project.options if root is None else root.scope.options
        return environment_arguments(options.values, is_sls=file.endswith(".sls"), header={})

    def _make(self, found: FoundFile, root: _Root) -> SourceFile:
        path = found.full.removeprefix(root.folder).lstrip("/")
        name = sls_of_path(path)
        known, _ = root.scope.roots.find_sls(name, root.saltenv)
        is_sls = path.endswith(".sls")
        if not is_sls or known is None or known.full != found.full:
            name = path
        clean = self._clean
        withheld = self._withhold(found, root, is_sls=is_sls)
        return SourceFile(clean(found.shown), clean(root.saltenv), clean(name), is_sls, withheld)

    def _withhold(self, found: FoundFile, root: _Root, *, is_sls: bool) -> str | None:
        """Return why the text of a file is not shown; None if it is."""
        if self._settings.source == NO_SOURCE:
            return "the configuration has `pages: {source: none}`"
        place = self._place_of(found)
        if place is None or not self._home.allows(place):
            return "it is outside of the repository"
        if place in self._declarations or place.parent == self._settings.master.parent / "master.d":
            return "it is a file of the configuration"
        if name_sealed(found.content) is not None:
            return "it is encrypted as a whole"
        if len(found.content) > MAX_SHOWN:
            return f"it is larger than {MAX_SHOWN // 1024} KiB"
        return self._withhold_text(found, root, is_sls=is_sls)

    def _withhold_text(self, found: FoundFile, root: _Root, *, is_sls: bool) -> str | None:
        try:
            text = found.content.decode()
        except UnicodeDecodeError:
            return "it is not UTF-8 text"
        if "\0" in text:
            return "it is not text"
        has_shebang = text.startswith("#!")
        if found.path.endswith(CODE_ENDS) or (not is_sls and has_shebang):
            return "it is code"
        options = root.scope.options.values
        pipe = choose_pipe(text, options, self._project.renderers)
        steps = [name for name, _ in pipe.steps]
        if pipe.unknown or not TEXT_RENDERERS.issuperset(steps):
            return "it is code" if is_sls else None
        if is_sls and steps and steps[0] in OPENING:
            return "it is encrypted as a whole"
        return None

    def _place_of(self, found: FoundFile) -> Path | None:
        """Return the real path of a file."""
        try:
            return self._home.files.resolve(Path(found.full))
        except (OSError, RuntimeError, ValueError):
            return None

    @cached_property
    def _home(self) -> Reach:
        """The repository, independent of other folders that may be read."""
        return find_reach(self._settings.master, files=self._project.options.reach.files)

    @cached_property
    def _declarations(self) -> frozenset[Path]:
        named = (self._settings.master, *self._settings.inventory, self._settings.file)
        resolve = self._home.files.resolve
        return frozenset(resolve(path) for path in named if path is not None)

    @cached_property
    def _trees(self) -> list[tuple[_Root, Any]]:
        """The trees of all environments, each once."""
        best: dict[str, tuple[int, int, _Root, Any]] = {}
        number = 0
        for scope in self._scopes:
            places: dict[str, int] = {}
            for saltenv, tree in scope.roots.trees():
                place = places[saltenv] = places.get(saltenv, -1) + 1
                rank = (place, number, _Root(tree.full.rstrip("/"), saltenv, scope), tree)
                known = best.setdefault(tree.full.rstrip("/"), rank)
                if rank[:2] < known[:2]:
                    best[tree.full.rstrip("/")] = rank
                number += 1
        return [(root, tree) for _, _, root, tree in sorted(best.values(), key=lambda one: one[1])]

    @cached_property
    def _scopes(self) -> tuple[Scope, ...]:
        """The options of all minions, each once."""
        return tuple(dict.fromkeys(scope_of(one, self._project) for one in self._minions))

    @cached_property
    def _roots(self) -> list[_Root]:
        """The trees, the deepest first."""
        return sorted((root for root, _ in self._trees), key=lambda root: -len(root.folder))

    def _root_of(self, full: str) -> _Root | None:
        return next((one for one in self._roots if full.startswith(f"{one.folder}/")), None)
