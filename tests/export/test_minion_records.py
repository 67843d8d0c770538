"""Minions share most of what they get: it is told once, and then by its number."""

from pathlib import Path

from tests.support.derived import opened, write_tree

from pillarbook.export.minion_records import MinionRecorder, pack_records, unpack_records

FILES = {
    "pillar/top.sls": "base: {'*': [common], 'b': [own]}",
    "pillar/common.sls": "shared: {one: 1, two: 2}\n",
    "pillar/own.sls": "own: b\n",
}


def test_a_minion_is_told_only_what_no_minion_before_it_had(tmp_path: Path) -> None:
    with opened(write_tree(tmp_path, FILES, minions={one: {} for one in "abc"})) as session:
        recorder = MinionRecorder(session.report)
        records = [recorder.record(rank) for rank in range(3)]
    assert [len(one.new) for one in records] == [1, 1, 0]
    assert [len(one.new_targets) for one in records] == [2, 1, 0]
    first, second, third = records
    assert first.targets == third.targets
    assert first.targets[0] == second.targets[0]
    assert first.targets[1] != second.targets[1]


def test_records_come_through_to_another_process(tmp_path: Path) -> None:
    with opened(write_tree(tmp_path, FILES, minions={one: {} for one in "ab"})) as session:
        recorder = MinionRecorder(session.report)
        records = [recorder.record(rank) for rank in range(2)]
    packed = list(unpack_records(pack_records(records)))
    assert [one.rank for one in packed] == [0, 1]
    assert [list(one.targets) for one in packed] == [list(one.targets) for one in records]
    assert [one.new_targets[0][1][0] for one in packed] == ["*", "b"]
