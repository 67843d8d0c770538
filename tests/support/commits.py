"""Random commits to pillar trees: what people do to them, and what they do by mistake."""

import random
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

SCALAR = re.compile(r"^(\s*[\w.-]+:\s+)(['\w./-]+)(\s*)$")
TARGET = re.compile(r"^(\s+)'([^']+)':\s*$")
MEMBER = re.compile(r"^(\s*)- ([\w./-]+)\s*$")
UNDEFINED = "{{ nowhere.defined }}"


def commit_something(folder: Path, seed: int, times: int) -> None:
    """Change a tree in some ways; what cannot be done where it is tried is left out.

    The tree has a top file; ``seed`` says what is changed.
    """
    drawn = random.Random(seed)  # noqa: S311 (repeatable is what it has to be)
    for _ in range(times):
        files = sorted(
            path
            for path in folder.rglob("*")
            if path.suffix in {".sls", ".yml", ".yaml", ".jinja", ".cfg"}
            and path.is_file()
            and not path.is_symlink()
            and ".git" not in path.relative_to(folder).parts
            and path.name != "mkdocs.yml"
        )
        if files:
            edit = drawn.choice(list(EDITS.values()))
            edit(drawn.choice(files), drawn)


def _lines(file: Path) -> list[str]:
    return file.read_text("utf-8", "surrogateescape").split("\n")


def _write(file: Path, lines: list[str]) -> None:
    file.write_text("\n".join(lines), "utf-8", "surrogateescape")


def _change_line(pattern: re.Pattern[str], new: str) -> Callable[[Path, random.Random], None]:
    def edit(file: Path, drawn: random.Random) -> None:
        lines = _lines(file)
        fitting = [number for number, line in enumerate(lines) if pattern.match(line)]
        if fitting:
            at = drawn.choice(fitting)
            lines[at] = pattern.sub(new.replace("NEW", f"n{drawn.randint(0, 9)}"), lines[at])
            _write(file, lines)

    return edit


def _add_lines(*added: str) -> Callable[[Path, random.Random], None]:
    def edit(file: Path, _: random.Random) -> None:
        lines = _lines(file)
        _write(file, [*lines, *added, ""])

    return edit


def _comment(file: Path, drawn: random.Random) -> None:
    lines = _lines(file)
    at = 1 if lines and lines[0].startswith("#!") else 0
    _write(file, [*lines[:at], f"# {drawn.randint(0, 9)}", *lines[at:]])


def _take_out(file: Path, drawn: random.Random) -> None:
    lines = _lines(file)
    at = drawn.randrange(len(lines))
    _write(file, lines[:at] + lines[at + 1 :])


def _again(file: Path, drawn: random.Random) -> None:
    lines = _lines(file)
    at = drawn.randrange(len(lines))
    _write(file, [*lines[:at], lines[at], *lines[at:]])


def _remove(file: Path, _: random.Random) -> None:
    if file.name not in {"minions.yml", "top.sls"}:
        file.unlink()


def _rename(file: Path, _: random.Random) -> None:
    if file.name not in {"minions.yml", "top.sls"}:
        file.rename(file.with_name("x" + file.name))


def _include(file: Path, drawn: random.Random) -> None:
    if file.suffix == ".sls" and file.name != "top.sls":
        others = sorted(one.stem for one in file.parent.glob("*.sls"))
        _write(file, [*_lines(file), "include:", f"  - {drawn.choice(others)}", ""])


EDITS: Mapping[str, Callable[[Path, random.Random], None]] = MappingProxyType(
    {
        "a value": _change_line(SCALAR, r"\g<1>NEW\3"),
        "another value": _change_line(SCALAR, r"\g<1>other\3"),
        "a type": _change_line(SCALAR, r"\g<1>[one, NEW]\3"),
        "a target": _change_line(TARGET, r"\1'web*':"),
        "a member": _change_line(MEMBER, r"\1- NEW"),
        "one more member": _change_line(MEMBER, "\\g<0>\n\\1- NEW"),
        "a line twice": _again,
        "a line less": _take_out,
        "a comment": _comment,
        "a key more": _add_lines("added: value"),
        "a list": _add_lines("listed:", "  - one", "  - two"),
        "a breakage": _add_lines(f"broken: {UNDEFINED}"),
        "a repair": _change_line(re.compile(r"^broken: .*$"), "broken: no"),
        "a bad indent": _add_lines("  odd: 1", "other: [1"),
        "a file less": _remove,
        "a renamed file": _rename,
        "an include": _include,
    }
)
"""Ways to change a file."""
