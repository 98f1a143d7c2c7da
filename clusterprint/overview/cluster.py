"""One cluster in a few numbers: what machines it has, what they cost, where its state is."""

from typing import Any, NamedTuple

from clusterprint.blueprint.blueprint import Blueprint
from clusterprint.blueprint.broken import met_broken
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.derived import node_slurm, state_names
from clusterprint.derived.durations import HOURS_OF_A_MONTH
from clusterprint.derived.machine_groups import Group, groups_of
from clusterprint.derived.state import state_root
from clusterprint.diagnostic import Severity
from clusterprint.overview.facts import facts_of
from clusterprint.validate import Validated


class Cluster(NamedTuple):
    """A blueprint as a row of a list. What a mistake hides is empty; `per_hour` is None without a price.

    `per_hour` counts autoscaled pools at their most; `without_price` are machine types without a list price.
    """

    file: str
    name: str
    kind: str
    place: str
    groups: tuple[Group, ...]
    per_hour: float | None
    without_price: tuple[str, ...]
    states: tuple[str, ...]
    errors: int


def cluster_of(validated: Validated) -> Cluster:
    """The row of a blueprint, also of one with mistakes."""
    blueprint, data = validated.blueprint, validated.document.data
    groups = tuple(groups_of(blueprint)) if blueprint else ()
    prices = [(each, facts_of(each).price) for each in groups]
    without = tuple(dict.fromkeys(each.machines.machine_type for each, price in prices if price is None))
    known = sum(each.machines.most * price.usd for each, price in prices if price)
    return Cluster(
        file=validated.document.file,
        name=_text(data.get("name")),
        kind=_text(data.get("kind")),
        place=_text(data.get("zone")) or _text(data.get("region")) or _text(data.get("location")),
        groups=groups,
        per_hour=round(known, 2) if groups and len(without) < len(groups) else None,
        without_price=without,
        states=_states(blueprint) if blueprint else (),
        errors=sum(each.severity is Severity.ERROR for each in validated.diagnostics),
    )


def at_rest(blueprint: VmBlueprint, cluster: Cluster) -> Cluster:
    """The cluster of a sound blueprint, with those nodes that run when no job of Slurm needs any."""
    least = node_slurm.least(blueprint)
    groups = [
        (each, each.machines._replace(nodes=least.get(each.machines.name, each.machines.nodes)))
        for each in cluster.groups
    ]
    return cluster._replace(groups=tuple(each._replace(machines=machines) for each, machines in groups))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _states(blueprint: Blueprint) -> tuple[str, ...]:
    """The objects that Terraform keeps the states in; a stack may turn out not to be needed."""
    try:
        root, bucket = state_root(blueprint), blueprint.backend.gcs.bucket
        stacks = state_names.stacks(blueprint.kind, blueprint.name)
        folders = (state_names.state_folder(root, each) for each in stacks)
        return tuple(state_names.state_address(bucket, folder) for folder in folders)
    except Exception as error:
        if not met_broken(error):
            raise
        return ()


def as_data(cluster: Cluster) -> dict[str, Any]:
    """The same for tools."""
    return {
        "file": cluster.file,
        "name": cluster.name,
        "kind": cluster.kind,
        "place": cluster.place,
        "machines": [group_data(each) for each in cluster.groups],
        "usd_per_hour": cluster.per_hour,
        "usd_per_month": None if cluster.per_hour is None else round(cluster.per_hour * HOURS_OF_A_MONTH, 2),
        "without_price": list(cluster.without_price),
        "states": list(cluster.states),
        "errors": cluster.errors,
    }


def group_data(group: Group) -> dict[str, Any]:
    """A group of machines with what the catalog knows about it."""
    found, machines = facts_of(group), group.machines
    return {
        "name": machines.name,
        "place": list(group.place),
        "machine_type": machines.machine_type,
        "nodes": machines.nodes,
        "most_nodes": machines.most,
        "capacity": machines.model,
        "accelerator": found.family.name if found.family.each else "",
        "accelerators_per_node": found.family.each,
        "interfaces": found.interfaces,
        "fabric": found.fabric,
        "zones": list(group.zones),
        "usd_per_hour": round(machines.most * found.price.usd, 2) if found.price else None,
        "price_region": found.price.region if found.price else None,
        "source": found.source,
        "date": found.date,
    }
