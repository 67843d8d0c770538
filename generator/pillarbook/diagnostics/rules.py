"""Every rule that can give a diagnostic; ``site_src/rules/CODE.md`` explains each.

Errors in the inventory, the configuration and the syntax of the master file stop a command. They
are not rules, so nobody can silence them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from pillarbook.diagnostics.diagnostic import Diagnostic, Severity
from pillarbook.model import KeyPath, Position


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of diagnostic."""

    code: str
    """The short name, lower case with hyphens: ``missing-sls``."""
    severity: Severity
    """The severity if the configuration sets none."""
    title: str
    """What it finds, in a few words."""
    is_asked: bool = False
    """Whether it finds something only if the configuration, or ``check --rule``, names it."""


# A rule is a warning only if most of its findings were worth a change: docs/decisions/0029.
_ERRORS = {
    "broken-target": "a target that Salt cannot evaluate",
    "cannot-compile": "a minion that cannot be compiled",
    "compile-breaks-off": "a pillar that Salt stops compiling with an exception",
    "conflicting-id": "a state ID that two SLS files declare",
    "duplicate-key": "a mapping with a duplicate key",
    "ext-pillar-error": "an external pillar that fails",
    "internal-error": "an internal error of pillarbook",
    "jinja-error": "a template that Jinja cannot render",
    "json-error": "a document that is not valid JSON",
    "limit-exceeded": "a render that exceeds a limit",
    "malformed-option": "a master option with a structure that Salt does not accept",
    "missing-grain": "a template that reads an undeclared grain",
    "missing-import": "a template that imports a file that does not exist",
    "missing-sls": "an SLS that does not exist",
    "missing-state": "an `extend` or requisite that names a state that does not exist",
    "not-utf-8": "a file that is not UTF-8",
    "render-error": "an SLS that its renderer cannot render",
    "requisite-cycle": "states that wait for each other in a cycle",
    "sls-shape": "an SLS that is not a mapping, or an include that is not a list",
    "state-shape": "states with a structure that Salt does not accept",
    "too-deep": "a pillar or includes with too many nested levels",
    "top-shape": "a top file with a structure that Salt does not accept",
    "undeclared-clock": "a template that fails because no time is declared",
    "undeclared-function": "a template that fails because a function has no declared answer",
    "undecryptable": "an encrypted value that cannot be decrypted",
    "unknown-environment": "an environment without roots in a top file",
    "unsupported-renderer": "a renderer that does not run",
    "yaml-error": "a document that is not valid YAML",
}
_WARNINGS = {
    "changed-alias": "a merge that also changes another key: both are aliases of one anchor",
    "changes-grains": "a template that changes its input data",
    "doubtful-yaml": "a file that renders, but most likely not as its author means",
    "forgeable-secret": "a secret that a minion can get by setting its grains",
    "git-crypt": "a file that is locked by git-crypt",
    "key-missing": "an encrypted value without a key in the keyring",
    "key-revoked": "a value that is encrypted to a revoked key",
    "mine-in-pillar": "a template that calls `mine.get`, which finds nothing on a master",
    "missing-repository": "a git repository that is missing on this machine, or cannot be read",
    "missing-revision": "a revision that the report cannot be compared with",
    "missing-states": "states whose SLS are mostly in other repositories",
    "missing-top": "a minion for which no environment has a top file",
    "needs-trust": "a setting that has no effect without trust",
    "not-compared": "a file that cannot be read on one side of a comparison",
    "option-type": "a master option of the wrong type, or that Salt does not know",
    "outside-reach": "a file or folder outside the repository",
    "pillar-in-pillar": "a template of the pillar that reads what another SLS sets",
    "plain-secret": "a possible plain-text secret in the tree",
    "sealed-sls": "an SLS that is completely encrypted",
    "secret-branch": "values whose existence depends on a secret",
    "secret-copied": "plain text that is, or contains, a copy of a secret from another source",
    "secret-in-name": "a key, id, file or environment with a secret in its name",
    "type-clash": "a key with different types (mapping, list, scalar) in two SLS files",
    "unavailable-ext-pillar": "an external pillar that does not run",
    "unknown-renderer": "a renderer that Salt does not know",
    "unknown-state": "a state that is left out because it depends on an unknown value",
    "unreadable-file": "a file that cannot be read",
}
_NOTES = {
    "incomplete-pillar-opts": "`pillar_opts` without the master's defaults",
    "key-expired": "a value that is encrypted to an expired key",
    "lost-scalar": "a value that another SLS silently replaces",
    "minion-opts": "minion options, which a master ignores",
    "missing-branch": "a git repository without the requested branch",
    "missing-include": "an `include` of the master file that matches no file",
    "missing-root": "a folder of the roots that does not exist",
    "no-minion-file": "a minion without a file in an external pillar",
    "opens-files": "code of the tree that opens files itself",
    "reads-clock": "a template that reads the clock",
    "unknown-minion": "a target that names a minion which the inventory does not have",
    "unknown-name": "a key, or the name of an included SLS, that is not known",
    "unmatched-target": "a target that matches no minion",
    "unused-sls": "an SLS that no minion gets",
}

# Most of what it finds is intended: docs/decisions/0029.
_ASKED = ("lost-scalar",)

FIXED = frozenset(("doubtful-yaml",))
"""Rules whose texts have nothing of the tree, so no secret of a minion can be in them."""

RULES: Mapping[str, Rule] = MappingProxyType(
    {
        code: Rule(code, severity, title, is_asked=code in _ASKED)
        for severity, titles in (
            (Severity.ERROR, _ERRORS),
            (Severity.WARNING, _WARNINGS),
            (Severity.NOTE, _NOTES),
        )
        for code, title in titles.items()
    }
)
"""Each rule by its code, the worst first."""


def new_diagnostic(  # noqa: PLR0913 (as many as a diagnostic has fields)
    code: str,
    message: str,
    position: Position | None = None,
    *,
    severity: Severity | None = None,
    path: KeyPath | None = None,
    minions: tuple[str, ...] = (),
    remedy: str | None = None,
    related: tuple[Position, ...] = (),
    missing: tuple[str, str] | None = None,
) -> Diagnostic:
    """Return a diagnostic with the severity of its rule, unless one is given.

    A code without a rule is an error, as it stops the command.
    """
    if severity is None:
        severity = RULES[code].severity if code in RULES else Severity.ERROR
    return Diagnostic(
        code=code,
        severity=severity,
        message=message,
        position=position,
        path=path,
        minions=minions,
        help=remedy,
        related=related,
        missing=missing,
    )
