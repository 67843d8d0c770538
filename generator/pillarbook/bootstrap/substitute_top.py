"""A top file for a tree that has none: it gives everything to one minion.

Such trees are formulas with a ``pillar.example``, and pillars whose top file is private. What
their SLS files hold can be looked at all the same.
"""

from dataclasses import dataclass
from pathlib import PurePosixPath

from pillarbook.bootstrap.find_trees import BASE, TOP, Trees
from pillarbook.bootstrap.listing import Listing, is_aside, join
from pillarbook.bootstrap.yaml_lines import as_yaml
from pillarbook.roots.tree_interface import sls_of_path

FOLDER = "pillarbook-top"
"""Where the top file is written."""
EXAMPLE = "pillar.example"
MAX_LISTED = 2_000
"""SLS files that are given."""


@dataclass(frozen=True, slots=True)
class SubstituteTop:
    """A top file to write, and what it needs."""

    roots: tuple[str, ...]
    """The roots behind ``FOLDER``."""
    files: tuple[tuple[str, str], ...]
    """Name and text of what is written."""
    why: str
    """What it stands for, in a sentence."""
    is_example: bool
    """Whether it shows a formula's example; then the other SLS files are states."""


def find_substitute_top(listing: Listing, trees: Trees) -> SubstituteTop | None:
    """Return a top file for a pillar without one, or for a formula's example; None for neither."""
    if trees.pillar:
        folder = trees.pillar[BASE][0]
        names = [
            sls_of_path(name)
            for name in listing.below(folder)
            if name.endswith(".sls") and "." not in name.removesuffix(".sls")
        ][:MAX_LISTED]
        why = f"{folder}/ has no {TOP}"
        files = ((join(FOLDER, TOP), _top(names, why)),)
        return SubstituteTop((folder,), files, why, is_example=False)
    return _show_example(listing)


def _show_example(listing: Listing) -> SubstituteTop | None:
    found = [
        name
        for name in listing.files
        if PurePosixPath(name).name.startswith(EXAMPLE) and not is_aside(name)
    ]
    if not found:
        return None
    example = found[0]
    why = f"there is no {TOP}; {example} is shown as a pillar"
    files = (
        (join(FOLDER, TOP), _top(["example"], why)),
        (join(FOLDER, "example.sls"), f"{{% include {example!r} %}}\n"),
    )
    return SubstituteTop((".",), files, why, is_example=True)


def _top(names: list[str], why: str) -> str:
    lines = [
        f"# Written by `pillarbook init`: {why}.",
        "# It gives everything to every minion. Put your own in its place.",
        "base:",
        "  '*':",
        *(f"    - {as_yaml(name)}" for name in names),
    ]
    return "\n".join(lines) + "\n"
