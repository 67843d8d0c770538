"""The secrets in the pillars that templates read."""

from collections.abc import Hashable, Iterator

from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.model import MapNode, Node
from pillarbook.model.limited_cache import LimitedCache
from pillarbook.redact.placeholders import Secret, identify
from pillarbook.taint.taint_readers import TaintReaders
from pillarbook.taint.taint_sources import trees_read

# Protects memory. A part that is no longer cached is searched again.
MAX_KEPT = 100_000
"""The most parts whose secrets are cached; then the cache is emptied."""


class SecretsRead:
    """Finds the secrets that readers could read; parts that minions share are searched once."""

    def __init__(self, taint_readers: TaintReaders) -> None:
        self._taint_readers = taint_readers
        self._known = LimitedCache[tuple[Hashable, Node], frozenset[Secret]](MAX_KEPT)

    def find(self, compiled: CompiledPillar) -> Iterator[Secret]:
        """Yield the identity of each secret that the readers of one compile could read."""
        for tree in trees_read(compiled):
            for key, node in tree.items.items() if isinstance(tree, MapNode) else ():
                known = self._known.get((key, node))
                if known is None:
                    below = self._taint_readers.secrets_below(node, (key,))
                    known = frozenset(identify(leaf.value) for _, leaf in below)
                    self._known[key, node] = known
                yield from known
