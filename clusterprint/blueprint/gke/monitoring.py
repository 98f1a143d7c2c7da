"""What of a cluster is logged and measured."""

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
    """What is logged and measured, in Cloud Logging and Cloud Monitoring."""

    workload_logs: Annotated[bool, Meta(description="Collect what containers of workloads write.")] = True
    managed_prometheus: Annotated[
        bool, Meta(description="Collect Prometheus metrics with Google's managed service.")
    ] = True
    auto_monitoring: Annotated[
        bool,
        Meta(description="Find well-known workloads, Ray and Jupyter among them, and collect their metrics."),
    ] = False
    gpu_metrics: (
        Annotated[
            bool,
            Meta(description="Collect DCGM metrics of GPUs. Left out: if a pool has GPUs.", examples=[True]),
        ]
        | UnsetType
    ) = UNSET
    jobset_metrics: (
        Annotated[
            bool,
            Meta(
                description="Collect metrics of JobSets. Left out: if JobSet is installed.",
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
                            "cadvisor": "Containers, as each node sees them.",
                        }
                    }
                ),
            ],
            ...,
        ],
        Meta(description="Metrics of Kubernetes itself to collect besides those of the system."),
    ] = ()
