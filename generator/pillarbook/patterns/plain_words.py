"""Values that are not secret, although their key names a secret.

Formulas have ``password: '*'`` for a locked account, ``passwd: files ldap`` for nsswitch.conf,
``token: ${TOKEN}`` for a name that is replaced later, ``secret: /run/secrets/db`` for a file.
"""

import re

from pillarbook.patterns.references import REFERENCE
from pillarbook.patterns.word_sets import word_set

FLAGS = word_set(
    "yes no true false on off none null nil undef prompt ask never always default enabled disabled"
    " required optional requisite sufficient allow deny any all empty unset file env ident trust"
    " peer cert reject gss sspi pam radius md5 bcrypt sha256 sha512 plain scram-sha-256 crypt"
    " simple auto exop hidden redacted masked without-password prohibit-password"
    " forced-commands-only string text sha sha1 sha-1 sha224 sha384 sha-256 sha-384 sha-512 ssha"
    " smd5 ssha256 ssha512 scram-sha-1 scram-sha-512 yescrypt gost-yescrypt scrypt argon2 argon2i"
    " argon2id pbkdf2 md5crypt sha256crypt sha512crypt blowfish des aes aes128 aes192 aes256"
    " anonymous hashed encoded cleartext managed external shared rotating opaque projected"
    " federated enforced signed per-tenant per-file per-user per-request preferred discouraged"
    " identifier header headers email toggle weekly monthly daily hourly google-authenticator"
    " use-instance-role-credentials"
)
"""Words that are settings; as secrets they would be worthless."""
MASK = re.compile(
    r"\A(?:[*!]{1,2}|[-|,;:/+]|[*•.xX#_-]{3,}|<[^<>\n=]*>|\[(?:redacted|hidden|masked)\])\Z",
    re.IGNORECASE,
)
"""A locked account, a redacted value, a placeholder."""
PLACEHOLDER = re.compile(
    r"\A(?:\$\{[^}\n]*\}|\$\([^)\n]*\)|\$\$?[A-Za-z_]\w*|\$__\w+\{[^}\n]*\}|\{\{.*\}\}|<%.*%>"
    r"|%\([\w.]+\)s|%\{[^}\n]*\}|\(\([\w./:-]+\)\)|%[A-Za-z]|%[A-Z_]+%|__[A-Z][A-Z_]*__|\{[A-Za-z_][\w.:]*\}|@[A-Z_]+@|ENV\[.*\]|env[:.]\w+"
    r"|(?:os\.)?(?:environ|getenv)\b.*|process\.env\.\w+)\Z",
    re.DOTALL,
)
"""A name that is replaced later."""
PATH = re.compile(
    r"\A@?(?:(?:[\w.-]+:)?~?/(?:bin|boot|data|dev|etc|home|lib|mnt|opt|private|proc|root|run|srv|sys|tmp|usr|var"
    r"|secrets?|certs?|keys?|config|app|vault|media|net|nix|snap)(?:/\S*)?|~/\S+|\.{1,2}/\S+"
    r"|[A-Za-z]:[\\/][^\n]+|mailto:[\w.+-]+@[a-z0-9.-]+|(?:salt|file|s3|gs|unix)://\S+"
    r"|(?:[\w.-]+/)*[\w.-]*\w\.(?:pem|key|crt|cer|csr|der|p12|pfx|jks|pub|gpg|asc|keytab|ovpn|age"
    r"|txt|json|ya?ml|conf|cfg|ini|env|sh|py|sls|jinja|j2|tmpl|properties|passwd|htpasswd)"
    r"|id_(?:rsa|dsa|ecdsa|ed25519)|\.?(?:htpasswd|netrc|pgpass|my\.cnf))\Z"
)
"""A file, by its folder or by the end of its name."""
PATH_OF_WORDS = re.compile(r"\A(?:/[a-z][a-z._-]{0,19}\d{0,2}){2,}/?\Z")
"""Any other path whose parts are words: ``/path/to/key``."""
_PART = r"(?:[a-z][A-Za-z]{0,19}\d{0,4}|[A-Z][A-Za-z]{1,19}|\d{1,5})"
_BETWEEN = r"(?:[._~+,:-]|%[0-9A-F]{2})+"
_UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=/)"
"""A UUID with more text after it, as in addresses of clouds; at the end it may be a token."""
URL_OF_WORDS = re.compile(
    rf"\A[a-z][a-z0-9+.-]*://(?:[a-z][a-z0-9_-]*@)?[A-Za-z0-9.-]*(?::\d+)?"
    rf"(?:[/?&=#][/._~+,-]*(?:{_PART}(?:{_BETWEEN}{_PART})*|\{{\w+\}}|{_UUID})?)*\Z"
)
"""The address of a service without a possible token: ``https://host/v1/token``."""
PATH_IN_STORE = re.compile(r"\A(?:[a-z][a-z_-]*\d{0,2}/){2,}[a-z][a-z_.-]*\d{0,2}(?:#\w+)?\Z")
"""The path of a secret in a store: ``secret/data/shop/db#password``."""
KEY_FILE = re.compile(
    r"\A[^\s:\"]*\s*:\s*(?:RSA|ECDSA|PKCS8|P12|BLISS)\s+[^\s\"]+(?:\s+%prompt)?\Z"
)
"""A line of ipsec.secrets that names the file of a key."""
LDAP_FILTER = re.compile(r"\A\((?:[&|!]\s*\(|[A-Za-z][\w.-]*[~<>]?=).*\)\Z", re.DOTALL)
NSSWITCH = re.compile(
    r"\A(?:(?:files|compat|systemd|ldap|sss|nis|nisplus|winbind|db|cache|mymachines|altfiles"
    r"|\[[A-Za-z!=\s]+\])(?:\s+|\Z))+\Z"
)
PAM = re.compile(
    r"\A\s*(?:-?(?:auth|account|password|session)\s+)?"
    r"(?:required|requisite|sufficient|optional|include|substack|@include"
    r"|\[[^\]\n]*=[^\]\n]*\])[ \t]+\S+"
    r"|\A\s*pam_\w+\.so\b"
)
DN = re.compile(
    r"\A(?:(?:cn|ou|dc|uid|o|c)=[^,=]+(?:,\s*\w+=[^,=]+)+|(?:cn|ou|dc)=[a-z]+)\Z", re.IGNORECASE
)
DURATION = re.compile(
    r"\A\d{1,4}\s*(?:ms|s|secs?|seconds?|m|min|minutes?|h|hours?|d|days?|w|weeks?|months?|y|years?)"
    r"\Z"
)
PUBLIC_SHAPE = re.compile(
    r"\A(?:(?:[a-z][a-z_-]*\d{0,2}/)+[a-z][a-z_-]*\d{0,2}|[\w.+-]+@(?:[a-z0-9-]+\.)+[a-z]{2,}"
    r"|(?:[a-z][a-z0-9-]*\.){2,}(?:com|net|org|info|io|dev|eu|local|lan|internal|example|test|svc)"
    r"(?::\d{2,5})?"
    r"|localhost(?::\d{2,5})?|\d{1,3}(?:\.\d{1,3}){3}(?:[/:]\d{1,5})?|v?\d+(?:\.\d+){1,3}"
    r"|\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?Z?)?)\Z"
)
"""A path, a mail address, a host under a known domain, an address, a version, a date."""
CLASS = re.compile(r"\A(?:[a-z][a-z0-9_]*\.){2,}[A-Z][A-Za-z0-9]*\Z")
"""A class that a program loads: ``org.example.TokenProvider``."""
EXPRESSION = re.compile(r"\A\^[^\n]*(?:\.\*|\[[^\]\n]+\]|\\[swdSWD])[^\n]*\Z")
"""A regular expression for the form of a text."""
HEADER = re.compile(r"\A[Xx](?:-[A-Za-z]+){1,4}\Z")
"""The name of a header: ``X-CSRF-Token``."""
CALL = re.compile(
    r"\A[a-z][a-z0-9_]*\.(?:create|fetch|gen|generate|get|list|lookup|read|renew|revoke|rotate|set"
    r"|unwrap|write)_[a-z_]+\Z"
)
"""A function, by the verb in its name: ``vault.renew_token``."""
COLOUR = re.compile(r"\A#[0-9a-fA-F]{6}\Z")
IQN = re.compile(r"\Aiqn\.\d{4}-\d\d\.[a-z0-9.-]+(?::\S*)?\Z")
"""A name of iSCSI."""
NAME_OF_PAIR = re.compile(r"\A[a-z]{2,}(?:[-_][a-z]{2,}){1,2}\Z")
"""A name of two or three words, as Jenkins names credentials: ``git-deploy``."""
LISTED = re.compile(r"\A(?!\S*[^aeiouy-]{5})[a-z]{2,12}(?:-[a-z]{2,12}){0,2}\Z")
"""A name in a list of secrets: ``imagePullSecrets: [registry]``, ``tokens: [agent]``."""
FUNCTION = re.compile(r"\A[a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)+\Z")
"""The name of a function: ``vault.renew_token``."""
GRANTED = re.compile(r"\A(?:[a-z_]+\.(?:\*|[a-z_]+)|\.\*|@[a-z]+)\Z")
"""Functions that may be called: ``state.*``, ``@runner``."""
NAMES_WITHIN = word_set(
    "password passwd username token credentials apikey api-key api_key apiKey access-key tls.key"
    " db-password private-key client-secret client_secret"
)
"""Names of values in a secret of Kubernetes: ``secretKey: password``."""
TO_FILL_IN = re.compile(
    r"\A(?:(?:please[-_ ])?(?:replace|change|fill|insert|set|put|add)[-_ ]?"
    r"(?:me|this|it|in)(?:[-_ ][a-z]+)*|your(?:[-_ ][a-z]+)+|(?:[a-z]+[-_ ])+here|todo|tbd)\Z",
    re.IGNORECASE,
)
"""A note to fill in a value: ``REPLACE_ME``."""
LONG_WORD = re.compile(r"(?=\S*\d)[\w+=-]{16,}\Z|(?=[A-Za-z]+\d+[A-Za-z])[A-Za-z0-9]{12,}\Z")
FEWEST_WORDS = 3
"""The number of words in a sentence or command; a scheme and a token are two."""
SMALL_NUMBER = re.compile(r"\A-?\d{1,3}\Z")
SMALLEST_NUMBER = 1000
"""A smaller number is not secret, whatever its key."""
# Protects the regular expressions from long texts.
MAX_LENGTH = 1000
"""Characters; no path and no name is longer."""
_SHAPES = (
    MASK,
    PLACEHOLDER,
    REFERENCE,
    PATH,
    PATH_OF_WORDS,
    URL_OF_WORDS,
    PATH_IN_STORE,
    KEY_FILE,
    LDAP_FILTER,
    NSSWITCH,
    PAM,
    DN,
    DURATION,
    CLASS,
    EXPRESSION,
    HEADER,
    CALL,
    COLOUR,
    IQN,
    SMALL_NUMBER,
)


def is_plain_word(text: str) -> bool:
    """Say whether a text with a secret key is harmless: a flag, a path, an empty value."""
    bare = text.strip()
    while len(bare) > 1 and bare[0] == bare[-1] and bare[0] in "'\"":
        bare = bare[1:-1]
    if not bare or bare.lower() in FLAGS:
        return True
    return len(bare) <= MAX_LENGTH and any(shape.match(bare) for shape in _SHAPES)


def is_public_shape(text: str) -> bool:
    """Say whether a text is an address, a version or a date, which few use as secrets."""
    return len(text) <= MAX_LENGTH and PUBLIC_SHAPE.match(text.strip()) is not None


def is_prose(text: str) -> bool:
    """Say whether a text has several words and no long one, unlike a token."""
    words = text.split()
    is_line = "\n" not in text.strip() and len(words) >= FEWEST_WORDS
    return is_line and not any(LONG_WORD.match(word) for word in words)


def is_to_fill_in(text: str) -> bool:
    """Say whether a text asks the reader to replace it."""
    return len(text) <= MAX_LENGTH and TO_FILL_IN.match(text.strip()) is not None


def is_placeholder(text: str) -> bool:
    """Say whether a text is a name that is replaced later, or a mask."""
    bare = text.strip()
    return PLACEHOLDER.match(bare) is not None or MASK.match(bare) is not None


def is_given(word: str) -> bool:
    """Say whether a word of a text is a value, and not a name that is replaced later."""
    bare = word.strip("\"'{}")
    return bool(bare) and not is_placeholder(word) and not bare.startswith(("$", "<", "%(", "{{"))


def is_value(word: str) -> bool:
    """Say whether a word of a text is a value, and not a flag or a path."""
    return is_given(word) and not is_plain_word(word.strip("\"'"))


def is_small(value: object) -> bool:
    """Say whether a value is a number too small to be a secret."""
    return isinstance(value, int) and abs(value) < SMALLEST_NUMBER
