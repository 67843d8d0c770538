"""A value that is not known is shown with its call, but without the secrets in its arguments."""

from pathlib import Path

import pytest
from tests.support.derived import look, write_tree

SECRET = "Kr7mXq2vL9wz"

READS = {
    "consul": f"{{{{ salt['consul.get']('http://c', 'app/x', token='{SECRET}') }}}}",
    "etcd": f"{{{{ salt['etcd.get']('/x', profile='p', password='{SECRET}') }}}}",
    "s3": f"{{{{ salt['s3.get']('bucket', keyid='x', secret_key='{SECRET}') }}}}",
    "cassandra": f"{{{{ salt['cassandra_cql.cql_query']('q', cql_pass='{SECRET}') }}}}",
    "attributes": f"{{{{ salt.consul.get('http://c', 'app/x', api_key='{SECRET}') }}}}",
    "never rendered": f"{{% if false %}}{{{{ salt['consul.get']('x', token='{SECRET}') }}}}"
    "{% endif %}1",
}


@pytest.mark.parametrize("call", READS.values(), ids=READS)
def test_a_function_that_reads_hides_its_keyword_arguments(call: str, tmp_path: Path) -> None:
    assert SECRET not in _shown(f"x: {call}\ncopy: {SECRET}\n", tmp_path)


WORD = "lantern"
AT_ITS_KEY = {
    "a keyword argument": f"x: {{{{ salt['mysql.query']('q', connection_pass='{WORD}') }}}}",
    "of a function that reads": f"x: {{{{ salt['consul.get']('q', token='{WORD}') }}}}",
    "in a mapping": f"x: {{{{ salt['cmd.run']('q', env={{'PGPASSWORD': '{WORD}'}}) }}}}",
    "in a list": f"x: {{{{ salt['cmd.run']('q', env=[{{'PGPASSWORD': '{WORD}'}}]) }}}}",
    "in a text": f"x: {{{{ salt['mysql.query']('q', connection_pass='{WORD}' ~ x) }}}}",
    "of a macro": f"{{% macro m() %}}{{{{ salt['mysql.query']('q', connection_pass='{WORD}') }}}}"
    "{% endmacro %}x: {{ m() }}",
    "in an imported file": "{% from 'lib.jinja' import found %}x: {{ found }}",
    "a default": f"password: {{{{ salt['vault.read_secret']('q', 'k', default='{WORD}') }}}}",
    "a default of a variable": f"{{% set pw = salt['vault.read_secret']('q', default='{WORD}') %}}"
    "x: {{ pw }}",
}
LIB = f"{{% set found = salt['mysql.query']('q', connection_pass='{WORD}') %}}"


@pytest.mark.parametrize("text", AT_ITS_KEY.values(), ids=AT_ITS_KEY)
def test_a_usual_word_is_hidden_where_a_name_calls_it_a_secret(text: str, tmp_path: Path) -> None:
    shown = _shown(f"{{% set x = grains.os %}}{text}\nopen: {WORD}\n", tmp_path)
    assert shown.count(WORD) == 1
    assert f"open: {WORD}" in shown
    assert "unknown (" in shown


DEFAULTS = {
    "under a key": f"password: {{{{ salt['vault.read_secret']('q', 'k', default='{SECRET}') }}}}",
    "of a variable": f"{{% set pw = salt['vault.read_secret']('q', default='{SECRET}') %}}x: {{{{ pw }}}}",
    "of a member": f"x: {{{{ {{'token': salt['vault.read_secret']('q', default='{SECRET}')}} | json }}}}",
    "never rendered": "{% if false %}password: "
    f"{{{{ salt['vault.read_secret']('q', default='{SECRET}') }}}}{{% endif %}}",
}


@pytest.mark.parametrize("text", DEFAULTS.values(), ids=DEFAULTS)
def test_a_default_has_the_names_of_the_value(text: str, tmp_path: Path) -> None:
    assert SECRET not in _shown(f"{text}\ncopy: {SECRET}\n", tmp_path)


KEPT = {
    "an empty default": ("salt['vault.read_secret']('q', default='')", "q default=''"),
    "a harmless default": ("salt['vault.read_secret']('q', default='web')", "q default=web"),
    "a number": ("salt['mysql.query']('q', connection_port=3306)", "q connection_port=3306"),
    "a user": ("salt['mysql.query']('q', connection_user='ann')", "q connection_user=ann"),
    "a file": ("salt['vault.read_secret']('q', token_file='/etc/tok')", "q token_file=/etc/tok"),
}


@pytest.mark.parametrize(("call", "words"), KEPT.values(), ids=KEPT)
def test_other_arguments_stay(call: str, words: str, tmp_path: Path) -> None:
    assert f"{words})" in _shown(f"x: {{{{ {call} }}}}\n", tmp_path)


def _shown(text: str, folder: Path) -> str:
    """Return the values of a pillar as the report has them."""
    files = {
        "pillar/top.sls": "base: {'*': [made]}",
        "pillar/made.sls": text,
        "pillar/lib.jinja": LIB,
    }
    pillar = look(write_tree(folder, files))
    assert pillar.outcome == "ok"
    return "\n".join(f"{leaf.path[-1]}: {leaf.value}" for leaf in pillar.leaves)
