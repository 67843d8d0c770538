"""Which SLS files include which others, over any number of steps."""

from collections.abc import Iterable

from pillarbook.checks.finding import Between


class Includes:
    """The includes of a minion: environment, including SLS and included SLS of each."""

    def __init__(self, direct: Iterable[Between]) -> None:
        below: dict[tuple[str, str], set[str]] = {}
        for saltenv, sls, included in direct:
            below.setdefault((saltenv, sls), set()).add(included)
        self._related: set[Between] = set()
        for saltenv, sls in below:
            for included in _reach(saltenv, sls, below):
                self._related |= {(saltenv, sls, included), (saltenv, included, sls)}

    def relate(self, between: Between) -> bool:
        """Say whether one of two SLS files includes the other."""
        return between in self._related


def _reach(saltenv: str, sls: str, below: dict[tuple[str, str], set[str]]) -> set[str]:
    reached: set[str] = set()
    waiting = [sls]
    while waiting:
        found = below.get((saltenv, waiting.pop()), set()) - reached
        reached |= found
        waiting.extend(found)
    return reached
