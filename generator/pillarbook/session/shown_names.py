"""A fleet's names as they are shown, and what is said of names that hold a secret."""

from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar

from pillarbook.diagnostics import Diagnostic, Severity
from pillarbook.model import format_path
from pillarbook.redact import Redactor
from pillarbook.redact.secret_names import Names

CODE = "secret-in-name"
Declared = TypeVar("Declared")


class ShownNames(Generic[Declared]):
    """What is declared, by the names that are shown: minions, environments.

    ``what`` says what the names are of: ``the minion id``.
    """

    def __init__(self, what: str, names: Names, declared: Mapping[str, Declared]) -> None:
        self._what = what
        self._names = names
        self._declared = declared
        self.by_name: dict[str, Declared] = dict(declared)
        """Each by its name as it is shown."""

    def freeze(self) -> None:
        """Take the names as they are shown now."""
        shown = self._names.keep_apart(self._declared)
        self.by_name.clear()
        self.by_name.update(zip(shown, self._declared.values(), strict=True))
        for name, declared in self._declared.items():
            self._names.note(self._what, name, getattr(declared, "position", None))

    def declared(self, name: str) -> Declared:
        """Return what is declared by a name, however that is shown by now.

        Two sessions that share a redactor learn of each other's secrets before both freeze them.
        """
        return self._declared[name]

    def shown(self, name: str) -> str:
        """Return how a name is shown."""
        return self._names.clean(name)


def describe_found(redactor: Redactor) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each copy of a secret, and for each name that holds one."""
    yield from redactor.copies.found()
    names, store = redactor.names, redactor.store
    for name in names.found():
        what_it_holds = "a secret, and a token"
        if store.may_name(name.place):
            root = names.clean(format_path(store.path_of(name.place)))
            what_it_holds = f"the secret of '{root}', whose token"
        what = name.what if name.position else f"{name.what} '{name.shown}'"
        yield Diagnostic(
            code=CODE,
            severity=Severity.WARNING,
            message=f"{what} holds {what_it_holds} is shown in its place",
            position=name.position,
            help="take the secret out of the name: names are in no pillar, and nothing encrypts"
            " them; if it is no secret, name it in mkdocs.yml under `redact: allow`",
        )
