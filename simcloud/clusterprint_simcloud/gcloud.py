"""A stand-in for `gcloud` where Terraform runs: scripts of a configuration may ask for groups.

It knows the commands of `gcloud compute instance-groups managed` below, what an instance says of itself:
machines do not boot here, so each says at once that it is ready, what building an image of machines takes
(gcloud_images.py), builds of containers (gcloud_builds.py), what lies in networks (gcloud_networks.py),
imports into Managed Lustre (gcloud_lustre.py), buckets, states and results in them (gcloud_storage.py), and
shells and credentials that only answer (work/). It refuses all others. It starts many times in one run, so
it loads the contents of the cloud and nothing of providers.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from clusterprint_simcloud.cloud.contents import CLOUD_VARIABLE, Cloud, Contents, Record
from clusterprint_simcloud.cloud.groups import GROUP, INSTANCE, awaited

_COMMAND = ["compute", "instance-groups", "managed"]
_ATTRIBUTES = ["compute", "instances", "get-guest-attributes"]


def main(arguments: Sequence[str]) -> int:
    """Answer one command; returns its exit code."""
    at = arguments.index("--") if "--" in arguments else len(arguments)
    given, rest = arguments[:at], arguments[at + 1 :]
    words = [one for one in given if not one.startswith("-")]
    options = dict(one.partition("=")[::2] for one in given if one.startswith("--"))
    if words[:3] == _ATTRIBUTES and len(words) == len([*_ATTRIBUTES, "instance"]):
        return _said(words[3], options)
    if words[:3] == _COMMAND and len(words) == len([*_COMMAND, "verb", "group"]):
        return _about_group(words[3], words[4], options)
    if words[:5] == [*_COMMAND, "resize-requests", "list"] and len(words) == len(
        [*_COMMAND, "", "", "group"]
    ):
        return _requests(words[5], options)
    return _seldom(words, options, arguments, rest)


def _seldom(
    words: Sequence[str], options: Mapping[str, str], arguments: Sequence[str], rest: Sequence[str]
) -> int:
    """Load a rarely used command only when it is called."""
    from clusterprint_simcloud import (
        gcloud_builds,
        gcloud_images,
        gcloud_lustre,
        gcloud_networks,
        gcloud_storage,
    )
    from clusterprint_simcloud.work import credentials, shells

    groups = {
        "builds": lambda: gcloud_builds.answer(words[1:], options),
        "artifacts": lambda: gcloud_builds.about_images(words[1:], options),
        "lustre": lambda: gcloud_lustre.answer(words[1:], options),
        "storage": lambda: gcloud_storage.answer(words[1:], options),
        "container": lambda: credentials.answer(words[1:], options),
    }
    if words and words[0] in groups:
        return groups[words[0]]()
    if shells.knows(words):
        return shells.answer(words, options, rest)
    if gcloud_images.knows(words, options):
        return gcloud_images.answer(words, options)
    if gcloud_networks.knows(words):
        return gcloud_networks.answer(words, options)
    return _refuse(f"the simulated gcloud does not know: {' '.join(arguments)}")


def _about_group(verb: str, name: str, options: Mapping[str, str]) -> int:
    contents = Cloud(Path(os.environ[CLOUD_VARIABLE])).read()
    place = f"projects/{options.get('--project')}/zones/{options.get('--zone')}"
    group = contents.get(GROUP, f"{place}/instanceGroupManagers/{name}")
    if group is None:
        return _refuse(f"Could not fetch resource: '{place}/instanceGroupManagers/{name}' was not found")
    if verb == "wait-until":
        return _wait(contents, group, options)
    for line in _lines(verb, contents, group):
        print(line)  # noqa: T201  (a command)
    return 0


def _requests(name: str, options: Mapping[str, str]) -> int:
    """The queued requests of a group; one without machines still waits."""
    contents = Cloud(Path(os.environ[CLOUD_VARIABLE])).read()
    found = [
        {"name": each.state["name"], "state": each.state.get("state", "")}
        for each in contents.records.values()
        if each.type == "google_compute_resize_request"
        and each.state.get("instance_group_manager") == name
        and each.state.get("zone") == options.get("--zone")
        and each.state.get("project") == options.get("--project")
    ]
    print(json.dumps(found))  # noqa: T201  (a command)
    return 0


def _lines(verb: str, contents: Contents, group: Record) -> Iterator[str]:
    if verb == "describe":
        yield str(group.state["name"])
    elif verb == "list-instances":
        yield from (
            f"{one.state['name']},RUNNING" for one in contents.owned_by(group) if one.type == INSTANCE
        )
        yield from (f"{name}," for name in awaited(contents, group))
    elif verb == "list-errors":
        text = contents.shortages.get(str(group.state["zone"]), "")
        yield from (f"{text}\tInstance '{name}' creation failed: {text}" for name in awaited(contents, group))


# What can be waited for, and what is said when it is so. A changed template reaches all nodes at once here.
_AWAITED = {"--stable": "Group is stable", "--version-target-reached": "Version target is reached"}


def _wait(contents: Contents, group: Record, options: Mapping[str, str]) -> int:
    wanted = [option for option in _AWAITED if option in options]
    if len(wanted) != 1:
        return _refuse(f"exactly one of these must be specified: {' | '.join(_AWAITED)}")
    if awaited(contents, group):
        return _refuse("Timeout while waiting for group to become stable.")
    print(_AWAITED[wanted[0]])  # noqa: T201  (a command)
    return 0


def _said(name: str, options: Mapping[str, str]) -> int:
    identity = f"projects/{options.get('--project')}/zones/{options.get('--zone')}/instances/{name}"
    if Cloud(Path(os.environ[CLOUD_VARIABLE])).get(INSTANCE, identity) is None:
        return _refuse(f"The resource '{identity}' was not found")
    as_json = options.get("--format") == "json"
    said = [{"namespace": "clusterprint", "key": "state", "value": "ready"}]
    print(json.dumps(said) if as_json else "ready")  # noqa: T201  (a command)
    return 0


def _refuse(text: str) -> int:
    print(f"ERROR: (gcloud) {text}", file=sys.stderr)  # noqa: T201  (a command)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
