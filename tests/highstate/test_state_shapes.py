"""States of a shape that Salt does not accept: one row says what is wrong and what to write."""

from pathlib import Path

import pytest
from tests.support.fleets import open_fleet, write_files, write_fleet

ARGUMENTS = "write a dash before each argument: `- name: value`"
REQUISITES = "write a dash before each requisite: `- module: ID`"
AS_ARGUMENT = "write it as `- name: value`"
BELOW_ID = "write `module.function:` below it, and the arguments below that as a list"
OWN_ID = "write one of them below an ID of its own"
NO_LIST = "and Salt stops: TypeError: 'NoneType' object is not iterable"
NO_GET = "and Salt stops: AttributeError: 'list' object has no attribute 'get'"

STATES = {
    "x:\n  pkg.installed:\n    name: a\n": (
        "states/s.sls:2: the arguments of 'pkg.installed' of the ID 'x' in SLS 's' are not a list",
        ARGUMENTS,
    ),
    "x:\n  pkg.installed: a\n": (
        "states/s.sls:2: the arguments of 'pkg.installed' of the ID 'x' in SLS 's' are not a list",
        ARGUMENTS,
    ),
    "x:\n  pkg.installed:\n  service.running: []\n": (
        f"states/s.sls:2: 'pkg.installed' of the ID 'x' has a colon, but no arguments, {NO_LIST}",
        "write `pkg.installed: []`, or its arguments below it",
    ),
    "x:\n  file.managed:\n    - source: a\n    - user root\n": (
        "states/s.sls:4: the state 'x' in SLS 's' has an argument without a colon",
        AS_ARGUMENT,
    ),
    "x:\n  file.managed:\n    - source: a\n    - user:root\n": (
        "states/s.sls:4: the state 'x' in SLS 's' has an argument without a space after the colon",
        AS_ARGUMENT,
    ),
    "x:\n  pkg:\n    - installed\n    - latest\n": (
        "states/s.sls:2: the state 'x' in SLS 's' has more than one function",
        OWN_ID,
    ),
    "x:\n  pkg.installed: []\n  pkg.latest: []\n": (
        "states/s.sls:3: the ID 'x' in SLS 's' has two functions of 'pkg'",
        OWN_ID,
    ),
    "x:\n  pkg.installed:\n    - names: a\n": (
        "states/s.sls:3: 'names' of the state 'x' in SLS 's' is not a list",
        "write a dash before each name",
    ),
    "x:\n  pkg.installed:\n    - require:\n        pkg: y\n": (
        "states/s.sls:3: 'require' of the state 'x' in SLS 's' is not a list",
        REQUISITES,
    ),
    "x:\n  pkg.installed:\n    - require: []\n      watch: []\n": (
        "states/s.sls:3: the argument 'require' of the state 'x' in SLS 's' has more than one key",
        ARGUMENTS,
    ),
    "x:\n  pkg.installed:\n    - require:\n        - pkg: y\n          file: z\n": (
        "states/s.sls:4: a requisite of 'x' in SLS 's' is not `module: ID`",
        REQUISITES,
    ),
    "x:\n  pkg.installed:\n    - require:\n        - pkg: [y, z]\n": (
        "states/s.sls:4: a requisite of 'x' in SLS 's' must name a single ID",
        REQUISITES,
    ),
    "x:\n  pkg.installed:\n    - require:\n        - pkg.latest: y\n": (
        "states/s.sls:4: a requisite of 'x' in SLS 's' names the function 'pkg.latest'",
        "write only its module, `pkg`",
    ),
    "x:\n  pkg.installed: []\ny:\n  pkg.installed:\n    - require:\n        - package: x\n": (
        "states/s.sls:6: requisite not found: [require: (package: x)] of the state 'y'",
        "the ID has a state of the module `pkg`: write that before the colon",
    ),
    "x:\n  pkg.installed:\n    - require:\n        - sls\n": (
        "states/s.sls:4: requisite not found: [require: (id: sls)] of the state 'x'",
        "write `- sls: NAME`, with the name of an SLS",
    ),
    "x:\n  pkg.installed:\n    - require:\n        - pkg:y\n": (
        "states/s.sls:4: requisite not found: [require: (id: pkg:y)] of the state 'x'",
        "write `- module: ID`, with a space after the colon",
    ),
    "x:\n  pkg.installed:\n    - require:\n        - pkg: y\n": (
        "states/s.sls:4: requisite not found: [require: (pkg: y)] of the state 'x'",
        "include the SLS that declares it, or correct the reference",
    ),
    "extend:\n  - x:\n      pkg: []\n": (
        "states/s.sls:1: `extend` in SLS 's' is not a mapping",
        "write the IDs below it, without dashes",
    ),
    "extend:\n  x: [pkg]\n": (
        f"states/s.sls:2: the ID 'x' below `extend` is not a mapping, {NO_GET}",
        BELOW_ID,
    ),
    "exclude:\n  id: x\n": (
        "states/s.sls:1: `exclude` in SLS 's' is not a list",
        "write a dash before each entry: `- id: ID` or `- sls: NAME`",
    ),
}


@pytest.mark.parametrize(("text", "row"), STATES.items(), ids=map(str, range(len(STATES))))
def test_a_shape_of_states_gives_one_row(text: str, row: tuple[str, str], tmp_path: Path) -> None:
    assert rows(tmp_path, {"states/s.sls": text}) == [row]


IDS = {
    "x:\n  pkg.installed: []\nservice.running:\n  - name: a\n": (
        "states/s.sls:3: the ID 'service.running' in SLS 's' is not a mapping of states",
        "indent 'service.running' below an ID",
    ),
    "x:\n  - pkg.installed\n": (
        "states/s.sls:1: the ID 'x' in SLS 's' is not a mapping of states",
        BELOW_ID,
    ),
    "include: t\n": (
        "states/s.sls:1: the include of the state SLS 's' is not a list",
        "write a list, also for a single name: `include: [NAME]`",
    ),
    "includes:\n  - t\n": (
        "states/s.sls:1: the ID 'includes' in SLS 's' is not a mapping of states",
        "did you mean `include`?",
    ),
    "exclud: [{sls: t}]\n": (
        "states/s.sls:1: the ID 'exclud' in SLS 's' is not a mapping of states",
        "did you mean `exclude`?",
    ),
    "x:\n": ("states/s.sls:1: the ID 'x' in SLS 's' is not a mapping of states", BELOW_ID),
}


@pytest.mark.parametrize(
    ("text", "row"),
    IDS.items(),
    ids=["function", "list", "include", "includes", "exclud", "nothing"],
)
def test_an_id_without_states(text: str, row: tuple[str, str], tmp_path: Path) -> None:
    assert rows(tmp_path, {"states/s.sls": text})[0] == row


LIST = "write a dash before each entry below it: the names of SLS, and `match:`"
TARGETS = "below an environment, write targets such as `'*':`, without dashes before them"
NO_LIST = "TypeError: 'NoneType' object is not iterable"
STOPS = "Salt stops at these states: "
EMPTY = f"{STOPS}SaltRenderError: Unable to render top file. No targets found."
TOPS = {
    "base:\n  'os:Debian':\n    match: grain\n    sls: s\n": (
        "states/top.sls:2: the top file of the states has no list of SLS for the target 'os:Debian'",
        LIST,
    ),
    "base:\n  '*': s\n": (
        "states/top.sls:2: the top file of the states has no list of SLS for the target '*'",
        LIST,
    ),
    "base:\n  '*':\n    - s:\n": (
        "states/top.sls:3: an entry of the target '*' has a colon, and nothing after it",
        "remove the colon after the name of an SLS",
    ),
    "base:\n'*':\n  - s\n": (
        f"states/top.sls:1: {EMPTY}",
        "indent its targets below it, or remove it",
    ),
    "base:\n  - '*': [s]\n": (f"states/top.sls:1: {EMPTY}", TARGETS),
    "base:\n  '*':\n": (
        f"states/top.sls:2: the target '*' has no list of SLS, and Salt stops: {NO_LIST}",
        "write `- SLS` below it for each SLS, or `[]` if there is none",
    ),
    "- base\n": (
        f"states/top.sls:1: {STOPS}AttributeError: 'list' object has no attribute 'items'",
        "write its targets below the name of an environment, such as `base:`, without a dash",
    ),
}


@pytest.mark.parametrize(("text", "row"), TOPS.items(), ids=map(str, range(len(TOPS))))
def test_a_shape_of_a_top_file_gives_one_row(
    text: str, row: tuple[str, str], tmp_path: Path
) -> None:
    files = {"states/top.sls": text, "states/s.sls": "x:\n  test.nop: []\n"}
    assert rows(tmp_path, files) == [row]


NEAR = {
    "requires:\n        - pkg: x": ("requires", "did you mean `require`?"),
    "require-in:\n        - pkg: x": ("require-in", "did you mean `require_in`?"),
    "onchange:\n        - pkg: x": ("onchange", "did you mean `onchanges`?"),
    "requires: x": None,
    "requires:\n        - x": None,
    "requires:\n        - pkg: [x]": None,
    "env:\n        - pkg: x": None,
    "listen_in:\n        - pkg: x": None,
}


@pytest.mark.parametrize(("text", "found"), NEAR.items(), ids=NEAR)
def test_a_misspelt_requisite(text: str, found: tuple[str, str] | None, tmp_path: Path) -> None:
    files = {"states/s.sls": f"x:\n  pkg.installed: []\ny:\n  test.nop:\n    - {text}\n"}
    message = "states/s.sls:5: unknown requisite '{}' of the state 'y' in SLS 's'"
    wanted = [(message.format(found[0]), found[1])] if found else []
    assert rows(tmp_path, files) == wanted


ORDERS = {"frist": True, "'1'": True, "first": False, "last": False, "5": False, "-1": False}


@pytest.mark.parametrize("order", ORDERS)
def test_an_order_that_is_text(order: str, tmp_path: Path) -> None:
    files = {"states/s.sls": f"x:\n  test.nop:\n    - order: {order}\n"}
    message = "states/s.sls:3: the `order` of the state 'x' in SLS 's' is text, so Salt ignores it"
    remedy = "write a number without quotes, `first` or `last`"
    assert rows(tmp_path, files) == ([(message, remedy)] if ORDERS[order] else [])


def rows(folder: Path, files: dict[str, str]) -> list[tuple[str, str | None]]:
    """Return the diagnostics of a minion's states, with positions, and their remedies."""
    write_fleet(folder, {}, {"m": {}}, {"file_roots": {"base": ["states"]}})
    write_files(folder, {"states/top.sls": "base: {'*': [s]}\n", **files})
    with open_fleet(folder) as fleet:
        found = fleet.compile_states("m").diagnostics
    return [(f"{one.position}: {one.message}", one.help) for one in found]
