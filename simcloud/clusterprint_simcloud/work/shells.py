"""Shells on machines of the simulated cloud: they say what they would run, and run nothing.

`gcloud compute ssh` and the serial console of Compute Engine; `ssh` and `az` for machines of Azure, with the
lists of those that `clusterprint status` asks for; `ray job submit`.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from clusterprint_simcloud.azure.machines import FLEXIBLE, MACHINE, UNIFORM
from clusterprint_simcloud.cloud.contents import CLOUD_VARIABLE, Cloud, Contents, Record
from clusterprint_simcloud.cloud.groups import INSTANCE, started
from clusterprint_simcloud.work import machine_runs, runs, slurm
from clusterprint_simcloud.work.clock import STEP, told

_SERIAL = ("get-serial-port-output", "tail-serial-port-output")
_TAIL = re.compile(r"(?:sudo )?tail (?:-n (?P<lines>\d+) )?(?P<follow>-f )?(?P<file>/var/log/\S+)")
_UNREACHED = 255


def _cloud() -> Cloud:
    return Cloud(Path(os.environ[CLOUD_VARIABLE]))


def _say(lines: Sequence[str]) -> int:
    for line in lines:
        print(line)  # noqa: T201  (a command)
    return 0


def _refuse(text: str, code: int = 1) -> int:
    print(text, file=sys.stderr)  # noqa: T201  (a command)
    return code


def _behind(node: str, words: Sequence[str], since: str) -> list[str]:
    """What a shell on a node answers: a log of its setup, or what it would run."""
    text = " ".join(words)
    log = _TAIL.fullmatch(text)
    if log is not None:
        lines = _setup(node, since)
        return lines[-int(log["lines"] or len(lines)) :]
    if "-L" in words:
        return [f"simulated: no tunnel is opened; a real one would lead to {node} with {text}"]
    what = (
        f"nothing is run; on {node}, this would run: {text}" if words else f"a real one would open on {node}"
    )
    return [f"simulated: no machine is started and no shell is opened; {what}"]


def _setup(node: str, since: str) -> list[str]:
    return [
        f"simulated: no machine is started in this cloud; these lines stand for the log of {node}",
        f"{since} simulated: setup began",
        f"{since} simulated: every step is done",
        f"{since} simulated: {node} is ready",
    ]


# ---- Google


def knows(words: Sequence[str]) -> bool:
    """Whether `gcloud` is asked for a shell or a console."""
    return list(words[:2]) == ["compute", "ssh"] or (
        list(words[:2]) == ["compute", "instances"] and len(words) > 2 and words[2] in _SERIAL  # noqa: PLR2004
    )


def answer(words: Sequence[str], options: Mapping[str, str], rest: Sequence[str]) -> int:
    """Answer `gcloud compute ssh NODE [-- WORDS]`, or for the console of a node; returns the exit code."""
    name = words[-1].rpartition("@")[2]
    identity = f"projects/{options.get('--project')}/zones/{options.get('--zone')}/instances/{name}"
    contents = _cloud().read()
    if (node := contents.get(INSTANCE, identity)) is None:
        return _refuse(f"ERROR: (gcloud.compute) The resource '{identity}' was not found")
    since = started(contents).get(identity, told(0))
    if words[1] == "instances":
        return _say(_setup(f"the console of {name}", since))
    command = options.get("--command")
    if "pkill" in rest:
        with _cloud().open() as changed:
            return _say([f"simulated: {each} is ended" for each in machine_runs.end(changed, name)])
    if len(rest) == 1 and (said := _of_slurm(rest[0], node)) is not None:
        return said
    return _say(_behind(name, rest or ([command] if command else []), since))


# ---- Azure


def ssh(arguments: Sequence[str]) -> int:
    """Answer `ssh [OPTIONS] USER@ADDRESS [WORDS]`: the address, or the one it jumps over, has to be there."""
    at = next((number for number, each in enumerate(arguments) if _is_target(arguments, number)), None)
    if at is None:
        return _refuse("usage: ssh [options] user@address [command]", _UNREACHED)
    jump = arguments[arguments.index("-J") + 1] if "-J" in arguments[:at] else ""
    contents = _cloud().read()
    gate = (jump or arguments[at]).rpartition("@")[2].partition(":")[0]
    known = {*contents.leases.get("public addresses", {}), *_private(contents)}
    if gate not in known:
        return _refuse(f"ssh: connect to host {gate} port 22: Connection timed out", _UNREACHED)
    rest = arguments[at + 1 :]
    head = None if jump or len(rest) != 1 else _machine_at(contents, gate)
    if head is not None and (said := _of_slurm(rest[0], head)) is not None:
        return said
    return _say(_behind(arguments[at], rest, told(0)))


def _of_slurm(text: str, node: Record) -> int | None:
    """Answer a command of Slurm on a node; None for another command."""
    with _cloud().open() as changed:
        found = slurm.answer(changed, text, node)
    if found is None:
        return None
    code, lines = found
    return _refuse("\n".join(lines), code) if code else _say(lines)


def _machine_at(contents: Contents, address: str) -> Record | None:
    """The machine with a public address."""
    return next((one for one in contents.of(MACHINE) if one.state.get("public_ip_address") == address), None)


def _private(contents: Contents) -> Iterator[str]:
    for pool, held in contents.leases.items():
        if pool.startswith("addresses of "):
            yield from held


def _is_target(arguments: Sequence[str], at: int) -> bool:
    before = arguments[at - 1] if at else ""
    return (
        "@" in arguments[at] and not arguments[at].startswith("-") and before not in {"-J", "-o", "-i", "-l"}
    )


def az(arguments: Sequence[str]) -> int:
    """Answer `az vm list`, `az vmss list-instances`, `az network bastion ssh`; refuse all others."""
    at = arguments.index("--") if "--" in arguments else len(arguments)
    words, options, name = [], {}, ""
    for each in arguments[:at]:
        if each.startswith("--"):
            name, options[each] = each, ""
        elif name:
            options[name], name = each, ""
        else:
            words.append(each)
    contents = _cloud().read()
    of, within = (options.get(each, "").lower() for each in ("--subscription", "--resource-group"))
    group = f"/subscriptions/{of}/resourcegroups/{within}/"
    if words == ["vm", "list"]:
        return _say([json.dumps(list(_machines(contents, group, options.get("--query", ""))))])
    if words == ["vmss", "list-instances"]:
        return _say([json.dumps(list(_instances(contents, group, UNIFORM, options.get("--name", ""))))])
    if words == ["network", "bastion", "ssh"]:
        target = options.get("--target-resource-id", "").lower()
        for one in contents.of(MACHINE):
            if one.id.lower() == target:
                return _say(_behind(str(one.state["name"]), arguments[at + 1 :], told(0)))
        return _refuse(f"ERROR: (ResourceNotFound) The resource '{target}' was not found.")
    return _refuse(f"ERROR: the simulated az does not know: {' '.join(arguments)}")


def _machines(contents: Contents, group: str, query: str) -> Iterator[dict[str, Any]]:
    """Machines by name, or those of a flexible scale set; as JMESPath, `status` knows these two queries."""
    name = re.fullmatch(r"\[\?name == '([^']*)'\]", query)
    members = re.fullmatch(r"\[\?ends_with\(.* '/([^']*)'\) && name != '([^']*)'\]", query)
    for one in contents.of(MACHINE):
        of_group = one.id.lower().startswith(group)
        if of_group and (
            (name and one.state["name"] == name[1]) or (members and _is_member(one, *members.groups()))
        ):
            yield {
                "name": one.state["name"],
                "powerState": "VM running",
                "location": one.state["location"],
                **_image(one),
            }
    if members:
        for each in _instances(contents, group, FLEXIBLE, members[1]):
            kept = {key: each[key] for key in ("name", "location", "storageProfile")}
            yield {**kept, "powerState": "VM running"}


def _image(one: Record) -> dict[str, Any]:
    """The image of a machine or of all instances of a set; the newest version is always the same here."""
    own = one.state.get("source_image_id")
    (given,) = [{"id": own}] if own else (one.state.get("source_image_reference") or [{}])
    version = given.get("version")
    exact = {"exactVersion": "1.0.20250101" if version == "latest" else version} if version else {}
    return {"storageProfile": {"imageReference": {**given, **exact}}}


def _is_member(machine: Record, scale_set: str, head: str) -> bool:
    held = str(machine.state.get("virtual_machine_scale_set_id") or "")
    return held.endswith(f"/{scale_set}") and machine.state["name"] != head


def _instances(contents: Contents, group: str, kind: str, name: str) -> Iterator[dict[str, Any]]:
    for one in contents.of(kind):
        if one.state["name"] != name or not one.id.lower().startswith(group):
            continue
        for number in range(int(one.state.get("instances") or 0)):
            yield {
                "name": f"{name}_{number}",
                "osProfile": {"computerName": f"{name}{number:06}"},
                "location": one.state["location"],
                **_image(one),
                "instanceView": {
                    "statuses": [{"code": "PowerState/running"}],
                    "vmHealth": {"status": {"code": "HealthState/healthy"}},
                },
            }


# ---- Ray's client


def ray(arguments: Sequence[str]) -> int:
    """Answer `ray job submit ... -- PROGRAM`: the log of a run from its start to its end."""
    if list(arguments[:2]) != ["job", "submit"] or "--" not in arguments:
        return _refuse(f"Error: the simulated ray does not know: {' '.join(arguments)}")
    program = arguments[arguments.index("--") + 1 :]
    with _cloud().open() as contents:
        serial, created = contents.next_serial(), contents.rest.clock
        run = runs.Run(f"raysubmit_{serial}", created, os.environ.get(runs.VARIABLE, runs.SUCCEEDED))
        while not runs.ended(run.state(contents.rest.clock)):  # it follows the run to its end
            contents.rest.clock += STEP
        now = contents.rest.clock
        lines = run.log(now, f"Ray job {run.name}", program)
    return _say([*lines, f"Job '{run.name}' {run.state(now)}"]) or int(run.state(now) == runs.FAILED)


_PROGRAMS = {"ssh": ssh, "az": az, "ray": ray}

if __name__ == "__main__":
    sys.exit(_PROGRAMS[sys.argv[1]](sys.argv[2:]))
