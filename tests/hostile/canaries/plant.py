"""The whole tree: two hundred canaries, each with a secret place and ways out of it."""

from itertools import cycle

from tests.hostile.canaries.canary import KINDS, Canary, draw_canary
from tests.hostile.canaries.failures import FAILURES, failing_sls
from tests.hostile.canaries.garden import APP, BROKEN, OTHER, Garden, Place, in_yaml
from tests.hostile.canaries.names import NAMINGS
from tests.hostile.canaries.roots import OF_KINDS, ROOTS, Rooted, fits_root, reason_of
from tests.hostile.canaries.travels import ALONE, FORMS, TRAVELS, UNNAMED
from tests.hostile.canaries.ways import QUIET, WAYS, write_ways

COUNT = 209
FEW = 129
"""Canaries enough for each kind, each root and each way to occur."""
COPY = "^same as .*{name}|^derived from .*{name}"
OF_ANOTHER_SOURCE = (
    r"^copy of a secret$|^(same as|derived from) ({name}:(copies|word)|template:s)\b"
    r"|^derived from the template's s\b"
)
"""Copies that look like secrets themselves may be named, as they stand in the tree; so may the
template beside them, which spells the secret out under a name."""
NOT_IN_TREE = ("gpg", "nacl", "decrypt_pillar", "declared", "grain", "command")
"""Roots whose secrets nobody can read in the tree, so that a copy does not name them."""
WAYS_EACH = 3
TRAVELERS_EACH = 1
LINES = ("medium", "quoted", "long", "unicode", "short", "phrase", "licence", "github token")
NAMES = ("medium", "long", "short")


def plant(count: int, seed: int = 1) -> Garden:
    """Return a garden with so many canaries; equal for equal seeds."""
    garden = Garden(master=_master(), minions=_minions(), section=_section())
    planter = _Planter(garden, seed)
    planter.plant_names()
    planter.plant_failures()
    planter.plant_travels()
    while len(garden.canaries) < count - len(UNNAMED):
        planter.plant_ordinary()
    planter.plant_unnamed()
    planter.write_owned()
    _plant_common_words(garden)
    return garden


def _master() -> dict[str, object]:
    return {
        "pillar_roots": {"base": ["pillar/base"]},
        "gpg_keydir": "gpgkeys",
        "nacl.config": {"sk_file": "box.key", "box_type": "secretbox"},
        "ext_pillar_first": True,
        "pillar_opts": True,
        "decrypt_pillar": ["late"],
    }


def _minions() -> dict[str, dict[str, object]]:
    grains = {"os": "ctl-os", "roles": ["ctl-role"]}
    return {one: {"grains": dict(grains)} for one in (OTHER, APP, BROKEN)}


def _section() -> dict[str, object]:
    return {"redact": {"keys": ["*_dsn"], "values": ["^lic-"]}}


class _Planter:
    """Takes numbers, kinds, roots and ways in turn."""

    def __init__(self, garden: Garden, seed: int) -> None:
        self._garden = garden
        self._seed = seed
        self._kinds = cycle(KINDS)
        self._lines = cycle(LINES)
        self._names = cycle(NAMES)
        self._roots = cycle(ROOTS)
        self._ways = cycle(WAYS)
        self._owned: dict[str, list[Canary]] = {APP: [], OTHER: []}
        self._owners = cycle(self._owned)

    def _draw(self, kind: str) -> Canary:
        return draw_canary(f"c{len(self._garden.canaries):03}", kind, self._seed)

    def _own(self, canary: Canary) -> None:
        """Make it a secret by its key, on one of two minions."""
        owner = next(self._owners)
        self._owned[owner].append(canary)
        path = (f"own-{canary.name}", "password")
        reason = reason_of(canary, "key names a password")
        self._garden.places.append(Place(canary, owner, path, reason))
        self._garden.see(owner, path[0], "host", value=f"ctl-{canary.name}")

    def write_owned(self) -> None:
        for owner, canaries in self._owned.items():
            text = "".join(
                f"own-{one.name}:\n  password: {in_yaml(one.value)}\n  host: ctl-{one.name}\n"
                for one in canaries
            )
            self._garden.give(owner, f"owned.{owner.partition('.')[0]}", text)

    def plant_names(self) -> None:
        for way, put in NAMINGS.items():
            canary = self._garden.add(self._draw(next(self._names)), way)
            self._own(canary)
            put(self._garden, canary)

    def plant_failures(self) -> None:
        for way in FAILURES:
            canary = self._garden.add(self._draw(next(self._names)), way)
            self._own(canary)
            name = f"broken.{canary.name}"
            self._garden.give(BROKEN, name, failing_sls(way, canary))
            self._garden.told.add(f"pillar/base/{name.replace('.', '/')}.sls")

    def plant_travels(self) -> None:
        for way, send in TRAVELS.items():
            for _ in range(TRAVELERS_EACH):
                canary = self._garden.add(self._draw(next(self._lines)), way)
                if way not in ALONE:
                    self._own(canary)
                send(self._garden, canary, reason_of(canary, COPY.format(name=canary.name)))

    def plant_unnamed(self) -> None:
        for (way, send), kind in zip(UNNAMED.items(), cycle(FORMS), strict=False):
            canary = self._garden.add(self._draw(kind), way)
            send(self._garden, canary, reason_of(canary, COPY.format(name=canary.name)))

    def plant_ordinary(self) -> None:
        canary = self._draw(next(self._kinds))
        names = self._choose_ways(canary)
        for way in names:
            self._garden.add(canary, way)
        root = OF_KINDS.get(canary.kind) if len(self._garden.canaries) % 2 else None
        name = "" if root else self._choose_root(canary)
        rooted = (root or ROOTS[name])(self._garden, canary)
        if rooted.needs_keys:
            self._garden.sealed_only.add(canary.name)
        if rooted.path is not None:
            reason = reason_of(canary, rooted.reason)
            place = Place(canary, APP, rooted.path, reason, needs_keys=rooted.needs_keys)
            self._garden.places.append(place)
        copied = OF_ANOTHER_SOURCE if name in NOT_IN_TREE else COPY
        reason = reason_of(canary, copied.format(name=canary.name))
        self._write(canary, names, rooted, reason)
        if len(self._garden.canaries) % 3 == 0:
            self._copy(canary, reason, needs_keys=rooted.needs_keys)

    def _write(self, canary: Canary, names: list[str], rooted: Rooted, reason: str) -> None:
        line, needs_keys = rooted.line, rooted.needs_keys
        text = f"\n{canary.name}:\n  {line}\n  host: ctl-{canary.name}\n  copies:\n"
        ways = write_ways(canary, names)
        set_s, lines = ways.split("    ", 1)
        self._garden.give(APP, f"ordinary.{canary.name}", set_s + text + "    " + lines)
        self._garden.see(APP, canary.name, "host", value=f"ctl-{canary.name}")
        for way in names:
            if way not in QUIET:
                path, in_key = (canary.name, "copies", way), WAYS[way].in_key
                self._garden.places.append(
                    Place(canary, APP, path, reason, in_key=in_key, needs_keys=needs_keys)
                )

    def _copy(self, canary: Canary, reason: str, *, needs_keys: bool) -> None:
        """Give another minion a plain copy."""
        text = f"{canary.name}: {{word: {in_yaml(canary.value)}, host: ctl-{canary.name}}}\n"
        self._garden.give(OTHER, f"copied.{canary.name}", text)
        self._garden.see(OTHER, canary.name, "host", value=f"ctl-{canary.name}")
        path = (canary.name, "word")
        self._garden.places.append(Place(canary, OTHER, path, reason, needs_keys=needs_keys))

    def _choose_ways(self, canary: Canary) -> list[str]:
        names: list[str] = []
        for way in self._ways:
            if way not in names and WAYS[way].fits(canary):
                names.append(way)
            if len(names) == WAYS_EACH:
                break
        return names

    def _choose_root(self, canary: Canary) -> str:
        return next(root for root in self._roots if fits_root(root, canary))


def _plant_common_words(garden: Garden) -> None:
    """Make secrets of words that stand everywhere, which have to stay readable elsewhere."""
    common = {"user": "admin", "mode": "true-north", "port": "1234", "state": "enabled"}
    text = f"common: {{{', '.join(f'{key}: {in_yaml(word)}' for key, word in common.items())}}}\n"
    secret = "".join(f"  {key}_password: {in_yaml(word)}\n" for key, word in common.items())
    garden.give(APP, "common", f"{text}common_secret:\n{secret}")
    for key, word in common.items():
        garden.see(APP, "common", key, value=word)
