"""The ``pillarbook`` section of mkdocs.yml.

Every fault is reported in one go. The checks are written by hand: importing pydantic takes longer
than compiling a small fleet, and its sentences would have to be rewritten for people anyway.
"""

import datetime as dt
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pillarbook.inventory.change_settings import IgnoreRule, parse_changes
from pillarbook.inventory.declaration_errors import SettingsError
from pillarbook.inventory.declared_functions import DeclaredFunction, parse_functions
from pillarbook.inventory.master_options import show_from
from pillarbook.inventory.mkdocs_section import locate_section
from pillarbook.inventory.reach import find_repository
from pillarbook.inventory.rule_settings import RuleSetting, parse_rules
from pillarbook.inventory.settings_checks import Checks
from pillarbook.model import KeyPath, Position
from pillarbook.roots.file_access import DISK, Files

OPTIONS = (
    "master",
    "inventory",
    "environments",
    "revisions",
    "redact",
    "rules",
    "changes",
    "decrypt",
    "python",
    "renderers",
    "functions",
    "ext_pillars",
    "paths",
    "states",
    "clock",
    "unanswered",
    "pages",
)


ERROR, PLACEHOLDER = "error", "placeholder"
"""What a call without an answer gives: an error that loses its SLS, or an unknown value."""
MASKED, NO_SOURCE = "masked", "none"
"""Whether the pages of SLS files show the text of files."""
AUTO, WHOLE, SHARED = "auto", "whole", "shared"
"""Whether a section of a pillar that many minions share has a page of its own: in large fleets,
never, always."""
PAGE_CHOICES = {"source": (MASKED, NO_SOURCE), "sections": (AUTO, WHOLE, SHARED)}
"""The settings of pages with several values, the default first."""

TOKEN_KEY = "PILLARBOOK_TOKEN_KEY"  # noqa: S105 (the name of a variable)
"""The variable with the key for tokens."""
REMOVED_RENDERERS = ("wempy",)
"""What ``renderers`` may name: renderers that the reference Salt no longer has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """One environment that is compared with the others."""

    name: str
    """Its name; the pillarenv if it has no options of its own."""
    options: Mapping[str, Any] | None = None
    """A named set of master options; None for a pillarenv."""
    position: Position | None = field(default=None, compare=False)
    """The line that declares it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RedactRules:
    """The user's additions to the built-in rules for secrets, and exceptions from them."""

    keys: tuple[str, ...] = ()
    """Patterns of keys whose values are secret."""
    values: tuple[str, ...] = ()
    """Patterns of values that are secret."""
    allow: tuple[str, ...] = ()
    """Patterns of keys whose values are not."""
    equality: bool = False
    """Whether equal secrets of different sources have equal tokens; needs trust."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The user's configuration; ``permissions`` decides which parts of it need trust."""

    master: Path
    """Salt's master file."""
    inventory: tuple[Path, ...]
    """The inventory files."""
    folder: Path
    """The folder of mkdocs.yml, from which relative paths count."""
    environments: tuple[Environment, ...] = ()
    """The environments to compare; empty for all of ``pillar_roots``."""
    revisions: Mapping[str, str] = field(default_factory=dict)
    """``base``: the git revision that the working tree is compared with."""
    redact: RedactRules = field(default_factory=RedactRules)
    """The user's own rules for secrets."""
    rules: Mapping[str, RuleSetting] = field(default_factory=dict)
    """The settings of the rules of ``check``, by their codes."""
    ignore: tuple[IgnoreRule, ...] = ()
    """The changes that a comparison ignores (``changes: ignore``)."""
    decrypt: bool = False
    """Whether the tree asks for decryption; needs trust."""
    python: bool = False
    """Whether the tree asks for its code to be run; needs trust."""
    renderers: tuple[str, ...] = ()
    """Renderers that the reference Salt no longer has."""
    functions: Mapping[str, DeclaredFunction] = field(default_factory=dict)
    """Declared answers of execution functions, by name."""
    ext_pillars: Mapping[str, str] = field(default_factory=dict)
    """Files that answer external pillars, by name, as the configuration has them."""
    paths: Mapping[str, str] = field(default_factory=dict)
    """Local paths by the absolute paths of the master, or URLs, that they replace, as the
    configuration has them."""
    states: bool | None = None
    """Whether states are compiled; None to leave them out if most of their SLS are elsewhere."""
    clock: dt.datetime | None = None
    """The current time for templates, in UTC; None if none is declared."""
    unanswered: str = PLACEHOLDER
    """What a call without an answer gives: ``error`` or ``placeholder``."""
    source: str = MASKED
    """How the pages of SLS files show the text of files: ``masked`` or ``none``."""
    authors: bool = False
    """Whether pages name the authors of the commits that set values."""
    guide: bool = True
    """Whether a site gets the pages of the guide that it lacks."""
    sections: str = AUTO
    """Whether sections that many minions share have pages of their own: ``auto``, ``whole`` (no) or
    ``shared`` (yes)."""
    positions: Mapping[str, Position] = field(default_factory=dict)
    """The line of each option."""
    file: Path | None = field(default=None, compare=False)
    """The MkDocs configuration that they were read from; None if there was none."""


def load_settings(mkdocs_yml: Path, files: Files = DISK) -> Settings:
    """Return the settings of a MkDocs configuration.

    The file is composed and only the section is constructed, with the safe loader: Python tags
    and environment variables elsewhere have no effect.

    Raises:
        SettingsError: With every fault.
    """
    section = locate_section(mkdocs_yml, files)
    settings = parse_settings(
        section.values, position_of=section.position_of, folder=mkdocs_yml.absolute().parent
    )
    return _name_from_top(replace(settings, file=mkdocs_yml.absolute()), files)


def _name_from_top(settings: Settings, files: Files) -> Settings:
    """Return settings whose lines name the file from the top of its repository, if it is in one."""
    home = find_repository(settings.folder, files)
    if home is None or settings.file is None:
        return settings
    file = show_from(home, files.resolve(settings.folder) / settings.file.name)
    return replace(
        settings,
        positions={key: replace(place, file=file) for key, place in settings.positions.items()},
        environments=tuple(
            replace(one, position=one.position and replace(one.position, file=file))
            for one in settings.environments
        ),
    )


def parse_settings(
    section: Mapping[str, Any], *, position_of: Callable[[KeyPath], Position], folder: Path
) -> Settings:
    """Return the settings of a section.

    ``position_of`` gives the line of a key path of the section, and relative paths count from
    ``folder``.

    Raises:
        SettingsError: With every fault.
    """
    checks = Checks(section, position_of)
    checks.forbid_unknown((), section, OPTIONS)
    master = checks.text("master", needed="the path of Salt's master file")
    inventory = checks.texts("inventory", needed="the path of an inventory file, or a list of them")
    settings = Settings(
        master=folder / master,
        inventory=tuple(folder / path for path in inventory),
        folder=folder,
        environments=_parse_environments(checks),
        revisions=_parse_revisions(checks),
        redact=_parse_redact(checks),
        rules=parse_rules(checks),
        ignore=parse_changes(checks),
        decrypt=checks.flag("decrypt"),
        python=checks.flag("python"),
        renderers=_parse_renderers(checks),
        functions=parse_functions(checks),
        ext_pillars=_parse_answers(checks),
        paths=_parse_paths(checks),
        states=checks.flag_or_auto("states"),
        clock=checks.time("clock"),
        unanswered=_parse_unanswered(checks),
        **_parse_pages(checks),
        positions={key: position_of((key,)) for key in section},
    )
    if checks.faults:
        raise SettingsError(checks.faults)
    return settings


def _parse_environments(checks: Checks) -> tuple[Environment, ...]:
    found: dict[str, Environment] = {}
    for index, entry in enumerate(checks.list_of("environments")):
        path: KeyPath = ("environments", index)
        name, options = entry, None
        if isinstance(entry, Mapping) and len(entry) == 1:
            ((name, options),) = entry.items()
            path = (*path, name)
        if not isinstance(name, str):
            remedy = "write a pillarenv, or NAME: {master options}; a number in quotes"
            checks.add(path, "an environment must be a name, or one name with options", remedy)
        elif options is not None and not isinstance(options, Mapping):
            checks.mistype(path, options, "a mapping of master options")
        elif name in found:
            checks.add(path, f"the environment '{name}' is listed twice", "keep one of them")
        else:
            found[name] = Environment(name=name, options=options, position=checks.position_of(path))
    return tuple(found.values())


def _parse_revisions(checks: Checks) -> dict[str, str]:
    revisions = checks.mapping("revisions")
    checks.forbid_unknown(("revisions",), revisions, ("base",))
    base = revisions.get("base")
    if base is None:
        return {}
    if not isinstance(base, str) or not base:
        checks.mistype(("revisions", "base"), base, "a git revision; a number in quotes")
        return {}
    return {"base": base}


def _parse_redact(checks: Checks) -> RedactRules:
    rules = checks.mapping("redact")
    checks.forbid_unknown(("redact",), rules, ("keys", "values", "allow", "equality"))
    return RedactRules(
        keys=checks.patterns_at(("redact", "keys"), rules.get("keys")),
        values=checks.expressions_at(("redact", "values"), rules.get("values")),
        allow=checks.patterns_at(("redact", "allow"), rules.get("allow")),
        equality=checks.flag_at(("redact", "equality"), rules.get("equality")),
    )


def _parse_renderers(checks: Checks) -> tuple[str, ...]:
    names = checks.texts("renderers")
    checks.forbid_unknown(("renderers",), dict.fromkeys(names), REMOVED_RENDERERS)
    return names


def _parse_unanswered(checks: Checks) -> str:
    asked = checks.value("unanswered", PLACEHOLDER)
    if asked not in (ERROR, PLACEHOLDER):
        checks.mistype(("unanswered",), asked, f"{ERROR} or {PLACEHOLDER}")
    return ERROR if asked == ERROR else PLACEHOLDER


def _parse_pages(checks: Checks) -> dict[str, Any]:
    """Return the settings of pages by their names."""
    pages = checks.mapping("pages")
    checks.forbid_unknown(("pages",), pages, ("source", "authors", "guide", "sections"))
    found = {}
    for name, choices in PAGE_CHOICES.items():
        found[name] = pages.get(name, choices[0])
        if found[name] not in choices:
            *others, last = choices
            checks.mistype(("pages", name), found[name], f"{', '.join(others)} or {last}")
    return {
        **found,
        "authors": checks.flag_at(("pages", "authors"), pages.get("authors")),
        "guide": checks.flag_at(("pages", "guide"), pages.get("guide", True)),
    }


def _parse_answers(checks: Checks) -> dict[str, str]:
    answers = checks.mapping("ext_pillars")
    for name, file in answers.items():
        path = ("ext_pillars", name)
        if not isinstance(name, str):
            checks.add(path, "an external pillar's name must be text", "put it in quotes")
        if not isinstance(file, str) or not file:
            checks.mistype(path, file, "the path of a file with the answers")
    return dict(answers)


def _is_place(text: str) -> bool:
    """Say whether a text has the form of an absolute path, or of a URL for git."""
    return text.startswith("/") or "://" in text or re.match(r"[^/:]+@[^/:]+:", text) is not None


def _parse_paths(checks: Checks) -> dict[str, str]:
    paths = checks.mapping("paths")
    for there, here in paths.items():
        path = ("paths", there)
        if not isinstance(there, str) or not _is_place(there):
            remedy = "begin it with / or a scheme, as templates and the master file do"
            message = "a key of 'paths' must be an absolute path of the master, or a URL"
            checks.add(path, message, remedy)
        if not isinstance(here, str) or not here:
            checks.mistype(path, here, "a local path")
    return dict(paths)
