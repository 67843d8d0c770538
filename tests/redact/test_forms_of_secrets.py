"""What a value is by itself: ciphertext, a key, a token, a text with a secret in it, or random."""

import base64
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.redact.real_pairs import CERTIFICATE, HEX32, HEX64, PEM, RSA, WG
from tests.redact.reasons import every_reason
from tests.redact.token_samples import SAMPLES

from pillarbook.patterns.ciphertexts import CIPHERTEXTS as FORMS
from pillarbook.patterns.ciphertexts import find_ciphertext, one_of
from pillarbook.patterns.entropy import looks_random
from pillarbook.patterns.token_forms import PRIVATE_KEYS, TOKENS
from pillarbook.patterns.token_patterns import find_in_source
from pillarbook.patterns.value_patterns import find_look
from pillarbook.redact import Rules, is_sealed

DRAWN = "kRmTFqVYbnoNCcMhX2pZ0WgJdL8sUeAi"


def coded(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


CIPHERTEXTS = {
    "-----BEGIN PGP MESSAGE-----\n\nabc\n-----END PGP MESSAGE-----": "PGP message",
    "NACL[MRN3cc+fmdxyQbz6WMF+jq1hKdU5X5BBI7OjK+atvHo1ll+w1gZ7XyWtZVfq9gK9]": "NaCl box",
    "ENC[PKCS7,MIIBeQYJKoZIhvcNAQcDoIIBajCCAWYCAQAxggEhMIIBHQIBADAF]": "eyaml ciphertext",
    "ENC[GPG,hQIMA3d2bG9yZW0gaXBzdW0=]": "eyaml ciphertext",
    "ENC[Tm93IGlzIHRoZSB0aW1l]": "eyaml ciphertext",
    "ENC[AES256_GCM,data:CwE4O1s=,iv:2k,aad:o=,tag:w==,type:str]": "SOPS ciphertext",
    "ENC(G6N718UuyPE5bHyWKyuLQSm02auQPUtm)": "Jasypt ciphertext",
    "vault:v1:8SDd3WHDOjf7mq69CyCqYjBXAiQQAVZRkFM13ok481zoCmHnSeDX9vyf7w==": (
        "Vault transit ciphertext"
    ),
    "$ANSIBLE_VAULT;1.1;AES256\n33306334": "Ansible Vault",
    "-----BEGIN AGE ENCRYPTED FILE-----\nYWdlLWVu\n": "age file",
    "age-encryption.org/v1\n-> X25519 abc\n": "age file",
    coded(b"age-encryption.org/v1\n-> X25519 abc\n"): "age file",
    "\0GITCRYPT\0abc": "git-crypt file",
    coded(b"\0GITCRYPT\0abcdef"): "git-crypt file",
    "-----BEGIN CMS-----\nMIIB\n": "CMS message",
    coded(b"Salted__abcdefghijklmnop"): "OpenSSL ciphertext",
    "AQICAHh" + DRAWN * 2: "KMS ciphertext",
    "gAAAAABh" + DRAWN * 2: "Fernet token",
}


@pytest.mark.parametrize(("text", "reason"), CIPHERTEXTS.items(), ids=CIPHERTEXTS.values())
def test_ciphertext_is_found_in_any_text(text: str, reason: str) -> None:
    assert Rules(allow=["*"]).find_reason(("note",), text) == reason
    assert Rules(allow=["*"]).find_reason(("note",), text.encode()) == reason
    if "\0" not in text and not text.startswith("AEdJ"):
        assert find_ciphertext(f"a note, and\n{text}\nmore of it") == reason
    assert is_sealed(reason)


@pytest.mark.parametrize(
    "text",
    [
        *("PENC[x]", "vault:value", "a/vault:v1:x", "sdb://", "see sdb://<profile>/<key>"),
        *("FENC(x)", "ENC()", "ANSIBLE_VAULT", "the age-encryption.org/v1 format", "gAAAAA"),
        *("NACL", "NACL[]", "ENC[]", "__vault__", "https://example.com/vault:v1:x", "BEGIN AGE"),
    ],
)
def test_what_only_resembles_ciphertext(text: str) -> None:
    assert find_ciphertext(text) is None


def test_a_whole_sops_file_reads_well() -> None:
    rules = Rules()
    shown = {
        ("sops", "lastmodified"): "2024-01-31T10:00:00Z",
        ("sops", "version"): "3.8.1",
        ("sops", "pgp", 0, "fp"): "0" * 8 + "1A2B3C4D5E6F708192A3B4C5D6E7F809",
        ("sops", "age", 0, "recipient"): (
            "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kdfxsk7ps3ucyfz"
        ),
        ("sops", "kms", 0, "arn"): "arn:aws:kms:eu-west-1:123456789012:key/1234abcd",
        ("sops", "gcp_kms", 0, "resource_id"): "projects/p/locations/l/keyRings/r/cryptoKeys/k",
        ("sops", "unencrypted_suffix"): "_unencrypted",
    }
    assert {path: rules.find_reason(path, value) for path, value in shown.items()} == dict.fromkeys(
        shown
    )
    for path, value in {
        ("sops", "mac"): "ENC[AES256_GCM,data:x,type:str]",
        ("sops", "gcp_kms", 0, "enc"): "CiQA" + DRAWN,
        ("sops", "kms", 0, "enc"): "short",
    }.items():
        assert rules.find_reason(path, value) == "SOPS ciphertext"
    assert is_sealed("SOPS ciphertext")


def test_looks() -> None:
    for text, reason in [
        (PEM, "private key"),
        (PEM.replace("\n", "\\n"), "private key"),
        (coded(PEM.encode()), "private key"),
        ("-----BEGIN OPENSSH PRIVATE KEY-----\n", "private key"),
        ("---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n", "private key"),
        ("PuTTY-User-Key-File-3: ssh-ed25519\n", "private key"),
        ("Private-key-format: v1.3\nAlgorithm: 13\n", "private key"),
        ("untrusted comment: minisign encrypted secret key\nRWRT", "private key"),
        (coded(bytes.fromhex("30820122020100300d06092a864886f70d01") + b"x" * 40), "private key"),
        (coded(bytes.fromhex("308204a40201000282010100") + b"x" * 40), "private key"),
        (coded(bytes.fromhex("30770201010420") + b"x" * 60), "private key"),
        (coded(bytes.fromhex("308209710201033082") + b"x" * 60), "PKCS #12 key store"),
        (coded(bytes.fromhex("feedfeed00000002") + b"x" * 20), "key store"),
        (coded(bytes.fromhex("0502000000") + b"x" * 20), "Kerberos keytab"),
        ("$6$rounds=5000$saltsalt$" + DRAWN, "password hash"),
        (f"a line\nroot:$y$j9T$F5Jx5fExrKuPp53x${DRAWN}:18000:::\n", "password hash"),
        ("ann:{SHA}2jmj7l5rSw0yVb/vlWAYkK/YBwk=", "password hash"),
        ("$argon2id$v=19$m=65536,t=3,p=4$c2FsdHNhbHQ$" + DRAWN, "password hash"),
        ("SCRAM-SHA-256$4096:c2FsdA==$abc=:def=", "password hash"),
        ("https://ann:s3cret@example.com/", "URL with a password"),
        ("see https://ann:s3cret@example.com/ for more", "URL with a password"),
        (f"https://{HEX32}@example.com/", "URL with a token"),
        ("https://example.com/?a=1&access_token=abcdef", "URL with a token"),
        ("Authorization: Bearer abcdefghijkl0123", "authorization header"),
        ('{"headers": {"X-Api-Key": "abcdefgh12"}}', "authorization header"),
        ("Basic YW5uOnMzY3JldA==", "authorization header"),
        ("Server=db1;User Id=app;Password=x", "connection text with a password"),
        ("sshpass -p hunter2 ssh web1", "command with a password"),
        ("redis-cli -h c1 -a hunter2 ping", "command with a password"),
        ("tool --api-token=hunter2", "command with a password"),
        ("tool --password Hunter2 --x", "command with a password"),
        ("export API_TOKEN=abcd1234", "text that sets a secret"),
        ("user: ann\npassword: letmein\n", "text that sets a secret"),
        ("requirepass foobared", "text that sets a secret"),
        ("rocommunity g4rden 10.0.0.0/8", "text that sets a secret"),
        (coded(b"DB_PASSWORD=Blue-Fjord-81\n"), "text that sets a secret"),
    ]:
        assert find_look(text) == reason, (text, reason)
        assert Rules().find_reason(("note",), text) == reason, (text, reason)
        assert Rules(allow=["note"]).find_reason(("note",), text) is None, (text, reason)


OF_FORMS = {form.reason for form in TOKENS}
EXAMPLES = {
    **{reason: text for _, text, reason in SAMPLES if reason in OF_FORMS},
    "AWS access key": "AKIAIOSFODNN7EXAMPLE",
    "GitHub token": "github_pat_" + "a1B2" * 8,
    "GitLab token": "glpat-" + "a1B2" * 5,
    "Slack token": "xoxb-" + "12345-abcde",
    "webhook URL": "https://hooks.slack.com/services/T0/B0/abcdefgh",
    "Google API key": "AIza" + "a1B2c" * 7,
    "Google OAuth secret": "GOCSPX-" + "a1B2" * 6,
    "Stripe key": "rk_test_" + "a1B2" * 6,
    "SendGrid key": "SG." + "a1B2" * 5 + "." + "a1B2" * 10,
    "Mailgun key": "key-" + HEX32,
    "Mailchimp key": HEX32 + "-us12",
    "npm token": "npm_" + "a1B2" * 9,
    "PyPI token": "pypi-" + "a1B2" * 15,
    "RubyGems key": "rubygems_" + HEX64[:48],
    "Twilio key": "SK" + HEX32,
    "Telegram bot token": "123456789:AA" + "a1B" * 11,
    "Discord token": "M" + "a1B2" * 6 + ".a1B2c3." + "a1B2" * 7,
    "JSON web token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.a1B2c3D4",
    "Azure key": "AccountKey=" + "a1B2" * 10,
    "Vault token": "hvs." + "a1B2" * 6,
    "Terraform token": "a1B2c3D4e5F6g7.atlasv1." + "a1B2" * 12,
    "Heroku key": "HRKU-" + "01234567-89ab-cdef-0123-456789abcdef",
    "DigitalOcean token": "dop_v1_" + HEX64,
    "Docker Hub token": "dckr_pat_" + "a1B2" * 7,
    "Grafana token": "glsa_" + "a1B2" * 8 + "_0123abcd",
    "New Relic key": "NRAK-" + "A1B2" * 7,
    "Sentry token": "sntrys_" + "a1B2" * 8,
    "Databricks token": "dapi" + HEX32,
    "Shopify token": "shpat_" + HEX32,
    "Square token": "sq0atp-" + "a1B2" * 6,
    "Atlassian token": "ATATT3" + "a1B2" * 9,
    "Tailscale key": "tskey-auth-" + "a1B2" * 4,
    "AI service key": "sk-ant-" + "a1B2" * 8,
    "Linear key": "lin_api_" + "a1B2" * 9,
    "Pulumi token": "pul-" + HEX64[:40],
    "Doppler token": "dp.st." + "a1B2" * 10,
    "PlanetScale token": "pscale_tkn_" + "a1B2" * 9,
    "1Password token": "ops_eyJ" + "a1B2" * 12,
    "Artifactory key": "AKCp" + "a1B2" * 16,
    "wallet key": "xprv" + "a1B2" * 26,
    "Backblaze key": "K003" + "a1B" * 9,
    "Kubernetes bootstrap token": "07401b.f395accd246ae52d",
    "Ceph key": "AQ" + "a1B2" * 9 + "==",
    "age secret key": "AGE-SECRET-KEY-1" + "A1B2" * 8,
    "WireGuard private key": f"PrivateKey = {WG}",
    "private key": "-----BEGIN EC PRIVATE KEY-----",
}


def test_known_forms() -> None:
    for reason, text in EXAMPLES.items():
        assert find_look(text) == reason, (reason, text)
        assert find_look(f"now it is '{text}', since monday") == reason, (reason, text)
        found = [(one, offset) for one, offset, _ in find_in_source(f"a: 1\n# {text}\n")]
        assert any(one == reason and offset >= len("a: 1\n# ") for one, offset in found), (
            reason,
            text,
        )
        assert find_look(text[:6]) is None, (reason, text)


def test_each_known_form_has_an_example() -> None:
    assert {form.reason for form in (*TOKENS, *PRIVATE_KEYS)} == set(EXAMPLES)


def test_what_looks_like_nothing() -> None:
    for text in [
        *("a", "web1.example.com", "https://example.com/a:b@c", "https://ann@example.com/"),
        *("https://ann:${PASSWORD}@example.com/", "postgres://ann:%(pw)s@db1/x", "$6 or $7"),
        *("Basic configuration", "token authentication", "password=${X}", "PASSWORD_FILE=/run/x"),
        *(
            "host=db1 user=app password=$PW",
            "--password-file /etc/app/x",
            "--password=%s",
            "key=value",
        ),
        *("password: must be long", "passwd:gecos", "a description of --password and more"),
        *(RSA, CERTIFICATE, "password requisite pam_unix.so", "mysql -u root -p shop", "{sha256}"),
        *("rewrite ^/(.*)$ /$1$2/index.html", "Bearer", "PublicKey = " + WG, "eyJhbGciOiJIUzI1"),
    ]:
        assert find_look(text) is None, text


@pytest.mark.parametrize(
    "text",
    [
        *(DRAWN, DRAWN[:20], "q7m2xt9rl4zk8wv3ny6c", "7b1e4f9c2d8a6035e1c4b7f2a9d86c3e50"),
        *(WG, "a1-" + DRAWN, "Q7m!xT2r#Lz9", "Tr0ub4dor&3x", f"{DRAWN[:16]}/{DRAWN[16:]}+a=="),
        coded(bytes(range(1, 250, 7)) * 5)[:76] + "\n" + coded(bytes(range(3, 250, 9))),
    ],
)
def test_what_looks_random(text: str) -> None:
    assert looks_random(text)
    assert Rules().find_reason(("app", "note"), text) == "looks random"
    assert Rules(allow=["note"]).find_reason(("app", "note"), text) is None
    assert Rules().find_reason(("app", "checksum"), text) is None
    assert Rules().find_reason(("fingerprints", "app"), text) is None


@pytest.mark.parametrize(
    "text",
    [
        *("", "short", HEX32, HEX64, "550e8400-e29b-41d4-a716-446655440000", "1234567890" * 3),
        *("AmazonLinux2KubernetesOptimizedServerProfile", "libstdc++6-4.7-dev-amd64-cross"),
        *("nginx-deployment-66b6c48dd5-7mnbp", "srv/Apps/Shop2/Data/Files3", "/usr/lib/x86_64-gnu"),
        *("%Y-%m-%dT%H:%M:%S%z", r"^[A-Z]{2}\d{4}-x$", "com.example.Shop2PaymentFactoryBean"),
        *("{{ grains['id'] }}-Ab1!", "two Words 12 !", "ou=People2,dc=Example,dc=com", RSA),
        *("aGVsbG8gd29ybGQsIHRoaXMgaXMgdGV4dA==", coded(b"\x89PNG\r\n\x1a\n" + bytes(range(60)))),
        *("SHA256:uNiVztksCsDhcc0u9e8BrrJXVGDhlGKxuCL3QvFaKe0", "sha384-" + DRAWN * 2),
        coded(bytes.fromhex("30820122300d06092a864886f70d010101") + bytes(range(99))),
        *("AAAAC3NzaC1lZDI1NTE5AAAAIHRoaXMgaXMgbm8ga2V5", "America/Argentina/Buenos_Aires2x"),
    ],
)
def test_what_people_wrote(text: str) -> None:
    assert not looks_random(text)


@given(st.text(max_size=400) | st.binary(max_size=400))
def test_any_value_is_judged(value: str | bytes) -> None:
    reason = Rules().find_reason(("a", "password"), value)
    assert reason is None or reason.split(" for ")[0] in set(every_reason())


@pytest.mark.sample(17)
@pytest.mark.parametrize(
    "piece",
    [
        *(
            "curl ",
            "mysql ",
            "x-",
            "pass={",
            "pass=",
            '"a"   ',
            "://a:",
            "eyJ",
            "machine a ",
            "a.b-",
        ),
        *(
            "-----BEGIN A ",
            "authorization: ",
            "password=\n",
            "AQ",
            "[ENC[ ",
            "identified by ",
            "user a ",
            "name=a ",
            "<a>",
            "kind: Secret\n",
            "a:1:",
            "chpasswd:\n",
            "echo a | ",
            "-b",
            'a="',
            "1 M ",
            "allow a:",
            '" A\n',
            "a-",
            "('a', ",
            "x,",
            "%Ab",
            "1.1",
            "--a ",
        ),
    ],
)
def test_a_hostile_text_takes_no_time(piece: str) -> None:
    text = piece * (60_000 // len(piece))  # a minute for what takes the square of it
    Rules().find_reason(("password",), text)


SIGNS = sorted(sign for form in (*FORMS, *PRIVATE_KEYS, *TOKENS) for sign in form.signs)
PARTS_OF_SIGNS = st.sampled_from(SIGNS).flatmap(
    lambda sign: st.integers(1, len(sign)).map(lambda size: sign[:size])
)


@given(st.lists(PARTS_OF_SIGNS | st.sampled_from(SIGNS), max_size=8).map("".join))
def test_signs_are_found_as_if_each_was_tried_the_longest_first(text: str) -> None:
    for forms in (FORMS, PRIVATE_KEYS, TOKENS):
        signs = {sign for form in forms for sign in form.signs}
        longest_first = sorted(signs, key=lambda sign: (-len(sign), sign))
        plain = re.compile("|".join(map(re.escape, longest_first)))
        assert one_of(forms).findall(text) == plain.findall(text)
