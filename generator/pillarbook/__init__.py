"""pillarbook compiles Salt pillar offline and writes a MkDocs site about it.

Other programs may import the names of ``__all__``, and ``pillarbook.testing``. All other modules
are internal and may change in any release.
"""

__version__ = "0.2.0"

__all__ = [
    "Change",
    "Diagnostic",
    "PillarSession",
    "PillarbookError",
    "Redacted",
    "RedactedLeaf",
    "RedactedOrigin",
    "RedactedPillar",
    "RunOptions",
    "Settings",
    "Severity",
    "open_session",
]

# The names are loaded on first use: the commands, and programs that only ask for the version, must
# not wait for the whole package. Not from `typing`, which takes longer to load than all of this.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from pillarbook.api import (
        Change,
        Diagnostic,
        PillarbookError,
        PillarSession,
        Redacted,
        RedactedLeaf,
        RedactedOrigin,
        RedactedPillar,
        RunOptions,
        Settings,
        Severity,
        open_session,
    )
else:

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module 'pillarbook' has no attribute '{name}'")
        from importlib import import_module  # noqa: PLC0415 (few programs need it)

        value = globals()[name] = getattr(import_module("pillarbook.api"), name)
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
