"""Nodegroups that top files name and no master file here has: one minion is guessed for each."""

from collections.abc import Iterator
from dataclasses import replace

from pillarbook.bootstrap.find_masters import OWN
from pillarbook.bootstrap.find_trees import TOP, folder_of
from pillarbook.bootstrap.listing import Listing, join
from pillarbook.bootstrap.private_grains import is_secret_word
from pillarbook.bootstrap.report_plan import ReportPlan
from pillarbook.bootstrap.top_text import read_top
from pillarbook.bootstrap.yaml_lines import as_yaml
from pillarbook.compile.matchers.nodegroup_comp import freeze_reached
from pillarbook.inventory.master_options import list_texts

OPTION = "nodegroups"


def guess_nodegroups(listing: Listing, plan: ReportPlan) -> ReportPlan:
    """Return a plan whose master file has the nodegroups that the top files need.

    A master file of the tree is included in one of pillarbook's own. That is not done if it has
    nodegroups itself, which would replace these, or if its relative paths would lead elsewhere.
    """
    names = [*_list_lacking(listing, plan)] if OPTION not in plan.options else []
    text = plan.text
    # A file of this folder includes it, and so relative paths in it would lead elsewhere.
    roots = [plan.options.get(name) for name in ("pillar_roots", "file_roots")]
    is_movable = all(path.startswith("/") for path in list_texts(roots))
    if not names or (text is None and folder_of(plan.master) != "." and not is_movable):
        return plan
    if text is None:
        text = f"# {plan.master}, and nodegroups that it does not have.\ninclude: {plan.master}\n"
    lines = [
        f"{text}# Guessed by `pillarbook init`, one minion each, because top files name them.",
        f"# Replace them with those of your master.\n{OPTION}:",
        *(f"  {as_yaml(name)}: {as_yaml(f'L@{name}')}" for name in names),
    ]
    guess = (
        f"{OWN}: {len(names):,} nodegroup{'s are' if len(names) > 1 else ' is'} guessed to be a"
        f" minion of the same name: {', '.join(names)}; copy `{OPTION}` of your master"
    )
    return replace(plan, master=OWN, text="\n".join(lines) + "\n", guesses=(guess,))


def _list_lacking(listing: Listing, plan: ReportPlan) -> Iterator[str]:
    """Yield the nodegroups that the top files of the pillar name, each once."""
    seen: set[str] = set()
    for folder in plan.roots:
        for target in read_top(listing.read(join(folder, TOP)) or "").targets:
            start = "N@" if target.matcher == "nodegroup" else ""
            if target.is_templated or target.matcher not in ("nodegroup", "compound"):
                continue
            for name, _ in freeze_reached(f"{start}{target.expression}", {}) or ():
                if name not in seen and "," not in name and not is_secret_word(name):
                    seen.add(name)
                    yield name
