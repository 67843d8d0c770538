"""Compares two secrets at one key path on two sides.

Somebody who can write one of the sides could put a guess there. So the value of a decrypted secret
is compared only with the value that the same file sets at the same key path.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from pillarbook.compare.change import Change
from pillarbook.redact import is_sealed
from pillarbook.redact.redacted_pillar import Redacted, RedactedLeaf

CHANGED = "secret changed"
CIPHERTEXT = "ciphertext changed, value unknown"
NOT_TOLD = "different source, not compared"


def describe_secrets(change: Change) -> str | None:
    """Return what is known about the secrets of a change; None if it has not two secrets."""
    before, after = change.before, change.after
    if change.kind != "changed":
        return None
    if not isinstance(before, Redacted) or not isinstance(after, Redacted):
        return None
    sealed = is_sealed(before.reason), is_sealed(after.reason)
    if all(sealed):
        return CIPHERTEXT
    if any(sealed) or (before.here is None) is not (after.here is None):
        return NOT_TOLD
    return CHANGED if before.here is None or _is_one_file(change) else NOT_TOLD


def are_one_value(before: Any, after: Any) -> bool:
    """Say whether two values of one file and key path are known to be the same secret."""
    if not isinstance(before, Redacted) or not isinstance(after, Redacted):
        return False
    return before.here is not None and before.here == after.here


def align_secrets(before: Sequence[Any], after: Sequence[Any]) -> Sequence[Any]:
    """Return the items of the head, with those of the base for equal secrets."""
    known = {one.here: one for one in before if isinstance(one, Redacted) and one.here is not None}
    if not known:
        return after
    return [
        known.get(one.here, one) if isinstance(one, Redacted) and one.here is not None else one
        for one in after
    ]


def find_reencrypted(
    before: Iterable[RedactedLeaf], after: Iterable[RedactedLeaf]
) -> Iterable[RedactedLeaf]:
    """Yield the secrets of the head that were encrypted again without a change of value."""
    known: dict[int, set[int]] = {}
    for leaf in before:
        if isinstance(leaf.value, Redacted) and leaf.value.here is not None:
            known.setdefault(leaf.value.here, set()).add(leaf.value.secret_id)
    for leaf in after:
        value = leaf.value
        if isinstance(value, Redacted) and value.here is not None:
            ids = known.get(value.here)
            if ids is not None and value.secret_id not in ids:
                yield leaf


def _is_one_file(change: Change) -> bool:
    before, after = change.before_origin, change.after_origin
    return before is not None and after is not None and before.file == after.file
