"""The pool that a pod needs: machine, number of nodes, topology."""

import json
import math
import re
from functools import cache
from importlib import resources

from msgspec import Struct

from clusterprint_provisioner.objects import Pod
from clusterprint_provisioner.settings import TPU

ACCELERATOR = "cloud.google.com/gke-tpu-accelerator"
TOPOLOGY = "cloud.google.com/gke-tpu-topology"
GPU = "cloud.google.com/gke-accelerator"
MACHINE = "node.kubernetes.io/instance-type"
_GPUS = re.compile(r"-(\d{1,2})g$")


class Generation(Struct, frozen=True):
    """One generation of TPUs: machine types by their chips, and those that are slices by themselves."""

    dimensions: int
    max_chips: int
    machines: dict[str, str]
    alone: tuple[str, ...]
    policy_when_multi_host: bool


class Shape(Struct, frozen=True):
    """A pool's machines. `topology` is empty where none has to be said, `gpu` where there is none."""

    machine: str
    nodes: int
    chips: int
    topology: str = ""
    needs_policy: bool = False
    gpu: str = ""
    gpus: int = 0


class Refused(Exception):  # noqa: N818 - an answer, not a failure
    """There is no pool for what a job says. The message says why, and what to say instead."""


@cache
def generations() -> dict[str, Generation]:
    """The generations of TPUs by the label of their nodes."""
    import msgspec

    text = (resources.files("clusterprint_provisioner") / "tpus.json").read_text("utf-8")
    return msgspec.convert(json.loads(text), dict[str, Generation])


@cache
def sizes() -> dict[str, tuple[int, int]]:
    """The vCPUs and GiB of machines with TPUs or GPUs, as far as the catalog knows them."""
    text = (resources.files("clusterprint_provisioner") / "sizes.json").read_text("utf-8")
    return {name: (cpus, memory) for name, (cpus, memory) in json.loads(text).items()}


def asked(pod: Pod, resource: str) -> int:
    """How much of a resource a pod asks for. Extended resources are whole numbers."""
    said = (str(each.resources.requests.get(resource, 0)) for each in pod.spec.containers)
    return sum(int(each) for each in said if each.isascii() and each.isdigit())


def shape_of(pod: Pod, resource: str, parallelism: int) -> Shape:
    """The shape of the pool for a job with such pods. Raises Refused."""
    return _slice(pod, resource) if resource == TPU else _block(pod, resource, parallelism)


def _slice(pod: Pod, resource: str) -> Shape:
    label = pod.spec.node_selector.get(ACCELERATOR, "")
    generation = generations().get(label)
    if generation is None:
        raise Refused(f"unknown TPU {label!r}: set {ACCELERATOR} to one of {', '.join(generations())}")
    topology = pod.spec.node_selector.get(TOPOLOGY, "")
    parts = topology.split("x")
    if len(parts) != generation.dimensions or not all(_is_size(each) for each in parts):
        raise Refused(
            f"{topology!r} is not a topology of {label}, which has {generation.dimensions} dimensions"
        )
    chips, each = math.prod(int(part) for part in parts), asked(pod, resource)
    machine = generation.machines.get(str(each))
    if machine is None:
        known = ", ".join(sorted(generation.machines, key=int))
        raise Refused(f"no machine of {label} has {each} chips: each pod has to request {known}")
    if chips > generation.max_chips or chips % each:
        raise Refused(f"{topology} is not a slice of {label} with {each} chips per host")
    nodes = chips // each
    if nodes > 1 and machine in generation.alone:
        raise Refused(f"{machine} is a single-host slice: {topology} uses other machines")
    return Shape(
        machine=machine,
        nodes=nodes,
        chips=chips,
        topology=topology if nodes > 1 else "",
        needs_policy=nodes > 1 and generation.policy_when_multi_host,
    )


def _is_size(text: str) -> bool:
    return len(text) <= 4 and text.isascii() and text.isdigit() and int(text) > 0  # noqa: PLR2004 - 9999 chips


def _block(pod: Pod, resource: str, parallelism: int) -> Shape:
    """Machines with GPUs, as many as the pods of the job fill."""
    machine, gpu = (pod.spec.node_selector.get(key, "") for key in (MACHINE, GPU))
    each, found = asked(pod, resource), _GPUS.search(machine)
    if not (gpu and found):
        raise Refused(f"machine type not specified: select {MACHINE} (such as a3-highgpu-8g) and {GPU}")
    held = int(found[1])
    if not 0 < each <= held:
        raise Refused(f"{machine} has {held} of {resource}, and each pod requests {each}")
    nodes = math.ceil(parallelism / (held // each))
    return Shape(machine=machine, nodes=nodes, chips=nodes * held, gpu=gpu, gpus=held)
