"""Facts of the catalog about a group of machines: accelerators, interfaces, network, price."""

from typing import NamedTuple

from clusterprint import catalog
from clusterprint.catalog import Price
from clusterprint.derived.machine_groups import Group
from clusterprint.derived.machines import price_of
from clusterprint.review.capacity import Family, family
from clusterprint.words import counted


class Facts(NamedTuple):
    """Facts of one machine of a group. `interfaces` is 0 and `date` is empty if they are not known."""

    family: Family
    interfaces: int
    fabric: str
    price: Price | None
    source: str
    date: str


def facts_of(group: Group) -> Facts:
    """Look a group up in the catalog."""
    name = group.machines.machine_type
    of = family(group.machines)
    price = price_of(group.machines)
    if machine := catalog.machine(name):
        layout = machine.network
        return Facts(of, layout.nics, layout.fabric_in_words, price, _source(machine.sources), machine.date)
    if size := catalog.azure_size(name):
        fabric = f"InfiniBand {size.ib_hcas}x" if size.ib_hcas else ""
        return Facts(of, 1, fabric, price, _source(size.sources), size.date)
    if tpu := catalog.tpu_type_of(name):
        return Facts(of, 1, "ICI", price, _source(tpu.sources), tpu.date)
    return Facts(of, 0, "", price, "", "")


def _source(keys: tuple[str, ...]) -> str:
    known = catalog.source(keys[0]) if keys else None
    return known.title if known else next(iter(keys), "")


def in_words(group: Group) -> str:
    """A group in one line, as an editor shows it: nodes, accelerators, interfaces, price of all per hour."""
    found, machines = facts_of(group), group.machines
    fewest = "" if machines.nodes == machines.most else f"{machines.nodes} to "
    words = [f"{fewest}{counted(machines.most, 'node')}"]
    if found.family.each:
        unit = "chip" if found.family.unit == "TPU chip" else "GPU"
        words.append(counted(machines.most * found.family.each, f"{found.family.name} {unit}"))
    if found.interfaces > 1:
        words.append(f"{found.interfaces} NICs each")
    words += [found.fabric] if found.fabric else []
    words.append(f"${machines.most * found.price.usd:,.2f}/h" if found.price else "no list price")
    return ", ".join(words)
