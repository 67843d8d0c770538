"""References to secret stores: they name the location of a secret, and are not secret themselves.

A reference is shown, marked as one. Only a value that is nothing but a reference counts; other
texts are judged as usual.
"""

import re

STORES = (
    # Salt's sdb: sdb://profile/key
    r"sdb://[\w.-]+/\S+",
    # the marker of the vault external pillar of saltstack-formulas and others: __vault__:path>key
    r"__vault__:\S*",
    # Vault as other tools write it: vault:path/to#key, vault://path
    r"vault:[\w-]+/\S+",
    r"vault://\S+",
    # AWS, Google, Azure
    r"arn:aws[\w-]*:(?:secretsmanager|ssm|kms|iam)\S*",
    r"(?:ssm:/|awssm://|secretsmanager:)\S+",
    r"projects/[^/\s]+/secrets/\S+",
    r"gcpsm://\S+",
    r"akv://\S+",
    r"@Microsoft\.KeyVault\(\S*",
    # the alias of a key of AWS
    r"alias/[\w/-]+",
    # 1Password, vals, Bitwarden, Keeper, pass
    r"op://\S+",
    r"ref\+\w+://\S+",
    r"(?:bitwarden|bws|keeper|pass|gopass|doppler)://\S+",
    r"(?:pass|gopass|keepassxc|lpass|bw|op):(?:[a-z][a-z0-9_.-]*/)+[a-z][a-z_.-]*\d{0,2}(?:#\w+)?",
    # any other scheme that says that it is a store, a variable or a command
    r"[a-z0-9+.-]*(?:vault|secret|ssm|kms|key(?:ring|chain|pass)|conjur|infisical)[a-z0-9+.-]*://\S+",
    r"(?:aws-sm|gsm|k8s|env)://\S+",
    r"(?:conjur|akeyless|infisical|keyring|credstash):[\w./-]+",
    r"(?:cmd|exec):/[^\n]+",
)
REFERENCE = re.compile(rf"(?:{'|'.join(STORES)})\Z")
_SIGN = re.compile(r"//|:|/secrets/|\Aalias/")
"""Each reference contains one of these."""


def is_reference(text: str) -> bool:
    """Say whether a text is a reference to a secret store."""
    bare = text.strip()
    return _SIGN.search(bare) is not None and REFERENCE.match(bare) is not None
