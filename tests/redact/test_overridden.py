"""What a container held that gave way as a whole stays as secret as it was."""

from pillarbook.model import MapNode, Origin, all_origins, grow
from pillarbook.redact import Rules


def test_equal_values_of_a_mapping_keep_the_keys_they_lay_under() -> None:
    tree = grow(
        {"user": "hunter2", "password": "hunter2"},
        lambda _, value: Origin("t.sls", 1, "t", "base", value),
    )
    assert isinstance(tree, MapNode)
    below = [origin.below for origin in all_origins(tree)]
    assert below == [("user",), ("password",)]
    rules = Rules()
    assert [rules.find_reason(("k", *path), "hunter2") is not None for path in below] == [
        False,
        True,
    ]
