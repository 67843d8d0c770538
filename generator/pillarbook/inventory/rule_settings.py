"""The ``rules`` option of the configuration: severities and exceptions of ``check``."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pillarbook.diagnostics import Severity
from pillarbook.diagnostics.rules import RULES
from pillarbook.inventory.settings_checks import Checks
from pillarbook.model import KeyPath

SEVERITIES: Mapping[str, Severity] = {str(severity): severity for severity in Severity}
WANTED = "off, on, error, warning or note"
IGNORED = ("keys", "files", "minions")


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSetting:
    """The settings of one rule."""

    off: bool = False
    """Whether the rule is switched off."""
    severity: Severity | None = None
    """The severity of its findings; None for the rule's own."""
    keys: tuple[str, ...] = ()
    """Patterns of keys or key paths whose findings are ignored, as in ``redact: keys``."""
    files: tuple[str, ...] = ()
    """Globs of files whose findings are ignored."""
    minions: tuple[str, ...] = ()
    """Globs of minion ids whose findings are ignored."""


def parse_rules(checks: Checks) -> dict[str, RuleSetting]:
    """Return the settings of each rule that the section names."""
    rules = checks.mapping("rules")
    checks.forbid_unknown(("rules",), rules, RULES, "`pillarbook rule` lists all rules")
    return {
        code: _parse_rule(checks, ("rules", code), value)
        for code, value in rules.items()
        if code in RULES
    }


def _parse_rule(checks: Checks, path: KeyPath, value: Any) -> RuleSetting:
    if not isinstance(value, Mapping):
        off, severity = _parse_word(checks, path, value)
        return RuleSetting(off=off, severity=severity)
    checks.forbid_unknown(path, value, ("severity", "ignore"))
    off, severity = _parse_word(checks, (*path, "severity"), value.get("severity", True))
    path = (*path, "ignore")
    ignore = value.get("ignore")
    if ignore is not None and not isinstance(ignore, Mapping):
        checks.mistype(path, ignore, "a mapping with keys, files or minions")
    if not isinstance(ignore, Mapping):
        return RuleSetting(off=off, severity=severity)
    checks.forbid_unknown(path, ignore, IGNORED)
    keys, files, minions = (checks.texts_at((*path, name), ignore.get(name)) for name in IGNORED)
    return RuleSetting(off=off, severity=severity, keys=keys, files=files, minions=minions)


def _parse_word(checks: Checks, path: KeyPath, value: Any) -> tuple[bool, Severity | None]:
    """Return whether a rule is off, and its severity; YAML 1.1 reads off and on as booleans."""
    if isinstance(value, bool):
        return not value, None
    word = value.lower() if isinstance(value, str) else None
    if word in ("off", "on"):
        return word == "off", None
    severity = None if word is None else SEVERITIES.get(word)
    if severity is None:
        shown = f" '{value}'" if isinstance(value, str) else ""
        if shown:
            checks.add(path, f"'{': '.join(map(str, path))}' is{shown}", f"it must be {WANTED}")
        else:
            checks.mistype(path, value, WANTED)
    return False, severity
