"""What makes a secret of a canary: its key, its look, its ciphertext, the configuration, the place it is declared at."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tests.hostile.canaries.canary import Canary
from tests.hostile.canaries.garden import APP, Garden, in_yaml

LOOKS = {
    "private key": "private key",
    "pkcs8": "private key",
    "url": "URL with a password",
    "hash": "password hash",
    "statement": "text that sets a secret",
    "markup of a setting": "text that sets a secret",
    "command": "command with a password",
    "variable": "text that sets a secret",
    "code": "text that sets a secret",
    "directive": "text that sets a secret",
    "login line": "text that sets a secret",
    "dynatrace token": "Dynatrace token",
}
FORMATS = {
    "licence": "matches redact: values",
    "json": "text that sets a secret",
    "yaml": "text that sets a secret",
    "github token": "GitHub token",
    "gitlab token": "GitLab token",
    "slack token": "Slack token",
    "aws key": "AWS access key",
    "stripe key": "Stripe key",
    "jwt": "JSON web token",
}
"""Reasons that a value gives by itself, wherever it stands."""
RANDOM = "looks random"
KEYS = {
    "password": "a password",
    "db_passwd": "a password",
    "api_key": "an API key",
    "client_secret": "a secret",
    "auth_token": "a token",
    "passphrase": "a password",
    "privateKey": "a private key",
    "credentials": "a secret",
}
BESIDE = 3
"""Of so many values one has its name beside it, not as its key."""


@dataclass(frozen=True, slots=True)
class Rooted:
    """Where a canary is the secret itself."""

    line: str
    """The line of its SLS; empty where it comes from elsewhere."""
    path: tuple[str, ...] | None
    """Its keys; None where it is no value of the pillar."""
    reason: str
    """A pattern of the reason."""
    needs_keys: bool = False
    """Whether only ciphertext says that it is one."""


Root = Callable[[Garden, Canary], Rooted]


def _key(_: Garden, canary: Canary) -> Rooted:
    names = list(KEYS)
    number = int(canary.name[1:])
    name = names[number % len(names)]
    if number % BESIDE == 0:
        line = f"pair: {{name: {name}, value: {in_yaml(canary.value)}}}"
        return Rooted(line, (canary.name, "pair", "value"), f"key names {KEYS[name]}")
    line = f"{name}: {in_yaml(canary.value)}"
    return Rooted(line, (canary.name, name), f"key names {KEYS[name]}")


def _look(_: Garden, canary: Canary) -> Rooted:
    line = f"material: {in_yaml(canary.value)}"
    return Rooted(line, (canary.name, "material"), LOOKS[canary.kind])


def _redact_keys(_: Garden, canary: Canary) -> Rooted:
    return Rooted(
        f"the_dsn: {in_yaml(canary.value)}", (canary.name, "the_dsn"), "matches redact: keys"
    )


def _redact_values(_: Garden, canary: Canary) -> Rooted:
    return Rooted(f"paid: {in_yaml(canary.value)}", (canary.name, "paid"), "matches redact: values")


def _gpg(garden: Garden, canary: Canary) -> Rooted:
    message = garden.seal(canary.text)
    garden.give(
        APP,
        f"sealed.{canary.name}",
        f"{canary.name}:\n  sealed: |\n    {message}\n",
        first_line="#!jinja|yaml|gpg\n",
    )
    return Rooted("", (canary.name, "sealed"), "gpg renderer", needs_keys=True)


def _nacl(garden: Garden, canary: Canary) -> Rooted:
    text = f"{canary.name}:\n  boxed: {garden.box(canary.text)}\n"
    garden.give(APP, f"boxed.{canary.name}", text, first_line="#!jinja|yaml|nacl\n")
    return Rooted("", (canary.name, "boxed"), "nacl renderer", needs_keys=True)


def _decrypt_pillar(garden: Garden, canary: Canary) -> Rooted:
    message = garden.seal(canary.text)
    garden.give(APP, f"late.{canary.name}", f"late:\n  {canary.name}: |\n    {message}\n")
    return Rooted("", ("late", canary.name), "decrypt_pillar", needs_keys=True)


def _declared(garden: Garden, canary: Canary) -> Rooted:
    pillar = garden.minions[APP].setdefault("pillar", {})
    pillar.setdefault(canary.name, {})["password"] = canary.value
    return Rooted("", (canary.name, "password"), "key names a password")


def _grain(garden: Garden, canary: Canary) -> Rooted:
    garden.minions[APP]["grains"][f"{canary.name}_password"] = canary.value
    return Rooted("", None, "")


def _stack(garden: Garden, canary: Canary) -> Rooted:
    garden.stack[canary.name] = {"password": canary.value}
    return Rooted("", (canary.name, "password"), "key names a password")


def _hierarchy(garden: Garden, canary: Canary) -> Rooted:
    garden.hierarchy[canary.name] = {"password": canary.value}
    return Rooted("", (canary.name, "password"), "key names a password")


def _command(garden: Garden, canary: Canary) -> Rooted:
    garden.answers[canary.name] = {"password": canary.value}
    return Rooted("", (canary.name, "password"), "key names a password")


ROOTS: Mapping[str, Root] = {
    "key": _key,
    "gpg": _gpg,
    "stack": _stack,
    "redact keys": _redact_keys,
    "nacl": _nacl,
    "declared": _declared,
    "decrypt_pillar": _decrypt_pillar,
    "hierarchy": _hierarchy,
    "grain": _grain,
    "command": _command,
}
"""What goes for every kind, but where ``fits_root`` says no."""
OF_KINDS: Mapping[str, Root] = {**dict.fromkeys(LOOKS, _look), "licence": _redact_values}
"""What goes for single kinds, now and then."""


def reason_of(canary: Canary, reason: str) -> str:
    """Return a pattern of the reason at a secret's own place, where its look may come first."""
    look = {**LOOKS, **FORMATS}.get(canary.kind)
    return "|".join((reason, RANDOM, *((look,) if look else ())))


def fits_root(root: str, canary: Canary) -> bool:
    """Say whether a canary of its type can be made a secret so."""
    if isinstance(canary.value, bytes):
        return root in ("key", "redact keys", "stack", "hierarchy")
    return isinstance(canary.value, str) or root not in ("gpg", "nacl", "decrypt_pillar")
