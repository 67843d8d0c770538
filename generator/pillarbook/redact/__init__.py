"""What is secret, and the one door that clear pillar leaves by."""

from pillarbook.redact.ciphertexts import is_sealed
from pillarbook.redact.declared import DeclaredSecrets
from pillarbook.redact.door import Door, redact_pillar
from pillarbook.redact.encode import to_json, values_to_json
from pillarbook.redact.error_texts import scrub_text
from pillarbook.redact.grains import ShownGrains
from pillarbook.redact.model import (
    Redacted,
    RedactedLeaf,
    RedactedOrigin,
    RedactedPillar,
    TargetVerdict,
)
from pillarbook.redact.references import is_reference
from pillarbook.redact.rules import RuleError, Rules
from pillarbook.redact.secrets import SecretStore

__all__ = [
    "DeclaredSecrets",
    "Door",
    "Redacted",
    "RedactedLeaf",
    "RedactedOrigin",
    "RedactedPillar",
    "RuleError",
    "Rules",
    "SecretStore",
    "ShownGrains",
    "TargetVerdict",
    "is_reference",
    "is_sealed",
    "redact_pillar",
    "scrub_text",
    "to_json",
    "values_to_json",
]
