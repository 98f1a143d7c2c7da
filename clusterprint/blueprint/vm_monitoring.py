"""Logs, metrics, drawings and alerts of the machines of `kind: vm`."""

from typing import Annotated, ClassVar

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.monitoring import Channels
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import Needs, Refuses, Relation, when
from clusterprint.blueprint.texts import Duration


class Alerts(Part, frozen=True, kw_only=True):
    """Alert policies of Cloud Monitoring about the nodes."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Refuses("VM182", "node_silent", "outside", ("2m", "23h", "1m")),
        Refuses("VM182", "gpu_idle", "outside", ("1m", "23h", "1m")),
    )

    notification_channels: Channels = ()
    node_silent: Annotated[
        Duration,
        Meta(
            description="Time without metrics from a node (2m to 23h) that opens an incident: it is "
            "stopped, or gone.",
            examples=["10m"],
        ),
    ] = "10m"
    gpu_idle: Annotated[
        Duration | UnsetType,
        Meta(
            description="Time during which all GPUs of a node are idle (1m to 23h) that opens an incident. "
            "Requires `ops_agent`. Left out: no incident for idle GPUs.",
            examples=["1h"],
        ),
    ] = UNSET
    disk_used_percent: Annotated[
        int | UnsetType,
        Meta(
            ge=1,
            le=99,
            description="Disk usage of a node, in percent, that opens an incident. Requires `ops_agent`. "
            "Left out: no incident for full disks.",
            examples=[90],
        ),
    ] = UNSET


class VmMonitoring(Part, frozen=True, kw_only=True):
    """Logs and metrics from inside the nodes, and who looks at them."""

    relations: ClassVar[tuple[Relation, ...]] = (
        *(
            Needs("VM180", when(f"alerts.{field}"), when("ops_agent"))
            for field in ("gpu_idle", "disk_used_percent")
        ),
    )

    ops_agent: Annotated[
        bool,
        Meta(
            description="Install Google's Ops Agent, which sends the system log to Cloud Logging, and "
            "metrics of processors, memory, disks, processes and (with a working NVIDIA driver) GPUs to "
            "Cloud Monitoring. Billed by volume."
        ),
    ] = False
    dashboard: Annotated[
        bool,
        Meta(
            description="Create a dashboard of the cluster in Cloud Monitoring: processors, network and "
            "disks of each node; with `ops_agent` also memory, disk usage and GPUs."
        ),
    ] = False
    alerts: Annotated[
        Alerts | UnsetType,
        Meta(
            description="Alert policies about the nodes. Left out: none.",
            examples=[{"notification_channels": ["ml on call"], "node_silent": "10m"}],
        ),
    ] = UNSET
