"""Whole fleets as Hypothesis draws them: master, minions, top files, SLS files, imports, a stack.

The pieces are lines of Jinja and YAML as people write them, each under a key of its own, put
together at random. They read grains, options and pillar in every way there is, and now and then
write to them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st
from tests.properties import tree_pieces as pieces


@dataclass(frozen=True)
class DrawnFleet:
    """What a case folder holds."""

    master: Mapping[str, Any]
    minions: Mapping[str, Any]
    files: Mapping[str, str]

    def __repr__(self) -> str:
        """Return it as one would write it, for the report of a failure."""
        files = "".join(f"--- {path}\n{text}" for path, text in self.files.items())
        return f"master: {dict(self.master)!r}\nminions: {dict(self.minions)!r}\n{files}"


SCALARS = st.sampled_from(pieces.SCALARS)
LISTS = st.lists(st.sampled_from(["web", "db", 1, True, "1"]), max_size=3)
SMALL_MAPS = st.dictionaries(st.sampled_from(["a", "b", 1]), SCALARS | LISTS, max_size=3)


@st.composite
def grains(draw: st.DrawFn) -> dict[Any, Any]:
    """Draw the grains of a minion; their order differs from minion to minion."""
    drawn: dict[Any, Any] = {}
    for name in draw(st.permutations(["os", "roles", "nest", "num", "site"])):
        if draw(st.integers(0, 8)) == 8:
            continue
        drawn[name] = draw(
            {
                "os": st.sampled_from(["Debian", "RedHat", 1, True]),
                "roles": LISTS,
                "nest": SMALL_MAPS | st.fixed_dictionaries({"a": SMALL_MAPS}),
                "num": st.sampled_from([1, True, 1.0, "1", 0, False, None]),
                "site": st.sampled_from(["ams", "hel"]),
            }[name]
        )
    return drawn


@st.composite
def minion_entries(draw: st.DrawFn) -> dict[str, Any]:
    """Draw what ``minions.yml`` has for a minion."""
    entry: dict[str, Any] = {"grains": draw(grains())}
    rare = {
        "pillarenv": st.sampled_from(["base", "dev", "nowhere"]),
        "saltenv": st.sampled_from(["base", "dev"]),
        "pillar": SMALL_MAPS | st.fixed_dictionaries({"k1": SMALL_MAPS}),
        "opts": st.sampled_from([{"pillar_merge_lists": True}, {"custom": 1}, {"custom": True}]),
    }
    for name, values in rare.items():
        if draw(st.integers(0, 5)) == 5:
            entry[name] = draw(values)
    return entry


@st.composite
def masters(draw: st.DrawFn) -> dict[str, Any]:
    """Draw the master's options."""
    master: dict[str, Any] = {"pillar_roots": {"base": ["base"], "dev": ["dev", "base"]}}
    for name, values in pieces.OPTIONS.items():
        if draw(st.integers(0, 3)) == 3:
            master[name] = draw(st.sampled_from(values))
    return master


@st.composite
def keyed(draw: st.DrawFn, table: tuple[str, ...]) -> str:
    """Draw a piece and put a key in it; the keys are few, so that SLS files meet in them."""
    piece = draw(st.sampled_from(table))
    return piece.replace("KEY", draw(st.sampled_from(pieces.KEYS)))


@st.composite
def sls_files(draw: st.DrawFn, *, steady: bool = False) -> str:
    """Draw the text of an SLS file.

    If ``steady``, it neither fails nor writes to what it is given.
    """
    tables = (pieces.DATA, pieces.READS, pieces.READS, pieces.BLOCKS, pieces.IMPORTS)
    parts = [draw(keyed(draw(st.sampled_from(tables)))) for _ in range(draw(st.integers(1, 4)))]
    if not steady and draw(st.integers(0, 6)) == 6:
        parts.append(draw(keyed(pieces.WRITES)))
    if not steady and draw(st.integers(0, 9)) == 9:
        parts.append(draw(keyed(pieces.FAULTS)))
    parts = draw(st.permutations(parts))
    if draw(st.integers(0, 2)) == 2:
        parts.insert(draw(st.sampled_from([0, len(parts)])), draw(st.sampled_from(pieces.INCLUDES)))
    first = draw(st.sampled_from(pieces.FIRST_LINES))
    return first + "".join(_without_repeated_keys(parts))


def _without_repeated_keys(parts: list[str]) -> list[str]:
    """Drop pieces that would write a key for the second time, which is an error in YAML."""
    seen: set[str] = set()
    kept = []
    for part in parts:
        keys = {line.partition(":")[0] for line in part.splitlines() if line[:1].isalpha()}
        if not keys & seen:
            kept.append(part)
            seen |= keys
    return kept


@st.composite
def top_files(draw: st.DrawFn, *, steady: bool = False) -> str:
    """Draw the text of a top file."""
    env = draw(st.sampled_from(["base", "base", "dev"]))
    lines = [draw(st.sampled_from(pieces.TOP_STARTS[:1] if steady else pieces.TOP_STARTS))]
    lines.append(f"{env}:\n")
    targets = draw(st.lists(st.sampled_from(pieces.TARGETS), min_size=1, max_size=4, unique=True))
    names = st.lists(st.sampled_from(pieces.SLS_NAMES), min_size=1, max_size=3, unique=True)
    for target, matcher in dict(targets).items():
        lines.append(f"  {target}:\n")
        lines.extend(f"    - match: {matcher}\n" for _ in range(matcher != ""))
        lines.extend(f"    - {name}\n" for name in draw(names))
    return "".join(lines)


@st.composite
def fleets(draw: st.DrawFn, *, steady: bool = False) -> DrawnFleet:
    """Draw a fleet of two to five minions.

    If ``steady``, its templates neither fail nor write to what they are given.
    """
    ids = st.lists(st.sampled_from(pieces.IDS), min_size=2, max_size=5, unique=True)
    files = {f"base/{name}": text for name, text in pieces.IMPORTED.items()}
    files["stack.cfg"], files["stack.yml"] = draw(st.sampled_from(pieces.STACKS))
    files["base/top.sls"] = draw(top_files(steady=steady))
    if draw(st.booleans()):
        files["dev/top.sls"] = draw(top_files(steady=steady))
        files["dev/s1.sls"] = draw(sls_files(steady=steady))
    for name in ("s1", "s2", "deep/init", "deep/s3"):
        files[f"base/{name}.sls"] = draw(sls_files(steady=steady))
    return DrawnFleet(
        master=draw(masters()),
        minions={minion: draw(minion_entries()) for minion in draw(ids)},
        files=files,
    )
