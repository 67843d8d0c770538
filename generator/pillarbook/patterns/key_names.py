"""Decides which keys name a secret.

A name is split into words, and the last word decides, as in English: ``db_password`` is a password,
``password_file`` is a file, ``secret_name`` is a name.
"""

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

from pillarbook.model import KeyPath
from pillarbook.patterns.word_sets import word_set

KINDS = {
    "a password": word_set(
        "password passwords passwd passwds passphrase passphrases passcode passcodes pass pw pwd"
        " psk rootpw bindpw requirepass masterauth masteruserpassword authtok passwort kennwort"
        " motdepasse contrasena senha haslo heslo wachtwoord losenord salasana parola passord"
        " pasword paswd tlspsk wpapsk preshared passkey pwhash passhash passwdhash passwordhash"
        " keyphrase seedphrase loginpas"
    ),
    "a secret": word_set(
        "secret secrets credential credentials cred creds totp otp puk icesecretread icesecretwrite"
    ),
    "a token": word_set("token tokens jwt bearer"),
    "an API key": word_set(
        "apikey apikeys accesskey licensekey activationkey activationkeys oinkcode"
    ),
    "a private key": word_set(
        "privkey privatekey secretkey presharedkey sharedkey masterkey encryptionkey signingkey"
        " authkey skey akey kek dek cookiekey sessionkey networkkey deskey"
    ),
    "an SNMP community": word_set(
        "rocommunity rwcommunity rocommunity6 rwcommunity6 trapcommunity rocommunities"
        " rwcommunities"
    ),
}
KEYS = {
    "an API key": word_set(
        "api access auth app account service storage consumer license licence integration ingest"
        " subscription registration activation application agent write ingestion insert"
        " aws s3 gce gcp azure pdns powerdns cloudflare cf hetzner linode ovh gandi vultr dnsimple"
        " dnsmadeeasy namecheap godaddy porkbun bunny fastly backblaze wasabi opsgenie pagerduty"
        " victorops pushover pushbullet datadog librato loggly logzio papertrail honeycomb bugsnag"
        " rollbar airbrake raygun statuspage pingdom uptimerobot shodan virustotal abuseipdb"
        " maxmind mailgun sendgrid mandrill postmark sparkpost mailjet twilio nexmo messagebird"
        " lapi openai anthropic openweathermap sonarr radarr sabnzbd plex stripe"
    ),
    "a private key": word_set(
        "private priv secret encryption encrypt signing master shared preshared session hmac jwt"
        " crypt cipher fernet unseal tsig rndc cookie wep wpa wifi wrapping barrier gossip munge"
        " nonce recovery unlock luks aes enrollment db otp tacacs radius join cluster replication"
        " authentication digest ospf bgp dnssec ddns box network zwave des 3des blowfish kms"
        " jetstream"
    ),
}
"""Words before ``key`` that make it a secret."""
SALTS = {
    "a secret": word_set(
        "auth nonce password passwd hash hashing in ticket link session token cookie url file mail"
        " login user site app application wiki crypt encryption registration signing security"
        " matomo piwik yourls"
    )
}
"""Words before ``salt`` that make it a secret; otherwise it is the program."""
SEEDS = {"a secret": word_set("otp totp hotp mfa 2fa tfa wallet hd mnemonic")}
"""Words before ``seed`` that make it a secret; otherwise it is the first node of a cluster."""
CODES = {
    "a secret": word_set(
        "recovery backup scratch emergency access security pairing unlock homekit disarm duress"
    )
}
"""Words before ``codes`` that make them a secret: one-time passwords, codes of a door."""
COOKIES = {"a secret": word_set("erlang rabbitmq rabbit secret magic auth shared cluster sympa")}
"""Words before ``cookie`` that make it a secret; otherwise it is one of a browser."""
COMBINATIONS = {"a secret": word_set("safe lock padlock door gate vault")}
"""Words before ``combination`` that make it a secret."""
PHRASES = {
    "a password": word_set(
        "auth authentication priv privacy key encryption secret seed recovery crypt"
    )
}
"""Words before ``phrase`` that make it a password, as in SNMP."""
PEPPERS = {"a secret": word_set("devise auth password hash app")}
"""Words before ``pepper`` that make it a secret; otherwise it is a program."""
LOOSE = word_set("db session cookie master private cluster replication box join ddns network kms")
"""The words of these tables that do not make a ``key`` below them secret."""
AUTHS = {"a password": word_set("redis valkey keydb sentinel")}
"""Words before ``auth`` that make it a password; otherwise it is a method, or a login."""
BEHIND = {
    **dict.fromkeys(("key", "keys"), KEYS),
    **dict.fromkeys(("salt", "salts"), SALTS),
    **dict.fromkeys(("seed", "seeds"), SEEDS),
    **dict.fromkeys(("code", "codes"), CODES),
    "auth": AUTHS,
    "combination": COMBINATIONS,
    "cookie": COOKIES,
    "phrase": PHRASES,
    "pepper": PEPPERS,
}
"""Words that are secret after certain words."""
WHOLE = {
    "secret_id": "a secret",
    "secret_key_base": "a private key",
    "secure_link_md_5": "a secret",  # of nginx: variables and a secret word
    "key_base": "a private key",
    "passwordsalt": "a secret",  # of Nextcloud
    "passwordsaltmain": "a secret",  # of Moodle
    "token_auth": "a token",  # of Matomo
    "certificate_key": "a private key",  # of kubeadm; elsewhere it is a path
    "cookie_hash": "a private key",  # of gorilla/securecookie
    "nifi_sensitive_props_key": "a private key",
    "api_hash": "an API key",
    "s_3_keyid": "an API key",
    "s_3_key": "an API key",
    "sql_connect_info": "a password",
    "logged_in_key": "a private key",
    "github_oauth": "a token",  # of Composer: a token for each host
    "gitlab_oauth": "a token",
    "google_auth": "a secret",
    "google_authenticator": "a secret",
    "skey": "a secret",
    "mot_de_passe": "a password",
    "enable_password": "a password",  # of routers; elsewhere it is a flag
    "enable_secret": "a password",
    "upgradekey": "a private key",
    "bootstrap_secret_id": "a secret",
    "access_key_id": "an API key",
    "aws_access_key_id": "an API key",
    "incoming_user": "a password",  # of iSCSI: a user and a password
    "outgoing_user": "a password",
    "authentication_string": "a password",  # of MySQL
    "auth_string": "a password",
    "nt_hash": "a password",  # of Samba
    "lm_hash": "a password",
    "snmp_community": "an SNMP community",
    "snmp_ro_community": "an SNMP community",
    "snmp_rw_community": "an SNMP community",
    "ro_community": "an SNMP community",
    "rw_community": "an SNMP community",
    "community_string": "an SNMP community",
}
"""Names that count as a whole."""
JOINED = re.compile(
    r"(?:password|passwd|passphrase|apikey|accesskey|licensekey|privatekey|secretkey|sharedkey"
    r"|masterkey|encryptionkey|signingkey|authkey|secret|token|(?<=[a-z]{2})pw|pwd"
    r"|(?:(?<=db|my|pg)|(?<=sql|ftp|vnc|key|ssh)|(?<=root|user|smtp|ldap|bind|auth|mail|http|priv|repl)"
    r"|(?<=ask|api|mon|znc)|(?<=ceph|heat|mqtt|nova)"
    r"|(?<=admin|store|login|redis|mongo|samba|stack)|(?<=icinga|krbtgt|rabbit|zabbix)"
    r"|(?<=control|machine)|(?<=database|keystone|postgres))pass)\Z"
)
"""Ends of names written as one word: ``dbpassword``, ``authtoken``, ``ldappw``, ``dbpass``."""
TRAILERS = word_set(
    "hash hashed md5 sha1 sha256 sha512 encrypted crypted enc b64 base64 value plain plaintext"
    " clear old new current previous next string text data pem base content prod production"
    " staging stage again confirm qa live readonly readwrite ro rw"
    " map maps primary secondary replica override default raw sha md ssha b base crypt ntlm in out"
    " hex pbkdf bcrypt scrypt argon pypi"
)
"""Words after the secret's own word that change nothing; ``sha256`` is split to ``sha``."""
JOINING = word_set("by for per of")
"""Words that begin a description of the words before: ``token_for_ci``, ``passwords_by_user``."""
SETTINGS = word_set(
    "allow allowed permit require required use enable enabled disable disabled is has max min no"
    " existing generate num number count total checksum rotate show hide remember forgot validate"
    " map separator stop"
)
"""First words of names that describe a secret: ``max_tokens``, ``existingSecret``."""
WITHOUT = word_set("without prohibit forbid no not never")
"""Words before the last one of a name of no secret: ``PermitRootLogin without-password``."""
HARMLESS = word_set(
    "proxy_pass fastcgi_pass uwsgi_pass scgi_pass grpc_pass memcached_pass server_tokens"
    " single_pass two_pass one_pass first_pass second_pass cgi_pass next_token"
    " eauth_tokens csrf_token xsrf_token auth_jwt initial_token"
    " initial_cluster_token base_passwd common_password etc_passwd bin_passwd"
    " usr_bin_passwd getent_passwd etc_pam_d_passwd etc_pam_d_common_password"
)
DESCRIBING = word_set(
    "user username login host hostname port path file filename folder directory dir url uri type"
    " enabled length size ttl timeout email engine kind description comment owner group mode"
    " fingerprint expires expiry public pub name names id ids title label labels backend provider"
    " algorithm alg issuer audience scope scopes realm region role roles policy policies namespace"
    " version header format method created updated modified annotations endpoint optional rotation"
    " interval ref uuid guid serial checksum thumbprint domain address fqdn function fun module"
    " usage purpose source tgt returner cron schedule days hours minutes seconds"
    " arch architecture channel branch limit status require color colour pattern regex match output"
    " control order priority weight location country locale language timezone class protocol cipher"
    " digest encoding charset icon category severity maintainer prefix suffix template pillar tag"
    " property helper uid"
)
"""Last words of keys that are not secret below a key that names a secret."""
NAMES_OF_KEYS = frozenset(
    (("password", "key"), ("username", "key"), ("user", "key"), ("token", "key"))
)
"""Ends of keys with the name of a value in a secret: ``adminPasswordKey``."""
DESCRIBING_END = re.compile(r"[a-z]{2,}(?:name|address|path|hostname|filename|username)\Z")
"""Ends of such words written as one: ``targetname``."""
FIELD = re.compile(r"[a-z]+(?:_[a-z]+)?\Z")
"""One or two words, as in names of columns."""
CALLED = word_set("args arg kwargs kwarg")
"""Last keys with the arguments of a function, which may be names of functions."""
LOGINS = word_set(
    "authorization proxy_authorization auth basic_auth basicauth http_auth httpauth proxy_auth"
    " smtp_auth admin_auth web_auth userpass user_password_pair login logins userpwd rpcauth"
    " auth_ident"
)
"""Keys that may have a user and a password in one text."""
USERS = word_set("users workers accounts userlist")
"""Keys below which the value of a name may be the password of that user."""
BUNDLER = re.compile(r"BUNDLE_\w{1,80}?__\w{1,80}\Z")
"""Settings of Bundler for a host, with two underscores for a dot."""
OF_USER = word_set("user users login logins account accounts")
"""Last words of keys that may have a user with the password in one text."""
OF_PIN = word_set("code codes number token tokens")
"""Words for a PIN after its own name: ``pin_code``."""
DOORS = word_set(
    "door doors gate alarm arm disarm keypad garage safe duress entry lock unlock panel burglar"
    " guest visitor cleaner installer engineer master voicemail"
)
"""Devices with a code of a few digits."""
PAIRS = word_set("credential credentials cred creds")
"""Names of a user and a password together, where one word can only be what they are called."""
PULL_SECRETS = frozenset((("pull", "secret"), ("pull", "secrets")))
"""Ends of names of the credentials with which Kubernetes reads from a registry."""
REFERRING = word_set("ref refs reference references selector")
"""Last words of keys with names of secrets below them."""
ANNOTATION = re.compile(r"(?:[a-z0-9-]+\.)+[a-z]+/[\w.-]+\Z")
"""An annotation of Kubernetes, which all may read: ``nginx.ingress.kubernetes.io/auth-secret``."""
COUNTED = word_set("passwords passwds tokens secrets credentials creds keys")
"""Plural names for which a number is a count."""
COMMUNITIES = word_set("community communities")
"""Secrets in the context of SNMP; otherwise they are people."""

MAX_NAMES = 50_000
"""The most names whose words are cached, because several functions use the words of each key."""
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def split_words(name: str) -> list[str]:
    """Return the words of a name, lower case: ``dbPassword2`` is db, password, 2."""
    return list(_split(name))


# By the name, which determines the result. The limit is for unique keys, such as minion ids.
@lru_cache(maxsize=MAX_NAMES)
def _split(name: str) -> tuple[str, ...]:
    return tuple(word.lower() for word in WORD.findall(name))


def kind_of_name(name: str) -> str | None:
    """Return the kind of secret that a key names (``a password``); None if it names none."""
    words = split_words(name if name.isascii() else _without_accents(name))
    whole = "_".join(words)
    joined_by = next((at for at, word in enumerate(words) if at and word in JOINING), None)
    words = words[:joined_by]
    if whole in WHOLE:
        return WHOLE[whole]
    if whole in HARMLESS or not words or words[0] in SETTINGS or _is_setting(name):
        return None
    while len(words) > 1 and (words[-1] in TRAILERS or words[-1].isdigit()):
        words.pop()
    last = words[-1]
    if words[-2:-1] and words[-2] in WITHOUT:
        return None
    if len(words) > 1 and last in BEHIND:
        return _kind(words[-2], BEHIND[last])
    joined = JOINED.search(last)
    return _kind(last, KINDS) or (_kind(joined.group(), KINDS) if joined else None)


def _is_setting(name: str) -> bool:
    """Say whether the last part of a dotted name is a setting: ``auth.existingSecret``."""
    return "." in name and not SETTINGS.isdisjoint(_split(name.rpartition(".")[2])[:1])


def _without_accents(name: str) -> str:
    """Return a name in ASCII letters, as far as possible: ``contraseña``, ``hasło``."""
    plain = unicodedata.normalize("NFKD", name.translate(str.maketrans("łøđŁØĐ", "lodLOD")))
    return plain.encode("ascii", "ignore").decode()


def _kind(word: str, kinds: Mapping[str, frozenset[str]]) -> str | None:
    return next((kind for kind, words in kinds.items() if word in words), None)


def is_describing(name: str) -> bool:
    """Say whether a key below one that names a secret describes the secret: its user, its file."""
    last = _last_word(name)
    is_word = last in DESCRIBING or last.removesuffix("s") in DESCRIBING
    return is_word or DESCRIBING_END.match(last) is not None or _split(name)[-2:] in NAMES_OF_KEYS


def is_name_of_field(text: str) -> bool:
    """Say whether a text is the name of a field for a search: ``user_id``."""
    return FIELD.match(text) is not None and is_describing(text)


def is_called(name: str) -> bool:
    """Say whether a key holds the arguments of a function."""
    return _last_word(name) in CALLED


def is_login(name: str) -> bool:
    """Say whether a key may have a user and a password in one text: ``auth: ann:example``."""
    words = split_words(name)
    if "_".join(words) in LOGINS or "_".join(words[-2:]) in LOGINS or words[-1:] == ["auth"]:
        return True
    return BUNDLER.match(name) is not None


def is_map_of_logins(name: str) -> bool:
    """Say whether a key may have hosts below it, each with a login: ``sasl_map``."""
    return "sasl" in _split(name)


def is_account(name: str) -> bool:
    """Say whether a key may have a user with the password in one text: ``mqtt_user``."""
    return _last_word(name) in OF_USER


def is_key(name: str) -> bool:
    """Say whether a name is that of a key of some kind, secret or public: ``project_key``.

    In Consul and Nomad, ``encrypt`` is one, too.
    """
    return _last_word(name).endswith(("key", "keys", "encrypt"))


def kind_of_bare_key(parent: str, name: str) -> str | None:
    """Return the kind of secret for ``key`` or ``salt``, by the key above: ``tacacs``."""
    words, own = _split(parent), name.lower()
    if not words or own not in BEHIND or own == "auth":  # below which are settings
        return None
    if BEHIND[own] is not KEYS:
        return _kind(words[-1], BEHIND[own])
    return "a private key" if words[-1] in KEYS["a private key"] - LOOSE else None


def is_users(name: str) -> bool:
    """Say whether a key may have user names below it, each with a password."""
    return _last_word(name) in USERS


def is_pair(name: str) -> bool:
    """Say whether a name is that of credentials, whose value may be only a name."""
    return (
        _last_word(name) in PAIRS
        or _split(name)[-2:] in PULL_SECRETS
        or ANNOTATION.match(name) is not None
    )


def is_reference_to(name: str) -> bool:
    """Say whether a key has the name and location of a secret below it: ``secretKeyRef``."""
    return _last_word(name) in REFERRING


def is_pin(name: str, above: str = "") -> bool:
    """Say whether a name is that of a PIN, or of the code of a door.

    ``above`` is the key above it: ``alarm`` in ``{alarm: {code: 4711}}``.
    """
    words = _split(name)
    last = words[-1] if words else ""
    before = words[-2] if len(words) > 1 else _last_word(above)
    if last in ("pin", "pins", "vmpin") or (last in OF_PIN and words[-2:-1] == ("pin",)):
        return True
    if last in ("code", "codes"):
        return before in DOORS or (last == "codes" and before in OF_USER)
    return above.endswith("codes") and is_pin(above)


def is_counted(name: str) -> bool:
    """Say whether a number with this key is the count of secrets: ``tokens: 4096``."""
    return _last_word(name) in COUNTED


def is_community(path: KeyPath) -> bool:
    """Say whether the last key of a path names an SNMP community, or a list of them."""
    names = [key.lower() for key in path if isinstance(key, str)]
    return (
        bool(names) and _last_word(names[-1]) in COMMUNITIES and any("snmp" in key for key in names)
    )


def _last_word(name: str) -> str:
    words = _split(name)
    return words[-1] if words else ""
