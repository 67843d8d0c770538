"""Lists errors, warnings and notes: the work of ``pillarbook check``."""

import json
import os
from typing import Any, TextIO

import click

from pillarbook import __version__
from pillarbook.cli.locate_files import find_places
from pillarbook.cli.open_declared import open_asked
from pillarbook.cli.output import open_output
from pillarbook.cli.places import show_place
from pillarbook.cli.progress import show_progress
from pillarbook.cli.read_declared import find_link_policy, read_settings, split_declared
from pillarbook.diagnostics import Diagnostic, Severity, fold_follow_on
from pillarbook.diagnostics.formats.github import to_github
from pillarbook.diagnostics.formats.gitlab import to_gitlab
from pillarbook.diagnostics.formats.junit import to_junit
from pillarbook.diagnostics.formats.repository_findings import RepositoryPaths
from pillarbook.diagnostics.formats.sarif import to_sarif
from pillarbook.diagnostics.formats.text_and_json import to_json, to_text
from pillarbook.diagnostics.rules import RULES
from pillarbook.session import RunOptions

FINDINGS = 2
COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


def list_findings(base: RunOptions, values: dict[str, Any]) -> int:
    """Compile the fleet, list what is found, and return the exit code."""
    declared, asked = split_declared(values)
    with open_asked(base, declared, asked, explains=False, environments=False) as session:
        with show_progress("compiling", len(session.fleet.minions)) as step:
            session.look_at_all(step)
        asked["timing"].mark("compiling")
        rules = asked["rules"] or RULES
        found = tuple(one for one in session.shown.diagnostics if one.code in rules)
        ignored = session.compiler.findings.count_ignored(rules)
    # What follows from another error is mended with it, so it neither fails a check nor is shown
    # to a service.
    causes = tuple(fold_follow_on(found))
    limit = Severity[asked["fail_on"].upper()]
    with open_output(asked["output"], base.known, find_link_policy(declared)) as out:
        if asked["form"] == "text":
            paint = _paint if _has_colour(out, asked["color"]) else str
            out.writelines(f"{line}\n" for line in to_text(found, ignored, paint, show_place))
        elif asked["form"] == "json":
            out.write(_dump(to_json(found, ignored), indent=1))
        else:
            places = find_places(read_settings(declared), session.shown.clean_name)
            out.write(_write_for_service(asked, causes, places, limit))
    return FINDINGS if any(one.severity >= limit for one in causes) else 0


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
