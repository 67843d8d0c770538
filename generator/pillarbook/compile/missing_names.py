"""Salt's words for SLS and environments that are named and do not exist.

Source: Salt ``salt/pillar/__init__.py`` (``render_pillar``, ``render_pstate``).
"""

from typing import Any

from pillarbook.compile.renderers.yamlex_names import printed


def word_missing_sls(sls: str, saltenv: Any) -> str:
    """Return the words for an SLS."""
    return (
        f"Specified SLS '{printed(sls)}' in environment '{printed(saltenv)}' is not"
        " available on the salt master"
    )


def word_missing_environment(saltenv: Any) -> str:
    """Return the words for an environment."""
    return f"No matching pillar environment for environment '{printed(saltenv)}' found"
