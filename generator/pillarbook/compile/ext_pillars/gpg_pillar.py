"""The external pillar ``gpg``: opens the PGP messages in the pillar that there is so far.

Source: Salt ``salt/pillar/gpg.py``.
"""

from typing import Any

from pillarbook.compile.ext_pillars.interface import ExtPillarContext
from pillarbook.compile.renderers.gpg import REASON, decrypt_tree
from pillarbook.model import Node


def decrypt_all(context: ExtPillarContext, config: Any) -> Node:  # noqa: ARG001 (Salt looks at none)
    """Return the pillar with its messages opened, or marked as secret where they stay sealed.

    Raises:
        DecryptError: A message cannot be opened, where it must be.
    """
    return decrypt_tree(context.pillar, context.decryptor, REASON)
