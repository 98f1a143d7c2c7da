"""The process that Terraform starts in mirror mode."""

import os
from pathlib import Path

from clusterprint_simcloud.cloud.contents import CLOUD_VARIABLE, Cloud
from clusterprint_simcloud.facts import SERVED
from clusterprint_simcloud.plugin.servicer import Servicer
from clusterprint_simcloud.plugin.serving import run
from clusterprint_simcloud.providers import schema_of, served


def main(name: str, version: str) -> None:
    """Serve the provider `name`, in the version that the world asks for."""
    provider = served(name, version if name in SERVED else "")
    cloud = Cloud(Path(os.environ[CLOUD_VARIABLE]))
    # Terraform starts it where the files are that a stack names, also when nobody told the cloud so.
    with cloud.open() as contents:
        contents.runs_in(str(Path.cwd()))
    run(Servicer(provider, schema_of(provider), cloud))
