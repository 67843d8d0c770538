"""Options of several commands."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import click

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


def configuration_option(command: Function) -> Function:
    """Add the option that names the configuration of a site."""
    return click.option(
        "-f",
        "--config-file",
        type=READABLE,
        default=Path("mkdocs.yml"),
        show_default=True,
        help="MkDocs configuration with a pillarbook section.",
    )(command)


def clock_option(command: Function) -> Function:
    """Add the option that declares the current time."""
    return click.option(
        "--clock",
        callback=parse_clock,
        metavar="TIME",
        help=f"Current time for templates, in UTC, such as {EXAMPLE}.",
    )(command)


def parse_clock(_context: click.Context, _option: click.Parameter, text: str | None) -> Any:
    """Return the clock of ``--clock TIME``."""
    if text is None:
        return None
    time = parse_time(text)
    if time is None:
        raise click.BadParameter(f"give {WANTED}")
    return Clock(time, "--clock")


def trust_options(command: Function) -> Function:
    """Add the options that permit reading and running more."""
    return _trust_options("Trust the configuration: allow code, keys and outside paths.", command)


def site_trust_options(command: Function) -> Function:
    """Add the same options for a site, which MkDocs builds."""
    words = "Trust the configuration: allow hooks, plugins, code, keys and outside paths."
    return _trust_options(words, command)


def site_options(command: Function) -> Function:
    """Add the options of a command that writes a site."""
    for decorate in (
        site_trust_options,
        click.option(
            "--strict", is_flag=True, help="On any error, publish nothing and exit with 1."
        ),
        click.option(
            "--site-dir",
            type=click.Path(path_type=Path),
            help="Folder for the site; overrides `site_dir`.",
        ),
        configuration_option,
    ):
        command = decorate(command)
    return command


def link_trust_options(command: Function) -> Function:
    """Add the same options for a command that reads and writes files, and compiles nothing."""
    return _trust_options("Follow links of the tree that lead outside.", command)


def _trust_options(words: str, command: Function) -> Function:
    with_trust = click.option(
        "--trust", is_flag=True, envvar="PILLARBOOK_TRUST", show_envvar=True, help=words
    )(command)
    return click.option(
        "--allow",
        type=READABLE,
        multiple=True,
        metavar="DIR",
        help="Also read this folder outside the repository, and write to it through links; "
        "repeatable.",
    )(with_trust)


def declared_options(command: Function) -> Function:
    """Add the options that declare the fleet, and ``--trust``."""
    for decorate in (
        clock_option,
        trust_options,
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
    ):
        command = decorate(command)
    return command


def minion_option(
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


def chosen_minions_options(command: Function) -> Function:
    """Add the options that name minions, by their ids or by what Salt's targets ask for."""
    with_target = click.option(
        "--target",
        metavar="COMPOUND",
        shell_complete=complete_minions,
        help="Only minions that match this compound target, such as 'G@roles:web and not db*'. "
        "With --minion, both must match.",
    )(command)
    return minion_option()(with_target)


def format_option(command: Function) -> Function:
    """Add the option for the output format."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
        help="Output format, for people or for programs.",
    )(command)


def output_option(command: Function) -> Function:
    """Add the option that names a file for the output."""
    return click.option(
        "--output", type=READABLE, help="Write to this file, not to standard output."
    )(command)


def since_report_option(command: Function) -> Function:
    """Add the option that names an earlier report to compare with."""
    return click.option(
        "--since-report",
        metavar="URL-OR-PATH",
        help="Compare with the commit of an earlier report: the address or folder of its site.",
    )(command)


def environment_options(command: Function) -> Function:
    """Add the options for the environments of minions."""
    for decorate in (
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
    ):
        command = decorate(command)
    return command


def jobs_option(command: Function) -> Function:
    """Add the option for the number of processes."""
    return click.option(
        "--jobs",
        type=click.IntRange(min=1),
        metavar="N",
        help="Number of processes; the output is the same."
        " [default: depends on processors and minions]",
    )(command)


def code_options(command: Function) -> Function:
    """Add the options for code in the tree and for renderers that Salt removed."""
    for decorate in (
        click.option(
            "--renderer",
            "renderers",
            type=click.Choice(["wempy"]),
            multiple=True,
            metavar="NAME",
            help="Use a renderer that Salt removed: wempy, which needs --python.",
        ),
        click.option("--python", is_flag=True, help="Run renderers that execute code of the tree."),
    ):
        command = decorate(command)
    return command
