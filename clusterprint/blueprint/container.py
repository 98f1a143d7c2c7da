"""A container that runs on machines."""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import Refuses, Relation
from clusterprint.blueprint.texts import NO_DIGEST, ContainerImage, EnvironmentName, choice, looks_like

#: An image by its digest, as it should be named.
EXAMPLE = "us-docker.pkg.dev/my-project/images/trainer@sha256:" + 8 * "1b00d6e5"

PublishedPort = Annotated[
    str,
    looks_like(
        "^[0-9]{1,5}:[0-9]{1,5}(/(tcp|udp))?$",
        "a published port: PORT_OF_THE_NODE:PORT_IN_THE_CONTAINER, optionally followed by /tcp or /udp, such "
        "as 8080:80",
        "8080:80",
        "5353:53/udp",
    ),
]


class Container(Part, frozen=True, kw_only=True):
    """One container that runs on every node, from the first boot on."""

    relations: ClassVar[tuple[Relation, ...]] = (Refuses("VM122", "image", "matching", (NO_DIGEST,)),)

    image: Annotated[
        ContainerImage,
        Meta(
            description="Image of the container, preferably by digest. If it is in the Artifact Registry "
            "of the cluster's project, nodes get permission to pull it.",
            examples=[EXAMPLE],
        ),
    ]
    args: Annotated[
        tuple[str, ...],
        Meta(
            description="Arguments of the container, after the image's entry point. Each is one line and "
            "is passed on unchanged, without a shell.",
            examples=[["python", "train.py", "--epochs", "3"]],
        ),
    ] = ()
    env: Annotated[
        dict[EnvironmentName, str],
        Meta(
            description="Environment variables of the container, each one line. Do not put secrets here: "
            "everybody on a node can read them.",
            examples=[{"HF_HUB_OFFLINE": "1"}],
        ),
    ] = {}
    ports: Annotated[
        tuple[PublishedPort, ...],
        Meta(
            description="Ports of the node that are forwarded to the container. With GPUDirect the "
            "container uses the network of its node, so all its ports are open without this.",
            examples=[["8080:80"]],
        ),
    ] = ()
    gpus: Annotated[
        bool | UnsetType,
        Meta(
            description="Give the container access to the GPUs. Left out: true on nodes with GPUs.",
            examples=[True],
        ),
    ] = UNSET
    restart: Annotated[
        Literal["always", "on_failure", "never"],
        choice(
            description="When the container is restarted after it has ended. It is always started at boot.",
            values={
                "always": "Whenever it ends.",
                "on_failure": "When it ends with an exit status other than 0.",
                "never": "Only at the next boot.",
            },
        ),
    ] = "always"
