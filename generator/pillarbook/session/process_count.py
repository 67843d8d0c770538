"""How many processes share the work on a fleet: for ``compile``, for reports and for ``diff``.

The output is the same bytes with any number, so time and memory alone decide
(docs/decisions/0024).
"""

import os
from dataclasses import dataclass

from pillarbook.compile.project import scope_of
from pillarbook.compile.renderers.gpg_decryptor import SealedDecryptor
from pillarbook.redact.secret_sources import EXTERNAL, READ_FROM_FILES
from pillarbook.session.session import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What one kind of work needs before another process saves time.

    Each process renders for itself what the others render, too, and keeps it in its own memory.
    """

    minions: int
    """The number of minions for each process."""
    renders: int = 0
    """The product of minions and SLS files for each process."""
    max_processes: int = 2**10
    """The largest number of processes that start unasked."""
    opens_messages: bool = False
    """Whether gpg may run in each process."""
    notes_rules: bool = False
    """Whether each process can note what the rules over the fleet look at."""


COMPILE = Work(minions=50, renders=15_000, opens_messages=True)
REPORT = Work(minions=150, opens_messages=True, notes_rules=True)
SCAN = Work(minions=1_000, max_processes=4)


def count_processes(session: Session, work: Work, minions: int, asked: int | None = None) -> int:
    """Return how many processes share the work on some minions of a fleet.

    ``asked`` is the number that the user asks for; None for as many as save time.
    """
    if not _is_shareable(session, work):
        return 1
    if asked is not None:
        return max(1, min(asked, minions))
    count = min(len(os.sched_getaffinity(0)), work.max_processes, minions // work.minions)
    if count > 1 and work.renders:
        count = min(count, minions * _count_files(session) // work.renders)
    return max(1, count)


def _is_shareable(session: Session, work: Work) -> bool:
    """Say whether several processes can do the work.

    Code of the tree and commands may keep data from one minion for the next, or expect to run once.
    """
    project = session.compiler.project
    if project.modules.python or not hasattr(os, "memfd_create"):
        return False
    if not work.opens_messages and not isinstance(project.decryptor, SealedDecryptor):
        return False
    if session.compiler.findings.has_rules and not work.notes_rules:
        return False
    declared = project.options.values.get("ext_pillar") or []
    entries = declared if isinstance(declared, list) else [declared]
    # An entry of another form is reported where it is used.
    names = {
        f"{EXTERNAL}{name}" for one in entries for name in (one if isinstance(one, dict) else "?")
    }
    return names <= READ_FROM_FILES


def _count_files(session: Session) -> int:
    """Return how many SLS files most minions of a fleet can have."""
    first = session.fleet.declared(session.fleet.minions[0])
    roots = scope_of(first, session.compiler.project).roots
    return sum(len(roots.available(one) or ()) for one in roots.environments)
