"""A cluster of which a test says what is in it, resolved."""

from pathlib import Path

import pytest

from clusterprint.load import load
from clusterprint.plan.gke.mpi import MpiJobPlan
from clusterprint.plan.gke.workloads import GkeWorkloadsPlan
from clusterprint.resolve import resolve
from clusterprint.validate import validate_together

HEAD = """\
clusterprint: v1
kind: gke
name: c
project: my-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-state}}
"""
POOLS = "node_pools: [{name: cpu, machine_type: n2-standard-4, count: 3}]\n"


class Inside:
    """Resolves blueprints that begin all alike."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def plan(self, body: str) -> GkeWorkloadsPlan | None:
        """The plan of what runs inside, if anything does."""
        file = self.folder / "c.yaml"
        file.write_text(HEAD + body)
        document = load(file, file.name).document
        assert document is not None
        (result,) = validate_together([document])
        assert result.blueprint is not None
        assert [each for each in result.diagnostics if each.severity.value == "error"] == []
        self.plans = resolve(result.blueprint, self.folder)
        return next((plan for plan in self.plans if isinstance(plan, GkeWorkloadsPlan)), None)

    def job(self, job: str, pools: str = POOLS) -> MpiJobPlan:
        """The plan of the only job."""
        plan = self.plan(f"{pools}workloads: {{mpi: {{jobs: [{{{job}}}]}}}}\n")
        assert plan is not None
        assert plan.mpi is not None
        return plan.mpi.jobs[0]


@pytest.fixture
def inside(tmp_path: Path) -> Inside:
    return Inside(tmp_path)
