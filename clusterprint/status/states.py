"""The stacks of a cluster: what is in the state, who has locked it, and what has moved away from it."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import Any, NamedTuple

from clusterprint.derived import state_names
from clusterprint.errors import ClusterprintError, EnvironmentFailure
from clusterprint.lifecycle.failures import Lock, TerraformFailed, explain
from clusterprint.lifecycle.inventory import read_inventory
from clusterprint.lifecycle.plan_review import changes
from clusterprint.lifecycle.session import Session
from clusterprint.lifecycle.stack import Stack, State
from clusterprint.lifecycle.state_input import parse_state
from clusterprint.lifecycle.terraform import Terraform
from clusterprint.lifecycle.workplace import AtWork
from clusterprint.status.programs import Missing, Programs, Unasked

_OF_THE_ENGINE = "cross-stack-output-"


class Step(NamedTuple):
    """Terraform's planned action on a resource."""

    address: str
    actions: tuple[str, ...]


class Moves(NamedTuple):
    """The planned actions: those due to changes by others, and the rest."""

    drifted: tuple[Step, ...] = ()
    pending: tuple[Step, ...] = ()


class StackStatus(NamedTuple):
    """The known status of a stack.

    `broken` are resources whose create failed half-way. `moves` is None where nobody looked for drift.
    `unknown` says what could not be asked.
    """

    name: str
    state: str
    resources: int
    broken: tuple[str, ...]
    outputs: Mapping[str, Any]
    moves: Moves | None
    lock: Lock | None
    at_work: str
    unknown: tuple[str, ...]

    @property
    def exists(self) -> bool:
        """Whether anything is in the state."""
        return self.resources > 0

    @property
    def half_built(self) -> bool:
        """Whether something is there and something else is still to be made."""
        missing = self.moves is not None and any("create" in each.actions for each in self.moves.pending)
        return self.exists and (bool(self.broken) or missing)

    @property
    def differs(self) -> bool:
        """Whether it is known to be not as the blueprint says."""
        return not self.as_said and (self.exists or not (self.unknown or self.at_work))

    @property
    def as_said(self) -> bool:
        """Whether all is as the blueprint says, as far as anybody looked."""
        moved = self.moves is not None and bool(self.moves.drifted or self.moves.pending)
        return self.exists and not self.broken and not moved


class _Found(NamedTuple):
    """Terraform's findings: the stored state, the changes of a plan, and its errors."""

    document: Mapping[str, Any]
    moves: Moves | None
    unknown: tuple[str, ...] = ()


def read_states(
    stacks: Sequence[Stack], session: Session, programs: Programs, *, drift: bool
) -> list[StackStatus]:
    """The status of each stack. Where another run is at work, only what is kept in the bucket is known."""
    with ExitStack() as held:
        terraforms: dict[str, Terraform] = {}
        at_work: dict[str, str] = {}
        for stack in stacks:
            try:
                terraforms |= held.enter_context(session.terraforms([stack]))
            except AtWork as busy:
                at_work[stack.name] = str(busy)
        done, broken = session.each(list(terraforms.values()), lambda each: _look(session, each, drift=drift))
    failed = {each.stack: each.failed for each in broken}
    return [
        _status(each, done.get(each.name), failed.get(each.name), at_work.get(each.name, ""), programs)
        for each in stacks
    ]


def _look(session: Session, terraform: Terraform, *, drift: bool) -> _Found:
    name = terraform.place.stack.name
    session.display.begin(name, "reading the state")
    session.persisting(terraform, terraform.init, lambda: True)
    document = terraform.state()
    if not read_inventory(document).resources or not drift:
        return _Found(document, Moves() if drift else None)
    session.display.begin(name, "looking for drift")
    try:
        # A look must not keep others from working.
        moves = terraform.plan("-lock=false", heard=lambda _: None)
    except TerraformFailed as failed:
        why = explain(failed.errors[0])
        text = why.meaning or failed.errors[0].partition("\n")[0]
        return _Found(document, None, (f"drift: {why.name}: {text}",))
    return _Found(document, read_moves(terraform.planned()) if moves else Moves())


def read_moves(plan: Mapping[str, Any]) -> Moves:
    """The planned actions. Ignored changes are no drift."""
    outside = {str(each.get("address")) for each in plan.get("resource_drift") or ()}
    steps = [Step(address, actions) for address, actions in changes(plan).items()]
    return Moves(
        drifted=tuple(each for each in steps if each.address in outside),
        pending=tuple(each for each in steps if each.address not in outside),
    )


def _status(
    stack: Stack,
    found: _Found | None,
    failed: TerraformFailed | ClusterprintError | None,
    at_work: str,
    programs: Programs,
) -> StackStatus:
    unknown: list[str] = []
    if found is None:
        found, why = _kept(stack.bucket, programs)
        is_missing = not found.document and not why
        if failed and not (is_missing and _is_refused(failed)):
            unknown.append(f"state: {_words(failed)}")
        unknown += [why] if why else []
    lock, why = read_lock(stack.bucket, programs)
    unknown += [*found.unknown, *([why] if why else [])]
    return StackStatus(
        name=stack.name,
        state=stack.state.address,
        resources=sum(len(each.instances) for each in read_inventory(found.document).resources),
        broken=tuple(_broken(found.document)),
        outputs=_outputs(found.document),
        moves=found.moves,
        lock=lock,
        at_work=at_work,
        unknown=tuple(unknown),
    )


def _is_refused(failed: Exception) -> bool:
    """Whether an account lacked a right: where there is no state, Terraform wants to write an empty one."""
    return isinstance(failed, TerraformFailed) and explain(failed.errors[0]).name == "permission"


def _words(failed: TerraformFailed | ClusterprintError) -> str:
    if not isinstance(failed, TerraformFailed):
        return str(failed)
    why = explain(failed.errors[0])
    return f"{why.name}: {why.meaning or failed.errors[0]}"


def _kept(state: State, programs: Programs) -> tuple[_Found, str]:
    """The state as it lies in the bucket, without Terraform."""
    try:
        said = programs.text("gcloud", "storage", "cat", state.address)
        return _Found(parse_state(said, state.address), None), ""
    except Missing:
        return _Found({}, None), ""
    except (Unasked, EnvironmentFailure) as error:
        return _Found({}, None), f"state: {error}"


def read_lock(state: State, programs: Programs) -> tuple[Lock | None, str]:
    """Who has locked a state; why that is not known, if it is not."""
    address = state_names.lock_address(state.bucket, state.prefix)
    try:
        said = json.loads(programs.text("gcloud", "storage", "cat", address))
    except Missing:
        return None, ""
    except Unasked as error:
        return None, f"lock: {error}"
    except ValueError:
        said = None
    words = said if isinstance(said, dict) else {}
    keys = ("ID", "Who", "Operation", "Created", "Path")
    return Lock(*(str(words.get(key) or "") for key in keys)), ""


def _broken(document: Mapping[str, Any]) -> Iterator[str]:
    for resource in document.get("resources") or ():
        for instance in resource.get("instances") or ():
            if instance.get("status") == "tainted":
                key = instance.get("index_key")
                suffix = "" if key is None else f"[{json.dumps(key)}]"
                yield f"{resource['type']}.{resource['name']}{suffix}"


def _outputs(document: Mapping[str, Any]) -> dict[str, Any]:
    """Without those that are secret, or that only stacks need from each other."""
    return {
        name: each.get("value")
        for name, each in sorted((document.get("outputs") or {}).items())
        if not each.get("sensitive") and not name.startswith(_OF_THE_ENGINE)
    }
