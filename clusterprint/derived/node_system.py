"""The operating system of the nodes of `kind: vm`, as far as their image tells."""

from msgspec import UNSET

from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.plan.vm_nodes import System

# Projects whose images are no Linux: the scripts would find nothing there that they need.
_UNSUITABLE = {"windows-cloud": "Windows", "windows-sql-cloud": "Windows"}

#: Where Deep Learning VM images are: those of today, and those of the cluster provisioning container.
DEEP_LEARNING_PROJECTS = ("deeplearning-platform-release", "ml-images")

#: The project of Container-Optimized OS, most of which cannot be written to.
COS_PROJECT = "cos-cloud"

#: The projects of images on which a driver can be installed: its makers sign it there.
DRIVER_PROJECTS = ("ubuntu-os-cloud", COS_PROJECT)


#: Projects of images whose packages are not Debian's, for what is published for apt only.
WITHOUT_APT = (
    "centos-cloud",
    "cloud-hpc-image-public",
    "opensuse-cloud",
    "rhel-cloud",
    "rocky-linux-accelerator-cloud",
    "rocky-linux-cloud",
    "suse-cloud",
)


def unsuitable(group: VmNodes) -> str:
    """The operating system of a group, if our scripts do not run on it; else empty."""
    return "" if group.image is UNSET else _UNSUITABLE.get(group.image.project, "")


def system(group: VmNodes) -> System:
    """Which Linux the scripts find on the machines of a group."""
    return "cos" if group.image is not UNSET and group.image.project == COS_PROJECT else "linux"


def has_signed_driver(group: VmNodes) -> bool:
    """Whether secure boot lets the kernel load the GPU driver: that of COS, or one installed on Ubuntu."""
    if system(group) == "cos":
        return True
    return group.driver is not UNSET and group.image is not UNSET and group.image.project in DRIVER_PROJECTS


def takes_packages(group: VmNodes) -> bool:
    """Whether anything can be installed on the machines of a group."""
    return not unsuitable(group) and system(group) != "cos"


def lacks_apt(group: VmNodes) -> bool:
    """Whether the image of a group has other packages than those of Debian."""
    return group.image is not UNSET and group.image.project in WITHOUT_APT
