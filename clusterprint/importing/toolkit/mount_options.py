"""Mount options of buckets: those of fstab and gcsfuse, separated by commas."""

from collections.abc import Iterator

from clusterprint import catalog
from clusterprint.derived import fuse_options
from clusterprint.importing.toolkit.module import Module

# What systemd and fstab want, and what is the case of every mount.
_USUAL = ("defaults", "_netdev", "auto", "nofail", "allow_other", "rw", "user", "implicit-dirs")


def mount_options(module: Module) -> tuple[str, ...]:
    """The options that a volume has to name; others are usual, or lost."""
    text = module.get("mount_options")
    return tuple(_named(module, str(text))) if text else ()


def _named(module: Module, text: str) -> Iterator[str]:
    for each in filter(None, (option.strip().removeprefix("--") for option in text.split(","))):
        name, value = fuse_options.read(each)
        plain = name.replace("_", "-")
        known = catalog.fuse_option(plain)
        if name in _USUAL or (plain in _USUAL and value in ("", "true")):
            continue
        if known and known.takes(value):
            yield f"{plain}={value}" if value else plain
        else:
            module.lost("mount_options", f"{each} is not an option of volumes")
