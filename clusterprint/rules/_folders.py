"""Folders of a Linux node that belong to the operating system."""

from pathlib import PurePosixPath

SOURCE = "Filesystem Hierarchy Standard 3.0"


def _folders(*paths: str) -> frozenset[PurePosixPath]:
    return frozenset(PurePosixPath(each) for each in paths)


# Nothing of the user's belongs here, at whatever depth.
_KEPT = _folders(
    *(
        "/bin",
        "/boot",
        "/dev",
        "/etc",
        "/lib",
        "/lib32",
        "/lib64",
        "/libx32",
        "/proc",
        "/run",
        "/sbin",
        "/sys",
    ),
    *("/usr/bin", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec", "/usr/sbin"),
    *("/var/lib", "/var/log", "/var/run"),
)

# Shared with the operating system: folders of the user's may be in here, but not in their place.
_SHARED = _folders(
    *("/", "/home", "/opt", "/root", "/usr", "/usr/include", "/usr/local", "/usr/local/bin"),
    *("/usr/local/lib", "/usr/local/sbin", "/usr/share", "/var", "/var/cache", "/var/spool"),
    *("/tmp", "/var/tmp"),  # noqa: S108 - folders of the nodes, not of this machine
)


def mount_hides_system(mount: str) -> bool:
    """Whether a mount would hide what the operating system needs."""
    path = PurePosixPath(mount)
    return path in _SHARED or path in _KEPT or not _KEPT.isdisjoint(path.parents)


def is_system_folder(path: str) -> bool:
    """Whether a path is itself one of the operating system's folders."""
    return PurePosixPath(path) in _SHARED | _KEPT


def is_virtual(path: str) -> bool:
    """Whether a path lies where no files can be kept: the kernel, or memory, shows itself there."""
    at = PurePosixPath(path)
    return not _folders("/dev", "/proc", "/run", "/sys").isdisjoint((at, *at.parents))
