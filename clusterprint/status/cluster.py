"""Everything that is known of the clusters of blueprints, put together."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from clusterprint.access import slurm
from clusterprint.access.inside import OfKubernetes, OfMachines
from clusterprint.access.machines import azure_ways
from clusterprint.errors import EnvironmentFailure, UsageError
from clusterprint.lifecycle.session import Session
from clusterprint.lifecycle.stack import Stack
from clusterprint.plan.part import StackPlan
from clusterprint.plan.vm import VmPlan
from clusterprint.plan.vmss import VmssPlan
from clusterprint.resolve import resolve
from clusterprint.status import compute_engine, kubernetes, scale_set
from clusterprint.status.cost import Cost, cost_of
from clusterprint.status.machines import Machines
from clusterprint.status.programs import Programs
from clusterprint.status.slurm import ask_at
from clusterprint.status.states import StackStatus, read_states
from clusterprint.validate import Validated
from clusterprint.wishes.lock import Counted, counting


class ClusterStatus(NamedTuple):
    """The known status of a cluster.

    `machines` is None where nobody was asked: nothing stands, or `note` says why. `wishes` are those for
    capacity that count.
    """

    file: str
    name: str
    kind: str
    stacks: tuple[StackStatus, ...]
    machines: Machines | None
    cost: Cost | None
    note: str = ""
    wishes: tuple[Counted, ...] = ()

    @property
    def as_said(self) -> bool:
        """Whether no difference from the blueprint is known."""
        nodes = self.machines is None or self.machines.ready >= self.machines.wanted
        return nodes and not self._images_differ and all(each.as_said for each in self.stacks)

    @property
    def differs(self) -> bool:
        """Whether something is known to be not as the blueprint says."""
        machines = self.machines
        lacking = machines is not None and not machines.unknown and machines.ready < machines.wanted
        return lacking or self._images_differ or any(each.differs for each in self.stacks)

    @property
    def _images_differ(self) -> bool:
        return self.machines is not None and any(each.differ for each in self.machines.images)

    @property
    def unknown(self) -> bool:
        """Whether something could not be asked."""
        machines = self.machines
        asked = machines is None or not (machines.unknown or (machines.slurm and machines.slurm.unknown))
        return not asked or any(each.unknown for each in self.stacks)


def status_of(
    blueprints: Sequence[Validated],
    stacks: Sequence[Stack],
    session: Session,
    *,
    drift: bool,
    nodes: bool = True,
) -> list[ClusterStatus]:
    """The status of the cluster of each blueprint. `stacks` are those of all of them."""
    # Without the variables of a stack: the clouds' programs need none of those.
    programs = Programs(session.world.environment, simulated=session.world.simulated)
    found = {each.name: each for each in read_states(stacks, session, programs, drift=drift)}
    return [_cluster(each, found, programs, nodes=nodes) for each in blueprints if each.blueprint is not None]


def _cluster(
    validated: Validated, states: Mapping[str, StackStatus], programs: Programs, *, nodes: bool
) -> ClusterStatus:
    blueprint = validated.blueprint
    assert blueprint is not None  # noqa: S101 - the caller looks
    plans = resolve(blueprint, validated.document.folder)
    own = tuple(states[each.name] for each in plans)
    # A state that could not be read says nothing about whether there are machines.
    stands = any(each.exists or each.unknown or each.at_work for each in own)
    machines, note = nodes_of(_found(plans, own), programs) if stands and nodes else (None, "")
    return ClusterStatus(
        file=validated.document.file,
        name=blueprint.name,
        kind=blueprint.kind,
        stacks=own,
        machines=machines,
        cost=cost_of(blueprint, machines.nodes, programs.now()) if machines else None,
        note=note,
        wishes=tuple(counting(validated.document)) if stands else (),
    )


def _found(plans: Sequence[StackPlan], stacks: Sequence[StackStatus]) -> Sequence[StackPlan]:
    """The plans; that of a scale set with Slurm with the addresses in its state, if they can be read."""
    first = plans[0]
    if not isinstance(first, VmssPlan) or not slurm.has_slurm(first):
        return plans
    outputs = {name: {"value": value} for name, value in stacks[0].outputs.items()}
    ways: list[str] = []
    with suppress(UsageError, EnvironmentFailure):
        ways = azure_ways({first.name: outputs}, first)
    return (slurm.found_at(first, ways),)


def nodes_of(plans: Sequence[StackPlan], programs: Programs) -> tuple[Machines | None, str]:
    """The nodes of a cluster that stands, or why nobody was asked for them."""
    if not has_nodes(plans):
        return None, "this kind has no nodes"
    return machines_of(plans, programs), ""


def has_nodes(plans: Sequence[StackPlan]) -> bool:
    """Whether a kind has machines that report their status."""
    return isinstance(plans[0], OfMachines | OfKubernetes)


def machines_of(plans: Sequence[StackPlan], programs: Programs) -> Machines:
    """The nodes of a cluster of any kind that has some."""
    first = plans[0]
    if isinstance(first, VmPlan):
        return compute_engine.machines_of(first, programs)
    if isinstance(first, VmssPlan):
        return scale_set.machines_of(first, programs)
    found = kubernetes.machines_of(plans, programs)
    content = slurm.plan_with(plans)
    if content is None or not found.nodes:
        return found
    state, jobs = ask_at(content, "its login pod", programs)
    return found._replace(jobs=(*found.jobs, *jobs), slurm=state)


def as_data(cluster: ClusterStatus) -> dict[str, Any]:
    """The same for tools."""
    machines, cost = cluster.machines, cluster.cost
    found = machines.slurm if machines else None
    return {
        "file": cluster.file,
        "name": cluster.name,
        "kind": cluster.kind,
        "as_said": cluster.as_said,
        "stacks": [_stack_data(each) for each in cluster.stacks],
        "nodes": None
        if machines is None
        else {
            "wanted": machines.wanted,
            "ready": machines.ready,
            "nodes": [each._asdict() for each in machines.nodes],
            "images": [
                {"wanted": each.wanted, "running": dict(each.running), "differ": each.differ}
                for each in machines.images
            ],
            "unknown": list(machines.unknown),
        },
        "note": cluster.note,
        "capacity": [
            {
                "group": each.group.name,
                "wish": each.number + 1,
                "wishes": len(each.group.wishes),
                "capacity": dict(each.group.wishes[each.number]),
                "since": each.since,
            }
            for each in cluster.wishes
        ],
        "jobs": [each._asdict() for each in machines.jobs] if machines else [],
        "slurm": {
            **found._asdict(),
            "partitions": {name: {**nodes} for name, nodes in found.partitions.items()},
            "out_of_service": [each._asdict() for each in found.out_of_service],
        }
        if found
        else None,
        "cost": None
        if cost is None
        else {
            "usd_per_hour": cost.per_hour,
            "usd_so_far": cost.so_far,
            "since": cost.since,
            "without_price": list(cost.without_price),
            "usd_budget_per_month": cost.budget,
        },
    }


def _stack_data(stack: StackStatus) -> dict[str, Any]:
    moves = stack.moves
    return {
        "name": stack.name,
        "state": stack.state,
        "exists": stack.exists,
        "resources": stack.resources,
        "half_built": stack.half_built,
        "broken": list(stack.broken),
        "drifted": None if moves is None else [_step_data(each) for each in moves.drifted],
        "pending": None if moves is None else [_step_data(each) for each in moves.pending],
        "locked": stack.lock._asdict() if stack.lock else None,
        "at_work": stack.at_work,
        "outputs": dict(stack.outputs),
        "unknown": list(stack.unknown),
    }


def _step_data(step: Any) -> dict[str, Any]:
    return {"address": step.address, "actions": list(step.actions)}
