"""Why something waits in the clusters of blueprints, and whether they are what the blueprints say."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from clusterprint.access.inside import OfKubernetes, inside
from clusterprint.errors import UsageError
from clusterprint.plan.part import StackPlan
from clusterprint.resolve import resolve
from clusterprint.status.inside import conform, walk
from clusterprint.status.inside.places import Places
from clusterprint.status.programs import Programs
from clusterprint.validate import Validated


class Cluster(NamedTuple):
    """The cluster of a blueprint, and the one of the two questions that was asked."""

    file: str
    name: str
    kind: str
    waiting: walk.Waiting | None = None
    conformance: conform.Conformance | None = None

    @property
    def unknown(self) -> tuple[str, ...]:
        """The kinds that could not be read, with the reasons."""
        found = self.waiting or self.conformance
        return found.unknown if found else ()

    @property
    def differs(self) -> bool:
        """Whether something waits, or is not as the blueprint says."""
        waits = self.waiting is not None and bool(self.waiting.causes)
        return waits or (self.conformance is not None and bool(self.conformance.differences))


def why_of(blueprints: Sequence[Validated], job: str, programs: Programs) -> list[Cluster]:
    """The waiting workloads of each Kubernetes cluster. Raises UsageError if no blueprint has one."""
    found = []
    for cluster, places, plans in _kubernetes(blueprints):
        waiting = walk.waiting(inside(plans), places, programs, job)
        waiting = waiting._replace(unknown=_with_login(waiting.unknown, plans))
        found.append(cluster._replace(waiting=waiting))
    return found


def conform_of(blueprints: Sequence[Validated], programs: Programs) -> list[Cluster]:
    """The differences of each Kubernetes cluster. Raises UsageError if no blueprint has one."""
    found = []
    for cluster, places, plans in _kubernetes(blueprints):
        conformance = conform.conform(plans, places, programs)
        conformance = conformance._replace(unknown=_with_login(conformance.unknown, plans))
        found.append(cluster._replace(conformance=conformance))
    return found


def _kubernetes(blueprints: Sequence[Validated]) -> Iterator[tuple[Cluster, Places, Sequence[StackPlan]]]:
    some = False
    for each in blueprints:
        blueprint, document = each.blueprint, each.document
        plans = resolve(blueprint, document.folder) if blueprint else ()
        if blueprint is None or not isinstance(plans[0], OfKubernetes):
            continue
        some = True
        yield Cluster(document.file, blueprint.name, blueprint.kind), Places(document, plans), plans
    if not some:
        raise UsageError(
            "only kinds gke and ray have queues and pods; of machines, `status` alone says which are not "
            "ready, and why"
        )


def _with_login(unknown: tuple[str, ...], plans: Sequence[StackPlan]) -> tuple[str, ...]:
    """With the command that makes the cluster known to kubectl, where it is not."""
    if not any("context" in said and ("not found" in said or "does not exist" in said) for said in unknown):
        return unknown
    return (*unknown, f"to get the credentials of the cluster: {inside(plans).cluster.login}")


def as_data(cluster: Cluster) -> dict[str, Any]:
    """The same for tools."""
    found: dict[str, Any] = {"file": cluster.file, "name": cluster.name, "kind": cluster.kind}
    if cluster.waiting is not None:
        found |= walk.as_data(cluster.waiting)
    if cluster.conformance is not None:
        found |= conform.as_data(cluster.conformance)
    return found
