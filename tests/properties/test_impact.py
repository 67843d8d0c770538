"""Laws of what a change does to states, over commits at random to trees with states.

What is told equals the difference of two whole compiles without the memo; and what a state is said
to change because of holds by a compile without it.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from tests.support.apply_changes import apply_chunk_changes
from tests.support.commits import commit_something
from tests.support.fleets import write_files, write_fleet
from tests.support.repositories import commit_all
from tests.support.sides import open_both, settings_of, start

from pillarbook.changes.compare_sides import compare_sides
from pillarbook.changes.comparison import Sides
from pillarbook.changes.impact.taken_back import take_back
from pillarbook.compare.chunks import compare_chunks
from pillarbook.compare.compare_values import WinningOrigins
from pillarbook.compare.diff import Diff
from pillarbook.compare.outcomes import FAILING, find_result
from pillarbook.compare.state_changes import StateCause
from pillarbook.compile.compiled_pillar import CompiledPillar
from pillarbook.diagnostics import PillarbookError
from pillarbook.highstate.compiled_states import CompiledStates
from pillarbook.model import plain
from pillarbook.session import RunOptions, open_session

OPTIONS = RunOptions(checks=False, environments=False, reveal=True)
PLAIN = replace(OPTIONS, memo=False)
PILLAR = (
    "KEY: {port: 80, user: shop, on: true}\n",
    "KEY:\n  port: 81\n  names:\n    - x\n    - y\n    - z\n",
    "KEY: {{ grains['id'] | length }}\n",
    "KEY:\n  users:\n    ann: 1\n    bob: 2\n  mode: '0644'\n",
    "KEY:\n  - one\n  - two\n",
    "{% if grains['role'] == 'web' %}\nKEY: web\n{% else %}\nKEY: other\n{% endif %}\n",
)
STATES = (
    "ID:\n  file.managed:\n    - name: /etc/ID\n    - context: {{ pillar.get('KEY') | json }}\n",
    "ID:\n  service.running:\n    - enable: {{ salt['pillar.get']('KEY:on', False) }}\n",
    """\
{% for one in salt['pillar.get']('KEY:names', []) %}
ID-{{ one }}:
  pkg.installed: []
{% endfor %}
""",
    """\
{% for name, uid in salt['pillar.get']('KEY:users', {}).items() %}
ID-{{ name }}:
  user.present:
    - uid: {{ uid }}
{% endfor %}
""",
    """\
ID:
  test.nop:
    - both: {{ salt['pillar.get']('k0:port', 0) }}-{{ salt['pillar.get']('KEY:port', 0) }}
""",
    """\
{% if pillar.get('KEY') == 'web' or salt['pillar.get']('k1:port') == 81 %}
ID:
  test.nop: []
{% endif %}
""",
    "ID:\n  test.nop:\n    - names: [a, b, {{ salt['pillar.get']('KEY:user', 'c') }}]\n",
    "ID:\n  test.nop:\n    - order: {{ salt['pillar.get']('KEY:port', 7) }}\n",
    "ID:\n  test.nop:\n    - require_in:\n      - test: first\n",
)
KEYS = ("k0", "k1", "k2", "k3")
MINIONS = {name: {"grains": {"role": name[:-1]}} for name in ("web1", "web2", "db1")}


def write_tree(folder: Path, drawn: random.Random) -> None:
    """Write a fleet whose states read its pillar."""
    top = "{}:\n  '*':\n    - common\n  'web*':\n    - web\n"
    files = {"states/top.sls": top.format("base"), "states/first.sls": "first:\n  test.nop: []\n"}
    pillar = {"top.sls": top.format("base")}
    for name in ("common", "web"):
        keys = drawn.sample(KEYS, 3)
        pillar[f"{name}.sls"] = "".join(drawn.choice(PILLAR).replace("KEY", key) for key in keys)
        parts = [
            piece.replace("KEY", drawn.choice(KEYS)).replace("ID", f"{name}{number}")
            for number, piece in enumerate(drawn.choices(STATES, k=5))
        ]
        files[f"states/{name}.sls"] = "include:\n  - first\n" + "".join(parts)
    write_fleet(folder, pillar, MINIONS, {"file_roots": {"base": ["states"]}})
    write_files(folder, files)


@dataclass(frozen=True)
class Whole:
    """What a whole compile gives to a minion."""

    pillar: CompiledPillar
    states: CompiledStates

    @property
    def chunks(self) -> list[Any]:
        return [plain(chunk) for chunk in self.states.chunks]


def compile_whole(folder: Path) -> dict[str, Whole]:
    with open_session(settings_of(folder), PLAIN) as session:
        pillars = list(session.compiler.compile_all(session.fleet.minions))
        return {one.minion: Whole(one, session.compiler.compile_states(one)) for one in pillars}


def sign_of(change: Any, *, with_order: bool = False) -> str:
    """Return what a change says, but for where among others its state runs.

    The numbers by which a state is shifted that only moves count ``with_order``.
    """
    orders = change.orders if with_order and change.kind == "moved" else None
    arguments = [
        (one.kind, one.path, one.before, one.after, one.moved_from, one.moved_to)
        for one in change.arguments
    ]
    return repr((tuple(change.state), change.kind, change.overtakes, arguments, orders))


def signs_between(
    base: Sequence[Any], head: Sequence[Any], *, with_order: bool = False
) -> list[str]:
    changes = compare_chunks(base, head, _nothing, _nothing)
    assert repr(apply_chunk_changes(base, changes)) == repr(list(head))
    return [sign_of(change, with_order=with_order) for change in changes]


def _nothing(_: int) -> WinningOrigins:
    return WinningOrigins(())


def check_told(diff: Diff, base: Mapping[str, Whole], head: Mapping[str, Whole]) -> None:
    """Hold what is told against whole compiles of both sides."""
    by_id = {one.id: one for one in diff.states}
    for one in diff.states:
        members = [name for name, result in diff.state_results.items() if one.id in result.changes]
        assert list(one.minions) == members
    for minion in base.keys() & head.keys():
        sides = base[minion], head[minion]
        if any(side.pillar.outcome == "failed" for side in sides):
            assert minion not in diff.state_results
            continue
        outcomes = [side.states.outcome for side in sides]
        expected = []
        if not FAILING.intersection(outcomes):
            expected = signs_between(sides[0].chunks, sides[1].chunks)
        result = diff.state_results.get(minion)
        if result is None:  # untouched
            assert outcomes[0] == outcomes[1]
            assert expected == []
            continue
        told = [sign_of(by_id[number].change) for number in result.changes]
        assert sorted(told) == sorted({*expected})
        assert (result.base, result.head) == tuple(outcomes)
        assert result.word == find_result(*outcomes, differs=bool(expected))


def check_causes(
    diff: Diff, sides: Sides, base: Mapping[str, Whole], head: Mapping[str, Whole]
) -> int:
    """Hold what states change because of against compiles without it; return how many there are."""
    atoms = {atom.id: atom.change for atom in diff.atoms}
    count = 0
    for one in diff.states:
        if not one.cause.proven:
            continue
        assert one.cause.atoms or one.cause.files
        for minion in one.minions:
            ids = diff.minions[minion].atoms
            trial = trial_of(sides, minion, [atoms[number] for number in ids], base[minion])
            shows = shower(one.change, trial, (base[minion], head[minion]), ids)
            assert not shows(one.cause)
            parts = [replace(one.cause, atoms=(atom,), files=()) for atom in one.cause.atoms]
            rest = [
                replace(one.cause, atoms=tuple(sorted({*one.cause.atoms} - {atom})))
                for atom in one.cause.atoms
            ]
            assert not any(map(shows, parts)) or all(map(shows, rest))
            count += 1
    return count


def trial_of(
    sides: Sides, minion: str, changes: Sequence[Any], base: Whole
) -> Callable[[Sequence[int], bool], CompiledStates]:
    """Return what compiles the states of a minion with some changes taken back."""
    after = sides.head.compiler.compile(minion)
    declared, other = sides.states.declared(minion)
    assert other is not None

    def compile_(taken: Sequence[int], files: bool) -> CompiledStates:
        tree = take_back(base.pillar.tree, after.tree, changes, taken)
        pillar = replace(after, tree=tree)
        if files:
            return sides.states.base.compile_unmarked(other, pillar)
        return sides.states.head.compile_unmarked(declared, pillar)

    return compile_


def shower(
    change: Any,
    trial: Callable[[Sequence[int], bool], CompiledStates],
    sides: tuple[Whole, Whole],
    ids: Sequence[int],
) -> Callable[[StateCause], bool]:
    """Return what says whether a change is still there without a cause."""
    base, head = (side.chunks for side in sides)
    known = compare_chunks(base, head, _nothing, _nothing)
    wanted = {sign_of(one, with_order=True) for one in known if sign_of(one) == sign_of(change)}

    def shows(cause: StateCause) -> bool:
        taken = [number for number, atom in enumerate(ids) if atom in cause.atoms]
        states = trial(taken, bool(cause.files))
        if states.outcome in FAILING:
            return True
        chunks = [plain(chunk) for chunk in states.chunks]
        return not wanted.isdisjoint(signs_between(base, chunks, with_order=True))

    return shows


def check(folder: Path, seed: int) -> int:
    drawn = random.Random(seed)  # noqa: S311 (repeatable is what it has to be)
    folder = folder.resolve()
    write_tree(start(folder), drawn)
    commit_all(folder)
    base = compile_whole(folder)
    # Mostly pillar, now and then states and what declares the fleet.
    changed = folder / "pillar" if drawn.random() < 0.8 else folder
    commit_something(changed, seed, drawn.randint(1, 5))
    try:
        head = compile_whole(folder)
    except PillarbookError:  # the declarations are broken: there is no head
        return 0
    commit_all(folder)
    with open_both(folder, "HEAD~1", options=OPTIONS) as sides:
        diff = compare_sides(sides)
    check_told(diff, base, head)
    with open_both(folder, "HEAD~1", options=PLAIN) as sides:
        return check_causes(diff, sides, base, head)


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(8))
def test_states_of_random_commits(seed: int, tmp_path: Path) -> None:
    check(tmp_path, seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8, 108))
def test_states_of_many_random_commits(seed: int, tmp_path: Path) -> None:
    check(tmp_path, seed)
