"""Terraform for several stacks at once: what they share, what is tried again, and how it all stops."""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple, TypeVar

from clusterprint.errors import ClusterprintError
from clusterprint.lifecycle.display import Display
from clusterprint.lifecycle.failures import (
    Lock,
    TerraformFailed,
    explain,
    is_released,
    is_transient,
    lock_in,
    unreleased_in,
)
from clusterprint.lifecycle.processes import Interrupted, Processes
from clusterprint.lifecycle.stack import Stack
from clusterprint.lifecycle.terraform import Terraform
from clusterprint.lifecycle.workplace import workplace
from clusterprint.lifecycle.world import World, world

Result = TypeVar("Result")

# Seconds to wait before each retry of a transient failure.
WAITS = (5.0, 20.0)
_AT_ONCE = 8
_LOOK_EVERY = 0.2


class Broken(NamedTuple):
    """A stack in which a step failed."""

    stack: str
    failed: TerraformFailed | ClusterprintError


class Session:
    """All that a run needs: the world, the display, and Terraform in the folder of each stack."""

    def __init__(self, place: World, display: Display, logs: Path | None, release: str = "") -> None:
        self.world = place
        self.display = display
        self.processes = Processes()
        #: By stack, what Terraform was at when it was stopped hard: in the cloud perhaps, in the state not.
        self.underway: dict[str, tuple[str, ...]] = {}
        self._logs = logs
        self._release = release

    @contextmanager
    def terraforms(self, stacks: Sequence[Stack]) -> Iterator[dict[str, Terraform]]:
        """Terraform for each stack, by name; nobody else works in their folders meanwhile."""
        with ExitStack() as stack:
            yield {each.name: stack.enter_context(self._terraform(each)) for each in stacks}

    @contextmanager
    def _terraform(self, stack: Stack) -> Iterator[Terraform]:
        keep = not self.world.simulated
        with workplace(stack, self.world.home, keep_checksums=keep, waiting=self.display.line) as place:
            log = (self._logs or place.folder) / f"{stack.name}.log"
            terraform = Terraform(place, self.world, self.processes, log)
            try:
                yield terraform
            finally:
                # A plan holds secrets in plain text, and is good for one apply only.
                place.plan.unlink(missing_ok=True)
                if terraform.underway:
                    self.underway[stack.name] = tuple(sorted(terraform.underway))

    def each(
        self, chosen: Sequence[Terraform], work: Callable[[Terraform], Result]
    ) -> tuple[dict[str, Result], list[Broken]]:
        """The results of parallel work on each of them, and the failures.

        Raises Interrupted when all have come to their end after a signal.
        """
        done: dict[str, Result] = {}
        broken: list[Broken] = []
        with self.processes.listening(), ThreadPoolExecutor(_AT_ONCE) as pool:
            running = {pool.submit(work, each): each.place.stack.name for each in chosen}
            while wait(running, timeout=_LOOK_EVERY).not_done:
                pass  # signals are heard between two looks
        for future, name in running.items():
            try:
                done[name] = future.result()
            except Interrupted:
                continue
            except (TerraformFailed, ClusterprintError) as failed:
                broken.append(Broken(name, failed))
            finally:
                self.display.end(name)
        self.processes.check()
        return done, broken

    def persisting(
        self, terraform: Terraform, step: Callable[[], Result], between: Callable[[], bool]
    ) -> Result | None:
        """A step that is tried again where that may help; before that, `between` says whether it is needed.

        A lock is released if it is the one that was asked to be, or that of this very step.
        """
        waits = iter(WAITS)
        while True:
            try:
                return step()
            except TerraformFailed as failed:
                self.processes.check()
                if self._released(terraform, failed):
                    continue
                self._recover(terraform, failed, waits)
                if not between():
                    return None

    def _recover(self, terraform: Terraform, failed: TerraformFailed, waits: Iterator[float]) -> None:
        """Wait, and clear up what a failed step has left in the bucket or beside it: its lock, a state.

        Raises what the step failed with, where another try does not help or there were enough of them.
        """
        name = terraform.place.stack.name
        said = failed
        while True:
            seconds = next(waits, None)
            if seconds is None or not is_transient(said.errors):
                raise failed
            what = explain(said.errors[0]).name
            self.display.line(
                f"[{name}] {said.step}: {what}; that may be temporary: next try in {seconds:.0f} s"
            )
            self._pause(seconds)
            try:
                if lock := unreleased_in(failed.errors):
                    self._release_own(terraform, lock)
                return terraform.save_errored()
            except TerraformFailed as again:
                self.processes.check()
                said = again

    def _release_own(self, terraform: Terraform, lock: Lock) -> None:
        self.display.line(f"[{terraform.place.stack.name}] releasing lock {lock.id}, which is our own")
        try:
            terraform.unlock(lock.id)
        except TerraformFailed as failed:
            if not any(map(is_released, failed.errors)):
                raise

    def _released(self, terraform: Terraform, failed: TerraformFailed) -> bool:
        lock = next((found for each in failed.errors if (found := lock_in(each))), None)
        if lock is None or not self._release or lock.id != self._release:
            return False
        self._release = ""
        self.display.line(f"[{terraform.place.stack.name}] releasing lock {lock.id} of {lock.who}")
        terraform.unlock(lock.id)
        return True

    def _pause(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self.processes.check()
            time.sleep(_LOOK_EVERY)


@contextmanager
def session(
    stacks: Sequence[Stack], simulate: Path | None, display: Display, logs: Path | None, release: str = ""
) -> Iterator[Session]:
    """A session for some stacks, in the real world or in a simulated one."""
    if logs is not None:
        logs.mkdir(parents=True, exist_ok=True)
    with world(simulate, stacks) as place:
        yield Session(place, display, logs, release)
