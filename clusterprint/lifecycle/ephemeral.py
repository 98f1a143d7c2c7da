"""A cluster for as long as a command lasts: it is made, it stands, and whatever comes, it is destroyed.

The first signal lets Terraform end its step; then everything is destroyed. The second stops hard, and the
states that lie on this machine say what is left. So do they after a command that was killed.
"""

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from clusterprint.errors import ClusterprintError
from clusterprint.exit_codes import Code
from clusterprint.lifecycle import down, local_state, up
from clusterprint.lifecycle.foreign import Foreign
from clusterprint.lifecycle.processes import Interrupted, Processes
from clusterprint.lifecycle.session import Broken, Session
from clusterprint.lifecycle.stack import Stack

_LOOK_EVERY = 0.2  # seconds
_STANDING = (Code.DONE, Code.NOTHING_TO_DO)


class Stacks(NamedTuple):
    """The stacks of a cluster whose states lie here: to make it, and without resources, to destroy it."""

    full: Sequence[Stack]
    bare: Sequence[Stack]


class Consent(NamedTuple):
    """How people are asked, and told: that it stands now, that it is being destroyed."""

    making: up.Consent
    remove: Callable[[Sequence[Foreign]], bool]
    standing: Callable[[up.Ended], None]
    ending: Callable[[], None]


class Left(NamedTuple):
    """The rest of a stack: the resources in its state, and those Terraform worked on when it was killed."""

    stack: str
    resources: tuple[str, ...]
    underway: tuple[str, ...]


class Lived(NamedTuple):
    """How it ended: how far it was made, why not further, what could not be destroyed and why."""

    made: up.Ended | None
    failed: BaseException | None
    broken: tuple[Broken | ClusterprintError, ...]
    left: tuple[Left, ...]


def live(stacks: Stacks, session: Session, consent: Consent, *, seconds: float | None) -> Lived:
    """Make a cluster, let it stand for some seconds or until a signal comes, and destroy it with its data."""
    processes = session.processes
    made: up.Ended | None = None
    failed: BaseException | None = None
    with processes.listening():
        try:
            made = up.up(stacks.full, session, _answering(consent.making, processes), plan_only=False)
            if made.code in _STANDING:
                consent.standing(made)
                _stand(processes, seconds)
        except BaseException as error:  # noqa: BLE001 - whatever it is, what was made until then has to go
            failed = error
        processes.clear_away()
        broken = _destroy(stacks, session, consent)
    left = tuple(each for stack in stacks.full if (each := _left(stack, session)))
    return Lived(made, failed, broken, left)


def _answering(consent: up.Consent, processes: Processes) -> up.Consent:
    def ask(names: Sequence[str]) -> bool:
        with processes.answering():
            return consent.ask(names)

    return consent._replace(ask=ask)


def _stand(processes: Processes, seconds: float | None) -> None:
    until = None if seconds is None else time.time() + seconds  # of the day: a machine may sleep meanwhile
    while not processes.told and (until is None or time.time() < until):
        time.sleep(_LOOK_EVERY)


def _destroy(stacks: Stacks, session: Session, consent: Consent) -> tuple[Broken | ClusterprintError, ...]:
    if not any(local_state.contents_of(each) for each in stacks.full):
        return ()

    def remove(found: Sequence[Foreign]) -> bool:
        with session.processes.answering():
            return consent.remove(found)

    try:
        session.processes.check()
        consent.ending()
        agreed = down.Consent(lambda *_: None, lambda: True, remove)
        ended = down.down(stacks.bare, session, agreed, include_data=True, plan_only=False)
    except Interrupted:
        return ()
    except ClusterprintError as failed:
        return (failed,)
    return ended.broken


def _left(stack: Stack, session: Session) -> Left | None:
    resources = local_state.contents_of(stack)
    underway = tuple(local_state.names_in(stack, session.underway.get(stack.name, ())))
    if not resources:
        local_state.forget(stack)
    return Left(stack.name, resources, underway) if resources or underway else None
