"""Prints who gets an SLS, and the result of its lines: the work of ``pillarbook explain --sls``."""

import difflib
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import click

from pillarbook.cli.open_declared import open_asked
from pillarbook.cli.read_declared import split_declared
from pillarbook.cli.value_text import clean_line
from pillarbook.diagnostics import Diagnostic
from pillarbook.model.phrases import count
from pillarbook.report.group_names import GroupNames
from pillarbook.report.minion_sets import numbers_in
from pillarbook.report.sls_facts import KINDS, FilePage, describe_files
from pillarbook.report.source_fleet import Place, SourceFleet
from pillarbook.report.source_lines import SourceLine
from pillarbook.report.source_use import Minions
from pillarbook.report.tags import read_tags
from pillarbook.session import RunOptions, Session

HIDDEN = "<hidden>"
"""Stands for a part of a line that is not shown."""
SCHEMA = "pillarbook.sls/1"
Matched: TypeAlias = Mapping[Place, Minions]
"""The minions that the targets of a line match."""


def print_sls(base: RunOptions, values: dict[str, Any]) -> int:
    """Print what there is to say of an SLS, and return the exit code."""
    declared, asked = split_declared(values)
    for name in ("minion", "as_new", "reveal", "grains", "pillarenv"):
        if asked[name]:
            raise click.UsageError("--sls is about the declared fleet: give no other argument")
    with open_asked(base, declared, asked) as session:
        pages, matched = _find_pages(session, asked["sls"])
        asked["timing"].mark("compiling")
        names = NamedMinions(session)
        found = [(page, _list_findings(session, page)) for page in pages]
        if asked["form"] == "json":
            files = [_tell(page, findings, names) for page, findings in found]
            json.dump({"schema": SCHEMA, "files": files}, sys.stdout, ensure_ascii=False, indent=1)
            click.echo()
        else:
            for page, findings in found:
                for line in _describe(page, findings, matched, names):
                    click.echo(clean_line(line))
    return 0


def _find_pages(session: Session, wanted: str) -> tuple[list[FilePage], Matched]:
    """Return the files that a name, or a path, means, and what the lines of top files match."""
    sources = session.report.sources
    readers: set[str] = set()
    for minion in session.fleet.minions:
        compiled = session.compiler.compile(minion)
        session.collect_secrets(compiled, for_show=False)
        if any(_may_be_meant(path, wanted) for path in compiled.paths_read()):
            readers.add(minion)
    session.freeze_secrets()
    wanted = session.shown.clean_name(wanted)  # the names of SLS are without secrets, too
    fleet = SourceFleet(sources)
    matched: dict[Place, Minions] = {}
    for rank, minion in enumerate(session.fleet.minions):
        # A file may have another name than it shows, if there is a secret in it.
        if readers and minion not in readers:
            continue
        pillar = session.report.pillar(minion)
        leaves = [
            leaf
            for leaf in pillar.leaves
            if leaf.path and any(_may_be_meant(origin.file, wanted) for origin in leaf.origins)
        ]
        for target in pillar.targets:
            place = target.file, target.line
            matched[place] = matched.get(place, 0) | bool(target.matched) << rank
        fleet.add_parts(rank, sources.renders(minion), pillar.targets, [(object(), leaves)])
    found = describe_files(
        fleet.give(),
        sources,
        lambda one: wanted in (one.name, one.file, f"{one.saltenv}:{one.name}"),
    )
    if not found:
        near = difflib.get_close_matches(wanted, {one.name for one in sources.files()}, n=3)
        named = " or ".join(f"'{one}'" for one in near)
        hint = f"; did you mean {named}?" if named else ""
        raise click.ClickException(f"the pillar has no SLS '{wanted}'{hint}")
    return list(found.values()), matched


def _may_be_meant(path: str, wanted: str) -> bool:
    """Say whether a file, by its path below any folder, may be the one that is meant."""
    below = wanted.rpartition(":")[2].replace(".", "/")
    return path.endswith((f"{below}.sls", f"{below}/init.sls")) or wanted.endswith(path)


def _list_findings(session: Session, page: FilePage) -> list[Diagnostic]:
    """Return the findings in a file, worst first."""
    found = session.report.diagnostics
    return [one for one in found if one.position and one.position.file == page.source.file]


class NamedMinions:
    """Names sets of minions for people, and for programs."""

    def __init__(self, session: Session) -> None:
        self._minions = tuple(session.fleet.minions)
        grains = ((minion, session.report.grains(minion)) for minion in self._minions)
        self._groups = GroupNames(read_tags(grains))

    def ids(self, minions: Minions) -> list[str]:
        """Return the ids of some minions."""
        return [self._minions[rank] for rank in numbers_in(minions)]

    def describe(self, minions: Minions) -> str:
        """Return what some minions are called."""
        return self._groups.name(minions).write(str, str) if minions else "nobody"


def _describe(
    page: FilePage, findings: Sequence[Diagnostic], matched: Matched, names: NamedMinions
) -> Iterator[str]:
    """Yield the lines of the text for people."""
    source = page.source
    yield f"{source.name}: {source.file}  ({source.saltenv})"
    yield f"  {names.describe(page.use.minions)}"
    if page.coverage.percent is not None and not page.fails_by(findings):
        rendered = f"{page.coverage.printed:,} of {page.coverage.lines:,}"
        yield f"  {rendered} lines are rendered for at least one minion"
    if page.keys:
        yield f"  sets {', '.join(map(str, page.keys))}"
    for title, lines in (
        ("diagnostics", _describe_findings(findings)),
        ("targets", _describe_ways(page, names)),
        ("reads", _describe_reads(page)),
        ("read by", (f"  {file}" for file in sorted(page.use.imported))),
        ("source", _describe_source(page, matched, names)),
    ):
        found = list(lines)
        yield from ("", title, *found) if found else ()


def _describe_findings(findings: Iterable[Diagnostic]) -> Iterator[str]:
    for one in findings:
        line = f"line {one.position.line}: " if one.position and one.position.line else ""
        yield f"  {one.severity}: {line}{one.message} [{one.code}]"
        if one.help:
            yield f"      {one.help}"


def _describe_ways(page: FilePage, names: NamedMinions) -> Iterator[str]:
    for target, chain, minions in page.ways:
        way = " -> ".join(chain)
        yield f"  {target[1]}:{target[2]}  {target[3]}  ({target[4]}, {target[0]})  {way}"
        yield f"      {names.describe(minions)}"


def _describe_reads(page: FilePage) -> Iterator[str]:
    for kind, reads in page.reads:
        everything = "yes" if kind == KINDS["id"] else "everything"
        yield f"  {kind}: {', '.join(one.name or everything for one in reads)}"
    if page.use.imports:
        yield f"  files: {', '.join(sorted(page.use.imports))}"


def _describe_source(page: FilePage, matched: Matched, names: NamedMinions) -> Iterator[str]:
    if page.source.withheld:
        yield f"  not shown: {page.source.withheld}"
    width = len(str(page.lines[-1].last)) if page.lines else 0
    for line in page.lines:
        targets = matched.get((page.source.file, line.number))
        yield _describe_line(line, width, _word_result(line, targets, names))


def _describe_line(line: SourceLine, width: int, result: str) -> str:
    if line.last > line.number:
        text = f"({line.last - line.number + 1} lines hidden)"
    else:
        text = HIDDEN.join(line.parts)
    return f"  {line.number:{width}}  {text:<50}{'  ' + result if result else ''}".rstrip()


def _word_result(line: SourceLine, targets: Minions | None, names: NamedMinions) -> str:
    if line.never:
        return line.never
    parts = [count(line.won.bit_count(), "minion")] if line.won else []
    if targets is not None:
        parts.append(names.describe(targets) if targets else "matches no minion")
    parts += [
        f"overridden by {_word_place(place)} on {names.describe(minions)}"
        for place, minions in line.overridden
    ]
    return "; ".join(parts)


def _word_place(place: Place) -> str:
    return place[0] if place[1] is None else f"{place[0]}:{place[1]}"


def _tell(page: FilePage, findings: Iterable[Diagnostic], names: NamedMinions) -> Mapping[str, Any]:
    """Return what there is to say of a file as JSON has it."""
    source, use = page.source, page.use
    return {
        "file": source.file,
        "saltenv": source.saltenv,
        "name": source.name,
        "minions": names.ids(use.minions),
        "targets": [
            {
                "target": target[3],
                "match": target[4],
                "saltenv": target[0],
                "file": target[1],
                "line": target[2],
                "way": list(chain),
                "minions": names.ids(minions),
            }
            for target, chain, minions in page.ways
        ],
        "sets": list(page.keys),
        "diagnostics": [
            {
                "code": one.code,
                "severity": str(one.severity),
                "message": one.message,
                "line": one.position and one.position.line,
                "minions": list(one.minions),
                "help": one.help,
            }
            for one in findings
        ],
        "reads": [
            {"kind": one.asked, "name": one.name} for _, reads in page.reads for one in reads
        ],
        "imports": sorted(use.imports),
        "imported_by": sorted(use.imported),
        "withheld": source.withheld,
        "rendered": page.coverage.percent,
        "lines": [
            {
                "line": line.number,
                "last": line.last,
                "text": list(line.parts),
                "minions": line.won.bit_count(),
                "overridden": [
                    {"file": place[0], "line": place[1], "minions": names.ids(minions)}
                    for place, minions in line.overridden
                ],
                "never": line.never,
            }
            for line in page.lines
        ],
    }
