"""`gcloud container clusters get-credentials`: a kubeconfig of this cloud's folder, and no other."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from clusterprint_simcloud.cloud.contents import CLOUD_VARIABLE, Cloud

_WORDS = ["clusters", "get-credentials"]


def answer(words: Sequence[str], options: Mapping[str, str]) -> int:
    """Write the context of a cluster; returns the exit code."""
    if list(words[:2]) != _WORDS or len(words) != len([*_WORDS, "NAME"]):
        return _refuse(f"the simulated gcloud does not know: container {' '.join(words)}")
    folder = Path(os.environ[CLOUD_VARIABLE])
    project = options.get("--project", "")
    location = options.get("--location") or options.get("--region") or options.get("--zone", "")
    identity = f"projects/{project}/locations/{location}/clusters/{words[2]}"
    found = Cloud(folder).get("google_container_cluster", identity)
    if found is None:
        return _refuse(f"ResponseError: code=404, message=Not found: {identity}.")
    context, tools = f"gke_{project}_{location}_{words[2]}", folder.parent / "tools"
    server = f"https://{found.state.get('endpoint') or 'simulated'}"
    document = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": context,
        "contexts": [{"name": context, "context": {"cluster": context, "user": context}}],
        "clusters": [{"name": context, "cluster": {"server": server}}],
        "users": [{"name": context, "user": {"token": "simulated"}}],
    }
    file = folder.parent / "kubeconfig"
    file.write_text(json.dumps(document, indent=2) + "\n", "utf-8")
    print(  # noqa: T201  (a command)
        f"simulated: wrote {file}; your own kubeconfig is unchanged. Nothing serves {server}: use "
        f"the kubectl of the simulated cloud, {tools / 'kubectl'} --context={context} get nodes"
    )
    return 0


def _refuse(text: str) -> int:
    print(f"ERROR: (gcloud.container) {text}", file=sys.stderr)  # noqa: T201  (a command)
    return 1
