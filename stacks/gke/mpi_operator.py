"""The MPI operator: the definition of MPIJobs, and the program that runs them."""

from collections.abc import Sequence

from cdktf import TerraformResource
from cdktf_cdktf_provider_kubernetes.service_account_v1 import (
    ServiceAccountV1,
    ServiceAccountV1Metadata,
)
from constructs import Construct

from clusterprint.plan.kubernetes import ProgramPlan
from stacks.addresses import addressed
from stacks.gke.mpi_job_definition import DEFINITION
from stacks.kubernetes.controller import Controller
from stacks.kubernetes.objects import Objects
from stacks.kubernetes.rights import Right, Rights

_NAME = "mpi-operator"

_RIGHTS = (
    # Host files and SSH keys of jobs, and the name that workers are found by.
    Right("", ["configmaps", "secrets", "services"], ["create", "get", "list", "watch", "update"]),
    Right("", ["pods"], ["create", "get", "list", "watch", "delete", "update", "patch"]),
    Right("", ["events"], ["create", "patch"]),
    # The launcher.
    Right("batch", ["jobs"], ["create", "get", "list", "watch", "update"]),
    Right("kubeflow.org", ["mpijobs", "mpijobs/finalizers", "mpijobs/status"], ["*"]),
    Right("coordination.k8s.io", ["leases"], ["create", "get", "list", "watch", "update"]),
    Right("scheduling.k8s.io", ["priorityclasses"], ["get", "list", "watch"]),
)


class MpiOperator(Construct):
    """The operator, in a namespace of its own. `ready` has to be there before the first job."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        namespace: str,
        after: Sequence[TerraformResource],
        program: ProgramPlan,
    ) -> None:
        super().__init__(scope, id)
        definition = Objects(
            self,
            "definition",
            name=f"{_NAME}-definition",
            namespace=namespace,
            objects={"mpijobs.kubeflow.org": DEFINITION},
            after=after,
        )
        account = addressed(
            ServiceAccountV1(
                self,
                "account",
                metadata=ServiceAccountV1Metadata(name=_NAME, namespace=namespace),
                depends_on=list(after),
            )
        )
        rights = Rights(
            self,
            "rights",
            name=_NAME,
            namespace=namespace,
            account=account.metadata.name,
            after=after,
            everywhere=_RIGHTS,
        )
        controller = Controller(
            self,
            "Default",
            name=_NAME,
            namespace=namespace,
            service_account=account.metadata.name,
            after=[definition.resource, *rights.grants],
            program=program,
        )
        self.ready = controller.resource
