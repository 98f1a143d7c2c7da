"""Machines of a cloud that nothing is built on: what somebody who comes from there writes."""

import re
from functools import cache
from typing import NamedTuple

from clusterprint.catalog.fact import Fact, read_table

_NAME = re.compile(r"[a-z][a-z0-9-]*\.(nano|micro|small|medium|([0-9]+x|x)?large|metal(-[0-9]+xl)?)")


class ForeignMachine(NamedTuple):
    """A machine of another cloud: which one, and its GPUs; empty and 0 where that is not known."""

    cloud: str
    gpu_model: str = ""
    gpu_memory_gb: float = 0
    gpus: int = 0


class _Family(Fact, frozen=True, kw_only=True):
    gpu_model: str
    gpu_memory_gb: float
    gpus: dict[str, int]


@cache
def _families() -> dict[str, _Family]:
    return read_table("aws/families", dict[str, _Family])


def foreign_machine(name: str) -> ForeignMachine | None:
    """Read the name of a machine of AWS, such as `p5.48xlarge`; None for what does not look like one."""
    if not _NAME.fullmatch(name):
        return None
    key, _, size = name.partition(".")
    family = _families().get(key)
    if family is None:
        return ForeignMachine("AWS")
    return ForeignMachine("AWS", family.gpu_model, family.gpu_memory_gb, family.gpus.get(size, 0))
