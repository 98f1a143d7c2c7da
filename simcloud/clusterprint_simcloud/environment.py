"""An environment in which Terraform meets nothing of the caller's, and no real cloud."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

from clusterprint_simcloud.cloud.contents import CLOUD_VARIABLE

# Nothing of the caller's own set-up may leak into a simulated run, nor may a simulated run leak out.
_DROPPED = (
    "TF_",
    "GOOGLE_",
    "GCLOUD_",
    "CLOUDSDK_",
    "STORAGE_EMULATOR_HOST",
    "ARM_",
    "AZURE_",
    "KUBE_",
    "KUBECONFIG",
)
_QUIET = {
    "CHECKPOINT_DISABLE": "1",
    "TF_IN_AUTOMATION": "1",
    "TF_INPUT": "0",
    "GOOGLE_OAUTH_ACCESS_TOKEN": "simulated",
    # For the cdktf CLI: without the first, simulated providers would land in the user's own plug-in cache.
    "CDKTF_DISABLE_PLUGIN_CACHE_ENV": "true",
    "CDKTF_SKIP_PROVIDER_LOCK": "true",
    "CDKTF_LOG_LEVEL": "warn",
    "DISABLE_VERSION_CHECK": "1",
    "JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION": "1",
    "CI": "1",
}
# Programs of real clouds and of their clusters that scripts must not find.
_REFUSED = ("helm",)
# Stand-ins for the programs of clouds and clusters, and the one that lets time pass.
_MODULES = {
    "gcloud": "gcloud",
    "kubectl": "work.kubectl",
    "simulated-time": "work.clock",
    **{each: f"work.shells {each}" for each in ("az", "ssh", "ray")},
}
# A command of Terraform is short. To collect its garbage as often as Go would costs as much as its work;
# never to collect it costs a fifth, as all memory then comes from the system, page by page. What the caller
# says wins.
_MEMORY = {"GOGC": "800", "GOMEMLIMIT": "1GiB"}


def apart() -> dict[str, str]:
    """The caller's environment without access to real clouds, and with a quiet Terraform."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_DROPPED)}
    return {**_MEMORY, **kept, **_QUIET}


def tools(folder: Path, cloud: Path) -> dict[str, str]:
    """Programs that know a cloud, in front of all that could reach a real one; others only refuse."""
    made = folder / "tools"
    made.mkdir(parents=True, exist_ok=True)
    # A shell finds its interpreter by name where the path has blanks or is long.
    # Whoever calls one of them by its path means this cloud.
    known = f": ${{{CLOUD_VARIABLE}:={shlex.quote(str(cloud))}}}; export {CLOUD_VARIABLE}\n"
    texts = {
        name: f'{known}exec {shlex.quote(sys.executable)} -m clusterprint_simcloud.{module} "$@"'
        for name, module in _MODULES.items()
    }
    texts |= {each: f"echo the simulated cloud has no {each} >&2; exit 1" for each in _REFUSED}
    for name, text in texts.items():
        (made / name).write_text(f"#!/bin/sh\n{text}\n")
        (made / name).chmod(0o755)
    return {"PATH": os.pathsep.join((str(made), os.environ.get("PATH", os.defpath)))}
