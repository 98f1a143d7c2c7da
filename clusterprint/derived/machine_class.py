"""Classes of machine types: those on which the same jobs run, with the same images and networks."""

from collections.abc import Mapping

from clusterprint import catalog


def traits(name: str) -> Mapping[str, str]:
    """The traits of a machine type or size that all of one class share; none of one that is not known.

    The topology of a TPU slice belongs to its machine type, so that each of these is a class of its own.
    """
    if catalog.tpu_type_of(name):
        return {"TPUs": name}
    if size := catalog.azure_size(name):
        vendor = "AMD" if size.gpu_model.startswith("MI") else "NVIDIA"
        fabric, gpus, architecture = "InfiniBand" if size.ib_hcas else "", float(size.gpus), size.architecture
    elif machine := catalog.machine(name):
        vendor, fabric = "NVIDIA", machine.network.fabric_in_words
        gpus, architecture = machine.gpus, machine.architecture
    else:
        return {}
    return {
        "TPUs": "none",
        "GPUs per node": f"{gpus:g}",
        "GPUs of": vendor if gpus else "none",
        "processors": architecture,
        "network between nodes": fabric or "none of its own",
    }


def differences(name: str, other: str) -> list[str]:
    """In words, by what a machine type is of another class than the `other`; empty if one is not known."""
    ours, theirs = traits(name), traits(other)
    return [
        f"{key} {ours.get(key, 'none')} instead of {theirs.get(key, 'none')}"
        for key in {**theirs, **ours}
        if ours and theirs and ours.get(key, "none") != theirs.get(key, "none")
    ]
