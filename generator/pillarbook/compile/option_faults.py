"""What there is to say about options that a compile stumbles over."""

from pillarbook.compile.renderers.decrypt_pillar import DecryptFailure
from pillarbook.diagnostics import Diagnostic, Severity
from pillarbook.model import Position
from pillarbook.model.long_integers import REFUSED


def malformed_option(message: str, position: Position | None, option: str) -> Diagnostic:
    """Return what is said of an option that Salt breaks off at, or takes for nothing."""
    return Diagnostic(
        code="malformed-option",
        severity=Severity.ERROR,
        message=message,
        position=position,
        help=f"see Salt's documentation of `{option}`",
    )


def unsendable(position: Position) -> Diagnostic:
    """Return what is said of a value that a template puts into the pillar, and nobody can send."""
    message = f"a template changes the pillar: {REFUSED}"
    return Diagnostic(
        code="render-error", severity=Severity.ERROR, message=message, position=position
    )


def undecrypted(failure: DecryptFailure, position: Position | None) -> Diagnostic:
    """Return what is said of a path of ``decrypt_pillar`` that is not decrypted."""
    return Diagnostic(
        code="undecryptable",
        severity=Severity.ERROR,
        message=failure.clean,
        position=position,
    )


def pillar_opts_note(position: Position | None) -> Diagnostic:
    """Return what is said of ``pillar_opts``, which is followed in part."""
    return Diagnostic(
        code="incomplete-pillar-opts",
        severity=Severity.NOTE,
        message="`pillar_opts` puts the master's options into the pillar; the key `master` holds "
        "only those that the master file sets",
        position=position,
        help="Salt adds its defaults, and options that it makes at run time",
    )
