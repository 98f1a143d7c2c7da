"""The objects of a job, of whatever kind, with its files."""

from collections.abc import Mapping, Sequence
from typing import Any

from cdktf import TerraformResource
from constructs import Construct

from clusterprint.plan.gke.jobs import ComputeDomainPlan, JobFilesPlan
from stacks.gke.compute_domain import domain_objects
from stacks.gke.job_files import lay_files
from stacks.kubernetes.objects import Objects


class JobObjects(Construct):
    """One run, in a release of this `id`. Another run has another name: it is made, then the last one goes.

    A LeaderWorkerSet has one run: a change is rolled out group by group.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        namespace: str,
        files: JobFilesPlan | None,
        domain: ComputeDomainPlan | None,
        objects: Mapping[str, dict[str, Any]],
        after: Sequence[TerraformResource],
    ) -> None:
        super().__init__(scope, id)
        Objects(
            self,
            "Default",
            name=id,
            namespace=namespace,
            objects={**domain_objects(domain, namespace), **objects},
            after=[*after, *([lay_files(self, namespace, files, after)] if files else [])],
            wait=False,
        )
