"""Options of several commands."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import click

from pillarbook.cli.timing import Timing
from pillarbook.cli.watched_command import TIMING
from pillarbook.inventory.asked_grains import AskedGrain
from pillarbook.inventory.declared_clock import EXAMPLE, WANTED, Clock, parse_time

Function = TypeVar("Function", bound=Callable[..., Any])
READABLE = click.Path(path_type=Path)
Complete: TypeAlias = Callable[[click.Context, click.Parameter, str], list[str]]


def _late(complete: Callable[[Any, click.Context, str], list[str]]) -> Complete:
    """Return what completes a word for the shell with the functions of ``complete_names``."""

    def run(context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
        from pillarbook.cli import complete_names  # noqa: PLC0415 (a key press needs it, no command)

        return complete(complete_names, context, incomplete)

    return run


complete_minions = _late(lambda names, *asked: names.complete_minions(*asked))
complete_keys = _late(lambda names, *asked: names.complete_keys(*asked))
complete_pillarenvs = _late(
    lambda names, *asked: names.complete_environments(*asked, "pillar_roots")
)
complete_saltenvs = _late(lambda names, *asked: names.complete_environments(*asked, "file_roots"))


class RuleChoice(click.Choice[str]):
    """A choice of rules and other words; the error for another word names a similar one."""

    def __init__(self, rules: Iterable[str], words: Sequence[str] = ()) -> None:
        super().__init__([*words, *rules])
        self._words = words

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the word."""
        if value not in self.choices:
            self.fail(describe_unknown_rule(str(value), self.choices, self._words), param, ctx)
        return super().convert(value, param, ctx)


def describe_unknown_rule(code: str, known: Iterable[str], words: Sequence[str] = ()) -> str:
    """Return the error for a rule that does not exist, where other words may be given as well."""
    from pillarbook.patterns.similar import find_similar  # noqa: PLC0415 (only for an error)

    near = find_similar(code, list(known))
    besides = f"other words are {', '.join(words)}; " if words else ""
    hint = f"did you mean '{near}'?" if near else f"{besides}`pillarbook rule` lists all rules"
    return f"there is no rule '{code}'; {hint}"


def join_options(*options: Callable[[Any], Any]) -> Callable[[Function], Function]:
    """Return what adds several options to a command; its help lists the last one first."""

    def add(command: Function) -> Function:
        for option in options:
            command = option(command)
        return command

    return add


def parse_clock(_context: click.Context, _option: click.Parameter, text: str | None) -> Any:
    """Return the clock of ``--clock TIME``."""
    if text is None:
        return None
    time = parse_time(text)
    if time is None:
        raise click.BadParameter(f"give {WANTED}")
    return Clock(time, "--clock")


def _trust_options(words: str) -> Callable[[Function], Function]:
    return join_options(
        click.option(
            "--trust", is_flag=True, envvar="PILLARBOOK_TRUST", show_envvar=True, help=words
        ),
        click.option(
            "--allow",
            type=READABLE,
            multiple=True,
            metavar="DIR",
            help="Also read this folder outside the repository, and write to it through links; "
            "repeatable.",
        ),
    )


configuration = click.option(
    "-f",
    "--config-file",
    type=READABLE,
    default=Path("mkdocs.yml"),
    show_default=True,
    help="MkDocs configuration with a pillarbook section.",
)
"""Names the configuration of a site."""
clock = click.option(
    "--clock",
    callback=parse_clock,
    metavar="TIME",
    help=f"Current time for templates, in UTC, such as {EXAMPLE}.",
)
"""Declares the current time."""
trust = _trust_options("Trust the configuration: allow code, keys and outside paths.")
"""Permit reading and running more."""
site_trust = _trust_options(
    "Trust the configuration: allow hooks, plugins, code, keys and outside paths."
)
"""The same for a site, which MkDocs builds."""
link_trust = _trust_options("Follow links of the tree that lead outside.")
"""The same for a command that reads and writes files, and compiles nothing."""
site = join_options(
    site_trust,
    click.option("--strict", is_flag=True, help="On any error, publish nothing and exit with 1."),
    click.option(
        "--site-dir",
        type=click.Path(path_type=Path),
        help="Folder for the site; overrides `site_dir`.",
    ),
    configuration,
)
"""For a command that writes a site."""
declared = join_options(
    clock,
    trust,
    click.option(
        "--inventory",
        type=READABLE,
        multiple=True,
        help="File with the declared minions (YAML or JSON); repeatable.",
    ),
    click.option(
        "--master", type=READABLE, help="Salt's master file; replaces -f, with --inventory."
    ),
    click.option(
        "-f",
        "--config-file",
        type=READABLE,
        help="MkDocs configuration with a pillarbook section. [default: mkdocs.yml]",
    ),
)
"""Declare the fleet, and ``--trust``."""


def minion(
    words: str = "Only minions that match; repeatable.",
) -> Callable[[Function], Function]:
    """Return the option that names minions."""
    return click.option(
        "--minion",
        "minions",
        multiple=True,
        metavar="GLOB",
        shell_complete=complete_minions,
        help=words,
    )


chosen_minions = join_options(
    click.option(
        "--target",
        metavar="COMPOUND",
        shell_complete=complete_minions,
        help="Only minions that match this compound target, such as 'G@roles:web and not db*'. "
        "With --minion, both must match.",
    ),
    minion(),
)
"""Name minions, by their ids or by what Salt's targets ask for."""
text_or_json = click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Output format, for people or for programs.",
)
output = click.option("--output", type=READABLE, help="Write to this file, not to standard output.")
reveal = click.option("--reveal", is_flag=True, help="Decrypt as Salt does, and show secrets.")
since_report = click.option(
    "--since-report",
    metavar="URL-OR-PATH",
    help="Compare with the commit of an earlier report: the address or folder of its site.",
)
environment = join_options(
    click.option(
        "--saltenv",
        metavar="ENV",
        shell_complete=complete_saltenvs,
        help="Use this saltenv for every minion.",
    ),
    click.option(
        "--pillarenv",
        metavar="ENV",
        shell_complete=complete_pillarenvs,
        help="Use this pillarenv for every minion.",
    ),
)
jobs = click.option(
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="Number of processes; the output is the same."
    " [default: depends on processors and minions]",
)
code = join_options(
    click.option(
        "--renderer",
        "renderers",
        type=click.Choice(["wempy"]),
        multiple=True,
        metavar="NAME",
        help="Use a renderer that Salt removed: wempy, which needs --python.",
    ),
    click.option("--python", is_flag=True, help="Run renderers that execute code of the tree."),
)
"""For code in the tree, and for renderers that Salt removed."""


def _parse_new(_context: click.Context, _option: click.Parameter, text: str | None) -> str | None:
    if text == "":
        raise click.BadParameter("the id is empty")
    return text


def _parse_grains(
    _context: click.Context, _option: click.Parameter, texts: Sequence[str]
) -> tuple[AskedGrain, ...]:
    return tuple(map(_parse_grain, texts))


def _parse_grain(text: str) -> AskedGrain:
    key, equals, value = text.partition("=")
    appends = key.endswith("+")
    path = tuple(key.removesuffix("+").split(":"))
    if not equals or "" in path:
        raise click.BadParameter("give KEY=VALUE, such as roles=web")
    if path == ("id",):
        raise click.BadParameter("the grain `id` cannot be set; use --as-new ID")
    return AskedGrain(path, value, appends)


what_if = join_options(
    click.option(
        "--as-new",
        metavar="ID",
        callback=_parse_new,
        help="Add a minion that the inventory does not declare; it gets the defaults.",
    ),
    click.option(
        "--grain",
        "grains",
        multiple=True,
        callback=_parse_grains,
        metavar="KEY=VALUE",
        help="Set this grain, such as roles=web or ec2:region=eu. Repeat a key for a list;"
        " KEY+=VALUE adds to the existing list.",
    ),
)
"""Set grains, and add a minion."""
timing = click.option(
    TIMING,
    type=click.Choice(["text", "json"]),
    callback=lambda _context, _option, form: Timing(form),
    metavar="[=json]",
    help="Print how long each step took; --timing=json prints memory, too.",
)
"""Takes the times of a command's steps."""
