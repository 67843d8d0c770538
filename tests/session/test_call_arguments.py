"""A value that is not known is shown with its call, but without the secrets in its arguments."""

from pathlib import Path

import pytest
from tests.support.derived import look, write_tree

SECRET = "Kr7mXq2vL9wz"

READS = {
    "consul": f"{{{{ salt['consul.get']('http://c', 'app/x', token='{SECRET}') }}}}",
    "etcd": f"{{{{ salt['etcd.get']('/x', profile='p', password='{SECRET}') }}}}",
    "s3": f"{{{{ salt['s3.get']('bucket', keyid='x', secret_key='{SECRET}') }}}}",
    "sdb": f"{{{{ salt['sdb.get']('sdb://x/y', token='{SECRET}') }}}}",
    "attributes": f"{{{{ salt.consul.get('http://c', 'app/x', api_key='{SECRET}') }}}}",
    "never rendered": f"{{% if false %}}{{{{ salt['consul.get']('x', token='{SECRET}') }}}}"
    "{% endif %}1",
}


@pytest.mark.parametrize("call", READS.values(), ids=READS)
def test_a_function_that_reads_hides_its_keyword_arguments(call: str, tmp_path: Path) -> None:
    assert SECRET not in _shown(f"x: {call}\ncopy: {SECRET}\n", tmp_path)


def _shown(text: str, folder: Path) -> str:
    """Return the values of a pillar as the report has them."""
    files = {"pillar/top.sls": "base: {'*': [made]}", "pillar/made.sls": text}
    pillar = look(write_tree(folder, files))
    assert pillar.outcome == "ok"
    return "\n".join(f"{leaf.path[-1]}: {leaf.value}" for leaf in pillar.leaves)
