"""What the page of an SLS says of its lines is what all compiled pillars say of them.

Trees of two SLS files are drawn, with branches and loops in each other and keys in common. Which
lines print is asked of plain Jinja, minion by minion; who won and who was overridden is read off
each compiled tree.
"""

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jinja2
import yaml
from hypothesis import given
from hypothesis import strategies as st
from tests.support.fleets import write_files
from tests.support.tiers import fewer

from pillarbook.inventory.settings import Settings
from pillarbook.model import leaves
from pillarbook.report.key_patterns import KeyPatterns
from pillarbook.report.minion_sets import numbers_in
from pillarbook.report.rows import Rows
from pillarbook.report.sls_facts import describe_files
from pillarbook.report.source_fleet import GatheredSources, SourceFleet
from pillarbook.report.source_lines import SourceLine
from pillarbook.session import Session, open_session

GRAINS = {"os": ["Debian", "Alpine"], "site": ["ams", "hel"]}
Line = tuple[str, int]


@st.composite
def blocks(draw: st.DrawFn, depth: int = 0) -> list[str]:
    """Draw lines of an SLS, each key with a remark that no other line has."""
    lines: list[str] = []
    for _ in range(draw(st.integers(1, 4))):
        kind = draw(st.sampled_from(["key", "key", "list", "if", "for"] if depth < 3 else ["key"]))
        key = draw(st.sampled_from("abc")) + str(depth)
        if kind == "if":
            grain = draw(st.sampled_from(sorted(GRAINS)))
            value = draw(st.sampled_from([*GRAINS[grain], "nowhere"]))
            lines.append(f"{{% if grains['{grain}'] == '{value}' %}}")
            lines += draw(blocks(depth + 1))
            if draw(st.booleans()):
                lines += ["{% else %}", *draw(blocks(depth + 1))]
            lines.append("{% endif %}")
        elif kind == "for":
            times = draw(st.sampled_from([[], ["x"], ["x", "y"]]))
            lines += [f"{{% for one in {times} %}}", f"l{{{{ one }}}}{len(lines)}{depth}: 1"]
            lines.append("{% endfor %}")
        elif kind == "list":
            lines += [f"{key}list:", "  - one", "  - {{ grains['os'] }}"]
        else:
            lines.append(f"{key}: {draw(st.sampled_from(['1', 'two', '{{ grains.id }}']))}")
    return lines


@dataclass(frozen=True)
class Tree:
    """Two SLS files, and the minions that get one or both."""

    files: Mapping[str, str]
    minions: Mapping[str, Mapping[str, Any]]


@st.composite
def tree(draw: st.DrawFn) -> Tree:
    minions = {
        f"m{number}": {"grains": {name: draw(st.sampled_from(GRAINS[name])) for name in GRAINS}}
        for number in range(draw(st.integers(1, 4)))
    }
    top = {"*": ["one"], "os:Debian": [{"match": "grain"}, "two"]}
    texts = {name: "\n".join(_without_repeats(draw(blocks()))) for name in ("one", "two")}
    files = {
        "master": "pillar_roots: {base: [pillar]}\n",
        "minions.yml": yaml.safe_dump({"minions": minions}),
        "pillar/top.sls": yaml.safe_dump({"base": top}, sort_keys=False),
        **{f"pillar/{name}.sls": text + "\n" for name, text in texts.items()},
    }
    return Tree(files, minions)


def _without_repeats(lines: list[str]) -> Iterator[str]:
    """Yield lines with keys made distinct within the file: YAML refuses one that is there twice."""
    for number, line in enumerate(lines):
        key, colon, rest = line.partition(":")
        is_key = colon and not line.startswith(("{%", " ", "l{{"))
        # Each third key has the same name in both files, so that the second overrides the first.
        yield f"{key}{number}{colon}{rest} # @{number + 1}@" if is_key else line


def gather(session: Session, minions: Mapping[int, str]) -> GatheredSources:
    fleet = SourceFleet(session.report.sources)
    rows = Rows(session.report.token, KeyPatterns(()))
    for rank, minion in minions.items():
        pillar = session.report.pillar(minion)
        sections = rows.sections([leaf for leaf in pillar.leaves if leaf.path], pillar.data)
        parts = [(one, [row.leaf for row in one.rows]) for one in sections]
        fleet.add_parts(rank, session.report.sources.renders(minion), pillar.targets, parts)
    return fleet.give()


@fewer(4)
@given(tree())
def test_lines_came_to_what_all_pillars_say(drawn: Tree) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = write_files(Path(name), drawn.files)
        settings = Settings(
            master=folder / "master", inventory=(folder / "minions.yml",), folder=folder
        )
        with open_session(settings) as session:
            minions = dict(enumerate(session.fleet.minions))
            half = {rank: one for rank, one in minions.items() if rank % 2}
            rest = {rank: one for rank, one in minions.items() if not rank % 2}
            whole, parts, others = (gather(session, some) for some in (minions, half, rest))
            parts.take(others)
            pages = describe_files(whole, session.report.sources)
            again = describe_files(parts, session.report.sources)
            won, overridden = read_pillars(session, minions)
            assert again == pages
    for file, page in pages.items():
        lines = {one.number: one for one in page.lines}
        for number, line in lines.items():
            place = (file, number)
            assert set(numbers_in(line.won)) == won.get(place, set()), place
            told = {by: set(numbers_in(some)) for by, some in line.overridden}
            assert told == overridden.get(place, {}), place
        if "top" not in file:
            assert never_rendered(lines) == unprinted(drawn, file), file


def read_pillars(
    session: Session, minions: Mapping[int, str]
) -> tuple[dict[Line, set[int]], dict[Line, dict[Any, set[int]]]]:
    """Return for which minions each line won, and for which it was overridden by which line."""
    won: dict[Line, set[int]] = {}
    overridden: dict[Line, dict[Any, set[int]]] = {}
    for rank, minion in minions.items():
        for path, _, origins in leaves(session.compiler.compile(minion).tree):
            if path[:1] in ((), ("_errors",)):
                continue
            last = (origins[-1].file, origins[-1].line)
            won.setdefault(last, set()).add(rank)  # type: ignore[arg-type] # each has a line
            for one in origins[:-1]:
                by = overridden.setdefault((one.file, one.line), {})  # type: ignore[arg-type]
                by.setdefault(last, set()).add(rank)
    return won, overridden


def never_rendered(lines: Mapping[int, SourceLine]) -> set[int]:
    return {
        number
        for number, line in lines.items()
        if line.never == "never rendered" and "@" in "".join(line.parts)
    }


def unprinted(drawn: Tree, file: str) -> set[int]:
    """Return the lines with a remark that plain Jinja prints for no minion that gets the file."""
    text = drawn.files[file]
    template = jinja2.Environment().from_string(text)  # noqa: S701 (no page)
    wanted = {one for one in range(1, text.count("\n") + 1) if f"@{one}@" in text}
    getting = [
        {**one["grains"], "id": minion}
        for minion, one in drawn.minions.items()
        if "one" in file or one["grains"]["os"] == "Debian"
    ]
    printed = [template.render(grains=grains) for grains in getting]
    if not getting:
        return set()
    return {one for one in wanted if not any(f"@{one}@" in text for text in printed)}
