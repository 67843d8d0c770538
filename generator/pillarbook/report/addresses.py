"""Every page of the report and its address, known before any is written."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from pillarbook.redact.source_files import SourceFile
from pillarbook.report.slug import slug
from pillarbook.report.source import EnvironmentSide, ReportSource

PageKind: TypeAlias = Literal[
    "minion",
    "minion-states",
    "home",
    "minions",
    "environments",
    "pair",
    "changes",
    "history",
    "group",
    "states",
    "state-sls",
    "keys",
    "key-top",
    "key",
    "targets",
    "sls-index",
    "sls",
    "secrets",
    "diagnostics",
    "guide",
    "rule",
    "minion-group",
    "section",
]

ROWS = 1000
"""Minions that a page of the list holds before it is split."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page of the report."""

    uri: str
    """Where it is in the site: ``minions/web1.html``."""
    title: str
    """Its title, plain text."""
    kind: PageKind
    """What it shows."""
    minion: str | None = None
    """Of a minion's page: the id."""
    in_nav: bool = False
    """Whether the site's navigation names it."""
    number: int = 0
    """Of the pages of one kind: which one it is; of a pair: which environment is the second; of a
    group of what has changed: its number."""


CHANGES = Page("changes/index.html", "Changes", "changes", in_nav=True)
"""The page of what has changed since a revision."""


HISTORY = Page("history.html", "History", "history", in_nav=True)
"""The page of what changed in each build."""
STATES = Page("states/index.html", "States", "states", in_nav=True)
"""The page about the states of the fleet."""
KEYS = Page("keys/index.html", "Keys", "keys", in_nav=True)
"""The first page of all keys."""
SLS = Page("sls/index.html", "SLS files", "sls-index", in_nav=True)
"""The page of all files of the pillar."""
TARGETS = Page("targets.html", "Targets", "targets", in_nav=True)
"""The first page of all targets of the top files."""


def plan_pages(source: ReportSource) -> tuple[Page, ...]:
    """Return the pages in the order to write them: minions first, then what sums them up.

    Large groups of what has changed have pages as well, and so have state SLS files, keys and
    further parts of the lists of keys and targets; these are known when all minions are.
    """
    minions = source.minions
    return (
        *(page for number in range(len(minions)) for page in plan_minion(source, number)),
        *_plan_lists(len(minions)),
        *_plan_environments(source.environments),
        *([CHANGES] if source.since is not None else []),
        *([HISTORY] if source.history is not None else []),
        *([STATES] if source.has_states else []),
        KEYS,
        *([SLS] if any(True for _ in source.sources.files()) else []),
        TARGETS,
        Page("secrets.html", "Secrets", "secrets", in_nav=True),
        Page("diagnostics.html", "Diagnostics", "diagnostics", in_nav=True),
        Page("index.html", source.site_name, "home", in_nav=True),
    )


def plan_minion(source: ReportSource, number: int) -> tuple[Page, ...]:
    """Return the pages of the minion at a place in the inventory, in their order."""
    minion = source.minions[number]
    own = Page(f"minions/{slug(minion)}.html", minion, "minion", minion, number=number)
    if not source.has_states:
        return (own,)
    uri = f"minions/{states_name(minion)}"
    return own, Page(uri, f"States of {minion}", "minion-states", minion, number=number)


def states_name(minion: str) -> str:
    """Return the file name of the page of a minion's states."""
    # A slug has a digest behind its tilde, so no minion's page is called so.
    return f"{slug(minion)}~states.html"


def list_name(number: int) -> str:
    """Return the file name of a page of the list of minions, counted from 0."""
    return f"index~{number + 1}.html" if number else "index.html"


def targets_name(number: int) -> str:
    """Return the file name of a page of the list of targets, counted from 0."""
    return f"targets~{number + 1}.html" if number else TARGETS.uri


def pair_name(base: str, head: str) -> str:
    """Return the file name, without extension, of the page that compares two environments."""
    return f"{slug(base)}--{slug(head)}"


def help_address(name: str) -> str:
    """Return the address of a page of the guide, by its name there: ``rules/missing-sls``."""
    return f"{name}.html"


def group_address(term: str) -> str:
    """Return the address of the page of the minions that a grain or a glob means."""
    return f"groups/{slug(term)}.html"


def sls_address(saltenv: str, sls: str, root: str) -> str:
    """Return the address of a state SLS file's page."""
    return f"{root}states/{slug(saltenv)}/{slug(sls)}.html"


def source_address(source: SourceFile, root: str, line: int | None = None) -> str:
    """Return the address of the page of a file of the pillar, or of a line of it."""
    # No name of an SLS has a slash, so those of other files are always told apart by a digest.
    name = source.name if source.is_sls else f"/{source.name}"
    anchor = "" if line is None or source.withheld is not None else f"#L{line}"
    return f"{root}sls/{slug(source.saltenv)}/{slug(name)}.html{anchor}"


def split_list(rows: int, name: Callable[[int], str] = list_name) -> list[tuple[str, int, int]]:
    """Return the pages of a list: the file name, the first and the last row; empty for one page."""
    parts = [
        (name(part), first + 1, min(first + ROWS, rows))
        for part, first in enumerate(range(0, rows, ROWS))
    ]
    return parts if len(parts) > 1 else []


def _plan_lists(minions: int) -> Iterator[Page]:
    count = max(1, -(-minions // ROWS))
    for number in range(count):
        title = f"Minions, page {number + 1}" if number else "Minions"
        uri = f"minions/{list_name(number)}"
        yield Page(uri, title, "minions", in_nav=number == 0, number=number)


def _plan_environments(environments: Sequence[EnvironmentSide]) -> Iterator[Page]:
    for number, head in enumerate(environments[1:], 1):
        base = environments[0].name
        uri = f"environments/{pair_name(base, head.name)}.html"
        yield Page(uri, f"{base} and {head.name}", "pair", number=number)
    # With nothing to compare there is a page that says so, for links from elsewhere.
    in_nav = bool(environments)
    yield Page("environments/index.html", "Environments", "environments", in_nav=in_nav)
