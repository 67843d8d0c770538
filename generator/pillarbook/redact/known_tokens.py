"""Tokens and keys that say themselves what they are, wherever they stand.

Sources: what the issuers document of their tokens' forms. A form is listed where it has a mark of
its own (a prefix, a magic number); what is only long and random is left to ``entropy``.
"""

import re
from collections.abc import Iterator

from pillarbook.redact.ciphertexts import Form, one_of

EDGE = r"(?<![A-Za-z0-9_-])"
"""Before a token there is no letter that could belong to it."""


def _form(reason: str, signs: str, pattern: str) -> Form:
    return Form(reason, tuple(signs.split()), re.compile(pattern))


PRIVATE_KEY = "private key"
PRIVATE_KEYS = (
    Form(
        PRIVATE_KEY,
        ("PRIVATE KEY",),
        re.compile(r"---- ?BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)? ?----"),
    ),
    _form(PRIVATE_KEY, "PuTTY-User-Key-File-", r"PuTTY-User-Key-File-\d"),
    _form(PRIVATE_KEY, "Private-key-format:", r"Private-key-format: v\d"),
    Form(
        PRIVATE_KEY,
        ("-----BEGIN OpenVPN",),
        re.compile(r"-----BEGIN OpenVPN (?:Static key|tls-crypt-v2 \w+ key)"),
    ),
    Form(
        PRIVATE_KEY,
        ("secret key\n",),
        re.compile(r"untrusted comment: \w+ (?:encrypted )?secret key\n"),
    ),
    _form("age secret key", "AGE-SECRET-KEY-", r"AGE-SECRET-KEY-(?:PQ-)?1[0-9A-Z]{20,}"),
    _form(
        "WireGuard private key",
        "PrivateKey PresharedKey",
        r"(?:PrivateKey|PresharedKey)\s*=\s*[A-Za-z0-9+/]{43}=",
    ),
)
SHORTEST_KEY = 20
KEY_SIGNS = one_of(PRIVATE_KEYS)
TOKENS = (
    _form("AWS access key", "AKIA ASIA", EDGE + r"A[KS]IA[0-9A-Z]{16}(?![0-9A-Za-z])"),
    _form(
        "GitHub token",
        "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_",
        EDGE + r"(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{22,})",
    ),
    _form(
        "GitLab token",
        "glpat- glptt- glrt- gldt- glft- glsoat- glcbt- glimt- glagent- gloas-",
        EDGE + r"gl(?:pat|ptt|rt|dt|ft|soat|cbt|imt|agent|oas)-[\w-]{20,}",
    ),
    _form(
        "Slack token",
        "xox xapp-",
        EDGE + r"(?:xox[a-z](?:\.xox[a-z])?-[\w-]{10,}|xapp-\d-[\w-]{10,})",
    ),
    _form(
        "webhook URL",
        "hooks.slack.com /api/webhooks/ .webhook.office.com",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/[\w/-]{8,}"
        r"|discord(?:app)?\.com/api/webhooks/\d+/[\w-]{8,}|\.webhook\.office\.com/webhookb2/\S{8,}",
    ),
    _form("Google API key", "AIza", EDGE + r"AIza[\w-]{35}(?![\w-])"),
    _form("Google OAuth secret", "GOCSPX- ya29.", EDGE + r"(?:GOCSPX-[\w-]{20,}|ya29\.[\w-]{20,})"),
    _form(
        "Stripe key",
        "k_live_ k_test_ whsec_",
        EDGE + r"(?:[sr]k_(?:live|test)_|whsec_)[A-Za-z0-9+/]{16,}",
    ),
    _form("SendGrid key", "SG.", EDGE + r"SG\.[\w-]{16,}\.[\w-]{16,}"),
    _form("Mailgun key", "key-", EDGE + r"key-[0-9a-f]{32}(?![\w-])"),
    _form("Mailchimp key", "-us", EDGE + r"[0-9a-f]{32}-us\d{1,2}(?!\w)"),
    _form("npm token", "npm_", EDGE + r"npm_[A-Za-z0-9]{36}(?!\w)"),
    _form("PyPI token", "pypi-", EDGE + r"pypi-[\w-]{50,}"),
    _form("RubyGems key", "rubygems_", EDGE + r"rubygems_[0-9a-f]{40,}"),
    _form("Twilio key", "SK", EDGE + r"SK[0-9a-f]{32}(?!\w)"),
    _form("Telegram bot token", ":AA", r"(?<!\d)\d{8,10}:AA[\w-]{33}(?![\w-])"),
    _form(
        "Discord token",
        ".",
        EDGE + r"[MNO][\w-]{23,25}\.[A-Za-z0-9_-]{6}\.[\w-]{27,38}(?![\w-])",
    ),
    _form(
        "JSON web token",
        "eyJ",
        EDGE + r"eyJ[\w-]{8,}\.(?:[\w-]*\.[\w-]*\.[\w-]+\.)?[\w-]{8,}\.[\w-]*",
    ),
    _form(
        "Azure key",
        "AccountKey= SharedAccessKey= 8Q~ 7Q~",
        r"(?:AccountKey|SharedAccessKey)=[A-Za-z0-9+/]{20,}|[\w~.-]{3}[78]Q~[\w~.-]{31,34}",
    ),
    _form("Vault token", "hvs. hvb. hvr.", EDGE + r"hv[sbr]\.[\w-]{20,}"),
    _form(
        "Vault token",
        "s.",
        r"(?<![\w.-])s\.(?=[A-Za-z]*\d)(?=[a-z0-9]*[A-Z])[A-Za-z0-9]{24}(?![\w.])",
    ),
    _form("Terraform token", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[\w-]{40,}"),
    _form("Heroku key", "HRKU-", EDGE + r"HRKU-[\w-]{30,}"),
    _form("DigitalOcean token", "_v1_", EDGE + r"do[opr]_v1_[0-9a-f]{64}"),
    _form("Docker Hub token", "dckr_", EDGE + r"dckr_(?:pat|oat)_[\w-]{20,}"),
    _form("Grafana token", "glsa_ glc_", EDGE + r"(?:glsa_\w{32}_[0-9a-f]{8}|glc_[\w+/]{32,})"),
    _form("New Relic key", "NRAK- NRII- NRAL", EDGE + r"(?:NR(?:AK|II)-[\w-]{20,}|\w{36}NRAL)"),
    _form("Sentry token", "sntrys_ sntryu_", EDGE + r"sntry[su]_[\w+/=]{20,}"),
    _form("Databricks token", "dapi", EDGE + r"dapi[0-9a-f]{32}(?!\w)"),
    _form("Shopify token", "shp", EDGE + r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    _form("Square token", "sq0", EDGE + r"sq0(?:atp|csp|idp)-[\w-]{20,}"),
    _form("Atlassian token", "ATATT3 ATBB ATCTT3", EDGE + r"(?:AT[AC]TT3[\w=-]{30,}|ATBB\w{28,})"),
    _form("Tailscale key", "tskey-", EDGE + r"tskey-[a-z]+-[\w-]{10,}"),
    _form(
        "AI service key",
        "sk-proj- sk-ant- sk-svcacct- T3BlbkFJ hf_",
        EDGE + r"(?:sk-(?:proj|ant|svcacct)-[\w-]{20,}|sk-\w{20}T3BlbkFJ\w{20}|hf_[A-Za-z]{34})",
    ),
    _form("Linear key", "lin_api_", EDGE + r"lin_api_\w{30,}"),
    _form("Pulumi token", "pul-", EDGE + r"pul-[0-9a-f]{40}"),
    _form("Doppler token", "dp.", EDGE + r"dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{30,}"),
    _form("PlanetScale token", "pscale_", EDGE + r"pscale_(?:tkn|pw|oauth)_[\w.=-]{30,}"),
    _form("1Password token", "ops_eyJ", EDGE + r"ops_eyJ[\w=-]{40,}"),
    _form("Artifactory key", "AKCp", EDGE + r"AKCp[A-Za-z0-9]{60,}"),
    _form("Ceph key", "AQ", r"(?<![A-Za-z0-9+/=])AQ[A-Za-z0-9+/]{36}==(?![A-Za-z0-9+/=])"),
)
SIGNS = one_of(TOKENS)
BY_SIGN = {
    sign: tuple(form for form in TOKENS if any(own in sign for own in form.signs))
    for form in TOKENS
    for sign in form.signs
}
"""The forms to look at where a sign stands; one sign may hold another."""
LONG_WORD = re.compile(r"[\w.~/+=:-]{16}")
"""Such a run is in each text that holds a token."""


def find_private_key(text: str) -> str | None:
    """Return what private key a text holds (``private key``), None for none."""
    if len(text) < SHORTEST_KEY or KEY_SIGNS.search(text) is None:
        return None
    return next((form.reason for form in PRIVATE_KEYS if form.is_in(text)), None)


def find_token(text: str) -> str | None:
    """Return what token of a known form a text holds (``GitHub token``), None for none."""
    if LONG_WORD.search(text) is None:
        return None
    forms = (form for sign in dict.fromkeys(SIGNS.findall(text)) for form in BY_SIGN[sign])
    return next((form.reason for form in forms if form.is_in(text)), None)


def find_in_source(source: str) -> Iterator[tuple[str, int, str]]:
    """Yield each private key and token in a source text.

    Yields:
        The reason, the offset, and a text that tells it from others: a secret itself.
    """
    for form in (*PRIVATE_KEYS, *TOKENS):
        if form.pattern is not None and any(sign in source for sign in form.signs):
            for match in form.pattern.finditer(source):
                is_headline = form.reason == PRIVATE_KEY
                after = _line_after(source, match.end()) if is_headline else ""
                yield form.reason, match.start(), after or match.group()


def _line_after(source: str, offset: int) -> str:
    """Return the next line of a source, of a key what its first line does not tell."""
    start = source.find("\n", offset) + 1
    return source[start : source.find("\n", start)].strip() if start else ""
