"""Master files, inventories and MkDocs configurations whose author wants out of the tree."""

from collections.abc import Mapping

CODE = "import os\nos.system('@RUN@')\n"
RUN = f"#!py\n{CODE}def run():\n    return {{'base': {{'*': ['a']}}}}\n"
ROOTS = "pillar_roots: {base: [pillar]}\n"

MASTERS: Mapping[str, Mapping[str, str]] = {
    "roots-of-everything": {"master": "pillar_roots: {base: [/]}\nfile_roots: {base: [/]}\n"},
    "roots-outside": {"master": "pillar_roots: {base: ['@OUTSIDE@']}\n"},
    "roots-by-dots": {"master": "pillar_roots: {base: [../outside]}\n"},
    "roots-by-glob": {"master": "pillar_roots: {base: [../out*]}\n"},
    "roots-by-environment": {
        "master": "pillar_roots: {__env__: [../outside/__env__]}\npillarenv: dev\n"
    },
    "roots-by-link": {"master": "pillar_roots: {base: [pillar/linked]}\n"},
    "included-outside": {"master": f"{ROOTS}include: '@OUTSIDE@/*.yml'\n"},
    "top-outside": {"master": f"{ROOTS}state_top: ../../outside/secret.sls\n"},
    "top-is-code": {"master": ROOTS, "pillar/top.sls": RUN},
    "top-names-outside": {
        "master": ROOTS,
        "pillar/top.sls": "base: {'*': ['../../outside/secret', '@OUTSIDE@/secret', '../*']}\n",
    },
    "renderer-is-code": {
        "master": f"{ROOTS}renderer: mako|yaml\n",
        "pillar/a.sls": "a: <% import os; os.system('@RUN@') %>\n",
    },
    "renderer-is-own": {"master": f"{ROOTS}renderer: jinja|own|yaml\nextension_modules: extmods\n"},
    "renderers-from-outside": {
        "master": f"{ROOTS}renderer: code\nextension_modules: '@OUTSIDE@'\n"
    },
    "decrypts-by-code": {
        "master": f"{ROOTS}decrypt_pillar: [{{a: py}}, {{a: mako}}, a]\n"
        "decrypt_pillar_renderers: [py, mako, own]\ndecrypt_pillar_default: py\n",
        "pillar/a.sls": f"a: |\n  #!py\n  {CODE.splitlines()[1]}\n",
    },
    "keys-outside": {
        "master": f"{ROOTS}gpg_keydir: '@OUTSIDE@'\n"
        "nacl.config: {sk_file: '@OUTSIDE@/secret.yml', box_type: secretbox}\n",
        "pillar/a.sls": "#!yaml|nacl\na: NACL[aGFsbG8=]\n",
    },
    "stack-outside": {"master": f"{ROOTS}ext_pillar: [{{stack: '@OUTSIDE@/secret.yml'}}]\n"},
    "stack-names-outside": {
        "master": f"{ROOTS}ext_pillar: [{{stack: stack/stack.cfg}}]\n",
        "stack/stack.cfg": "../../outside/*.yml\n@OUTSIDE@/secret.yml\nlinked/*.yml\n{{ x }}\n",
    },
    "stack-is-code": {
        "master": f"{ROOTS}ext_pillar: [{{stack: stack/stack.cfg}}]\n",
        "stack/stack.cfg": "a.yml\nb.yml\nc.yml\n",
        "stack/a.yml": RUN,
        "stack/b.yml": "a: {{ stack.__class__.__init__.__globals__ }}\n",
        "stack/c.yml": "a: !!python/object/apply:os.system ['@RUN@']\n",
    },
    "stack-calls": {
        "master": f"{ROOTS}ext_pillar: [{{stack: stack/stack.cfg}}]\n",
        "stack/stack.cfg": "{{ __salt__['cmd.run']('@RUN@') }}\n",
    },
    "hierarchy-outside": {
        "master": f"{ROOTS}ext_pillar: [{{hierarchy_pillar: {{base_dir: '@OUTSIDE@'}}}}]\n"
    },
    "commands": {
        "master": f"{ROOTS}ext_pillar: [{{cmd_yaml: '@RUN@'}}, {{cmd_json: '@RUN@'}}, "
        "{cmd_yamlex: '@RUN@'}]\n"
    },
    "git-transport": {
        "master": f'{ROOTS}ext_pillar: [{{git: ["base ext::sh -c touch% @OUTSIDE@/ran"]}}]\n'
    },
    "git-outside": {"master": f"{ROOTS}ext_pillar: [{{git: ['base file://@OUTSIDE@']}}]\n"},
    "file-tree-outside": {
        "master": f"{ROOTS}ext_pillar: [{{file_tree: {{root_dir: '@OUTSIDE@'}}}}]\n"
    },
    "reclass-outside": {
        "master": f"{ROOTS}ext_pillar: [{{reclass: {{inventory_base_uri: '@OUTSIDE@'}}}}]\n"
    },
    "reclass-class-outside": {
        "master": f"{ROOTS}ext_pillar: [{{reclass: {{inventory_base_uri: rc, "
        "ignore_class_notfound: true, class_mappings: ['* @DOTTED@.secret']}}]\n",
        "rc/classes/a.yml": "parameters: {}\n",
        "rc/nodes/victim.example.com.yml": "parameters: {x: 1}\n",
    },
    "git-borrows-outside": {
        "master": f"{ROOTS}ext_pillar: [{{git: ['master file://@INSIDE@/p.git']}}]\n",
        "p.git/HEAD": "ref: refs/heads/master\n",
        "p.git/objects/info/alternates": f"#{'x' * 70_000}\n@OUTSIDE@/objects\n",
        "p.git/config": "[include]\npath = @OUTSIDE@/secret.yml\n",
        "p.git/.git/.git": "gitdir: @OUTSIDE@\n",
    },
    "own-external": {
        "master": f"{ROOTS}ext_pillar: [{{evil: x}}]\nextension_modules: extmods\n",
        "extmods/pillar/evil.py": f"{CODE}def ext_pillar(*a, **b):\n    {CODE.splitlines()[1]}\n",
    },
    "tagged-master": {"master": f"{ROOTS}x: !!python/object/apply:os.system ['@RUN@']\n"},
    "tagged-inventory": {
        "master": ROOTS,
        "minions.yml": "minions: {m: {grains: {a: !!python/object/apply:os.system ['@RUN@']}}}\n",
    },
    "grains-outside": {
        "master": ROOTS,
        "minions.yml": "minions: {m: {grains: '@OUTSIDE@/secret.json'}}\n",
    },
    "grains-by-dots": {
        "master": ROOTS,
        "minions.yml": "minions: {m: {grains: ../outside/secret.json}}\n",
    },
    "targets-that-run-away": {
        "master": ROOTS,
        "pillar/top.sls": "base: {'^(v+)+x': [{match: pcre}, a], 'E@^(v+)+x': [a]}\n",
    },
}
"""Files of a tree by path, by what they try; ``a.sls`` and a top file are there, too."""

SECTION = "plugins:\n  - pillarbook: {master: master, inventory: minions.yml"
SITES: Mapping[str, str] = {
    "hooks": f"{SECTION}}}\nhooks: [code.py]\n",
    "python-tag": f"{SECTION}}}\nextra: !!python/object/apply:os.system ['@RUN@']\n",
    "python-name": f"{SECTION}}}\nmarkdown_extensions: [{{toc: {{slugify: "
    "!!python/name:os.system}}]\n",
    "other-plugin": f"{SECTION}}}\n  - macros\n",
    "inherited": f"INHERIT: ../outside/mkdocs.yml\n{SECTION}}}\n",
    "theme-outside": f"{SECTION}}}\ntheme: {{name: pillarbook, custom_dir: '@OUTSIDE@'}}\n",
    "docs-outside": f"docs_dir: '@OUTSIDE@'\n{SECTION}}}\n",
    "master-outside": "plugins:\n  - pillarbook: {master: '@OUTSIDE@/secret.yml', "
    "inventory: minions.yml}\n",
    "inventory-outside": "plugins:\n  - pillarbook: {master: master, "
    "inventory: '@OUTSIDE@/secret.yml'}\n",
    "paths-outside": f"{SECTION}, paths: {{/srv: '@OUTSIDE@'}}}}\n",
    "code-and-keys": f"{SECTION}, python: true, decrypt: true}}\n",
}
"""MkDocs configurations, by what they try."""
