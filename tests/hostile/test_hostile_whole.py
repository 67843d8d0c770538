"""Every lure at once, and every command: nothing outside is read or written, and nothing runs."""

import os

import pytest
from tests.hostile.test_hostile_repository import place as bare
from tests.hostile.test_hostile_repository import run
from tests.hostile.tree import CANARY, Place
from tests.support.fleets import write_files

__all__ = ["bare"]

OUTSIDE = {
    "secret.yaml": f"x: {CANARY}\n",
    "secret.conf": f"pillar_roots: {{base: ['{CANARY}']}}\n",
    "roots/top.sls": f"base: {{'*': [{CANARY}]}}\n",
    "secret.json": f'{{"m": {{"os": "{CANARY}"}}}}\n',
    "cache/minions/m/data.p": CANARY,
    "nodes/m.yml": f"parameters: {{x: {CANARY}}}\n",
}
STACKS = (
    "*/secret.yml",
    "one.yml",
    "l*/s*.yml",
    "ring.yml",
    "pipe.yml",
    "*/*/secret.yml",
    "including.yml",
    "including-one.yml",
    "../**/secret.yml",
)
"""Lines of a configuration, each of which is refused or matches nothing."""
TREE = {
    "minions.yml": "minions:\n  m: {}\n",
    "master": "pillar_roots: {base: [pillar, linked, 'l*/r*', .git, ring], dev: ['*/roots']}\n"
    "file_roots: {base: [states, linked, 'l*/*']}\n"
    "include: ['l*/*.conf', '*/secret.conf', linked/secret.conf, conf/*]\n"
    "extension_modules: states\ngpg_keydir: linked\n"
    "nacl.config: {sk_file: pillar/pipe.sls}\n"
    "ext_pillar:\n"
    "  - git: ['main file://@INSIDE@/sub']\n"
    "  - cmd_yaml: '@RUN@'\n"
    + "".join(f"  - stack: stack/{number}.cfg\n" for number in range(len(STACKS)))
    + "  - stack: [linked/secret.yml, stack/ring.yml, stack/pipe.yml]\n"
    "  - hierarchy_pillar: {hierarchy_pillar.data_path: hierarchy}\n"
    "  - hierarchy_pillar: {hierarchy_pillar.data_path: hierarchy/linked}\n"
    "  - file_tree: {root_dir: files, follow_dir_links: true}\n"
    "  - reclass: {inventory_base_uri: classes}\n",
    **{f"stack/{number}.cfg": f"own.yml\n{line}\n" for number, line in enumerate(STACKS)},
    "stack/own.yml": "own: 1\n",
    "stack/including.yml": "{% include 'linked/secret.yml' %}\n",
    "stack/including-one.yml": "{% include 'one.yml' %}\n",
    "hierarchy/m.yaml": "_merge: [own, secret, piped]\n",
    "hierarchy/own.yaml": "hierarchy: 1\n_neighbours: [one]\n",
    "files/hosts/m/own": "text\n",
    "classes/nodes/m.yml": "parameters: {x: 1}\n",
    "pillar/globbed.sls": "include: ['l*', 'linked.*', '*.secret']\n",
    "pillar/box.sls": "#!yaml|nacl\nbox: NACL[aGFsbG8=]\n",
    "pillar/top.sls": "base: {'*': [a, linked.secret, code, globbed, box]}\n",
    "dump.json": '{"m": {"a": 1}}\n',
    "seen/minions/n/own": "x",
    "seen/roster": "n: {host: n}\n",
}


@pytest.fixture
def place(bare: Place) -> Place:
    """The repository with more ways out."""
    place = bare
    write_files(place.outside, OUTSIDE)
    write_files(place.folder, {path: place.fill(text) for path, text in TREE.items()})
    links = {
        "stack/linked": "",
        "stack/one.yml": "secret.yml",
        "hierarchy/linked": "",
        "hierarchy/secret.yaml": "secret.yaml",
        "hierarchy/one.yaml": "secret.yaml",
        "files/hosts/m/linked": "",
        "files/hosts/m/one": "secret.yml",
        "classes/nodes/linked": "nodes",
        "classes/classes": "nodes",
        "conf/secret.conf": "secret.conf",
        "master.d/secret.conf": "secret.conf",
        ".pillarbook-acks.yml": "secret.yml",
        "seen/minions/m": "cache/minions/m",
        "seen/grains.json": "secret.json",
    }
    for name, target in links.items():
        (place.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (place.folder / name).symlink_to(place.outside / target)
    for name in ("ring", "stack/ring.yml", "hierarchy/ring", "files/hosts/m/ring"):
        (place.folder / name).symlink_to((place.folder / name).name)
    for name in ("stack/pipe.yml", "hierarchy/piped.yaml", "files/hosts/m/pipe", "seen/pipe.json"):
        os.mkfifo(place.folder / name)
    return place


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("build",),
        ("check",),
        ("compile",),
        ("compile", "--lowstate"),
        ("diff", "HEAD~1"),
        ("diff", "HEAD~1", "HEAD", "--format", "markdown"),
        ("explain", "m"),
        ("explain", "--sls", "a"),
        ("export", "--format", "sqlite", "--output", "out.sqlite"),
        ("export", "--format", "csv", "--output", "out.zip"),
        ("get", "a"),
        ("answers", "list"),
        ("init", "--update", "--yes"),
        ("inventory", "import", "seen"),
        ("inventory", "list"),
        ("verify", "dump.json"),
    ],
    ids=" ".join,
)
def test_no_command_leaves_the_tree(place: Place, words: tuple[str, ...]) -> None:
    assert run(place, *words).code in (0, 2)
