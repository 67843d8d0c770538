"""Messages that the live master could not open either, where they are sealed here.

Salt loses the whole SLS that holds such a message, and a compile without keys keeps it. So the
minion is compiled once more as a master would that has no key for those very messages.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from pillarbook.compile.project import Project, Remembered
from pillarbook.compile.renderers.ciphertext import is_ciphertext
from pillarbook.compile.renderers.gpg_decryptor import DecryptError, SealedDecryptor
from pillarbook.verify.dump_differences import ERRORS, Comparison, GivenPillar
from pillarbook.verify.printed_values import printed


class UnopenedMessages:
    """Gives projects whose master has no key for some messages.

    Args:
        project: What compiles have in common.
    """

    def __init__(self, project: Project) -> None:
        self._project = project
        self._without: dict[frozenset[str], Project] = {}

    def find_project(self, comparison: Comparison, given: GivenPillar) -> Project | None:
        """Return what a minion is to be compiled with, None for what it was compiled with.

        Args:
            comparison: Where the minion differs as it is.
            given: What the dump has for it; without errors Salt lost nothing.
        """
        if not self._project.decryptor.sealed or ERRORS not in given.data:
            return None
        data = (printed(one.ours) for one in comparison.differences if one.ours is not None)
        texts = frozenset(text for part in data for text in _ciphertexts(part))
        if not texts:
            return None
        if texts not in self._without:
            decryptor = _Locked(texts)
            changed = replace(self._project, decryptor=decryptor, remembered=Remembered())
            self._without[texts] = changed
        return self._without[texts]


class _Locked(SealedDecryptor):
    """Leaves messages as they are, but for those that cannot be opened."""

    def __init__(self, locked: Iterable[str]) -> None:
        self._locked = frozenset(text.strip() for text in locked)

    def decrypt_text(self, text: str | bytes) -> tuple[str | bytes, bool]:
        """Return the text itself, and whether it holds a message.

        Raises:
            DecryptError: It is one that cannot be opened.
        """
        value, held = super().decrypt_text(text)
        if held and isinstance(value, str) and value.strip() in self._locked:
            words = "a message cannot be opened"
            raise DecryptError(words, words)
        return value, held


def _ciphertexts(data: Any) -> Iterator[str]:
    if isinstance(data, dict | list):
        for item in data.values() if isinstance(data, dict) else data:
            yield from _ciphertexts(item)
    elif isinstance(data, str) and is_ciphertext(data):
        yield data
