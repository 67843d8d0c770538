"""Canaries in names: files, SLS, environments, ids, grains, targets, nodegroups, options."""

from collections.abc import Callable, Mapping

from tests.hostile.canaries.canary import Canary
from tests.hostile.canaries.garden import APP, OTHER, Garden, in_yaml

Naming = Callable[[Garden, Canary], None]


def _file(garden: Garden, canary: Canary) -> None:
    name = f"lib/{canary.text}.jinja"
    garden.files[f"pillar/base/{name}"] = "{% set word = 'ctl-file' %}\n"
    text = f'{{% from "{name}" import word %}}\n{canary.name}: {{word: {{{{ word }}}}}}\n'
    garden.give(APP, f"names.{canary.name}", text)
    garden.see(APP, canary.name, "word", value="ctl-file")


def _sls(garden: Garden, canary: Canary) -> None:
    garden.give(APP, f"names.{canary.text}", f"{canary.name}: {{word: ctl-sls}}\n")
    garden.see(APP, canary.name, "word", value="ctl-sls")


def _folder(garden: Garden, canary: Canary) -> None:
    garden.give(OTHER, f"{canary.text}.app.{canary.name}", f"{canary.name}: {{word: ctl-dir}}\n")
    garden.see(OTHER, canary.name, "word", value="ctl-dir")


def _environment(garden: Garden, canary: Canary) -> None:
    garden.master["pillar_roots"][canary.text] = ["pillar/named"]
    garden.files["pillar/named/top.sls"] = f"{canary.text}: {{'{OTHER}': [there]}}\n"
    garden.files["pillar/named/there.sls"] = f"{canary.name}: {{word: ctl-env}}\n"
    garden.see(OTHER, canary.name, "word", value="ctl-env")


def _pinned(garden: Garden, canary: Canary) -> None:
    """Pin a minion to an environment of that name."""
    garden.master["pillar_roots"][canary.text] = ["pillar/pinned"]
    garden.files["pillar/pinned/top.sls"] = f"{canary.text}: {{'pinned*': [there]}}\n"
    garden.files["pillar/pinned/there.sls"] = f"{canary.name}: {{word: ctl-pin}}\n"
    garden.minions["pinned1.example.com"] = {"pillarenv": canary.text, "saltenv": canary.text}
    garden.see("pinned1.example.com", canary.name, "word", value="ctl-pin")


def _minion(garden: Garden, canary: Canary) -> None:
    garden.minions[f"{canary.text}.example.com"] = {"grains": {"os": "ctl-os"}}


def _minion_part(garden: Garden, canary: Canary) -> None:
    garden.minions[f"db-{canary.text}_1"] = {"grains": {"os": "ctl-os"}}


def _grain_name(garden: Garden, canary: Canary) -> None:
    garden.minions[OTHER]["grains"][canary.text] = "ctl-grain"
    text = f"{canary.name}: {{word: {{{{ grains['{canary.text}'] }}}}}}\n"
    garden.give(OTHER, f"names.{canary.name}", text)
    garden.see(OTHER, canary.name, "word", value="ctl-grain")


def _missing_grain(garden: Garden, canary: Canary) -> None:
    text = f"{canary.name}: {{word: {{{{ grains.get('{canary.text}', 'ctl-none') }}}}}}\n"
    garden.give(OTHER, f"names.{canary.name}", text)
    garden.see(OTHER, canary.name, "word", value="ctl-none")


def _grain_value(garden: Garden, canary: Canary) -> None:
    garden.minions[OTHER]["grains"][f"word-{canary.name}"] = canary.value
    garden.minions[OTHER]["grains"][f"list-{canary.name}"] = ["ctl", f"x-{canary.text}"]


def _grain_key(garden: Garden, canary: Canary) -> None:
    garden.minions[OTHER]["grains"][f"map-{canary.name}"] = {"a": {canary.text: {"b": "ctl"}}}


def _target(garden: Garden, canary: Canary) -> None:
    garden.minions[OTHER]["grains"]["stage"] = canary.text
    garden.give(f"G@stage:{canary.text}", f"names.{canary.name}", f"{canary.name}: ctl-target\n")
    garden.give(f"{canary.text}*", f"names.{canary.name}", f"{canary.name}: ctl-target\n")
    garden.see(OTHER, canary.name, value="ctl-target")


def _nodegroup(garden: Garden, canary: Canary) -> None:
    garden.master.setdefault("nodegroups", {})[canary.text] = f"{OTHER} or G@stage:{canary.text}"
    garden.give(f"N@{canary.text}", f"names.{canary.name}", f"{canary.name}: ctl-group\n")
    garden.see(OTHER, canary.name, value="ctl-group")


def _option(garden: Garden, canary: Canary) -> None:
    garden.master[f"{canary.name}_password"] = canary.value
    garden.master[f"{canary.name}_word"] = {canary.text: ["ctl-option", canary.value]}
    text = f"{canary.name}: {{{{ salt['config.get']('{canary.name}_word') | json }}}}\n"
    garden.give(APP, f"names.{canary.name}", text)


def _missing(garden: Garden, canary: Canary) -> None:
    """Name what is not there: an SLS in the top file, an include, an import."""
    garden.top.setdefault(OTHER, []).append(f"gone.{canary.text}")
    garden.give(OTHER, f"names.{canary.name}", f"include: [gone.{canary.text}.too]\nn: ctl\n")


def _comment(garden: Garden, canary: Canary) -> None:
    text = (
        f"{{# {canary.text} #}}\n# {canary.text}\n"
        f"{canary.name}: {{word: ctl-comment}} # {in_yaml(canary.text)}\n"
    )
    garden.give(OTHER, f"names.{canary.name}", text)
    garden.see(OTHER, canary.name, "word", value="ctl-comment")


NAMINGS: Mapping[str, Naming] = {
    "file name": _file,
    "SLS name": _sls,
    "folder name": _folder,
    "environment name": _environment,
    "pillarenv": _pinned,
    "minion id": _minion,
    "part of a minion id": _minion_part,
    "grain name": _grain_name,
    "missing grain": _missing_grain,
    "grain value": _grain_value,
    "grain key": _grain_key,
    "target": _target,
    "nodegroup": _nodegroup,
    "master option": _option,
    "missing SLS": _missing,
    "comment in a template": _comment,
}
"""Each puts a canary where names are, that is a name itself."""
