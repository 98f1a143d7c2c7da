"""Logs of a running cluster for a bundle: events and pods of Kubernetes, or the setup of nodes."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from clusterprint.access import inside, machines
from clusterprint.access.command import Command
from clusterprint.errors import UsageError
from clusterprint.plan.part import StackPlan
from clusterprint.plan.vm import VmPlan
from clusterprint.plan.vmss import VmssPlan
from clusterprint.status.compute_engine import STOPPED, instances_of
from clusterprint.status.programs import Programs, Unasked

_LINES = 500
_MOST = 20
_AT_ONCE = 8
_SECONDS = 60
# Google's own, in each cluster of GKE.
_FOREIGN = ("kube-", "gke-", "gmp-")


def answers(plans: Sequence[StackPlan], programs: Programs, ways: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The answers by file; those with an empty name are problems. `ways` are those into machines of Azure."""
    try:
        commands = _commands(plans, programs, ways)
    except (Unasked, UsageError) as error:
        yield "", f"the running cluster: {error}"
        return
    if len(commands) > _MOST:
        yield "", f"logs of the running cluster: the first {_MOST} of {len(commands)}"
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        answered = pool.map(partial(_answer, programs._replace(seconds=_SECONDS)), commands[:_MOST])
        for number, (failed, text) in enumerate(answered, 1):
            # A name would say whose cluster it is: the text begins with the command.
            yield "" if failed else f"running/{number:02}.txt", text


def _answer(programs: Programs, command: Command) -> tuple[bool, str]:
    try:
        return False, f"$ {command.text}\n{programs.text(*command.words)}"
    except Unasked as error:
        return True, f"{command.text}: {error}"


def _commands(plans: Sequence[StackPlan], programs: Programs, ways: Sequence[str]) -> list[Command]:
    first = plans[0]
    if isinstance(first, VmPlan):
        return list(_of_machines(first, programs))
    if isinstance(first, VmssPlan):
        return [machines.vmss_log(first, "", ways, lines=_LINES, follow=False)]
    return list(_of_pods(inside.inside(plans), programs))


def _of_machines(plan: VmPlan, programs: Programs) -> Iterator[Command]:
    """The log of the setup of each node that runs, and the console of one that nobody can enter."""
    for (_, name), found in sorted(instances_of(plan, programs).items()):
        if str(found.get("status", "")).lower() in STOPPED:
            continue
        log = partial(machines.vm_log, plan, name, lines=_LINES, follow=False)
        try:
            yield log(serial=False)
        except UsageError:
            yield log(serial=True)


def _of_pods(of: inside.Inside, programs: Programs) -> Iterator[Command]:
    """Events, and the logs of all pods but Google's; those that are not well come first."""
    pods = programs.items("kubectl", of.context, "get", "pods", "--all-namespaces", "--output=json")
    found = []
    for pod in pods:
        described = pod.get("metadata", {})
        namespace, name = str(described.get("namespace", "")), str(described.get("name", ""))
        well = pod.get("status", {}).get("phase") in ("Running", "Succeeded")
        if not namespace.startswith(_FOREIGN):
            found.append((well, namespace, name))
    yield Command(("kubectl", of.context, "get", "events", "--all-namespaces", "--sort-by=.lastTimestamp"))
    for _, namespace, name in sorted(found):
        words = ("kubectl", of.context, f"--namespace={namespace}", "logs", name, "--all-containers")
        yield Command((*words, f"--tail={_LINES}"))
