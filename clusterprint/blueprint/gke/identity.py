"""What workloads may do in Google Cloud: rights of service accounts of the cluster."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.gke.texts import KubernetesName, SecretName
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.texts import BucketName, IamRole, ServiceAccountEmail


class BucketAccess(Part, frozen=True, kw_only=True):
    """A bucket that a workload may use."""

    name: Annotated[BucketName, Meta(description="Name of the bucket, without gs://.")]
    access: Annotated[
        Literal["read_write", "read_only"],
        Meta(
            description="What the workload may do with its objects.",
            extra_json_schema={
                "enumDescriptions": {
                    "read_write": "Read, write and delete objects.",
                    "read_only": "Read objects.",
                }
            },
        ),
    ] = "read_write"


class WorkloadIdentity(Part, frozen=True, kw_only=True):
    """A service account of the cluster, and what it may do in Google Cloud. Nobody else loses a right."""

    name: Annotated[
        KubernetesName, Meta(description="Name of the service account in the cluster.", examples=["trainer"])
    ]
    namespace: Annotated[KubernetesName, Meta(description="Its namespace.")] = "default"
    roles: Annotated[
        tuple[IamRole, ...],
        Meta(description="Roles in the project.", examples=[["roles/storage.objectViewer"]]),
    ] = ()
    buckets: Annotated[tuple[BucketAccess, ...], Meta(description="Buckets that it may use.")] = ()
    secrets: Annotated[
        tuple[SecretName, ...],
        Meta(description="Secrets of Secret Manager that it may read.", examples=[["my-secret"]]),
    ] = ()
    service_account: (
        Annotated[
            ServiceAccountEmail,
            Meta(
                description="An existing Google service account to act as, for services that know no "
                "workload identities. It gets the rights. Left out: rights go to the workload itself."
            ),
        ]
        | UnsetType
    ) = UNSET
