"""Logs and metrics of a cluster."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.part import Part

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
