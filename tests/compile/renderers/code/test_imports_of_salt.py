"""Code of the tree that imports Salt's own code, which is no dependency: the remedy is named."""

import sys
from pathlib import Path

import pytest
from tests.support.fleets import compile_case, write_files

from pillarbook.compile.renderers.code.running import IMPORTS_SALT

IMPORTS = "import salt.utils.data\n"
LATE = "    from salt.utils import data\n"
TOP = "base: {'*': [s]}\n"
TREES = {
    "py": {"pillar/s.sls": f"#!py\n{IMPORTS}def run(): return {{}}\n"},
    "py-late": {"pillar/s.sls": f"#!py\ndef run():\n{LATE}    return {{}}\n"},
    "pyobjects": {"pillar/s.sls": f"#!pyobjects\n{IMPORTS}"},
    "mako": {"pillar/s.sls": "#!mako|yaml\n<%! import salt.utils %>\na: 1\n"},
    "renderer": {
        "pillar/s.sls": "#!own\na: 1\n",
        "ext/renderers/own.py": f"{IMPORTS}def render(data, *_, **__): return {{}}\n",
    },
    "module": {
        "pillar/s.sls": "a: {{ salt['own.f']() }}\n",
        "ext/modules/own.py": f"{IMPORTS}def f(): return 1\n",
    },
    "module-late": {
        "pillar/s.sls": "a: {{ salt['own.f']() }}\n",
        "ext/modules/own.py": f"def f():\n{LATE}    return 1\n",
    },
    "external-pillar": {
        "pillar/s.sls": "a: 1\n",
        "ext/pillar/own.py": f"{IMPORTS}def ext_pillar(*_): return {{}}\n",
    },
}
MASTER = "pillar_roots: {base: [pillar]}\nextension_modules: ext\n"


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES)
def test_the_diagnostic_says_how_to_go_on(
    tmp_path: Path, tree: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "salt", None)  # not to be imported, even where it is there
    external = "ext_pillar: [{own: 1}]\n" if "ext/pillar/own.py" in tree else ""
    files = {
        "master": MASTER + external,
        "minions.yml": "minions: {m: {}}\n",
        "pillar/top.sls": TOP,
        **tree,
    }
    write_files(tmp_path, files)
    compiled = compile_case(tmp_path, python=True)["m"]
    (fault,) = compiled.diagnostics
    assert compiled.outcome == "partial"
    assert fault.help is not None
    assert fault.help.startswith(IMPORTS_SALT)
    assert "salt" in fault.message
