"""What is secret, and the one redactor that clear pillar goes through."""

from pillarbook.patterns.ciphertexts import is_sealed
from pillarbook.patterns.references import is_reference
from pillarbook.redact.declared_secrets import DeclaredSecrets
from pillarbook.redact.redacted_grains import ShownGrains
from pillarbook.redact.redacted_json import to_json, values_to_json
from pillarbook.redact.redacted_pillar import (
    Redacted,
    RedactedLeaf,
    RedactedOrigin,
    RedactedPillar,
    RedactedTarget,
    secret_of,
)
from pillarbook.redact.redaction_rules import Rules
from pillarbook.redact.redactor import Redactor
from pillarbook.redact.secret_store import SecretStore
from pillarbook.redact.target_secrets import hide_in_target, secrets_in_target

__all__ = [
    "DeclaredSecrets",
    "Redacted",
    "RedactedLeaf",
    "RedactedOrigin",
    "RedactedPillar",
    "RedactedTarget",
    "Redactor",
    "Rules",
    "SecretStore",
    "ShownGrains",
    "hide_in_target",
    "is_reference",
    "is_sealed",
    "secret_of",
    "secrets_in_target",
    "to_json",
    "values_to_json",
]
