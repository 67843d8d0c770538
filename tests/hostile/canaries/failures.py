"""Error texts that quote a canary: of Jinja, YAML, JSON, gpg, functions, and of the tree itself."""

from collections.abc import Mapping

from tests.hostile.canaries.canary import Canary

FAILURES: Mapping[str, str] = {
    "Jinja syntax": 'a: 1\nk: {{ "@@" ~ }}\n',
    "Jinja tag": "{% set c = '@@' %}\n{% unknown '@@' %}\n",
    "unexpected end": "{% if '@@' %}\nk: @@\n",
    "undefined": "k: {{ nothing['@@'].x }}\n",
    "undefined name": "k: {{ @@ }}\n",
    "undefined attribute": "{% set d = {} %}\nk: {{ d.@@.x }}\n",
    "undefined element": "k: {{ {}['@@'] + 1 }}\n",
    "unknown filter": "k: {{ 1 | @@ }}\n",
    "unknown test": "k: {{ 1 is @@ }}\n",
    "failing filter": "k: {{ '@@' | strftime('%Y') }}\n",
    "failing method": "k: {{ '{x}'.format(y='@@') }}{{ ['a'].index('@@') }}\n",
    "missing argument": "{% macro m(@@) %}{{ @@.x.y }}{% endmacro %}{{ m() }}\n",
    "raise": "{{ raise('cannot log in with @@ at all') }}\n",
    "number": "k: {{ 1 + '@@' }}\n",
    "unknown function": "k: {{ salt['@@.get']('x') }}\n",
    "undeclared function": "k: {{ salt['boto.get']('@@', key='@@') }}\n",
    "unknown argument": "k: {{ salt['grains.get']('x', @@=1) }}\n",
    "missing import": "{% import_yaml 'lib/@@.yml' as x %}\nk: 1\n",
    "missing template": "{% from '@@.jinja' import x %}\nk: 1\n",
    "YAML flow": "k: [@@, b\nl: '@@'\n",
    "YAML tag": "k: !@@ 1\n",
    "YAML alias": "k: *@@\n",
    "YAML anchor": "k: &@@ 1\nl: &@@ 2\nm: *n@@\n",
    "YAML quote": "k: '@@\n",
    "YAML twice": "@@: 1\nb: 2\n@@: 3\n",
    "YAML key": "#!yaml\n? {@@: 1}\n: 1\n",
    "YAML indentation": "k: @@\n  l: 1\n",
    "YAML number": "k: !!int @@\n",
    "YAML block": "k: |\n    @@\n  @@\n",
    "no mapping": "#!yaml\n- @@\n",
    "JSON": '#!json\n{"k": @@}\n',
    "JSON key": '#!json\n{"@@" "@@"}\n',
    "TOML": "#!toml\nk = @@\n",
    "load_json": "{% set c = '{\"k\": @@}' | load_json %}\n",
    "load_yaml": "{% set c = 'k: [@@' | load_yaml %}\n",
    "import_yaml": "{% import_yaml 'lib/broken.yml' as x %}\n",
    "gpg": "#!yaml|gpg\nk: |\n  -----BEGIN PGP MESSAGE-----\n\n  @@@@@@\n  =aaaa\n"
    "  -----END PGP MESSAGE-----\n",
    "unknown renderer": "#!@@\nk: 1\n",
    "py": "#!py\ndef run():\n    word = '@@'\n    raise ValueError(f'no {word}')\n",
    "py name": "#!py\ndef run():\n    return @@\n",
    "py syntax": "#!py\nword = '@@' (\n",
    "mako": "#!mako|yaml\nk: ${'@@'.nothing}\n",
    "extends": "{% extends '@@' %}\n",
    "limit": "k: {{ '@@' * 9999999 }}\n",
}
"""SLS that fail with ``@@`` in or near what the message quotes."""


def failing_sls(way: str, canary: Canary) -> str:
    """Return an SLS that fails."""
    return FAILURES[way].replace("@@", canary.text)
