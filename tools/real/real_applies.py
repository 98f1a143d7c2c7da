"""Stacks applied for real: by the real provider, to Google's APIs as they are simulated on this machine.

A stack is applied; a second plan must be empty; then it is changed in a few ways, one after another, each of
which must do what it does in the simulated cloud; a plan after them must be empty again; destroying must
leave nothing; and all of it may take no permission that `clusterprint rights` does not list. Nothing of a
cloud is reached.
"""

import copy
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import real_stacks
from real_terraform import Failed, Terraform

from clusterprint.rights import TASKS, needs
from clusterprint_simcloud import TerraformFailed, World
from clusterprint_simcloud.api import ServedApis
from clusterprint_simcloud.api.apis import Recorded
from clusterprint_simcloud.api.refusing import permissions

Stack: TypeAlias = dict[str, Any]
#: What keeps resources from being destroyed, and what says that they may be.
_GUARDS = {"prevent_destroy": False, "deletion_protection": False}
#: Scripts that ask gcloud for machines and transfers, which the APIs do not have.
_UNANSWERED = {"build-image": "builds an image", "fill-lustre": "imports files into Managed Lustre"}
_POOL = "google_container_node_pool"
_TEMPLATE = "google_compute_instance_template"
_CONFIG = "google_compute_per_instance_config"
#: Differences that are known, each with its reason.
KNOWN = Path(__file__).parent / "differences.json"


class Difference(NamedTuple):
    """Something that is not as it should be."""

    stack: str
    step: str
    text: str

    @property
    def reason(self) -> str:
        """Why it is known and may be, empty if it is not."""
        known = json.loads(KNOWN.read_text("utf-8"))["differences"]
        listed = (one for one in known if one["step"] == self.step and one["text"] in self.text)
        return str(next(listed, {"reason": ""})["reason"])


def why_not_applied(stack: Mapping[str, Any]) -> str:
    """Why the APIs cannot answer for a stack, or "".

    What is inside clusters has a proof of its own.
    """
    providers = set(stack.get("provider", {}))
    if others := sorted(providers - {"google"}):
        return f"there are no simulated APIs for the providers {', '.join(others)}"
    if not providers:
        return "the stack has no provider"
    text = json.dumps(stack)
    asked = [f"{what} ({script})" for script, what in _UNANSWERED.items() if script in text]
    return f"the stack {' and '.join(asked)}, which gcloud beside the APIs refuses" if asked else ""


def differences(
    stack: Stack, source: Path, folder: Path, environment: Mapping[str, str]
) -> Iterator[Difference]:
    """The faults of one stack; `environment` leads to its provider."""
    name, stack = source.name, unguarded(stack)
    real_stacks.write(stack, source, folder)
    try:
        Terraform(environment).run(folder, "init")
    except Failed as failed:
        yield Difference(name, "init", str(failed))
        return
    with ServedApis() as apis:
        terraform = Terraform({**environment, **apis.environment})
        apis.assume(stack)
        step = "apply"
        try:
            terraform.run(folder, "apply", "-auto-approve")
            for step, wanted, found in _steps(terraform, stack, source, folder):
                yield from _compared(name, step, wanted, found)
        except (Failed, TerraformFailed) as failed:
            # What went well comes first in what it said.
            yield Difference(name, f"after {step}", str(failed)[-2000:])
        try:
            terraform.run(folder, "destroy", "-auto-approve")
        except Failed as failed:
            yield Difference(name, "destroy", str(failed))
        yield from (Difference(name, "destroy", f"left: {key}") for key in apis.left)
        yield from (Difference(name, "rights", text) for text in unlisted(stack, apis.requests))


def _steps(
    terraform: Terraform, stack: Stack, source: Path, folder: Path
) -> Iterator[tuple[str, dict[str, str], dict[str, str]]]:
    """Each further step: its name, what the simulated cloud does in it, and what the real provider does.

    Each change is made to the stack as the changes before it have left it. What one of them leaves for
    another plan is thus what the next step does beyond what the simulated cloud does.
    """
    yield "second plan", {}, terraform.changes(folder)
    with World("state") as world:
        simulated = folder.parent / f"{folder.name}-simulated"
        changed = False
        for word, change in CHANGES.items():
            made = change(stack)
            if made is None:
                continue
            if not changed:
                real_stacks.write(_kept_in(stack, "state"), source, simulated)
                world.assume(simulated)
                world.apply(simulated)
            stack, changed = made, True
            _lay(_kept_in(stack, "state"), simulated)
            _lay(stack, folder)
            wanted = world.changes(simulated)
            world.carry_out(simulated)
            yield word, wanted, terraform.apply(folder)
    if changed:
        yield "plan after the changes", {}, terraform.changes(folder)


def unlisted(stack: Stack, requests: Iterable[Recorded]) -> Iterator[str]:
    """The permissions that requests took and `clusterprint rights` does not list, each once.

    It lists those of a whole blueprint by place; here it is enough that one place has them.
    """
    found = needs([stack])
    listed = {one for need in found for task in TASKS for one in need.permissions[task]}
    methods = sorted({one.method for one in requests if one.method and one.status < HTTPStatus.BAD_REQUEST})
    for method in methods:
        yield from (f"{method} takes {one}" for one in permissions(method) if one not in listed)


def _compared(
    name: str, step: str, wanted: Mapping[str, str], found: Mapping[str, str]
) -> Iterator[Difference]:
    for address in sorted(wanted.keys() | found.keys()):
        if wanted.get(address) != found.get(address):
            text = f"{address}: {found.get(address, 'nothing')}, not {wanted.get(address, 'nothing')}"
            yield Difference(name, step, text)


def unguarded(stack: Mapping[str, Any]) -> Stack:
    """The stack with its state in its own folder, and all of it may be destroyed."""
    made: Stack = _lifted(stack)
    made["terraform"] = {**made["terraform"], "backend": {"local": {}}}
    return made


def _lifted(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _GUARDS.get(key, _lifted(each)) for key, each in value.items()}
    if isinstance(value, list):
        return [_lifted(each) for each in value]
    return "DELETE" if value == "PREVENT" else value


def _kept_in(stack: Stack, bucket: str) -> Stack:
    backend = {"gcs": {"bucket": bucket, "prefix": "stack"}}
    return {**stack, "terraform": {**stack["terraform"], "backend": backend}}


def _lay(stack: Stack, folder: Path) -> None:
    (folder / "cdk.tf.json").write_text(json.dumps(stack, indent=2), "utf-8")


# ---- changes


def _resized(stack: Stack) -> Stack | None:
    """One node more in each pool that has a fixed number of them, and in each group of machines."""
    pools = _with_each(stack, _POOL, _one_more)
    machines = _with_each(pools or stack, _CONFIG, _one_machine_more)
    if machines is None:
        return pools
    return _with_each(machines, "terraform_data", _awaited) or machines


def _one_more(pool: Stack) -> bool:
    # A slice of TPUs has as many nodes as its topology says.
    if isinstance(pool.get("node_count"), int) and not _has_tpus(pool["node_config"]):
        pool["node_count"] += 1
        return True
    return False


def _one_machine_more(config: Stack) -> bool:
    """The configurations of a group's machines are one for each name of a set."""
    names = re.fullmatch(r"\$\{toset\((\[.*\])\)\}", str(config.get("for_each")))
    if names is None:
        return False
    known = json.loads(names[1])
    config["for_each"] = f"${{toset({json.dumps([*known, f'{known[-1]}-more'])})}}"
    return True


def _awaited(script: Stack) -> bool:
    """A resource that waits for all machines of a group waits for one more."""
    waits = any(str(one).startswith(f"{_CONFIG}.") for one in script.get("depends_on", []))
    if waits:
        script["triggers_replace"]["nodes"] = _more(script["triggers_replace"]["nodes"])
        for one in script["provisioner"]:
            one["local-exec"]["environment"]["NODES"] = _more(one["local-exec"]["environment"]["NODES"])
    return waits


def _more(number: str) -> str:
    return str(int(number) + 1)


def _labelled(stack: Stack) -> Stack | None:
    """One label more on the nodes of each pool, and on each template."""
    pools = _with_each(stack, _POOL, lambda pool: _label(pool["node_config"]))
    return _with_each(pools or stack, _TEMPLATE, _label) or pools


def _label(block: Stack) -> bool:
    block["labels"] = {**block.get("labels", {}), "another": "yes"}
    return True


def _with_another_image(stack: Stack) -> Stack | None:
    """Another driver of GPUs, which makes their pools anew, and another image of the other nodes."""
    pools = _with_each(stack, _POOL, lambda pool: _drive(pool["node_config"]))
    image = "projects/another/global/images/another"
    return (
        _with_each(pools or stack, _TEMPLATE, lambda one: _set(one["disk"][0], "source_image", image))
        or pools
    )


def _drive(nodes: Stack) -> bool:
    drivers = [
        one["gpu_driver_installation_config"]
        for one in nodes.get("guest_accelerator", [])
        if "gpu_driver_installation_config" in one
    ]
    for driver in drivers:
        version = driver["gpu_driver_version"]
        driver["gpu_driver_version"] = "LATEST" if version == "DEFAULT" else "DEFAULT"
    # Image streaming, GPUs without a driver and TPUs need the image that they have.
    plain = not {"gcfs_config", "guest_accelerator"} & nodes.keys() and not _has_tpus(nodes)
    return bool(drivers) or (plain and _set(nodes, "image_type", "UBUNTU_CONTAINERD"))


def _has_tpus(nodes: Stack) -> bool:
    return str(nodes["machine_type"]).startswith(("ct", "tpu"))


def _set(block: Stack, name: str, value: str) -> bool:
    block[name] = value
    return True


def _with_another_pool(stack: Stack) -> Stack | None:
    """One pool more, like the last."""
    pools = stack.get("resource", {}).get(_POOL)
    if not pools:
        return None
    made = copy.deepcopy(stack)
    made["resource"][_POOL]["another"] = {**copy.deepcopy(list(pools.values())[-1]), "name": "another"}
    return made


def _with_each(stack: Stack, kind: str, change: Callable[[Stack], bool]) -> Stack | None:
    """The stack with each resource of a kind changed, None if there is none."""
    made = copy.deepcopy(stack)
    changed = [change(one) for one in made.get("resource", {}).get(kind, {}).values()]
    return made if any(changed) else None


CHANGES: dict[str, Callable[[Stack], Stack | None]] = {
    "one node more": _resized,
    "one label more": _labelled,
    "another image or driver": _with_another_image,
    "one pool more": _with_another_pool,
}
