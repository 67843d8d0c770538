"""The remotes that git_pillar's configuration lists, as Salt reads it.

Source: Salt ``salt/utils/gitfs.py`` (``GitBase.init_remotes``, ``GitProvider``) and
``salt/pillar/git_pillar.py``.
"""

import base64
import hashlib
import posixpath
import re
import urllib.parse
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pillarbook.compile.renderers.render_errors import RenderError

DYNAMIC = "__env__"
INHERITED = ("base", "env", "root", "fallback")
"""Options of a remote with the master option ``git_pillar_NAME`` as their default."""
OPTIONS = (
    *INHERITED,
    *("name", "mountpoint", "all_saltenvs"),
    *("ssl_verify", "refspecs", "proxy", "ref_types", "disable_saltenv_mapping", "depth"),
    *("user", "password", "pubkey", "privkey", "passphrase", "insecure_auth"),
)
"""All options that a remote may have; those for fetching are ignored."""
SCHEMES = ("http", "https", "ssh", "ftp", "sftp", "file")
URL_SIGNS = re.compile(r"[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=]*")
PATH_PART = re.compile(r"([a-z0-9\-._~!$&'();=:@,]|%\d\d)+", re.IGNORECASE)
SCP_LIKE = re.compile(r"^([^@:/]+)@([^:]+):(.+)$")
PROTOCOL = re.compile("^[^:/]+://")


class BadRemotesError(RenderError):
    """A configuration that Salt does not accept; the text is Salt's entry in the pillar."""

    def __init__(self, reason: str, words: str = "Failed to load git_pillar") -> None:
        super().__init__(words)
        self.clean = reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Remote:
    """One remote."""

    id: str
    """The text of the entry: ``BRANCH URL``, or only the URL."""
    branch: str
    """The branch or tag; may be ``__env__``."""
    url: str
    """The location of the repository."""
    base: str
    """The branch that is the environment ``base``."""
    env: str
    """The environment; empty if the branch names it."""
    root: str
    """The folder of the repository that holds the pillar."""
    fallback: str
    """The branch to use if the branch does not exist; empty for none."""
    mountpoint: str
    """The folder in which the other remotes see the files; empty for none."""
    all_saltenvs: str | None
    """The branch for ``__env__`` in every environment."""
    name: str | None
    """The name of the master's copy of the repository."""
    hash_type: str
    """The hash with which the master names its copy."""

    def target(self, opts: Mapping[Any, Any]) -> str:
        """Return the branch or tag for a minion with these options."""
        if self.branch != DYNAMIC:
            return self.branch
        if self.all_saltenvs is not None:
            return self.all_saltenvs
        wanted = opts["pillarenv"] or opts["saltenv"] or "base"
        return self.base if wanted == "base" else str(wanted)

    def environment(self, opts: Mapping[Any, Any]) -> str:
        """Return the environment of a minion's files."""
        if self.branch == DYNAMIC and self.all_saltenvs is not None:
            return str(opts["pillarenv"] or opts["saltenv"] or "base")
        if self.env:
            return self.env
        target = self.target(opts)
        return "base" if self.base in (self.branch, target) else target

    def copy_of(self, target: str) -> str:
        """Return the name of the master's copy, in its folder for copies."""
        name = self.name
        if name is None:
            digest = hashlib.new(self.hash_type, self.id.encode()).digest()
            name = base64.b64encode(digest).decode("ascii").replace("/", "_")
        return f"{name}/{target if self.id.startswith(DYNAMIC) else '_'}"


def parse_remotes(
    config: Any, options: Mapping[str, Any], opts: Mapping[Any, Any]
) -> tuple[list[Remote], list[str]]:
    """Return the remotes of a configuration, and the entries without URL, which Salt drops.

    Raises:
        RenderError: Salt does not accept the configuration.
    """
    if isinstance(config, dict):
        for key in config:
            raise RenderError(f"ext_pillar() got an unexpected keyword argument '{key}'")
        return [], []
    remotes: list[Remote] = []
    dropped: list[str] = []
    for entry in config if isinstance(config, list) else [config]:
        ids = [entry] if not isinstance(entry, dict) else list(entry)
        valid = [one for one in ids if _is_remote(one)]
        dropped += [str(one) for one in ids if one not in valid]
        if isinstance(entry, dict) and not valid:
            last = dropped[-1] if dropped else ""
            raise BadRemotesError(f"'{last}' is not a URL", "")
        if valid:
            body = entry[valid[0]] if isinstance(entry, dict) else None
            remotes.append(_read_remote(valid[0], body, options, is_bare=entry is valid[0]))
    _refuse_collisions(remotes, opts)
    return remotes, dropped


def _is_remote(text: Any) -> bool:
    """Say whether an entry has a URL, with or without a branch before it.

    Source: Salt ``salt/utils/verify.py`` (``URLValidator``).
    """
    if not isinstance(text, str):
        raise RenderError(f"'{type(text).__name__}' object has no attribute 'split'")
    name, blank, rest = text.partition(" ")
    url = rest if blank and not is_url(name) else text
    scp = SCP_LIKE.match(url)
    return is_url(f"ssh://{scp[1]}@{scp[2]}/{scp[3].lstrip('/')}" if scp else url)


def is_url(text: str) -> bool:
    """Say whether Salt accepts a text as a URL of git."""
    if URL_SIGNS.fullmatch(text) is None:
        return False
    try:
        parsed = urllib.parse.urlparse(text)
    except ValueError:
        return False
    parts = filter(None, parsed.path.split("/"))
    return parsed.scheme in SCHEMES and all(map(PATH_PART.fullmatch, parts))


def _read_remote(text: str, body: Any, options: Mapping[str, Any], *, is_bare: bool) -> Remote:
    own = {} if is_bare else _repack(body)
    words = text.split(None, 1)
    branch = words[0] if len(words) == 2 else str(options.get("git_pillar_branch", "master"))
    if not is_bare and not own:
        raise BadRemotesError("a remote has no options after its colon")
    if branch != DYNAMIC and "base" in own:
        raise BadRemotesError(f"a remote has 'base', which goes with the branch {DYNAMIC} only")
    unknown = next((name for name in own if name not in OPTIONS), None)
    if unknown is not None:
        raise BadRemotesError(f"a remote has the unknown option '{unknown}'")
    inherited = {name: str(options.get(f"git_pillar_{name}", "")) for name in INHERITED}
    given = {**inherited, **{name: own[name] for name in INHERITED if name in own}}
    return Remote(
        id=text,
        branch=branch,
        url=words[-1],
        all_saltenvs=own.get("all_saltenvs"),
        name=own.get("name"),
        mountpoint=PROTOCOL.sub("", own.get("mountpoint", "")).strip("/"),
        hash_type=str(options.get("hash_type") or "sha256"),
        **given,
    )


def _repack(body: Any) -> dict[str, str]:
    """Return a remote's options; empty if they are not a list of mappings with one key.

    Source: Salt ``salt/utils/data.py`` (``repack_dictlist``).
    """
    found: dict[str, str] = {}
    for item in body if isinstance(body, list) else ():
        if isinstance(item, str | int | float):
            found[str(item)] = "None"
        elif isinstance(item, dict) and len(item) == 1:
            ((key, value),) = item.items()
            found[str(key)] = str(value)
        else:
            return {}
    return found


def _refuse_collisions(remotes: list[Remote], opts: Mapping[Any, Any]) -> None:
    known: set[str] = set()
    for remote in remotes:
        copy = posixpath.normpath(remote.copy_of(remote.target(opts)))
        if copy in known:
            raise BadRemotesError("two remotes are the same; give each its own option 'name'")
        known.add(copy)


def without_password(url: str) -> str:
    """Return a URL without user name and password."""
    return re.sub(r"^([a-z]+://)[^/@]*@", r"\1", url, flags=re.IGNORECASE)


def yield_spellings(url: str) -> Iterator[str]:
    """Yield the forms of a URL that ``paths:`` may have: with and without user and password."""
    yield url
    if without_password(url) != url:
        yield without_password(url)
