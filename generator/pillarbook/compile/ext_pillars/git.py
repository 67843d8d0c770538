"""git_pillar: SLS trees in git repositories, each compiled by its own top file.

Only repositories on this machine are read, from their object databases: a URL with ``file://``, or
a URL that ``paths:`` maps to a clone or mirror. Branches are environments.

Source: Salt ``salt/pillar/git_pillar.py``, ``salt/utils/gitfs.py`` (``GitPillar.checkout``).
"""

import posixpath
import re
import urllib.parse
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from pillarbook.compile.ext_pillars.git_remotes import (
    DYNAMIC,
    Remote,
    parse_remotes,
    without_password,
    yield_spellings,
)
from pillarbook.compile.ext_pillars.interface import ExtPillarContext
from pillarbook.compile.renderers.render_errors import LimitExceeded, RenderError
from pillarbook.model import MapNode
from pillarbook.model.limited_cache import recall
from pillarbook.roots.environment_roots import Roots
from pillarbook.roots.git_files import RepositoryError
from pillarbook.roots.repository import Repository
from pillarbook.roots.revision import RevisionTree
from pillarbook.roots.tree_interface import FileTree, MountedTree

MISSING = "missing-repository"
"""The rule for a repository that is not here, or cannot be read."""

ONLY_URLS = "Salt accepts only URLs: write a path as file:///srv/pillar.git"
OLD_FORM = (
    "one text with branch, URL and options is the form of Salt before 2015.8: write"
    " `git: [BRANCH URL: [root: FOLDER]]`"
)


@dataclass(frozen=True, slots=True)
class Checkout:
    """A remote for one minion."""

    path: str
    """The folder that a master would have it in."""
    tree: FileTree
    """The files."""
    environment: str
    """The environment of the files; may be ``__env__``."""
    is_mounted: bool
    """Whether it only provides files for the other remotes."""


class GitPillar:
    """The external pillar; caches repositories and trees."""

    def __init__(self) -> None:
        # By path, commit and root: git objects never change, so no entry gets stale. `Roots` are
        # kept so that minions share one object, which scopes use as their key
        # (docs/decisions/0012).
        self._repositories: dict[Path, Repository] = {}
        self._trees: dict[Any, RevisionTree] = {}
        self._mounted: dict[Any, MountedTree] = {}
        self._roots: dict[Any, Roots] = {}

    @property
    def trees(self) -> tuple[RevisionTree, ...]:
        """The trees that were opened."""
        return tuple(self._trees.values())

    def __call__(self, context: ExtPillarContext, config: Any) -> MapNode:
        """Return the merged data of all remotes for one minion.

        Raises:
            RenderError: With Salt's words.
        """
        remotes, dropped = parse_remotes(config, context.options, context.opts)
        for text in dropped:
            context.describe(
                "malformed-option",
                f"git_pillar ignores '{without_password(text)}', which is not a URL",
                remedy=OLD_FORM if text.count(" ") > 1 else ONLY_URLS,
                lacks=False,
            )
        checkouts = {
            checkout.path: checkout
            for remote in remotes
            if (checkout := self._check_out(remote, context)) is not None
        }
        return self._compile(tuple(checkouts.values()), context)

    def _compile(self, checkouts: tuple[Checkout, ...], context: ExtPillarContext) -> MapNode:
        opts = context.opts
        follows = bool(opts.get("pillarenv_from_saltenv"))
        pinned = opts["pillarenv"]
        compiled = MapNode({}, (), kind="plain")
        # In Salt's order: a later remote is merged over an earlier one.
        for checkout in checkouts:
            env = checkout.environment
            if env == DYNAMIC:
                env = pinned or opts["saltenv"] or str(context.options["git_pillar_base"])
            if (pinned and env != pinned) or checkout.is_mounted:
                continue
            # the minion's own environment has this name, in which Salt finds no files
            if env == DYNAMIC:
                continue
            trees = {checkout.path: checkout.tree}
            if context.options.get("git_pillar_includes"):
                trees.update(
                    (other.path, other.tree) for other in checkouts if other.environment == env
                )
            if follows:  # Salt adds it to options that the next remote also gets
                pinned = env
            key = (env, *trees.values())
            roots = recall(self._roots, key, partial(Roots, {env: tuple(trees.values())}))
            compiled = context.compiler.merge(
                compiled, context.compiler.compile(roots, env, pinned)
            )
        return compiled

    def _check_out(self, remote: Remote, context: ExtPillarContext) -> Checkout | None:
        """Return the files of a remote, if they are on this machine."""
        target = remote.target(context.opts)
        try:
            repository = self._open(remote, context)
            if repository is None:
                return None
            found = _find_commit(repository, target, remote)
            if found is None:
                message = f"'{_name(remote)}' has no branch or tag '{target}', so Salt skips it"
                context.describe("missing-branch", message, lacks=False)
                return None
            tree = self._open_tree(repository, *found, remote, context)
        except RepositoryError as error:
            shown = context.shown(error.folder)
            message = f"the git repository '{_name(remote)}' is not read: {shown} {error.reason}"
            context.describe(MISSING, message)
            return None
        except RenderError as error:
            rule = error.rule if isinstance(error, LimitExceeded) else "outside-reach"
            message = f"the git repository '{_name(remote)}' is not read: {error}"
            context.describe(rule, message)
            return None
        if not tree.is_there:
            message = f"'{_name(remote)}' has no folder '{remote.root}', so Salt skips it"
            context.describe(MISSING, message, remedy="correct the option `root`", lacks=False)
            return None
        return self._place(remote, tree, context)

    def _place(self, remote: Remote, tree: RevisionTree, context: ExtPillarContext) -> Checkout:
        environment = remote.environment(context.opts)
        if not remote.mountpoint:
            path = _full(context, "", remote)
            return Checkout(path, tree, environment, is_mounted=False)
        path = _full(context, "links", remote, below=False)
        key = (tree, remote.mountpoint, path)
        if key not in self._mounted:
            folder = posixpath.normpath(remote.mountpoint)
            self._mounted[key] = MountedTree(tree, "" if folder == "." else folder, path)
        return Checkout(path, self._mounted[key], environment, is_mounted=True)

    def _open(self, remote: Remote, context: ExtPillarContext) -> Repository | None:
        """Return a remote's repository; None if it is not on this machine."""
        folder = _locate(remote.url, context)
        if folder is None:
            url = without_password(remote.url)
            context.describe(
                MISSING,
                f"the git repository '{url}' is not on this machine",
                remedy=f"clone it, and set its path: paths: {{{url}: path/to/clone}}",
            )
            return None
        return recall(
            self._repositories,
            folder,
            lambda: Repository(
                folder,
                allowed=context.may_read_git,
                guard=partial(context.watch, f"git repository {context.shown(folder)}"),
            ),
        )

    def _open_tree(
        self,
        repository: Repository,
        commit: str,
        ref: str,
        remote: Remote,
        context: ExtPillarContext,
    ) -> RevisionTree:
        full = _full(context, "", remote)
        lead = f"{context.shown(repository.folder)}:{ref}"
        key = (repository.folder, commit, full, lead)
        if key not in self._trees:
            root = posixpath.normpath(remote.root).lstrip("/")
            self._trees[key] = RevisionTree(
                repository,
                commit,
                "" if root == "." else root,
                shown=lambda path: f"{lead}:{path}",
                full=full,
            )
        return self._trees[key]


def _find_commit(repository: Repository, target: str, remote: Remote) -> tuple[str, str] | None:
    """Return the commit and the short name of a branch, or of a tag, or of the fallback.

    In a clone, the branches of its origin are in ``refs/remotes/origin``.
    """
    for name in (target, remote.fallback):
        commit = name and repository.find_commit(
            f"refs/heads/{name}", f"refs/remotes/origin/{name}", f"refs/tags/{name}"
        )
        if commit:
            return commit, name
    return None


def _locate(url: str, context: ExtPillarContext) -> Path | None:
    """Return the path of a repository; None for a URL that is not mapped to this machine."""
    for spelling in yield_spellings(url):
        mapped = context.map_url(spelling)
        if mapped is not None:
            return mapped
    parsed = urllib.parse.urlparse(url)
    if parsed.scheme != "file" or parsed.netloc not in {"", "localhost"}:
        return None
    # Paths inside .git are refused; a repository is found by the folder that contains it.
    return context.resolve(re.sub(r"/\.git/*$", "", urllib.parse.unquote(parsed.path)))


def _full(context: ExtPillarContext, kind: str, remote: Remote, *, below: bool = True) -> str:
    """Return the path of a master's copy of a remote, as templates see it."""
    target = remote.target(context.opts)
    folder = posixpath.join(str(context.options["cachedir"]), "git_pillar", kind)
    copy = f"{folder.rstrip('/')}/{remote.copy_of(target)}"
    root = posixpath.normpath(remote.root).lstrip("/") if below else "."
    return posixpath.normpath(f"{copy}/{root}")


def _name(remote: Remote) -> str:
    return without_password(remote.url)
