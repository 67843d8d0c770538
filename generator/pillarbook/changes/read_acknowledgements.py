"""Reads which changes are acknowledged: from both sides' files, and from messages of commits."""

import re
from collections.abc import Iterator, Sequence

import yaml

from pillarbook.changes.comparison import Sides
from pillarbook.changes.comparison.declared_sides import DeclaredSide
from pillarbook.changes.comparison.side_files import read_file
from pillarbook.compare.acknowledgements import Acknowledgements
from pillarbook.inventory.config_yaml import compose
from pillarbook.model.phrases import count
from pillarbook.roots.git_files import RepositoryError

FILE = ".pillarbook-acks.yml"
"""The file in the top folder of the repository."""
MAX_BYTES = 1024 * 1024
"""Bytes of the file; it is of the tree, whose size nobody has checked."""
MAX_COMMITS = 1_000
"""Commits whose messages are read."""
MAX_NAMED = 5
"""Faults of a file that are named."""
ID = re.compile(r"c-[a-z2-7]{16}")
TRAILER = re.compile(r"Pillarbook-Ack:[ \t]*(?P<id>c-[a-z2-7]{16})(?=\s|$)", re.IGNORECASE)
"""A line at the end of a commit's message; a reason may follow the id."""
FORM = "it must be a list of change ids, or of `id` and `reason`"


def read_acknowledgements(sides: Sides) -> Acknowledgements:
    """Return which changes between two sides are acknowledged."""
    base, head = sides.declared
    first, second = _Found(), _Found()
    # A base without a fleet is read from the head's files, and a change must not approve itself.
    if base.lacks is None:
        first.read(base)
    if head.lacks is None:
        second.read(head)
    notes = tuple(second.describe(head)) or tuple(first.describe(base))
    return Acknowledgements(first.ids, second.ids.union(_read_trailers(sides)), notes)


class _Found:
    """The ids in the file of a side, and its faults."""

    def __init__(self) -> None:
        self.ids: frozenset[str] = frozenset()
        self._faults: Sequence[str] = ()

    def describe(self, side: DeclaredSide) -> Iterator[str]:
        label = side.files.side.label
        for fault in self._faults[:MAX_NAMED]:
            yield f"{FILE} of {label}: {fault}"
        left = len(self._faults) - MAX_NAMED
        if left > 0:
            yield f"{FILE} of {label}: {count(left, 'more fault')}"

    def read(self, side: DeclaredSide) -> None:
        files = side.files.files
        path = files.resolve(side.files.side.home.folder) / FILE
        if files.is_link(path):
            self._faults = ["it is not read because it is a link"]
            return
        if not files.is_file(path):
            return
        content = read_file(files, path, MAX_BYTES + 1)
        if content is None or len(content) > MAX_BYTES:
            self._faults = [f"it is not read because it has more than {MAX_BYTES:,} bytes"]
            return
        self.ids, self._faults = parse_acknowledgements(content)


def parse_acknowledgements(content: bytes) -> tuple[frozenset[str], Sequence[str]]:
    """Return the ids in a file, and what is wrong with it; a faulty entry has no effect."""
    try:
        root = _read_yaml(content.decode())
    except (yaml.YAMLError, RecursionError, UnicodeDecodeError):
        return frozenset(), [f"it is not read because it is no valid YAML; {FORM}"]
    if root is None:
        return frozenset(), []
    if not isinstance(root, yaml.SequenceNode):
        return frozenset(), [f"it is not read; {FORM}"]
    entries = [(_id_of(entry), entry.start_mark.line + 1) for entry in root.value]
    faults = [f"line {line} has no change id; {FORM}" for found, line in entries if found is None]
    return frozenset(found for found, _ in entries if found is not None), faults


def _read_yaml(text: str) -> yaml.Node | None:
    loader = yaml.CSafeLoader(text)
    try:
        return compose(loader, text)
    finally:
        loader.dispose()


def _id_of(entry: yaml.Node) -> str | None:
    """Return the id of an entry; None if it has another form."""
    if isinstance(entry, yaml.MappingNode):
        parts = {key.value: value for key, value in entry.value if _is_text(key)}
        if not parts.keys() <= {"id", "reason"} or len(parts) != len(entry.value):
            return None
        entry = parts.get("id", entry)
    return entry.value if _is_text(entry) and ID.fullmatch(entry.value) else None


def _is_text(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode)


def _read_trailers(sides: Sides) -> Iterator[str]:
    """Yield the ids that commits of the head name in the last paragraphs of their messages."""
    base, head = (side.files.side for side in sides.declared)
    try:
        last = head.commit or head.repository.find_head()
    except RepositoryError:
        return
    if last is None or base.commit is None:
        return
    for message in head.repository.messages_between(base.commit, last, MAX_COMMITS):
        trailers = message.strip().rpartition("\n\n")[2]
        yield from (
            found["id"].lower()
            for line in trailers.splitlines()
            for found in [TRAILER.match(line)]
            if found
        )
