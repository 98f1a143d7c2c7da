"""What runs inside a GKE cluster."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.gke.components import Chart, ContainerImage, Manifest
from clusterprint.blueprint.gke.mpi import Mpi
from clusterprint.blueprint.gke.queues import Kueue
from clusterprint.blueprint.gke.tpu_provisioner import TpuProvisioner
from clusterprint.blueprint.part import Part


class Nccl(Part, frozen=True, kw_only=True):
    """NCCL plug-ins, with which GPUs of different nodes communicate over the GPU networks."""

    install: Annotated[bool, Meta(description="Install the plug-in for each GPU type.")] = True
    plugin_image: (
        Annotated[
            ContainerImage,
            Meta(
                description="Image of the plug-in, if all pools need the same one. Left out: the pinned "
                "image."
            ),
        ]
        | UnsetType
    ) = UNSET
    device_injector_image: (
        Annotated[
            ContainerImage,
            Meta(description="Image of the device injector for TCPX and TCPXO. Left out: the pinned image."),
        ]
        | UnsetType
    ) = UNSET
    daemon_image: (
        Annotated[
            ContainerImage,
            Meta(
                description="Image of the daemon that runs beside jobs with TCPX and TCPXO. Left out: the "
                "pinned image."
            ),
        ]
        | UnsetType
    ) = UNSET


class Workloads(Part, frozen=True, kw_only=True):
    """What runs inside the cluster, in a separate Terraform stack."""

    mpi: Annotated[Mpi, Meta(description="MPI jobs and the operator that runs them.")] | UnsetType = UNSET
    jobset: (
        Annotated[Chart, Meta(description="JobSet: groups of jobs that start, fail and restart together.")]
        | UnsetType
    ) = UNSET
    kueue: Annotated[Kueue, Meta(description="Kueue: job queues with quotas.")] | UnsetType = UNSET
    tpu_provisioner: (
        Annotated[
            TpuProvisioner,
            Meta(description="TPU node pools that are created and deleted with the jobs that need them."),
        ]
        | UnsetType
    ) = UNSET
    nccl: Annotated[Nccl, Meta(description="NCCL plug-ins for GPU networks.")] = Nccl()
    manifests: Annotated[
        tuple[Manifest, ...],
        Meta(
            description="Kubernetes objects to apply after everything else.",
            examples=[[{"file": "./jobset.yaml"}]],
        ),
    ] = ()
