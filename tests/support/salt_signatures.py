"""How the real Salt's filters, tests and functions are called.

Run by a Python that has Salt, it prints what ``salt_signatures.json`` beside the tests records:
``{"filters": {name: signature}, "tests": ..., "globals": ..., "functions": ..., "words": {filter: what
Python's errors call it}, "wrong": {call: what Python says of it}}``. Names of functions and wrong calls are read from standard input.
"""

import inspect
import json
import sys
from collections.abc import Callable
from typing import Any


def signature_of(function: Callable[..., Any], *, drop_first: bool = False) -> str | None:
    """Return a signature without annotations and without what no caller names.

    With ``drop_first``, the first parameter is the filtered value, which has no name then.
    """
    try:
        found = list(inspect.signature(function).parameters.values())
    except ValueError:  # code in C that does not tell
        return None
    named = [one for one in found if one.kind is not one.POSITIONAL_ONLY]
    known = [one for one in named[drop_first:] if not one.name.startswith("_")]
    return ", ".join(map(_show, known))


def _show(parameter: inspect.Parameter) -> str:
    if parameter.kind is parameter.VAR_POSITIONAL:
        return "*"
    if parameter.kind is parameter.VAR_KEYWORD:
        return "**"
    default = "" if parameter.default is parameter.empty else f"={_show_default(parameter.default)}"
    return f"{parameter.name}{':' if parameter.kind is parameter.KEYWORD_ONLY else ''}{default}"


def _show_default(default: Any) -> str:
    return repr(default) if default is None or isinstance(default, str | int | tuple) else "..."


def _ask_salt(names: list[str], calls: dict[str, Any]) -> dict[str, Any]:
    import jinja2  # noqa: PLC0415 (what follows is there where Salt is)
    import salt.config  # noqa: PLC0415
    import salt.loader  # noqa: PLC0415
    import salt.utils.jinja  # noqa: PLC0415
    import salt.utils.templates  # noqa: PLC0415
    from salt.utils.decorators import jinja as marked  # noqa: PLC0415

    options = salt.config.DEFAULT_MINION_OPTS.copy()
    options.update(file_client="local", grains={}, id="m", extension_modules="/nonexistent")
    modules = salt.loader.minion_mods(options)
    extended = jinja2.Environment(extensions=[salt.utils.jinja.SerializerExtension])  # noqa: S701
    before = jinja2.Environment().filters  # noqa: S701
    filters = {
        name: function
        for name, function in extended.filters.items()
        if before.get(name) is not function
    }
    filters.update(marked.JinjaFilter.salt_jinja_filters)
    del filters["indent"]  # Salt puts Jinja's own back

    def sign(found: dict[str, Any], *, drop_first: bool) -> dict[str, str | None]:
        return {name: signature_of(found[name], drop_first=drop_first) for name in sorted(found)}

    wrong = {}
    for call, (name, arguments, given) in calls.items():
        try:
            modules[name](*arguments, **given)
        except TypeError as error:
            wrong[call] = str(error)
    return {
        "filters": sign(filters, drop_first=True),
        "tests": sign(marked.JinjaTest.salt_jinja_tests, drop_first=True),
        "globals": sign(marked.JinjaGlobal.salt_jinja_globals, drop_first=False),
        "functions": sign({name: modules[name] for name in names}, drop_first=False),
        "words": {name: getattr(filters[name], "__qualname__", None) for name in sorted(filters)},
        "wrong": wrong,
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(_ask_salt(*json.load(sys.stdin)), indent=1) + "\n")
