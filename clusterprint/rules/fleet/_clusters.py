"""What rules about several blueprints read of each: only what is known."""

from collections.abc import Iterator
from typing import NamedTuple

from clusterprint.blueprint.azure import AzureBlueprint
from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.rules._known import known
from clusterprint.rules.context import Fleet, Member


class Cluster(NamedTuple):
    """A cluster, with the means to point into its blueprint; `home` is its project or subscription."""

    name: str
    home: str
    member: Member

    def is_twin_of(self, other: "Cluster") -> bool:
        """Whether both are one and the same cluster, which a rule of its own says."""
        return (self.name, self.home) == (other.name, other.home)


def clusters(fleet: Fleet) -> Iterator[Cluster]:
    """The clusters whose name and home are known."""
    yield from google_clusters(fleet)
    azure = [each for each in fleet.members if isinstance(each.blueprint, AzureBlueprint)]
    for member, (name, home) in known(azure, lambda each: (each.blueprint.name, each.blueprint.subscription)):
        yield Cluster(name, f"subscription {home}", member)


def google_clusters(fleet: Fleet) -> Iterator[Cluster]:
    """Those on Google Cloud."""
    google = [each for each in fleet.members if isinstance(each.blueprint, GoogleBlueprint)]
    for member, (name, home) in known(google, lambda each: (each.blueprint.name, each.blueprint.project)):
        yield Cluster(name, f"project {home}", member)
