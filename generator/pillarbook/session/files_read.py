"""The texts of the files that minions read."""

from collections.abc import Iterable, Sequence

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.project import Project
from pillarbook.compile.scopes import scope_of
from pillarbook.inventory.minions import Minion
from pillarbook.model import leaves
from pillarbook.redact.file_secrets import WrittenValue


def read_files(
    compiled: Iterable[CompiledPillar], minions: Sequence[Minion], project: Project
) -> tuple[dict[str, str], set[WrittenValue]]:
    """Return the texts of files, by their names, and the values of the minions with their lines."""
    scopes = {minion.id: scope_of(minion, project) for minion in minions}
    texts: dict[str, str] = {}
    values: set[WrittenValue] = set()
    for one in compiled:
        roots = scopes[one.minion].roots
        for read in (read for render in one.renders for read in render.files):
            found = roots.find(read.path, read.saltenv) if read.tree is None else None
            if found is not None and found.shown not in texts:
                texts[found.shown] = found.content.decode("utf-8", "replace")
        for _, _, origins in leaves(one.tree):
            values.update((origin.file, origin.line, str(origin.value)) for origin in origins)
    return texts, values
