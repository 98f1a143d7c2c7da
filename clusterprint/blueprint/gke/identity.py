"""Permissions of workloads in Google Cloud, by Kubernetes service account."""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.gke.texts import KubernetesName, SecretName
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import Excludes, Forbids, Names, Needs, Refuses, Relation, Unique, when
from clusterprint.blueprint.texts import IN_PROJECT, BucketName, IamRole, ServiceAccountEmail, choice


class BucketAccess(Part, frozen=True, kw_only=True):
    """A bucket that a workload can use."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Excludes("GKE095", when("name"), when("/backend.gcs.bucket"), (when("@is_state_bucket"),)),
    )

    name: Annotated[BucketName, Meta(description="Name of the bucket, without gs://.")]
    access: Annotated[
        Literal["read_write", "read_only"],
        choice(
            description="Access of the workload to its objects.",
            values={
                "read_write": "Read, write and delete objects.",
                "read_only": "Read objects.",
            },
        ),
    ] = "read_write"


class WorkloadIdentity(Part, frozen=True, kw_only=True):
    """Permissions of a Kubernetes service account in Google Cloud. Existing grants are left alone."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Needs("GKE091", when("name"), when("@rights")),
        Refuses("GKE094", "roles", "elsewhere", (when("/project"), IN_PROJECT), (when("/project"),)),
        Forbids("GKE096", when("namespace"), (when("@is_of_system"),)),
        Names("", "secrets", ("secrets",), "secret"),
        Unique(
            "GKE093",
            "secrets",
            "{item} is listed twice",
            key=(),
            help="remove one of them, or name the one that was meant",
        ),
        Unique(
            "GKE093",
            "roles",
            "{item} is listed twice",
            key=(),
            help="remove one of them, or name the one that was meant",
        ),
        Unique(
            "GKE099",
            "buckets",
            "bucket {item.name} is listed twice for {part.name}",
            help="merge the two entries into one",
        ),
        Refuses("GKE092", "roles", "matching", ("roles/(owner|editor)$",)),
    )

    name: Annotated[
        KubernetesName, Meta(description="Name of the Kubernetes service account.", examples=["trainer"])
    ]
    namespace: Annotated[KubernetesName, Meta(description="Its namespace.")] = "default"
    roles: Annotated[
        tuple[IamRole, ...],
        Meta(description="Roles in the project.", examples=[["roles/storage.objectViewer"]]),
    ] = ()
    buckets: Annotated[tuple[BucketAccess, ...], Meta(description="Buckets that it can use.")] = ()
    secrets: Annotated[
        tuple[SecretName, ...],
        Meta(
            description="Secret Manager secrets that it can read: those in `secrets`, and existing "
            "global ones.",
            examples=[["my-secret"]],
        ),
    ] = ()
    service_account: Annotated[
        ServiceAccountEmail | UnsetType,
        Meta(
            description="Existing Google service account to impersonate, for services without support for "
            "workload identity. The permissions are granted to this account. Left out: they are granted to "
            "the workload directly."
        ),
    ] = UNSET
