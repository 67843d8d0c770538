"""Functions that look into the state tree and the pillar roots."""

import pytest
from tests.compile.renderers.jinja.stand_ins import Minion, render

from pillarbook.compile.renderers.jinja.function_errors import (
    SaltFunctionError,
    UnansweredCallError,
)

MINION = Minion(
    files={
        "salt://app/defaults.yaml": "name: app\nusers: {root: {uid: 0007}}\n",
        "salt://other/defaults.json": '{"port": 80}',
        "salt://empty/defaults.yaml": "",
        "salt://app/conf/map.jinja": "text",
        "/etc/hosts": "127.0.0.1",
    }
)


@pytest.mark.parametrize(
    ("call", "printed"),
    [
        ("salt['cp.get_file_str']('salt://app/conf/map.jinja')", "text"),
        ("salt['cp.get_file_str']('salt://app/conf/map.jinja', saltenv='dev')", "False"),
        ("salt['cp.get_file_str']('salt://nope')", "False"),
        ("salt['file.file_exists']('/etc/hosts')", "True"),
        ("salt['file.file_exists']('/etc/nope')", "False"),
        ("salt['file.contains']('/etc/hosts', ' 0.0 ')", "True"),
        ("salt['file.contains']('/etc/nope', '')", "False"),
        ("salt['file.path_exists_glob']('/etc/h?sts')", "True"),
        ("salt['file.path_exists_glob']('/etc/*/x')", "False"),
        ("salt['file.path_exists_glob']('/etc')", "True"),
        ("salt['file.access']('/etc/hosts', 'r')", "True"),
        ("salt['file.get_sum']('/etc/nope')", "File not found"),
        ("salt['file.seek_read']('/etc/hosts', 3, 1)", "b'27.'"),
        ("salt['cp.hash_file']('/etc/nope')", "({}, None)"),
        ("salt['pillar.file_exists']('top.sls')", "True"),
        ("salt['pillar.file_exists']('top.sls', 'dev')", "False"),
        ("salt['defaults.get']('app:users:root:uid')", "7"),
        ("salt['defaults.get']('app:nope', 'd')", "d"),
        ("salt['defaults.get']('other')", "{'port': 80}"),
        ("salt['defaults.get']('empty')", "{}"),
        ("salt['defaults.get']('missing')", "None"),
        ("salt['defaults.get']('missing:a', 'd')", "d"),
        ("salt['slsutil.file_exists']('app/conf/map.jinja')", "True"),
        ("salt['slsutil.file_exists']('app')", "False"),
        ("salt['slsutil.dir_exists']('app/conf')", "True"),
        ("salt['slsutil.dir_exists']('app/conf', 'dev')", "False"),
        ("salt['slsutil.path_exists']('app')", "True"),
        ("salt['slsutil.findup']('app/conf', 'defaults.yaml')", "app/defaults.yaml"),
        ("salt['slsutil.findup']('app/conf/map.jinja', ['x', 'conf'])", "app/conf"),
        ("salt['slsutil.findup']('', 'app')", "app"),
    ],
)
def test_finds_files(call: str, printed: str) -> None:
    assert render(f"{{{{ {call} }}}}", MINION) == printed


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("salt['slsutil.findup']('nope', 'x')", "Starting path not found in the state tree: nope"),
        ("salt['slsutil.findup']('app', 'x')", "File pattern(s) not found in path ancestry"),
        (
            "salt['slsutil.findup']('app', 5)",
            "Filenames argument must be a string or list of strings",
        ),
        ("salt['pillar.get']('x', pillarenv='dev')", "the pillar of another environment is not"),
        ("salt['pillar.item']('x', saltenv='dev')", "the pillar of another environment is not"),
    ],
)
def test_says_what_is_wrong(call: str, message: str) -> None:
    with pytest.raises(SaltFunctionError) as caught:
        render(f"{{{{ {call} }}}}", MINION)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    "call",
    [
        "salt['file.read']('/outside/x')",
        "salt.file.file_exists('/outside/x')",
        "salt['file'].directory_exists('/outside')",
        "salt['file.path_exists_glob']('/outside/*')",
        "salt['file.access']('/etc/hosts', 'w')",
        "salt['cp.get_file_str']('/outside/x')",
        "salt['cp.get_file_str']('https://x.example/y')",
        "salt['cp.get_url']('s3://x/y', None)",
        "salt['cp.get_url']('salt://app/defaults.yaml', '/outside/x')",
        "salt['cp.cache_dir']('ftp://x/y')",
    ],
)
def test_says_what_it_does_not_answer(call: str) -> None:
    with pytest.raises(UnansweredCallError) as caught:
        render(f"{{{{ {call} }}}}", MINION)
    spelled = call.replace("salt.", "").replace("']", "").replace("['", ".")
    assert str(caught.value.name) in spelled


def test_a_missing_pillar_key_is_an_error_where_the_options_say_so() -> None:
    minion = Minion(master_opts={"pillar_raise_on_missing": True})
    with pytest.raises(KeyError, match="Pillar key not found: nope"):
        render("{{ salt['pillar.get']('nope') }}", minion)
    assert render("{{ salt['pillar.get']('nope', 'd') }}", minion) == "d"


def test_lists_merge_as_the_options_say() -> None:
    minion = Minion(pillar={"p": {"l": [1]}}, master_opts={"pillar_merge_lists": True})
    source = "{{ salt['pillar.get']('p', {'l': [2]}, merge=True) }}"
    assert render(source, minion) == "{'l': [2, 1]}"
