"""Plans of the real providers, and how a simulated plan differs from one.

What the providers planned is packed in `data/` by `tools/pack_real_plans.py` of the clusterprint
repository, together with the stacks. `data/plan-differences.json` lists the kinds of difference that are
left, each with its reason.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

DATA = Path(__file__).resolve().parent / "data"
#: Known after apply, in the notation of this comparison.
UNKNOWN = "(known after apply)"
#: Not planned at all: no such argument, or an element that the other side lacks.
NOTHING = "(nothing)"
# The stacks are without it: it would be most of them, and every provider leaves it as it is.
_LEFT_OUT = {"custom_data"}

Leaf = tuple[str | int, ...]


class Difference(NamedTuple):
    """One value that the providers plan in another way."""

    address: str
    path: Leaf
    real: Any
    simulated: Any

    @property
    def kind(self) -> tuple[str, str]:
        """The type and the dotted path of the argument, without positions and keys of maps."""
        names = [one for one in self.path if isinstance(one, str)]
        return self.address.partition(".")[0], ".".join(names)


@cache
def packed() -> dict[str, Any]:
    """Everything: `stacks` by name; `plans` by version of provider google and stack."""
    content: dict[str, Any] = json.loads(lzma.decompress((DATA / "real-plans.json.xz").read_bytes()))
    return content


def cases() -> list[tuple[str, str]]:
    """Every (version of provider google, stack) with a plan."""
    return [(version, stack) for version, plans in packed()["plans"].items() for stack in plans]


def write(name: str, version: str, folder: Path) -> None:
    """Write the stack that was planned, with provider google required in this version, and charts for it."""
    document: dict[str, Any] = json.loads(json.dumps(packed()["stacks"][name]))
    required = document["terraform"]["required_providers"]
    if "google" in required:
        required["google"]["version"] = version
    folder.mkdir(parents=True)
    (folder / "cdk.tf.json").write_text(json.dumps(document), "utf-8")
    for release in document["resource"].get("helm_release", {}).values():
        if release["chart"].startswith("./"):
            (folder / release["chart"]).mkdir(parents=True, exist_ok=True)
            (folder / release["chart"] / "Chart.yaml").write_text("name: objects\nversion: 1.0.0\n", "utf-8")


def simulated(plan: Mapping[str, Any]) -> dict[str, Any]:
    """A plan document of Terraform in the form that real plans are kept in."""
    return {
        one["address"]: {"after": one["change"]["after"], "after_unknown": one["change"]["after_unknown"]}
        for one in plan["resource_changes"]
        if one["mode"] == "managed"
    }


def differences(real: Mapping[str, Any], made: Mapping[str, Any]) -> tuple[list[Difference], int]:
    """Where two plans differ, and how many values both were asked for: those of resources in both."""
    found: list[Difference] = []
    total = 0
    for address in sorted(real.keys() & made.keys()):
        one, other = (dict(_leaves(_known(side[address]))) for side in (real, made))
        for path in dict.fromkeys([*one, *other]):
            if _LEFT_OUT & set(path) or _is_below(path, one if path in other else other):
                continue
            total += 1
            left, right = one.get(path, NOTHING), other.get(path, NOTHING)
            if left != right:
                found.append(Difference(address, path, left, right))
    return found, total


def _is_below(path: Leaf, others: Mapping[Leaf, Any]) -> bool:
    """Whether the other side has a leaf above, such as a block that is unknown: a difference of its own."""
    return any(path[:length] in others for length in range(1, len(path)))


def _known(change: Mapping[str, Any]) -> Any:
    return _merged(change["after"], change["after_unknown"])


def _merged(after: Any, unknown: Any) -> Any:
    if unknown is True:
        return UNKNOWN
    if isinstance(after, dict) or isinstance(unknown, dict):
        sides = [side if isinstance(side, dict) else {} for side in (after, unknown)]
        return {key: _merged(*(side.get(key) for side in sides)) for key in {**sides[0], **sides[1]}}
    if isinstance(after, list) and isinstance(unknown, list):
        padded = [*unknown, *([None] * (len(after) - len(unknown)))]
        return [_merged(one, other) for one, other in zip(after, padded, strict=False)]
    return after


def _leaves(value: Any, path: Leaf = ()) -> Iterator[tuple[Leaf, Any]]:
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    inner = list(steps)
    for step, one in inner:
        yield from _leaves(one, (*path, step))
    if not inner:
        yield path, value
