"""The metadata of a machine that becomes an image: the setup of a node, less what only a node has."""

from collections.abc import Iterator

from clusterprint.nodes import file
from clusterprint.nodes.file import File, layer
from clusterprint.nodes.vm.bundle import startup_script
from clusterprint.plan.vm_image import ImageSettings

# Where each list of packages lies.
_LAYERS = {
    "gcsfuse": "vm/buckets",
    "lustre-client": "vm/lustre",
    "nccl-gib": "vm/gib",
    "ops-agent": "vm/ops-agent",
    "nccl-tests": "vm/nccl-tests",
}
_PLACE = f"{file.FACTS}/repositories"
_CONTENT = "/var/lib/clusterprint/image"
# Lines of a file that travels in letters, as base64 writes and reads them.
_WIDTH = 76


def image_script(wanted: ImageSettings) -> str:
    """The start-up script of the machine."""
    beside = (*repositories(wanted), *_files(wanted))
    return startup_script(wanted.settings, ("vm/image", "common/packages"), beside)


def repositories(wanted: ImageSettings) -> tuple[File, ...]:
    """The lists of packages: from where, in which version."""
    return tuple(
        each for name in wanted.packages for each in layer(_LAYERS[name]) if each.path == f"{_PLACE}/{name}"
    )


def _files(wanted: ImageSettings) -> Iterator[File]:
    yield file.facts("image-packages", wanted.packages)
    yield file.facts("image-files", (f"{each.mode}\t{each.path}" for each in wanted.files))
    for number, each in enumerate(wanted.files):
        lines = [each.content[at : at + _WIDTH] for at in range(0, len(each.content), _WIDTH)]
        yield File(path=f"{_CONTENT}/{number}", text="\n".join([*lines, ""]), mode="0600")
