"""Trees that are large in one way each: wide, many files, many targets, deep, full of secrets.

Each function writes ``master``, ``minions.yml`` and ``pillar/`` into a folder, of any size, so that
two sizes tell how the time grows. The same arguments give the same bytes.
"""

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

Files = Mapping[str, str]
LETTERS = "abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"
FEW = 20
"""Minions of a tree that is large in another way."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A kind of tree."""

    what: str
    """What there is much of, as it is printed."""
    size: int
    """How much there is of it at most."""
    write: Callable[[Path, int], None]
    """Writes a tree of a size into a folder."""
    factor: int = 20
    """How many times the larger tree is as large as the smaller one."""

    @property
    def sizes(self) -> tuple[int, int]:
        """The smaller size and the larger one."""
        return max(1, self.size // self.factor), self.size


def write_wide(out: Path, size: int) -> None:
    """Write one minion with ``size`` keys, in sections of a hundred."""
    lines = []
    for number in range(size):
        if number % 100 == 0:
            lines.append(f"section{number // 100}:")
        lines.append(f"  key{number}: value {number}")
    _write(out, {"top.sls": "base: {'*': [wide]}\n", "wide.sls": "\n".join(lines) + "\n"}, 1)


def write_files(out: Path, size: int) -> None:
    """Write ``size`` SLS files that all minions get; each has a key of its own and a common one."""
    names = [f"part{number}" for number in range(size)]
    files = {
        f"{name}.sls": f"{name}: {{enabled: true, at: {number}}}\ncommon: {{{name}: {number}}}\n"
        for number, name in enumerate(names)
    }
    files["top.sls"] = f"base:\n  '*': [{', '.join(names)}]\n"
    _write(out, files, FEW)


def write_targets(out: Path, size: int) -> None:
    """Write a top file of ``size`` targets: globs, grains and compounds."""
    kinds = (
        "  'm{0}.*': [one]",
        "  'rack:r{0}': [{{match: grain}}, one]",
        "  'G@rack:r{0} and not G@os:Debian': [{{match: compound}}, one]",
        "  'm[0-9]{0}* or G@rack:r{0}': [{{match: compound}}, one]",
    )
    lines = [kinds[number % len(kinds)].format(number) for number in range(size)]
    top = "\n".join(["base:", "  '*': [one]", *lines])
    _write(out, {"top.sls": f"{top}\n", "one.sls": "a: 1\n"}, 10 * FEW)


def write_environments(out: Path, size: int) -> None:
    """Write ``size`` environments, all of which each minion gets."""
    names = ["base", *(f"env{number}" for number in range(1, size))]
    part = "\n".join(f"  key{number}: {{{{ grains['rack'] }}}}-{number}" for number in range(20))
    files = {}
    for name in names:
        files[f"{name}/top.sls"] = f"{name}:\n  '*': [{name}]\n"
        files[f"{name}/{name}.sls"] = f"{name}:\n{part}\nlast: {name}\n"
    _write(out, files, FEW, [(name, f"pillar/{name}") for name in names])


def write_includes(out: Path, size: int) -> None:
    """Write a chain of SLS files, each of which includes the next: ``size`` of them."""
    files = {
        f"level{number}.sls": f"include: [level{number + 1}]\nlevel{number}: {{at: {number}}}\n"
        for number in range(size)
    }
    files[f"level{size}.sls"] = "end: true\n"
    files["top.sls"] = "base: {'*': [level0]}\n"
    _write(out, files, FEW)


def write_secrets(out: Path, size: int) -> None:
    """Write one minion with ``size`` secrets, each at two places, and as many other values."""
    rng = random.Random("secrets")
    lines = ["accounts:"]
    for number in range(size):
        secret = "".join(rng.choices(LETTERS, k=16))
        lines += [f"  user{number}:", f"    password: {secret}", f"    home: /home/user{number}"]
        lines.append(f"    url: https://user{number}:{secret}@db.example.com/")
    _write(out, {"top.sls": "base: {'*': [all]}\n", "all.sls": "\n".join(lines) + "\n"}, 1)


def write_own_names(out: Path, size: int) -> None:
    """Write ``size`` minions, of which each template prints a part of the id."""
    host = "{{ grains['id'].split('.')[0] }}"
    names = [f"part{number}" for number in range(9)]
    text = "\n".join(f"  key{number}: {host}-{number}" for number in range(15))
    files = {
        f"{name}.sls": f"{name}:\n  rack: {{{{ grains.rack }}}}\n  host: {host}\n{text}\n"
        for name in names
    }
    files["top.sls"] = f"base:\n  '*': [{', '.join(names)}]\n"
    _write(out, files, size)


SHAPES = {
    "own-names": Shape(
        "minions with the id in an expression of each file", 20_000, write_own_names
    ),
    # Smaller trees of these two fit the caches of a processor, so that the same calls take less
    # time: what is measured is how the work grows.
    "wide": Shape("keys on one minion", 50_000, write_wide, 5),
    "files": Shape(f"SLS files for {FEW} minions", 3_000, write_files),
    "targets": Shape(f"targets for {10 * FEW} minions", 5_000, write_targets),
    "environments": Shape(f"environments for {FEW} minions", 20, write_environments),
    "includes": Shape(f"includes in a chain for {FEW} minions", 200, write_includes),
    "secrets": Shape("secrets on one minion", 5_000, write_secrets, 4),
}
"""What the bench measures besides fleets, by the word for ``--only``."""


def _write(
    out: Path, files: Files, minions: int, roots: Iterable[tuple[str, str]] = (("base", "pillar"),)
) -> None:
    """Write a tree with some minions."""
    for name, text in files.items():
        file = out / "pillar" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    listed = "".join(f"  {name}: [{folder}]\n" for name, folder in roots)
    (out / "master").write_text(f"pillar_roots:\n{listed}")
    declared = "".join(
        f"  m{number}.example.com: {{grains: {{rack: r{number % 40}, os: Debian}}}}\n"
        for number in range(minions)
    )
    (out / "minions.yml").write_text(f"minions:\n{declared}")
