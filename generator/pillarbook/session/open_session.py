"""Opens a session: reads everything that is needed before the first compile."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pillarbook.access.fleet_access import FleetAccess
from pillarbook.checks.fleet_findings import FleetFindings
from pillarbook.checks.severities import SeverityRules
from pillarbook.compile.ext_pillars import load_ext_pillars
from pillarbook.compile.project import Project, Remembered, path_resolver
from pillarbook.compile.renderers.code.modules import ModuleFiles
from pillarbook.compile.renderers.code.record_opened import noting_opened
from pillarbook.compile.renderers.gpg_decryptor import GpgDecryptor, SealedDecryptor
from pillarbook.compile.renderers.gpg_keyring import KEY_ID, name_keys
from pillarbook.compile.renderers.nacl_box import find_box
from pillarbook.compile.renderers.pipe import builtin_renderers
from pillarbook.compile.renderers.render_context import Decryptor
from pillarbook.compile.top.tops import top_path
from pillarbook.diagnostics import Diagnostic, new_diagnostic
from pillarbook.inventory.environment_checks import check_environments, check_pillarenv
from pillarbook.inventory.master import find_gpg_keydir, load_master
from pillarbook.inventory.master_options import MasterOptions
from pillarbook.inventory.minions import Minion
from pillarbook.inventory.permissions import decide, refuse_missing_files
from pillarbook.inventory.reach import Trust
from pillarbook.inventory.root_folders import (
    DYNAMIC_ENVIRONMENT,
    ResolvedRoot,
    RootKind,
    resolve_roots,
)
from pillarbook.inventory.settings import PLACEHOLDER, Settings
from pillarbook.model import KeyPath, Position
from pillarbook.model.limited_cache import recall
from pillarbook.model.unknown import STAND_IN
from pillarbook.redact import Redactor, Rules, SecretStore
from pillarbook.redact.redaction_rules import SecretsOfTree
from pillarbook.roots.environment_roots import Roots
from pillarbook.roots.file_access import DISK
from pillarbook.roots.folder import FolderTree
from pillarbook.roots.git_attributes import EncryptedFiles
from pillarbook.session.asked_minions import as_asked, describe_asked, load_minions
from pillarbook.session.custom_modules import find_custom_modules
from pillarbook.session.file_words import FileWords
from pillarbook.session.fleet import Fleet
from pillarbook.session.fleet_compiler import FleetCompiler
from pillarbook.session.forced_environments import find_environments
from pillarbook.session.garbage_collector import calm_collector
from pillarbook.session.minion_compiler import MinionCompiler, StateSwitch, declare_secrets
from pillarbook.session.pillar_files import PillarFiles
from pillarbook.session.report_source import SessionReport
from pillarbook.session.run_options import RunOptions, SharedResources
from pillarbook.session.session import Session
from pillarbook.session.shown_fleet import ShownFleet
from pillarbook.supervise.render_limits import Watch
from pillarbook.supervise.timed_match import TimedMatch

if TYPE_CHECKING:
    from pillarbook.checks.fleet_rules import FleetRules
    from pillarbook.roots.revision import RevisionTree


def open_session(
    settings: Settings, options: RunOptions | None = None, resources: SharedResources | None = None
) -> Session:
    """Read the declared fleet, and prepare its compile.

    Without ``resources``, files are those of the disk, and nothing is shared with another session.

    Raises:
        InventoryError: The inventory has errors; the message lists all of them.
        SettingsError: The master file or the configuration has errors.
    """
    options, resources = options or RunOptions(), resources or SharedResources()
    trust = Trust(given=options.trust, python=options.python, reveal=options.reveal)
    # First of all, because all later reads must be allowed.
    allowed, refused = decide(settings, trust, allow=options.allow, files=resources.files)
    refuse_missing_files(settings, resources.files, commit=resources.commit)
    master, found = load_master(settings.master, reach=allowed.reach, paths=allowed.paths)
    shown: Callable[[Path], str] = partial(os.path.relpath, start=master.top)
    minions = load_minions(settings, options, resources, shown=shown, allowed=allowed)
    compared = check_environments(settings, master, minions)
    check_pillarenv(options.pillarenv, settings, master, minions)
    # What is opened here is closed with the session, and not with this function.
    cleanup = ExitStack()
    cleanup.enter_context(calm_collector())
    watch = Watch(options.limits, options.heartbeat)
    cleanup.callback(watch.close)
    # One tree object for each folder, so that it reads each file once and all environments see the
    # same version.
    trees: dict[Path, FolderTree] = {}
    decryptor = _open_decryptor(master, trust, cleanup) if allowed.decrypt else SealedDecryptor()
    used = _used_by_states(settings, options, resources, root_opener(shown, trees), master)
    rules = _rules(settings, decryptor, SecretsOfTree(used, EncryptedFiles(master.top).has))
    redactor = resources.redactor or Redactor(
        None if options.reveal else rules, _open_store(options, equality=allowed.equality)
    )
    project = Project(
        options=master,
        folder=master.folder,
        open_roots=root_opener(shown, trees),
        renderers=builtin_renderers(
            python=allowed.python,
            more=(*settings.renderers, *options.renderers),
            custom=find_custom_modules(master, shown, "renderers"),
            open_box=find_box(master, trust) if allowed.decrypt else None,
        ),
        ext_pillars=load_ext_pillars(
            python=allowed.python,
            modules=find_custom_modules(master, shown, "pillar"),
            answers=allowed.ext_pillars,
        ),
        decryptor=decryptor,
        resolve=path_resolver(master),
        shown=shown,
        functions=settings.functions,
        modules=ModuleFiles(find_custom_modules(master, shown, "modules"), allowed.python),
        clock=options.choose_clock(settings),
        fleet=minions,
        mapped=_open_mapped(master, shown, trees),
        limits=options.limits,
        watch=watch,
        opening=_opening(resources, master, cleanup, python=allowed.python),
        reveals=options.reveal,
        explains=options.explains,
        memo=options.memo,
        remembered=resources.remembered or Remembered(),
        earlier=resources.earlier,
        with_unknowns=_allow_unknowns(settings, options),
        rules=redactor.rules,
    )
    asked, chosen = as_asked(minions, options, master.values.get("nodegroups") or {})
    fleet = Fleet(
        asked,
        find_environments(settings, project) if options.environments else (),
        redactor.names,
        project.options,
        chosen,
        tuple(describe_asked(options)),
    )
    declare_secrets(redactor, asked, master.values)
    access = FleetAccess(
        project,
        redactor,
        lambda one: fleet.declared_by_id(one).position.file,
        authors=settings.authors,
    )
    switch = StateSwitch(project, states=settings.states)
    findings = FleetFindings(
        redactor,
        SeverityRules(settings.rules, options.rules),
        _fleet_rules(asked, project, rules, options.now) if options.checks else None,
        lambda: [
            *_note_refused([*trees.values(), *project.ext_pillars.trees]),
            *resources.later(shown),
            *switch.describe(),
        ],
        FileWords(project).holds,
        {minion.id: place for place, minion in enumerate(asked)},
    )
    findings.add([*refused, *found, *compared, *_note_minion_options(minions)])
    marker = MinionCompiler(project, redactor.rules, redactor.store, watch, switch)
    compiler = FleetCompiler(fleet, marker, project, findings, access)
    shown_fleet = ShownFleet(fleet, compiler, redactor)
    return Session(
        fleet=fleet,
        compiler=compiler,
        shown=shown_fleet,
        access=access,
        report=SessionReport(
            options.site_name,
            fleet,
            compiler,
            shown_fleet,
            access,
            PillarFiles(project, settings, asked, redactor.names.clean),
        ),
        close=cleanup.close,
    )


def _fleet_rules(
    minions: Sequence[Minion], project: Project, rules: Rules, clock: Callable[[], float]
) -> "FleetRules":
    """Return the rules for the whole fleet; most commands do not load them."""
    from pillarbook.checks.fleet_rules import FleetRules  # noqa: PLC0415 (takes its time)

    return FleetRules(minions, project, rules, clock)


def _open_store(options: RunOptions, *, equality: bool) -> SecretStore:
    """Return a store for the run's secrets, which output streams search for."""
    store = SecretStore(options.token_key, equality=equality)
    if options.known is not None:
        options.known.follow(store)
    return store


def _allow_unknowns(settings: Settings, options: RunOptions) -> bool:
    """Say whether values may be unknown; no output may hold what stands for them then."""
    allowed = settings.unanswered == PLACEHOLDER and not options.reveal
    if allowed and options.known is not None:
        options.known.refuse(STAND_IN, "unanswered")
    return allowed


def root_opener(
    shown: Callable[[Path], str], trees: dict[Path, FolderTree]
) -> Callable[[MasterOptions, str, str], Roots]:
    """Return a function that opens the roots of options, with a value for ``__env__``."""

    def tree(root: ResolvedRoot) -> FolderTree:
        folder = root.path
        assert folder is not None  # noqa: S101 (roots of a named environment have one)
        return recall(
            trees,
            folder,
            lambda: FolderTree(
                folder, shown=shown, allowed=root.reach.allows, files=root.reach.files
            ),
        )

    def open_roots(options: MasterOptions, kind: RootKind, environment: str) -> Roots:
        def open_all(environment: str) -> dict[str, list[FolderTree]]:
            resolved = resolve_roots(options, kind, environment=environment)
            return {name: [tree(root) for root in roots] for name, roots in resolved.items()}

        is_any = kind == "file_roots" and DYNAMIC_ENVIRONMENT in options.values[kind]
        return Roots(open_all(environment), (lambda one: open_all(one)[one]) if is_any else None)

    return open_roots  # type: ignore[return-value]


def _open_mapped(
    master: MasterOptions, shown: Callable[[Path], str], trees: dict[Path, FolderTree]
) -> dict[str, FolderTree]:
    """Return the folders in ``paths:``, by the master's paths."""
    reach = master.reach
    for folder in master.paths.values():
        tree = FolderTree(folder, shown=shown, allowed=reach.allows, files=reach.files)
        trees.setdefault(folder, tree)
    return {there: trees[folder] for there, folder in master.paths.items()}


def _opening(
    resources: SharedResources, master: MasterOptions, cleanup: ExitStack, *, python: bool
) -> Callable[[dict[str, None]], AbstractContextManager[None]]:
    """Return what notes the files that code of the tree opens, and gives it the right ones."""
    if not python or (resources.files is DISK and not master.paths):
        return partial(noting_opened, top=master.top)
    from pillarbook.compile.renderers.code.code_files import CodeFiles  # noqa: PLC0415 (few have code)
    from pillarbook.roots.private_folder import delete, remove_abandoned  # noqa: PLC0415 (rare)

    remove_abandoned(delete)
    files = CodeFiles(resources.files, master.top, master.locate)
    cleanup.callback(files.close)
    return files.opening


def _used_by_states(
    settings: Settings,
    options: RunOptions,
    resources: SharedResources,
    open_roots: Callable[[MasterOptions, str, str], Roots],
    master: MasterOptions,
) -> Mapping[KeyPath, str]:
    """Return the keys of the pillar that states use as secrets; none if they would not count."""
    if resources.redactor is not None or options.reveal or settings.states is False:
        return {}
    roots, top = open_roots(master, "file_roots", "base"), top_path(master.values)
    if all(roots.find(top, environment) is None for environment in roots.environments):
        return {}
    from pillarbook.highstate.used_keys import find_used_keys  # noqa: PLC0415 (most need no states)

    return find_used_keys(roots, master.values)


def _rules(settings: Settings, decryptor: Decryptor, tree: SecretsOfTree) -> Rules:
    """Return the rules for secrets; reasons with key ids also name the owners."""

    def name(reason: str) -> str:
        if KEY_ID.search(reason) is None:
            return reason
        return name_keys(reason, decryptor.read_keyring() or {})

    own = settings.redact
    finds = TimedMatch().finds
    return Rules(own.keys, own.values, own.allow, name, finds, tree)


def _open_decryptor(master: MasterOptions, trust: Trust, cleanup: ExitStack) -> Decryptor:
    """Return real gpg on the master's key folder."""
    keydir = find_gpg_keydir(master, trust)
    if keydir is None:
        return SealedDecryptor()
    must_succeed = bool(master.values.get("gpg_decrypt_must_succeed", True))
    return cleanup.enter_context(GpgDecryptor(keydir, must_succeed=must_succeed))


def _note_refused(trees: "Iterable[FolderTree | RevisionTree]") -> Iterator[Diagnostic]:
    """Report files in the roots that count as missing."""
    for tree in trees:
        for shown, reason in tree.refused.items():
            leads_out = reason.startswith("leads out")
            yield new_diagnostic(
                "outside-reach" if leads_out else "unreadable-file",
                f"{shown} {reason}, so it counts as missing",
                Position(shown),
                remedy="use --allow DIR for a folder that may be read" if leads_out else None,
            )


def _note_minion_options(minions: Sequence[Minion]) -> list[Diagnostic]:
    """Report minions with their own options, which a master ignores."""
    return [
        new_diagnostic(
            "minion-opts",
            "its `opts` override the master's options, as on a masterless minion; "
            "a master ignores them",
            minion.position,
            minions=(minion.id,),
        )
        for minion in minions
        if minion.opts
    ]
