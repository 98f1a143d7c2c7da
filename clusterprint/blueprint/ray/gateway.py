"""`ray.gateway`: a load balancer in front of Ray services."""

from typing import Annotated, ClassVar

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.gke.inference import Access, Certificate, UrlPath
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import Names, Needs, Relation, Unique, when
from clusterprint.blueprint.texts import Duration, HostName, JobName


class Route(Part, frozen=True, kw_only=True):
    """A route to a Ray service, by host name and path."""

    relations = (Names("RAY122", "service", ("ray.services",), "service"),)

    service: Annotated[JobName, Meta(description="One of `ray.services`.", examples=["chat"])]
    hosts: Annotated[
        tuple[HostName, ...],
        Meta(
            description="Host names of the requests for this service. Empty: any.",
            max_length=16,
            examples=[["chat.example.com"]],
        ),
    ] = ()
    path: Annotated[UrlPath, Meta(description="Path prefix of the requests for this service.")] = "/"
    health_path: Annotated[
        UrlPath, Meta(description="Path of the health check, which succeeds once a pod can serve.")
    ] = "/-/healthz"
    timeout: Annotated[Duration, Meta(description="Timeout of a request, until the answer is complete.")] = (
        "5m"
    )


class Gateway(Part, frozen=True, kw_only=True):
    """A load balancer that leads to Ray services, by host name and path."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Needs("RAY121", when("access", "external"), when("certificate")),
        Unique(
            "RAY122",
            "routes",
            "two routes lead to service {item.service}",
            "write all host names in one route",
            ("service",),
        ),
    )

    access: Access = "internal"
    certificate: Certificate | UnsetType = UNSET
    routes: Annotated[
        tuple[Route, ...],
        Meta(description="Services behind the gateway.", examples=[[{"service": "chat"}]]),
    ] = ()
