"""`ray.dashboard`: access to Ray's dashboard."""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import Excludes, Relation, when, written
from clusterprint.blueprint.texts import ContainerImage, HostName, ResourceName, choice


class Dashboard(Part, frozen=True, kw_only=True):
    """Ray's dashboard. Anyone who can reach it can run code on the cluster."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Excludes("RAY010", when("authentication", "none"), when("ingress", "internal")),
        *(
            Excludes("RAY012", written(field), when("ingress", "none"))
            for field in ("authentication", "host", "certificate", "proxy_image")
        ),
    )

    ingress: Annotated[
        Literal["none", "internal"],
        choice(
            description="How the dashboard is reached.",
            values={
                "none": "Only by kubectl port-forward, which requires permission in the cluster.",
                "internal": "Also through an internal load balancer, from the cluster's network.",
            },
        ),
    ] = "none"
    authentication: Annotated[
        Literal["token", "none"],
        choice(
            description="How users of the load balancer authenticate.",
            values={
                "token": "With a Kubernetes token of an account that has `get` permission for the Ray "
                "cluster.",
                "none": "Not at all: refused unless you ignore the rule.",
            },
        ),
    ] = "token"
    host: Annotated[
        HostName | UnsetType,
        Meta(description="Host name of the dashboard at the load balancer. Left out: any."),
    ] = UNSET
    certificate: Annotated[
        ResourceName | UnsetType,
        Meta(
            description="Regional SSL certificate of the project for the load balancer, which then serves "
            "HTTPS only. Left out: HTTP, which sends tokens unencrypted inside the network.",
            examples=["ray-dashboard"],
        ),
    ] = UNSET
    proxy_image: Annotated[
        ContainerImage | UnsetType,
        Meta(
            description="Image of the proxy that checks tokens, for example from a mirror. Left out: the "
            "pinned image."
        ),
    ] = UNSET
