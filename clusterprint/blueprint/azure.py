"""Fields of every blueprint on Azure."""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.blueprint import Blueprint
from clusterprint.blueprint.content import TextFile
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import Needs, Refuses, Relation, when
from clusterprint.blueprint.texts import Duration, choice, looks_like

SubscriptionId = Annotated[
    str,
    looks_like(
        "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
        "a subscription id: a lower-case UUID, as printed by `az account show --query id`",
        "00000000-0000-0000-0000-000000000000",
    ),
]

Location = Annotated[
    str,
    looks_like(
        "^[a-z]+[a-z0-9]*$",
        "the name of an Azure region as printed by `az account list-locations`: lower-case letters and "
        "digits, without spaces",
        "southcentralus",
        name_of="azure_location",
    ),
]

ResourceGroupName = Annotated[
    str,
    looks_like(
        "^[-_().A-Za-z0-9]{1,90}$",
        "the name of a resource group: 1 to 90 letters, digits and -_.()",
        "vmss-rg",
    ),
]

NetworkResourceName = Annotated[
    str,
    looks_like(
        "^[A-Za-z0-9]([-_.A-Za-z0-9]{0,78}[_A-Za-z0-9])?$",
        "the name of a network resource: up to 80 letters, digits and -_., starting with a letter or digit",
        "hub-vnet",
    ),
]

Size = Annotated[
    str,
    looks_like(
        "^Standard_[A-Za-z0-9]+([-_][A-Za-z0-9]+)*$",
        "the name of a size, such as Standard_ND96isr_H200_v5",
        "Standard_ND96isr_H200_v5",
        name_of="azure_size",
    ),
]

HostPrefix = Annotated[
    str,
    looks_like(
        "^[A-Za-z][-A-Za-z0-9]{0,56}$",
        "a prefix of host names: up to 57 letters, digits and hyphens, starting with a letter",
        "vm-",
    ),
]

ImageUrn = Annotated[
    str,
    looks_like(
        "^[^\\s:${}%]+:[^\\s:${}%]+:[^\\s:${}%]+:(latest|[0-9]+(\\.[0-9]+)+)$",
        "the URN of a marketplace image, publisher:offer:sku:version",
        "microsoft-dsvm:ubuntu-hpc:2204:latest",
    ),
]

_RESOURCE = "^/subscriptions/[0-9A-Fa-f-]{36}/resourceGroups/[^/\\s${}%]+/providers/"

ImageId = Annotated[
    str,
    looks_like(
        f"{_RESOURCE}Microsoft\\.Compute/(images/[^/\\s${{}}%]+|"
        "galleries/[^/\\s${}%]+/images/[^/\\s${}%]+(/versions/[^/\\s${}%]+)?)$",
        "the id of an image: /subscriptions/.../providers/Microsoft.Compute/images/NAME, or "
        ".../galleries/GALLERY/images/NAME, optionally followed by /versions/VERSION",
        "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/images/providers/"
        "Microsoft.Compute/galleries/hpc/images/trainer",
    ),
]

ReservationGroupId = Annotated[
    str,
    looks_like(
        f"{_RESOURCE}Microsoft\\.Compute/capacityReservationGroups/[^/\\s${{}}%]+$",
        "the id of a capacity reservation group: /subscriptions/.../providers/Microsoft.Compute/"
        "capacityReservationGroups/NAME",
        "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/reserved/providers/"
        "Microsoft.Compute/capacityReservationGroups/gpus",
    ),
]

DiskEncryptionSetId = Annotated[
    str,
    looks_like(
        f"{_RESOURCE}Microsoft\\.Compute/diskEncryptionSets/[^/\\s${{}}%]+$",
        "the id of a disk encryption set: /subscriptions/.../providers/Microsoft.Compute/"
        "diskEncryptionSets/NAME",
        "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/security/providers/"
        "Microsoft.Compute/diskEncryptionSets/disks",
    ),
]


# Azure takes more characters than these: all but <>%&\\?/. Others have a meaning in Terraform or in shells.
TagKey = Annotated[
    str,
    looks_like(
        "^[A-Za-z0-9_]([-_.:@=#()A-Za-z0-9 ]{0,126}[-_.:@=#()A-Za-z0-9])?$",
        "the name of a tag: up to 128 letters, digits, blanks and -_.:@=#(), starting with a letter, a "
        "digit or _",
        "CostCenter",
    ),
]

TagValue = Annotated[
    str,
    looks_like(
        "^[^\\x00-\\x1f\\x7f]{0,256}$",
        "the value of a tag: at most 256 characters on one line",
        "AI Team",
    ),
]


class SshPublicKey(TextFile, frozen=True, kw_only=True):
    """An SSH public key, in a file or inline: exactly one of the two."""

    noun = "public SSH key"
    descriptions = ("File beside the blueprint that holds the key.", "The key itself, on one line.")
    # No pattern: what a pattern refuses is repeated, and a private key must not be. A rule looks at it.
    examples = (
        "./cluster.pub",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPdkNp7j9nk6VpuTqpCtCwVLBgmUq5Xh9bMnsWxAFsfY me",
    )


class Admin(Part, frozen=True, kw_only=True):
    """Who may log in to the machines."""

    relations: ClassVar[tuple[Relation, ...]] = (Refuses("AZ041", "username", "one_of", ("AZ041",)),)

    username: Annotated[
        str,
        looks_like(
            "^[a-z_][-a-z0-9_]{0,31}$",
            "a Linux user name: up to 32 lower-case letters, digits, - and _, starting with a letter or _",
            "azureuser",
        ),
        Meta(description="User that is created on every machine, with sudo rights."),
    ] = "azureuser"
    ssh_public_key: Annotated[
        SshPublicKey,
        Meta(description="SSH key of this user. Password login is disabled."),
    ]


class Repair(Part, frozen=True, kw_only=True):
    """Azure's reaction to a node that reports itself unhealthy."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Refuses("AZ050", "grace_period", "outside", ("10m", "90m", "1m")),
    )

    grace_period: Annotated[
        Duration,
        Meta(
            description="Time after its creation or a change during which a node is exempt from repair: "
            "10m to 90m.",
            examples=["30m"],
        ),
    ] = "30m"
    action: Annotated[
        Literal["replace", "restart", "reimage"],
        choice(
            description="Action on an unhealthy node.",
            values={
                "replace": "It is deleted and recreated, on other hardware if available.",
                "restart": "It is restarted and keeps its disks.",
                "reimage": "Its OS disk is recreated from the image, on the same hardware.",
            },
        ),
    ] = "replace"


class AzureTerraform(Part, frozen=True, kw_only=True):
    """Settings of Terraform itself."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Refuses("AZ123", "azurerm_provider", "matching", (r"4\.(?!55\.0$)",)),
        Refuses("AZ123", "azurerm_provider", "matching", (r"5\.",), words="major"),
    )

    azurerm_provider: Annotated[
        str,
        looks_like(
            r"^(4\.(5[5-9]|[6-9][0-9]|[1-9][0-9]{2})|5\.(0|[1-9][0-9]{0,2}))\.(0|[1-9][0-9]{0,2})$",
            "a version that these stacks can use: 4.55.0, or a later one of 4 or 5",
            "4.55.0",
        ),
        Meta(
            description="Version of the Terraform provider azurerm: 4.55.0, which clusterprint is built for, "
            "or a later version of 4 or 5."
        ),
    ] = "4.55.0"


class AzureBlueprint(Blueprint, frozen=True, kw_only=True):
    """A cluster on Azure."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Needs("AZ042", when("create_resource_group", False), when("resource_group")),
        Refuses("AZ070", "location", "unknown", ("azure_location",)),
        Refuses("AZ082", "tags", "matching", ("(?i)(?P<first>azure|microsoft|windows)",)),
    )

    terraform: Annotated[AzureTerraform, Meta(description="Settings of Terraform itself.")] = AzureTerraform()
    subscription: Annotated[SubscriptionId, Meta(description="Subscription that the cluster is created in.")]
    location: Annotated[Location, Meta(description="Region of the cluster.")]
    resource_group: Annotated[
        ResourceGroupName | UnsetType,
        Meta(description="Resource group of all resources of the cluster. Left out: `<name>-rg`."),
    ] = UNSET
    create_resource_group: Annotated[
        bool,
        Meta(
            description="Create the resource group, which this cluster then owns. With false, it must "
            "exist already."
        ),
    ] = True
    register_providers: Annotated[
        bool | UnsetType,
        Meta(
            description="Let Terraform register the resource providers that the cluster needs, which "
            "requires permission on the whole subscription. With false, they must be registered already. "
            "Left out: same as `create_resource_group`.",
            examples=[False],
        ),
    ] = UNSET
    tags: Annotated[
        dict[TagKey, TagValue],
        Meta(
            description="Azure tags of every resource, in addition to `labels`, in the spelling that "
            "your policies require.",
            examples=[{"CostCenter": "AI Team"}],
        ),
    ] = {}
    encryption_at_host: Annotated[
        bool,
        Meta(
            description="Encrypt temporary disks and disk caches on the hosts of the machines as well, "
            "as some policies require. The subscription must have the feature `EncryptionAtHost`."
        ),
    ] = False
    disk_encryption_set: Annotated[
        DiskEncryptionSetId | UnsetType,
        Meta(
            description="Existing disk encryption set, in the subscription and region of the cluster, whose "
            "key encrypts the disks of all machines. Volumes have `encryption`. Left out: Microsoft's keys."
        ),
    ] = UNSET
