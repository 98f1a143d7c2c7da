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
    scan: Annotated[
        bool | UnsetType,
        Meta(
            description="Scan images for known vulnerabilities when they are pushed (Artifact Analysis). "
            "True enables scanning for the whole project, billed per new image. False: images of this "
            "registry are not scanned, even if the project's are. Left out: the registry's setting is not "
            "changed; a new registry inherits the project's.",
            examples=[True],
        ),
    ] = UNSET
