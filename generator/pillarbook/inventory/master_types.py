"""The types, values and names of master options: what Salt fails on, warns of, or ignores."""

from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Any

from pillarbook.diagnostics import Diagnostic, new_diagnostic
from pillarbook.inventory.declaration_errors import describe
from pillarbook.inventory.master_files import CODE
from pillarbook.inventory.salt_defaults import master_defaults
from pillarbook.model import Position

_STRATEGY = "pillar_source_merging_strategy"
_NEEDED: Mapping[str, tuple[tuple[type, ...], str]] = {
    "pillar_roots": ((dict, type(None)), "a mapping of environments to lists of folders"),
    "file_roots": ((dict, type(None)), "a mapping of environments to lists of folders"),
    "nodegroups": ((dict, list, type(None)), "a mapping of names to targets"),
    "env_order": ((list, type(None)), "a list of environments"),
    "renderer": ((str,), "a pipe of renderers, such as jinja|yaml"),
    "state_top": ((str,), "the name of the top file, such as top.sls"),
}

_EXPECTED: Mapping[str, tuple[tuple[type, ...], str]] = {
    **dict.fromkeys(
        (
            "pillarenv_from_saltenv",
            "pillar_safe_render_error",
            "pillar_merge_lists",
            "pillar_includes_override_sls",
            "pillar_opts",
            "ext_pillar_first",
            "gpg_decrypt_must_succeed",
            "jinja_trim_blocks",
            "jinja_lstrip_blocks",
            "allow_undefined",
            "state_auto_order",
        ),
        ((bool,), "true or false"),
    ),
    **dict.fromkeys(("pillarenv", "saltenv"), ((str, type(None)), "text; quote a number")),
    **dict.fromkeys(("jinja_env", "jinja_sls_env"), ((dict,), "a mapping of Jinja options")),
    **dict.fromkeys(
        ("renderer_whitelist", "renderer_blacklist", "exclude_ext_pillar"), ((list,), "a list")
    ),
    _STRATEGY: ((str,), "the name of a strategy"),
}

STRATEGIES = ("smart", "recurse", "aggregate", "overwrite", "list", "none")
"""Salt's strategies for merging pillars."""
_OFTEN_MISSPELT = (
    *("pillar_roots", "file_roots", "ext_pillar", _STRATEGY),
    *("pillar_merge_lists", "nodegroups", "top_file_merging_strategy", "state_top"),
)
_MEANT = {"top_file": "state_top", "pillar_merge_strategy": _STRATEGY}
# No other option of Salt is so similar to one of them.
_SIMILAR = 0.85


def check_types(
    declared: Mapping[str, Any], position_of: Callable[..., Position]
) -> list[Diagnostic]:
    """Return the faults of declared options that cannot be used.

    ``position_of('pillar_roots', 'base')`` gives the line of a key.
    """
    faults = [
        new_diagnostic(
            CODE,
            f"'{name}' is {describe(declared[name])}",
            position_of(name),
            path=(name,),
            remedy=f"it must be {words}",
        )
        for name, (types, words) in _NEEDED.items()
        if name in declared and not isinstance(declared[name], types)
    ]
    for kind in ("pillar_roots", "file_roots"):
        if isinstance(declared.get(kind), dict):
            faults.extend(_check_roots(kind, declared[kind], position_of))
    return faults


def warn_of_types(
    declared: Mapping[str, Any], position_of: Callable[..., Position | None]
) -> Iterator[Diagnostic]:
    """Yield warnings for types of which Salt warns, and then uses the values.

    Source: Salt ``salt/config/__init__.py`` (``_validate_opts``).
    """
    for name, (types, words) in _EXPECTED.items():
        if name in declared and not isinstance(declared[name], types):
            yield new_diagnostic(
                "option-type",
                f"the master option '{name}' is {describe(declared[name])}",
                position_of(name),
                path=(name,),
                remedy=f"it must be {words}; Salt uses it as it is, and so does pillarbook",
            )
    for path, message, remedy in chain(
        _find_texts(declared), _find_unknown(declared), _find_groups(declared)
    ):
        yield new_diagnostic(
            "option-type", message, position_of(*path), path=path, remedy=f"write {remedy}"
        )


def _find_texts(declared: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """Yield environments whose folders are a text, each with a message and what to write.

    Source: Salt ``salt/config/__init__.py`` (``_normalize_roots``).
    """
    for kind in ("pillar_roots", "file_roots"):
        for env, folders in (declared.get(kind) or {}).items():
            if isinstance(folders, str):
                message = f"the folders of '{kind}: {env}' are text, so Salt uses none"
                yield (kind, env), message, f"a list, also for one folder: `{env}: [FOLDER]`"


def _find_groups(declared: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """Yield nodegroups that Salt does not use, each with a message and what to write.

    Source: Salt ``salt/utils/minions.py`` (``nodegroup_comp``).
    """
    groups = declared.get("nodegroups")
    for name, members in groups.items() if isinstance(groups, dict) else ():
        if not isinstance(members, str | list):
            message = f"the nodegroup '{name}' is {describe(members)}, so it has no minions"
            yield (
                ("nodegroups", name),
                message,
                "a target, such as `L@web1,web2`, or a list of words",
            )


def _find_unknown(declared: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """Yield options and strategies that Salt does not know, each with a message and the remedy."""
    known = master_defaults()
    for name in (one for one in declared if one not in known):
        from pillarbook.patterns.similar import find_similar  # noqa: PLC0415 (few have own options)

        near = _MEANT.get(name) or find_similar(str(name), _OFTEN_MISSPELT, _SIMILAR)
        if near is not None and near not in declared:
            yield (name,), f"Salt has no master option '{name}', and ignores it", f"`{near}`"
    strategy = declared.get(_STRATEGY)
    if isinstance(strategy, str) and strategy not in STRATEGIES:
        message = (
            f"Salt has no strategy '{strategy}' for '{_STRATEGY}', and merges as with `recurse`"
        )
        yield (_STRATEGY,), f"{message}, but never lists", f"one of {', '.join(STRATEGIES)}"


def _check_roots(
    kind: str, roots: Mapping[Any, Any], position_of: Callable[..., Position]
) -> Iterator[Diagnostic]:
    """Yield faults of environments' names and folders; Salt fails on these without a message."""
    for env, folders in roots.items():
        place = position_of(kind, str(env))
        if not isinstance(env, str):
            message = f"an environment's name in '{kind}' is {describe(env)}, where text is needed"
            remedy = f"put it in quotes: '{env}'"
            yield new_diagnostic(CODE, message, place, path=(kind, env), remedy=remedy)
        for folder in folders if isinstance(folders, list) else ():
            if not isinstance(folder, str):
                message = f"a folder in '{kind}: {env}' is {describe(folder)}"
                remedy = "write each folder as text"
                yield new_diagnostic(CODE, message, place, path=(kind, env), remedy=remedy)
