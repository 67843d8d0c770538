"""Gathers the secrets that values may depend on, each under the first name that is found."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.compile.renderers.ciphertext import MESSAGE
from pillarbook.compile.renderers.jinja.template_secrets import NamedValue
from pillarbook.model import KeyPath, Leaf, format_path
from pillarbook.patterns.distinctive import is_distinctive
from pillarbook.redact.declared_secrets import DECLARED
from pillarbook.redact.placeholders import (
    Secret,
    identify,
    identify_held,
    identify_opened,
    is_ciphertext,
)
from pillarbook.taint.pillar_questions import pillar_path_of
from pillarbook.taint.taint_readers import grain_of
from pillarbook.taint.written_secrets import Written, is_text_of_tree


@dataclass(frozen=True, slots=True)
class TaintSource:
    """A secret that other values may be derived from."""

    secret: Secret | None
    """Its identity; None for all secrets that have no name."""
    name: str
    """Its name in messages: ``db:password`` in backticks, ``the grain ...``."""
    path: KeyPath | None = None
    """Its path in the pillar."""
    text: str | None = None
    """Its text, if the text is distinctive."""
    written: str | None = None
    """Its text, also a short or common one, which other values contain by chance."""
    sealed: bool = False
    """Whether it is ciphertext that was not decrypted."""
    asked: bool = False
    """Whether recorded reads include it; a compile without recording may read it, too."""
    is_looked_for: bool = False
    """Whether it is searched for in the whole pillar, because its key names a secret."""
    is_text: bool | None = False
    """Whether it is plain text of the tree, which everyone with the tree can read; None if it was
    only found in computed values."""

    def __repr__(self) -> str:
        """Return its name, never its text."""
        return f"Root({self.name})"


OTHERS = TaintSource(None, "a secret that is decrypted while a file renders")
SEALED_OTHERS = TaintSource(None, "a message", sealed=True)
UNKNOWN = TaintSource(None, "a secret")


class SourceGathering:
    """Gathers secrets, each under the first name that is found.

    ``sealed`` says that messages stay sealed. ``trial`` is a compile with placeholders, which may
    have recorded reads. ``computed`` are paths whose values are computed from other secrets.
    """

    def __init__(
        self, sealed: bool, trial: CompiledPillar, computed: Collection[tuple[KeyPath, Secret]]
    ) -> None:
        self._sealed = sealed
        self._computed = computed
        self._found: dict[Secret, TaintSource] = {}
        questions = {question for result in trial.renders for question in result.questions}
        self._grains = {grain_of(question) for question in questions}
        self._pillar = {*map(pillar_path_of, questions), *trial.readers.reads}

    def add_leaf(self, path: KeyPath, leaf: Leaf, opened: Mapping[KeyPath, Secret]) -> None:
        """Add the secret at a path; for ciphertext, the messages in it.

        ``opened`` are the decrypted secrets of its tree, by path.
        """
        value, name = leaf.value, f"`{format_path(path)}`"
        if not is_ciphertext(value):
            is_computed = (path, identify(value)) in self._computed
            is_text = None if is_computed else is_text_of_tree(path, leaf)
            secret = None
            if leaf.secret not in (None, DECLARED):
                # A file that was decrypted as a whole has no message for each value.
                secret = opened.get(path) or identify_opened(repr(path).encode())
            self.add(value, name, path, is_text=is_text, secret=secret)
            return
        messages = MESSAGE.findall(value) if isinstance(value, str) else ()
        for one in messages or [value]:
            self.add(one, name, path, sealed=True)

    def add(  # noqa: PLR0913 (whatever a secret may be)
        self,
        value: Any,
        name: str,
        path: KeyPath | None = None,
        *,
        sealed: bool = False,
        grain: KeyPath | None = None,
        text: str | None = None,
        is_held: bool = False,
        secret: Secret | None = None,
        is_text: bool | None = False,
    ) -> None:
        """Add a secret; a secret in a template may have the same text as another one."""
        secret = secret or (identify_held(value) if is_held else identify(value))
        asked = _is_read(grain, self._grains) or _is_read(path, self._pillar)
        known, is_looked_for = self._found.get(secret), text is not None
        if known is None:
            written = text or (value.strip() or None if isinstance(value, str) else None)
            if text is None and isinstance(value, str) and is_distinctive(value):
                text = written
            self._found[secret] = TaintSource(
                secret, name, path, text, written, sealed, asked, is_looked_for, is_text
            )
        else:
            self._found[secret] = replace(
                known,
                asked=asked or known.asked,
                is_looked_for=is_looked_for or known.is_looked_for,
                is_text=_is_each_text(known.is_text, is_text),
            )

    def add_held(self, written: Written, held: Iterable[NamedValue]) -> None:
        """Add secrets in templates; a literal that contains a secret with a name gets that name."""
        for literal, one in written.items():
            if one.path:
                name = f"`{format_path(one.path)}`"
                self.add(literal, name, one.path, text=one.text, is_held=True, is_text=True)
            else:
                self.add(literal, _name(one.names), is_held=True, is_text=True)
        for named in held:
            is_text = not named.is_computed
            self.add(named.value, _name(named.path), is_held=True, is_text=is_text)

    def finish(self, *, others: bool) -> tuple[TaintSource, ...]:
        """Return the secrets that were found, and at the end one for all secrets without a name."""
        found = sorted(self._found.values(), key=lambda root: not root.asked)
        if others:
            return (*found, SEALED_OTHERS if self._sealed else OTHERS)
        return tuple(found) or (UNKNOWN,)


def _is_read(path: KeyPath | None, read: Collection[KeyPath | None]) -> bool:
    """Say whether a path, or a path above it, was read."""
    return path is not None and any(path[:end] in read for end in range(len(path) + 1))


def _is_each_text(one: bool | None, other: bool | None) -> bool | None:
    if one is None or other is None:
        return other if one is None else one
    return one and other


def _name(names: KeyPath) -> str:
    """Return the name in messages of a secret that is in a template."""
    return f"the template's `{format_path(names)}`" if names else "a literal of a template"
