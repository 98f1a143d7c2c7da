"""The stacks of a cluster whose blueprint is gone, made from what their states say.

States are found and read with gcloud. A state names its providers and has what they need to be configured:
the project, the subscription, the address of the cluster that others lie in.
"""

import json
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from clusterprint import assets
from clusterprint.derived import state_names
from clusterprint.errors import EnvironmentFailure, UsageError
from clusterprint.examine import examine
from clusterprint.lifecycle import state_input
from clusterprint.lifecycle.gcloud import gcloud
from clusterprint.lifecycle.inventory import Inventory, read_inventory
from clusterprint.lifecycle.skeleton import write_skeleton
from clusterprint.lifecycle.stack import Stack, State, synthesized
from clusterprint.lifecycle.world import world
from clusterprint.review.delta import get
from clusterprint.terraform_text import literal
from clusterprint.words import listed

_ADDRESS = re.compile(r"gs://(?P<bucket>[a-z0-9][-_.a-z0-9]{1,220}[a-z0-9])/(?P<prefix>[-\w./=+@]+?)/*")
_PROVIDER = re.compile(r'provider\["(?:registry\.(?:terraform\.io|opentofu\.org)/hashicorp/)([a-z0-9]+)"\]')
_BUILT_IN = 'provider["terraform.io/builtin/terraform"]'
_SUBSCRIPTION = re.compile(r"/subscriptions/([0-9a-fA-F-]{36})/")

# Blueprints that we bring, and whose stacks have all providers: they say which versions we build with.
_PINNING = ("gke-mpi-hpl.yaml", "vmss-nc-dev.yaml")

_LOGIN = {
    "api_version": "client.authentication.k8s.io/v1beta1",
    "command": "gke-gcloud-auth-plugin",
    "args": ["--use_application_default_credentials"],
}

# gcloud's own words about a folder in which nothing lies.
_NOTHING_THERE = "matched no objects"


@contextmanager
def stacks_of(address: str, simulate: Path | None) -> Iterator[list[Stack]]:
    """The stacks whose states lie at an address, or in that folder, without resources.

    Raises UsageError for what is no address, or has no states; EnvironmentFailure if they cannot be read.
    """
    found = _ADDRESS.fullmatch(state_names.folder_of_state(address) or address)
    if found is None:
        raise UsageError(
            f"{address!r} is not an address of states: give gs://BUCKET/PREFIX, as in the output `state`"
        )
    with world(simulate, ()) as place:
        inventories = _read(found["bucket"], found["prefix"], place.environment)
    with tempfile.TemporaryDirectory(prefix="clusterprint-") as folder:
        pins = _pins()
        yield [
            _stack(state, inventory, inventories, Path(folder), pins)
            for state, inventory in inventories.items()
        ]


def _read(bucket: str, prefix: str, environment: Mapping[str, str]) -> dict[State, Inventory]:
    try:
        listed = gcloud(("storage", "ls", "--recursive", f"gs://{bucket}/{prefix}/"), environment).split()
    except EnvironmentFailure as failed:
        if _NOTHING_THERE not in str(failed):
            raise
        listed = []
    states = [
        State(bucket, folder.removeprefix(f"gs://{bucket}/"))
        for each in listed
        if (folder := state_names.folder_of_state(each)) and _ADDRESS.fullmatch(folder)
    ]
    return {state: _inventory(state, environment) for state in _of_one_cluster(bucket, prefix, states)}


def _of_one_cluster(bucket: str, prefix: str, states: Sequence[State]) -> list[State]:
    """The states that the address means: itself, or those of the folder; never those of folders in that."""
    meant = [each for each in states if prefix in (each.prefix, each.folder)]
    if meant:
        return meant
    if not states:
        raise UsageError(f"there is no state at or below gs://{bucket}/{prefix}")
    folders = listed(sorted({f"gs://{bucket}/{each.folder}" for each in states}), "and")
    raise UsageError(f"gs://{bucket}/{prefix} is not the folder of one cluster: name one of {folders}")


def _inventory(state: State, environment: Mapping[str, str]) -> Inventory:
    return read_inventory(
        state_input.parse_state(gcloud(("storage", "cat", state.address), environment), state.address)
    )


def _stack(
    state: State,
    inventory: Inventory,
    inventories: Mapping[State, Inventory],
    folder: Path,
    pins: Mapping[str, Any],
) -> Stack:
    needs: tuple[str, ...] = ()
    around = inventory.found_cluster
    if any(each.is_inside for each in inventory.resources):
        outer = _outer(state, inventories)
        if outer is None and around is None:
            raise EnvironmentFailure(_alone(state))
        if outer is not None:
            needs = (_name(outer),)
            found = inventories[outer].resources
            made = [each.instances for each in found if each.type == "google_container_cluster"]
            around = made[0][0] if made and made[0] else around
    providers = _providers(state, inventory, pins)
    required = {name: pins[name] for name in providers}
    document = {
        "terraform": {
            "backend": {"gcs": {"bucket": state.bucket, "prefix": state.prefix}},
            "required_providers": required,
        },
        "provider": {name: [_configured(name, inventory, around)] for name in providers},
    }
    stack = Stack(_name(state), folder, state, needs)
    return write_skeleton(stack, folder / stack.name, document)


def _outer(state: State, states: Iterable[State]) -> State | None:
    """The state of the very cluster that what another state holds runs inside of: no other may be touched."""
    wanted = state_names.cluster_stack_around(state.name)
    return next((each for each in states if (each.folder, each.name) == (state.folder, wanted)), None)


def _alone(state: State) -> str:
    wanted = state_names.cluster_stack_around(state.name)
    return (
        f"{state.address} is about what runs inside of a cluster, and {wanted}, the state of that cluster, "
        f"is not here: name the folder that has both, gs://{state.bucket}/{state.folder}; what runs in a "
        "cluster of your own is destroyed with its blueprint only"
    )


def _name(state: State) -> str:
    """The name of a stack; it also names a folder."""
    return re.sub(r"[^-_A-Za-z0-9]", "-", state.name)


def _providers(state: State, inventory: Inventory, pins: Mapping[str, Any]) -> list[str]:
    """The names of the providers in a state. Others than ours are never installed, let alone started."""
    named = {each.get("provider", "") for each in inventory.document.get("resources") or ()} - {_BUILT_IN}
    found = {each: match[1] for each in named if (match := _PROVIDER.fullmatch(each)) and match[1] in pins}
    if others := sorted(named - found.keys()):
        raise EnvironmentFailure(
            f"{state.address} has resources of {others[0] or 'no provider'}, which no stack of clusterprint "
            "has: remove them with the tool that made them"
        )
    return sorted(found.values())


def _configured(name: str, inventory: Inventory, around: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """The provider settings needed to destroy the resources of a state."""
    if name == "google":
        found = {key: _attribute(inventory, key) for key in ("project", "region", "zone")}
        return {key: literal(value) for key, value in found.items() if value}
    if name == "azurerm":
        ids = " ".join(str(each.get("id")) for found in inventory.resources for each in found.instances)
        subscription = _SUBSCRIPTION.search(ids)
        return {
            "features": [{}],
            "resource_provider_registrations": "none",
            **({"subscription_id": subscription[1]} if subscription else {}),
        }
    if name == "kubernetes":
        return {**_reached(around), "exec": [_LOGIN]}
    if name == "helm":
        return {"kubernetes": {**_reached(around), "exec": _LOGIN}}
    return {}


def _attribute(inventory: Inventory, name: str) -> str:
    values = (
        each
        for found in inventory.resources
        if found.type.startswith("google_")
        for each in found.instances
        if "/" not in str(each.get(name))
    )
    return next((value for each in values if (value := state_input.taken(each, name))), "")


def _reached(attributes: Mapping[str, Any] | None) -> dict[str, str]:
    """How a cluster is reached: by its DNS name if it lets anybody in there, else by its address."""
    if attributes is None:
        return {}
    dns = get(attributes, "control_plane_endpoints_config.dns_endpoint_config")
    if get(dns, "allow_external_traffic") is True and get(dns, "endpoint"):
        return {"host": literal(f"https://{state_input.host(get(dns, 'endpoint'))}")}
    encoded = get(attributes, "master_auth.cluster_ca_certificate")
    return {
        "host": literal(f"https://{state_input.address(attributes.get('endpoint'))}"),
        "cluster_ca_certificate": literal(state_input.certificate(encoded)),
    }


def _pins() -> dict[str, Any]:
    """The providers that our stacks are built with: source and version by name."""
    folder = assets.folder("blueprints")
    found: dict[str, Any] = {}
    with synthesized(examine([folder / name for name in _PINNING])) as stacks:
        for each in stacks:
            document = json.loads((each.folder / "cdk.tf.json").read_text("utf-8"))
            found |= document["terraform"]["required_providers"]
    return found
