"""Salt's master file with the files it includes, merged as Salt merges them.

Options of ``master.d`` and ``include`` replace whole options of the master file. The included files
of one list merge with each other, lists too.

Source: Salt ``salt/config/__init__.py`` (``master_config``, ``include_config``) and
``salt/utils/dictupdate.py`` (``update``).
"""

import copy
import glob
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from typing import Any

import yaml

from pillarbook.diagnostics import Diagnostic, new_diagnostic
from pillarbook.inventory.config_yaml import load_salt_config
from pillarbook.inventory.declaration_errors import describe
from pillarbook.inventory.master_options import show_from
from pillarbook.inventory.reach import Reach, find_top
from pillarbook.inventory.text_file import UnreadableError, explain_syntax, read_text
from pillarbook.model import KeyPath, Position

CODE = "master-file"
"""The code of every fault of a master file."""
DEFAULT_INCLUDE = "master.d/*.conf"
_LEADS_OUT = "use --allow DIR, or --trust for a tree you trust"


@dataclass(slots=True)
class DeclaredOptions:
    """Options that one file, or several merged ones, set."""

    values: dict[str, Any] = field(default_factory=dict)
    """The options."""
    places: dict[KeyPath, tuple[Path, int]] = field(default_factory=dict)
    """File and line of each option, and of the keys and list members below it."""

    def replace(self, other: "DeclaredOptions") -> None:
        """Set the options of another one, each as a whole."""
        self.values.update(other.values)
        self._take_places(other)

    def merge(self, other: "DeclaredOptions") -> None:
        """Merge the options of another one over these."""
        merge_included(self.values, other.values)
        self._take_places(other, keep=True)

    def _take_places(self, other: "DeclaredOptions", *, keep: bool = False) -> None:
        mine = self.places.items()
        kept = {path: place for path, place in mine if keep or path[0] not in other.values}
        self.places = kept | other.places


class MasterFiles:
    """Reads a master file, and collects its faults and warnings."""

    def __init__(self, file: Path, reach: Reach) -> None:
        self._file = file
        self._reach = reach
        self.faults: list[Diagnostic] = []
        """Faults because of which the file cannot be used."""
        self.diagnostics: list[Diagnostic] = []
        """Missing or forbidden includes, without which Salt and pillarbook go on."""

    def read(self) -> DeclaredOptions:
        """Return the options that the master file and all its includes set."""
        if not self._reach.reaches(self._file):
            message = "the master file is a link that leads out of the repository"
            position = Position(str(self._file))
            self.faults.append(new_diagnostic(CODE, message, position, remedy=_LEADS_OUT))
            return DeclaredOptions()
        found = self._read_file(self._file, "the master file")
        if found is None:
            return DeclaredOptions()
        # Salt reads both options before it applies any of the files.
        options = (
            ("default_include", found.values.get("default_include", DEFAULT_INCLUDE)),
            ("include", found.values.get("include", [])),
        )
        for option, patterns in options:
            found.replace(self._read_included(patterns, self._file, (self._file,), option))
        return found

    def _read_file(self, file: Path, what: str) -> DeclaredOptions | None:
        shown = str(file)
        text = ""
        try:
            text = read_text(file, shown=shown, what=what, code=CODE, read=self._reach.read)
            values, lines = load_salt_config(text)
        except UnreadableError as error:
            self.faults.append(error.fault)
            return None
        except (yaml.YAMLError, RecursionError) as error:
            self.faults.append(explain_syntax(error, text, shown=shown, what=what, code=CODE))
            return None
        values = values or {}
        if isinstance(values, dict):
            return DeclaredOptions(values, {path: (file, line) for path, line in lines.items()})
        message = f"{what} is {describe(values)}, where a mapping of options is needed"
        self.faults.append(new_diagnostic(CODE, message, Position(shown, 1)))
        return None

    def _read_included(
        self, patterns: Any, file: Path, trail: tuple[Path, ...], option: str
    ) -> DeclaredOptions:
        found = DeclaredOptions()
        for pattern in self._check_patterns(patterns, file, option):
            for included in self._match(pattern, file, option):
                if included in trail:
                    message = f"the master file includes '{pattern}' in a cycle"
                    self.faults.append(
                        new_diagnostic(CODE, message, Position(str(file)), path=(option,))
                    )
                    continue
                one = self._read_file(included, "the included master file")
                if one is None:
                    continue
                inner = one.values.get("include", [])
                one.replace(self._read_included(inner, included, (*trail, included), "include"))
                found.merge(one)
        return found

    def _check_patterns(self, patterns: Any, file: Path, option: str) -> list[str]:
        entries = [patterns] if isinstance(patterns, str) else patterns or []
        if isinstance(entries, list) and all(isinstance(entry, str) for entry in entries):
            return [entry for entry in entries if entry]
        message = f"'{option}' must be a path, or a list of paths"
        self.faults.append(new_diagnostic(CODE, message, Position(str(file)), path=(option,)))
        return []

    def _match(self, pattern: str, file: Path, option: str) -> list[Path]:
        """Return the files that a pattern matches and that may be read, sorted."""
        path = Path(pattern).expanduser()
        rest = path.relative_to(path.anchor) if path.is_absolute() else path
        start = Path(path.anchor) if path.is_absolute() else file.parent
        fixed = start.joinpath(*takewhile(lambda part: not glob.has_magic(part), rest.parts))
        found: list[Path] = []
        refused = not self._reach.reaches(fixed)
        if not refused:
            names = self._reach.files.glob(str(rest), start, self._reach.reaches)
            found = [start / name for name in sorted(names)]
        allowed = [one for one in found if self._reach.reaches(one)]
        top = find_top(self._file.absolute().parent, self._reach.files)
        position = Position(show_from(top, file.absolute()))
        if refused or len(allowed) < len(found):
            self.diagnostics.append(
                new_diagnostic(
                    "outside-reach",
                    f"'{option}: {pattern}' of the master file leads out of the repository",
                    position,
                    remedy=_LEADS_OUT,
                )
            )
        elif not found and option == "include":
            self.diagnostics.append(
                new_diagnostic(
                    "missing-include",
                    f"'include: {pattern}' of the master file matches no file",
                    position,
                    remedy="Salt continues without it, and so does pillarbook",
                )
            )
        return allowed


def merge_included(target: dict[str, Any], update: Mapping[str, Any]) -> None:
    """Merge one included file over those before it.

    Mappings merge at any depth, lists get the members they lack, else the later file wins.
    """
    for key, value in update.items():
        below = target.get(key)
        if isinstance(below, dict) and isinstance(value, dict):
            merge_included(below, value)
        elif isinstance(below, list) and isinstance(value, list):
            target[key] = below + [item for item in value if item not in below]
        else:
            target[key] = copy.deepcopy(value)
