"""Workloads of a GKE cluster."""

from typing import Annotated, ClassVar

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.gke.checkpoints import Checkpoints
from clusterprint.blueprint.gke.components import Chart, HelmChart, Manifest
from clusterprint.blueprint.gke.inference import Inference
from clusterprint.blueprint.gke.ml_diagnostics import MlDiagnostics
from clusterprint.blueprint.gke.mpi import Mpi
from clusterprint.blueprint.gke.pod_groups import JobSet, LeaderWorkerSet, TrainJob
from clusterprint.blueprint.gke.queues import Kueue
from clusterprint.blueprint.gke.slurm import ClusterSlurm
from clusterprint.blueprint.gke.tpu_provisioner import TpuProvisioner
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import (
    Excludes,
    Forbids,
    Needs,
    Relation,
    Since,
    unless,
    unwritten,
    when,
)
from clusterprint.blueprint.texts import ContainerImage


class Nccl(Part, frozen=True, kw_only=True):
    """NCCL plug-ins, with which GPUs of different nodes communicate over the GPU networks."""

    relations: ClassVar[tuple[Relation, ...]] = (
        *(
            Forbids("GKE141", when(field), (when("@plugins", False),))
            for field in ("plugin_image", "device_injector_image", "daemon_image")
        ),
    )

    install: Annotated[bool, Meta(description="Install the plug-in for each GPU type.")] = True
    plugin_image: Annotated[
        ContainerImage | UnsetType,
        Meta(description="Image of the plug-in, if all pools need the same one. Left out: the pinned image."),
    ] = UNSET
    device_injector_image: Annotated[
        ContainerImage | UnsetType,
        Meta(description="Image of the device injector for TCPX and TCPXO. Left out: the pinned image."),
    ] = UNSET
    daemon_image: Annotated[
        ContainerImage | UnsetType,
        Meta(
            description="Image of the daemon that runs beside jobs with TCPX and TCPXO. Left out: the pinned "
            "image."
        ),
    ] = UNSET


class Workloads(Part, frozen=True, kw_only=True):
    """The workloads inside the cluster, in a separate Terraform stack."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Since("GKE350", when("inference"), "inference"),
        Forbids("GKE453", when("inference"), (when("inference.models", ()), unwritten("inference.models"))),
        Needs("GKE250", when("nvidia_dra"), when("@nvlink_pools")),
        Needs("GKE112", when("kueue"), when("@pools_of_queues")),
        Forbids("GKE113", when("kueue"), (when("@too_many_flavors"),)),
        Excludes("GKE297", when("tpu_provisioner"), when("/project"), (when("@project_of_cluster"),)),
        Needs("GKE123", when("tpu_provisioner"), when("/zone"), (when("tpu_provisioner.zone", UNSET),)),
        Excludes(
            "GKE120",
            when("tpu_provisioner"),
            unless("/cluster.release_channel", "none"),
            (when("/cluster.existing", UNSET), when("@excludes_upgrades", False)),
        ),
        Since(
            "GKE395",
            when("checkpoints"),
            "checkpoints",
            "the checkpoints",
            given=(when("/cluster.addons.multi_tier_checkpointing", UNSET, False),),
        ),
        *(
            Needs("GKE240", when(field), when(controller))
            for field, controller in (
                ("jobsets", "jobset"),
                ("leader_worker_sets", "lws"),
                ("train_jobs", "trainer"),
            )
        ),
        Needs("GKE473", when("trainer"), when("jobset")),
        Needs("GKE398", when("ml_diagnostics"), when("cert_manager")),
        Needs("GKE545", when("slurm"), when("cert_manager")),
    )

    mpi: Annotated[Mpi | UnsetType, Meta(description="MPI jobs and the operator that runs them.")] = UNSET
    jobset: Annotated[
        Chart | UnsetType, Meta(description="JobSet: groups of jobs that start, fail and restart together.")
    ] = UNSET
    jobsets: Annotated[
        tuple[JobSet, ...],
        Meta(
            description="JobSets to run. Requires `jobset`, the controller that runs them.",
            examples=[
                [
                    {
                        "name": "train",
                        "image": "us-docker.pkg.dev/my-project/images/trainer:v1",
                        "command": ["python", "/app/train.py"],
                    }
                ]
            ],
        ),
    ] = ()
    trainer: Annotated[
        Chart | UnsetType,
        Meta(description="Kubeflow Trainer, which runs TrainJobs. Requires `jobset`, which runs their pods."),
    ] = UNSET
    train_jobs: Annotated[
        tuple[TrainJob, ...],
        Meta(
            description="TrainJobs to run. Requires `trainer`, the controller that runs them.",
            examples=[
                [
                    {
                        "name": "llm",
                        "image": "us-docker.pkg.dev/my-project/images/trainer:v1",
                        "nodes": 2,
                        "command": ["torchrun", "/app/train.py"],
                    }
                ]
            ],
        ),
    ] = ()
    checkpoints: Annotated[
        Checkpoints | UnsetType,
        Meta(
            description="Checkpoints of JobSets in the memory of nodes, with copies on other nodes and in a "
            "bucket.",
            examples=[{"volume": "ckpt", "memory_gb": 64}],
        ),
    ] = UNSET
    lws: Annotated[
        Chart | UnsetType,
        Meta(description="LeaderWorkerSet: replicas of groups of pods, for models that span nodes."),
    ] = UNSET
    leader_worker_sets: Annotated[
        tuple[LeaderWorkerSet, ...],
        Meta(
            description="LeaderWorkerSets to run. Requires `lws`, the controller that runs them.",
            examples=[
                [
                    {
                        "name": "serve",
                        "image": "us-docker.pkg.dev/my-project/images/server:v1",
                        "command": ["python", "/app/serve.py"],
                    }
                ]
            ],
        ),
    ] = ()
    inference: Annotated[
        Inference | UnsetType,
        Meta(
            description="An inference gateway, which routes each request to the pod that can serve it best."
        ),
    ] = UNSET
    nvidia_dra: Annotated[
        Chart | UnsetType,
        Meta(
            description="NVIDIA's driver for dynamic resource allocation. With it, the pods of MPI jobs, "
            "JobSets and LeaderWorkerSets on A4X machines use NVLink between nodes: each workload gets a "
            "ComputeDomain."
        ),
    ] = UNSET
    ml_diagnostics: Annotated[
        MlDiagnostics | UnsetType,
        Meta(
            description="Google's ML Diagnostics: metrics and profiles of runs, in the Google Cloud console. "
            "Requires `cert_manager`."
        ),
    ] = UNSET
    cert_manager: Annotated[
        Chart | UnsetType, Meta(description="cert-manager: certificates, created and renewed in the cluster.")
    ] = UNSET
    kueue: Annotated[Kueue | UnsetType, Meta(description="Kueue: job queues with quotas.")] = UNSET
    slurm: Annotated[
        ClusterSlurm | UnsetType,
        Meta(
            description="Slurm on node pools of its own, by Slinky's operator. Requires `cert_manager`.",
            examples=[{"partitions": [{"name": "gpu", "pools": ["workers"]}]}],
        ),
    ] = UNSET
    tpu_provisioner: Annotated[
        TpuProvisioner | UnsetType,
        Meta(description="TPU node pools that are created and deleted with the jobs that need them."),
    ] = UNSET
    nccl: Annotated[Nccl, Meta(description="NCCL plug-ins for GPU networks.")] = Nccl()
    charts: Annotated[
        tuple[HelmChart, ...],
        Meta(
            description="Helm charts of your own, installed after the components above.",
            examples=[
                [{"name": "vector", "location": "https://helm.vector.dev/vector", "version": "0.46.0"}]
            ],
        ),
    ] = ()
    manifests: Annotated[
        tuple[Manifest, ...],
        Meta(
            description="Kubernetes objects to apply after everything else.",
            examples=[[{"file": "./jobset.yaml"}]],
        ),
    ] = ()
