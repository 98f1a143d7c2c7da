"""A machine of a scale set: what cloud-init would write, in front of a small Azure."""

from pathlib import Path

from nodes import warm_fakes
from nodes.cloud_init import content, read
from nodes.machine import Machine

from clusterprint.nodes.vmss import Role, custom_data
from clusterprint.plan.vmss_nodes import NodeSettings


class AzureMachine(Machine):
    """A machine of a role."""

    def __init__(self, folder: Path, role: Role, settings: NodeSettings) -> None:
        super().__init__(folder, settings.admin_user)
        self.fake("curl", warm_fakes.body("azure"))
        for file in read(custom_data(role, settings))["write_files"]:
            self.write(file["path"].removeprefix("/"), content(file), int(file["permissions"], 8))
