"""What is written: the configuration, the inventory, and the master file where there is none."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

import yaml

from pillarbook.bootstrap.grow_fleet import USUAL, Grown
from pillarbook.bootstrap.guess_minions import NewMinion
from pillarbook.bootstrap.known_minions import KnownMinions
from pillarbook.bootstrap.private_grains import shown_values, shows_secret
from pillarbook.bootstrap.yaml_lines import as_yaml
from pillarbook.model.phrases import and_more

MAX_REASONS = 2
"""Targets that the comment of a minion names."""
MAX_VALUES = 6
"""Values that the comment of a grain names."""
_CONFIRM = "# Remove the line `guessed: true` of a minion once its id and its grains are right."
LARGE = 200
"""Minions from which on their grains are written without comments."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigTexts:
    """What goes into the MkDocs configuration."""

    site_name: str
    pages: str
    """The folder of hand-written pages."""
    site: str | None
    """The site's folder, where it is not MkDocs' own default."""
    master: str
    inventory: str
    paths: Mapping[str, str] = field(default_factory=dict)
    """Where absolute paths of the master lie here."""
    alternatives: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Whole pillars beside each other."""
    functions: Mapping[str, str] = field(default_factory=dict)
    """What would declare answers of functions, and where each is called first."""
    has_states_beside: bool = False
    """Whether SLS files that nobody gets are states."""


def write_configuration(made: ConfigTexts) -> str:
    """Return the text of a MkDocs configuration."""
    lines = [
        "# Written by `pillarbook init`; `pillarbook build` writes the report that it describes.",
        f"site_name: {as_yaml(made.site_name)}",
        f"docs_dir: {as_yaml(made.pages)}   # pages of your own, in Markdown",
    ]
    if made.site is not None:
        lines.append(f"site_dir: {as_yaml(made.site)}")
    lines += [
        "theme: {name: pillarbook}",
        "plugins:",
        "  - pillarbook:",
        f"      master: {as_yaml(made.master)}",
        f"      inventory: {as_yaml(made.inventory)}",
    ]
    if made.paths:
        lines.append("      paths:   # local folders for the master's absolute paths")
        lines += [f"        {as_yaml(one)}: {as_yaml(made.paths[one])}" for one in made.paths]
    lines += _environments(made.alternatives)
    if made.has_states_beside:
        lines.append("      rules: {unused-sls: off}   # the other SLS files are states")
    lines += _functions(made.functions)
    return "\n".join(lines) + "\n"


def _environments(alternatives: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    if alternatives:
        yield "      environments:   # whole pillars, each compared with the first"
    for name, folders in alternatives.items():
        roots = as_yaml({"pillar_roots": {"base": list(folders)}})
        yield f"        - {as_yaml(name)}: {roots}"


def _functions(functions: Mapping[str, str]) -> Iterator[str]:
    """Yield lines that declare answers, as comments: only their authors know them."""
    if functions:
        yield "      # Templates call these functions, and only a live Salt can answer. Their"
        yield "      # values are unknown until you replace the dots with the answers:"
        yield "      # functions:"
    for declared, place in functions.items():
        yield f"      #   {_one_line(declared, 300)}   # {place}"


def write_inventory(grown: Grown, known: KnownMinions | None) -> str:
    """Return the text of an inventory."""
    minions = [*grown.fleet.minions.values()]
    is_guessed = any(one.is_guessed for one in minions)
    if known is None:
        head = [
            "# The minions of this pillar, guessed by `pillarbook init` from the targets of the",
            "# top files. Replace them with your ids, and the grains of `salt '*' grains.items`.",
            _CONFIRM,
        ]
    elif not is_guessed:
        head = [f"# The minions of {known.what}, as `pillarbook init` found them."]
    else:
        head = [
            f"# The minions of {known.what}. Grains are guessed by `pillarbook init` from the",
            "# targets of the top files; `salt '*' grains.items` or salt-ssh prints the real ones.",
            _CONFIRM,
        ]
    if len(minions) > LARGE:
        return "\n".join(head) + "\n" + _dump(minions)
    lines = [*head, *_suggest(grown), "minions:"]
    for one in minions:
        lines += (f"  {line}" for line in write_minion(one))
    return "\n".join(lines) + "\n"


def _dump(minions: Sequence[NewMinion]) -> str:
    marked = {True: {"guessed": True}, False: {}}
    data = {
        "minions": {one.id: {**marked[one.is_guessed], "grains": one.grains} for one in minions}
    }
    return yaml.dump(
        data, Dumper=yaml.CSafeDumper, sort_keys=False, allow_unicode=True, default_flow_style=False
    )


def _suggest(grown: Grown) -> Iterator[str]:
    """Yield, as comments, the grains that templates read and that nobody has yet."""
    missing = grown.study.missing()
    if missing:
        yield "#"
        yield "# Templates read these grains, too; give them to the minions that have them:"
        yield "# defaults:"
        yield "#   grains:"
    for grain in missing:
        values = shown_values(grain, grown.study.values_of(grain))
        example = as_yaml(values[0]) if values else "..."
        place = next(map(grown.shown, grown.study.places_of(grain)), "").removesuffix(": ")
        others = ", ".join(map(as_yaml, values[1:MAX_VALUES]))
        yield f"#     {as_yaml(grain)}: {example}   # {place}{'; or ' if others else ''}{others}"


def write_minion(one: NewMinion) -> Iterator[str]:
    """Yield the lines of a minion, without the indentation of the inventory."""
    targets = (str(requirement.expression) for requirement in one.reasons)
    reasons = dict.fromkeys(f"'{target}'" for target in targets if not shows_secret(target))
    named = _one_line(", ".join([*reasons][:MAX_REASONS]))
    comment = f"   # for {named}{and_more(len(reasons) - MAX_REASONS)}" if named else ""
    if not one.grains and not one.is_guessed:
        yield f"{as_yaml(one.id)}: {{}}{comment}"
        return
    yield f"{as_yaml(one.id)}:{comment}"
    if one.is_guessed:
        yield "  guessed: true"
    if one.grains:
        yield "  grains:"
    yield from (f"    {write_grain(one, grain)}" for grain in one.grains)


def write_grain(one: NewMinion, grain: str) -> str:
    """Return the line of a grain, with the reason for its value if it is guessed."""
    why = one.guesses.get(grain)
    word = "" if why is None else "   # guessed" if why == USUAL else f"   # guessed: {why}"
    return f"{as_yaml(grain)}: {as_yaml(one.grains[grain])}{word}"


def _one_line(text: str, most: int = 100) -> str:
    return "".join(sign if sign.isprintable() else "?" for sign in text)[:most]


def name_of(folder: str) -> str:
    """Return what to call the report of a folder."""
    name = PurePosixPath(folder).name
    clean = name.encode("utf-8", "replace").decode().replace("?", "_")
    return clean if clean.isprintable() and clean else "Pillar"
