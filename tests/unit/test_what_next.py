"""The last lines of `up`: commands that can be typed as they stand."""

from pathlib import Path

import pytest

from clusterprint.cli.what_next import where_to_go


@pytest.mark.parametrize(
    ("paths", "simulate", "named"),
    [
        (["first.yaml"], None, "first.yaml"),
        (["a.yaml", "clusters"], None, "a.yaml clusters"),
        (["blueprints/first.yaml"], "sim", "--simulate sim blueprints/first.yaml"),
        (["my cluster.yaml"], None, "'my cluster.yaml'"),
        (["-x.yaml"], None, "./-x.yaml"),
    ],
)
def test_blueprints_are_named_as_they_were_given(paths: list[str], simulate: str | None, named: str) -> None:
    said = where_to_go([Path(each) for each in paths], Path(simulate) if simulate else None)
    assert list(said) == [
        f"  all outputs: clusterprint outputs {named}",
        f"  to destroy it all: clusterprint down {named}",
    ]
