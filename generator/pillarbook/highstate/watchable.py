"""The state modules with an action of their own on a change of a watched state.

A ``watch`` of any other module is a ``require``. Salt loads some modules only on some systems, by
the minion's grains.

Source: Salt ``salt/states`` (``mod_watch``), ``salt/states/service.py``, ``salt/states/pkg.py``
(``__virtual__``).
"""

import re
from collections.abc import Mapping
from typing import Any

from pillarbook.roots.environment_roots import Roots

ALWAYS = frozenset(("cmd", "event", "module", "mount", "test"))
"""Salt's own modules on every minion; ``at`` and ``etcd`` need more."""
FOLDER = "_states/"
DEFINES = re.compile(rb"^(?:def\s+mod_watch\b|mod_watch\s*=)", re.MULTILINE)
NAMED = re.compile(rb"^__virtualname__\s*=\s*['\"]([^'\"]+)['\"]", re.MULTILINE)


def watchable_modules(grains: Mapping[Any, Any], own: frozenset[str]) -> frozenset[str]:
    """Return the names of the modules for a minion's grains, with the tree's own modules."""
    found = ALWAYS | own
    if grains.get("os") or grains.get("kernel"):
        found |= {"service"}
    if grains.get("os_family") == "Debian" or (grains.get("os_family") and grains.get("os")):
        found |= {"pkg"}
    return found


def own_modules(roots: Roots) -> frozenset[str]:
    """Return the names of such modules in ``_states``; they are read, never run."""
    found = set()
    for saltenv in roots.environments:
        for path in roots.names(saltenv):
            if path.startswith(FOLDER) and path.endswith(".py"):
                file = roots.find(path, saltenv)
                if file is not None and DEFINES.search(file.content):
                    named = NAMED.search(file.content)
                    stem = path.rsplit("/", 1)[-1].removesuffix(".py")
                    found.add(named[1].decode("utf-8", "replace") if named else stem)
    return frozenset(found)
