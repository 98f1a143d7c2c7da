"""Expectations of policies of clusters after a change, each finding at a blueprint's line."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import UNSET

from clusterprint import catalog
from clusterprint.derived.durations import HOURS_OF_A_MONTH, seconds
from clusterprint.derived.machines import Machines
from clusterprint.document import Document
from clusterprint.document import Place as Keys
from clusterprint.review.capacity import capacity
from clusterprint.review.causes import place_of
from clusterprint.review.cost import cost
from clusterprint.review.model import Place, PolicyFinding
from clusterprint.review.policy.amounts import in_words
from clusterprint.review.policy.read import ReadPolicy
from clusterprint.review.policy.types import Expect
from clusterprint.words import amount, listed

#: What --allow calls the expectations: `expect.labels`, apart from the limits of a change.
EXPECTATIONS = tuple(f"expect.{name}" for name in Expect.__struct_fields__)

_FLEX_START = "7d"


class Standing(NamedTuple):
    """A cluster as it will stand: its blueprint, and the machines that it will have."""

    name: str
    document: Document
    machines: Sequence[Machines]


class _Breach(NamedTuple):
    rule: str
    message: str
    help: str
    keys: Keys


def expectations(
    read: ReadPolicy,
    clusters: Iterable[Standing],
    allowed: Sequence[str],
    way: Callable[[str], str] = "--allow {}".format,
) -> Iterator[PolicyFinding]:
    """A finding for each expectation that a cluster does not meet, and the `way` to allow that."""
    if read.policy is None or read.document is None:
        return
    for cluster in clusters:
        for breach in _breaches(read.policy.expect, cluster):
            span = read.document.written[read.document.nearest(("expect", breach.rule))].value
            rule = f"expect.{breach.rule}"
            yield PolicyFinding(
                file=read.file,
                rule=rule,
                message=f"{cluster.name}: {breach.message}",
                help=f"{breach.help}; or allow it: {way(rule)}",
                line=span.line,
                column=span.column,
                allowed_by=rule if rule in allowed else "",
                place=_place(cluster.document, breach.keys),
            )


def _place(document: Document, keys: Keys) -> Place:
    return place_of(document, keys if document.nearest(keys) else ("name",))


def _breaches(expect: Expect, cluster: Standing) -> Iterator[_Breach]:
    yield from _labels(expect, cluster)
    yield from _regions(expect, cluster)
    yield from _families(expect, cluster)
    yield from _amounts(expect, cluster)
    if expect.lifetime is not UNSET:
        yield from _lifetime(expect.lifetime, cluster)


def _labels(expect: Expect, cluster: Standing) -> Iterator[_Breach]:
    field = "tags" if "subscription" in cluster.document.data else "labels"
    has = cluster.document.data.get(field) or {}
    missing = [each for each in expect.labels if each not in has]
    if missing:
        message = f"{field} have no {listed(missing, 'and')}"
        yield _Breach("labels", message, f"add {field}: {{{missing[0]}: ...}}", (field,))


def _regions(expect: Expect, cluster: Standing) -> Iterator[_Breach]:
    if not expect.regions:
        return
    data = cluster.document.data
    field = next((each for each in ("region", "location", "zone") if each in data), "name")
    places = {str(data.get(field, "")): (field,)}
    places |= {each.region: (field,) for each in cluster.machines if each.region}
    for region, keys in places.items():
        name = catalog.region_of(region) if field == "zone" and region.count("-") > 1 else region
        if name not in expect.regions:
            yield _Breach(
                "regions", f"{name} is not one of the regions", f"use {listed(expect.regions)}", keys
            )


def _families(expect: Expect, cluster: Standing) -> Iterator[_Breach]:
    if not expect.machine_families:
        return
    for name in dict.fromkeys(each.machine_type for each in cluster.machines):
        if not any(
            name.startswith(f"{each}-") or each in _families_of(name) for each in expect.machine_families
        ):
            keys = _written(cluster.document, name)
            if keys:  # what the cluster needs for itself is nobody's choice
                families = listed(expect.machine_families)
                yield _Breach(
                    "machine_families", f"{name} is in none of the families", f"use {families}", keys
                )


def _families_of(machine_type: str) -> set[str]:
    machine, tpu = catalog.machine(machine_type), catalog.tpu_type_of(machine_type)
    size = catalog.azure_size(machine_type)
    found = {machine_type, machine_type.partition("-")[0]}
    return found | {
        *({machine.series} if machine else ()),
        *({tpu.name} if tpu else ()),
        *({size.family} if size else ()),
    }


def _written(document: Document, value: str) -> Keys:
    """The first place in which a blueprint says a value; none if it does not."""
    return next((keys for keys in document.written if keys and _at(document.data, keys) == value), ())


def _at(data: Any, keys: Keys) -> Any:
    for key in keys:
        try:
            data = data[key]
        except (KeyError, IndexError, TypeError):
            return None
    return data


def _amounts(expect: Expect, cluster: Standing) -> Iterator[_Breach]:
    rows = capacity((), cluster.machines)
    money = cost({cluster.name: ((), cluster.machines)})

    def accelerators(unit: str) -> float:
        return sum(row.after.most_accelerators for row in rows if row.unit == unit)

    amounts = {
        "gpus": accelerators("GPU"),
        "tpu_chips": accelerators("TPU chip"),
        "nodes": sum(row.after.most_nodes for row in rows),
        "cost_per_hour": money.known_per_hour,
        "cost_per_month": round(money.known_per_hour * HOURS_OF_A_MONTH, 2),
    }
    keys = next((each for each in (("nodes",), ("node_pools",)) if cluster.document.has(each)), ("name",))
    for rule, found in amounts.items():
        most = getattr(expect, rule)
        if most is not UNSET and found > most:
            message = f"{in_words(rule, found)}, and the policy expects at most {amount(most)}"
            yield _Breach(rule, message, "ask for less", keys)


def _lifetime(most: str, cluster: Standing) -> Iterator[_Breach]:
    """Machines end with their cluster; in Kubernetes, where clusters stay, each pool by itself."""
    data = cluster.document.data
    if data.get("kind") in {"gke", "ray"}:
        for index, pool in enumerate(data.get("node_pools") or []):
            yield from _of_pool(most, pool, ("node_pools", index))
    else:
        ends = str(data.get("time_to_live") or "")
        if not ends or seconds(ends) > seconds(most):
            told = f"lives for {ends}" if ends else "has no end"
            help_text = f"write time_to_live: {most}, or less"
            yield _Breach(
                "lifetime", f"{told}, and the policy expects {most} at most", help_text, ("time_to_live",)
            )


def _of_pool(most: str, pool: Mapping[str, Any], keys: Keys) -> Iterator[_Breach]:
    sold = pool.get("capacity") or {}
    flex = _FLEX_START if sold.get("model") == "flex_start" else ""
    ends = str(sold.get("max_run_duration") or flex)
    if not ends or seconds(ends) > seconds(most):
        told = f"live for {ends}" if ends else "have no end"
        message = f"nodes of pool {pool.get('name')} {told}, and the policy expects {most} at most"
        help_text = f"write capacity: {{max_run_duration: {most}}}, or less"
        yield _Breach("lifetime", message, help_text, (*keys, "capacity", "max_run_duration"))
