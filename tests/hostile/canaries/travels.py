"""Ways of a canary through several files: imports, includes, overriding, and what reads pillar."""

from collections.abc import Callable, Mapping

from tests.hostile.canaries.canary import Canary
from tests.hostile.canaries.garden import APP, BROKEN, OTHER, Garden, Place, in_jinja, in_yaml
from tests.hostile.canaries.standins import STANDINS

Travel = Callable[[Garden, Canary, str], None]
"""Plants a canary whose secret place is known by a pattern of its reason."""


def _give(garden: Garden, canary: Canary, text: str) -> None:
    garden.give(APP, f"travels.{canary.name}", text)


def _place(garden: Garden, canary: Canary, reason: str, *path: str) -> None:
    garden.places.append(Place(canary, APP, path, reason))


def _import(garden: Garden, canary: Canary, reason: str) -> None:
    name = f"lib/{canary.name}.jinja"
    garden.files[f"pillar/base/{name}"] = (
        f"{{% set held = {in_jinja(canary.text)} %}}\n"
        "{% macro give(x) %}{{ x }}:{{ held }}:{{ around }}{% endmacro %}\n"
    )
    text = (
        "{% set around = 'ctl' %}\n"
        f'{{% from "{name}" import give, held with context %}}\n'
        f"t-{canary.name}:\n  given: {{{{ give('x') | yaml_dquote }}}}\n"
        "  held: {{ held | yaml_dquote }}\n"
    )
    _give(garden, canary, text)
    _place(garden, canary, reason, f"t-{canary.name}")


def _import_data(garden: Garden, canary: Canary, reason: str) -> None:
    name = f"lib/{canary.name}.yml"
    garden.files[f"pillar/base/{name}"] = f"word: {in_yaml(canary.value)}\nhost: ctl\n"
    text = (
        f'{{% import_yaml "{name}" as data %}}\n{{% import_text "{name}" as all %}}\n'
        f"t-{canary.name}:\n  data: {{{{ data | json }}}}\n"
        "  text: {{ all | yaml_dquote }}\n"
    )
    _give(garden, canary, text)
    _place(garden, canary, reason, f"t-{canary.name}")


def _include(garden: Garden, canary: Canary, reason: str) -> None:
    name = f"included.{canary.name}"
    garden.files[f"pillar/base/included/{canary.name}.sls"] = (
        f"word: {in_yaml(canary.value)}\nhost: ctl-{canary.name}\n"
    )
    _give(garden, canary, f"include:\n  - {name}: {{key: 't-{canary.name}'}}\n")
    _place(garden, canary, reason, f"t-{canary.name}", "word")
    garden.see(APP, f"t-{canary.name}", "host", value=f"ctl-{canary.name}")


def _include_defaults(garden: Garden, canary: Canary, reason: str) -> None:
    name = f"defaults.{canary.name}"
    garden.files[f"pillar/base/defaults/{canary.name}.sls"] = (
        f"t-{canary.name}:\n  word: {{{{ given | yaml_dquote }}}}\n  host: ctl\n"
    )
    given = f"{{defaults: {{given: {in_yaml(canary.value)}}}}}"
    _give(garden, canary, f"include:\n  - {name}: {given}\n")
    _place(garden, canary, reason, f"t-{canary.name}")


def _jinja_include(garden: Garden, canary: Canary, reason: str) -> None:
    name = f"lib/{canary.name}.txt"
    garden.files[f"pillar/base/{name}"] = f"word: {in_yaml(canary.value)}"
    _give(garden, canary, f't-{canary.name}:\n  {{% include "{name}" %}}\n  host: ctl\n')
    _place(garden, canary, reason, f"t-{canary.name}")


def _overridden(garden: Garden, canary: Canary, _: str) -> None:
    key = f"t-{canary.name}"
    _give(garden, canary, f"{key}:\n  word: {in_yaml(canary.value)}\n")
    garden.give(APP, f"later.{canary.name}", f"{key}:\n  word: ctl-later\n  host: ctl\n")
    garden.see(APP, key, "word", value="ctl-later")


def _overriding(garden: Garden, canary: Canary, reason: str) -> None:
    key = f"t-{canary.name}"
    _give(garden, canary, f"{key}:\n  word: ctl-before\n")
    garden.give(APP, f"later.{canary.name}", f"{key}:\n  word: {in_yaml(canary.value)}\n")
    _place(garden, canary, reason, key, "word")


def _replaced_mapping(garden: Garden, canary: Canary, _: str) -> None:
    key = f"t-{canary.name}"
    _give(garden, canary, f"{key}:\n  word: {{below: [{in_yaml(canary.value)}]}}\n")
    garden.give(APP, f"later.{canary.name}", f"{key}:\n  word: ctl-text\n")
    garden.see(APP, key, "word", value="ctl-text")


def _function(garden: Garden, canary: Canary, reason: str) -> None:
    calls = garden.section.setdefault("functions", {}).setdefault("vault.read", {"$calls": []})
    calls["$calls"].append({"args": [canary.name], "answer": {"word": canary.value}})
    text = f"t-{canary.name}: {{{{ salt['vault.read']('{canary.name}') | json }}}}\n"
    _give(garden, canary, text)
    _place(garden, canary, f"{reason}|answer of .?vault.read", f"t-{canary.name}", "word")


def _mine(garden: Garden, canary: Canary, reason: str) -> None:
    mine = garden.minions[APP].setdefault("mine", {})
    mine[f"get.{canary.name}"] = {"word": canary.value}
    text = f"t-{canary.name}: {{{{ salt['mine.get']('*', 'get.{canary.name}') | json }}}}\n"
    _give(garden, canary, text)
    _place(garden, canary, reason, f"t-{canary.name}")


def _stacked(garden: Garden, canary: Canary, reason: str) -> None:
    garden.stack[f"t-{canary.name}"] = {"word": canary.value, "host": "ctl"}
    _place(garden, canary, reason, f"t-{canary.name}", "word")


def _traversed(garden: Garden, canary: Canary, reason: str) -> None:
    """Send it through a file of the stack that reads the pillar of the command line."""
    garden.minions[APP].setdefault("pillar", {})[f"in-{canary.name}"] = {"word": canary.value}
    cfg, file = f"stack/{canary.name}.cfg", f"{canary.name}.yml"
    tier = f"tier-{canary.name}"
    garden.by_pillar[f"pillar:{tier}"] = {canary.text: cfg}
    garden.files[cfg] = f"{file}\n"
    read = f"pillar.get('in-{canary.name}', {{}})['word']"
    garden.files[f"stack/{file}"] = (
        f"t-{canary.name}:\n  word: {{{{ {read} | urlencode | tojson }}}}\n"
    )
    garden.minions[APP]["pillar"][tier] = canary.text
    _place(garden, canary, reason, f"t-{canary.name}")


def _in_hierarchy(garden: Garden, canary: Canary, reason: str) -> None:
    key = f"t-{canary.name}"
    garden.hierarchy.setdefault("_merge", []).append(canary.name)
    garden.files[f"hierarchy/{canary.name}.yaml"] = (
        f"{key}: {{word: {in_yaml(canary.value)}, host: ctl}}\n"
    )
    _place(garden, canary, reason, key, "word")


def _read(garden: Garden, canary: Canary, reason: str) -> None:
    """Have templates make other things of it, which a second render with a stand-in shows."""
    garden.stack[f"r-{canary.name}"] = {"password": canary.value, "host": "ctl"}
    lines = "".join(f"  {name!r}: {{{{ ({text}) | json }}}}\n" for name, text in STANDINS.items())
    read = f"salt['pillar.get']('r-{canary.name}:password')"
    _give(garden, canary, f"{{% set s = {read} | string %}}\nt-{canary.name}:\n{lines}")
    for name in STANDINS:
        _place(garden, canary, reason, f"t-{canary.name}", name)


def _read_sealed(garden: Garden, canary: Canary, _: str) -> None:
    """Do the same with what the gpg renderer opened before Jinja."""
    lines = "".join(f"  {name!r}: {{{{ ({text}) | json }}}}\n" for name, text in STANDINS.items())
    text = f"{{% set sealed %}}\n{garden.seal(canary.text)}\n{{% endset %}}\n"
    garden.give(
        APP,
        f"travels.{canary.name}",
        text + f"{{% set s = sealed | trim %}}\nt-{canary.name}:\n{lines}",
        first_line="#!gpg|jinja -s|yaml\n",
    )
    garden.sealed_only.add(canary.name)
    garden.places += [
        Place(canary, APP, (f"t-{canary.name}", name), "", needs_keys=True) for name in STANDINS
    ]


def _read_literal(garden: Garden, canary: Canary, _: str) -> None:
    """Have templates make other things of what they spell out under a name of a secret."""
    lines = "".join(f"  {name!r}: {{{{ ({text}) | json }}}}\n" for name, text in STANDINS.items())
    given = f"{{% set db_password = {in_jinja(canary.text)} %}}{{% set s = db_password %}}\n"
    _give(garden, canary, f"{given}t-{canary.name}:\n{lines}")
    for name in STANDINS:
        _place(garden, canary, MADE, f"t-{canary.name}", name)


def _read_data(garden: Garden, canary: Canary, _: str) -> None:
    """Do the same with imported data, through a macro of another file."""
    name = f"lib/{canary.name}"
    garden.files[f"pillar/base/{name}.yml"] = f"db: {{password: {in_yaml(canary.value)}}}\n"
    garden.files[f"pillar/base/{name}.jinja"] = "{% macro same(x) %}{{ x }}{% endmacro %}\n"
    lines = "".join(f"  {way!r}: {{{{ ({text}) | json }}}}\n" for way, text in STANDINS.items())
    given = (
        f'{{% import_yaml "{name}.yml" as data %}}{{% from "{name}.jinja" import same %}}\n'
        "{% set s = same(data.db.password) | string %}\n"
    )
    _give(garden, canary, f"{given}t-{canary.name}:\n{lines}")
    for way in STANDINS:
        _place(garden, canary, MADE, f"t-{canary.name}", way)


def _hold_only(garden: Garden, canary: Canary, _: str) -> None:
    """Import it for one minion, which prints nothing of it, and give another a plain copy."""
    name = f"lib/{canary.name}.jinja"
    garden.files[f"pillar/base/{name}"] = (
        f"{{% set map = {{'api_token': {in_jinja(canary.text)}}} %}}\n"
    )
    _give(garden, canary, f'{{% from "{name}" import map %}}\nt-{canary.name}: ctl\n')
    copied = f"t-{canary.name}: {{word: {in_yaml(canary.text.upper())}, host: ctl}}\n"
    garden.give(OTHER, f"copied.{canary.name}", copied)
    garden.places.append(Place(canary, OTHER, (f"t-{canary.name}", "word"), MADE))


def _unnamed(write: Callable[[Canary], str]) -> Travel:
    """Return a travel of a canary whose key tells nothing; the text stands below its own key."""

    def send(garden: Garden, canary: Canary, reason: str) -> None:
        text = "".join(f"  {line}\n" for line in write(canary).splitlines())
        _give(garden, canary, f"t-{canary.name}:\n{text}")
        _place(garden, canary, reason, f"t-{canary.name}")

    return send


def _remark(garden: Garden, canary: Canary, _: str) -> None:
    """Have it in comments only: of an SLS, a template, data, and of an SLS that fails."""
    text, key = canary.text, f"t-{canary.name}"
    garden.files[f"pillar/base/lib/{canary.name}.yml"] = f"# {text}\nword: ctl  # use {text}\n"
    garden.files[f"pillar/base/lib/{canary.name}.jinja"] = f"{{#- {text}\n #}}{{% set w = 1 %}}\n"
    lines = (
        f'{{% import_yaml "lib/{canary.name}.yml" as data %}}{{# {text} #}}\n'
        f'{{% from "lib/{canary.name}.jinja" import w %}}\n'
        f"# first {text}, then\n{key}:\n  host: ctl  # {text}\n# {text}\n"
    )
    _give(garden, canary, lines)
    garden.give(BROKEN, f"broken.{canary.name}", f"# {text}\n{key}: [ctl\n# {text}\n")
    garden.told.add(f"pillar/base/broken/{canary.name}.sls")
    garden.see(APP, key, "host", value="ctl")


def _declare(garden: Garden, canary: Canary, _: str) -> None:
    """Have it in grains, the mine, options and functions, under keys that tell nothing."""
    name, text = canary.name, canary.text
    garden.minions[APP]["grains"][f"list-{name}"] = ["ctl", [text], {"note": f"see {text}"}]
    garden.minions[APP].setdefault("mine", {})[f"get.{name}"] = [f"ctl {text}"]
    garden.master[f"{name}_words"] = ["ctl", {"note": [text]}]
    functions = garden.section.setdefault("functions", {})
    functions[f"vault.read_{name}"] = {"*": ["ctl", text]}
    asked = (
        f"{{{{ grains['list-{name}'] | json }}}}",
        f"{{{{ salt['mine.get']('*', 'get.{name}') | json }}}}",
        f"{{{{ opts['{name}_words'] | json }}}}",
        f"{{{{ salt['vault.read_{name}']() | json }}}}",
    )
    _give(garden, canary, f"t-{name}:\n" + "".join(f"  - {one}\n" for one in asked))


def _key_alone(garden: Garden, canary: Canary, reason: str) -> None:
    path = f"t-{canary.name}"
    _give(garden, canary, f"{path}:\n  words: {{{in_yaml(canary.text)}: [ctl]}}\n")
    garden.places.append(Place(canary, APP, (path, "words"), reason, in_key=True))


UNNAMED: Mapping[str, Travel] = {
    "in a list": _unnamed(lambda one: f"- ctl\n- {in_yaml(one.text)}\n- [[{in_yaml(one.text)}]]"),
    "in a sentence": _unnamed(lambda one: f"note: {in_yaml(f'use {one.text} here, ann')}"),
    "in a block": _unnamed(lambda one: f"file: |\n  # ctl\n  a = 1\n  {one.text}\n  b = 2"),
    "in a folded text": _unnamed(lambda one: f"file: >-\n  some words and then\n  {one.text}\n"),
    "as a key of its own": _key_alone,
    "in another value": _unnamed(
        lambda one: (
            f"a: {in_yaml(one.text)}\nb: {in_yaml(f'--with {one.text} --x')}\nc: [x-{one.text}-y]"
        )
    ),
    "in a set": _unnamed(lambda one: f"words: !!set {{{in_yaml(one.text)}}}"),
    "in remarks": _remark,
    "in declarations": _declare,
}
"""Ways for plain text that only its form makes secret, and no key or name."""
FORMS = ("github token", "gitlab token", "stripe key", "slack token", "dynatrace token")
"""Kinds of secrets that their form gives away in any text."""

TRAVELS: Mapping[str, Travel] = {
    "import with context": _import,
    "import of data": _import_data,
    "include with key": _include,
    "include defaults": _include_defaults,
    "Jinja include": _jinja_include,
    "overridden": _overridden,
    "overriding": _overriding,
    "replaced mapping": _replaced_mapping,
    "declared function": _function,
    "mine": _mine,
    "stack": _stacked,
    "stack traverse": _traversed,
    "hierarchy": _in_hierarchy,
    "pillar.get": _read,
    "gpg before Jinja": _read_sealed,
    "named literal": _read_literal,
    "named data": _read_data,
    "literal that nobody prints": _hold_only,
}
ALONE = frozenset(("gpg before Jinja", "named literal", "named data", "literal that nobody prints"))
"""Travels that make the canary a secret by themselves."""
MADE = "^derived from|^looks random|token$|key$"
"""Why what is made of it is secret."""
