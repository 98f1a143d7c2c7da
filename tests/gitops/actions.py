"""Helpers of tests of the action: its runs, their results, and changes of blueprints."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from composite import Ran
from gitops.conftest import VM

SECOND = VM.replace("name: first", "name: second") + "network: {cidr: 10.64.0.0/16}\n"
BUCKET = "storage: {volumes: [{name: data, kind: bucket, bucket: first-data}]}\n"

#: Runs the action on the pull request as it is now: an event, a token, a checkout, inputs.
Review = Callable[..., Ran]


def report(ran: Ran) -> Any:
    return json.loads((Path(ran.outputs["folder"]) / "review.json").read_text("utf-8"))


def actions(ran: Ran) -> set[tuple[str, str, str]]:
    """The effects: cluster, action, type of resource."""
    return {
        (cluster["name"], change["action"], change["type"])
        for cluster in report(ran)["clusters"]
        for group in cluster["groups"]
        for change in group["changes"]
    }
