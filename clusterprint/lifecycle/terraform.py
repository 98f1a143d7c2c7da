"""The one module that starts Terraform (or OpenTofu): each step of it, for one stack in its folder."""

import json
import os
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from clusterprint.errors import EnvironmentFailure
from clusterprint.lifecycle.events import LOST, NOWHERE, Event, read_event
from clusterprint.lifecycle.failures import TerraformFailed
from clusterprint.lifecycle.processes import Command, Processes
from clusterprint.lifecycle.state_input import parse_state
from clusterprint.lifecycle.workplace import Workplace
from clusterprint.lifecycle.world import World

Heard = Callable[[Event], None]

#: As of `terraform plan -detailed-exitcode`.
_CHANGES = 2

# Resources that an apply changes at a time: each node of kind vm is one, and takes seconds, nearly all of it
# waiting. At the usual ten, a thousand nodes would take five times as long.
_AT_ONCE = 50

# Codes with which Terraform ends by itself: what it had begun is done, or has failed. A resource that it
# announced without a word of its end was halted before its provider was asked (Terraform's hook_stop.go).
_ORDERLY = (0, 1)

# Terraform's cache of plug-ins is not made for two that fill it at once.
_installing = threading.Lock()


def _check_errored(file: Path) -> None:
    try:
        parse_state(file.read_text("utf-8", "replace"), str(file))
    except OSError as error:
        raise EnvironmentFailure(f"cannot read {file}, an unsaved state: {error.strerror}") from error
    except EnvironmentFailure as failed:
        raise EnvironmentFailure(
            f"{failed}: an earlier run could not save its state, and has written that file, perhaps on a "
            "full disk. What that run created may exist without being in the state. Move the file away, "
            "and run the same command again; if it then says that a name is taken, add --adopt"
        ) from None


def _write_private(file: Path, state: Mapping[str, Any]) -> None:
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as stream:
        json.dump(state, stream)


class Terraform:
    """Terraform in the work folder of one stack; its output goes to `log` and to listeners."""

    def __init__(self, place: Workplace, world: World, processes: Processes, log: Path) -> None:
        self.place = place
        self.log = log
        #: What it has begun to make, change or destroy, and has not said the end of.
        self.underway: set[str] = set()
        self._outputs: Mapping[str, Any] = {}
        self._world = world
        self._processes = processes

    def init(self) -> None:
        """Install the providers, connect to the state, and save what an earlier run could not save of it."""
        with _installing:
            self._run("init", "init", "-input=false", "-no-color", "-reconfigure")
        if others := self.place.other_providers():
            raise EnvironmentFailure(
                f"the state {self.place.stack.state.address} asks for {', '.join(others)}, which no stack of "
                "clusterprint has, and which Terraform would start with your credentials. It was not "
                "started: find out who has written to that state"
            )
        self.save_errored()

    def save_errored(self) -> None:
        """Save what an earlier step could not save of the state, if there is any. The next begins so.

        Raises EnvironmentFailure if that is no state, TerraformFailed if it is refused; both say where it is.
        """
        file = self.place.errored
        if not file.exists():
            return
        _check_errored(file)
        try:
            self._run("saving the state of an earlier run", "state", "push", "-no-color", file.name)
        except TerraformFailed as failed:
            errors = [f"{each}\nThe state of the earlier run is in {file}." for each in failed.errors]
            raise TerraformFailed(failed.step, errors, failed.addresses) from None
        file.unlink()

    def plan(self, *options: str, heard: Heard) -> bool:
        """Make a plan; whether it changes anything."""
        words = ("plan", "-json", "-input=false", "-detailed-exitcode", f"-out={self.place.plan.name}")
        return self._run("plan", *words, *options, heard=heard, good=(0, _CHANGES)) == _CHANGES

    def planned(self) -> dict[str, Any]:
        """The plan that was just made, as data."""
        return self._document("show", "-json", "-no-color", self.place.plan.name)

    def plan_text(self) -> str:
        """The plan that was just made, in Terraform's words."""
        return self._answer("show", "-no-color", self.place.plan.name).strip()

    def apply(self, heard: Heard) -> None:
        """Apply the plan that was made, and no other."""
        said: list[Mapping[str, Any]] = []

        def listen(event: Event) -> None:
            said.extend([event.outputs] if event.sort == "outputs" else [])
            heard(event)

        self._outputs = {}
        words = ("apply", "-json", "-input=false", f"-parallelism={_AT_ONCE}", self.place.plan.name)
        self._run("apply", *words, heard=listen)
        self._outputs = said[-1] if said else {}

    def state(self) -> dict[str, Any]:
        """The stored state, with its dependencies; empty if there is none."""
        return self._document("state", "pull")

    def outputs(self) -> Mapping[str, Any]:
        """The outputs of the stack by name; runs Terraform if an apply has not reported all of them."""
        if self._outputs and all("value" in each for each in self._outputs.values()):
            return self._outputs
        return self._document("output", "-json", "-no-color")

    def replace_state(self, document: Mapping[str, Any]) -> None:
        """Put another version of the state into its place; Terraform refuses if that is not the next one."""
        file = self.place.folder / "next.tfstate"
        try:
            _write_private(file, document)
            self._run("changing the state", "state", "push", "-no-color", file.name)
        finally:
            file.unlink(missing_ok=True)

    def forget(self, addresses: Sequence[str]) -> None:
        """Take resources out of the state, and leave them alone."""
        self._run("forgetting", "state", "rm", "-no-color", *addresses)

    def untaint(self, address: str) -> None:
        """Untaint a resource, so that Terraform does not replace it."""
        self._run("untainting", "untaint", "-no-color", address)

    def unlock(self, lock: str) -> None:
        """Release a lock, whoever holds it."""
        self._run("force-unlock", "force-unlock", "-force", lock)

    def _run(self, step: str, *words: str, heard: Heard | None = None, good: Sequence[int] = (0,)) -> int:
        errors: list[Event] = []
        texts: list[str] = []

        def listen(line: str) -> None:
            event = read_event(line)
            self._follow(event)
            if event.state:
                event = event._replace(error=self._rescued(event.state))
            if event.error:
                errors.append(event)
            if not event.sort:
                texts.append(event.text)
            if heard is not None:
                heard(event)

        code = self._processes.run(self._command(words, self.log), listen)
        if code in _ORDERLY and not self._processes.hard:
            self.underway.clear()
        if code not in good:
            self._processes.check()  # it was told to stop, and did
            if errors:
                raise TerraformFailed(
                    step, [each.error for each in errors], [each.address for each in errors]
                )
            raise TerraformFailed(step, ["\n".join(texts).strip() or f"it ended with {code}"])
        return code

    def _rescued(self, state: Mapping[str, Any]) -> str:
        """Write down a state that Terraform could write nowhere; what people are told of that."""
        with suppress(OSError):
            _write_private(self.place.errored, state)
            return f"{NOWHERE}; it was written to {self.place.errored} after all, and the next run saves it"
        with suppress(OSError):
            self.place.errored.unlink(missing_ok=True)  # half of it is none
        with suppress(OSError):
            file = Path(tempfile.mkdtemp(prefix="clusterprint-")) / self.place.errored.name
            _write_private(file, state)
            return f"{NOWHERE}; it is in {file}: with space for it, move it to {self.place.errored}"
        return f"{NOWHERE}: {LOST}"

    def _follow(self, event: Event) -> None:
        if event.sort == "apply_start" and event.action != "read":
            self.underway.add(event.address)
        elif event.sort in ("apply_complete", "apply_errored"):
            self.underway.discard(event.address)

    def _answer(self, *words: str) -> str:
        """The output of a step. It may hold secrets, so it is in no log, and deleted at once."""
        answer = self.place.folder / "answer.json"
        answer.unlink(missing_ok=True)
        lines: list[str] = []
        try:
            code = self._processes.run(self._command(words, answer), lines.append)
        finally:
            answer.unlink(missing_ok=True)
        said = "\n".join(lines)
        if code:
            self._processes.check()
            raise TerraformFailed(words[0], [said.strip()])
        return said

    def _document(self, *words: str) -> dict[str, Any]:
        """The JSON that a step prints."""
        said = self._answer(*words)
        try:
            # Warnings may stand before it.
            found: dict[str, Any] = json.loads(said[said.index("{") :]) if "{" in said else {}
        except (ValueError, RecursionError):
            raise TerraformFailed(words[0], ["its answer is not JSON that can be read"]) from None
        return found

    def _command(self, words: Sequence[str], log: Path) -> Command:
        return Command(
            words=(self._world.program, *words),
            folder=self.place.folder,
            environment=self._world.environment_of(self.place.stack),
            log=log,
            handles=(self.place.handle, *self._world.handles),
            begun=self.place.note_program,
        )
