"""The files that one render may read: roots and ``paths:``, with each read noted."""

import hashlib
import posixpath
from collections.abc import Callable, Iterable, Iterator

from pillarbook.compile.minion_view import MinionView
from pillarbook.compile.project import FileRead
from pillarbook.compile.renderers.jinja.tree_files import OutsideTreesError
from pillarbook.roots.tree_interface import FileTree, FoundFile

NoteRead = Callable[[FileRead, FoundFile | None], None]
"""Takes each lookup in a tree, and the file that was found."""
STATES = "salt://"
"""The prefix of paths in the state tree, in recorded reads."""
NO_ENVIRONMENT = ""
"""The environment of recorded reads outside the roots."""


class TreeAccess:
    """The files of the tree, for functions and filters; each lookup is noted."""

    def __init__(self, view: MinionView, note: NoteRead) -> None:
        self._view = view
        self._note = note
        self.secret: str | None = None
        """Why a part of a nested render is secret; None if nothing is."""
        self.hides: str | None = None
        """Why all results of the template are secret; None if they are not."""
        self.named = view.new_named_values()
        """Collects the secrets in templates; None if everything is revealed."""

    def note_secret(self, reason: str, *, is_opened_text: bool) -> None:
        """Note that a part of a nested render is secret.

        ``is_opened_text`` says that text was decrypted before it was parsed. Then everything that
        the template makes is redacted; otherwise, values that differ with placeholders are
        (docs/decisions/0015).
        """
        self.secret = self.secret or reason
        if is_opened_text:
            self.hides = self.hides or reason

    def read_bytes(self, path: str) -> bytes | None:
        """Return a file's content; None if it does not exist.

        Raises:
            OutsideTreesError: The path must not be read.
        """
        found = self.find(path)
        return None if found is None else found.content

    def take_text(self, path: str, text: str) -> str:
        """Note a text that a function read, and return it, or its placeholder.

        The name of its file may say that it is secret.
        """
        if self.named is None:
            return text
        names = (posixpath.basename(path).partition(".")[0],)
        taken: str = self.named.take_loaded(names, text, ("read_text", text), is_computed=False)
        return taken

    def find(self, path: str) -> FoundFile | None:
        """Return the file at a full path; None if it does not exist.

        Raises:
            OutsideTreesError: The path must not be read.
        """
        cached = self._cached_state(path)
        if cached is not None:
            return self.find_state(*cached)
        for saltenv, tree, below in self._places(path):
            found = tree.find(below)
            self._note(FileRead.of(saltenv, below, found, tree.full), found)
            if found is not None:
                return found
        return None

    def is_folder(self, path: str) -> bool:
        """Say whether a folder exists.

        Raises:
            OutsideTreesError: The path must not be read.
        """
        return any(True for _ in self.list_below(path))

    def list_below(self, path: str) -> Iterable[str]:
        """Return the full paths of all files and folders below a folder, sorted.

        Raises:
            OutsideTreesError: The path must not be read.
        """
        start = posixpath.normpath(path)
        cached = self._cached_state(path)
        if cached is not None:
            folder, saltenv = cached
            names = names_below(folder, self.list_states(saltenv))
        else:
            names = [name for place in self._places(path) for name in self._names(place)]
        return [f"{start}/{name}" for name in _with_folders(names)]

    def read_state(self, path: str, saltenv: str) -> bytes | None:
        """Return the content of a file of the state tree; None if it does not exist."""
        found = self.find_state(path, saltenv)
        return None if found is None else found.content

    def find_state(self, path: str, saltenv: str) -> FoundFile | None:
        """Return a file of the state tree; None if it does not exist."""
        found = None if path.startswith("/") else self._view.scope.states.find(path, saltenv)
        self._note(FileRead.of(saltenv, STATES + path, found), found)
        return found

    def list_states(self, saltenv: str) -> Iterable[str]:
        """Return the paths of the files in the state tree of an environment, sorted."""
        names = sorted(self._view.scope.states.names(saltenv))
        self._note_list(saltenv, STATES, names)
        return names

    def state_environments(self) -> Iterable[str]:
        """Return the environments of the state tree, in their order."""
        declared = self._view.scope.options.values["file_roots"]
        return [env for env in self._view.scope.states.environments if env in declared]

    def has_pillar_file(self, path: str, saltenv: str | None) -> bool:
        """Say whether a pillar root has a file; in any environment, if ``saltenv`` is None."""
        roots = self._view.scope.roots
        for environment in roots.environments if saltenv is None else (saltenv,):
            found = None if path.startswith("/") else roots.find(path, environment)
            self._note(FileRead.of(environment, path, found), found)
            if found is not None:
                return True
        return False

    def _cached_state(self, path: str) -> tuple[str, str] | None:
        """Return path and environment of a state file, given its path in the master's cache."""
        cache = f"{cache_folder(self._view)}/"
        normal = posixpath.normpath(path)
        if not normal.startswith(cache):
            return None
        saltenv, _, below = normal.removeprefix(cache).partition("/")
        return below, saltenv

    def _places(self, path: str) -> Iterator[tuple[str, FileTree, str]]:
        """Yield environment, tree and relative path of each place where a path may be."""
        normal = self._full(posixpath.normpath(path))
        places: dict[tuple[str, str], tuple[str, FileTree, str]] = {}
        for saltenv, full, tree in self._known_trees():
            below = _relative(normal, full)
            if below is not None:
                places.setdefault((tree.full, below), (saltenv, tree, below))
        if not places:
            # So that `init` sees which folders of the master are to be mapped.
            self._note(FileRead.of(NO_ENVIRONMENT, normal, None), None)
            raise OutsideTreesError
        yield from places.values()

    def _full(self, path: str) -> str:
        """Return the full path for one that begins with a relative root, as ``opts`` has it.

        Relative roots count from the master file's folder. For any other relative path, Salt would
        look in the folder in which the master was started, which nobody knows.
        """
        if path.startswith("/"):
            return path
        options = self._view.scope.options
        declared = (options.values.get(name) or {} for name in ("pillar_roots", "file_roots"))
        roots = {
            posixpath.normpath(root) for one in declared for each in one.values() for root in each
        }
        is_known = any(root == "." or _relative(path, root) is not None for root in roots)
        return posixpath.normpath(f"{options.folder}/{path}") if is_known else path

    def _known_trees(self) -> Iterator[tuple[str, str, FileTree]]:
        scope = self._view.scope
        for roots in (scope.roots, scope.states):
            for saltenv, tree in roots.trees():
                yield saltenv, tree.full, tree
        for there, tree in self._view.project.mapped.items():
            yield NO_ENVIRONMENT, posixpath.normpath(there), tree
            yield NO_ENVIRONMENT, tree.full, tree

    def _names(self, place: tuple[str, FileTree, str]) -> list[str]:
        saltenv, tree, below = place
        names = sorted(names_below(below, tree.names()))
        self._note_list(saltenv, below, names, tree.full)
        return names

    def _note_list(
        self, saltenv: str, folder: str, names: Iterable[str], tree: str | None = None
    ) -> None:
        self._note(FileRead(saltenv, f"{folder.rstrip('/')}/", digest_names(names), tree), None)


def digest_names(names: Iterable[str]) -> str:
    """Return a digest of a list of names."""
    return hashlib.sha256("\0".join(names).encode()).hexdigest()


def cache_folder(view: MinionView) -> str:
    """Return the folder of the master's file cache, which has a folder for each environment."""
    return posixpath.normpath(f"{view.scope.options.values.get('cachedir')}/files")


def _relative(path: str, folder: str) -> str | None:
    """Return a path relative to a folder: empty for the folder itself, None if it is outside."""
    if path == folder:
        return ""
    start = f"{folder.rstrip('/')}/"
    return path.removeprefix(start) if path.startswith(start) else None


def names_below(folder: str, names: Iterable[str]) -> list[str]:
    """Return the names that are below a folder, relative to it."""
    start = f"{folder}/" if folder else ""
    return [name.removeprefix(start) for name in names if name.startswith(start)]


def _with_folders(names: Iterable[str]) -> list[str]:
    """Return paths and the folders that contain them, sorted."""
    found = set(names)
    folders = {posixpath.dirname(name) for name in found} - {""}
    while folders:
        found |= folders
        folders = {posixpath.dirname(name) for name in folders} - found - {""}
    return sorted(found)
