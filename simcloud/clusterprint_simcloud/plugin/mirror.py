"""A folder that Terraform takes for a provider mirror, with launchers in place of provider binaries."""

import os
import platform
import sys
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path

# Terraform's lock file holds a checksum of the launcher, so it never changes with the code that it starts.
_LAUNCHER = """#!{python}
from clusterprint_simcloud.plugin.spawned import main
main("{provider}", "{version}")
"""
_CONFIGURATION = """disable_checkpoint = true
provider_installation {{
  filesystem_mirror {{
    path = "{path}"
  }}
}}
"""
# The default hosts of provider addresses, Terraform's and OpenTofu's; nothing is fetched from them.
_REGISTRIES = ("registry.terraform.io", "registry.opentofu.org")
_MACHINES = {"x86_64": "amd64", "amd64": "amd64", "aarch64": "arm64", "arm64": "arm64"}


def write(folder: Path, versions: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Write the mirror, with all versions of each provider, and a CLI configuration that knows nothing else.

    Returns Terraform's environment.
    """
    target = f"{sys.platform}_{_MACHINES.get(platform.machine().lower(), platform.machine().lower())}"
    offered = [(provider, version) for provider, each in versions.items() for version in each]
    for registry, (provider, version) in product(_REGISTRIES, offered):
        home = folder / "mirror" / registry / "hashicorp" / provider / version / target
        home.mkdir(parents=True, exist_ok=True)
        launcher = home / f"terraform-provider-{provider}_v{version}"
        launcher.write_text(_LAUNCHER.format(python=sys.executable, provider=provider, version=version))
        launcher.chmod(0o755)
    configuration = folder / "mirror.tfrc"
    configuration.write_text(_CONFIGURATION.format(path=folder / "mirror"))
    # The launcher must find this very package, wherever Terraform starts it.
    root = str(Path(__file__).resolve().parents[3])
    path = os.pathsep.join([root, *filter(None, [os.environ.get("PYTHONPATH")])])
    return {"TF_CLI_CONFIG_FILE": str(configuration), "PYTHONPATH": path}
