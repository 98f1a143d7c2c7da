"""Flex-start requests of kind vm, as the cloud tells `up` of them."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from clusterprint.cli import lifecycle
from clusterprint.cli.output import say
from clusterprint.errors import EnvironmentFailure
from clusterprint.examine import Examined
from clusterprint.words import listed

if TYPE_CHECKING:
    from clusterprint.lifecycle.renew import Renewed
    from clusterprint.lifecycle.session import Session
    from clusterprint.lifecycle.stack import Stack


def ended(examined: Examined, stacks: "Sequence[Stack]", opened: "Session") -> "Renewed":
    """Requests for machines that have all ended, by stack. Raises EnvironmentFailure if that is not known."""
    from clusterprint.lifecycle.renew import addresses
    from clusterprint.plan.vm import VmPlan
    from clusterprint.status.programs import Programs, Unasked
    from clusterprint.status.queued import ended_requests
    from clusterprint.synth import plan_all

    programs = Programs(opened.world.environment, simulated=opened.world.simulated)
    plans = {each.plan.name: each.plan for each in plan_all(examined.results)}
    found = {}
    for stack in stacks:
        plan = plans.get(stack.name)
        try:
            over = ended_requests(plan, programs) if isinstance(plan, VmPlan) else set()
        except Unasked as error:
            raise EnvironmentFailure(f"whether machines have ended is not known: {error}") from error
        if over:
            names = listed(sorted(name for name, _ in over), "and")
            say(f"{stack.name}: all machines have ended; requested again: {names}", err=True)
            found[stack.name] = addresses(stack, over)
    if not found:
        say("nothing to renew: no request for flex-start machines of kind vm has ended", err=True)
    return found


def queued(examined: Examined, simulate: Path | None) -> set[str]:
    """The groups that wait in a queue for flex_start; none if that cannot be asked."""
    from clusterprint.lifecycle.session import session
    from clusterprint.lifecycle.stack import synthesized
    from clusterprint.plan.vm import VmPlan
    from clusterprint.status.programs import Programs, Unasked
    from clusterprint.status.queued import queued_groups
    from clusterprint.synth import plan_all

    found: set[str] = set()
    with (
        synthesized(examined) as stacks,
        session(stacks, simulate, lifecycle.display(), None) as opened,
    ):
        programs = Programs(opened.world.environment, simulated=opened.world.simulated)
        try:
            for plan in (each.plan for each in plan_all(examined.results)):
                found |= queued_groups(plan, programs) if isinstance(plan, VmPlan) else set()
        except Unasked as error:
            say(f"whether flex_start is still queued is not known: {error}", err=True)
            return set()
    return found
