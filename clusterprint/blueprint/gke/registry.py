"""`registry`: where images and packages of a cluster are kept."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.part import Part


class Registry(Part, frozen=True, kw_only=True):
    """Artifact Registry repositories of the cluster: private, mirror of the public one, both combined."""

    docker: Annotated[
        bool, Meta(description="Repository for container images, with a mirror of Docker Hub.")
    ] = False
    python: Annotated[bool, Meta(description="Repository for Python packages, with a mirror of PyPI.")] = (
        False
    )
    scan: (
        Annotated[
            bool,
            Meta(
                description="Have Artifact Analysis look for known vulnerabilities in images that are "
                "built. It is switched on for the project, and billed for each new image in it. False: "
                "images of this registry are not scanned, whatever the project says. Left out: as the "
                "project says, or as it was before.",
                examples=[True],
            ),
        ]
        | UnsetType
    ) = UNSET
