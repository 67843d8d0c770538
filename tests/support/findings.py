"""What the rules find in a written fleet."""

from pathlib import Path

from pillarbook.diagnostics import Diagnostic
from pillarbook.inventory.settings import Settings
from pillarbook.session import RunOptions, open_session


def find_all(folder: Path) -> tuple[Diagnostic, ...]:
    """Compile all minions of a folder with ``master`` and ``minions.yml``; return all diagnostics.

    They are the same however often they are asked for.
    """
    settings = Settings(
        master=folder / "master", inventory=(folder / "minions.yml",), folder=folder
    )
    with open_session(settings, RunOptions()) as session:
        for _ in session.compiler.compile_all(session.fleet.minions):
            pass
        first, again = session.shown.diagnostics, session.shown.diagnostics
    assert first == again
    return first
