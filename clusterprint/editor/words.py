"""Facts about machines in the few words that fit beside a line of an editor."""

from clusterprint import catalog
from clusterprint.catalog import LISTED_MODELS
from clusterprint.words import counted


def machine_in_short(name: str) -> str:
    """The devices of a machine type: `8 x H200 141GB`, `4 TPU v6e chips`, `8 vCPU, 32 GB`; else empty."""
    if machine := catalog.machine(name):
        if machine.gpu and machine.gpus:
            share = f"{machine.gpus:g}" if machine.gpus >= 1 else f"1/{1 / machine.gpus:g}"
            return f"{share} x {machine.gpu.label}"
        return f"{machine.vcpus} vCPU, {machine.memory_gb:g} GB"
    if tpu := catalog.tpu_type_of(name):
        return counted(tpu.machines[name].chips, f"TPU {tpu.name} chip")
    if size := catalog.azure_size(name):
        return f"{size.gpus} x {size.gpu_model}" if size.gpus else f"{size.vcpus} vCPU, {size.memory_gb:g} GB"
    return ""


def machine_facts(name: str) -> list[str]:
    """Everything worth knowing about a machine type, a line each; empty if it is not known."""
    short = machine_in_short(name)
    if not short:
        return []
    lines = [f"**{name}**: {short}"]
    if machine := catalog.machine(name):
        layout = machine.network
        way = f", {layout.fabric_in_words}" if layout.fabric_in_words else ""
        lines.append(f"{machine.vcpus} vCPU, {machine.memory_gb:g} GB, {counted(layout.nics, 'NIC')}{way}")
        sold = [model for model in catalog.CAPACITY_MODELS if machine.capacity.get(model)]
        lines += [f"sold as {', '.join(sold)}"] if sold else []
    elif size := catalog.azure_size(name):
        way = f", InfiniBand {size.ib_hcas} x {size.ib_gbps} Gbps" if size.ib_hcas else ""
        lines.append(f"{size.vcpus} vCPU, {size.memory_gb:g} GB{way}")
    zones = catalog.zones_of(name)
    lines += [f"seen in {', '.join(zones)}"] if zones else []
    for model in LISTED_MODELS:
        if price := catalog.hourly_price(name, model):
            lines.append(f"{model}: {price.usd:,.2f} USD per hour in {price.region} ({price.date})")
    return lines
