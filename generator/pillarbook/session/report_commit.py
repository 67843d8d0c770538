"""The commit of a report, and whether the report's files differ from it."""

import datetime as dt
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pillarbook.compile.project import Project
from pillarbook.diagnostics import Diagnostic
from pillarbook.inventory.declared_clock import read_epoch
from pillarbook.inventory.root_folders import ROOT_KINDS, resolve_roots
from pillarbook.roots.git_files import RepositoryError
from pillarbook.session.committed_files import find_head_commit
from pillarbook.session.fleet import Fleet

if TYPE_CHECKING:
    from pillarbook.report.about_report import AboutReport, ReportCommit

_BRANCH = "refs/heads/"
_TIME = "%Y-%m-%dT%H:%M:%SZ"


@dataclass(eq=False)
class ReportDescriber:
    """Describes the report."""

    _project: Project
    _fleet: Fleet
    _clean: Callable[[str], str]
    _list_diagnostics: Callable[[], Iterable[Diagnostic]]
    _found: "AboutReport | None" = None

    def describe(self) -> "AboutReport":
        """Return commit, time and versions, as they were in the first call.

        Raises:
            EpochError: SOURCE_DATE_EPOCH is not a number.
        """
        from pillarbook.report.about_report import AboutReport  # noqa: PLC0415 (for pages only)

        if self._found is None:
            files = _list_files(self._project, self._fleet)
            commit = find_report_commit(self._project, files)
            if commit is not None and commit.branch is not None:
                commit = replace(commit, branch=self._clean(commit.branch))
            declared = read_epoch(os.environ)
            made = dt.datetime.now(dt.UTC) if declared is None else declared.time
            self._found = AboutReport(
                commit=commit,
                time=made.strftime(_TIME),
                inventory=tuple(map(self._clean, self._fleet.inventory)),
                guessed=len(self._fleet.guessed),
                not_trusted=sum(one.code == "needs-trust" for one in self._list_diagnostics()),
            )
        return self._found


def _list_files(project: Project, fleet: Fleet) -> Iterator[Path]:
    """Yield the files of pillar and states, and those of the master and the inventory."""
    options = project.options
    places = (*options.positions.values(), *options.places.values())
    declared = (fleet.declared(one).position for one in fleet.minions)
    yield from {options.top / place.file for place in (*places, *declared)}
    for kind in ROOT_KINDS:
        for roots in resolve_roots(options, kind).values():
            for root in roots:
                for folder, _, names in os.walk(root.path) if root.path else ():
                    yield from (Path(folder, name) for name in names)


def find_report_commit(project: Project, files: Iterable[Path]) -> "ReportCommit | None":
    """Return the checked-out commit; None outside of a repository, or if there is no commit."""
    from pillarbook.report.about_report import ReportCommit  # noqa: PLC0415 (for pages only)

    try:
        head = find_head_commit(project)
        if head is None:
            return None
        branch = head.repository.references.leads_to("HEAD") or ""
        made = dt.datetime.fromtimestamp(head.commit.seconds, dt.UTC)
        is_modified = any(head.find_modified(files))
    except (RepositoryError, OSError, ValueError, OverflowError):  # a damaged or hostile repository
        return None
    return ReportCommit(
        id=head.commit.id,
        branch=branch.removeprefix(_BRANCH) if branch.startswith(_BRANCH) else None,
        time=made.strftime(_TIME),
        is_modified=is_modified,
    )
