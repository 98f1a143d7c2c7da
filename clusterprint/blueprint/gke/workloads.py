"""What runs inside a GKE cluster."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.gke.components import Chart, ContainerImage, Manifest
from clusterprint.blueprint.gke.mpi import Mpi
from clusterprint.blueprint.gke.queues import Kueue
from clusterprint.blueprint.gke.tpu_provisioner import TpuProvisioner
from clusterprint.blueprint.part import Part


class Nccl(Part, frozen=True, kw_only=True):
    """NCCL plug-ins, by which GPUs of different nodes talk to each other over networks of their own."""

    install: Annotated[
        bool, Meta(description="Whether to install the plug-in that belongs to each GPU type.")
    ] = True
    plugin_image: (
        Annotated[
            ContainerImage,
            Meta(description="Image of the plug-in, if all pools need the same. Left out: the pinned one."),
        ]
        | UnsetType
    ) = UNSET
    device_injector_image: (
        Annotated[
            ContainerImage,
            Meta(
                description="Image of the device injector, which goes with TCPX and TCPXO. Left out: "
                "pinned one."
            ),
        ]
        | UnsetType
    ) = UNSET
    daemon_image: (
        Annotated[
            ContainerImage,
            Meta(
                description="Image of the daemon that jobs run beside them with TCPX and TCPXO. Left out: "
                "the pinned one."
            ),
        ]
        | UnsetType
    ) = UNSET


class Workloads(Part, frozen=True, kw_only=True):
    """What runs inside the cluster, in a Terraform stack of its own."""

    mpi: Annotated[Mpi, Meta(description="MPI jobs and the operator that runs them.")] | UnsetType = UNSET
    jobset: (
        Annotated[Chart, Meta(description="JobSet: groups of jobs that start, fail and restart together.")]
        | UnsetType
    ) = UNSET
    kueue: Annotated[Kueue, Meta(description="Kueue: queues with quotas.")] | UnsetType = UNSET
    tpu_provisioner: (
        Annotated[
            TpuProvisioner,
            Meta(description="Node pools of TPUs that come and go with the jobs that need them."),
        ]
        | UnsetType
    ) = UNSET
    nccl: Annotated[Nccl, Meta(description="NCCL plug-ins for the networks between GPUs.")] = Nccl()
    manifests: Annotated[
        tuple[Manifest, ...],
        Meta(
            description="Kubernetes objects to apply after everything else.",
            examples=[[{"file": "./jobset.yaml"}]],
        ),
    ] = ()
