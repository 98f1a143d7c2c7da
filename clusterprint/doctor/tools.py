"""The programs that a machine needs: only those that the clusters at hand are about."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Collection, Sequence
from typing import NamedTuple

from clusterprint.doctor.finding import Finding, Findings

#: What asks a program for its version takes no longer.
_SECONDS = 30
#: `check` blocks, which every stack of machines has, came with it; OpenTofu began with 1.6.
_TERRAFORM = (1, 5)

_HERE = "this machine"
_VERSION = re.compile(r"(\d+)\.(\d+)(?:\.\d+)?")


class _Tool(NamedTuple):
    name: str
    kinds: frozenset[str]
    why: str
    version: tuple[str, ...]
    fix: str


_KUBERNETES = frozenset({"gke", "ray"})
_GOOGLE = _KUBERNETES | {"vm"}

_TOOLS = (
    _Tool(
        "gcloud",
        _GOOGLE,
        "needed to wait for nodes, and to connect",
        ("version", "--format=value(core)"),
        "curl -sSL https://sdk.cloud.google.com | bash",
    ),
    _Tool(
        "kubectl",
        _KUBERNETES,
        "needed for jobs and their results",
        ("version", "--client"),
        "gcloud components install kubectl",
    ),
    _Tool(
        "gke-gcloud-auth-plugin",
        _KUBERNETES,
        "needed by kubectl to log in to GKE",
        ("--version",),
        "gcloud components install gke-gcloud-auth-plugin",
    ),
    _Tool(
        "az",
        frozenset({"vmss"}),
        "Terraform uses its login",
        ("version", "--output=tsv"),
        "pipx install azure-cli",
    ),
)


def tools(kinds: Collection[str]) -> Findings:
    """Terraform, and what clusters of these kinds need."""
    yield _terraform()
    for tool in _TOOLS:
        if tool.kinds.isdisjoint(kinds):
            continue
        if shutil.which(tool.name) is None:
            yield Finding(_HERE, tool.name, "lacks", f"{tool.name} is not installed: {tool.why}", tool.fix)
        else:
            said = _VERSION.search(_said([tool.name, *tool.version]))
            yield Finding(_HERE, tool.name, "ok", f"{tool.name} {said[0] if said else 'is installed'}")


def _terraform() -> Finding:
    install = "https://developer.hashicorp.com/terraform/install or https://opentofu.org/docs/intro/install"
    name = next((each for each in ("terraform", "tofu") if shutil.which(each)), None)
    if name is None:
        return Finding(_HERE, "terraform", "lacks", f"neither terraform nor tofu is installed: see {install}")
    title = "OpenTofu" if name == "tofu" else "Terraform"
    version = _terraform_version(_said([name, "version", "-json"]))
    number = _VERSION.match(version)
    if number is None:
        return Finding(_HERE, "terraform", "unasked", f"{name} does not say its version")
    if (int(number[1]), int(number[2])) < _TERRAFORM:
        least = ".".join(map(str, _TERRAFORM))
        message = f"{title} {version} is too old: the stacks need {least} or newer, see {install}"
        return Finding(_HERE, "terraform", "lacks", message)
    return Finding(_HERE, "terraform", "ok", f"{title} {version}")


def _terraform_version(text: str) -> str:
    try:
        said = json.loads(text)
    except ValueError:
        return ""
    return str(said.get("terraform_version", "")) if isinstance(said, dict) else ""


def _said(command: Sequence[str]) -> str:
    """The output of a program; empty if it cannot be run. Terraform asks nobody for news of itself."""
    quiet = {**os.environ, "CHECKPOINT_DISABLE": "1"}
    try:
        done = subprocess.run(
            command, capture_output=True, stdin=subprocess.DEVNULL, timeout=_SECONDS, check=False, env=quiet
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode("utf-8", "replace")
