"""A stand-in for `gcloud` beside the APIs: answers the stacks' scripts about groups and machines.

Building images and importing into Managed Lustre take machines and other services: those commands are
refused, so a stack that needs them is not for these APIs.
"""

from __future__ import annotations

import json
import os
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from clusterprint_simcloud.google.links import COMPUTE

#: The address of the APIs' server, for the process that Terraform starts.
ADDRESS = "CLUSTERPRINT_SIMULATED_APIS"
_GROUPS = ["compute", "instance-groups", "managed"]
_ATTRIBUTES = ["compute", "instances", "get-guest-attributes"]


def write(folder: Path) -> Path:
    """Make the command in a folder; the folder for the PATH."""
    command = folder / "gcloud"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m {__name__} "$@"\n')
    command.chmod(0o755)
    return folder


def main(arguments: Sequence[str]) -> int:
    """Answer one command; its exit code."""
    words = [one for one in arguments if not one.startswith("-")]
    options = dict(one.partition("=")[::2] for one in arguments if one.startswith("--"))
    place = f"projects/{options.get('--project')}/zones/{options.get('--zone')}"
    if words[:3] == _GROUPS and len(words) == len([*_GROUPS, "verb", "group"]):
        lines = _about_group(words[3], f"{place}/instanceGroupManagers/{words[4]}")
    elif words[:3] == _ATTRIBUTES:
        said = [{"namespace": "clusterprint", "key": "state", "value": "ready"}]
        lines = iter([json.dumps(said) if options.get("--format") == "json" else "ready"])
    else:
        print(f"ERROR: (gcloud) not answered beside the APIs: {' '.join(arguments)}", file=sys.stderr)  # noqa: T201
        return 1
    try:
        for line in lines:
            print(line)  # noqa: T201  (a command)
    except urllib.error.HTTPError as error:
        print(f"ERROR: (gcloud) {error}", file=sys.stderr)  # noqa: T201  (a command)
        return 1
    return 0


def _about_group(verb: str, group: str) -> Iterator[str]:
    found = _ask("GET", group)
    if verb == "describe":
        yield str(found["name"])
    elif verb == "list-instances":
        for one in _ask("POST", f"{group}/listManagedInstances").get("managedInstances", []):
            yield f"{one['name']},RUNNING"
    elif verb == "wait-until":
        yield "Group is stable"


def _ask(verb: str, path: str) -> Any:
    """Ask the APIs; their server takes whole URLs without TLS as well."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({"http": os.environ[ADDRESS]}))
    url = COMPUTE.replace("https://www.", "http://compute.") + path
    with opener.open(urllib.request.Request(url, method=verb)) as answer:  # noqa: S310 - a URL of our own
        return json.load(answer)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
