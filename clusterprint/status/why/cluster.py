"""Why something waits in the clusters of blueprints."""

import os
from collections.abc import Sequence
from typing import Any, NamedTuple

from clusterprint.access.inside import OfKubernetes, inside
from clusterprint.errors import UsageError
from clusterprint.resolve import resolve
from clusterprint.status.programs import Programs
from clusterprint.status.why import walk
from clusterprint.status.why.places import Places
from clusterprint.validate import Validated


class Why(NamedTuple):
    """The waiting workloads in the cluster of a blueprint."""

    file: str
    name: str
    kind: str
    waiting: walk.Waiting


def why_of(blueprints: Sequence[Validated], job: str, *, simulated: bool) -> list[Why]:
    """The waiting workloads of each Kubernetes cluster. Raises UsageError if no blueprint has one."""
    programs = Programs(os.environ, simulated=simulated)
    found = []
    for each in blueprints:
        blueprint, document = each.blueprint, each.document
        plans = resolve(blueprint, document.folder) if blueprint else ()
        if blueprint is None or not isinstance(plans[0], OfKubernetes):
            continue
        of = inside(plans)
        waiting = walk.waiting(of, Places(document, plans), programs, job)
        if any("does not exist" in said or "no context" in said for said in waiting.unknown):
            login = f"to get the credentials of the cluster: {of.cluster.login}"
            waiting = waiting._replace(unknown=(*waiting.unknown, login))
        found.append(Why(document.file, blueprint.name, blueprint.kind, waiting))
    if not found:
        raise UsageError(
            "only kinds gke and ray have queues and pods; of machines, `status` without --why says which are "
            "not ready, and why"
        )
    return found


def as_data(cluster: Why) -> dict[str, Any]:
    """The same for tools."""
    return {"file": cluster.file, "name": cluster.name, "kind": cluster.kind} | walk.as_data(cluster.waiting)
