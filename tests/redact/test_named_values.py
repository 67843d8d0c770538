"""Values whose name stands beside them: hidden if the name is that of a secret."""

from typing import Any

import pytest
from tests.redact.test_door import as_tree, reasons, through

from pillarbook.redact import Rules

SECRET = "wintermoth"


@pytest.mark.parametrize(
    ("data", "hidden"),
    [
        ({"env": [{"name": "DB_PASSWORD", "value": SECRET}]}, {"env:0:value"}),
        ({"env": [{"value": SECRET, "name": "API_TOKEN"}]}, {"env:0:value"}),
        ({"tf": {"key": "db_password", "value": SECRET}}, {"tf:value"}),
        ({"m": {"macro": "{$SNMP_PASSWORD}", "value": SECRET}}, {"m:value"}),
        ({"cf": {"ParameterKey": "DBPassword", "ParameterValue": SECRET}}, {"cf:ParameterValue"}),
        ({"p": {"variable": "smtp_pass", "default": SECRET}}, {"p:default"}),
        ({"e": {"name": "PASSWORDS", "value": ["x", {"a": SECRET}]}}, {"e:value:0", "e:value:1:a"}),
        ({"h": {"header": "Authorization", "value": f"ann:{SECRET}"}}, {"h:value"}),
        ({"name": "DB_PASSWORD", "value": SECRET}, {"value"}),
        ({"e": {"name": "password_policy", "value": "strict"}}, set()),
        ({"e": {"name": "DB_HOST", "value": SECRET}}, set()),
        ({"e": {"name": "DB_PASSWORD", "value": "${DB_PASSWORD}"}}, set()),
        ({"e": {"name": "DB_PASSWORD_FILE", "value": "/run/secrets/db"}}, set()),
        ({"e": {"name": "DB_PASSWORD", "type": "string", "order": "first"}}, set()),
        ({"args": ["--db-password", SECRET, "--verbose"]}, {"args:1"}),
        ({"args": ["sshpass", "-p", SECRET, "ssh", "web1"]}, {"args:2"}),
        ({"args": ["--password", "--verbose", SECRET]}, set()),
        ({"args": ["--password-file", SECRET, "--user", SECRET]}, set()),
        ({"args": ["mkdir", "-p", SECRET]}, set()),
        ({"a": {"kind": "Secret", "data": {"dsn": SECRET}}}, {"a:data:dsn"}),
        ({"a": {"kind": "ConfigMap", "data": {"dsn": SECRET}}}, set()),
        ({"e": {"name": "PW", "valueFrom": {"secretKeyRef": {"name": "db", "key": "pw"}}}}, set()),
    ],
)
def test_a_value_by_the_name_beside_it(data: dict[str, Any], hidden: set[str]) -> None:
    assert set(reasons(through(as_tree(data)))) == hidden


def test_patterns_of_keys_hold_for_names_and_for_paths() -> None:
    tree = as_tree({"env": [{"name": "SHOP_DSN", "value": SECRET}]})
    assert set(reasons(through(tree, Rules(keys=["*_dsn"])))) == {"env:0:value"}
    tree = as_tree({"env": [{"name": "DB_PASSWORD", "value": SECRET}]})
    for allow in ("env:*:value", "db_password"):
        assert reasons(through(tree, Rules(allow=[allow]))) == {}
