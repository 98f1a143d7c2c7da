"""An Azure Managed Lustre: the blob container that fills it, and its key."""

from typing import Annotated

from msgspec import Meta

from clusterprint.blueprint.azure import ResourceGroupName
from clusterprint.blueprint.azure_storage import ShareName, StorageAccountName
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.texts import looks_like


class LustreBlob(Part, frozen=True, kw_only=True):
    """An existing blob container, whose files a new Lustre file system shows, and takes exports."""

    account: Annotated[
        StorageAccountName, Meta(description="Existing storage account, in the cluster's subscription.")
    ]
    container: Annotated[
        ShareName,
        Meta(description="Existing container with the files, imported when the file system is created."),
    ]
    logging_container: Annotated[
        ShareName,
        Meta(description="Another existing container of that account, for logs of imports and exports."),
    ]
    prefix: Annotated[
        str,
        looks_like(
            "^/[-._/=A-Za-z0-9]{0,1023}$",
            "a path in the container: a slash, and letters, digits and -._=/",
            "/imagenet/train",
        ),
        Meta(description="Beginning of the names of the blobs that are imported."),
    ] = "/"
    resource_group: Annotated[ResourceGroupName, Meta(description="Resource group of the storage account.")]


class VolumeEncryption(Part, frozen=True, kw_only=True):
    """A key in an existing key vault, and the existing identity that may use it."""

    key_url: Annotated[
        str,
        looks_like(
            "^https://[A-Za-z][-A-Za-z0-9]{1,22}[A-Za-z0-9]\\.vault\\.azure\\.net/keys/[-A-Za-z0-9]{1,127}/"
            "[0-9a-f]{32}$",
            "the identifier of a version of a key: https://VAULT.vault.azure.net/keys/KEY/VERSION",
            "https://ml-keys.vault.azure.net/keys/lustre/0123456789abcdef0123456789abcdef",
        ),
        Meta(
            description="Identifier of an RSA key, with its version: of 2048 bits for a managed_lustre. "
            "Another version can follow later; whether a managed_lustre has a key cannot be changed."
        ),
    ]
    identity: Annotated[
        str,
        looks_like(
            "^[A-Za-z0-9][-_A-Za-z0-9]{2,127}$",
            "the name of a user-assigned identity: 3 to 128 letters, digits, hyphens and underscores",
            "lustre-keys",
        ),
        Meta(
            description="Existing user-assigned identity that may read the key, wrap and unwrap with it. "
            "Cannot be changed later for a managed_lustre."
        ),
    ]
    resource_group: Annotated[
        ResourceGroupName, Meta(description="Resource group of key vault and identity.")
    ]
