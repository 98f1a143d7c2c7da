"""Checks of single values, which types of parts declare with `Refuses`.

Each returns None for a value that is fine, else words for the message; `help` and `instead` replace those of
the relation.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from ipaddress import IPv4Network
from pathlib import Path, PurePosixPath
from typing import Any

from clusterprint import catalog, did_you_mean
from clusterprint.derived import durations, fuse_options
from clusterprint.rules import _buckets, _folders, _ranges
from clusterprint.words import counted, listed

Fault = Mapping[str, Any] | None


def _seconds(value: str | int) -> int:
    return durations.seconds(value) if isinstance(value, str) else value


def _outside(value: str | int, least: str | int, most: str | int, step: str | int = 1) -> Fault:
    """Whether a duration or a number is outside its limits, of which one may be empty, or between steps."""
    number = _seconds(value)
    is_small, is_large = least != "" and number < _seconds(least), most != "" and number > _seconds(most)
    if not (is_small or is_large or number % _seconds(step)):
        return None
    nearest = least if is_small else most
    return {"least": least, "most": most, "nearest": nearest}


@cache
def _reserved_texts() -> Mapping[str, Sequence[str] | Mapping[str, str]]:
    """The texts that each rule reserves; not beside its words, which are read only for what is wrong."""
    names: dict[str, Any] = json.loads(Path(__file__).with_name("reserved.json").read_text("utf-8"))
    return names


def _one_of(value: str, code: str) -> Fault:
    """Whether a rule reserves a text; a map says what to do instead."""
    names = _reserved_texts()[code]
    if value not in names:
        return None
    return {"help": names[value]} if isinstance(names, Mapping) else {}


def _matching(value: str, pattern: str) -> Fault:
    """Whether a text begins like a pattern; its groups are words."""
    found = re.match(pattern, value)
    return found and found.groupdict()


def _unknown(value: str, sort: str) -> Fault:
    """Whether a place or a machine does not exist; `sort` is the function of `did_you_mean` about it."""
    if _EXIST[sort](value):
        return None
    meant = {"help": suggested} if (suggested := getattr(did_you_mean, sort)(value)) else {}
    return {**meant, "instead": did_you_mean.only(sort, value)}


_EXIST: Mapping[str, Callable[[str], object]] = {
    "region": lambda name: name in catalog.regions(),
    "bucket_location": did_you_mean.is_bucket_location,
    "azure_location": lambda name: name in catalog.azure_locations(),
    "azure_size": catalog.azure_size,
    "machine_type": lambda name: (
        catalog.machine(name) or catalog.is_accelerator_prefix(name) or did_you_mean.accelerator(name)
    ),
}


def _no_range(value: str) -> Fault:
    """Whether a text only looks like a range."""
    return {"fault": _ranges.fault(value)} if _ranges.read(value) is None else None


def _address(value: str) -> Fault:
    """Whether bits are set after the prefix of a range."""
    whole = _ranges.read(value)
    if whole is None or _ranges.is_canonical(value):
        return None
    return {"whole": whole, "address": value.partition("/")[0]}


def _opening(value: str) -> Fault:
    """Whether a range is so large that it opens something to the internet."""
    # With bits behind the prefix, the prefix is likely the mistake, and is reported.
    cidr = _ranges.read(value) if _ranges.is_canonical(value) else None
    if cidr is None or cidr.prefixlen >= _ranges.SHORTEST_PLACE or _ranges.is_private(cidr):
        return None
    return {"whom": "the whole internet" if cidr.prefixlen == 0 else f"{cidr.num_addresses:,} addresses"}


def _overlapping(value: str, other: str, cloud: str) -> Fault:
    """Whether a private range has addresses of another one."""
    cidr = _ranges.read(value)
    is_free = cidr is None or not (cidr.overlaps(IPv4Network(other)) and _ranges.is_private(cidr, cloud))
    return None if is_free else {"cidr": cidr}


def _reserved(value: str, cloud: str) -> Fault:
    """Whether a range has addresses that no network of a cloud may have."""
    cidr = _ranges.read(value)
    found = cidr and _ranges.reserved(cidr, cloud)
    return {"cidr": cidr, "taken": found[0], "purpose": found[1]} if found else None


def _public(value: str, cloud: str) -> Fault:
    """Whether a range has addresses that belong to others on the internet."""
    cidr = _ranges.read(value)
    if cidr is None or _ranges.is_private(cidr, cloud) or _ranges.reserved(cidr, cloud):
        return None
    return {"cidr": cidr}


def _mixed(value: str, cloud: str) -> Fault:
    """Whether a range has private addresses besides public ones."""
    inside = _public(value, cloud) and _ranges.private_part(IPv4Network(value, strict=False), cloud)
    return {"cidr": _ranges.read(value), "inside": inside} if inside else None


def _class_e(value: str) -> Fault:
    """Whether a range is one that not every system can use."""
    cidr = _ranges.read(value)
    return {"cidr": cidr} if cidr and cidr.subnet_of(_ranges.CLASS_E) and not _ranges.reserved(cidr) else None


def _bucket_name(value: str) -> Fault:
    """Whether Cloud Storage refuses a name of a bucket."""
    problem = _buckets.owned_problem(value)
    return problem and {"problem": problem.message, "help": problem.help}


def _elsewhere(value: str, own: str, pattern: str) -> Fault:
    """Whether a resource is in another project or subscription, which is the group `there` of a pattern."""
    found = re.match(pattern, value)
    return found.groupdict() if found and found["there"].lower() != own.lower() else None


def _fuse_option_set_elsewhere(value: str) -> Fault:
    """Whether another field stands for an option of Cloud Storage FUSE."""
    name = fuse_options.read(value).name
    advice = catalog.fuse_option_refused(name)
    return {"name": name, "help": advice} if advice else None


def _fuse_option_form(value: str) -> Fault:
    """Whether an option of Cloud Storage FUSE does not take its value."""
    name, given = fuse_options.read(value)
    known = catalog.fuse_option(name)
    if known is None or known.takes(given):
        return None
    return {"name": name, "fault": f"is {given}" if given else "has no value", "wanted": known.wanted}


def _node_label(value: str) -> Fault:
    """Whether a label of nodes is set by others."""
    from clusterprint.derived.node_pools import SLICES_LABEL  # not needed by every kind

    if value == SLICES_LABEL:
        return {"owner": "clusterprint"}
    return {"owner": "GKE"} if value in catalog.reserved_keys().labels else None


def _kubernetes_label(value: str) -> Fault:
    """Whether a label of nodes belongs to Kubernetes, in a part that is not meant for users."""
    domain, _, own = value.rpartition("/")
    kept = tuple(f".{prefix}" for prefix in catalog.reserved_keys().prefixes)
    is_kept = domain != "node-restriction.kubernetes.io" and f".{domain}/".endswith(kept)
    return {"own": own} if is_kept else None


def _lustre_throughput(value: int) -> Fault:
    """Whether Managed Lustre is not sold with a throughput per TiB."""
    sold = catalog.lustre_tiers()
    if value in sold:
        return None
    enough = next((each for each in sold if each >= value), sold[-1])
    return {"enough": enough, "sold": ", ".join(map(str, sold))}


def _system_folder(value: str, *allowed: str) -> Fault:
    """Whether a mount hides what the operating system needs, except for some folders that may be shared."""
    return {} if _folders.mount_hides_system(value) and value.strip("/") not in allowed else None


def _tier(value: str, kind: str) -> Fault:
    """Whether a kind of volume has no such tier."""
    tiers = catalog.tiers_of(kind)
    return None if value in tiers else {"tiers": ", ".join(tiers)}


def _azure_folder(value: str) -> Fault:
    """Whether a mount hides what the operating system of an Azure machine needs, or its local disks."""
    path, scratch = PurePosixPath(value), PurePosixPath("/mnt/resource_nvme")
    if path.is_relative_to(scratch) or scratch.is_relative_to(path):
        return {"purpose": "where the local disks are"}
    return {"purpose": "which the operating system needs"} if _folders.mount_hides_system(value) else None


def _far(value: str, region: str) -> Fault:
    """Whether the location of a bucket is far from a region, if both are known."""
    if region not in catalog.regions() or not did_you_mean.is_bucket_location(value):
        return None
    return None if catalog.bucket_locations().is_near(value.lower(), region) else {}


def _other(value: str, own: str | int) -> Fault:
    """Whether a value is another one."""
    return {} if value != str(own) else None


def _no_local_ssds(value: int, name: str) -> Fault:
    """Whether local SSDs are requested for a machine type that does not support them."""
    found = catalog.machine(name)
    if found is None or found.local_ssd.mode != "none" or value == 0:
        return None
    whole = found.name.removesuffix("-nolssd")
    return {"variant": f", or write machine_type: {whole}" if whole != found.name else ""}


def _too_many_local_ssds(value: int, name: str, certain: int) -> Fault:
    """Whether a machine type supports fewer local SSDs, where their number is certain, or where it is not."""
    found = catalog.machine(name)
    if found is None or found.local_ssd.mode != "optional" or found.is_certain("local_ssd") != bool(certain):
        return None
    most = found.local_ssd.max_count
    return {"most": most, "drives": counted(most, "local SSD")} if value > most else None


def _unlike_own_local_ssds(value: int, name: str) -> Fault:
    """Whether a machine type comes with another number of local SSDs."""
    found = catalog.machine(name)
    if found is None or found.local_ssd.mode != "bundled" or value == found.local_ssd.count:
        return None
    bare = f"{name}-nolssd"
    variant = f", or write machine_type: {bare}" if not value and catalog.machine(bare) else ""
    return {"own": counted(found.local_ssd.count, "local SSD"), "variant": variant}


def _not_attachable(value: int, name: str) -> Fault:
    """Whether GPUs of a type cannot be attached to a machine in such a number."""
    gpu = catalog.attachable_gpu(name)
    if not gpu or value in gpu.attach:
        return None
    return {"gpu": gpu.accelerator_type, "counts": listed([str(count) for count in sorted(gpu.attach)])}


def _unlike_own_gpus(value: str | int, name: str, gpu: str = "") -> Fault:
    """Whether a machine type comes with GPUs of another type, or with another number of that type."""
    found = catalog.machine(name)
    if found is None or found.gpu is None:
        return None
    own = found.gpu.accelerator_type
    differs = value != own if isinstance(value, str) else gpu == own and value != found.gpus
    return {"own": f"{found.gpus:g} {own}"} if differs else None


def _not_built(value: str) -> Fault:
    """Whether machines of a type cannot be built outside GKE."""
    found = catalog.machine(value)
    return {"reason": found.supported_on_vm} if found and found.supported_on_vm else None


def _tpu(value: str) -> Fault:
    """Whether a machine type has TPUs."""
    tpu = catalog.tpu_type_of(value)
    return {"tpu": tpu.name} if tpu else None


CHECKS: Mapping[str, Callable[..., Fault]] = {
    "address": _address,
    "azure_folder": _azure_folder,
    "bucket_name": _bucket_name,
    "class_e": _class_e,
    "elsewhere": _elsewhere,
    "far": _far,
    "fuse_option_form": _fuse_option_form,
    "fuse_option_set_elsewhere": _fuse_option_set_elsewhere,
    "kubernetes_label": _kubernetes_label,
    "lustre_throughput": _lustre_throughput,
    "matching": _matching,
    "mixed": _mixed,
    "no_local_ssds": _no_local_ssds,
    "no_range": _no_range,
    "node_label": _node_label,
    "not_attachable": _not_attachable,
    "not_built": _not_built,
    "one_of": _one_of,
    "opening": _opening,
    "other": _other,
    "outside": _outside,
    "overlapping": _overlapping,
    "public": _public,
    "reserved": _reserved,
    "system_folder": _system_folder,
    "tier": _tier,
    "too_many_local_ssds": _too_many_local_ssds,
    "tpu": _tpu,
    "unknown": _unknown,
    "unlike_own_gpus": _unlike_own_gpus,
    "unlike_own_local_ssds": _unlike_own_local_ssds,
}
