"""Facts about each blueprint for rules about several: only known values."""

from typing import Generic, NamedTuple, TypeVar

from clusterprint.blueprint.azure import AzureBlueprint
from clusterprint.blueprint.google import GoogleBlueprint, NetworkedBlueprint
from clusterprint.rules.context import B_co, Fleet, Member
from clusterprint.rules.kit import UNSET, Iterator, known

G = TypeVar("G", bound=GoogleBlueprint)


class Cluster(NamedTuple, Generic[B_co]):
    """A cluster, with the means to point into its blueprint; `home` is its project or subscription."""

    name: str
    home: str
    member: Member[B_co]

    def is_twin_of(self, other: "Cluster") -> bool:
        """Whether both are one and the same cluster, which a rule of its own says."""
        return (self.name, self.home) == (other.name, other.home)


def clusters(fleet: Fleet) -> Iterator[Cluster]:
    """The clusters whose name and home are known."""
    yield from google_clusters(fleet)
    for member, (name, home) in known(
        fleet.of(AzureBlueprint), lambda each: (each.blueprint.name, each.blueprint.subscription)
    ):
        yield Cluster(name, f"subscription {home}", member)


def google_clusters(fleet: Fleet) -> Iterator[Cluster[GoogleBlueprint]]:
    """Those on Google Cloud."""
    return clusters_of(fleet, GoogleBlueprint)


def clusters_of(fleet: Fleet, blueprint: type[G]) -> Iterator[Cluster[G]]:
    """Those on Google Cloud whose blueprint is of a type."""
    members = fleet.of(blueprint)
    for member, (name, home) in known(members, lambda each: (each.blueprint.name, each.blueprint.project)):
        yield Cluster(name, f"project {home}", member)


def existing_network(blueprint: NetworkedBlueprint) -> str:
    """The existing network that a cluster is in, as `project/name`; empty for one of its own."""
    existing = blueprint.network.existing
    if existing is UNSET:
        return ""
    return f"{blueprint.project if existing.project is UNSET else existing.project}/{existing.name}"
