"""Trees in which decrypted secrets meet every kind of error.

Each secret is a canary of its own. In the tables ``{c}`` stands for it; where a template or a file
has it by way of the pillar, it reads ``pillar.pw``, which the command line's pillar holds.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from tests.support.fleets import write_files
from tests.support.gpg_keys import KeyHome

RUN = 8
"""Characters of a canary that must not be found together."""
MASTER = {
    "pillar_roots": {"base": ["pillar"]},
    "pillar_safe_render_error": False,
    "gpg_keydir": "gpgkeys",
}
DECRYPTED = {
    "bare": ("gpg|yaml", "{c}"),
    "flow": ("gpg|yaml", "k: [{c}, b\nl: '{c}'"),
    "scanner": ("gpg|yaml", "k: '{c}"),
    "colon": ("gpg|yaml", "k: {c}: {c}"),
    "tab": ("gpg|yaml", "k:\n\t- {c}"),
    "percent": ("gpg|yaml", "k: %{c}"),
    "at": ("gpg|yaml", "k: @{c}"),
    "escape": ("gpg|yaml", 'k: "\\{c}"'),
    "control": ("gpg|yaml", "k: {c}\x01"),
    "directive": ("gpg|yaml", "%{c} 1.1\n---\nk: 1"),
    "tag": ("gpg|yaml", "k: !{c} 1"),
    "double_tag": ("gpg|yaml", "k: !!{c} x"),
    "handle": ("gpg|yaml", "k: !{c}! 1"),
    "alias": ("gpg|yaml", "k: *{c}"),
    "anchor": ("gpg|yaml", "k: &{c} 1\nl: &{c} 2\nm: [*{c}, *no]"),
    "merge": ("gpg|yaml", "k: &a 1\nl:\n  <<: {c}"),
    "mapping_key": ("gpg|yaml", "k: {{{{{c}}}}}"),
    "twice": ("gpg|yaml", "{c}: 1\n{c}: 2"),
    "twice_deep": ("gpg|yaml", "k:\n  a{c}: 1\n  a{c}: 2"),
    "integer": ("gpg|yaml", "k: !!int {c}"),
    "float": ("gpg|yaml", "k: !!float {c}"),
    "binary": ("gpg|yaml", "k: !!binary {c}é"),
    "omap": ("gpg|yaml", "k: !!omap {c}"),
    "documents": ("gpg|yaml", "k: {c}\n---\nl: 1"),
    "list": ("gpg|yaml", "- {c}"),
    "include": ("gpg|yaml", "include: [{c}]"),
    "include_text": ("gpg|yaml", "include: {c}"),
    "include_below": ("gpg|yaml", "include: [x: {c}]"),
    "include_key": ("gpg|yaml", "include: [plain: {{key: [{c}]}}]"),
    "cut_off": ("gpg|yaml", "k: [" + "x" * 60 + "{c}"),
    "long": ("gpg|yaml", "k: [" + "{c}" * 40),
    "yamlex": ("gpg|yamlex", "k: !{c} [{c}"),
    "yamlex_int": ("gpg|yamlex", "k: !!int {c}"),
    "json": ("gpg|json", '{{"k": {c}}}'),
    "json_string": ("gpg|json", '{{"k": "{c}'),
    "toml": ("gpg|toml", "{c}"),
    "toml_twice": ("gpg|toml", "{c} = 1\n{c} = 2"),
    "toml_value": ("gpg|toml", "k = {c}"),
    "stateconf": ("gpg|stateconf -o yaml . jinja", "{c}: ["),
    "stateconf_words": ("gpg|stateconf {c}", "{c}: ["),
    "msgpack": ("gpg|msgpack", "{c}"),
    "py": ("gpg|py", "raise ValueError('{c}')"),
    "unknown_variable": ("gpg|jinja -s|yaml", "k: {{{{ {c} }}}}"),
    "unknown_filter": ("gpg|jinja -s|yaml", "k: {{{{ 1 | {c} }}}}"),
    "unknown_test": ("gpg|jinja -s|yaml", "k: {{{{ 1 is {c} }}}}"),
    "unknown_tag": ("gpg|jinja -s|yaml", "{{% {c} %}}"),
    "attribute": ("gpg|jinja -s|yaml", "k: {{{{ grains.{c}.x }}}}"),
    "item": ("gpg|jinja -s|yaml", "k: {{{{ grains['{c}'] }}}}"),
    "pillar_item": ("gpg|jinja -s|yaml", "k: {{{{ pillar['{c}'] }}}}"),
    "brackets": ("gpg|jinja -s|yaml", "k: {{{{ '{c}' {c} }}}}"),
    "raises": ("gpg|jinja -s|yaml", "{{{{ raise('{c}') }}}}"),
    "calls": ("gpg|jinja -s|yaml", "k: {{{{ salt['{c}.x']() }}}}"),
    "calls_with": ("gpg|jinja -s|yaml", "k: {{{{ salt['vault.read']('{c}') }}}}"),
    "imports": ("gpg|jinja -s|yaml", "{{% import_yaml '{c}.yml' as x %}}"),
    "imports_name": ("gpg|jinja -s|yaml", "{{% from 'map.jinja' import {c} %}}{{{{ {c}() }}}}"),
    "includes": ("gpg|jinja -s|yaml", "{{% include '{c}' %}}"),
    "extends": ("gpg|jinja -s|yaml", "{{% extends '{c}' %}}"),
    "macro": ("gpg|jinja -s|yaml", "{{% macro {c}(a) %}}{{% endmacro %}}{{{{ {c}(1, 2) }}}}"),
    "then_yaml": ("gpg|jinja -s|yaml", "k: {{{{ '{c}' }}}}: ["),
    "load_json": ("gpg|jinja -s|yaml", "k: {{{{ '{c}' | load_json }}}}"),
    "load_yaml": ("gpg|jinja -s|yaml", "k: {{{{ 'a: [{c}' | load_yaml }}}}"),
    "filter": ("gpg|jinja -s|yaml", "k: {{{{ '{c}' | strftime('%Y') }}}}"),
    "number": ("gpg|jinja -s|yaml", "k: {{{{ '{c}'.index('!') }}}}"),
    "not_a_file": ("gpg|jinja|yaml", "k: {c}"),
    "not_a_file_mako": ("gpg|mako|yaml", "k: ${{{c}}}"),
}
"""Renderers, and the text of a file that is encrypted as a whole."""
VALUES = {
    "include_value": "include: [{m}]",
    "include_value_text": "include: {m}",
    "top_level": "{m}",
    "in_a_list": "[{m}]",
}
"""Data in which a value is opened; ``{m}`` stands for the message."""
TEMPLATES = {
    "raise": "{{ raise(pillar.pw) }}",
    "raise_part": "{{ raise(pillar.pw[:12]) }}",
    "raise_base": "{{ raise('it is ' ~ pillar.pw | reverse) }}",
    "attribute_of_it": "k: {{ pillar.pw.x.y }}",
    "item_by_it": "k: {{ grains[pillar.pw] }}",
    "item_by_part": "k: {{ grains[pillar.pw[:10]] }}",
    "attribute_by_it": "k: {{ {}[pillar.pw].x }}",
    "pillar_by_it": "k: {{ pillar[pillar.pw] }}",
    "pillar_by_part": "k: {{ pillar[pillar.pw[2:14]] + 1 }}",
    "opts_by_it": "k: {{ opts[pillar.pw[2:14]] + 1 }}",
    "calls_it": "k: {{ salt[pillar.pw]() }}",
    "calls_part": "k: {{ salt['x.' ~ pillar.pw[:10]]() }}",
    "calls_with_it": "k: {{ salt['vault.read'](pillar.pw) }}",
    "get_with_it": "k: {{ salt['pillar.get'](pillar.pw, salt=1) }}",
    "file_read": "k: {{ salt['file.read']('/' ~ pillar.pw[:10]) }}",
    "renders_it": "k: {{ salt['slsutil.renderer'](string='k: [' ~ pillar.pw, default_renderer='yaml') }}",
    "renders_by_it": "k: {{ salt['slsutil.renderer'](string='k', default_renderer=pillar.pw[:10]) }}",
    "deserialize": "k: {{ salt['slsutil.deserialize']('json', pillar.pw) }}",
    "deserialize_by_it": "k: {{ salt['slsutil.deserialize'](pillar.pw[:10], '1') }}",
    "import_it": "{% import_yaml pillar.pw as x %}",
    "import_part": "{% import_yaml pillar.pw[:10] ~ '.yml' as x %}",
    "include_it": "{% include pillar.pw[:10] %}",
    "from_it": "{% from pillar.pw[:10] import x %}",
    "extends_it": "{% extends pillar.pw[:10] %}",
    "load_json": "k: {{ pillar.pw | load_json }}",
    "load_json_part": "k: {{ pillar.pw[3:] | load_json }}",
    "load_yaml": "k: {{ ('a: [' ~ pillar.pw[3:]) | load_yaml }}",
    "load_yaml_tag": "k: {{ ('a: !' ~ pillar.pw[3:] ~ ' 1') | load_yaml }}",
    "json_then_quotes": "k: {{ ('{\"a\": ' ~ pillar.pw[3:]) | load_json }}",
    "strftime": "k: {{ pillar.pw | strftime('%Y') }}",
    "int_base": "k: {{ pillar.pw.index('!') }}",
    "format": "k: {{ ('{' ~ pillar.pw[2:] ~ '}').format() }}",
    "format_code": "k: {{ ('{:' ~ pillar.pw[2:] ~ '}').format(1) }}",
    "percent": "k: {{ ('%(' ~ pillar.pw[2:] ~ ')s') % {} }}",
    "percent_number": "k: {{ '%d' % pillar.pw }}",
    "regex": "k: {{ 'x' | regex_search('(' ~ pillar.pw[2:]) }}",
    "hash": "k: {{ 'x' | file_hashsum(pillar.pw[2:]) }}",
    "network": "k: {{ salt['network.convert_cidr'](pillar.pw[2:]) }}",
    "to_yaml_tag": "k: !{{ pillar.pw[2:] }} 1",
    "to_yaml_tag_long": "k: !!{{ pillar.pw[2:] }} 1",
    "to_yaml_alias": "k: *{{ pillar.pw[2:] }}",
    "to_yaml_anchor": "k: &{{ pillar.pw[2:] }} 1\nl: &{{ pillar.pw[2:] }} *no",
    "to_yaml_open": "k: '{{ pillar.pw[2:] }}",
    "to_yaml_flow": "k: [{{ pillar.pw[2:] }}",
    "to_yaml_key": "k{{ pillar.pw[2:] }}: 1\nk{{ pillar.pw[2:] }}: 2",
    "to_yaml_int": "k: !!int {{ pillar.pw[2:] }}",
    "to_yaml_float": "k: !!float {{ pillar.pw[2:] }}",
    "to_yaml_reversed": "k: [{{ pillar.pw | reverse }}",
    "to_yaml_base64": "k: [{{ pillar.pw[3:] | base64_encode }}",
    "to_yaml_escaped": 'k: "\\q{{ pillar.pw[2:] }}"',
    "to_yaml_late": "k: [" + "x" * 70 + "{{ pillar.pw[2:] }}",
    "to_yaml_near": "{{ pillar.pw[2:] }}:\n  a: [1\nb: 2",
    "to_json": '#!jinja|json\n{"k": {{ pillar.pw[2:] }}}',
    "to_toml": "#!jinja|toml\nk = {{ pillar.pw[2:] }}",
    "to_toml_key": "#!jinja|toml\n{{ pillar.pw[2:] }} = 1\n{{ pillar.pw[2:] }} = 2",
    "to_yamlex": "#!jinja|yamlex\nk: !{{ pillar.pw[2:] }} [1",
    "filter_by_it": "k: {{ [1] | map(pillar.pw[:10]) | list }}",
    "test_by_it": "k: {{ [1] | select(pillar.pw[:10]) | list }}",
    "sort_by_it": "k: {{ [{}, {}] | sort(attribute=pillar.pw[:10]) }}",
    "argument_by_it": "{% macro m() %}{% endmacro %}k: {{ m(**{pillar.pw[:10]: 1}) }}",
    "to_shebang": "#!jinja|{{ pillar.pw[:10] }}\nk: 1",
    "mako": "#!mako|yaml\nk: ${pillar['pw'].no}",
    "mako_index": "#!mako|yaml\nk: ${{}[pillar['pw'][2:]]}",
    "py": "#!py\ndef run():\n    raise ValueError(__pillar__['pw'][2:])",
    "py_key": "#!py\ndef run():\n    return {}[__pillar__['pw'][2:]]",
    "py_shape": "#!py\ndef run():\n    return __pillar__['pw'][2:]",
    "py_call": "#!py\ndef run():\n    return __salt__[__pillar__['pw'][2:12] + '.x']()",
    "pyobjects": "#!pyobjects\nraise ValueError(pillar('pw')[2:])",
}
"""Files that read a decrypted pillar."""
DECRYPT_PILLAR = {
    "json": "{%s",
    "yaml": "k: [%s",
    "toml": "k = %s",
    "yamlex": "!%s [",
    "jinja": "%s",
}
"""Renderers of ``decrypt_pillar``, and what they do not take."""
EXTERNAL = {
    "stack_yaml": ({"stack": "stack/a.cfg"}, "k: [{{ pillar.pw[2:] }}"),
    "stack_tag": ({"stack": "stack/a.cfg"}, "k: !{{ pillar.pw[2:] }} 1"),
    "stack_jinja": ({"stack": "stack/a.cfg"}, "k: {{ {}[pillar.pw[2:]].x }}"),
    "stack_scalar": ({"stack": "stack/a.cfg"}, "{{ pillar.pw[2:] }}"),
    "stack_config": ({"stack": "stack/b.cfg"}, ""),
    "code_raises": ({"own_raises": 1}, ""),
    "code_key": ({"own_key": 1}, ""),
    "command": ({"cmd_yaml": "echo %s"}, ""),
}
"""External pillars that see a decrypted one and fail."""
MODULES = {
    "own_raises": "def ext_pillar(minion_id, pillar, *args):\n    raise ValueError(pillar['pw'][2:])\n",
    "own_key": "def ext_pillar(minion_id, pillar, *args):\n    return {}[pillar['pw'][2:]]\n",
}


class Planter:
    """Makes canaries, and messages that hold them.

    Args:
        home: Has the test key.
    """

    def __init__(self, home: KeyHome) -> None:
        self._home = home
        self.planted: dict[str, str] = {}
        """The canaries by their names."""

    def canary(self, name: str) -> str:
        digest = hashlib.sha256(name.encode()).hexdigest()
        made = f"Z{digest[:10]}q{digest[10:20].upper()}"
        self.planted[name] = made
        return made

    def message(self, clear: str) -> str:
        words = ("--trust-model", "always", "--armor", "--encrypt", "-r", "pillarbook test key")
        return self._home.run(*words, given=clear.encode()).decode()

    def find(self, text: bytes) -> list[str]:
        """Return the canaries of which a run stands in a text, whatever the case."""
        low = text.lower()
        return [
            name
            for name, canary in self.planted.items()
            if any(run in low for run in _runs(canary.lower()))
            or any(run in low for run in _runs(canary.lower()[::-1]))
        ]


def _runs(canary: str) -> list[bytes]:
    return [canary[at : at + RUN].encode() for at in range(len(canary) - RUN + 1)]


def write_tree(
    folder: Path, files: Mapping[str, str], pillar: Mapping[str, str], **options: object
) -> Path:
    """Write a tree in which each SLS has a minion of its own, with an encrypted pillar."""
    own = {"grains": {"os": "Debian"}, "pillar_enc": "gpg", "pillar": dict(pillar)}
    names = [Path(file).stem for file in files if file.endswith(".sls")]
    write_files(
        folder,
        {
            "master": json.dumps({**MASTER, **options}),
            "minions.yml": json.dumps({"minions": dict.fromkeys(names, own)}),
            "pillar/top.sls": json.dumps({"base": {name: [name] for name in names}}),
            "mkdocs.yml": "site_name: x\ndocs_dir: pages\ntheme: {name: pillarbook}\n"
            "plugins: [{pillarbook: {master: master, inventory: minions.yml, decrypt: true,"
            " python: true, functions: {}}}]\n",
            "pages/index.md": "",
            **files,
        },
    )
    return folder


def decrypted_files(planter: Planter, step: int) -> dict[str, str]:
    """Return the files of ``DECRYPTED`` and ``VALUES``, or every so many of them."""
    files = {"pillar/map.jinja": "{% set a = 1 %}", "pillar/plain.sls": "plain: 1\n"}
    for name, (pipe, text) in [*DECRYPTED.items()][::step]:
        clear = text.format(c=planter.canary(name))
        files[f"pillar/{name}.sls"] = f"#!{pipe}\n{planter.message(clear)}"
    for name, text in [*VALUES.items()][::step]:
        message = json.dumps(planter.message(planter.canary(name)))
        files[f"pillar/{name}.sls"] = f"#!yaml|gpg\n{text.format(m=message)}\n"
    return files


def template_files(planter: Planter) -> dict[str, str]:
    """Return the files of ``TEMPLATES``."""
    return {f"pillar/{name}.sls": f"{text}\n" for name, text in TEMPLATES.items()}


def decrypt_pillar_files(planter: Planter) -> dict[str, str]:
    """Return a file for each of ``DECRYPT_PILLAR``: in the clear, and opened by gpg before."""
    files = {}
    for name, text in DECRYPT_PILLAR.items():
        clear = text % planter.canary(name)
        files[f"pillar/{name}.sls"] = f"{name}: {json.dumps(clear)}\n"
        message = json.dumps(planter.message(text % planter.canary(f"opened_{name}")))
        files[f"pillar/opened_{name}.sls"] = f"#!yaml|gpg\n{name}: {message}\n"
    return files


def external_files(text: str) -> dict[str, str]:
    """Return the files that external pillars of ``EXTERNAL`` read."""
    return {
        "pillar/plain.sls": "a: 1\n",
        "stack/a.cfg": "a.yml\n",
        "stack/a.yml": f"{text}\n",
        "stack/b.cfg": "{{ {}[pillar.pw[2:]].x }}\n",
        **{f"ext/pillar/{name}.py": code for name, code in MODULES.items()},
    }
