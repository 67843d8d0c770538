"""A secret that only the source of a file names is hidden wherever it is shown."""

from collections.abc import Mapping
from pathlib import Path

from tests.support.derived import look, opened, reasons, write_tree

from pillarbook.compile.renderers.written_values import find_constants, find_in_lines

SECRET = "Kr7mXq2vL9wz"
LONG = "first Kr7mXq line\nsecond 2vL9wz line"
BRANCH = "{{% if grains.os == 'Plan9' %}}\n{}\n{{% endif %}}\nx: 1\n"
UNTAKEN = {
    "line": BRANCH.format(f"password: {SECRET}"),
    "quoted": BRANCH.format(f"password: '{SECRET}'  # since May"),
    "nested": BRANCH.format(f"passwords:\n  ann: {SECRET}"),
    "item": BRANCH.format(f"users:\n  - name: ann\n    password: {SECRET}"),
    "first of an item": BRANCH.format(f"users:\n  - password: {SECRET}\n    name: ann"),
    "braces": BRANCH.format(f"db: {{user: ann, password: {SECRET}}}"),
    "braces of several lines": BRANCH.format(
        f"db: {{\n  user: ann,\n  password: {SECRET},\n  port: 1 }}"
    ),
    "last in braces": BRANCH.format(f"db: {{user: ann,\n  password: '{SECRET}' }}"),
    "below its key": BRANCH.format(f"password:\n  {SECRET}\nx: 1"),
    "text": BRANCH.format(f"password: |\n  {SECRET}"),
    "anchor": BRANCH.format(f"password: &one {SECRET}"),
    "alternatives": f"password: {{% if grains.os == 'Plan9' %}}{SECRET}{{% else %}}{{{{ grains.os }}}}"
    "{% endif %}\nx: 1\n",
    "loop": f"{{% for one in [] %}}\npassword: {SECRET}\n{{% endfor %}}\nx: 1\n",
    "macro": f"{{% macro db() %}}\npassword: {SECRET}\n{{% endmacro %}}\nx: 1\n",
    "literal": BRANCH.format(f"password: {{{{ '{SECRET}' | upper }}}}"),
    "default": BRANCH.format(f"password: {{{{ salt['pillar.get']('own:key', '{SECRET}') }}}}"),
    "variable": BRANCH.format(f"{{% set password = '{SECRET}' %}}"),
    "fails": f"{{% if true %}}\npassword: {SECRET}\n{{% endif %}}\nx: [\n",
}
CODE = {
    "assignment": f"password = '{SECRET}'",
    "dict": f"x = {{'password': '{SECRET}'}}",
    "dict of dicts": f"x = {{'passwords': {{'ann': '{SECRET}'}}}}",
    "keyword": f"x = dict(password='{SECRET}')",
    "default": f"def connect(password='{SECRET}'): ...",
    "member": f"def f(x):\n    x['password'] = '{SECRET}'",
    "choice": f"password = None or '{SECRET}'",
    "lookup": f"x = {{}}.get('password', '{SECRET}')",
}
KEPT = {
    "a common word": "password: postgres",
    "a harmless key": "name: Zz8otherName",
    "a path": "password_file: /etc/Kr7mXq2vL9",
    "prose": "# the password: see Zz8otherName",
    "a part": "password: Zz8otherName{{ grains.os }}",
    "a reference": "password: sdb://vault/Zz8otherName",
}


AROUND = {
    "py": "#!py\n{}\ndef run():\n    return {{'x': 1}}\n",
    "pyobjects": "#!pyobjects\n{}\n",
    "mako": "#!mako|yaml\n<%\n{}\n%>\nx: 1\n",
}
MAKO_TEXT = f"#!mako|yaml\n% if False:\npassword: {SECRET}\n% endif\nx: 1\n"


def _find_shown(folder: Path, made: Mapping[str, str]) -> set[str]:
    """Return which files name no secret that another minion's values show."""
    files, shown = {}, []
    for number, text in enumerate(made.values()):
        secret = f"{SECRET}{number}qX"
        files[f"pillar/made{number}.sls"] = text.replace(SECRET, secret)
        shown.append(f"{number}: {{word: 'is {secret} so', same: {secret}}}")
    files["pillar/other.sls"] = "\n".join([*shown, "open: shop\n"])
    names = ", ".join(f"made{number}" for number in range(len(made)))
    files["pillar/top.sls"] = f"base: {{a: [{names}], b: [other]}}"
    minions = {"a": {"grains": {"os": "Debian"}}, "b": {}}
    folder = write_tree(folder, files, minions=minions, settings={"python": True})
    with opened(folder) as session:
        session.freeze_fleet_secrets()
        found = reasons(session.report.pillar("b"))
    assert found.pop("open") is None
    numbers = {int(path.partition(":")[0]) for path, reason in found.items() if reason is None}
    return {name for number, name in enumerate(made) if number in numbers}


def test_a_branch_that_no_minion_takes(tmp_path: Path) -> None:
    assert not _find_shown(tmp_path, UNTAKEN)


def test_constants_of_code(tmp_path: Path) -> None:
    made = {
        f"{kind}, {name}": around.format(code)
        for kind, around in AROUND.items()
        for name, code in CODE.items()
    }
    assert not _find_shown(tmp_path, {**made, "text of mako": MAKO_TEXT})


def test_ordinary_values_stay(tmp_path: Path) -> None:
    files = {f"pillar/made{n}.sls": BRANCH.format(one) for n, one in enumerate(KEPT.values())}
    names = ", ".join(f"made{n}" for n in range(len(KEPT)))
    files["pillar/top.sls"] = f"base: {{'*': [{names}, other]}}"
    files["pillar/other.sls"] = (
        "word: postgres\nname: Zz8otherName\nfile: /etc/Kr7mXq2vL9\n"
        "uri: 'sdb://vault/Zz8otherName'\n"
    )
    assert set(reasons(look(write_tree(tmp_path, files))).values()) == {None}


def test_an_ignored_key_stays(tmp_path: Path) -> None:
    files = {
        "pillar/top.sls": "base: {'*': [made]}",
        "pillar/made.sls": BRANCH.format(f"site:\n  password: {SECRET}") + f"y: {SECRET}\n",
    }
    settings = {"redact": {"allow": ["site:password"]}}
    assert not any(reasons(look(write_tree(tmp_path, files, settings=settings))).values())


def test_a_text_of_several_lines_that_a_macro_returns(tmp_path: Path) -> None:
    one, two = LONG.split("\n")
    files = {
        "pillar/top.sls": "base: {'*': [made]}",
        "pillar/made.sls": f"{{% macro password() %}}{one}\n{two}{{% endmacro %}}\n"
        "{% macro db_password() %}\nuser: ann\nlimit: 5\n{% endmacro %}\n"
        "made: {{ password() | upper | tojson }}\n{{ db_password() }}",
    }
    found = reasons(look(write_tree(tmp_path, files)))
    assert found.pop("made") is not None
    assert found == {"user": None, "limit": None}


def test_lines_have_the_keys_above_them() -> None:
    text = "a:\n  b: one\n  c:\n  - d: two\n    e: three\n'e f': {g: four, h: 'five'}\ni: >-\n  six\n  6\n\nj: 7\n"
    assert list(find_in_lines(text)) == [
        (("a", "b"), "one"),
        (("a", "c", "d"), "two"),
        (("a", "c", "e"), "three"),
        (("e f", "g"), "four"),
        (("e f", "h"), "five"),
        (("i",), "six\n6\n"),
        (("j",), "7"),
    ]


def test_code_that_does_not_parse_writes_nothing() -> None:
    assert find_constants("password = ") == ()
