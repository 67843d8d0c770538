"""Every reason why a value is secret, for tests: the guide lists them all."""

from collections.abc import Iterator

from pillarbook.compile import override
from pillarbook.compile.renderers import decryption_renderers, gpg, nacl
from pillarbook.patterns import base64_values, embedded, key_names, token_forms
from pillarbook.patterns.ciphertexts import CIPHERTEXTS
from pillarbook.patterns.entropy import RANDOM
from pillarbook.patterns.key_paths import BY_KEYS, COMMUNITY
from pillarbook.patterns.password_hashes import PASSWORD_HASH
from pillarbook.patterns.reasons_by_key import BY_LOGIN, BY_PIN, BY_STATE
from pillarbook.redact.declared_secrets import DECLARED
from pillarbook.redact.redaction_rules import BY_VALUES
from pillarbook.redact.secret_lines import ENCRYPTED


def every_reason() -> Iterator[str]:
    """Yield the reasons in the order in which rules are tried; some come twice.

    Reasons that name another secret (``derived from db:password``) are omitted. Reports append the
    recipients of a PGP message to its reason.
    """
    yield from (form.reason for form in CIPHERTEXTS)
    yield from (gpg.REASON, nacl.REASON, decryption_renderers.REASON, override.REASON, DECLARED)
    yield from (form.reason for form in token_forms.PRIVATE_KEYS)
    yield from (form.reason for form in token_forms.TOKENS)
    yield PASSWORD_HASH
    yield from (embedded.URL_PASSWORD, embedded.URL_TOKEN, embedded.HEADER, embedded.CONNECTION)
    yield from (embedded.COMMAND, embedded.SETTING)
    yield base64_values.PKCS12_STORE
    yield from (reason for _, reason in base64_values.STORES)
    yield from (ENCRYPTED, BY_KEYS, BY_VALUES)
    for kind in (*key_names.KINDS, *key_names.KEYS, *key_names.WHOLE.values(), COMMUNITY):
        yield f"key names {kind}"
    yield from (BY_LOGIN, BY_PIN, BY_STATE, RANDOM)
