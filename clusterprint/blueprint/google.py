"""What every blueprint on Google Cloud has, whatever its kind."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.blueprint import Blueprint
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.storage import Storage
from clusterprint.blueprint.texts import IamRole, ProjectId, Region, ServiceAccountEmail, Zone


class ServiceAccount(Part, frozen=True, kw_only=True):
    """Service account of the nodes. Left out: a dedicated account with minimal roles."""

    email: (
        Annotated[
            ServiceAccountEmail,
            Meta(description="Existing service account to use. Left out: one is created for this cluster."),
        ]
        | UnsetType
    ) = UNSET
    roles: Annotated[
        tuple[IamRole, ...],
        Meta(
            description="Project roles to grant, in addition to writing logs and metrics.",
            examples=[["roles/artifactregistry.reader"]],
        ),
    ] = ()


class GoogleBlueprint(Blueprint, frozen=True, kw_only=True):
    """A cluster on Google Cloud."""

    project: Annotated[ProjectId, Meta(description="Project that the cluster is created in.")]
    region: Annotated[Region, Meta(description="Region of the cluster.")]
    zone: Annotated[Zone, Meta(description="Zone of the cluster, in its region.")] | UnsetType = UNSET
    enable_services: Annotated[
        bool,
        Meta(
            description="Enable the Google Cloud APIs that the cluster needs. They stay enabled after the "
            "cluster is destroyed."
        ),
    ] = True
    storage: Annotated[Storage, Meta(description="Storage for the nodes' data.")] = Storage()
    service_account: Annotated[ServiceAccount, Meta(description="Service account of the nodes.")] = (
        ServiceAccount()
    )
