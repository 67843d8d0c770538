"""Known formats of tokens and keys: one row for each format.

Sources: the documentation of the issuers, and the public rules of gitleaks, of which each with a
fixed prefix is here or among the choices of ``tests/redact/token_samples.py``. A format is here if
it has a mark (a prefix, a magic number, a constant inside). Texts that are only long and random are
left to ``entropy``.

A row has the reason that pages show, signs of which each such token contains one, and a pattern.
The end is open if issuers have changed a token's length before.
"""

from pillarbook.patterns.ciphertexts import CiphertextForm
from pillarbook.patterns.late_pattern import compile_late

EDGE = r"(?<![A-Za-z0-9_-])"
"""No letter that could belong to a token is before it."""
END = r"(?![A-Za-z0-9_-])"
"""No such letter is after a token of a fixed length."""
HEX_UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"


def _form(reason: str, signs: str, pattern: str) -> CiphertextForm:
    return CiphertextForm(reason, tuple(signs.split()), compile_late(pattern))


PRIVATE_KEY = "private key"
PRIVATE_KEYS = (
    CiphertextForm(
        PRIVATE_KEY,
        ("PRIVATE KEY",),
        compile_late(r"---- ?BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)? ?----"),
    ),
    _form(PRIVATE_KEY, "PuTTY-User-Key-File-", r"PuTTY-User-Key-File-\d"),
    _form(PRIVATE_KEY, "Private-key-format:", r"Private-key-format: v\d"),
    CiphertextForm(
        PRIVATE_KEY,
        ("-----BEGIN OpenVPN",),
        compile_late(r"-----BEGIN OpenVPN (?:Static key|tls-crypt-v2 \w+ key)"),
    ),
    CiphertextForm(
        PRIVATE_KEY,
        ("secret key\n",),
        compile_late(r"untrusted comment: \w+ (?:encrypted )?secret key\n"),
    ),
    _form("age secret key", "AGE-SECRET-KEY-", r"AGE-SECRET-KEY-(?:PQ-)?1[0-9A-Z]{20,}"),
    _form(
        "WireGuard private key",
        "PrivateKey PresharedKey",
        r"(?:PrivateKey|PresharedKey)\s*=\s*[A-Za-z0-9+/]{43}=",
    ),
)
TOKENS = (
    _form(
        "AWS access key",
        "AKIA ASIA ABIA ACCA A3T",
        EDGE + r"(?:A[KSB]IA|ACCA|A3T[A-Z0-9])[0-9A-Z]{16}(?![0-9A-Za-z])",
    ),
    _form(
        "GitHub token",
        "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_",
        EDGE + r"(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{22,})",
    ),
    _form(
        "GitLab token",
        "glpat- glptt- glrt- gldt- glft- glffct- glsoat- glcbt- glimt- glagent- gloas- GR1348941"
        " _gitlab_session=",
        EDGE + r"(?:gl(?:pat|ptt|rt|dt|ft|ffct|soat|cbt|imt|agent|oas)-[\w-]{20,}"
        r"|GR1348941[\w-]{20}|_gitlab_session=[0-9a-z]{32})",
    ),
    _form(
        "Slack token",
        "xox xapp-",
        EDGE + r"(?:xox[a-z](?:\.xox[a-z])?-[\w-]{10,}|xapp-\d-[\w-]{10,})",
    ),
    _form(
        "webhook URL",
        "hooks.slack.com /api/webhooks/ .webhook.office.com hc-ping.com",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/[\w/-]{8,}"
        r"|discord(?:app)?\.com/api/webhooks/\d+/[\w-]{8,}|\.webhook\.office\.com/webhookb2/\S{8,}|hc-ping\.com/[0-9a-f-]{36}",
    ),
    _form("Google API key", "AIza", EDGE + r"AIza[\w-]{35}(?![\w-])"),
    _form("Google OAuth secret", "GOCSPX- ya29.", EDGE + r"(?:GOCSPX-[\w-]{20,}|ya29\.[\w-]{20,})"),
    _form(
        "Stripe key",
        "k_live_ k_test_ k_prod_ whsec_",
        EDGE + r"(?:[sr]k_(?:live|test|prod)_|whsec_)[A-Za-z0-9+/]{10,}",
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
        "eyJ ZXlK",
        EDGE + r"(?:eyJ[\w-]{8,}\.(?:[\w-]*\.[\w-]*\.[\w-]+\.)?[\w-]{8,}\.[\w-]*"
        r"|ZXlK[A-Za-z0-9+/]{60,})",
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
    _form(
        "Grafana token",
        "glsa_ glc_ eyJrIjoi",
        EDGE + r"(?:glsa_\w{32}_[0-9a-fA-F]{8}|glc_[\w+/]{32,}|eyJrIjoi[A-Za-z0-9]{70,})",
    ),
    _form("New Relic key", "NRAK- NRII- NRAL", EDGE + r"(?:NR(?:AK|II)-[\w-]{20,}|\w{36}NRAL)"),
    _form("Sentry token", "sntrys_ sntryu_", EDGE + r"sntry[su]_[\w+/=]{20,}"),
    _form("Databricks token", "dapi", EDGE + r"dapi[0-9a-f]{32}(?!\w)"),
    _form("Shopify token", "shp", EDGE + r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    _form(
        "Square token", "sq0 EAAA", EDGE + r"(?:sq0(?:atp|csp|idp)-[\w-]{20,}|EAAA[\w-]{60})" + END
    ),
    _form("Atlassian token", "ATATT3 ATBB ATCTT3", EDGE + r"(?:AT[AC]TT3[\w=-]{30,}|ATBB\w{28,})"),
    _form("Tailscale key", "tskey-", EDGE + r"tskey-[a-z]+-[\w-]{10,}"),
    _form(
        "AI service key",
        "sk-proj- sk-ant- sk-svcacct- sk-admin- sk-or- T3BlbkFJ hf_ api_org_ pplx- xai-",
        EDGE + r"(?:sk-(?:proj|ant|svcacct|admin|or)-[\w-]{20,}|sk-\w{20}T3BlbkFJ\w{20}"
        r"|(?:hf|api_org)_[A-Za-z0-9]{34}|pplx-[A-Za-z0-9]{40,}|xai-[A-Za-z0-9]{60,})",
    ),
    _form("Linear key", "lin_api_", EDGE + r"lin_api_\w{30,}"),
    _form("Pulumi token", "pul-", EDGE + r"pul-[0-9a-f]{40}"),
    _form("Doppler token", "dp.", EDGE + r"dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{30,}"),
    _form("PlanetScale token", "pscale_", EDGE + r"pscale_(?:tkn|pw|oauth)_[\w.=-]{30,}"),
    _form("1Password token", "ops_eyJ", EDGE + r"ops_eyJ[\w=-]{40,}"),
    _form("Artifactory key", "AKCp cmVmd", EDGE + r"(?:AKCp[A-Za-z0-9]{60,}|cmVmd[A-Za-z0-9]{59})"),
    _form("Ceph key", "AQ", r"(?<![A-Za-z0-9+/=])AQ[A-Za-z0-9+/]{36}==(?![A-Za-z0-9+/=])"),
    _form("1Password secret key", "A3-", EDGE + r"A3-[A-Z0-9]{6}(?:-[A-Z0-9]{5,11}){4,5}" + END),
    _form("Adafruit key", "aio_", EDGE + r"aio_[A-Za-z0-9]{28}" + END),
    _form("Adobe client secret", "p8e-", EDGE + r"p8e-[A-Za-z0-9_-]{32}"),
    _form("Airtable token", "pat", EDGE + r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}" + END),
    _form("Alibaba access key", "LTAI", EDGE + r"LTAI[A-Za-z0-9]{12,24}" + END),
    _form(
        "Authress key",
        ".acc_ .acc-",
        EDGE + r"(?:sc|ext|scauth|authress)_[A-Za-z0-9]{5,30}\.[A-Za-z0-9]{4,6}\.acc[_-]"
        r"[A-Za-z0-9-]{10,32}\.[\w+/=-]{30,120}",
    ),
    _form(
        "AWS Bedrock key",
        "ABSK bedrock-api-key-",
        EDGE + r"(?:ABSK[A-Za-z0-9+/]{100,}|bedrock-api-key-[A-Za-z0-9+/]{20,})",
    ),
    _form("BitLocker recovery key", "-", EDGE + r"\d{6}(?:-\d{6}){7}" + END),
    _form("Backblaze key", "K00", r"(?<![A-Za-z0-9+/=])K00\d[A-Za-z0-9+/]{27}(?![A-Za-z0-9+/=])"),
    _form("Bitbucket token", "BBDC-", EDGE + r"BBDC-[A-Za-z0-9+/]{40,}"),
    _form("ClickHouse key", "4b1d", EDGE + r"4b1d[A-Za-z0-9]{38}" + END),
    _form("Clojars token", "CLOJARS_", EDGE + r"CLOJARS_[0-9a-zA-Z]{60}" + END),
    _form("Cloudflare origin key", "v1.0-", EDGE + r"v1\.0-[0-9a-f]{24}-[0-9a-f]{100,}"),
    _form("Contentful token", "CFPAT-", EDGE + r"CFPAT-[\w-]{40,}"),
    _form("Defined Networking key", "dnkey-", EDGE + r"dnkey-[\w=-]{26}-[\w=-]{52}"),
    _form(
        "Dropbox token",
        "sl. AAAAAAAAAA",
        EDGE + r"(?:sl\.(?:u\.)?[\w=-]{100,}|(?!A{11})[A-Za-z0-9]{11}A{10}[\w=-]{43})",
    ),
    _form("Duffel token", "duffel_", EDGE + r"duffel_(?:test|live)_[\w=-]{40,}"),
    _form(
        "Dynatrace token", "dt0", EDGE + r"dt0[a-z]\d\d\.[A-Za-z0-9]{8,24}\.[A-Za-z0-9]{64}" + END
    ),
    _form("EasyPost key", "EZAK EZTK", EDGE + r"EZ[AT]K[A-Za-z0-9]{54}" + END),
    _form(
        "Facebook token",
        "EAAM EAAC | %7C",
        EDGE + r"(?:EAA[MC][A-Za-z0-9]{100,}|\d{15,16}(?:\||%7C)[\w-]{27,40})" + END,
    ),
    _form("Figma token", "figd_", EDGE + r"figd_[\w-]{36,}"),
    _form("Flutterwave key", "FLWSECK", EDGE + r"FLWSECK(?:_TEST)?-[0-9A-Za-z]{12,}(?:-X)?"),
    _form(
        "Fly.io token",
        "fo1_ fm1 fm2_",
        EDGE + r"(?:fo1_[\w-]{43}|fm(?:1[ar]|2)_[A-Za-z0-9+/]{100,})",
    ),
    _form("Frame.io token", "fio-u-", EDGE + r"fio-u-[\w=-]{64}"),
    _form("GoCardless token", "live_", EDGE + r"live_(?=[\w=-]*\d)[\w=-]{40}" + END),
    _form("Google refresh token", "1//0", r"(?<![\w/])1//0[\w-]{40,}"),
    _form("Groq key", "gsk_", EDGE + r"gsk_[A-Za-z0-9]{50,}"),
    _form(
        "Harness key",
        "pat. sat.",
        EDGE + r"[ps]at\.[\w-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}" + END,
    ),
    _form("Infracost key", "ico-", EDGE + r"ico-[A-Za-z0-9]{32}" + END),
    _form("Intra42 secret", "s-s4t2", EDGE + r"s-s4t2(?:ud|af)-[0-9a-fA-F]{64}"),
    _form(
        "Kubernetes bootstrap token",
        ".",
        r"(?<![\w.-])(?=[a-z]*\d)[a-z0-9]{6}\.(?=[a-z]*\d)[a-z0-9]{16}(?![\w.-])",
    ),
    _form("LangSmith key", "lsv2_", EDGE + r"lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}"),
    _form("Lob key", "live_ test_", EDGE + r"(?:live|test)_[0-9a-f]{35}" + END),
    _form("Mapbox token", "k.eyJ", EDGE + r"[st]k\.eyJ[\w-]{20,}\.[\w-]{20,}"),
    _form("MaxMind key", "_mmk", EDGE + r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk" + END),
    _form("Netlify token", "nfp_", EDGE + r"nfp_[A-Za-z0-9]{36,}"),
    _form("Notion token", "ntn_", EDGE + r"ntn_\d{11}[A-Za-z0-9]{35}" + END),
    _form("NATS seed", "SU SA SO SN SC SX", EDGE + r"S[UAONCX][A-Z2-7]{56}" + END),
    _form("Nvidia key", "nvapi-", EDGE + r"nvapi-[\w-]{60,}"),
    _form("Octopus Deploy key", "API-", EDGE + r"API-[A-Z0-9]{25,}" + END),
    _form("OpenShift token", "sha256~", EDGE + r"sha256~[\w-]{43}" + END),
    _form(
        "Plaid token", "access-", EDGE + r"access-(?:sandbox|development|production)-" + HEX_UUID
    ),
    _form(
        "product key",
        "-",
        EDGE + r"(?=[0-9-]*[A-Z])(?=[A-Z-]*\d)[0-9A-Z]{5}(?:-[0-9A-Z]{5}){4}" + END,
    ),
    _form("Postman key", "PMAK-", EDGE + r"PMAK-[0-9a-fA-F]{24}-[0-9a-fA-F]{34}" + END),
    _form("Prefect token", "pnu_ pnb_", EDGE + r"pn[ub]_[A-Za-z0-9]{36}" + END),
    _form("ReadMe key", "rdme_", EDGE + r"rdme_[0-9a-z]{70}" + END),
    _form("Replicate token", "r8_", EDGE + r"r8_[A-Za-z0-9]{37}" + END),
    _form("Scalingo token", "tk-us-", EDGE + r"tk-us-[\w-]{48}"),
    _form(
        "Sendinblue key",
        "xkeysib- xsmtpsib-",
        EDGE + r"x(?:key|smtp)sib-[0-9a-f]{64}-[A-Za-z0-9]{16}",
    ),
    _form("SettleMint token", "sm_", EDGE + r"sm_[aps]at_[A-Za-z0-9]{16}" + END),
    _form("Shippo token", "shippo_", EDGE + r"shippo_(?:live|test)_[0-9a-fA-F]{40}" + END),
    _form("SonarQube token", "squ_ sqp_ sqa_", EDGE + r"sq[upa]_[\w=-]{40}" + END),
    _form(
        "Sourcegraph token", "sgp_", EDGE + r"sgp_(?:[0-9a-fA-F]{16}_|local_)?[0-9a-fA-F]{40}" + END
    ),
    _form("Supabase key", "sbp_ sb_secret_", EDGE + r"(?:sbp_[0-9a-f]{40}|sb_secret_[\w-]{20,})"),
    _form("Twitter token", "AAAAAAAAAA", r"(?<![A-Za-z0-9+/])A{20,22}[A-Za-z0-9%]{80,100}"),
    _form("Typeform token", "tfp_", EDGE + r"tfp_[\w.=-]{40,}"),
    _form("wallet key", "prv", EDGE + r"[xyz]prv[1-9A-HJ-NP-Za-km-z]{100,112}" + END),
    _form(
        "Yandex key",
        "t1. AQVN YC",
        EDGE + r"(?:t1\.[\w-]+=*\.[\w-]{86}=*|AQVN[\w-]{35,38}|YC[A-Z][\w-]{37})" + END,
    ),
)
