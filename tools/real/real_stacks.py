"""Stacks that can be planned alone: what they would read elsewhere is put in place as literals.

So a plan needs no state of others, no bucket and no cloud: providers, and nothing more.
"""

import base64
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

Stack: TypeAlias = dict[str, Any]

_ASKS = {"config_context", "config_path", "resource_providers_to_register"}

PROJECT_NUMBER = "123456789012"
_CERTIFICATE = base64.b64encode((Path(__file__).parent / "ca.pem").read_bytes()).decode()

_STATE = re.compile(r"data\.terraform_remote_state\.[\w-]+\.outputs\.([\w-]+)")
_PROJECT = re.compile(r"data\.google_project\.[\w-]+\.(\w+)")
_READ = re.compile(r"data\.google_\w+\.[\w-]+(?:\[[^\]]*\])?((?:\.\w+(?:\[\d+\])?)+)")
_GOOGLE = re.compile(r"\bgoogle_\w+\.[\w-]+(?:\[[^\]]*\])?(?:\.\w+(?:\[\d+\])?)*")
_TAKES_LIST = re.compile(r"(?:\belement\(|\bjoin\(\s*\"[^\"]*\",)\s*$")
_WHOLE = re.compile(r"\$\{\"([^\"]*)\"\}")


def alone(stack: Mapping[str, Any]) -> Stack:
    """The stack with its state in its own folder, and literals for what others would tell it."""
    made: Stack = _without(stack, _STATE, _of_state)
    made = _without(made, _PROJECT, lambda found: PROJECT_NUMBER if found[1] == "number" else f"x-{found[1]}")
    made = _without(made, _READ, _of_cloud)
    made = _without_waits(made, "data.")
    made = {
        **made,
        "provider": {name: [_offline(one) for one in each] for name, each in made["provider"].items()},
    }
    # Checks are about what was read of the cloud.
    made.pop("data", None)
    made.pop("check", None)
    made["terraform"] = {key: each for key, each in made["terraform"].items() if key != "backend"}
    return made


def inside(stack: Mapping[str, Any]) -> Stack:
    """The part of a stack inside a cluster, for the one that KUBE_CONFIG_PATH names."""
    made: Stack = alone(stack)
    made["resource"] = {
        type_: named for type_, named in made.get("resource", {}).items() if not type_.startswith("google_")
    }
    made = _without_waits(made, "google_")
    made = _without(made, _GOOGLE, lambda found: f"x-{found[0].rpartition('.')[2]}")
    made["provider"] = {"kubernetes": [{}], "helm": [{}]}
    required = made["terraform"]["required_providers"]
    made["terraform"] = made["terraform"] | {
        "required_providers": {name: each for name, each in required.items() if name != "google"}
    }
    made.pop("output", None)
    return made


def is_inside(stack: Mapping[str, Any]) -> bool:
    """Whether a stack is about what runs in a cluster."""
    return bool({"kubernetes", "helm"} & stack.get("provider", {}).keys())


def write(stack: Mapping[str, Any], source: Path, folder: Path) -> None:
    """Lay a changed stack into a folder, with the files that lie beside the original."""
    folder.mkdir(parents=True)
    for path in source.iterdir():
        if path.name not in {"cdk.tf.json", ".terraform", ".terraform.lock.hcl"}:
            (folder / path.name).symlink_to(path.resolve())
    (folder / "cdk.tf.json").write_text(json.dumps(stack, indent=2), "utf-8")


def _of_state(found: re.Match[str]) -> str | list[str]:
    """The output of another stack, by its name; a list where a function takes one."""
    if _TAKES_LIST.search(found.string[: found.start()]):
        return ["10.0.0.2"]
    return _CERTIFICATE if found[1].endswith("ca_certificate") else f"x-{found[1]}"[:60]


def _of_cloud(found: re.Match[str]) -> str | list[str]:
    """The cloud's value for an existing resource, by the name of the argument."""
    name = found[1].rpartition(".")[2]
    return ["10.0.0.2"] if name == "ip_addresses" else f"x-{name.partition('[')[0]}"


def _without(value: Any, pattern: re.Pattern[str], literal: Callable[[re.Match[str]], Any]) -> Any:
    """The value with literals in place of references; a text that was one reference is the literal."""
    if isinstance(value, Mapping):
        return {key: _without(each, pattern, literal) for key, each in value.items()}
    if isinstance(value, list):
        return [_without(each, pattern, literal) for each in value]
    if not isinstance(value, str) or "${" not in value:
        return value
    return _WHOLE.sub(r"\1", pattern.sub(lambda found: json.dumps(literal(found)), value))


def _offline(provider: Mapping[str, Any]) -> Stack:
    """A provider without what it would ask for: a context of a kubeconfig, registrations in Azure."""
    made = {key: each for key, each in provider.items() if key not in _ASKS}
    if "config_context" in provider:
        made["host"] = "https://x-host"
    if isinstance(made.get("kubernetes"), Mapping):
        made["kubernetes"] = _offline(made["kubernetes"])
    return made


def _without_waits(value: Any, start: str) -> Any:
    """The value without waits for what is not there, by how their addresses start."""
    if isinstance(value, Mapping):
        made = {key: _without_waits(each, start) for key, each in value.items()}
        if isinstance(made.get("depends_on"), list):
            made["depends_on"] = [each for each in made["depends_on"] if not each.startswith(start)]
        return made
    return [_without_waits(each, start) for each in value] if isinstance(value, list) else value
