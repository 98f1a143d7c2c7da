"""A container that runs on machines."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.gke.components import ContainerImage, EnvironmentName
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.texts import looks_like

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

    image: Annotated[
        ContainerImage,
        Meta(
            description="Image of the container, preferably by digest. Where it is in Artifact Registry, in "
            "the cluster's project, nodes get the right to read it.",
            examples=[EXAMPLE],
        ),
    ]
    args: Annotated[
        tuple[str, ...],
        Meta(
            description="Arguments of the container: what follows the image's entry point. Each is one line, "
            "and reaches the program as it is; no shell reads it.",
            examples=[["python", "train.py", "--epochs", "3"]],
        ),
    ] = ()
    env: Annotated[
        dict[EnvironmentName, str],
        Meta(
            description="Environment variables of the container, each one line. No place for secrets: "
            "everybody on a node can read them.",
            examples=[{"HF_HUB_OFFLINE": "1"}],
        ),
    ] = {}
    ports: Annotated[
        tuple[PublishedPort, ...],
        Meta(
            description="Ports of the node that lead to ports of the container. With GPUDirect the container "
            "is in the network of its node, and has all ports without this.",
            examples=[["8080:80"]],
        ),
    ] = ()
    gpus: (
        Annotated[
            bool,
            Meta(
                description="Whether the container sees the GPUs. Left out: wherever nodes have some.",
                examples=[True],
            ),
        ]
        | UnsetType
    ) = UNSET
    restart: Annotated[
        Literal["always", "on_failure", "never"],
        Meta(
            description="When the container is started again after it ended. At a boot it always is.",
            extra_json_schema={
                "enumDescriptions": {
                    "always": "Whenever it ends.",
                    "on_failure": "When it ends with another exit status than 0.",
                    "never": "Not before the next boot.",
                }
            },
        ),
    ] = "always"
