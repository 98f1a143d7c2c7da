"""Folders of a node that no mount may hide."""

import pytest

from clusterprint.rules._folders import is_system_folder, mount_hides_system

# Filesystem Hierarchy Standard 3.0, sections 3, 4 and 5: what systems do not start or work without.
NEEDED = (
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
SHARED = (
    *("/", "/home", "/opt", "/root", "/usr", "/usr/include", "/usr/local", "/usr/local/bin"),
    *("/usr/local/lib", "/usr/local/sbin", "/usr/share", "/var", "/var/cache", "/var/spool"),
    *("/tmp", "/var/tmp"),  # noqa: S108 - folders of nodes
)


@pytest.mark.parametrize("folder", NEEDED)
def test_no_mount_in_what_the_system_needs(folder: str) -> None:
    assert mount_hides_system(folder)
    assert mount_hides_system(f"{folder}/mine")
    assert is_system_folder(folder)
    assert not is_system_folder(f"{folder}/mine")


@pytest.mark.parametrize("folder", SHARED)
def test_mounts_within_what_is_shared_but_not_on_it(folder: str) -> None:
    assert mount_hides_system(folder)
    assert not mount_hides_system(f"{folder.rstrip('/')}/mine")
    assert is_system_folder(folder)


@pytest.mark.parametrize("folder", ["/mnt", "/mnt/data", "/data", "/srv", "/binaries", "/variable/lib"])
def test_mounts_elsewhere(folder: str) -> None:
    assert not mount_hides_system(folder)
    assert not is_system_folder(folder)
