"""The ``changes`` option of the configuration: which changes a comparison ignores."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pillarbook.inventory.declaration_errors import SettingsError, suggest
from pillarbook.inventory.mkdocs_section import locate_section
from pillarbook.inventory.settings_checks import Checks
from pillarbook.model import KeyPath

KINDS = ("added", "removed", "changed", "moved", "reordered")
"""The kinds of change that a rule may name."""
FORMS = ("json", "yaml")
"""The formats that texts may be parsed as."""
IGNORE = ("keys", "minions", "kinds", "values", "same_as")
"""The conditions that a rule may have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IgnoreRule:
    """One rule; a change that meets all of its conditions is ignored."""

    keys: tuple[str, ...] = ()
    """Patterns of keys or key paths, as in ``redact: keys``; empty for all."""
    minions: tuple[str, ...] = ()
    """Globs of minion ids; empty for all."""
    kinds: tuple[str, ...] = ()
    """Kinds of change; empty for all."""
    values: tuple[str, ...] = ()
    """Regular expressions; one of them matches each value of the change in full; empty for any."""
    same_as: str | None = None
    """One of ``FORMS``: both values are equal once they are parsed as it; None for any."""


def parse_changes(checks: Checks) -> tuple[IgnoreRule, ...]:
    """Return the rules of the section, in their order."""
    changes = checks.mapping("changes")
    checks.forbid_unknown(("changes",), changes, ("ignore",))
    path: KeyPath = ("changes", "ignore")
    given = changes.get("ignore")
    if given is None:
        return ()
    if not isinstance(given, list | tuple):
        checks.mistype(path, given, "a list of rules")
        return ()
    return tuple(_parse_rule(checks, (*path, at), rule) for at, rule in enumerate(given))


def load_changes(mkdocs_yml: Path, *, needed: bool = True) -> tuple[IgnoreRule, ...]:
    """Return the rules of a MkDocs configuration; nothing else in it is checked.

    Raises:
        SettingsError: The rules have faults, or the section ``pillarbook`` is missing and needed.
    """
    try:
        section = locate_section(mkdocs_yml)
    except SettingsError:
        if needed:
            raise
        return ()
    checks = Checks(section.values, section.position_of)
    rules = parse_changes(checks)
    if checks.faults:
        raise SettingsError(checks.faults)
    return rules


def _parse_rule(checks: Checks, path: KeyPath, rule: Any) -> IgnoreRule:
    if not isinstance(rule, Mapping):
        checks.mistype(path, rule, f"a mapping with some of {', '.join(IGNORE)}")
        return IgnoreRule()
    checks.forbid_unknown(path, rule, IGNORE)
    if not any(rule.get(name) for name in IGNORE) and set(rule) <= set(IGNORE):
        message = f"'{': '.join(map(str, path))}' has no condition"
        checks.add(path, message, f"it must have some of {', '.join(IGNORE)}")
    return IgnoreRule(
        keys=checks.patterns_at((*path, "keys"), rule.get("keys")),
        minions=checks.patterns_at((*path, "minions"), rule.get("minions")),
        kinds=_parse_kinds(checks, (*path, "kinds"), rule.get("kinds")),
        values=checks.expressions_at((*path, "values"), rule.get("values")),
        same_as=_parse_form(checks, (*path, "same_as"), rule.get("same_as")),
    )


def _parse_kinds(checks: Checks, path: KeyPath, given: Any) -> tuple[str, ...]:
    kinds = checks.texts_at(path, given)
    for kind in kinds:
        if kind not in KINDS:
            checks.add(path, f"'{kind}' is not a kind of change", suggest(kind, KINDS))
    return kinds


def _parse_form(checks: Checks, path: KeyPath, given: Any) -> str | None:
    if given is None or (isinstance(given, str) and given in FORMS):
        return given
    checks.mistype(path, given, " or ".join(FORMS))
    return None
