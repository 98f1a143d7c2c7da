"""Logs and metrics of a cluster."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.monitoring import Channels
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.texts import Duration

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

    notification_channels: Channels = ()
    node_not_ready: Annotated[
        Duration,
        Meta(
            description="How long a node has to be there and not ready (1m to 23h) for an incident.",
            examples=["10m"],
        ),
    ] = "10m"
    pods_unschedulable: (
        Annotated[
            Duration,
            Meta(
                description="How long pods of a namespace have to find no node (1m to 23h) for an incident. "
                "It needs `pod` in `extra_metrics`. Left out: waiting pods are no incident.",
                examples=["30m"],
            ),
        ]
        | UnsetType
    ) = UNSET
    gpu_idle: (
        Annotated[
            Duration,
            Meta(
                description="How long all GPUs of a node have to do nothing (1m to 23h) for an incident. It "
                "needs `gpu_metrics`. Left out: idle GPUs are no incident.",
                examples=["1h"],
            ),
        ]
        | UnsetType
    ) = UNSET
    gpu_errors: Annotated[
        bool,
        Meta(
            description="Whether it is an incident that NVIDIA's driver reports an error (Xid) in the log of "
            "a node. Programs cause some of them, too."
        ),
    ] = False
    volume_used_percent: (
        Annotated[
            int,
            Meta(
                ge=1,
                le=99,
                description="How full a volume of a pod has to be for an incident, in percent. Left out: "
                "full volumes are no incident.",
                examples=[90],
            ),
        ]
        | UnsetType
    ) = UNSET
    queue_stuck: (
        Annotated[
            Duration,
            Meta(
                description="How long jobs have to wait in a queue of Kueue without one being admitted (1m "
                "to 23h) for an incident. It needs `workloads.kueue`. Left out: queues are no incident.",
                examples=["2h"],
            ),
        ]
        | UnsetType
    ) = UNSET
    provisioner_failures: Annotated[
        bool,
        Meta(
            description="Whether it is an incident that the slice provisioner fails to create node pools. It "
            "needs `workloads.tpu_provisioner`."
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
        Meta(description="Detect common workloads, such as Ray and Jupyter, and collect their metrics."),
    ] = False
    gpu_metrics: (
        Annotated[
            bool,
            Meta(
                description="Collect DCGM metrics of GPUs. Left out: enabled if a pool has GPUs.",
                examples=[True],
            ),
        ]
        | UnsetType
    ) = UNSET
    jobset_metrics: (
        Annotated[
            bool,
            Meta(
                description="Collect JobSet metrics. Left out: enabled if JobSet is installed.",
                examples=[True],
            ),
        ]
        | UnsetType
    ) = UNSET
    extra_metrics: Annotated[
        tuple[
            Annotated[
                MetricSource,
                Meta(
                    extra_json_schema={
                        "enumDescriptions": {
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
                Meta(
                    extra_json_schema={
                        "enumDescriptions": {
                            "nodes": "Processors, memory and disks of nodes, and which are not ready.",
                            "gpus": "How busy GPUs are, their memory, power, clock and temperature.",
                            "tpus": "How busy TPUs are, their memory, and pools of the slice provisioner.",
                            "network": "What nodes and namespaces send and receive.",
                            "storage": "How full volumes are, and what Cloud Storage FUSE reads.",
                            "namespaces": "What each namespace asks for and uses: what it costs, in "
                            "processors, memory, GPUs and TPU chips.",
                            "jobs": "JobSets: what runs, fails and starts again.",
                            "queues": "Kueue: what waits, how long, and what runs.",
                        }
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
    alerts: (
        Annotated[
            ClusterAlerts,
            Meta(
                description="Alert policies about the cluster. Left out: none.",
                examples=[{"notification_channels": ["ml on call"], "node_not_ready": "10m"}],
            ),
        ]
        | UnsetType
    ) = UNSET
