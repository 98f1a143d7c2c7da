"""Logs, metrics, drawings and alerts of the machines of `kind: vm`."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.monitoring import ChannelName
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.texts import Duration


class Alerts(Part, frozen=True, kw_only=True):
    """Alert policies of Cloud Monitoring about the nodes."""

    notification_channels: Annotated[
        tuple[ChannelName, ...],
        Meta(
            description="Who hears of an incident: display names of notification channels that are there, "
            "each of which only one has. Left out: nobody; incidents are on the pages of Cloud Monitoring.",
            examples=[["ml on call"]],
        ),
    ] = ()
    node_silent: Annotated[
        Duration,
        Meta(
            description="How long Compute Engine has to have nothing of a node (2m to 23h) for an incident: "
            "it is stopped, or gone.",
            examples=["10m"],
        ),
    ] = "10m"
    gpu_idle: (
        Annotated[
            Duration,
            Meta(
                description="How long all GPUs of a node have to do nothing (1m to 23h) for an incident. It "
                "needs `ops_agent`. Left out: idle GPUs are no incident.",
                examples=["1h"],
            ),
        ]
        | UnsetType
    ) = UNSET
    disk_used_percent: (
        Annotated[
            int,
            Meta(
                ge=1,
                le=99,
                description="How full a disk of a node has to be for an incident, in percent. It needs "
                "`ops_agent`. Left out: full disks are no incident.",
                examples=[90],
            ),
        ]
        | UnsetType
    ) = UNSET


class VmMonitoring(Part, frozen=True, kw_only=True):
    """Logs and metrics from inside the nodes, and who looks at them."""

    ops_agent: Annotated[
        bool,
        Meta(
            description="Whether to install Google's Ops Agent, which sends the system's log to Cloud "
            "Logging and metrics to Cloud Monitoring: processors, memory, disks, processes and, where the "
            "NVIDIA driver works, GPUs. Google bills by volume."
        ),
    ] = False
    dashboard: Annotated[
        bool,
        Meta(
            description="Whether to make a dashboard of the cluster in Cloud Monitoring: processors, network "
            "and disks of each node; with `ops_agent` also memory, how full disks are, and GPUs."
        ),
    ] = False
    alerts: (
        Annotated[
            Alerts,
            Meta(
                description="Alert policies about the nodes. Left out: none.",
                examples=[{"notification_channels": ["ml on call"], "node_silent": "10m"}],
            ),
        ]
        | UnsetType
    ) = UNSET
