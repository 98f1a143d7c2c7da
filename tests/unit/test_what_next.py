"""The last lines of `up`: commands that can be typed as they stand."""

from pathlib import Path
from typing import Any

import pytest
from support import BLUEPRINTS

from clusterprint.cli.what_next import what_next, where_to_go
from clusterprint.examine import examine


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


def test_what_a_cluster_says_is_told_once_with_its_file_and_only_what_works_in_a_simulation() -> None:
    file = BLUEPRINTS / "gke-mpi-hpl.yaml"
    results = examine([file]).results
    name = str(results[0].document.data["name"])
    shared: dict[str, Any] = {"submit": {"value": ["kubectl apply --filename JOB.yaml"]}}
    inside: dict[str, Any] = {
        **shared,
        "results": {"value": ["clusterprint results BLUEPRINT --job hpl"]},
        "notebook": {"value": {"open": "gcloud compute ssh x"}},
        "connect": {"value": "hidden", "sensitive": True},
    }
    outputs = {f"{name}-cluster": shared, f"{name}-workloads": inside}
    assert list(what_next(results, outputs, (), simulate=None)) == [
        f"  submit ({name}-cluster): kubectl apply --filename JOB.yaml",
        f"  notebook ({name}-workloads): open: gcloud compute ssh x",
        f"  results ({name}-workloads): clusterprint results {file} --job hpl",
    ]
    assert list(what_next(results, outputs, (), simulate=Path("my sim"))) == [
        f"  {what} ({name}): clusterprint {command} --simulate 'my sim' {rest}"
        for what, command, rest in (
            ("status", "status", str(file)),
            ("submit", "submit", f"{file} hpl"),
            ("log", "logs", f"{file}/hpl"),
            ("results", "results", f"{file} --job hpl"),
        )
    ]
