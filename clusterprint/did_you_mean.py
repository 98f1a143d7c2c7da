"""Suggestions for names of places and machines that the catalog does not know.

Each function returns the help of a diagnostic, or an empty text if nothing can be suggested.
"""

import re
from collections.abc import Callable, Iterable
from functools import cache

from clusterprint import catalog
from clusterprint.catalog import Machine
from clusterprint.words import did_you_mean as question
from clusterprint.words import listed
from clusterprint.words.guesses import alike, likeness

# Below this share of equal letters, two names have nothing to do with each other.
_ALIKE = 0.7

# More candidates than these are no help.
_MOST = 3


def only(name_of: str, name: str) -> str:
    """The one name of a region, zone, machine or so that can be meant; empty if it may be several, or none.

    `name_of` is the function of this module that says what may be meant.
    """
    if name_of in ("machine_type", "azure_size"):
        google = name_of == "machine_type"
        other, counterparts = (
            ("Azure", _google_counterparts) if google else ("Google Cloud", _azure_counterparts)
        )
        if _foreign(name, other, counterparts) or (google and accelerator(name)):
            return ""
        near = _near_machines(name) if google else _near_sizes(name)
        # Another size is another price: that is asked, and not written by `lint --fix`.
        wanted, sizes = (
            (_size(_plain(name)), _sizes(name)) if google else (_azure_words(name)[1], _azure_vcpus(name))
        )
        near = tuple(each for each in near if sizes.get(each, wanted) == wanted)
    elif name_of == "zone":
        near = _closest(name, catalog.zone_names(), 1)
    elif name_of == "azure_location":
        near = _near_locations(name)
    else:
        near = _closest(name, catalog.regions() if name_of == "region" else _bucket_locations())
    return near[0] if len(near) == 1 else ""


def region(name: str) -> str:
    """The suggested region."""
    return question(*_closest(name, catalog.regions()))


def zone(name: str, region: str = "") -> str:
    """The suggested zone, in a region if that is known."""
    if name in catalog.regions():
        return f"name a zone of it: {listed(catalog.zone_names(name))}"
    if same := _closest(name, catalog.zone_names(), 1):
        return question(*same)  # us-central1a, US-CENTRAL1-A
    home, _, suffix = name.rpartition("-")
    if home in catalog.regions():
        return f"the zones of {home} are {listed(catalog.zone_names(home), 'and')}"
    near = next(iter(_closest(name[:-1], catalog.regions(), 1) or _closest(home, catalog.regions())), region)
    there = catalog.zone_names(near) if near else ()
    return question(*([f"{near}-{suffix}"] if f"{near}-{suffix}" in there else there))


def bucket_location(name: str) -> str:
    """The suggested location of a bucket."""
    return question(*_closest(name, _bucket_locations())) or (
        "write a region, or the multi-region " + listed(tuple(catalog.bucket_locations().multi_regions))
    )


def is_bucket_location(name: str) -> bool:
    """Whether a bucket can be in a place, in capitals or not."""
    return name.lower() in _bucket_locations()


def _bucket_locations() -> tuple[str, ...]:
    several = catalog.bucket_locations()
    return (*catalog.regions(), *several.multi_regions, *several.dual_regions)


def azure_location(name: str) -> str:
    """The suggested Azure location."""
    return question(*_near_locations(name))


def _near_locations(name: str) -> tuple[str, ...]:
    return _closest(name, catalog.azure_locations(), 0.85)


def machine_type(name: str) -> str:
    """The suggested machine type of Google Cloud."""
    return (
        _foreign(name, "Azure", _google_counterparts)
        or accelerator(name)
        or question(*_near_machines(name))
        or _family(_sizes(name))
    )


def azure_size(name: str) -> str:
    """The suggested VM size of Azure."""
    models = [_azure_model(size) for size in catalog.azure_sizes() if size.gpus]
    asked = next((each for each in models if each.lower() in _words(name)), "")
    if other := _foreign(name, "Google Cloud", _azure_counterparts):
        return other
    if asked and not name.lower().startswith("standard_"):
        return question(*_azure_counterparts(asked), about=f"{asked} GPUs")
    return question(*_near_sizes(name)) or _family(_azure_vcpus(name))


def _near_sizes(name: str) -> tuple[str, ...]:
    """Sizes of the same series, GPU and version with the nearest number of vCPUs, as in `_near_machines`."""
    return _closest(name, _nearest(_azure_words(name)[1], _azure_vcpus(name)), 0.5)


def _azure_vcpus(name: str) -> dict[str, int]:
    """The sizes of the same series, GPU and version, with their vCPUs."""
    series, _, words = _azure_words(name)
    parts = {size.name: _azure_words(size.name) for size in catalog.azure_sizes()}
    return {
        each: count for each, (other, count, known) in parts.items() if series == other and words <= known
    }


def _azure_words(size: str) -> tuple[str, int, set[str]]:
    """The series, number of vCPUs, and the words for GPU and version: `nd`, 96, {`h200`, `v5`}."""
    first, *rest = re.split(r"[-_ ]|(?=v\d+$)", re.sub(r"^standard[-_ ]*", "", size.lower()))
    found = re.match(r"([a-z]+)(\d+)", first)
    return (found[1], int(found[2]), {*rest} - {""}) if found else ("", 0, set())


def accelerator(name: str) -> str:
    """The machine types with an accelerator, if that is what a name is: `h100`, `tpu-v6e`, `trillium`."""
    machine, topology = catalog.tpu_slice(name)
    if machine:
        return (
            f"that is a name of a TPU slice: in kinds gke and ray, write machine_type: {machine} and "
            f"tpu: {{topology: {topology}}}"
        )
    words = _words(name)
    if found := next((tpu for tpu in catalog.tpu_types() if words & {tpu.name, *tpu.aliases}), None):
        return question(*found.machines, about=f"TPU {found.name}")
    for model in dict.fromkeys(_model(each) for each in catalog.machines()):
        if model.lower() in words:
            return question(*_families(model), about=f"{model} GPUs")
    for gpu in catalog.attachable_gpus():
        if gpu.model.lower() in words:
            return (
                f"{gpu.model} GPUs are attached to N1 machines: write machine_type: n1-standard-8 "
                f"and guest_accelerator: {{type: {gpu.accelerator_type}, count: 1}}"
            )
    return ""


# ---- machines of other clouds


def _foreign(name: str, other: str, counterparts: Callable[[str, float, int], tuple[str, ...]]) -> str:
    """The machine type with the GPUs of another cloud's machine; `other` is our other cloud."""
    found = catalog.foreign_machine(name)
    cloud, model, memory_gb, gpus = found or _ours(name, other)
    if not cloud:
        return ""
    if not model:
        return f"that is a name of {cloud}; `clusterprint machines` lists the machine types"
    here = counterparts(model, memory_gb, gpus) or counterparts(model, 0, gpus) or counterparts(model, 0, 0)
    if not here:
        help_text = accelerator(model) if other == "Azure" else ""
        return f"that is a name of {cloud}; {help_text or f'nothing here has {model} GPUs'}"
    counterpart = "counterpart here is" if len(here) == 1 else "counterparts here are"
    count = f"{gpus} x {model}" if gpus else model
    return f"that is a name of {cloud} ({count}); its {counterpart} {listed(here, 'and')}"


def _ours(name: str, cloud: str) -> tuple[str, str, float, int]:
    if cloud == "Azure" and name.lower().startswith("standard_"):
        sizes = {size.name.lower(): size for size in catalog.azure_sizes()}
        if size := sizes.get(name.lower()):
            return cloud, _azure_model(size), size.gpu_memory_gb, size.gpus
        return cloud, "", 0, 0
    machine = catalog.machine(name) if cloud == "Google Cloud" else None
    if machine and machine.gpu:
        return cloud, _model(machine), machine.gpu.memory_gb, int(machine.gpus)
    if machine or (cloud == "Google Cloud" and catalog.tpu_type_of(name)):
        return cloud, "", 0, 0
    return "", "", 0, 0


def _google_counterparts(model: str, memory_gb: float = 0, gpus: int = 0) -> tuple[str, ...]:
    return tuple(
        machine.name
        for machine in _offered()
        if _model(machine) == model
        and machine.gpu
        and memory_gb in (0, machine.gpu.memory_gb)
        and gpus in (0, machine.gpus)
    )


def _azure_model(size: catalog.AzureSize) -> str:
    """The model of the GPUs of a size, without their memory; empty for one without GPUs."""
    return size.gpu_model.partition(" ")[0]


def _azure_counterparts(model: str, memory_gb: float = 0, gpus: int = 0) -> tuple[str, ...]:
    return tuple(
        size.name
        for size in catalog.azure_sizes()
        if _azure_model(size) == model and memory_gb in (0, size.gpu_memory_gb) and gpus in (0, size.gpus)
    )


# ---- machines of ours


def _offered() -> list[Machine]:
    """Machine types with GPUs, without their variants that lack local SSDs."""
    return [machine for machine in catalog.machines() if not machine.name.endswith(_VARIANT)]


def _model(machine: Machine) -> str:
    """The GPU as people call it: H100 for `H100 Mega`, too."""
    return machine.gpu.model.removesuffix(" Mega") if machine.gpu else ""


def _families(model: str) -> tuple[str, ...]:
    """The machine types with a GPU, each family in one phrase: `a3-highgpu-1g to a3-highgpu-8g`."""
    groups: dict[str, list[Machine]] = {}
    for machine in _offered():
        if _model(machine) == model:
            groups.setdefault(machine.name.rpartition("-")[0], []).append(machine)
    bounds = (sorted(each, key=lambda one: (one.gpus, one.vcpus)) for each in groups.values())
    return tuple(each[0].name if len(each) == 1 else f"{each[0].name} to {each[-1].name}" for each in bounds)


def _near_machines(name: str) -> tuple[str, ...]:
    """Machines of the same generation, of the nearest size: any other is other hardware at another price."""
    plain = _plain(name)
    same = [each for each in _machine_names() if plain.startswith(_generation(each))]
    longest = max((len(_generation(each)) for each in same), default=0)
    if _generation(name) not in {_generation(each) for each in same} and _GENERATION.fullmatch(
        _generation(name)
    ):
        return ()  # one that is not in the catalog
    if sizes := _sizes(name):
        return _nearest(_size(plain), sizes)
    return _closest(name, (each for each in same if len(_generation(each)) == longest), 0.6)


# Such as a3, a4x, ct5lp.
_GENERATION = re.compile(r"[a-z]{1,2}\d{1,2}[a-z]{0,2}")
_VARIANT = "-nolssd"
_SIZE = re.compile(r"(\d+)([a-z]*)$")


def _generation(machine: str) -> str:
    return re.split(r"[-_ ]", machine.lower())[0]


def _size(plain: str) -> int:
    found = _SIZE.search(plain)
    return int(found[1]) if found else 0


def _sizes(name: str) -> dict[str, int]:
    """The machine types that differ from a name in the number at its end only, with theirs."""
    plain = _plain(name)
    found = _SIZE.search(plain)
    if not found:
        return {}
    same = (each for each in _machine_names() if each.endswith(_VARIANT) == plain.endswith(_VARIANT[1:]))
    parts = ((each, _SIZE.search(_plain(each))) for each in same)
    return {
        each: int(size[1])
        for each, size in parts
        if size and size.string[: size.start()] == plain[: found.start()]
    }


def _nearest(number: int, sizes: dict[str, int]) -> tuple[str, ...]:
    """Those of the nearest size; none if that is more than twice as large, or less than half."""
    gaps = {each: abs(size - number) for each, size in sizes.items() if number / 2 <= size <= 2 * number}
    return tuple(each for each, gap in gaps.items() if gap == min(gaps.values()))[:_MOST]


def _family(sizes: dict[str, int]) -> str:
    """The sizes on offer, where none is near."""
    names = sorted(sizes, key=lambda each: sizes[each])
    if len(names) < 2:  # noqa: PLR2004 - nothing to choose from
        return f"the only size of its family is {names[0]}" if names else ""
    return f"the sizes of its family are {names[0]} to {names[-1]}"


@cache
def _machine_names() -> tuple[str, ...]:
    return (*catalog.machine_names(), *(name for tpu in catalog.tpu_types() for name in tpu.machines))


# ---- words


def _words(name: str) -> set[str]:
    return {name.lower(), *re.split(r"[^a-z0-9]+", name.lower())}


def _closest(name: str, candidates: Iterable[str], cutoff: float = _ALIKE) -> tuple[str, ...]:
    """The candidates that are most like a name: several where it may as well be each of them."""
    near = alike(name, candidates, cutoff=cutoff, plain=_plain, most=_MOST)
    shares = {each: likeness(_plain(name), _plain(each)) for each in near}
    return tuple(sorted(each for each in near if shares[each] == max(shares.values())))


def _plain(name: str) -> str:
    """A name without what people vary: `us-central1-a`, `us_central1a` and `US Central1 A` are one."""
    return re.sub(r"[-_ ]", "", name).lower()
