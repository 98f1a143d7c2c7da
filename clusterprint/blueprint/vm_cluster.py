"""How the machines of `kind: vm` know of each other, and what is known of their health."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.part import Part


class Cooperation(Part, frozen=True, kw_only=True):
    """Host lists, SSH keys and environment that the nodes of a cluster share."""

    hosts: Annotated[
        bool | UnsetType,
        Meta(
            description="Keep up-to-date lists of all nodes, by name and address, on each node. Left out: "
            "true if clusterprint creates their service account, all of them reach the internet, and their "
            "images are Google's images of Ubuntu, Debian, Rocky, RHEL or CentOS.",
            examples=[True],
        ),
    ] = UNSET
    ssh: Annotated[
        bool | UnsetType,
        Meta(
            description="Let users who are logged in on one node connect to any other without a key. Give "
            "accounts only to users who may use all nodes. Left out: true if a program runs over several "
            "nodes.",
            examples=[True],
        ),
    ] = UNSET


class Health(Part, frozen=True, kw_only=True):
    """Examination of each node: GPUs and their memory, links, network, mounts."""

    enabled: Annotated[
        bool | UnsetType,
        Meta(
            description="Check nodes at each boot, before the startup script, and then every ten minutes. "
            "Left out: true with GPUs whose driver clusterprint knows: that of the default image, or "
            "`driver`.",
            examples=[True],
        ),
    ] = UNSET
    repair: Annotated[
        bool,
        Meta(
            description="Recreate a node that is unhealthy or does not answer, under the same name. Data "
            "on its disks is lost."
        ),
    ] = False
