"""`ray.dashboard`: who reaches Ray's dashboard."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.gke.components import ContainerImage
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.texts import ResourceName, looks_like


class Dashboard(Part, frozen=True, kw_only=True):
    """Ray's dashboard, through which anyone who reaches it can run code on the cluster."""

    ingress: Annotated[
        Literal["none", "internal"],
        Meta(
            description="How it is reached.",
            extra_json_schema={
                "enumDescriptions": {
                    "none": "By port-forward only, with the rights to do that in the cluster.",
                    "internal": "By an internal load balancer too, from the cluster's network.",
                }
            },
        ),
    ] = "none"
    authentication: Annotated[
        Literal["token", "none"],
        Meta(
            description="What the load balancer's users must show.",
            extra_json_schema={
                "enumDescriptions": {
                    "token": "A Kubernetes token of someone who may get the Ray cluster.",
                    "none": "Nothing: refused unless you say so by silencing the rule.",
                }
            },
        ),
    ] = "token"
    host: (
        Annotated[
            str,
            looks_like(
                "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$",
                "a host name, such as ray.example.internal",
                "ray.example.internal",
            ),
            Meta(description="Host name that the load balancer answers to. Left out: any."),
        ]
        | UnsetType
    ) = UNSET
    certificate: (
        Annotated[
            ResourceName,
            Meta(
                description="Regional SSL certificate of the project for the load balancer, which "
                "then speaks HTTPS only. Left out: HTTP, where tokens travel readable inside the network.",
                examples=["ray-dashboard"],
            ),
        ]
        | UnsetType
    ) = UNSET
    proxy_image: (
        Annotated[
            ContainerImage,
            Meta(
                description="Image of the proxy that checks tokens, for a mirror. Left out: the pinned one."
            ),
        ]
        | UnsetType
    ) = UNSET
