"""The rule ``unused-sls``: files of the pillar roots that no minion gets."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from pillarbook.compile.project import Scope
from pillarbook.compile.render_result import RenderResult
from pillarbook.compile.top.tops import top_path
from pillarbook.diagnostics import Diagnostic, Severity, new_diagnostic
from pillarbook.model import Position
from pillarbook.roots.tree_interface import FoundFile, sls_of_path

_EXPRESSION = re.compile(r"\{\{.*?\}\}")
_WORD = re.compile(r"[^\W\d_]{2}")
_MADE_NAME = re.compile(
    r"^\s*-\s+['\"]?((?:[\w./-]|\{\{.*?\}\})*\{\{.*?\}\}[\w./-]*)", re.MULTILINE
)
"""An item of a list that is a name with an expression in it."""
_LISTED = re.compile(r"^\s*-\s+['\"]?([\w./-]+)['\"]?\s*(?::|#|$)", re.MULTILINE)
"""An item of a list that may be the name of an SLS."""

_SWITCHED_OFF = re.compile(
    r"^[ \t]*#[ \t#]*-[ \t]+['\"]?([\w./-]+)['\"]?[ \t]*:?[ \t]*(?:#|$)", re.MULTILINE
)
"""An item of a list that is a comment, and may be the name of an SLS."""
_SAMPLE = re.compile(
    r"(?<![^\W_])(?:dist|disabled|examples?|samples?|templates?)(?![^\W_])", re.IGNORECASE
)
"""A word in the name of a file that is unused on purpose."""


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
        *,
        is_guessed: bool = False,
    ) -> Iterator[Diagnostic]:
        """Yield a diagnostic for each SLS file that no compile read.

        What a target without minions gives is not reported, because that target is. ``wanted`` and
        ``missed`` are environment and SLS name, or glob, of targets that match and of those that do
        not; files that a failed compile did not reach are not unused. If minions are guessed,
        others may get what the name of an SLS in a template, ``roles.{{ role }}``, stands for.
        """
        scopes, wanted, missed = list(scopes), list(wanted), list(missed)
        used: set[str] = set()
        others: dict[str, tuple[str, FoundFile]] = {}
        texts: dict[str, list[str]] = {}
        for scope in scopes:
            used.update(found.full for found in self._find_used(scope, wanted))
            unmatched = {found.full: found for found in _find_named(scope, missed)}
            used.update(unmatched)
            top = top_path(scope.options.values)
            for saltenv in scope.roots.environments:
                texts[saltenv] = [
                    *self._read_failed(scope, saltenv),
                    *(found.text for found in unmatched.values()),
                ]
                made = self._find_made_names(scope, saltenv) if is_guessed else None
                for path in scope.roots.names(saltenv):
                    found = _find_sls(scope, saltenv, path) if path != top else None
                    if found is None or (
                        made is not None and made.fullmatch(sls_of_path(found.path))
                    ):
                        continue
                    if not _SAMPLE.search(path) and not _is_named(path, texts[saltenv]):
                        others.setdefault(found.full, (saltenv, found))
        unused = [other for full, other in others.items() if full not in used]
        listed = self._find_listed(scopes, _LISTED) if unused else {}
        # Somebody keeps these on purpose.
        off = self._find_listed(scopes, _SWITCHED_OFF) if unused else {}
        for saltenv, found in _without_named(unused):
            name = (saltenv, sls_of_path(found.path))
            instead = _find_instead(scopes, saltenv, found)
            if instead is not None or name not in off:
                yield _word(saltenv, found, listed.get(name), instead)

    def _find_used(self, scope: Scope, wanted: Iterable[tuple[str, str]]) -> Iterator[FoundFile]:
        roots = scope.roots
        for saltenv, path in self.used:
            if (found := roots.find(path, saltenv)) is not None:
                yield found
        yield from _find_named(scope, wanted)

    def _read_failed(self, scope: Scope, saltenv: str) -> list[str]:
        found = (scope.roots.find(path, env) for env, path in self.failed if env == saltenv)
        return [one.text for one in found if one is not None]

    def _find_listed(
        self, scopes: Iterable[Scope], item: re.Pattern[str]
    ) -> dict[tuple[str, str], str]:
        """Return what lists in read SLS files name, perhaps for other minions, with the file."""
        listed: dict[tuple[str, str], str] = {}
        for scope in scopes:
            for saltenv, path in sorted(self.used):
                found = _find_sls(scope, saltenv, path)
                if found is not None:
                    for name in item.findall(found.text):
                        listed.setdefault((saltenv, name.replace("/", ".")), found.shown)
        return listed

    def _find_made_names(self, scope: Scope, saltenv: str) -> re.Pattern[str] | None:
        """Return the names of SLS that the templates of an environment can make."""
        found = (scope.roots.find(path, env) for env, path in self.used if env == saltenv)
        made = {
            ".*".join(map(re.escape, _EXPRESSION.split(name)))
            for one in found
            if one is not None and one.path.endswith(".sls")
            for name in _MADE_NAME.findall(one.text)
            # Items of data look alike, so there a name needs a word of its own.
            if one.path == top_path(scope.options.values) or _WORD.search(_EXPRESSION.sub("", name))
        }
        return re.compile("|".join(sorted(made))) if made else None


def _without_named(
    unused: Sequence[tuple[str, FoundFile]],
) -> Iterator[tuple[str, FoundFile]]:
    """Yield unused files without those that only other unused files name.

    Files that name each other stay.
    """
    names = {
        (saltenv, sls_of_path(found.path)): {
            (saltenv, name.replace("/", ".")) for name in _LISTED.findall(found.text)
        }
        for saltenv, found in unused
    }
    for saltenv, found in unused:
        own = (saltenv, sls_of_path(found.path))
        if not any(own in named and by not in names[own] for by, named in names.items()):
            yield saltenv, found


def _find_named(scope: Scope, names: Iterable[tuple[str, str]]) -> Iterator[FoundFile]:
    """Yield the files of SLS names, or globs, that targets give or mean."""
    for saltenv, name in names:
        meant = scope.roots.sls_of_file_name(name, saltenv) or name
        for sls in scope.roots.matching(name, saltenv) or (meant,):
            if (found := scope.roots.find_sls(sls, saltenv)[0]) is not None:
                yield found


def _find_sls(scope: Scope, saltenv: str, path: str) -> FoundFile | None:
    return scope.roots.find(path, saltenv) if path.endswith(".sls") else None


def _is_named(path: str, texts: Iterable[str]) -> bool:
    """Say whether the text of a file that did not render has the last part of an SLS name."""
    last = path.removesuffix(".sls").removesuffix("/init").rpartition("/")[2]
    word = re.compile(rf"(?<![\w-]){re.escape(last)}(?![\w-])")
    return any(word.search(text) for text in texts)


def _find_instead(scopes: Iterable[Scope], saltenv: str, found: FoundFile) -> FoundFile | None:
    """Return the file that Salt reads for the name of another one; None if it reads that."""
    read = [scope.roots.find_sls(sls_of_path(found.path), saltenv)[0] for scope in scopes]
    if any(one is not None and one.full == found.full for one in read):
        return None
    return next((one for one in read if one is not None), None)


def _word(
    saltenv: str, found: FoundFile, listed_in: str | None, instead: FoundFile | None
) -> Diagnostic:
    if instead is not None:
        return _word_hidden(saltenv, found, instead)
    remedy = "remove it, or name it in a top file or an include"
    if "." in found.path.removesuffix(".sls"):
        remedy = "rename it, or remove it: a dot in the name of an SLS stands for a folder"
    if listed_in is not None:
        remedy = f"remove it, or declare minions for which {listed_in} names it"
    return new_diagnostic(
        "unused-sls",
        f"no declared minion gets the SLS '{sls_of_path(found.path)}' of environment '{saltenv}'",
        Position(found.shown),
        remedy=remedy,
    )


def _word_hidden(saltenv: str, found: FoundFile, instead: FoundFile) -> Diagnostic:
    return new_diagnostic(
        "unused-sls",
        f"Salt reads {instead.shown} instead of this file: both are the SLS"
        f" '{sls_of_path(found.path)}' of environment '{saltenv}'",
        Position(found.shown),
        related=(Position(instead.shown),),
        remedy=f"move what you need of it to {instead.shown}, and remove it; or rename one of them",
        severity=Severity.WARNING,  # an author expects that both count
    )
