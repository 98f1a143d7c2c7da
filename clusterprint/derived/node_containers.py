"""The container of the nodes of `kind: vm`, and the registry of its image."""

import re
from typing import NamedTuple

from msgspec import UNSET, UnsetType

from clusterprint.blueprint.container import Container
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import NodeGroup, VmNodes

_REPOSITORY = re.compile(r"(?P<location>[a-z0-9-]+)-docker\.pkg\.dev/(?P<path>.+)")
_OLD_REGISTRY = re.compile(r"([a-z]+\.)?gcr\.io/")


class Repository(NamedTuple):
    """A repository of Artifact Registry."""

    location: str
    project: str
    name: str


def container_of(blueprint: VmBlueprint, group: VmNodes) -> Container | UnsetType:
    """The container of a group's nodes: their own, or the cluster's."""
    if isinstance(group, NodeGroup) and group.container is not UNSET:
        return group.container
    return blueprint.container


def containers(blueprint: VmBlueprint, groups: tuple[VmNodes, ...]) -> tuple[Container, ...]:
    """The containers that run on some node, each once."""
    found = [each for each in (container_of(blueprint, group) for group in groups) if each is not UNSET]
    return tuple({id(each): each for each in found}.values())


def is_printable(container: Container) -> bool:
    """Whether what a container is told can be carried to nodes, one text a line."""
    return all(each.isprintable() for each in (*container.args, *container.env.values()))


def repository_of(image: str) -> Repository | None:
    """The repository of Artifact Registry that an image lies in; None if it lies elsewhere.

    Projects of an organization's own domain are written with a slash in images: example.com/project.
    """
    found = _REPOSITORY.fullmatch(image)
    parts = found["path"].split("/") if found else []
    with_domain = bool(parts) and "." in parts[0]
    enough = 4 if with_domain else 3
    if found is None or len(parts) < enough:
        return None
    project = f"{parts[0]}:{parts[1]}" if with_domain else parts[0]
    return Repository(found["location"], project, parts[enough - 2])


def is_of_google(image: str) -> bool:
    """Whether the registry of an image is one of Google's, which nodes reach without the internet."""
    return bool(_REPOSITORY.fullmatch(image) or _OLD_REGISTRY.match(image))


def shares_network(gpudirect: str) -> bool:
    """Whether a container is in the network of its node, as what goes past the host's processors needs it."""
    return gpudirect != ""


def own_repositories(blueprint: VmBlueprint, groups: tuple[VmNodes, ...]) -> tuple[Repository, ...]:
    """Artifact Registry repositories in the cluster's project that its nodes pull from, sorted."""
    ray = blueprint.bootstrap.ray
    images = [each.image for each in containers(blueprint, groups)]
    if ray is not UNSET and ray.image is not UNSET:
        images.append(ray.image)
    found = {
        repository
        for image in images
        if (repository := repository_of(image)) is not None and repository.project == blueprint.project
    }
    return tuple(sorted(found))
