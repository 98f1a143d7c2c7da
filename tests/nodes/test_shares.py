"""Shares are mounted at every boot, with no secret on disk."""

import msgspec
import pytest
from nodes.cloud_init import read
from nodes.machine import Machine, MakeMachine
from nodes.settings import ACCOUNT, BLOB, LUSTRE, LUSTRE_ID, NFS, NODE_IDENTITY, SETTINGS, SMB

from clusterprint.nodes.vmss import custom_data
from clusterprint.plan.vmss_nodes import SharePlan


def with_azure(node: Machine) -> Machine:
    node.know("azure", {"allowed": {NODE_IDENTITY: [f"POST {ACCOUNT}/listKeys"]}})
    return node


def mounts(node: Machine) -> list[str]:
    return [call.replace(str(node.root), "") for call in node.calls("mount")]


def test_each_kind_is_mounted_its_own_way(machine: MakeMachine) -> None:
    node = with_azure(machine(shares=(SMB, NFS, BLOB)))
    node.fake("mount.aznfs")
    done = node.run("mount-shares")
    assert done.returncode == 0, done.stderr
    smb, nfs, blob = mounts(node)
    assert smb.startswith("-t cifs //acct.file.core.windows.net/sets /mnt/sets -o rw,credentials=/run/")
    assert "uid=azureuser" in smb
    assert nfs.startswith(
        "-t nfs acct.file.core.windows.net:/acct/nfs /mnt/my nfs -o ro,vers=4,minorversion=1,"
    )
    assert blob.startswith("-t aznfs acct.blob.core.windows.net:/acct/blobs /mnt/blobs -o rw,vers=3,")
    assert node.calls("apt-get") == []
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


def owned_by(node: Machine, uid: int) -> Machine:
    node.fake("stat", f"printf '{uid}\\n'")
    return node


def given_away(node: Machine) -> list[str]:
    return [call.replace(str(node.root), "") for call in node.calls("chown")]


def test_the_root_of_a_new_nfs_share_goes_to_the_user(machine: MakeMachine) -> None:
    node = owned_by(machine(shares=(BLOB,)), 0)
    assert node.run("mount-shares").returncode == 0
    assert given_away(node) == ["azureuser:azureuser /mnt/blobs"]


@pytest.mark.parametrize(
    "share",
    [
        pytest.param(NFS, id="read only"),
        pytest.param(SMB, id="the mount says whose it is"),
        pytest.param(msgspec.structs.replace(BLOB, created=False), id="somebody else's"),
    ],
)
def test_no_other_share_changes_its_owner(machine: MakeMachine, share: SharePlan) -> None:
    node = owned_by(with_azure(machine(shares=(share,))), 0)
    assert node.run("mount-shares").returncode == 0
    assert given_away(node) == []


def test_a_root_that_belongs_to_somebody_stays_theirs(machine: MakeMachine) -> None:
    node = owned_by(machine(shares=(BLOB,)), 1001)
    assert node.run("mount-shares").returncode == 0
    assert given_away(node) == []


def test_a_root_that_stays_with_root_does_not_unmount_anything(machine: MakeMachine) -> None:
    node = owned_by(machine(shares=(BLOB,)), 0)
    node.fake("chown", "exit 1")
    done = node.run("mount-shares")
    assert done.returncode == 0
    assert "could not change the owner of /mnt/blobs: azureuser cannot write to it" in done.stderr


def test_the_head_can_fill_what_nodes_only_read(machine: MakeMachine) -> None:
    """A share that the cluster makes lets in nobody else."""
    options = {role: mounts_of(machine(role, shares=(NFS,))) for role in ("head", "node")}
    assert " -o rw," in options["head"]
    assert " -o ro," in options["node"]
    theirs = msgspec.structs.replace(NFS, created=False)
    assert " -o ro," in mounts_of(machine("head", shares=(theirs,)))


def mounts_of(machine: Machine) -> str:
    assert machine.run("mount-shares").returncode == 0
    return mounts(machine)[0]


def with_lustre(node: Machine) -> Machine:
    """A machine whose image has the client, and an Azure that knows where the file system is."""
    node.fake("mount.lustre")
    known = {"properties": {"clientInfo": {"mgsAddress": "10.0.128.4"}}}
    node.know("azure", {"allowed": {NODE_IDENTITY: [f"GET {LUSTRE_ID}"]}, "get": {LUSTRE_ID: known}})
    return node


def test_lustre_is_mounted_from_where_azure_says_it_is(machine: MakeMachine) -> None:
    node = owned_by(with_lustre(machine(shares=(LUSTRE,))), 0)
    done = node.run("mount-shares")
    assert done.returncode == 0, done.stderr
    assert mounts(node) == [
        "-t lustre 10.0.128.4@tcp:/lustrefs /scratch -o rw,noatime,flock,_netdev",
    ]
    assert given_away(node) == ["azureuser:azureuser /scratch"]


def test_a_lustre_that_exists_is_mounted_without_asking_azure(machine: MakeMachine) -> None:
    theirs = msgspec.structs.replace(LUSTRE, server="10.9.0.4", resource_id="", read_only=True, created=False)
    node = machine(shares=(theirs,))
    node.fake("mount.lustre")
    assert node.run("mount-shares").returncode == 0
    assert mounts(node) == ["-t lustre 10.9.0.4@tcp:/lustrefs /scratch -o ro,noatime,flock,_netdev"]


def test_a_lustre_whose_address_nobody_says_is_named_in_the_log(machine: MakeMachine) -> None:
    node = with_lustre(machine(shares=(LUSTRE,)))
    node.know("azure", {"allowed": {NODE_IDENTITY: []}})
    done = node.run("mount-shares")
    assert done.returncode == 1
    assert f"could not mount lustrefs of {LUSTRE_ID} at" in done.stderr


def without_client(node: Machine, packages: dict[str, str]) -> Machine:
    """A machine whose image lacks the client; `packages` are Microsoft's, name and kernel."""
    node.write("etc/os-release", "ID=ubuntu\nVERSION_ID=24.04\nVERSION_CODENAME=noble\n")
    node.fake("uname", "[[ $1 == -r ]] && echo 6.8.0-1050-azure || echo x86_64")
    names = " ".join(packages)
    madison = "".join(f"{name}) echo ' {name} | {kernel} | repo';; " for name, kernel in packages.items())
    node.fake(
        "apt-cache",
        f'case "$1" in pkgnames) printf "%s\\n" {names};; madison) case "$2" in {madison} esac;; esac',
    )
    node.fake("curl", 'while (($#)); do [[ $1 != --output ]] || printf keys >"$2"; shift; done')
    node.fake("gpg", '[[ " $* " != *" --export "* ]] || printf key')
    node.fake("apt-get", f'[[ " $* " != *" install "* ]] || : >"{node.bin}/mount.lustre"')
    return node


def test_the_client_for_this_kernel_is_installed_in_its_newest_version(machine: MakeMachine) -> None:
    kernel = "6.8.0-1050-azure"
    packages = {
        "amlfs-lustre-client-2.16.1-14-gbc76088": kernel,
        "amlfs-lustre-client-2.17.0-24-gf517bc4": kernel,
        "amlfs-lustre-client-2.18.0-1-gaaaaaaa": "6.8.0-1051-azure",
    }
    node = without_client(machine(shares=(LUSTRE,)), packages)
    node.fake("modprobe")
    node.run("install-lustre")
    installed = [call for call in node.calls("apt-get") if " install " in call]
    assert installed[-1].endswith(f"install amlfs-lustre-client-2.17.0-24-gf517bc4={kernel}")
    source = (node.root / "etc/apt/sources.list.d/clusterprint-amlfs.list").read_text("utf-8")
    assert source.endswith("https://packages.microsoft.com/repos/amlfs-noble/ noble main\n")


def test_a_kernel_without_a_client_is_named(machine: MakeMachine) -> None:
    node = without_client(machine(shares=(LUSTRE,)), {"amlfs-lustre-client-2.17.0-24-gf517bc4": "5.4.0"})
    done = node.run("install-lustre")
    assert done.returncode == 1
    assert "Microsoft provides no Lustre client for this kernel (6.8.0-1050-azure)" in done.stderr


def without_helper(machine: MakeMachine) -> Machine:
    """A machine whose image lacks what follows the servers of blobs."""
    node = without_client(machine(shares=(BLOB,)), {})
    node.fake("mount")
    return node


def test_the_helper_for_blobs_is_installed_where_an_image_lacks_it(machine: MakeMachine) -> None:
    node = without_helper(machine)
    node.fake("apt-get", f'[[ " $* " != *" install "*aznfs* ]] || : >"{node.bin}/mount.aznfs"')
    done = node.run("mount-shares")
    assert done.returncode == 0, done.stderr
    assert mounts(node)[0].startswith("-t aznfs acct.blob.core.windows.net:/acct/blobs")
    source = (node.root / "etc/apt/sources.list.d/clusterprint-aznfs.list").read_text("utf-8")
    assert source.endswith("https://packages.microsoft.com/ubuntu/24.04/prod noble main\n")


def test_blobs_are_mounted_without_the_helper_and_that_is_said(machine: MakeMachine) -> None:
    node = without_helper(machine)
    node.fake("apt-get", "exit 100")
    node.fake("sleep")
    done = node.run("mount-shares")
    assert done.returncode == 0, done.stderr
    assert "blobs is mounted without aznfs: if Azure moves its server, the folder hangs" in done.stderr
    assert mounts(node)[0].startswith("-t nfs acct.blob.core.windows.net:/acct/blobs /mnt/blobs -o rw,vers=3")
