"""Lists errors, warnings and notes: the work of ``pillarbook check``."""

import functools
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

import click

from pillarbook import __version__
from pillarbook.cli.open_declared import open_asked
from pillarbook.cli.output import open_output
from pillarbook.cli.read_declared import find_link_policy, read_settings, split_declared
from pillarbook.cli.summary import show_progress
from pillarbook.cli.value_text import clean_line, show_place
from pillarbook.diagnostics import Diagnostic, Severity, fold_follow_on
from pillarbook.diagnostics.formats.github import to_github
from pillarbook.diagnostics.formats.gitlab import to_gitlab
from pillarbook.diagnostics.formats.junit import to_junit
from pillarbook.diagnostics.formats.repository_findings import RepositoryPaths
from pillarbook.diagnostics.formats.sarif import to_sarif
from pillarbook.diagnostics.formats.text_and_json import to_json, to_text
from pillarbook.diagnostics.rules import RULES
from pillarbook.inventory.reach import find_repository, find_top
from pillarbook.inventory.settings import Settings
from pillarbook.model.phrases import count, list_some
from pillarbook.session import RunOptions
from pillarbook.session.shared_minions import look_at_fleet

FINDINGS = 2
UNKNOWN = "unknown"
COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


def list_findings(base: RunOptions, values: dict[str, Any]) -> int:
    """Compile the fleet, list what is found, and return the exit code."""
    declared, asked = split_declared(values)
    with open_asked(base, declared, asked, explains=False, environments=False) as session:
        with show_progress("compiling", len(session.fleet.minions)) as step:
            unknown = look_at_fleet(session, asked["jobs"], step)
        asked["timing"].mark("compiling")
        rules = asked["rules"] or RULES
        found = tuple(one for one in session.shown.diagnostics if one.code in rules)
        ignored = session.compiler.findings.count_ignored(rules)
    # What follows from another error is mended with it, so it neither fails a check nor is shown
    # to a service.
    causes = tuple(fold_follow_on(found))
    fails_on_unknown = asked["fail_on"] == UNKNOWN
    limit = Severity.ERROR if fails_on_unknown else Severity[asked["fail_on"].upper()]
    with open_output(asked["output"], base.known, find_link_policy(declared)) as out:
        if asked["form"] == "text":
            paint = _paint if _has_colour(out, asked["color"]) else str
            out.writelines(f"{line}\n" for line in to_text(found, ignored, paint, show_place))
        elif asked["form"] == "json":
            out.write(_dump(to_json(found, ignored), indent=1))
        else:
            settings = read_settings(declared)
            places = find_places(settings, session.shown.clean_name)
            report_url = asked["report_url"] if settings.guide else None
            out.write(
                _write_for_service({**asked, "report_url": report_url}, causes, places, limit)
            )
        out.flush()  # before what goes to standard error
    if unknown:
        told = f"{count(len(unknown), 'minion')} with unknown values: {list_some(unknown, 3, str)}"
        remedy = "`pillarbook answers list` lists the missing answers"
        click.echo(clean_line(f"pillarbook: {told}; {remedy}"), err=True)
    fails = any(one.severity >= limit for one in causes) or (unknown and fails_on_unknown)
    return FINDINGS if fails else 0


def _has_colour(out: TextIO, asked: str) -> bool:
    """Return whether the output has colours: by ``--color``, else on a terminal.

    Source: https://no-color.org
    """
    if asked != "auto":
        return asked == "always"
    is_plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return out.isatty() and not is_plain


def _paint(severity: Severity) -> str:
    return click.style(str(severity), fg=COLOURS[severity], bold=True)


def _write_for_service(
    asked: dict[str, Any], found: tuple[Diagnostic, ...], places: RepositoryPaths, limit: Severity
) -> str:
    """Return diagnostics in the format of a service."""
    match asked["form"]:
        case "github":
            return "".join(f"{line}\n" for line in to_github(found, places))
        case "sarif":
            return _dump(to_sarif(found, places, __version__, asked["report_url"] or ""))
        case "junit":
            return to_junit(found, places, limit)
        case _:
            return _dump(to_gitlab(found, places), indent=1)


def _dump(data: Any, indent: int | None = None) -> str:
    return json.dumps(data, ensure_ascii=False, indent=indent) + "\n"


def find_places(settings: Settings, clean: Callable[[str], str]) -> RepositoryPaths:
    """Return the paths of files from the repository's top, for diagnostics.

    Without a repository, the top is the current folder if the master file is below it; else it is
    the master file's folder.

    ``clean`` removes secrets from names: of folders above the master file, of targets of links.
    """
    folder = Path(os.path.realpath(settings.master.absolute().parent))
    here = Path(os.path.realpath(Path.cwd()))
    home = find_repository(folder)
    top = home or (here if folder.is_relative_to(here) else folder)
    named_from = find_top(settings.master.absolute().parent)

    # Without a repository, the configuration has the name that the user gave.
    as_given = set() if home else {place.file for place in settings.positions.values()}

    def show(file: Path) -> str | None:
        path = _find_below(top, file)
        return None if path is None else clean(path)

    # By the name in a position: many findings share a file, and each lookup follows its links. Let
    # go with the output; the files do not change in between.
    @functools.cache
    def locate(file: str) -> str | None:
        return show((here if file in as_given else named_from) / file)

    master = show(settings.master.absolute()) or clean(settings.master.name)
    named = (show(path.absolute()) for path in settings.inventory)
    inventory = next((path for path in named if path is not None), master)
    return RepositoryPaths(locate=locate, master=master, inventory=inventory)


def _find_below(top: Path, file: Path) -> str | None:
    """Return a file's path from the top, links followed if they stay below it."""
    try:
        given = Path(os.path.realpath(file.parent)) / file.name
        real = Path(os.path.realpath(given))
        if real.is_relative_to(top) and real.is_file():
            return real.relative_to(top).as_posix()
        leads_away = given.is_relative_to(top) and given.is_symlink()
    except (OSError, ValueError):  # no file can have this name
        return None
    return given.relative_to(top).as_posix() if leads_away else None
