"""Machines with TPUs as `clusterprint machines` shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusterprint.cli import capacity, list_prices
from clusterprint.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clusterprint.catalog import TpuMachine, TpuType

#: The titles of the columns of the list, what stands in them (see `row`), and how to read it.
HEADER = (
    *("TPU MACHINE TYPE", "TPU", "CHIPS", "VCPUS", "RAM GB", "SLICES", "HOSTS", "SOLD", "ZONES"),
    list_prices.TITLE,
)
LEGEND = f"""\
Chips, vCPUs and RAM are those of one machine (a host); ? unknown.
Slices: topologies that a pool of this type can have; hosts: number of machines per slice.
{capacity.LEGEND}
"""


def everything() -> list[tuple[TpuType, str]]:
    """All machine types with TPUs, each after its TPU type."""
    from clusterprint import catalog

    return [(tpu, name) for tpu in catalog.tpu_types() for name in tpu.machines]


def row(tpu: TpuType, name: str) -> tuple[str, ...]:
    """One line of the list, cell by cell."""
    machine, hosts = tpu.machines[name], list(tpu.slices(name).values())
    most = _most_hosts(tpu, machine)
    return (
        name,
        tpu.name,
        str(machine.chips),
        _known(machine.vcpus),
        _known(machine.memory_gb),
        _range_of_slices(tpu, name),
        "?" if not hosts else "1" if most == 1 else f"{hosts[0]}-{most}",
        capacity.letters(tpu.capacity),
        "?" if (zones := _zones(name)) is None else str(len(zones)),
        list_prices.cell(name),
    )


def data(tpu: TpuType, name: str) -> dict[str, Any]:
    """Everything about one, for programs."""
    import msgspec

    about: dict[str, Any] = msgspec.to_builtins(tpu)
    for key in ("machines", "small_shapes", "name"):
        about.pop(key)
    return {
        "name": name,
        "tpu": tpu.name,
        **msgspec.to_builtins(tpu.machines[name]),
        "slices": tpu.slices(name),
        "zones": _zones(name),
        "prices": list_prices.data(name),
        **about,
    }


def facts(tpu: TpuType, name: str) -> Iterable[tuple[str, str]]:
    """Everything about one, each with its title."""
    machine = tpu.machines[name]
    yield "TPU", " or ".join((tpu.name, *tpu.aliases))
    yield "chips", f"{machine.chips} per host"
    yield "processor", f"{_known(machine.vcpus)} vCPUs"
    yield "memory", f"{_known(machine.memory_gb)} GB"
    yield "slices", ", ".join(_slices(tpu, name)) or "none is known"
    if tpu.max_cubes and not machine.single_host:
        order = ", in ascending order" if tpu.sorted_dimensions else ""
        yield "larger slices", f"edges that are multiples of 4{order}, with at most {tpu.max_chips} chips"
    yield "node label", f"cloud.google.com/gke-tpu-accelerator: {tpu.accelerator_label}"
    yield "boot disk", " or ".join(tpu.boot_disk_types) or "not known"
    yield "sold as", capacity.in_words(tpu.capacity)
    if tpu.flex_start_zones:
        yield "flex-start", f"announced in {', '.join(tpu.flex_start_zones)}"
    yield from list_prices.facts(name)
    if tpu.workload_policy_when_multi_host:
        yield "placement", "slices of several hosts need a workload policy"
    yield from _provenance(tpu, name)


def _slices(tpu: TpuType, name: str) -> Iterator[str]:
    chips = tpu.machines[name].chips
    for topology, hosts in tpu.slices(name).items():
        yield f"{topology} ({counted(hosts, 'host')}, {counted(hosts * chips, 'chip')})"


def _range_of_slices(tpu: TpuType, name: str) -> str:
    topologies = list(tpu.slices(name))
    if not topologies:
        return "?"
    if tpu.max_cubes and not tpu.machines[name].single_host:
        return f"{topologies[0]} to {tpu.max_chips} chips"
    return topologies[0] if len(topologies) == 1 else f"{topologies[0]} to {topologies[-1]}"


def _most_hosts(tpu: TpuType, machine: TpuMachine) -> int:
    return 1 if machine.single_host else tpu.max_chips // machine.chips


def _zones(name: str) -> tuple[str, ...] | None:
    from clusterprint import catalog

    return catalog.zones_of(name)


def _known(value: float | None) -> str:
    return "?" if value is None else f"{value:g}"


def _provenance(tpu: TpuType, name: str) -> Iterator[tuple[str, str]]:
    from clusterprint import catalog

    zones = _zones(name)
    yield ("zones", "not known") if zones is None else (f"zones ({len(zones)})", ", ".join(zones))
    if tpu.notes:
        yield "note", tpu.notes
    for field, why in tpu.uncertain.items():
        yield "uncertain", f"{field}: {why}"
    for key in tpu.sources:
        source, _, place = key.partition(" ")
        found = catalog.source(source)
        yield "source", f"{key}: {found.title}, {found.date}" if found else f"{source} {place}"
    yield "checked", tpu.date
