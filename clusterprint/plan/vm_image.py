"""Images that nodes of kind vm boot from and that are built for them."""

from clusterprint.plan.part import PlanPart
from clusterprint.plan.vm_nodes import NodeSettings


class ImageFilePlan(PlanPart, frozen=True, kw_only=True):
    """A file of an image: where it lands, and its content in base64."""

    path: str
    mode: str
    content: str


class ImageSettings(PlanPart, frozen=True, kw_only=True):
    """The settings of the machine that becomes an image.

    `settings` are as those of the nodes, less all that only a node has. `packages` are lists of packages of
    others, by their names, that nodes install by themselves. The user's script is the start-up script.
    """

    settings: NodeSettings
    packages: tuple[str, ...]
    files: tuple[ImageFilePlan, ...]


class NodeImagePlan(PlanPart, frozen=True, kw_only=True):
    """An image, and how it is built.

    Its name says of what it is made, so what is built anew has another one; its family is that of all before
    it, and after. Terraform builds it by running `script`, which lies beside the stack with `files`, with
    `environment`. `network` is the key of the network that the machine is in, empty for one that is there.
    `missing` is what to say where it is not there although it was built; `users` have `users_role` on it.
    """

    name: str
    family: str
    project: str
    script: str
    environment: dict[str, str]
    files: dict[str, str]
    network: str
    missing: str
    users: tuple[str, ...]
    users_role: str
