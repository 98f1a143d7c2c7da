"""How the machines of `kind: vm` know of each other, and what is known of their health."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.part import Part


class Cooperation(Part, frozen=True, kw_only=True):
    """What the nodes of a cluster know of each other."""

    hosts: (
        Annotated[
            bool,
            Meta(
                description="Whether each node keeps lists of all nodes, by name and by address, which "
                "follow as nodes come and go. Left out: yes, if their service account is clusterprint's own, "
                "all of them reach the internet, and their images are Google's of Ubuntu, Debian, Rocky, "
                "RHEL or CentOS.",
                examples=[True],
            ),
        ]
        | UnsetType
    ) = UNSET
    ssh: (
        Annotated[
            bool,
            Meta(
                description="Whether people who are logged in on one node can go to any other, without a "
                "key. Give accounts only to people who may be on all nodes. Left out: yes where a program "
                "runs over several nodes.",
                examples=[True],
            ),
        ]
        | UnsetType
    ) = UNSET


class Health(Part, frozen=True, kw_only=True):
    """Examination of each node: GPUs and their memory, links, network, mounts."""

    enabled: (
        Annotated[
            bool,
            Meta(
                description="Whether nodes are examined at each boot, before the start-up script, and then "
                "every ten minutes. Left out: yes with GPUs whose driver clusterprint knows of: that of the "
                "default image, or `driver`.",
                examples=[True],
            ),
        ]
        | UnsetType
    ) = UNSET
    repair: Annotated[
        bool,
        Meta(
            description="Whether a node that is found unhealthy, or does not answer at all, is recreated "
            "under its name. What is on its disks is lost."
        ),
    ] = False
