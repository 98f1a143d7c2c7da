"""A need: a number of accelerators, and optionally place, kind and capacity model."""

import re
from typing import NamedTuple

from clusterprint import catalog, did_you_mean
from clusterprint.catalog import CapacityModel
from clusterprint.errors import UsageError
from clusterprint.words import did_you_mean as question
from clusterprint.words.guesses import alike


class Need(NamedTuple):
    """The requested machines; empty texts mean any."""

    accelerators: int
    model: str
    region: str = ""
    kind: str = ""
    capacity: CapacityModel | None = None


def check(need: Need) -> None:
    """Raises UsageError for an accelerator or a region that the catalog does not have."""
    others = [alias for tpu in catalog.tpu_types() for alias in tpu.aliases]
    others += [each.gpu.accelerator_type for each in catalog.machines() if each.gpu]
    others += [each.accelerator_type for each in catalog.attachable_gpus()]
    if not any(means(need.model, name) for name in (*accelerators(), *others)):
        near = alike(need.model, accelerators(), plain=_plain, most=3)
        listed = question(*near) or f"there are {', '.join(accelerators())}"
        raise UsageError(f"the catalog has no accelerator {need.model!r}; {listed}")
    if need.region and need.region not in (*catalog.regions(), *catalog.azure_locations()):
        near_region = did_you_mean.region(need.region) or did_you_mean.azure_location(need.region)
        said = near_region or "name a region of Google Cloud or a location of Azure"
        raise UsageError(f"there is no region {need.region!r}; {said}")


def accelerators() -> tuple[str, ...]:
    """The names of all accelerators, as people say them."""
    names = [each.gpu.label for each in catalog.machines() if each.gpu]
    names += [each.label for each in catalog.attachable_gpus()]
    names += [f"TPU {each.name}" for each in catalog.tpu_types()]
    names += [each.gpu_model for each in catalog.azure_sizes() if each.gpus]
    return tuple(dict.fromkeys(names))


def means(said: str, label: str, *others: str) -> bool:
    """Whether somebody who says this means an accelerator of that name: `h100` is `H100 Mega 80GB`, too."""
    word, whole = _plain(said), _plain(label)
    family = _plain(label.removeprefix("TPU ").split(" ")[0])
    without_memory = _plain(re.sub(r" [0-9.]+GB$", "", label))
    return word in (whole, family, without_memory, *map(_plain, others))


def _plain(word: str) -> str:
    return re.sub(r"[^a-z0-9]", "", word.lower()).removeprefix("nvidia")
