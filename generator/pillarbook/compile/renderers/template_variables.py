"""The variables of a template, for any template engine.

Source: Salt ``salt/utils/templates.py`` (``wrap_tmpl_func``, ``generate_sls_context``).
"""

import pathlib
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Protocol

from pillarbook.compile.renderers.render_context import RenderContext
from pillarbook.compile.renderers.render_errors import RenderError
from pillarbook.compile.renderers.yamlex_names import as_salt_gives
from pillarbook.compile.watched_data import unwatched

RENDER = "wrap_tmpl_func.<locals>.render_tmpl()"
POSITIONAL: Mapping[str, str] = MappingProxyType({"template_file": "render()", "tmplsrc": RENDER})
"""Names that Salt passes by position, with the name of the function."""


class TemplateData(Protocol):
    """The parts of a minion that a template can read."""

    @property
    def salt(self) -> Any:
        """The functions."""

    @property
    def grains(self) -> Mapping[str, Any]:
        """The grains."""

    @property
    def opts(self) -> Mapping[str, Any]:
        """The options."""

    @property
    def pillar(self) -> Mapping[str, Any]:
        """The pillar that SLS files see during rendering."""


def template_variables(context: RenderContext, seen: TemplateData, **more: Any) -> dict[str, Any]:
    """Return the variables of an SLS's template.

    Raises:
        RenderError: A default of an include has a name that Salt sets itself.
    """
    own = {
        "salt": seen.salt,
        "grains": seen.grains,
        "opts": seen.opts,
        "pillar": seen.pillar,
        "saltenv": as_salt_gives(context.saltenv),
        "sls": context.sls,
        "to_str": True,
        **({"_pillar_rend": True} if context.is_pillar else {}),
        **more,
    }
    for name in context.defaults:
        if name in own:
            raise RenderError(
                f"salt.utils.templates.{RENDER} got multiple values for keyword argument '{name}'"
            )
        if name in POSITIONAL:
            raise RenderError(f"{POSITIONAL[name]} got multiple values for argument '{name}'")
    given = dict(context.defaults)
    try:
        given.update(unwatched(given.pop("context", None)) or {})
    except (TypeError, ValueError) as error:
        raise RenderError(str(error), foreign=True) from error
    for name in ("from_str", "to_str"):  # arguments of Salt's function, and no variables
        own.pop(name, None)
        given.pop(name, None)
    path = given.pop("tmplpath", context.path)
    return {**sls_variables(str(path), context.sls), **own, **given}


# By both names, which determine the result; one SLS is rendered for many minions. Minions share the
# result, so it must not be changed.
@lru_cache(maxsize=4096)
def sls_variables(path: str, sls: str) -> Mapping[str, str]:
    """Return the variables with the location of a template.

    Source: Salt ``salt/utils/templates.py`` (``generate_sls_context``).
    """
    sls_path = sls.replace(".", "/").rstrip("/")
    template = pathlib.PurePath(path).as_posix()
    if not sls:
        template = template.rsplit("/", 1)[-1]
    elif template.endswith(f"{sls_path}.sls"):
        template = f"{sls_path}.sls"
    elif template.endswith(f"{sls_path}/init.sls"):
        template = f"{sls_path}/init.sls"
    else:
        folder = pathlib.PurePath(sls).parent.as_posix()
        return {"tplpath": path, "tplfile": sls, "tpldir": folder}
    folder = template.rsplit("/", 1)[0] if "/" in template else ""
    return {
        "tplpath": path,
        "tplfile": template,
        "tpldir": folder or ".",
        "tpldot": folder.replace("/", "."),
        "slspath": folder,
        "slsdotpath": folder.replace("/", "."),
        "slscolonpath": folder.replace("/", ":"),
        "sls_path": folder.replace("/", "_"),
    }
