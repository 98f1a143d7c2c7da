"""What rules about several blueprints read of each: only what is known, and nothing of other clouds."""

from collections.abc import Iterator
from typing import NamedTuple

from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.rules._known import known
from clusterprint.rules.context import Fleet, Member


class Cluster(NamedTuple):
    """A cluster on Google Cloud, with the means to point into its blueprint."""

    name: str
    project: str
    member: Member

    def is_twin_of(self, other: "Cluster") -> bool:
        """Whether both are one and the same cluster, which a rule of its own says."""
        return (self.name, self.project) == (other.name, other.project)


def clusters(fleet: Fleet) -> Iterator[Cluster]:
    """The clusters on Google Cloud whose name and project are known."""
    google = [each for each in fleet.members if isinstance(each.blueprint, GoogleBlueprint)]
    for member, (name, project) in known(google, lambda each: (each.blueprint.name, each.blueprint.project)):
        yield Cluster(name, project, member)
