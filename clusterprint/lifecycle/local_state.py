"""Stacks whose state lies on this machine only: those of clusters that one command makes and destroys."""

import fcntl
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from clusterprint.errors import EnvironmentFailure, UsageError
from clusterprint.lifecycle.inventory import guarded_by, read_inventory
from clusterprint.lifecycle.stack import LocalState, Stack, State, read_state_place
from clusterprint.lifecycle.state_input import parse_state

_FILE = "cdk.tf.json"
_HELD = "held"


def keep_here(stacks: Sequence[Stack], home: Path) -> list[Stack]:
    """Let the states of stacks lie in a folder of this machine; their folders are changed for that."""
    files = {_place(each): home / f"{each.mark}.tfstate" for each in stacks}
    return [_kept(each, files) for each in stacks]


def _place(stack: Stack) -> State:
    return read_state_place(stack.folder)


def _kept(stack: Stack, files: Mapping[State, Path]) -> Stack:
    here = files[_place(stack)]
    document = json.loads((stack.folder / _FILE).read_text("utf-8"))
    document["terraform"]["backend"] = {"local": {"path": str(here)}}
    for each in document.get("data", {}).get("terraform_remote_state", {}).values():
        there = State(each["config"]["bucket"], each["config"]["prefix"].strip("/"))
        each |= {"backend": "local", "config": {"path": str(files[there])}}
    if "state" in document.get("output", {}):
        document["output"]["state"]["value"] = str(here)
    (stack.folder / _FILE).write_text(json.dumps(document, indent=2, sort_keys=True), "utf-8")
    return stack._replace(state=LocalState(here))


@contextmanager
def held(stacks: Sequence[Stack]) -> Iterator[None]:
    """Keep others away from clusters whose states lie here, for as long as they last.

    Raises EnvironmentFailure if somebody else has one of them.
    """
    with ExitStack() as handles:
        for each in stacks:
            handles.callback(os.close, _hold(each))
        yield


def _hold(stack: Stack) -> int:
    file = _file(stack).with_suffix(f".{_HELD}")
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise EnvironmentFailure(f"cannot keep a state in {file.parent}: {error.strerror}") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = os.pread(handle, 20, 0).decode("ascii", "replace")
        os.close(handle)
        raise EnvironmentFailure(
            f"stack {stack.name} belongs to a running `up --ephemeral`, process {holder}: "
            f"it destroys its cluster when it ends, by Ctrl-C or kill {holder}"
        ) from None
    os.ftruncate(handle, 0)
    os.pwrite(handle, str(os.getpid()).encode(), 0)
    return handle


def refuse_undeletable(stacks: Sequence[Stack]) -> None:
    """Raises UsageError for what a cloud itself will not let go of: it could not be destroyed in the end."""
    found = []
    for stack in stacks:
        resources = json.loads((stack.folder / _FILE).read_text("utf-8")).get("resource", {})
        for kind, named in resources.items():
            argument = guarded_by(kind)
            found += [f"{kind}.{name}" for name, each in named.items() if argument and each.get(argument)]
    if found:
        raise UsageError(
            f"{', '.join(found)}: protected from deletion by the cloud itself, so that it would outlive "
            "an ephemeral cluster: remove the protection from the blueprint, or leave out --ephemeral"
        )


def contents_of(stack: Stack) -> tuple[str, ...]:
    """The addresses in the local state of a stack. Empty without a state."""
    file = _file(stack)
    try:
        return tuple(
            each.address for each in read_inventory(parse_state(file.read_text("utf-8"), str(file))).resources
        )
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, EnvironmentFailure):  # cut off when Terraform was killed
        return (f"what {file} is about, which cannot be read ({file.name}.backup is the version before)",)


def forget(stack: Stack) -> None:
    """Remove a state that holds nothing any more, and the copies of it that Terraform has kept."""
    file = _file(stack)
    for each in (file, file.with_name(f"{file.name}.backup")):
        each.unlink(missing_ok=True)


def names_in(stack: Stack, addresses: Sequence[str]) -> list[str]:
    """Addresses of resources, each with the name that its cloud knows it by, where the stack says one."""
    resources = json.loads((stack.folder / _FILE).read_text("utf-8")).get("resource", {})
    return [_named(each, resources) for each in addresses]


def _named(address: str, resources: Mapping[str, Any]) -> str:
    kind, _, rest = address.partition(".")
    block = resources.get(kind, {}).get(rest.partition("[")[0], {})
    name = block.get("name")
    known = isinstance(name, str) and "${" not in name
    return f"{address} ({name})" if known else address


def _file(stack: Stack) -> Path:
    if not isinstance(stack.state, LocalState):
        raise TypeError(f"the state of {stack.name} is not here")
    return stack.state.file
