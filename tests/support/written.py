"""A secret's text as other programs write it."""

import base64
import hashlib
import html
import json
import shlex
import urllib.parse
from collections.abc import Callable

import markupsafe
import yaml

SECRET = "s3cr'3t<&>\"p$/ss+w\\ör d=%"
KEY = "-----BEGIN KEY-----\nMIIEpAIBAAKCAQEA1c7\nw9/k+QzX==\nAbCdEf0123456789\n-----END KEY-----\n"
WRITERS: dict[str, Callable[[str], str]] = {
    "itself": str,
    "within": lambda text: f"a{text}b",
    "json": json.dumps,
    "json, not ASCII": lambda text: json.dumps(text, ensure_ascii=False),
    "json in json": lambda text: json.dumps(json.dumps({"a": text})),
    "html": html.escape,
    "html by markupsafe": lambda text: str(markupsafe.escape(text)),
    "json in html": lambda text: html.escape(json.dumps(text)),
    "repr": repr,
    "url": urllib.parse.quote,
    "url, all": lambda text: urllib.parse.quote(text, safe=""),
    "url, plus": urllib.parse.quote_plus,
    "shell": shlex.quote,
    "yaml, single": lambda text: str(yaml.dump(text, default_style="'", width=10**6)),
    "yaml, double": lambda text: str(
        yaml.dump(text, default_style='"', allow_unicode=True, width=10**6)
    ),
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "base64, one before": lambda text: base64.b64encode(b"x" + text.encode() + b"yz").decode(),
    "base64, two before": lambda text: base64.b64encode(b"xy" + text.encode() + b"z").decode(),
    "base64 for URLs": lambda text: base64.urlsafe_b64encode(text.encode()).decode(),
    "hex": lambda text: text.encode().hex(),
    "HEX": lambda text: text.encode().hex().upper(),
    **{
        name: lambda text, name=name: hashlib.new(name, text.encode()).hexdigest()  # type: ignore[misc]
        for name in ("md5", "sha1", "sha224", "sha256", "sha384", "sha512", "blake2b")
    },
    "sha256 of a line": lambda text: hashlib.sha256(f"{text}\n".encode()).hexdigest(),
    "sha256 as base64": lambda text: base64.b64encode(
        hashlib.sha256(text.encode()).digest()
    ).decode(),
    "workflow command": lambda text: (
        text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    ),
}
