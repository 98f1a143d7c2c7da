"""Other steps of the first boot: unwanted secure boot, users of Docker, old names."""

import pytest
from nodes.machine import Machine, MakeMachine
from support import ROOT

VARIABLE = "sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"


def booted(node: Machine, last_byte: int) -> Machine:
    """A node whose firmware says whether it checks signatures: in the last of its bytes."""
    place = node.write(VARIABLE, "")
    place.write_bytes(b"\x06\0\0\0" + bytes([last_byte]))
    return node


def test_secure_boot_that_nobody_asked_for_is_said(machine: MakeMachine) -> None:
    done = booted(machine(), 1).run("check-secure-boot")
    assert done.returncode == 1
    assert "the blueprint says security_type: standard" in done.stderr
    assert (
        "az feature unregister --namespace Microsoft.Compute --name TrustedLaunchByDefaultPreview"
        in done.stderr
    )


def test_the_first_boot_does_not_pass_over_it(machine: MakeMachine) -> None:
    node = booted(machine(), 1)
    assert node.run("provision").returncode == 1
    assert "check-secure-boot" in node.read("var/lib/clusterprint/provisioned")


@pytest.mark.parametrize(
    ("security_type", "last_byte"), [("standard", 0), ("trusted_launch", 1), ("trusted_launch", 0)]
)
def test_what_was_asked_for_is_fine(machine: MakeMachine, security_type: str, last_byte: int) -> None:
    assert booted(machine(security_type=security_type), last_byte).run("check-secure-boot").returncode == 0


def test_firmware_that_says_nothing_is_fine(machine: MakeMachine) -> None:
    assert machine().run("check-secure-boot").returncode == 0


def test_everybody_with_a_home_may_use_docker(machine: MakeMachine) -> None:
    node = machine()
    users = "root:x:0:0::/root:/bin/bash\\nazureuser:x:1000:1000::/home/azureuser:/bin/bash\\n"
    more = "ada:x:1001:1001::/home/ada:/bin/bash\\ngone:x:1002:1002::/home/gone:/b\\nd:x:2:2::/home/:/b\\n"
    node.fake("getent", f"[[ $1 == group ]] || printf '{users}{more}'")
    (node.root / "home/ada").mkdir()
    assert node.run("share-docker").returncode == 0
    assert node.calls("usermod") == ["--append --groups docker azureuser", "--append --groups docker ada"]


def test_without_docker_there_is_no_group_to_join(machine: MakeMachine) -> None:
    node = machine()
    node.fake("getent", "[[ $1 == passwd ]]")
    assert node.run("share-docker").returncode == 0
    assert node.calls("usermod") == []


def links(machine: Machine) -> dict[str, str]:
    return {path.name: str(path.readlink()) for path in (machine.root / "opt").iterdir() if path.is_symlink()}


def test_commands_are_found_under_their_old_names(machine: MakeMachine) -> None:
    node, head = machine(), machine("head")
    for each in (node, head):
        assert each.run("link-old-names").returncode == 0
        for target in links(each).values():
            assert (each.root / target.removeprefix("/")).exists(), target
    assert links(node)["run-dcgmi.sh"] == links(node)["run-dcgmi-diag.sh"] == "/usr/local/bin/run-dcgmi-diag"
    assert links(head)["gather-file.sh"] == "/usr/local/bin/gather-files"
    assert not links(node).keys() & links(head).keys()


def test_what_is_in_opt_stays(machine: MakeMachine) -> None:
    node = machine()
    node.write("opt/node-info.sh", "mine\n")
    for _ in range(2):
        assert node.run("link-old-names").returncode == 0
    assert node.read("opt/node-info.sh") == "mine\n"
    assert "node-info.sh" not in links(node)


def test_the_table_of_old_names_is_in_the_documentation(machine: MakeMachine) -> None:
    page = (ROOT / "docs/nodes-vmss.md").read_text("utf-8")
    for each in (machine(), machine("head")):
        each.run("link-old-names")
        for old, new in links(each).items():
            assert f"| `/opt/{old}` | `{new.rpartition('/')[2]}` |" in page
