"""What a finding is known by from one run to the next."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Sequence

from pillarbook.diagnostics.diagnostic import Diagnostic
from pillarbook.diagnostics.formats.repository_paths import RepositoryPaths

_LINE = re.compile(r":\d+")
_DIGITS = 32


def take_fingerprints(diagnostics: Sequence[Diagnostic], places: RepositoryPaths) -> list[str]:
    """Return the fingerprint of each diagnostic, all different.

    It is made of rule, file and message, without lines, so that it stays when a file grows above
    the finding. Where these are equal, findings are numbered in their order.

    Args:
        diagnostics: The findings, in their order.
        places: Where their files lie.
    """
    met: Counter[tuple[str, str, str]] = Counter()
    found = []
    for one in diagnostics:
        file = places.find(one.position) or one.position
        known = (one.code, file.file if file else "", _LINE.sub("", one.message))
        text = json.dumps([*known, met[known]])  # in ASCII, whatever a message holds
        found.append(hashlib.sha256(text.encode()).hexdigest()[:_DIGITS])
        met[known] += 1
    return found
