"""The data for pages about files of the pillar: renders, and masked text."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.project import FileRead, Project, scope_of
from pillarbook.compile.reads import MISSING
from pillarbook.compile.render_result import RenderResult
from pillarbook.compile.renderers.error_words import is_written
from pillarbook.inventory.minions import Minion
from pillarbook.model import format_path
from pillarbook.model.limited_cache import recall
from pillarbook.redact import Redactor
from pillarbook.redact.source_files import (
    Asked,
    FileRender,
    ImportedFile,
    JudgedLines,
    MaskedLine,
    MinionRenders,
    SourceFile,
    SourceRead,
)
from pillarbook.session.pillar_files import PillarFiles
from pillarbook.taint.pillar_questions import asked_of_pillar

if TYPE_CHECKING:
    from pillarbook.sources.source_mask import SourceMask, Template

MAX_KEPT = 50_000
"""The most entries of each cache; then the cache is emptied."""
NOT_THERE = (MISSING, False)
"""Answers to questions about what does not exist."""
HEADER = "#jinja2:"
"""The first characters of a line that sets other delimiters for tags."""


@dataclass(eq=False)
class ShownSources:
    """Describes renders, and masks the texts of files."""

    _project: Project
    _redactor: Redactor
    _files: PillarFiles
    _latest: Callable[[str], tuple[CompiledPillar, Minion]]
    # By the render, which minions share. Equal results are one object, so that minions of one
    # kind also share results of renders that print their names.
    _renders: dict[tuple[RenderResult, int], FileRender | None] = field(default_factory=dict)
    _made: dict[FileRender, FileRender] = field(default_factory=dict)
    _reads: dict[tuple[Any, ...], tuple[SourceRead, ...]] = field(default_factory=dict)
    _includes: dict[frozenset[tuple[str, str, str]], tuple[tuple[str, str, str], ...]] = field(
        default_factory=dict
    )

    def forget(self) -> None:
        """Empty the caches, because names are shown differently now."""
        self._files.forget()
        self._let_go()

    def files(self) -> Iterable[SourceFile]:
        """Return the SLS files of all environments."""
        return self._files.sls_files

    def _let_go(self) -> None:
        self._renders.clear()
        self._made.clear()
        self._reads.clear()
        self._includes.clear()

    def find(self, file: str) -> SourceFile | None:
        """Return a file with a page, by its shown name; None for other files."""
        return self._files.by_name.get(file)

    def find_imported(self, imported: ImportedFile) -> SourceFile | None:
        """Return a file that a template imported, in this process or in another one."""
        return self._files.find_in(imported.saltenv, imported.path)

    def renders(self, minion: str) -> MinionRenders:
        """Return the renders in the compile of a minion."""
        compiled, declared = self._latest(minion)
        if max(len(self._renders), len(self._made), len(self._reads)) > MAX_KEPT:
            self._let_go()
        scope = scope_of(declared, self._project)
        made = (self._render(one, scope) for one in compiled.renders)
        return MinionRenders(
            tuple(dict.fromkeys(one for one in made if one is not None)),
            self._show_includes(compiled.includes),
        )

    def _show_includes(
        self, includes: frozenset[tuple[str, str, str]]
    ) -> tuple[tuple[str, str, str], ...]:
        known = self._includes.get(includes)
        if known is None:
            clean = self._redactor.names.clean
            shown = ((clean(env), clean(one), clean(other)) for env, one, other in includes)
            known = self._includes[includes] = tuple(sorted(shown))
        return known

    def _render(self, result: RenderResult, scope: Any) -> FileRender | None:
        key = (result, scope.number)
        return recall(self._renders, key, partial(self._describe, result, scope))

    def _describe(self, result: RenderResult, scope: Any) -> FileRender | None:
        """Return the description of a render; None if its file has no page."""
        if not result.files:
            return None
        own, *others = (self._find(one, scope) for one in result.files)
        if own is None:
            return None
        clean = self._redactor.names.clean
        printed = result.printed
        made = FileRender(
            file=own.file,
            saltenv=clean(result.files[0].saltenv),
            sls=clean(result.sls),
            imports=tuple(
                ImportedFile(one.file, read.saltenv, read.path)
                for read, one in zip(result.files[1:], others, strict=True)
                if one is not None
            ),
            reads=self._reads_of(result, scope),
            printed=None
            if printed is None
            else tuple(sorted((clean(file), lines) for file, lines in printed.items())),
            is_recorded=result.recorded,
        )
        return self._made.setdefault(made, made)

    def _find(self, read: FileRead, scope: Any) -> SourceFile | None:
        if read.digest is None or read.tree is not None:
            return None
        return self._files.of(scope.roots.find(read.path, read.saltenv))

    def _reads_of(self, result: RenderResult, scope: Any) -> tuple[SourceRead, ...]:
        missed = tuple(one for one, answer in result.questions.items() if answer in NOT_THERE)
        key = (tuple(result.questions), missed, result.functions, result.files)
        known = self._reads.get(key)
        if known is None:
            clean = self._redactor.names.clean
            text = _text_of(result.files, scope)
            # A name that nothing has and that no file contains may be computed from a secret.
            hidden = {one for one in missed if not _is_written(one[2:], text)}
            asked = {
                SourceRead(kind, clean(name)): None
                for question in result.questions
                if question not in hidden
                for kind, name in _name_read(question)
            }
            functions = (one for one in sorted(result.functions) if _is_called(one, text))
            asked |= {SourceRead("function", clean(one)): None for one in functions}
            known = self._reads[key] = tuple(_without_parents(asked))
        return known

    def mask(
        self, lines: Mapping[str, JudgedLines]
    ) -> Iterator[tuple[str, tuple[MaskedLine, ...]]]:
        """Yield files by name with their masked lines, after all minions were compiled."""
        from pillarbook.redact.secret_search import SecretSearch  # noqa: PLC0415 (for pages only)

        mask = self._open_mask()
        templates = {file: self._read(file) for file in lines}
        found: dict[str, None] = {}
        for file, template in templates.items():
            found |= dict.fromkeys(mask.find_secrets(template, lines[file]))
        elsewhere = SecretSearch.of(enumerate(sorted(found)))
        for file, template in templates.items():
            masked = mask.mask(template, lines[file], elsewhere)
            rules = self._redactor.rules
            if rules is not None and rules.is_encrypted(self._files.found(file).shown):
                masked = tuple(replace(line, parts=("", "")) for line in masked)
            yield file, masked

    def secret_lines(self) -> frozenset[tuple[str, int]]:
        """Return the lines with a redacted value so far."""
        clean = self._redactor.names.clean
        return frozenset((clean(file), line) for file, line in self._redactor.store.lines)

    def _open_mask(self) -> "SourceMask":
        from pillarbook.redact.redaction_rules import Rules  # noqa: PLC0415 (for pages only)
        from pillarbook.redact.secret_search import Searches  # noqa: PLC0415
        from pillarbook.sources.source_judge import SourceJudge  # noqa: PLC0415
        from pillarbook.sources.source_mask import SourceMask  # noqa: PLC0415

        store = self._redactor.store
        search = Searches(store).among(frozenset(range(len(store))))
        return SourceMask(SourceJudge(self._redactor.rules or Rules()), search)

    def _read(self, file: str) -> "Template":
        from pillarbook.sources.source_mask import Template  # noqa: PLC0415 (for pages only)

        text = self._files.found(file).content.decode("utf-8", "replace")
        text = text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n")
        arguments = self._files.jinja_of(file)
        head = text.split("\n", 3)[:3]
        is_usual = not any(name.endswith(("_string", "_prefix")) for name in arguments)
        is_usual = is_usual and not any(line.startswith(HEADER) for line in head)
        return Template(text, _find_literals(text, arguments), is_usual)


def _text_of(files: Iterable[FileRead], scope: Any) -> str:
    """Return the texts of the files of a render."""
    found = (scope.roots.find(one.path, one.saltenv) for one in files if one.tree is None)
    return "\0".join(one.content.decode("utf-8", "replace") for one in found if one is not None)


def _is_written(path: Iterable[Any], text: str) -> bool:
    """Say whether each key of the path that a question asks for is in a text."""
    return all(str(key) in text for keys in path if isinstance(keys, tuple) for key in keys)


def _is_called(function: str, text: str) -> bool:
    """Say whether a text has the name of a function: ``grains.get``, ``['grains']['get']``."""
    asked = (
        rf"""(?:\.\s*get\s*\(\s*['"]{re.escape(function)}\b|['"]{re.escape(function)}['"]\s+in\b)"""
    )
    is_named = is_written(function, text) or re.search(asked, text) is not None
    return is_named or all(is_written(part, text) for part in function.split("."))


def _find_literals(text: str, arguments: Mapping[str, Any]) -> Any:
    """Return the literals in a text as a template; None if it is not a template."""
    import jinja2  # noqa: PLC0415 (for pages only)

    from pillarbook.compile.renderers.jinja.literals import find_literals  # noqa: PLC0415
    from pillarbook.compile.renderers.jinja.serializers import SerializerExtension  # noqa: PLC0415

    extensions = ["jinja2.ext.do", "jinja2.ext.loopcontrols", SerializerExtension]
    try:
        environment = jinja2.Environment(**{**arguments, "extensions": extensions})  # noqa: S701 (only parsed)
        return find_literals(environment.parse(text))
    except (jinja2.TemplateSyntaxError, RecursionError, TypeError, ValueError):
        return None


def _name_read(question: tuple[Any, ...]) -> Iterator[tuple[Asked, str]]:
    """Yield the reads of a question."""
    asked = asked_of_pillar(question)
    if asked is not None:
        yield "pillar", format_path(asked[1])
        return
    view, _, path = (*question, None, None)[:3]
    if view == "id":
        yield "id", ""
        return
    if not isinstance(path, tuple):
        return
    if view in ("opts", "master_opts") and path[:1] == ("grains",):
        view, path = "grains", path[1:]
    if view == "grains":
        yield ("id", "") if path == ("id",) else ("grain", format_path(path))
    elif view in ("opts", "master_opts"):
        yield "option", format_path(path)


def _without_parents(reads: Iterable[SourceRead]) -> Iterator[SourceRead]:
    """Yield reads without those of mappings in which something else was read."""
    found = list(reads)
    above = {
        (one.asked, ":".join(parts[:end]))
        for one in found
        if one.asked != "function"
        for parts in [one.name.split(":")]
        for end in range(1, len(parts))
    }
    for one in found:
        if one.name == "" and one.asked in ("grain", "pillar", "option"):
            if not any(other.asked == one.asked and other.name for other in found):
                yield one
        elif (one.asked, one.name) not in above:
            yield one
