"""What is written: the configuration, the inventory, and the master file where there is none."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

import yaml

from pillarbook.bootstrap.grow_fleet import USUAL, Grown
from pillarbook.bootstrap.guess_minions import NewMinion
from pillarbook.bootstrap.import_minions import grains_file, write_grains
from pillarbook.bootstrap.known_minions import KnownMinions
from pillarbook.bootstrap.listing import lies_in
from pillarbook.bootstrap.new_files import NewFiles
from pillarbook.bootstrap.private_grains import GrainChoice, shown_values, shows_secret
from pillarbook.bootstrap.refresh_inventory import add_minions
from pillarbook.bootstrap.yaml_lines import as_yaml
from pillarbook.inventory.declaration_errors import InventoryError
from pillarbook.inventory.minions import load_inventory
from pillarbook.model.phrases import and_more, count

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


INVENTORY = "minions.yml"
BESIDE = "pillarbook-minions.yml"
"""The inventory beside a file of that name that is none."""


@dataclass(frozen=True, slots=True)
class FirstInventory:
    """What was done about an inventory."""

    name: str
    said: tuple[str, ...]
    """What was written, kept and left out: a line each."""
    guesses: tuple[str, ...] = ()
    """What was made up, and is to be looked over: a line each."""


def keep_private_out(known: KnownMinions | None) -> tuple[KnownMinions | None, tuple[str, ...]]:
    """Return known minions without private grains and secrets, and the names of those."""
    if known is None:
        return None, ()
    choice = GrainChoice()
    minions = tuple(replace(one, grains=choice.choose(one.grains)) for one in known.minions)
    return replace(known, minions=minions), tuple(choice.left_out)


def write_first_inventory(
    new: NewFiles, grown: Grown, known: KnownMinions | None, left_out: tuple[str, ...]
) -> FirstInventory:
    """Write the inventory, unless there is one.

    ``known`` says where the minions are from, None if they are made up; ``left_out`` are private
    grains that none of them has here.

    Raises:
        CannotWriteError: A file cannot be written.
    """
    if lies_in(new.folder, INVENTORY) and _is_inventory(new):
        return FirstInventory(INVENTORY, (f"{INVENTORY}: found, not changed",))
    is_free = new.is_free(INVENTORY) and new.is_free(_grains_of(INVENTORY))
    name = INVENTORY if is_free else new.free_name(BESIDE, BESIDE)
    if known is not None and known.is_sure:
        grains = {one.id: one.grains for one in known.minions}
        new.write(_grains_of(name), write_grains(grains))
        new.write(name, add_minions("", grains, _grains_of(name), name))
    else:
        new.write(name, write_inventory(grown, known))
    return FirstInventory(
        name,
        tuple(_describe(new, name, grown, known, left_out)),
        tuple(_describe_guesses(name, grown, known)),
    )


def _grains_of(inventory: str) -> str:
    return grains_file(Path(inventory)).name


def _describe(
    new: NewFiles, name: str, grown: Grown, known: KnownMinions | None, left_out: tuple[str, ...]
) -> Iterator[str]:
    ids = count(len(grown.fleet.minions), "minion")
    origin = f"of {known.what}" if known else "guessed from the targets of the top files"
    yield f"{name}: written, {ids} {origin}"
    if left_out:
        yield (
            f"not imported, for privacy: {', '.join(left_out)};"
            " `pillarbook inventory import --grains` imports them"
        )
    if name != INVENTORY and not new.is_free(INVENTORY):
        yield f"{INVENTORY} is not an inventory, and does not change"


def _describe_guesses(name: str, grown: Grown, known: KnownMinions | None) -> Iterator[str]:
    if known is None:
        yield (
            f"{name}: ids and grains are invented (`guessed: true`); replace them with yours. To"
            " get them from Salt: `salt '*' grains.items --out=json > grains.json`, then"
            " `pillarbook inventory import grains.json"
            f"{'' if name == INVENTORY else f' --output {name}'} --replace-guessed`"
        )
    yield from _describe_guessed(grown, name)


def _describe_guessed(grown: Grown, inventory: str) -> Iterator[str]:
    """Yield what grains were made up, those that Salt finds out itself in one line."""
    guessed: dict[str, dict[str, str]] = {}
    for one in grown.fleet.minions.values():
        for grain, why in one.guesses.items():
            guessed.setdefault(grain, {})[one.id] = why
    usual = [grain for grain, whys in guessed.items() if USUAL in whys.values()]
    if usual:
        yield f"{inventory}: usual values are guessed for the grains {', '.join(usual)}"
    for grain, whys in guessed.items():
        if grain not in usual:
            first = next(iter(whys))
            value = as_yaml(grown.fleet.minions[first].grains[grain])
            whom = first if len(whys) == 1 else f"{len(whys):,} minions"
            yield (
                f"{inventory}: the grain '{grain}' is guessed to be {value} on {whom} "
                f"({whys[first]}); correct it"
            )


def _is_inventory(new: NewFiles) -> bool:
    try:
        return bool(load_inventory([new.folder / INVENTORY], shown=str))
    except InventoryError:
        return False
