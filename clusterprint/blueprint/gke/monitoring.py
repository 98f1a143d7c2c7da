"""Logs and metrics of a cluster."""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.monitoring import Channels
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import Refuses, Relation
from clusterprint.blueprint.texts import Duration, choice

MetricSource = Literal[
    "apiserver",
    "scheduler",
    "controller_manager",
    "storage",
    "hpa",
    "pod",
    "daemonset",
    "deployment",
    "statefulset",
    "kubelet",
    "cadvisor",
]

Page = Literal["nodes", "gpus", "tpus", "network", "storage", "namespaces", "jobs", "queues"]


class ClusterAlerts(Part, frozen=True, kw_only=True):
    """Alert policies of Cloud Monitoring about the cluster."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Refuses(
            "GKE451", "node_not_ready pods_unschedulable gpu_idle queue_stuck", "outside", ("1m", "23h", "1m")
        ),
    )

    notification_channels: Channels = ()
    node_not_ready: Annotated[
        Duration,
        Meta(
            description="Time that a node is not ready (1m to 23h) before an incident opens.",
            examples=["10m"],
        ),
    ] = "10m"
    pods_unschedulable: Annotated[
        Duration | UnsetType,
        Meta(
            description="Time that pods of a namespace are unschedulable (1m to 23h) before an incident "
            "opens. Requires `pod` in `extra_metrics`. Left out: no incident for unschedulable pods.",
            examples=["30m"],
        ),
    ] = UNSET
    gpu_idle: Annotated[
        Duration | UnsetType,
        Meta(
            description="Time during which all GPUs of a node are idle (1m to 23h) that opens an incident. "
            "Requires `gpu_metrics`. Left out: no incident for idle GPUs.",
            examples=["1h"],
        ),
    ] = UNSET
    gpu_errors: Annotated[
        bool,
        Meta(
            description="Open an incident when the NVIDIA driver logs an error (Xid) on a node. Some are "
            "caused by programs."
        ),
    ] = False
    volume_used_percent: Annotated[
        int | UnsetType,
        Meta(
            ge=1,
            le=99,
            description="Usage of a pod's volume, in percent, that opens an incident. Left out: no incident "
            "for full volumes.",
            examples=[90],
        ),
    ] = UNSET
    queue_stuck: Annotated[
        Duration | UnsetType,
        Meta(
            description="Time without any admission while jobs wait in a Kueue queue (1m to 23h) before an "
            "incident opens. Requires `workloads.kueue`. Left out: no incident for queues.",
            examples=["2h"],
        ),
    ] = UNSET
    provisioner_failures: Annotated[
        bool,
        Meta(
            description="Open an incident when the slice provisioner fails to create a node pool. "
            "Requires `workloads.tpu_provisioner`."
        ),
    ] = False


class Monitoring(Part, frozen=True, kw_only=True):
    """Logs and metrics, in Cloud Logging and Cloud Monitoring."""

    workload_logs: Annotated[bool, Meta(description="Collect the logs of workload containers.")] = True
    managed_prometheus: Annotated[
        bool, Meta(description="Collect Prometheus metrics with Google Cloud Managed Service for Prometheus.")
    ] = True
    auto_monitoring: Annotated[
        bool,
        Meta(
            description="Detect common workloads, such as Ray and Jupyter, and collect their metrics. "
            "Terraform cannot disable it again; `gcloud container clusters update CLUSTER "
            "--auto-monitoring-scope=NONE` does."
        ),
    ] = False
    gpu_metrics: Annotated[
        bool | UnsetType,
        Meta(
            description="Collect DCGM metrics of GPUs. Left out: enabled if a pool has GPUs.", examples=[True]
        ),
    ] = UNSET
    jobset_metrics: Annotated[
        bool | UnsetType,
        Meta(
            description="Collect JobSet metrics. Left out: enabled if JobSet is installed.", examples=[True]
        ),
    ] = UNSET
    extra_metrics: Annotated[
        tuple[
            Annotated[
                MetricSource,
                choice(
                    values={
                        "apiserver": "The API server.",
                        "scheduler": "The scheduler.",
                        "controller_manager": "The controllers.",
                        "storage": "Volumes and volume claims.",
                        "hpa": "Horizontal pod autoscalers.",
                        "pod": "Pods.",
                        "daemonset": "Daemon sets.",
                        "deployment": "Deployments.",
                        "statefulset": "Stateful sets.",
                        "kubelet": "The kubelet of each node.",
                        "cadvisor": "Containers (cAdvisor).",
                    }
                ),
            ],
            ...,
        ],
        Meta(description="Kubernetes metrics to collect in addition to the system metrics."),
    ] = ()
    dashboards: Annotated[
        tuple[
            Annotated[
                Page,
                choice(
                    values={
                        "nodes": "CPU, memory and disk usage of nodes, and which nodes are not ready.",
                        "gpus": "GPU utilization, memory, power, clock and temperature.",
                        "tpus": "TPU utilization and memory, and pools of the slice provisioner.",
                        "network": "Network traffic of nodes and namespaces.",
                        "storage": "Volume usage, and reads through Cloud Storage FUSE.",
                        "namespaces": "CPU, memory, GPUs and TPU chips that each namespace requests and "
                        "uses.",
                        "jobs": "Running, failed and restarted JobSets.",
                        "queues": "Kueue: waiting and running jobs, and wait times.",
                    }
                ),
            ],
            ...,
        ],
        Meta(
            description="Dashboards to create in Cloud Monitoring.",
            examples=[["nodes", "network", "namespaces"]],
        ),
    ] = ()
    alerts: Annotated[
        ClusterAlerts | UnsetType,
        Meta(
            description="Alert policies about the cluster. Left out: none.",
            examples=[{"notification_channels": ["ml on call"], "node_not_ready": "10m"}],
        ),
    ] = UNSET
