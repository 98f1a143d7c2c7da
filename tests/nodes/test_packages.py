"""Packages in a changed world: another kernel or key, a broken source, a version that does not install."""

import shutil

import pytest
from nodes.conftest import need
from nodes.keys import KEYS, OTHER, WANTED
from nodes.machine import MakeMachine
from nodes.settings import LUSTRE
from nodes.test_shares import without_client
from nodes.test_vm_buckets import KEY_URL, mount, node_with, without_gcsfuse
from nodes.test_vm_gpus import MODULES, SMI, bare, installed, with_dcgm
from nodes.test_vm_volumes import Node, volume
from nodes.vm_machine import MakeVmMachine, VmMachine

BROKEN = "E: The repository 'https://apt.example.com stable Release' does not have a Release file."
AWAY = "W: Failed to fetch http://archive.example.com/InRelease  Could not connect to archive.example.com:80"
GOOGLE = "35BAA0B33E9EB396F59CA838C0BA5CE6DC6315A3"
GOOGLE_2022 = "A362B822F6DEDC652817EA46B53DC80D13EDEF05"


def message(node: VmMachine) -> str:
    """What the failed step said last."""
    (said,) = [step["message"] for step in node.status()["steps"] if step["state"] == "failed"]
    return str(said)


def apt(node: VmMachine, *, update: str = "", install: str = "") -> None:
    """What apt-get does, in shell."""
    node.fake("apt-get", f'case " $* " in *" update "*) :; {update};; *" install "*) :; {install};; esac')


def test_a_broken_source_of_somebody_else_stops_no_driver(vm_machine: MakeVmMachine) -> None:
    node = bare(vm_machine)
    brings = f'"$REAL/mv" "$WORLD/nvidia-smi" {node.tools}/nvidia-smi'
    apt(node, update=f'echo "{BROKEN}" >&2; exit 100', install=brings)
    assert node.boot().returncode == 0, node.log()
    assert MODULES in installed(node)
    assert BROKEN in node.log(), "which source it is"
    assert node.calls("sleep") == [], "it is not waited for"


def test_the_last_line_of_apt_is_the_message(vm_machine: MakeVmMachine) -> None:
    node = bare(vm_machine)
    lines = "E: Unable to correct problems, you have held broken packages."
    apt(node, update="echo Hit:1 http://archive", install=f'echo "{lines}" >&2; exit 100')
    assert node.boot().returncode == 1
    assert message(node).endswith(lines)
    assert "internet" not in message(node)


def test_a_missing_package_may_be_in_a_list_that_could_not_be_read(vm_machine: MakeVmMachine) -> None:
    node = bare(vm_machine)
    apt(node, update=f'echo "{BROKEN}"; exit 100', install="echo 'E: Unable to locate package x'; exit 100")
    assert node.boot().returncode == 1
    assert "E: Unable to locate package x (of lists of packages: E: The repository" in message(node)
    assert "internet" not in message(node)


def test_the_internet_is_missing_only_if_nothing_is_reached(vm_machine: MakeVmMachine) -> None:
    node = bare(vm_machine)
    apt(node, update=f'echo "{AWAY}"', install="echo 'E: Unable to locate package x'; exit 100")
    assert node.boot().returncode == 1
    assert message(node).endswith("E: Unable to locate package x; no internet access (network.nat)?")
    apt(
        node,
        update=f'echo "Hit:1 http://a"; echo "{AWAY}"',
        install="echo 'E: Unable to locate package x'; exit 100",
    )
    assert node.boot().returncode == 1
    assert "internet" not in message(node)


def test_dnf_goes_on_without_a_broken_source(vm_machine: MakeVmMachine) -> None:
    node = vm_machine(mpi=True)
    node.fake("dnf", "echo 'Error: Unable to find a match: openmpi'; exit 1")
    assert node.boot().returncode == 1
    assert message(node).endswith("Error: Unable to find a match: openmpi"), node.log()
    assert "--setopt=*.skip_if_unavailable=1" in node.calls("dnf")[0]


@pytest.mark.parametrize(
    ("offered", "taken"), [("3.11.2 3.11.1 3.10.0", "3.11.1"), ("3.12.0 3.10.0", "3.10.0")]
)
def test_the_version_before_is_tried(vm_machine: MakeVmMachine, offered: str, taken: str) -> None:
    need("dpkg")
    node = without_gcsfuse(node_with(vm_machine, mount()))
    (node.bin / "dpkg").symlink_to(str(shutil.which("dpkg")))
    lines = "".join(
        f" gcsfuse | {each} | https://packages.cloud.google.com/apt\\n" for each in offered.split()
    )
    node.fake("apt-cache", f'[[ $1 == madison ]] && printf "{lines}"')
    brings = f'"$REAL/mv" "$WORLD/gcsfuse" {node.tools}/gcsfuse'
    apt(node, install=f'[[ $* != *gcsfuse={taken} ]] && {{ echo "E: no"; exit 100; }}; {brings}')
    assert node.boot().returncode == 0, node.log()
    assert node.calls("apt-get")[-1].endswith(f"install gcsfuse={taken}")


def test_without_an_older_version_the_first_failure_is_the_message(vm_machine: MakeVmMachine) -> None:
    need("dpkg")
    node = without_gcsfuse(node_with(vm_machine, mount()))
    (node.bin / "dpkg").symlink_to(str(shutil.which("dpkg")))
    node.fake("apt-cache", "[[ $1 == madison ]] && printf ' gcsfuse | 3.10.0 | x\\n'")
    apt(node, install='echo "E: not ${*: -1}"; exit 100')
    assert node.boot().returncode == 1
    assert message(node).endswith("E: not gcsfuse=3.11.2")


@pytest.mark.parametrize("first", [GOOGLE, GOOGLE_2022])
def test_one_of_several_keys_of_a_vendor_is_enough(vm_machine: MakeVmMachine, first: str) -> None:
    node = without_gcsfuse(node_with(vm_machine, mount()))
    node.fake("gpg", f'exec "$REAL/gpg" "${{@/{first}/{WANTED}}}"')
    assert node.boot().returncode == 0, node.log()


def test_all_keys_of_a_vendor_that_are_known_are_trusted(vm_machine: MakeVmMachine) -> None:
    node = without_gcsfuse(node_with(vm_machine, mount()))
    node.fake("gpg", f'set -- "${{@/{GOOGLE}/{WANTED}}}"; exec "$REAL/gpg" "${{@/{GOOGLE_2022}/{OTHER}}}"')
    node.world(pages={KEY_URL: KEYS})
    assert node.boot().returncode == 0, node.log()
    keyring = str(node.root / "etc/apt/keyrings/clusterprint-gcsfuse.gpg")
    shown = node.run_tool("gpg", "--homedir", str(node.state), "--show-keys", "--with-colons", keyring).stdout
    assert WANTED in shown
    assert OTHER in shown


# Another kernel


def test_the_lustre_client_comes_again_for_a_new_kernel(vm_machine: MakeVmMachine) -> None:
    node = Node(vm_machine(volumes=(volume("scratch", "lustre", "/scratch"),))).machine
    node.fake("uname", "echo 6.8.0-1024-gcp")
    assert node.boot().returncode == 0, node.log()
    assert not (node.root / "etc/apt/sources.list.d").exists()
    node.fake("uname", "echo 6.8.0-1055-gcp")
    node.fake("modprobe", "[[ -e $WORLD/client ]]")
    node.fake("gpg", f'exec "$REAL/gpg" "${{@/{GOOGLE}/{WANTED}}}"')
    node.world(pages={"https://us-apt.pkg.dev/doc/repo-signing-key.gpg": KEYS})
    apt(node, install='"$REAL/touch" "$WORLD/client"')
    assert node.boot().returncode == 0, node.log()
    assert node.calls("apt-get")[-1].endswith("lustre-client-modules-6.8.0-1055-gcp lustre-client-utils")
    assert node.boot().returncode == 0
    assert len([call for call in node.calls("apt-get") if " install " in call]) == 1


@pytest.mark.parametrize(
    ("install", "said"),
    [
        ("echo 'E: Unable to locate package {0}'; exit 100", "E: Unable to locate package {0}"),
        ("", "is installed, but this kernel (6.8.0-1055-gcp) cannot load it: see the kernel log (dmesg)"),
    ],
)
def test_a_kernel_without_the_client_of_lustre_is_named(
    vm_machine: MakeVmMachine, install: str, said: str
) -> None:
    node = Node(vm_machine(volumes=(volume("scratch", "lustre", "/scratch"),))).machine
    node.fake("uname", "echo 6.8.0-1055-gcp")
    node.fake("modprobe", "exit 1")
    node.fake("gpg", f'exec "$REAL/gpg" "${{@/{GOOGLE}/{WANTED}}}"')
    node.world(pages={"https://us-apt.pkg.dev/doc/repo-signing-key.gpg": KEYS})
    package = "lustre-client-modules-6.8.0-1055-gcp"
    apt(node, install=install.format(package) or ":")
    assert node.boot().returncode == 1
    assert said.format(package) in message(node)


def test_a_new_kernel_gets_the_modules_of_the_driver(vm_machine: MakeVmMachine) -> None:
    node = bare(vm_machine)
    assert node.boot().returncode == 0, node.log()
    node.fake("uname", "echo 6.8.0-1055-gcp")
    node.fake("apt-get")
    (node.state / "loaded").unlink()
    assert node.boot().returncode == 0, node.log()
    assert node.calls("apt-get")[-1].endswith("linux-modules-nvidia-580-server-open-6.8.0-1055-gcp")


def test_another_driver_gets_its_edition_of_dcgm(vm_machine: MakeVmMachine) -> None:
    node = with_dcgm(vm_machine, "12.8")
    assert node.boot().returncode == 0, node.log()
    node.fake("nvidia-smi", SMI.format("13.0"))
    node.fake("apt-get")
    assert node.boot().returncode == 0, node.log()
    assert node.calls("apt-get")[-1].endswith("datacenter-gpu-manager-4-cuda13=1:4.4.0-1")
    count = len(node.calls("apt-get"))
    assert node.boot().returncode == 0
    assert len(node.calls("apt-get")) == count


def test_azure_lustre_tries_the_client_before_the_newest(machine: MakeMachine) -> None:
    kernel = "6.8.0-1050-azure"
    older, newer = "amlfs-lustre-client-2.16.1-14-gbc76088", "amlfs-lustre-client-2.17.0-24-gf517bc4"
    node = without_client(machine(shares=(LUSTRE,)), {older: kernel, newer: kernel})
    node.fake("modprobe")
    node.fake("sleep")
    node.fake(
        "apt-get",
        f'[[ " $* " == *" install "* ]] || exit 0; [[ $* == *{older}* ]] || exit 100; '
        f': >"{node.bin}/mount.lustre"',
    )
    (node.bin / "mount.lustre").unlink(missing_ok=True)
    node.run("install-lustre")
    assert node.calls("apt-get")[-1].endswith(f"install {older}={kernel}")


def test_azure_lustre_says_which_list_could_not_be_read(machine: MakeMachine) -> None:
    node = without_client(machine(shares=(LUSTRE,)), {"amlfs-lustre-client-2.17.0-24-gf517bc4": "5.4.0"})
    node.fake("apt-get", f'echo "{BROKEN}"; exit 100')
    done = node.run("install-lustre")
    assert done.returncode == 1
    assert "use an image that includes it (of lists of packages: E: The repository" in done.stderr
