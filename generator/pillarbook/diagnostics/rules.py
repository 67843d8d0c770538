"""Every rule that a diagnostic can come from; ``site_src/rules/CODE.md`` explains each.

Faults of the inventory, of the configuration and of the master file's own form stop a command and
are no rules: they cannot be silenced.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from pillarbook.diagnostics.diagnostic import Severity


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of diagnostic."""

    code: str
    """The short name, lower case with hyphens: ``missing-sls``."""
    severity: Severity
    """How bad it is where the configuration says nothing."""
    title: str
    """What it finds, in a few words."""


_ERRORS = {
    "broken-target": "a target that Salt cannot match",
    "cannot-compile": "a minion that cannot be compiled",
    "compile-breaks-off": "a pillar that Salt breaks off with an exception",
    "conflicting-id": "a state ID that two SLS files declare",
    "duplicate-key": "a mapping that has a key twice",
    "ext-pillar-error": "an external pillar that fails",
    "internal-error": "a fault of pillarbook itself",
    "jinja-error": "a template that Jinja does not take",
    "json-error": "a document that is no JSON",
    "limit-exceeded": "a render that takes more than its share",
    "malformed-option": "a master option of a form that Salt does not take",
    "missing-grain": "a template that reads a grain nobody declared",
    "missing-import": "a template that imports a file that is not there",
    "missing-sls": "an SLS that does not exist",
    "missing-state": "an `extend` or requisite that names a state that is nowhere",
    "not-utf-8": "a file that is not UTF-8",
    "render-error": "an SLS that its renderer does not take",
    "requisite-cycle": "states that wait for each other in a ring",
    "sls-shape": "an SLS that is no mapping, or an include that is no list",
    "state-shape": "states of a form that Salt does not take",
    "too-deep": "a pillar or includes that nest too deep",
    "undeclared-clock": "a template that reads the clock, where no time is declared",
    "undeclared-function": "a template that calls a function without a declared answer",
    "undecryptable": "an encrypted value that cannot be opened",
    "unknown-environment": "an environment without roots in a top file",
    "unsupported-renderer": "a renderer that is not run",
    "yaml-error": "a document that is no YAML",
}
_WARNINGS = {
    "changed-alias": "a merge that changes an alias in another place too",
    "changes-grains": "a template that changes what it is given",
    "forgeable-secret": "a secret that a minion can get by setting its grains",
    "git-crypt": "a file that git-crypt has locked",
    "key-missing": "an encrypted value that no key of the keyring opens",
    "key-revoked": "a value that is encrypted to a key that was revoked",
    "mine-in-pillar": "a template that calls `mine.get`, which finds nothing on a master",
    "missing-repository": "a git repository that is not on this machine, or cannot be read",
    "missing-revision": "a revision that the report cannot be compared with",
    "missing-top": "a minion for which no environment has a top file",
    "needs-trust": "a setting that does not count without trust",
    "not-compared": "a file that one side of a comparison has out of reach",
    "option-type": "a master option of the wrong type",
    "outside-reach": "a file or folder outside the repository",
    "plain-secret": "a secret that stands in the tree as plain text",
    "sealed-sls": "an SLS that is encrypted as a whole",
    "secret-branch": "values that are there or not depending on a secret",
    "secret-copied": "plain text that is, or holds, a copy of a secret of another source",
    "secret-in-name": "a key, id, file or environment whose name holds a secret",
    "type-clash": "a mapping, list or scalar that meets another type in a merge",
    "unavailable-ext-pillar": "an external pillar that is not run",
    "unknown-minion": "a minion that a target names and the inventory lacks",
    "unknown-renderer": "a renderer that Salt does not know",
    "unmatched-target": "a target that matches no minion",
    "unreadable-file": "a file that cannot be read",
}
_NOTES = {
    "incomplete-pillar-opts": "`pillar_opts`, of which the master's defaults are missing",
    "key-expired": "a value that is encrypted to a key that has expired",
    "lost-scalar": "a value that another SLS silently replaces",
    "minion-opts": "options of a minion's own, which a master ignores",
    "missing-branch": "a git repository without the branch that is asked for",
    "missing-include": "an `include` of the master file that matches no file",
    "missing-root": "a folder of the roots that is not there",
    "no-minion-file": "a minion that an external pillar has no file for",
    "opens-files": "code of the tree that opens files by itself",
    "reads-clock": "a template that reads the clock",
    "unused-sls": "an SLS that no minion gets",
}

RULES: Mapping[str, Rule] = MappingProxyType(
    {
        code: Rule(code, severity, title)
        for severity, titles in (
            (Severity.ERROR, _ERRORS),
            (Severity.WARNING, _WARNINGS),
            (Severity.NOTE, _NOTES),
        )
        for code, title in titles.items()
    }
)
"""Each rule by its code, the worst first."""
