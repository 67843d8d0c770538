"""The rule ``unused-sls``: files of the pillar roots that no minion gets."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from pillarbook.compile.project import Scope
from pillarbook.compile.render_file import RenderResult
from pillarbook.compile.top.tops import top_path
from pillarbook.diagnostics import Diagnostic, new_diagnostic
from pillarbook.model import Position
from pillarbook.roots.tree_interface import FoundFile


@dataclass(slots=True)
class UsedFiles:
    """Gathers the files that took part in some minion's compile."""

    used: set[tuple[str, str]] = field(default_factory=set)
    """Environment and path of each file that was read: SLS, top files, imports."""
    failed: set[tuple[str, str]] = field(default_factory=set)
    """Environment and path of files that did not render; their includes are not known."""

    def take(self, result: RenderResult) -> None:
        """Add a rendered file."""
        for file in result.files:
            if file.digest:
                self.used.add((file.saltenv, file.path))
        if result.message is not None and result.files:
            self.failed.add((result.files[0].saltenv, result.files[0].path))

    def merge(self, other: "UsedFiles") -> None:
        """Add the files of another process."""
        self.used |= other.used
        self.failed |= other.failed

    def find_unused(
        self,
        scopes: Iterable[Scope],
        wanted: Iterable[tuple[str, str]],
        missed: Iterable[tuple[str, str]] = (),
    ) -> Iterator[Diagnostic]:
        """Yield a diagnostic for each SLS file that no compile read.

        Args:
            scopes: The roots that minions see.
            wanted: Environment and SLS name, or glob, of matching targets; files that a failed
            compile did not reach are not unused.
            missed: Environment and SLS name, or glob, of targets that do not match.
        """
        wanted, missed = list(wanted), list(missed)
        used: set[str] = set()
        named: set[str] = set()
        others: dict[str, tuple[str, FoundFile]] = {}
        texts: dict[str, list[str]] = {}
        for scope in scopes:
            used.update(found.full for found in self._find_used(scope, wanted))
            named.update(found.full for found in _find_named(scope, missed))
            top = top_path(scope.options.values)
            for saltenv in scope.roots.environments:
                texts[saltenv] = self._read_failed(scope, saltenv)
                for path in scope.roots.names(saltenv):
                    found = _find_sls(scope, saltenv, path) if path != top else None
                    if found is not None and not _is_named(path, texts[saltenv]):
                        others.setdefault(found.full, (saltenv, found))
        for full, (saltenv, found) in others.items():
            if full not in used:
                yield _word(saltenv, found, is_named=full in named)

    def _find_used(self, scope: Scope, wanted: Iterable[tuple[str, str]]) -> Iterator[FoundFile]:
        roots = scope.roots
        for saltenv, path in self.used:
            if (found := roots.find(path, saltenv)) is not None:
                yield found
        yield from _find_named(scope, wanted)

    def _read_failed(self, scope: Scope, saltenv: str) -> list[str]:
        found = (scope.roots.find(path, env) for env, path in self.failed if env == saltenv)
        return [one.content.decode("utf-8", "replace") for one in found if one is not None]


def _find_named(scope: Scope, names: Iterable[tuple[str, str]]) -> Iterator[FoundFile]:
    """Yield the files of SLS names, or globs, that targets give."""
    for saltenv, name in names:
        for sls in scope.roots.matching(name, saltenv) or (name,):
            if (found := scope.roots.find_sls(sls, saltenv)[0]) is not None:
                yield found


def _find_sls(scope: Scope, saltenv: str, path: str) -> FoundFile | None:
    return scope.roots.find(path, saltenv) if path.endswith(".sls") else None


def _is_named(path: str, texts: Iterable[str]) -> bool:
    """Say whether the text of a file that did not render has the last part of an SLS name."""
    last = path.removesuffix(".sls").removesuffix("/init").rpartition("/")[2]
    word = re.compile(rf"(?<![\w-]){re.escape(last)}(?![\w-])")
    return any(word.search(text) for text in texts)


def _word(saltenv: str, found: FoundFile, *, is_named: bool) -> Diagnostic:
    name = found.path.removesuffix(".sls").removesuffix("/init").replace("/", ".")
    return new_diagnostic(
        "unused-sls",
        f"no declared minion gets the SLS '{name}' of environment '{saltenv}'",
        Position(found.shown),
        remedy="remove it, or correct its target, which matches no declared minion"
        if is_named
        else "remove it, or name it in a top file or an include",
    )
