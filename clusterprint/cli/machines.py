"""`clusterprint machines`: what the catalog knows about machine types."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

import click

from clusterprint.cli import azure_sizes, capacity, list_prices, tpus
from clusterprint.cli.completion import machine_types
from clusterprint.cli.output import FORMAT, say
from clusterprint.cli.storage_facts import storage_facts
from clusterprint.cli.tables import lined_up
from clusterprint.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusterprint.catalog import Machine

_WIDTH = 100
_NUMBERS = frozenset(
    ("GPU GB", "RAM GB", "NICS", "ZONES", "NVME", "CHIPS", "VCPUS", list_prices.TITLE),
)
#: The titles of the columns of the list, what stands in them (see `row`), and how to read it.
HEADER = (
    *("MACHINE TYPE", "GPUS", "GPU GB", "RAM GB", "NICS", "GPUDIRECT", "LOCAL SSD", "SOLD", "ZONES"),
    list_prices.TITLE,
)
LEGEND = (
    f"""\
GPU GB and RAM GB are for the whole machine, local SSDs in GiB each.
{capacity.LEGEND}
Zones: number of zones with this type; ? unknown. `clusterprint machines NAME` lists them.
"""
    + list_prices.LEGEND
)


@click.command("machines")
@click.argument("name", required=False, shell_complete=machine_types)
@FORMAT
def machines(name: str | None, form: str) -> None:
    """List machine types, or show one.

    The list has the machine types with accelerators. NAME is a machine type of Google Cloud, such as
    a3-ultragpu-8g, ct6e-standard-4t or n2-standard-8, or a size of Azure, such as Standard_ND96isr_H200_v5.
    """
    from clusterprint import catalog  # reading it is not paid for by other commands

    as_json = form == "json"
    if name is None:
        say(_json(_all_data()) if as_json else _list())
    elif machine := catalog.machine(name):
        say(_json(_data(machine)) if as_json else _details(machine.name, _facts(machine)))
    elif tpu := catalog.tpu_type_of(name):
        say(_json(tpus.data(tpu, name)) if as_json else _details(name, tpus.facts(tpu, name)))
    elif size := catalog.azure_size(name):
        say(_json(azure_sizes.data(size)) if as_json else _details(size.name, azure_sizes.facts(size)))
    else:
        raise click.UsageError(_unknown(name))


def _unknown(name: str) -> str:
    from clusterprint import did_you_mean

    of_azure = name.lower().startswith("standard_")
    meant = did_you_mean.azure_size(name) if of_azure else did_you_mean.machine_type(name)
    help_text = meant or "`clusterprint machines` lists those with accelerators"
    return f"the catalog has no machine type {name!r}; {help_text}"


def _json(value: Any) -> str:
    import msgspec

    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()


def _all_data() -> list[Any]:
    from clusterprint import catalog

    return [
        *map(_data, catalog.machines()),
        *(tpus.data(*each) for each in tpus.everything()),
        *map(azure_sizes.data, catalog.azure_sizes()),
    ]


def _data(machine: Machine) -> dict[str, Any]:
    import msgspec

    from clusterprint import catalog

    data: dict[str, Any] = msgspec.to_builtins(machine)
    data["gpu_memory_gb"] = machine.gpu_memory_gb
    data["network"]["nics"] = machine.network.nics
    data["storage_mbps"] = catalog.client_mbps(machine.name)
    data["prices"] = list_prices.data(machine.name)
    for key in ("notes", "uncertain", "sources", "date"):  # where it comes from is read last
        data[key] = data.pop(key)
    return data


def _list() -> str:
    from clusterprint import catalog

    google = _table(HEADER, map(row, catalog.machines()), LEGEND)
    with_tpus = _table(tpus.HEADER, (tpus.row(*each) for each in tpus.everything()), tpus.LEGEND)
    azure = _table(azure_sizes.HEADER, map(azure_sizes.row, catalog.azure_sizes()), azure_sizes.LEGEND)
    return f"{google}\n\n{with_tpus}\n\n{azure}"


def _table(header: tuple[str, ...], found: Iterable[tuple[str, ...]], legend: str) -> str:
    lines = lined_up(header, found, _NUMBERS)
    return "\n".join([*lines, "", legend.rstrip()])


def row(machine: Machine) -> tuple[str, ...]:
    """One line of the list, cell by cell."""
    return (
        machine.name,
        f"{_share(machine.gpus)} {machine.gpu.model}" if machine.gpu else "-",
        f"{machine.gpu_memory_gb:g}",
        f"{machine.memory_gb:g}",
        str(machine.network.nics),
        _or_dash(machine.network.gpudirect),
        _local_ssd(machine),
        capacity.letters(machine.capacity),
        "?" if machine.zones is None else str(len(machine.zones)),
        list_prices.cell(machine.name),
    )


def _share(gpus: float) -> str:
    return f"1/{1 / gpus:g}" if 0 < gpus < 1 else f"{gpus:g}"


def _or_dash(text: str) -> str:
    return "-" if text == "none" else text


def _local_ssd(machine: Machine) -> str:
    ssd = machine.local_ssd
    if ssd.mode == "none":
        return "-"
    return f"{ssd.count if ssd.mode == 'bundled' else f'0-{ssd.max_count}'}x{ssd.disk_gib}"


def _details(name: str, facts: Iterable[tuple[str, str]]) -> str:
    lines = [name]
    for title, text in facts:
        lines += textwrap.wrap(
            text,
            width=_WIDTH,
            initial_indent=f"  {title:<15} ",
            subsequent_indent=" " * 18,
            break_long_words=False,
            break_on_hyphens=False,
        )
    return "\n".join(lines)


def _facts(machine: Machine) -> Iterable[tuple[str, str]]:
    yield "series", machine.series
    if machine.supported_on_vm:
        yield "not on VMs", machine.supported_on_vm
    yield "processor", f"{counted(machine.vcpus, 'vCPU')}, {machine.architecture}"
    yield "memory", f"{machine.memory_gb:g} GB"
    if machine.gpu:
        yield "GPUs", f"{_share(machine.gpus)} x {machine.gpu.label} ({machine.gpu.accelerator_type})"
        yield "GPU memory", f"{machine.gpu_memory_gb:g} GB together"
    yield "network", _network(machine)
    if machine.bandwidth_gbps is not None:
        yield "bandwidth", f"{machine.bandwidth_gbps} Gbps"
    yield from storage_facts(machine.name)
    yield "local SSD", _local_ssd_in_words(machine)
    yield "boot disk", " or ".join(machine.boot_disk_types)
    yield "sold as", capacity.in_words(machine.capacity)
    yield from list_prices.facts(machine.name)
    yield "placement", _placement(machine)
    if not machine.threads_per_core_selectable:
        yield "threads", "the number of threads per core is fixed"
    if machine.shielded_vm_notes:
        yield "shielded VM", machine.shielded_vm_notes
    yield from _provenance(machine)


def _network(machine: Machine) -> str:
    layout = machine.network
    words = [counted(layout.nics, "NIC"), " and ".join(layout.nic_types)]
    if layout.fabric_in_words:
        words.append(layout.fabric_in_words)
    if layout.extra_vpcs:
        words.append(counted(layout.extra_vpcs, "more VPC"))
    if layout.rdma_vpcs:
        subnets = counted(layout.rdma_subnets, "subnet") if layout.rdma_subnets else "no subnets"
        words.append(
            f"{layout.rdma_vpcs} RDMA VPC with {subnets} of its own (profile ZONE-{layout.rdma_profile})"
        )
    if layout.mtu:
        words.append(f"MTU {layout.mtu}")
    return ", ".join(words)


def _local_ssd_in_words(machine: Machine) -> str:
    ssd = machine.local_ssd
    if ssd.mode == "none":
        return "none"
    if ssd.mode == "bundled":
        return f"{ssd.count} x {ssd.disk_gib} GiB, always there"
    return f"up to {ssd.max_count} x {ssd.disk_gib} GiB"


def _placement(machine: Machine) -> str:
    words = ["compact: " + ("yes" if machine.compact_placement else "no")]
    if policy := machine.workload_policy:
        text = f"workload policy: with {', '.join(policy.models)}"
        if policy.required:
            text += ", required"
        if policy.on_request:
            text += ", on request"
        if policy.accelerator_topology:
            text += f", topology {policy.accelerator_topology}"
        words.append(text)
    else:
        words.append("workload policy: no")
    if machine.max_group_size:
        words.append(f"at most {machine.max_group_size} machines in a group")
    return "; ".join(words)


def _provenance(machine: Machine) -> Iterable[tuple[str, str]]:
    from clusterprint import catalog

    if machine.zones is None:
        yield "zones", "not known"
    else:
        yield f"zones ({len(machine.zones)})", ", ".join(machine.zones)
    for note in (machine.notes, machine.network.notes if machine.gpu else ""):
        if note:
            yield "note", note
    for field, why in {**machine.uncertain, **machine.network.uncertain}.items():
        yield "uncertain", f"{field}: {why}"
    for key in machine.sources:
        found = catalog.source(key)
        yield "source", f"{key}: {found.title}, {found.date}" if found else key
    yield "checked", machine.date
