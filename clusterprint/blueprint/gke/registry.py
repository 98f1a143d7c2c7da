"""`registry`: where images and packages of a cluster are kept."""

from typing import Annotated

from msgspec import Meta

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
        bool,
        Meta(
            description="Scan built images for known vulnerabilities with Artifact Analysis, which is "
            "enabled for the whole project and billed per new image in it."
        ),
    ] = False
