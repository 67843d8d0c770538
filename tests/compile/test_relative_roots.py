"""Templates look for files below the roots as ``opts`` has them, also if these are relative."""

from pathlib import Path

import pytest
from tests.support.fleets import answer_of, compile_case, write_files

TOP = """\
{% set found = [] %}
{% for root in opts['pillar_roots']['base'] if salt['file.file_exists'](root ~ '/secret/auto.sls') %}
{%   do found.append('secret.auto') %}
{% endfor %}
base: {'*': {{ found }}}
"""


@pytest.mark.parametrize("root", ["pillar", "./pillar", "tree/../pillar/", ".", "FULL"])
def test_a_file_below_a_root_of_the_options_is_found(root: str, tmp_path: Path) -> None:
    below = "." if root == "." else "pillar"
    given = str(tmp_path / "pillar") if root == "FULL" else root
    files = {"top.sls": TOP, "secret/auto.sls": "a: 1\n"}
    write_files(
        tmp_path,
        {
            "master": f"pillar_roots: {{base: ['{given}']}}\n",
            "minions.yml": "minions: {web: {}}\n",
            **{f"{below}/{name}": text for name, text in files.items()},
        },
    )
    assert answer_of(compile_case(tmp_path)["web"]) == {"a": 1}


@pytest.mark.parametrize("path", ["secret/auto.sls", "other/x", "pillars/x", "../pillar/top.sls"])
def test_other_relative_paths_are_not_known(path: str, tmp_path: Path) -> None:
    files = {
        "master": "pillar_roots: {base: [pillar]}\n",
        "minions.yml": "minions: {web: {}}\n",
        "pillar/top.sls": "base: {'*': [a]}\n",
        "pillar/a.sls": f"a: {{{{ salt['file.file_exists']('{path}') }}}}\n",
        "pillar/secret/auto.sls": "",
    }
    write_files(tmp_path, files)
    compiled = compile_case(tmp_path)["web"]
    assert [one.code for one in compiled.diagnostics] == ["undeclared-function"]
