"""A tree whose author wants out of it: to read other files, to run something, or never to end.

Beside the tree lies a folder with a canary, a text that must turn up nowhere. What runs writes a mark
into that folder.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.support.fleets import write_files

CANARY = "canary-7f3a9c2e51"
MINION = "victim.example.com"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a hostile tree lies."""

    folder: Path
    """The repository."""
    outside: Path
    """The folder beside it, with ``secret.sls``, ``secret.yml`` and ``code.py``."""

    @property
    def mark(self) -> Path:
        """The file that is there once anything of the tree was run."""
        return self.outside / "ran"

    def fill(self, text: str) -> str:
        """Return a text with the places put in."""
        words = {"OUTSIDE": str(self.outside), "RUN": f"touch {self.mark}"}
        words["INSIDE"] = str(self.folder)
        words["DOTTED"] = str(self.outside).replace("/", ".")
        for word, meant in words.items():
            text = text.replace(f"@{word}@", meant)
        return text


ATTRIBUTES: Mapping[str, str] = {
    "class": "{{ ''.__class__.__mro__[1].__subclasses__() }}",
    "class-item": "{{ ''['__class__']['__mro__'] }}",
    "attr": "{{ ''|attr('__class__') }}",
    "cycler": "{{ cycler.__init__.__globals__.os.popen('@RUN@').read() }}",
    "joiner": "{{ joiner.__init__.__globals__ }}",
    "namespace": "{{ namespace.__init__.__globals__ }}",
    "self": "{{ self.__init__.__globals__ }}",
    "self-template": "{{ self._TemplateReference__context.environment }}",
    "macro": "{% macro m() %}{% endmacro %}{{ m._func.__globals__ }}",
    "caller": "{% macro m() %}{{ caller.__init__ }}{% endmacro %}{% call m() %}{% endcall %}",
    "grains": "{{ grains.__class__.__init__.__globals__ }}",
    "opts": "{{ opts.__reduce_ex__(2) }}",
    "pillar-dict": "{{ pillar.__dict__ }}",
    "salt-slots": "{{ salt._context }}",
    "salt-name-mangled": "{{ salt.__getitem__.__func__ }}",
    "function": "{{ salt['grains.get']._function.__self__ }}",
    "function-globals": "{{ salt['grains.get'].__call__.__globals__ }}",
    "module": "{{ salt.grains._functions }}",
    "map-attribute": "{{ [''] | map(attribute='__class__') | list }}",
    "map-attr": "{{ [''] | map('attr', '__class__') | list }}",
    "generator": "{{ ([1] | map('string')).gi_frame.f_globals }}",
    "format": "{{ '{0.__class__.__mro__}'.format(grains) }}",
    "format-map": "{{ '{a.__class__}'.format_map({'a': 1}) }}",
    "format-filter": "{{ ('%s' | format(''.__class__)) }}",
    "bound-format": "{% set f = '{0.__class__}'.format %}{{ f(1) }}",
    "mapped-format": "{{ ['{0.__class__}'] | map('format', 1) | map('attr', '__class__') | list }}",
    "traceback": "{{ raise.__globals__ }}",
    "undefined": "{{ nothing.__class__.__init__.__globals__ }}",
    "loop": "{% for x in [1] %}{{ loop.__init__.__globals__ }}{% endfor %}",
    "imported": "{% import 'harmless.jinja' as h %}{{ h.__dict__ }}",
}
"""Ways from an object that a template has to Python's own; all end with the sandbox."""

READS: Mapping[str, str] = {
    "import-text": "{% import_text '@OUTSIDE@/secret.yml' as x %}x: {{ x }}",
    "import-text-passwd": "{% import_text '/etc/passwd' as x %}x: {{ x | json }}",
    "import-yaml": "{% import_yaml '../../outside/secret.yml' as x %}x: {{ x }}",
    "import-json": "{% import_json 'a/../../../outside/secret.json' as x %}x: {{ x }}",
    "import-salt": "{% import_text 'salt://../../outside/secret.yml' as x %}x: {{ x }}",
    "import-file": "{% import_text 'file://@OUTSIDE@/secret.yml' as x %}x: {{ x }}",
    "jinja-include": "x: {% include '../../outside/secret.yml' %}",
    "jinja-from": "{% from '@OUTSIDE@/secret.yml' import x %}x: {{ x }}",
    "jinja-extends": "{% extends '../../outside/secret.yml' %}",
    "include": "include: [../../outside/secret]",
    "include-dots": "include: [...outside.secret]",
    "include-absolute": "include: ['@OUTSIDE@/secret']",
    "include-glob": "include: ['../../outside/*']",
    "linked-file": "include: [link]",
    "linked-folder": "include: [linked.secret]",
    "linked-import": "{% import_yaml 'linked/secret.yml' as x %}x: {{ x }}",
    "cp": "x: {{ salt['cp.get_file_str']('@OUTSIDE@/secret.yml') }}",
    "cp-salt": "x: {{ salt['cp.get_file_str']('salt://../outside/secret.yml') }}",
    "cp-file": "x: {{ salt['cp.get_file_str']('file://@OUTSIDE@/secret.yml') }}",
    "file-exists": "x: {{ salt['file.file_exists']('@OUTSIDE@/secret.yml') }}",
    "file-read": "x: {{ salt['file.read']('@OUTSIDE@/secret.yml') }}",
    "file-hash": "x: {{ '@OUTSIDE@/secret.yml' | file_hashsum }}",
    "file-grep": "x: {{ salt['file.grep']('@OUTSIDE@/secret.yml', 'can') }}",
    "list-files": "x: {{ '@OUTSIDE@' | list_files }}",
    "hash-file": "x: {{ salt['hashutil.digest_file']('@OUTSIDE@/secret.yml') }}",
    "renderer-path": "x: {{ salt['slsutil.renderer']('@OUTSIDE@/secret.yml') }}",
    "environ": "x: {{ salt['environ.get']('HOME') }}",
    "config-file": "x: {{ salt['sdb.get']('sdb://file/@OUTSIDE@/secret.yml') }}",
}
"""Ways to a file outside the roots."""

RUNS: Mapping[str, str] = {
    "py": "#!py\nimport os\nos.system('@RUN@')\ndef run():\n    return {'a': os.system('@RUN@')}",
    "mako": "#!mako|yaml\na: <% import os; os.system('@RUN@') %>",
    "mako-expression": "#!mako|yaml\na: ${__import__('os').system('@RUN@')}",
    "pyobjects": "#!pyobjects\nimport os\nos.system('@RUN@')",
    "wempy": "#!wempy|yaml\na: {{import os}}{{=os.system('@RUN@')}}",
    "cheetah": "#!cheetah|yaml\na: $__import__('os').system('@RUN@')",
    "own": "#!own\na: 1",
    "py-in-pipe": "#!jinja|py\nimport os\nos.system('@RUN@')\ndef run():\n    return {}",
    "py-from-jinja": "{{ '#!' }}py\nimport os\nos.system('@RUN@')",
    "own-in-pipe": "#!jinja|own|yaml\na: 1",
    "renderer": "x: {{ salt['slsutil.renderer'](string='#!py\\nimport os\\nos.system(\"@RUN@\")\\n"
    "def run():\\n    return {}') }}",
    "renderer-default": "x: {{ salt['slsutil.renderer'](string='a: ${1}', "
    "default_renderer='mako|yaml') }}",
    "cmd": "x: {{ salt['cmd.run']('@RUN@') }}",
    "cmd-attribute": "x: {{ salt.cmd.shell('@RUN@') }}",
    "cmd-module": "x: {{ salt['cmd'].run_all('@RUN@') }}",
    "runner": "x: {{ salt['saltutil.runner']('salt.cmd', arg=['cmd.run', '@RUN@']) }}",
    "network": "x: {{ salt['http.query']('http://127.0.0.1:9/') }}",
    "http-filter": "x: {{ 'http://127.0.0.1:9/' | http_query }}",
    "dns": "x: {{ 'localhost.example' | dns_check(80) }}",
    "cp-url": "x: {{ salt['cp.get_url']('http://127.0.0.1:9/x', '@OUTSIDE@/ran') }}",
    "write": "x: {{ salt['file.write']('@OUTSIDE@/ran', 'x') }}",
    "touch": "x: {{ salt['file.touch']('@OUTSIDE@/ran') }}",
    "yaml-apply": "x: !!python/object/apply:os.system ['@RUN@']",
    "yaml-new": "x: !!python/object/new:subprocess.Popen [['touch', '@OUTSIDE@/ran']]",
    "yaml-name": "x: !!python/name:os.system",
    "yaml-module": "x: !!python/module:os",
    "load-yaml": "{% set x = '!!python/object/apply:os.system [\"@RUN@\"]' | load_yaml %}x: {{ x }}",
    "toml": "#!toml\nx = {{ ''.__class__ }}",
    "stateconf": "#!stateconf -o py . jinja\nimport os\nos.system('@RUN@')",
    "stateconf-yaml": "#!stateconf -o yaml . mako\na: <% import os; os.system('@RUN@') %>",
    "yamlex": "#!yamlex\nx: !!python/object/apply:os.system ['@RUN@']",
    "msgpack": "#!msgpack\n\x80",
}
"""Ways to have something run."""

LAUGHS = "\n".join(
    ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 11)]
)
BOMBS: Mapping[str, str] = {
    "anchors": LAUGHS,
    "format-width": "x: {{ '%1000000000d' % 1 }}",
    "format-method": "x: {{ '{:>1000000000}'.format(1) }}",
    "repeat": "x: {{ 'a' * 10000000000 }}",
    "center": "x: {{ 'x' | center(3000000000) }}",
    "power": "x: {{ 9 ** (9 ** 9) }}",
    "range": "x: {{ range(1000000000000) | list | length }}",
    "loop": "{% for a in range(99999) %}{% for b in range(99999) %}.{% endfor %}{% endfor %}",
    "recursion": "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
    "self-import": "{% import 'bomb/self-import.sls' as x %}",
    "doubling": "{% set ns = namespace(t='ab') %}{% for i in range(64) %}"
    "{% set ns.t = ns.t ~ ns.t %}{% endfor %}x: {{ ns.t }}",
    "pattern": "x: {{ ('a' * 64 ~ 'b') | regex_match('(a+)+$') }}",
    "nesting": "x: " + "[" * 5000,
    "braces": "x: " + "{a: " * 5000,
    "include-self": "include: [bomb.include-self, bomb.include-back]",
}
"""What takes all memory or never ends."""


def write_tree(folder: Path, name: str, plants: Mapping[str, str]) -> Place:
    """Write a repository with one SLS a plant, all of which one minion gets.

    ``name`` is the folder of the SLS files, ``plants`` has them by name.
    """
    place = Place(folder / "repository", folder / "outside")
    outside = {
        "secret.sls": f"x: {CANARY}\n",
        "secret.yml": f"x: {CANARY}\n",
        "secret.json": f'{{"x": "{CANARY}"}}\n',
        "code.py": f"import os\nos.system('touch {place.mark}')\n",
    }
    files = {
        "master": "pillar_roots: {base: [pillar]}\nfile_roots: {base: [states]}\n"
        "extension_modules: extmods\nmodule_dirs: [extmods]\n",
        "minions.yml": f"minions: {{{MINION}: {{grains: {{os: Debian}}}}}}\n",
        "states/file.txt": "text\n",
        "states/_renderers/own.py": "import os\nos.system('@RUN@')\n"
        "def render(*a, **b):\n    return {}\n",
        "extmods/renderers/own.py": "import os\nos.system('@RUN@')\n"
        "def render(*a, **b):\n    return {}\n",
        "extmods/modules/mine.py": "import os\nos.system('@RUN@')\n",
        "pillar/harmless.jinja": "{% set a = 1 %}\n",
        "pillar/bomb/include-back.sls": "include: [bomb.include-self]\n",
        "pillar/top.sls": f"base: {{'*': [{', '.join(f'{name}.{one}' for one in plants)}]}}\n",
        **{f"pillar/{name}/{one}.sls": text + "\n" for one, text in plants.items()},
    }
    for root, texts in ((place.outside, outside), (place.folder, files)):
        write_files(root, {path: place.fill(text) for path, text in texts.items()})
    (place.folder / ".git").mkdir()
    (place.folder / "pillar/link.sls").symlink_to(place.outside / "secret.sls")
    (place.folder / "pillar/linked").symlink_to(place.outside)
    return place
