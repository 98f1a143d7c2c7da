"""Fields of every blueprint on Google Cloud."""

from typing import Annotated, ClassVar

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.blueprint import Blueprint
from clusterprint.blueprint.networks import GoogleNetwork
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import Excludes, Needs, Refuses, Relation, Unique, when, written
from clusterprint.blueprint.storage import Storage
from clusterprint.blueprint.texts import (
    IN_PROJECT,
    IamRole,
    KmsKey,
    ProjectId,
    Region,
    ServiceAccountEmail,
    ServiceName,
    Zone,
    looks_like,
)


class ServiceAccount(Part, frozen=True, kw_only=True):
    """Service account of the nodes. Left out: a dedicated account with minimal roles."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Excludes("GCP071", when("roles"), when("email")),
        Unique(
            "GCP073",
            "roles",
            "{item} is listed twice",
            key=(),
            help="remove one of them, or name the role that was meant",
        ),
        Refuses("GCP074", "roles", "elsewhere", (when("/project"), IN_PROJECT), (when("/project"),)),
        Refuses("GCP070", "roles", "matching", ("roles/(owner|editor)$",)),
        Refuses(
            "GCP072", "email", "matching", (r"([0-9]+-compute@developer|.+@appspot)\.gserviceaccount\.com$",)
        ),
    )

    email: Annotated[
        ServiceAccountEmail | UnsetType,
        Meta(description="Existing service account to use. Left out: one is created for this cluster."),
    ] = UNSET
    roles: Annotated[
        tuple[IamRole, ...],
        Meta(
            description="Project roles to grant, in addition to writing logs and metrics.",
            examples=[["roles/artifactregistry.reader"]],
        ),
    ] = ()


class Terraform(Part, frozen=True, kw_only=True):
    """Settings of Terraform itself."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Refuses("GCP163", "google_provider", "matching", (r"7\.(?!45\.0$)",)),
        Refuses("GCP163", "google_provider", "matching", (r"8\.",), words="major"),
    )

    google_provider: Annotated[
        str,
        looks_like(
            r"^(6\.50\.0|(7\.(4[5-9]|[5-9][0-9]|[1-9][0-9]{2})|8\.(0|[1-9][0-9]{0,2}))\.(0|[1-9][0-9]{0,2}))$",
            "a version that these stacks can use: 6.50.0, 7.45.0, or a later one of 7 or 8",
            "7.45.0",
        ),
        Meta(
            description="Version of the Terraform provider google: 7.45.0, which clusterprint is built for, "
            "a later version of 7 or 8, or 6.50.0, the last one before 7, for teams that cannot upgrade yet: "
            "fields that it does not support are refused."
        ),
    ] = "7.45.0"


class KubernetesTerraform(Terraform, frozen=True, kw_only=True):
    """Settings of Terraform itself, and of its access to a cluster."""

    relations: ClassVar[tuple[Relation, ...]] = (
        *Terraform.relations,
        Refuses("GCP163", "kubernetes_provider", "matching", (r"3\.",), words="kubernetes"),
        Refuses("GCP163", "helm_provider", "matching", (r"3\.(?!1\.1$)",), words="helm"),
    )

    kubernetes_provider: Annotated[
        str,
        looks_like(
            r"^(2\.38\.0|3\.(0|[1-9][0-9]{0,2})\.(0|[1-9][0-9]{0,2}))$",
            "a version that these stacks can use: 2.38.0, or one of 3",
            "2.38.0",
        ),
        Meta(
            description="Version of the Terraform provider kubernetes: 2.38.0, which clusterprint is built "
            "for, or one of 3."
        ),
    ] = "2.38.0"
    helm_provider: Annotated[
        str,
        looks_like(
            r"^3\.(1\.[1-9][0-9]{0,2}|([2-9]|[1-9][0-9]{1,2})\.(0|[1-9][0-9]{0,2}))$",
            "a version that these stacks can use: 3.1.1, or a later one of 3",
            "3.1.1",
        ),
        Meta(
            description="Version of the Terraform provider helm: 3.1.1, which clusterprint is built for, or "
            "a later one of 3."
        ),
    ] = "3.1.1"


class GoogleBlueprint(Blueprint, frozen=True, kw_only=True):
    """A cluster on Google Cloud."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Needs("GCP142", when("more_services"), when("enable_services")),
        Unique(
            "GCP143",
            "more_services",
            "{item} is listed twice",
            key=(),
            help="remove it, or name another",
        ),
        Refuses("GCP052", "labels", "matching", ("goog-(?!partner-solution$)",)),
    )

    project: Annotated[ProjectId, Meta(description="Project that the cluster is created in.")]
    region: Annotated[Region, Meta(description="Region of the cluster.")]
    zone: Annotated[Zone | UnsetType, Meta(description="Zone of the cluster, in its region.")] = UNSET
    enable_services: Annotated[
        bool,
        Meta(
            description="Enable the Google Cloud APIs that the cluster needs. They stay enabled after the "
            "cluster is destroyed."
        ),
    ] = True
    more_services: Annotated[
        tuple[ServiceName, ...],
        Meta(
            description="Google Cloud APIs to enable besides those that the cluster needs. They stay "
            "enabled, too.",
            max_length=64,
            examples=[["ondemandscanning.googleapis.com", "servicehealth.googleapis.com"]],
        ),
    ] = ()
    terraform: Annotated[Terraform, Meta(description="Settings of Terraform itself.")] = Terraform()
    storage: Annotated[Storage, Meta(description="Storage for the nodes' data.")] = Storage()
    service_account: Annotated[ServiceAccount, Meta(description="Service account of the nodes.")] = (
        ServiceAccount()
    )


class NetworkedBlueprint(GoogleBlueprint, frozen=True, kw_only=True):
    """A cluster on Google Cloud that has a network; rules about networks are about these.

    `network` is a field of each such kind, with a type of its own, among the fields that it belongs to.
    """

    relations: ClassVar[tuple[Relation, ...]] = (
        Needs("GCP172", written("grant_kms_key"), when("kms_key"), instead=""),
    )

    kms_key: Annotated[
        KmsKey | UnsetType,
        Meta(
            description="Cloud KMS key, in the region of the cluster, that encrypts all data that "
            "the cluster creates: disks, images, buckets, file systems, and what only GKE has: Secrets, "
            "registries and storage classes. What cannot be encrypted with it is refused. Left out: keys of "
            "Google."
        ),
    ] = UNSET
    grant_kms_key: Annotated[
        bool,
        Meta(
            description="Let those of Google's service agents that encrypt the data use `kms_key`. Write "
            "false if the owner of the key grants that."
        ),
    ] = True

    @property
    def network(self) -> GoogleNetwork:
        """The network of the cluster, made or existing."""
        raise NotImplementedError
