"""A fleet's ids as they are shown, and what is said of names that hold a secret."""

from collections.abc import Iterator, Sequence

from pillarbook.diagnostics import Diagnostic, Severity
from pillarbook.inventory.minions import Minion
from pillarbook.model import format_path
from pillarbook.redact import SecretStore
from pillarbook.redact.names import Names

CODE = "secret-in-name"


class ShownMinions:
    """The minions by the ids that are shown.

    Args:
        minions: The fleet, in inventory order.
        names: Rewrites names that hold a secret.
    """

    def __init__(self, minions: Sequence[Minion], names: Names) -> None:
        self._all = tuple(minions)
        self._names = names
        self.by_id: dict[str, Minion] = {minion.id: minion for minion in minions}
        """Each minion by its id as it is shown."""

    def settle(self) -> None:
        """Take the ids as they are shown now."""
        self.by_id.clear()
        for minion in self._all:
            shown = bare = self._names.clean(minion.id)
            number = 1
            while shown in self.by_id:
                number += 1
                shown = f"{bare}~{number}"
            self.by_id[shown] = minion
            self._names.note("the minion id", minion.id, minion.position)

    def shown(self, minion: str) -> str:
        """Return how an id is shown."""
        return self._names.clean(minion)


def tell_names(names: Names, store: SecretStore) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each name that holds a secret."""
    for name in names.found():
        root = names.clean(format_path(store.path_of(name.place)))
        what = name.what if name.position else f"{name.what} '{name.shown}'"
        yield Diagnostic(
            code=CODE,
            severity=Severity.WARNING,
            message=f"{what} holds the secret of '{root}', whose token is shown in its place",
            position=name.position,
            help="take the secret out of the name: names are in no pillar, and nothing encrypts"
            " them; if it is no secret, name it in mkdocs.yml under `redact: allow`",
        )
