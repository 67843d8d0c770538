"""Lists what a first report lacks, most useful first."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from pillarbook.bootstrap.config_texts import MAX_VALUES
from pillarbook.bootstrap.listing import Shown
from pillarbook.bootstrap.private_grains import shown_values
from pillarbook.bootstrap.study import Study
from pillarbook.bootstrap.yaml_lines import as_yaml
from pillarbook.compile.renderers.undeclared import NO_ANSWER, WrittenCall, declare
from pillarbook.diagnostics import Diagnostic, Severity
from pillarbook.diagnostics.siblings import FindingGroup, join_siblings
from pillarbook.model import Position
from pillarbook.model.phrases import count, list_some

MAX_LINES = 10
"""Lines of a part before the rest is counted."""
INDENT = "  "
MAX_PLACES = 3
"""Places that a line names before it counts the others."""
MESSAGE = b"-----BEGIN PGP MESSAGE-----"
UNDECLARED = "undeclared-function"
CALLED = re.compile(r"calls '([^']+)'")
"""The words of an ``undeclared-function`` diagnostic, where it tells the function."""
DECLARED = re.compile(r"(?:(.*); or )?declare an answer in [^:]+: functions: \{(.*)\}$")
"""What it says is to be done: something else, where there is, or to declare an answer."""
SEALED = "sealed-sls"
_PARTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "Folders and files that are missing or outside the repository": (
            "missing-root",
            "missing-include",
            "outside-reach",
            "unreadable-file",
            "needs-trust",
            "malformed-option",
            "option-type",
        ),
        "Targets": ("broken-target", "unmatched-target", "unknown-minion", "unknown-environment"),
        "Missing SLS and files": ("missing-sls", "missing-import"),
        "External pillars": ("unavailable-ext-pillar", "missing-repository", "ext-pillar-error"),
        "Code of the tree, which needs trust": ("unsupported-renderer",),
        "Keys for decryption": ("sealed-sls", "undecryptable", "git-crypt"),
    }
)
"""Parts of the list, and the rules that belong to each; grains and functions have their own."""
_FIRST = ("Folders and files that are missing or outside the repository", "Targets")
_OWN = ("missing-grain", UNDECLARED)
_TOP = "The top file"
_TOP_FAILS = "the top file does not render"
_OTHER_FAULTS = "Other errors"
_LOSES_SLS = "unknown-renderer"
"""A warning that costs a whole SLS, as an error does."""


@dataclass(frozen=True, slots=True)
class MissingKind:
    """One kind of what is missing."""

    title: str
    """What kind."""
    lines: tuple[str, ...]
    """Where, what, and what to do; one line each."""
    more: str = ""
    """How to see the rest, where there are more."""


def list_missing(
    found: Study,
    diagnostics: Sequence[Diagnostic],
    inventory: str,
    configuration: str,
    shown: Shown,
) -> list[MissingKind]:
    """Return what is missing."""
    tops = [one for one in diagnostics if one.message.startswith(_TOP_FAILS)]
    parts = [_of_rules(_TOP, tuple(one.code for one in tops), tops, shown)]
    parts += [_of_rules(title, _PARTS[title], diagnostics, shown) for title in _FIRST]
    parts.append(_grains(found, inventory, shown))
    parts.append(_functions(found, configuration, shown))
    for title, codes in _PARTS.items():
        if title not in _FIRST:
            more = _MORE[title](found, shown) if title in _MORE else ()
            parts.append(_of_rules(title, codes, diagnostics, shown, tuple(more)))
    known = {code for codes in _PARTS.values() for code in codes} | {*_OWN}
    faults = {
        one.code: None
        for one in diagnostics
        if (one.severity is Severity.ERROR or one.code == _LOSES_SLS)
        and one.code not in known
        and one not in tops
    }
    others = [one for one in diagnostics if one not in tops]
    parts.append(_of_rules(_OTHER_FAULTS, tuple(faults), others, shown))
    return [part for part in parts if part.lines]


def _of_rules(
    title: str,
    codes: tuple[str, ...],
    diagnostics: Iterable[Diagnostic],
    shown: Shown,
    more: Sequence[str] = (),
) -> MissingKind:
    own = {one: () for one in diagnostics if one.code in codes}
    lines = [line for row in join_siblings(own) for line in _describe(row, shown)]
    return _part(title, [*lines, *more], " ".join(f"--rule {code}" for code in codes))


def _describe(row: FindingGroup, shown: Shown) -> Iterator[str]:
    """Yield a finding; of several, what they have in common and then the place of each."""
    if not row.names:
        own = [one for one, _ in row.members] or [row.shown]
        places = [one.position for one in own]
        yield f"{_name_places(places, shown)}{_add_remedy(own[0].message, row.shown)}"
        return
    yield _add_remedy(row.shown.message, row.shown)
    for one, name in row.members:
        line = f"{INDENT}{shown(one.position)}{name}".removesuffix(": ")
        yield line if one.help == row.shown.help else _add_remedy(line, one)


def _name_places(places: Sequence[Position | None], shown: Shown) -> str:
    named = [shown(place).removesuffix(": ") for place in places if place is not None]
    return f"{list_some(named, MAX_PLACES, str)}: " if named else ""


def _add_remedy(text: str, one: Diagnostic) -> str:
    own = "; `init` itself never runs code of the tree" if one.code == "needs-trust" else ""
    return f"{text}; {one.help}{own}" if one.help else text


def _part(title: str, lines: Sequence[str], rules: str) -> MissingKind:
    rest = len(lines) - MAX_LINES
    if rest < 2:
        return MissingKind(title, tuple(lines))
    words = f"and {rest:,} more; to list them: pillarbook check {rules}"
    return MissingKind(title, tuple(lines[:MAX_LINES]), words)


def _grains(found: Study, inventory: str, shown: Shown) -> MissingKind:
    """List the grains that templates read and some minion has not, those that break SLS first."""
    lines = [
        _grain(grain, len(minions), found, inventory, shown)
        for grain, minions in found.missing().items()
    ]
    return _part("Missing grains", lines, "--rule missing-grain")


def _grain(grain: str, failing: int, found: Study, inventory: str, shown: Shown) -> str:
    places = found.failing_places(grain) or found.places_of(grain)
    values = [as_yaml(one) for one in shown_values(grain, found.values_of(grain))[:MAX_VALUES]]
    needed = f"needed to render this file for {count(failing, 'minion')}"
    what = f"the grain '{grain}' is {needed if failing else 'not declared'}"
    held = f" (values in templates: {', '.join(values)})" if values else ""
    example = values[0] if values else "..."
    whose = "these minions" if failing else "the minions that have it"
    remedy = f"add `{grain}: {example}` to the grains of {whose} in {inventory}"
    return f"{_name_places(places, shown)}{what}{held}; {remedy}"


MAYBE = "if the render gets that far"


@dataclass(frozen=True, slots=True)
class Call:
    """A function without an answer."""

    place: Position | None
    """Where it is called first."""
    declared: str
    """What would declare an answer, below ``functions``."""
    why: str = ""
    """Why nobody answers, if more than a declared answer is missing."""
    remedy: str = ""
    """What would answer it, too."""
    is_sure: bool = True
    """Whether a minion makes the call."""


def find_functions(found: Study) -> dict[str, Call]:
    """Return the functions without an answer, by their names."""
    calls: dict[str, Call] = {}
    for one in found.diagnostics:
        told = read_call(one)
        if told is not None:
            calls.setdefault(*told)
    for name, place in found.unanswered.items():
        # Only read in the text: it may be in a branch that no minion takes.
        calls.setdefault(name, Call(place, _declare(name), f", {MAYBE}", is_sure=False))
    return calls


def read_call(one: Diagnostic) -> tuple[str, Call] | None:
    """Return the function that a diagnostic is about; None if it names none."""
    called = CALLED.search(one.message) if one.code == UNDECLARED else None
    if called is None:
        return None
    told = DECLARED.fullmatch(one.help or "")
    declared = told[2] if told else _declare(called[1])
    why = one.message[called.end() :].removeprefix(f", {NO_ANSWER}")
    return called[1], Call(one.position, declared, why, (told and told[1]) or "")


def _declare(name: str) -> str:
    return declare(WrittenCall(name)).removeprefix("functions: {").removesuffix("}")


def _functions(found: Study, configuration: str, shown: Shown) -> MissingKind:
    lines = [
        f"{shown(call.place)}'{name}' is called{call.why}; "
        f"{call.remedy and f'{call.remedy}; or '}"
        f"add `{call.declared}` under `functions:` in {configuration}"
        for name, call in find_functions(found).items()
    ]
    lines += [
        f"{shown(one.position)}{one.message}; {one.help}"
        for one in found.diagnostics
        if one.code == UNDECLARED and not CALLED.search(one.message)
    ]
    title = "Functions that need a live Salt"
    return _part(title, lines, f"--rule {UNDECLARED}")


def _list_unseen(found: Study, shown: Shown) -> Iterator[str]:
    """Yield the SLS files that a file names which does not render for another reason."""
    for sls, place in found.unseen.items():
        yield f"{shown(place)}the SLS '{sls}', which is included, does not exist; add the file"


def _list_sealed(found: Study, shown: Shown) -> Iterator[str]:
    """Yield the position of the first encrypted value, if values stay encrypted without keys."""
    told = {one.position.file for one in found.diagnostics if one.position and one.code == SEALED}
    files = [file for file in found.files.values() if MESSAGE in file.content]
    files = [file for file in files if file.shown not in told]
    if not files:
        return
    first = files[0]
    messages = sum(file.content.count(MESSAGE) for file in files)
    line = first.content[: first.content.index(MESSAGE)].count(b"\n") + 1
    more = f", the first of {count(len(files), 'file')}," if len(files) > 1 else ""
    yield (
        f"{shown(Position(first.shown, line))}{count(messages, 'value')} encrypted with PGP{more} "
        "not decrypted; to decrypt them, set gpg_keydir in the master file and `decrypt: true` in "
        "mkdocs.yml, and use --trust"
    )


_MORE: Mapping[str, Callable[[Study, Shown], Iterator[str]]] = MappingProxyType(
    {"Missing SLS and files": _list_unseen, "Keys for decryption": _list_sealed}
)
"""What is no diagnostic, by part."""
