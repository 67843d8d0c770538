"""The minions that somebody may have meant who gives an id that is not declared."""

import difflib
from collections.abc import Sequence

MAX_NAMED = 3
"""Ids that a hint names: more would not fit into a line."""


def hint_at_minion(word: str, minions: Sequence[str]) -> str:
    """Return the ids that somebody may have meant, as the end of a sentence; empty without any."""
    near = (
        [minion for minion in minions if minion.startswith(f"{word}.")]
        or [minion for minion in minions if word and minion.startswith(word)]
        or difflib.get_close_matches(word, minions, n=1)
        or _with_near_host(word, minions)
    )
    named = " or ".join(f"'{minion}'" for minion in near[:MAX_NAMED])
    return f"; did you mean {named}?" if named else ""


def _with_near_host(word: str, minions: Sequence[str]) -> list[str]:
    """Return the ids whose first part is much like a word."""
    hosts = {minion.partition(".")[0] for minion in minions}
    near = difflib.get_close_matches(word.partition(".")[0], hosts, n=1)
    return [minion for minion in minions if minion.partition(".")[0] in near]
