"""From a folder with a pillar tree to a configuration that builds: what ``init`` does.

What exists is never written over. Nothing of the tree is run, and nothing outside is read.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from pillarbook.bootstrap.config_texts import (
    INVENTORY,
    ConfigTexts,
    keep_private_out,
    name_of,
    write_configuration,
    write_first_inventory,
)
from pillarbook.bootstrap.find_masters import OWN
from pillarbook.bootstrap.find_trees import TOP, folder_of
from pillarbook.bootstrap.grow_fleet import Grown, grow
from pillarbook.bootstrap.known_minions import find_known
from pillarbook.bootstrap.listing import (
    CONFIGURATION,
    Listing,
    join,
    lies_in,
    list_files,
    show_places,
)
from pillarbook.bootstrap.missing_parts import MAYBE, MissingKind, find_functions, list_missing
from pillarbook.bootstrap.new_files import NewFiles
from pillarbook.bootstrap.private_grains import is_secret_word
from pillarbook.bootstrap.report_plan import ReportPlan, make_plan
from pillarbook.bootstrap.study import Study, look_further, take
from pillarbook.bootstrap.top_text import read_top
from pillarbook.bootstrap.yaml_lines import as_yaml
from pillarbook.compile.matchers.nodegroup_comp import freeze_reached
from pillarbook.highstate.needed_states import NeededStates
from pillarbook.inventory.declaration_errors import SettingsError
from pillarbook.inventory.master_options import list_texts
from pillarbook.inventory.mkdocs_section import locate_section
from pillarbook.inventory.settings import ERROR, Settings, load_settings
from pillarbook.session.open_session import open_session
from pillarbook.session.run_options import RunOptions

BESIDE = "pillarbook.yml"
"""The configuration beside one for another site."""
PAGES = "pages"
"""The folder for pages of the user's own; it begins with an empty file."""


@dataclass(slots=True)
class Begun:
    """What ``init`` did and found."""

    configuration: str
    """The MkDocs configuration."""
    said: list[str] = field(default_factory=list)
    """What was written, kept and left out: a line each."""
    guesses: list[str] = field(default_factory=list)
    """What was made up, and is to be looked over: a line each."""
    missing: list[MissingKind] = field(default_factory=list)
    outcomes: dict[str, int] = field(default_factory=dict)
    """How many minions there are of each outcome."""


def begin(
    folder: Path,
    master: str | None,
    options: RunOptions,
    on_written: Callable[[], None] = lambda: None,
    *,
    is_updated: bool = False,
) -> Begun:
    """Write what a report of a folder needs, and say what is missing.

    ``on_written`` is called when the files are there, and before what is missing is looked for;
    ``is_updated`` says whether the files of an earlier run have got what is new in the tree.

    Raises:
        NoPillarError: The folder holds no pillar.
        CannotWriteError: A file cannot be written.
        SettingsError: The master file that the user named, or a configuration that is there, has
            faults.
    """
    folder = folder.absolute()
    own = find_own(folder)
    if own is not None:
        begun = Begun(own)
        if master is not None:
            make_plan(list_files(folder), master)  # refuses a file that does not exist
        if not is_updated:
            begun.said.append(f"{own} exists; nothing is written (--update adds what is new)")
    else:
        begun = _write(folder, master, replace(options, checks=False, environments=False))
    on_written()
    _scan(folder, begun, replace(options, environments=False, explains=False))
    return begun


def find_own(folder: Path) -> str | None:
    """Return the configuration in a folder that has a section of pillarbook's.

    Raises:
        SettingsError: A configuration that names pillarbook is not YAML.
    """
    known = (one for one in (CONFIGURATION, BESIDE) if lies_in(folder, one))
    return next((one for one in known if _is_ours(folder / one)), None)


def _is_ours(file: Path) -> bool:
    """Say whether a MkDocs configuration has a section of pillarbook's."""
    try:
        return bool(locate_section(file).values)
    except SettingsError:
        if b"pillarbook" in file.read_bytes():
            raise
        return False


def _write(folder: Path, master: str | None, options: RunOptions) -> Begun:
    new = NewFiles(folder)
    listing = list_files(folder)
    plan = make_plan(listing, master)
    known, left_out = keep_private_out(find_known(listing))
    if known is None and not lies_in(folder, OWN):
        plan = guess_nodegroups(listing, plan)
    new.check()
    begun = Begun(new.free_name(CONFIGURATION, BESIDE))
    _write_master(new, plan, begun)
    first = Settings(master=folder / plan.master, inventory=(), folder=folder, paths=plan.paths)
    grown = grow(listing, first, known, options)
    first_inventory = write_first_inventory(new, grown, known, left_out)
    inventory = first_inventory.name
    begun.said += first_inventory.said
    begun.guesses += [*first_inventory.guesses, *plan.guesses]
    configuration = _configure(new, listing, plan, grown, inventory)
    new.write(f"{configuration.pages}/.gitkeep", "")
    new.write(begun.configuration, write_configuration(configuration))
    begun.said.append(f"{begun.configuration}: written, the configuration of the report")
    if begun.configuration != CONFIGURATION:
        begun.said.append(
            f"{CONFIGURATION} has no pillarbook section and does not change: give each command "
            f"-f {begun.configuration}"
        )
    begun.said += plan.notes
    begun.said += [
        f"{there} of {plan.master} is read from {here}"
        for there, here in plan.paths.items()
        if there.startswith("/")
    ]
    if plan.unmapped:
        begun.said.append(_describe_unmapped(plan, begun.configuration))
    return begun


def _describe_unmapped(plan: ReportPlan, configuration: str) -> str:
    verb, them = ("is", "it") if len(plan.unmapped) == 1 else ("are", "them")
    return (
        f"{', '.join(plan.unmapped)} of {plan.master} {verb} not in this folder: clone {them} and"
        f" map {them} under `paths:` in {configuration}, or remove {them} from the master file"
    )


def _write_master(new: NewFiles, plan: ReportPlan, begun: Begun) -> None:
    for name, text in plan.substitute_top.files if plan.substitute_top else ():
        new.write(name, text)
    if plan.substitute_top:
        top = plan.substitute_top.files[0][0]
        begun.said.append(
            f"{top}: written, because {plan.substitute_top.why}; "
            "it gives everything to one minion; replace it with your own top file"
        )
    if plan.text is None:
        begun.said.append(f"{plan.master}: found, Salt's master file")
    elif new.write(plan.master, plan.text):
        begun.said.append(
            f"{plan.master}: written, used instead of Salt's master file; copy your master's"
            " options into it"
        )


def _configure(
    new: NewFiles, listing: Listing, plan: ReportPlan, grown: Grown, inventory: str
) -> ConfigTexts:
    site = None if new.is_free("site") else new.free_name("pillar-site", "pillarbook-site")
    functions = {
        call.declared: grown.shown(call.place).removesuffix(": ")
        + ("" if call.is_sure else f", {MAYBE}")
        for call in find_functions(grown.study).values()
    }
    # Of an earlier run, whose configuration was removed.
    has_pages = lies_in(new.folder, f"{PAGES}/.gitkeep")
    return ConfigTexts(
        site_name=name_of(str(listing.folder)),
        pages=PAGES if has_pages else new.free_name(PAGES, "pillarbook-pages"),
        site=site,
        master=plan.master,
        inventory=inventory,
        paths=grown.paths,
        alternatives=plan.alternatives,
        functions=functions,
        has_states_beside=plan.substitute_top is not None and plan.substitute_top.is_example,
    )


def _scan(folder: Path, begun: Begun, options: RunOptions) -> None:
    """Compile everything as it is declared now, and list what is missing."""
    # An unknown value is no error, and each missing answer is to be listed.
    settings = replace(load_settings(folder / begun.configuration), unanswered=ERROR)
    found = Study()
    with open_session(settings, options) as session:
        for compiled in session.compiler.compile_all(session.fleet.minions):
            minion = session.fleet.declared(compiled.minion)
            take(found, compiled, minion.grains, session.compiler.project.scope_of({}, None))
            begun.outcomes[compiled.outcome] = begun.outcomes.get(compiled.outcome, 0) + 1
        begun.said += describe_states(session.compiler.minion_compiler.state_switch.needed)
        look_further(found, session)
        diagnostics = session.shown.diagnostics
    begun.missing = list_missing(
        found,
        diagnostics,
        os.path.relpath(settings.inventory[0], folder) if settings.inventory else INVENTORY,
        begun.configuration,
        show_places(settings.master, folder),
    )


REPOSITORY = "https://github.com/saltstack-formulas"
_NAMES = (
    "apache apt apt-cacher aptly bind chrony collectd consul cron dhcpd docker dovecot "
    "elasticsearch epel etcd exim fail2ban ferm firewalld gerrit git golang grafana haproxy "
    "hostsfile icinga2 influxdb iptables iscsi jenkins keepalived kibana kubernetes letsencrypt "
    "libvirt locale logrotate logstash lvm mattermost memcached mongodb monit moosefs munin mysql "
    "nexus nfs nginx node ntp openldap openssh openvpn packages packer php pip postfix postgres "
    "powerdns proftpd prometheus python rabbitmq redis resolver rkhunter rspamd rsyslog ruby salt "
    "samba sensu shorewall snmp squid strongswan sudoers suricata sysctl syslog-ng systemd "
    "telegraf template timezone tinyproxy tomcat ufw unbound users uwsgi vault vim vmware-tools "
    "vsftpd wordpress xinetd zabbix znc "
)
FORMULAS = frozenset(_NAMES.split())
"""Formulas by the name that their SLS begin with."""


def describe_states(needed: NeededStates) -> Iterator[str]:
    """Yield what was found of the states of a tree; nothing without a top file of states."""
    if not needed.top:
        return
    here, missing = len(needed.here), len(needed.missing)
    if not here + missing:
        yield f"{needed.top}: found, the top file of states; it gives no minion an SLS"
        return
    if not missing:
        yield f"{needed.top}: found, the top file of states; {_count(here)}, all in this repository"
        return
    left_out = ", so no states are compiled" if needed.are_elsewhere else ""
    verb = "is" if missing == 1 else "are"
    yield (
        f"{needed.top}: found, the top file of states; {missing} of {_count(here + missing)} {verb}"
        f" not in this repository (formulas, gitfs?){left_out}: {', '.join(needed.missing)}"
    )
    heads = dict.fromkeys(name.partition(".")[0] for name in needed.missing)
    known = [f"{name}-formula" for name in heads if name in FORMULAS]
    if known:
        yield f"look for formulas in {REPOSITORY}: {', '.join(known)}"


def _count(states: int) -> str:
    return f"{states} state SLS"


OPTION = "nodegroups"


def guess_nodegroups(listing: Listing, plan: ReportPlan) -> ReportPlan:
    """Return a plan whose master file has the nodegroups that the top files need.

    A master file of the tree is included in one of pillarbook's own. That is not done if it has
    nodegroups itself, which would replace these, or if its relative paths would lead elsewhere.
    """
    names = [*_list_lacking(listing, plan)] if OPTION not in plan.options else []
    text = plan.text
    # A file of this folder includes it, and so relative paths in it would lead elsewhere.
    roots = [plan.options.get(name) for name in ("pillar_roots", "file_roots")]
    is_movable = all(path.startswith("/") for path in list_texts(roots))
    if not names or (text is None and folder_of(plan.master) != "." and not is_movable):
        return plan
    if text is None:
        text = f"# {plan.master}, and nodegroups that it does not have.\ninclude: {plan.master}\n"
    lines = [
        f"{text}# Guessed by `pillarbook init`, one minion each, because top files name them.",
        f"# Replace them with those of your master.\n{OPTION}:",
        *(f"  {as_yaml(name)}: {as_yaml(f'L@{name}')}" for name in names),
    ]
    guess = (
        f"{OWN}: {len(names):,} nodegroup{'s are' if len(names) > 1 else ' is'} guessed to be a"
        f" minion of the same name: {', '.join(names)}; copy `{OPTION}` of your master"
    )
    return replace(plan, master=OWN, text="\n".join(lines) + "\n", guesses=(guess,))


def _list_lacking(listing: Listing, plan: ReportPlan) -> Iterator[str]:
    """Yield the nodegroups that the top files of the pillar name, each once."""
    seen: set[str] = set()
    for folder in plan.roots:
        for target in read_top(listing.read(join(folder, TOP)) or "").targets:
            start = "N@" if target.matcher == "nodegroup" else ""
            if target.is_templated or target.matcher not in ("nodegroup", "compound"):
                continue
            for name, _ in freeze_reached(f"{start}{target.expression}", {}) or ():
                if name not in seen and "," not in name and not is_secret_word(name):
                    seen.add(name)
                    yield name
