"""What a path tells is found once for all rules; their patterns add to it."""

import pytest

from pillarbook.patterns.key_paths import KeyPaths

PATH = ("db", "users", "admin")


def test_a_path_is_looked_at_once() -> None:
    assert KeyPaths((), ()).find(PATH) is KeyPaths(["other"], ["*_dsn"]).find(PATH)


@pytest.mark.parametrize(
    "paths",
    [
        KeyPaths(["users"], ()),
        KeyPaths((), ["users"]),
        KeyPaths((), (), {PATH: "password"}),
        KeyPaths((), (), is_matched=lambda key: key == "users"),
    ],
    ids=["keys", "allow", "used", "is_matched"],
)
def test_patterns_are_asked(paths: KeyPaths) -> None:
    assert KeyPaths((), ()).find(PATH) != paths.find(PATH)


def test_keys_that_are_equal_in_a_mapping_are_told_apart() -> None:
    found = [KeyPaths((), ()).find(("ports", key)) for key in (1, True, 1.0)]
    assert len({id(facts) for facts in found}) == 3
