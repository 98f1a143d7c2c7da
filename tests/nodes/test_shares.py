"""Shares are mounted at every boot, with no secret on disk."""

import msgspec
import pytest
from nodes.cloud_init import read
from nodes.machine import Machine, MakeMachine
from nodes.settings import ACCOUNT, BLOB, NFS, NODE_IDENTITY, SETTINGS, SMB

from clusterprint.nodes.vmss import custom_data
from clusterprint.plan.vmss_nodes import SharePlan


def with_azure(node: Machine) -> Machine:
    node.know("azure", {"allowed": {NODE_IDENTITY: [f"POST {ACCOUNT}/listKeys"]}})
    return node


def mounts(node: Machine) -> list[str]:
    return [call.replace(str(node.root), "") for call in node.calls("mount")]


def test_each_kind_is_mounted_its_own_way(machine: MakeMachine) -> None:
    node = with_azure(machine(shares=(SMB, NFS, BLOB)))
    done = node.run("mount-shares")
    assert done.returncode == 0, done.stderr
    smb, nfs, blob = mounts(node)
    assert smb.startswith("-t cifs //acct.file.core.windows.net/sets /mnt/sets -o rw,credentials=/run/")
    assert "uid=azureuser" in smb
    assert nfs.startswith(
        "-t nfs acct.file.core.windows.net:/acct/nfs /mnt/my nfs -o ro,vers=4,minorversion=1,"
    )
    assert blob.startswith("-t nfs acct.blob.core.windows.net:/acct/blobs /mnt/blobs -o rw,vers=3,")
    assert (node.root / "mnt/my nfs").is_dir()


def test_the_key_is_handed_over_in_memory_and_nowhere_else(machine: MakeMachine) -> None:
    node = with_azure(machine(shares=(SMB, msgspec.structs.replace(SMB, share="more", mount="/mnt/more"))))
    find = 'all="$*"; file="${all##*credentials=}"; file="${file%%,*}"'
    node.fake("mount", f'{find}; cat "$file" >"$WORLD/seen"; stat -c %a "$file" >>"$WORLD/seen"')
    assert node.run("mount-shares").returncode == 0
    assert (node.state / "seen").read_text("utf-8") == "username=acct\npassword=the-key\n600\n"
    assert list((node.root / "run").iterdir()) == []
    texts = [path.read_text("utf-8") for path in node.root.rglob("*") if path.is_file()]
    assert not any("the-key" in text for text in texts)
    assert "the-key" not in (node.state / "calls").read_text("utf-8")


def test_the_key_is_deleted_when_the_mount_fails_too(machine: MakeMachine) -> None:
    node = with_azure(machine(shares=(SMB,)))
    node.fake("mount", "exit 32")
    assert node.run("mount-shares").returncode == 1
    assert list((node.root / "run").iterdir()) == []


def test_a_share_that_fails_does_not_hold_up_the_others(machine: MakeMachine) -> None:
    node = machine(shares=(SMB, NFS))
    node.know("azure", {"allowed": {NODE_IDENTITY: []}})
    done = node.run("mount-shares")
    assert done.returncode == 1
    assert "could not mount sets of acct at" in done.stderr
    assert len(mounts(node)) == 1
    assert mounts(node)[0].startswith("-t nfs")


def test_what_is_mounted_is_not_mounted_twice(machine: MakeMachine) -> None:
    node = with_azure(machine(shares=(SMB, NFS, BLOB)))
    node.run("mount-shares")
    assert node.run("mount-shares").returncode == 0
    assert len(mounts(node)) == 3


@pytest.mark.parametrize(
    ("share", "package"), [(SMB, "cifs-utils"), (NFS, "nfs-common"), (BLOB, "nfs-common")]
)
def test_the_package_that_mounts_a_share_is_installed(share: SharePlan, package: str) -> None:
    settings = msgspec.structs.replace(SETTINGS, shares=(share,))
    assert package in read(custom_data("head", settings))["packages"]
