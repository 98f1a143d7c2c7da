"""Search for existing resources of blueprints, by plans that import them."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from clusterprint.derived import state_names
from clusterprint.errors import EnvironmentFailure
from clusterprint.lifecycle.adopt import named_by, only_there, provider_of
from clusterprint.lifecycle.failures import TerraformFailed
from clusterprint.lifecycle.gcloud import gcloud
from clusterprint.lifecycle.inventory import read_inventory
from clusterprint.lifecycle.plan_review import stands
from clusterprint.lifecycle.session import Broken, Session
from clusterprint.lifecycle.stack import Stack, State, needing, waves
from clusterprint.lifecycle.state_input import parse_state
from clusterprint.lifecycle.terraform import Terraform

Result = TypeVar("Result")
# A state of ours; anything else in a name would be words for gcloud, or for the shell of whoever copies them.
_STATE_ADDRESS = re.compile(r"gs://[-\w./=+@]+")
# Terraform's own words where a plan would destroy what the stack protects.
_PROTECTED = re.compile(r"Resource (.+?) has lifecycle\.prevent_destroy set")


class Adopted(NamedTuple):
    """The existing resources of a stack: id by address; and the planned actions by address.

    `created` is how much is not there, and would be made.
    """

    stack: str
    imports: Mapping[str, str]
    actions: Mapping[str, tuple[str, ...]]
    created: int

    @property
    def replaced(self) -> list[str]:
        """Existing resources that the blueprint would replace."""
        return [address for address in self.imports if "delete" in self.actions.get(address, ())]


class Looked(NamedTuple):
    """The existing resources of each stack, the failures, and stacks that need others that do not exist."""

    found: list[Adopted]
    broken: list[Broken]
    waiting: list[str]


def plan_with_imports(session: Session, terraform: Terraform) -> dict[str, str]:
    """Find what a stack would create and is there; the imports lie in its folder, the plan has them."""

    def plan() -> object:
        return session.persisting(terraform, lambda: terraform.plan(heard=lambda _: None), lambda: True)

    if not plan():
        return {}
    stack, planned = terraform.place.stack, terraform.planned()
    refuse_moved(session, stack, planned)
    wanted = _named(stack, planned)
    return only_there(terraform.place.folder, wanted, plan) if wanted else {}


def _named(stack: Stack, planned: Mapping[str, Any]) -> dict[str, str]:
    document = json.loads((stack.folder / "cdk.tf.json").read_text("utf-8"))
    return named_by(planned, provider_of(document))


def refuse_moved(session: Session, stack: Stack, planned: Mapping[str, Any]) -> None:
    """Refuse to make, or to adopt, what another state in the bucket of a new stack has already.

    That is the same cluster, whose `backend.gcs.prefix` has changed: two states would own it. Raises
    EnvironmentFailure. What gcloud cannot say of the bucket is taken as nothing.
    """
    wanted = {*_named(stack, planned).values()}
    if stands(planned) or not wanted or not isinstance(stack.state, State):
        return
    here, environment = stack.state, session.world.environment
    for address in _states_called(here, environment):
        held = {str(each.get("id")) for each in _held(address, environment)}
        if both := sorted(wanted & held):
            raise EnvironmentFailure(
                f"{', '.join(both)}: in the state {address}, but the state of this stack is looked for at "
                f"{here.address}, and is empty. Two states must not own one cluster. Put backend.gcs.prefix "
                f"of the blueprint back; or move the state of each stack (gcloud storage mv {address} "
                f"{here.address}), and run the same command again"
            )


def _states_called(here: State, environment: Mapping[str, str]) -> list[str]:
    """The addresses of the other states in a bucket that belong to a stack of this name."""
    pattern = state_names.state_address(here.bucket, f"**/{here.name}")
    try:
        found = gcloud(("storage", "ls", pattern), environment).splitlines()
    except EnvironmentFailure:
        return []
    return [each for each in found if each != here.address and _STATE_ADDRESS.fullmatch(each)]


def _held(address: str, environment: Mapping[str, str]) -> Iterator[Mapping[str, Any]]:
    try:
        state = parse_state(gcloud(("storage", "cat", address), environment), address)
    except EnvironmentFailure:
        return
    for each in read_inventory(state).resources:
        yield from each.instances


def keeping(session: Session, terraform: Terraform, plan: Callable[[], Result]) -> Result:
    """A plan; keeps protected resources that an earlier run has reported as failed.

    Terraform would replace it, which its protection forbids: so no plan would ever succeed.
    """
    try:
        return plan()
    except TerraformFailed as failed:
        protected = {found for each in failed.errors for found in _PROTECTED.findall(" ".join(each.split()))}
        kept = keep(terraform, protected) if protected else []
        if not kept:
            raise
        session.display.line(
            f"[{terraform.place.stack.name}] protected, and exists though an earlier run failed: "
            f"kept: {', '.join(kept)}"
        )
        return keeping(session, terraform, plan)


def keep(terraform: Terraform, addresses: Iterable[str]) -> list[str]:
    """Untaint these resources if they are tainted, so that Terraform does not replace them."""
    kept = sorted(set(addresses) & set(_tainted(terraform.state())))
    for address in kept:
        terraform.untaint(address)
    return kept


def _tainted(state: Mapping[str, Any]) -> Iterator[str]:
    """Addresses of tainted resources."""
    for resource in state.get("resources") or ():
        for each in resource.get("instances") or ():
            if each.get("status") == "tainted":
                key = each.get("index_key")
                index = "" if key is None else f"[{json.dumps(key)}]"
                yield f"{resource['type']}.{resource['name']}{index}"


def look(stacks: Sequence[Stack], session: Session) -> Looked:
    """Look for everything that the stacks would create. Nothing is changed, nor written to a state."""
    found: list[Adopted] = []
    broken: list[Broken] = []
    missing: set[str] = set()
    with session.terraforms(stacks) as terraforms:

        def one(terraform: Terraform) -> tuple[Adopted, bool]:
            name = terraform.place.stack.name
            session.display.begin(name, "looking")
            session.persisting(terraform, terraform.init, lambda: True)
            imports = plan_with_imports(session, terraform)
            plan = terraform.planned()
            # What is imported is read as if it were there before; outputs are not, before it is applied.
            return _adopted(name, imports, plan), bool((plan.get("prior_state") or {}).get("values"))

        for wave in waves(stacks):
            lost = needing(stacks, missing | {each.stack for each in broken})
            done, failed = session.each(
                [terraforms[each.name] for each in wave if each.name not in lost], one
            )
            found += [each for each, _ in done.values()]
            missing |= {name for name, (each, stands) in done.items() if each.imports or not stands}
            broken += failed
    waiting = needing(stacks, missing | {each.stack for each in broken}) - {each.stack for each in broken}
    return Looked(found, broken, [each.name for each in stacks if each.name in waiting])


def _adopted(name: str, imports: Mapping[str, str], plan: Mapping[str, Any]) -> Adopted:
    actions = {
        str(change["address"]): tuple(change["change"]["actions"])
        for change in plan.get("resource_changes") or ()
    }
    created = sum(each == ("create",) for each in actions.values())
    return Adopted(name, imports, actions, created)
