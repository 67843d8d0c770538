"""The minions of a run: as the inventory declares them, with what the command line sets."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pillarbook.compile.matchers import MatcherError, match_id, match_target
from pillarbook.compile.matchers.compound_program import compile_compound, parse_word
from pillarbook.compile.matchers.declared_subject import KnownSubject, declared_subject
from pillarbook.diagnostics import PillarbookError
from pillarbook.inventory.asked_grains import AskedGrains
from pillarbook.inventory.minions import Minion, load_inventory
from pillarbook.inventory.permissions import Permissions
from pillarbook.inventory.settings import Settings
from pillarbook.session.run_options import RunOptions, SharedResources

EXAMPLE = "G@roles:web and not db*"


class TargetError(PillarbookError):
    """The target of the command line cannot be matched."""

    def __init__(self, target: str, reason: str) -> None:
        super().__init__(f"--target '{target}' {reason}")


def describe_asked(options: RunOptions) -> Iterator[str]:
    """Yield notes for a result with only some minions, or with other grains."""
    asked = [", ".join(f"`{glob}`" for glob in options.minions)] if options.minions else []
    asked += [] if options.target is None else [f"the target `{options.target}`"]
    if asked:
        yield f"only minions that match {' and '.join(asked)}"
    if options.as_new is not None:
        yield f"`{options.as_new}` is not in the inventory (--as-new)"
    if options.grains:
        named = ", ".join(f"`{':'.join(one.path)}`" for one in options.grains)
        yield f"with other grains (--grain): {named}"


def matches_globs(minion: str, globs: Sequence[str]) -> bool:
    """Say whether an id matches one of the globs; always True without a glob."""
    return not globs or any(match_id("glob", glob, minion) for glob in globs)


def load_minions(
    settings: Settings,
    options: RunOptions,
    resources: SharedResources,
    *,
    shown: Callable[[Path], str],
    allowed: Permissions,
) -> tuple[Minion, ...]:
    """Return the declared minions, and the one that ``--as-new`` adds.

    They are those of the other session, if it has read the same inventory.

    Raises:
        InventoryError: The inventory has errors, or already has the new minion.
    """
    if resources.minions is not None:
        return resources.minions
    return load_inventory(
        settings.inventory,
        shown=shown,
        reach=allowed.reach,
        named_in=allowed.named_in,
        new=options.as_new,
    )


def as_asked(
    minions: Sequence[Minion], options: RunOptions, nodegroups: Mapping[str, Any]
) -> tuple[list[Minion], frozenset[str]]:
    """Return minions with the options of the command line, and the ids of those of the run.

    Grains are only for the minions of the run, other options for all. They are set after the
    minions are chosen, so a target is matched with the declared grains.

    Raises:
        TargetError: The target is malformed, or asks for pillar.
    """
    grains = AskedGrains(options.grains, (one.grains for one in minions))
    asked = frozenset(_choose(minions, options, nodegroups))
    changed = [_as_asked(one, options, grains if one.id in asked else None) for one in minions]
    return changed, asked


def _choose(
    minions: Sequence[Minion], options: RunOptions, nodegroups: Mapping[str, Any]
) -> Iterator[str]:
    """Yield the ids of the minions of the run."""
    target, new = options.target, options.as_new
    if target is not None:
        _check_target(target, nodegroups)
    is_whole = bool(options.minions) or target is not None or new is None
    for one in minions:
        is_asked = is_whole and matches_globs(one.id, options.minions)
        if is_asked and target is not None:
            is_asked = _matches_target(target, declared_subject(one, nodegroups))
        if is_asked or one.id == new:
            yield one.id


def _check_target(target: str, nodegroups: Mapping[str, Any]) -> None:
    program = compile_compound(target, nodegroups)
    words = [term.word.text for term in program.terms]
    for word in words:
        if parse_word(word)[0] in ("I", "J"):
            reason = f"asks for pillar (`{word}`), but minions are chosen before it is compiled"
            raise TargetError(target, f"{reason}: use ids, grains or nodegroups")
    # A nodegroup that is unknown makes a target malformed, perhaps on one side of a comparison.
    has_groups = any(parse_word(word)[0] == "N" for word in target.split())
    if program.logic is None and not has_groups:
        raise TargetError(target, f"is not a compound target, such as `{EXAMPLE}`")


def _matches_target(target: str, minion: KnownSubject) -> bool:
    try:
        return match_target(target, "compound", minion)
    except MatcherError as error:
        raise TargetError(target, f"cannot be matched: {error}") from error


def _as_asked(minion: Minion, options: RunOptions, grains: AskedGrains | None) -> Minion:
    changes: dict[str, Any] = {}
    if options.pillarenv is not None:
        changes["pillarenv"] = options.pillarenv
    if options.saltenv is not None:
        changes["saltenv"] = options.saltenv
    if options.pillar is not None:
        own = minion.pillar if isinstance(minion.pillar, Mapping) else {}
        changes["pillar"] = {**own, **options.pillar}
    if options.grains and grains is not None:
        changes["grains"] = grains.set_over(minion.grains)
    return replace(minion, **changes) if changes else minion
