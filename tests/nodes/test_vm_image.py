"""A machine that becomes an image, and the node that boots from it."""

import base64

from nodes.vm_machine import SETTINGS, MakeVmMachine, VmMachine

from clusterprint.nodes.vm import image_metadata
from clusterprint.plan.vm_image import ImageFilePlan, ImageSettings

BINARY = bytes(range(256)) * 3
FILES = (
    ImageFilePlan(path="/opt/site/data.bin", mode="0644", content=base64.b64encode(BINARY).decode()),
    ImageFilePlan(path="/opt/site/run me.sh", mode="0755", content=base64.b64encode(b"#!/bin/sh\n").decode()),
)
# The script finds the files of the image, and leaves something.
SCRIPT = """\
#!/bin/bash
set -e
test -x "$CLUSTERPRINT_ROOT/opt/site/run me.sh"
echo "I was here" >"$CLUSTERPRINT_ROOT/opt/made"
"""


def become_image(machine: VmMachine, wanted: ImageSettings) -> None:
    """Boot with the metadata of a machine that is to become an image, in place of a node's."""

    def hand_out(_settings: object) -> object:
        world = machine.known("google")
        # What is a single word comes from build-image.
        world["attributes"] = {**image_metadata(wanted), "enable-guest-attributes": "TRUE"}
        machine.know("google", world)
        script = machine.state / "script"
        script.write_text(world["attributes"]["startup-script"], "utf-8")
        return script

    machine.hand_out = hand_out  # type: ignore[assignment,method-assign]


def builder(vm_machine: MakeVmMachine, **changes: object) -> VmMachine:
    machine = vm_machine()
    machine.fake("apt-get")
    machine.fake("sync")
    machine.write("etc/machine-id", "0123456789abcdef\n")
    machine.write("etc/ssh/ssh_host_ed25519_key", "secret\n")
    machine.write("etc/ssh/ssh_host_ed25519_key.pub", "public\n")
    script = changes.pop("script", SCRIPT)
    settings = {each: getattr(SETTINGS, each) for each in SETTINGS.__struct_fields__}
    wanted = ImageSettings(
        settings=type(SETTINGS)(**{**settings, "startup_script": script, **changes}),
        packages=(),
        files=FILES,
    )
    become_image(machine, wanted)
    return machine


def test_it_has_the_files_and_what_the_script_left_and_is_nobody(vm_machine: MakeVmMachine) -> None:
    machine = builder(vm_machine)
    done = machine.boot()
    assert done.returncode == 0, done.stderr + machine.log()
    assert machine.guest_attributes()["state"] == "ready"
    assert list(machine.steps()) == ["image-packages", "image-files", "startup-script", "image-seal"]
    assert (machine.root / "opt/site/data.bin").read_bytes() == BINARY
    assert (machine.root / "opt/site/run me.sh").stat().st_mode & 0o777 == 0o755
    assert machine.read("opt/made") == "I was here\n"
    assert machine.read("etc/machine-id") == ""
    assert not list((machine.root / "etc/ssh").glob("ssh_host_*"))
    assert not (machine.root / "var/lib/clusterprint/image").exists()
    assert not (machine.root / "var/lib/clusterprint/startup-script").exists()


def test_a_script_that_fails_ends_it_before_it_is_sealed(vm_machine: MakeVmMachine) -> None:
    machine = builder(vm_machine, script="#!/bin/bash\necho no such package >&2\nexit 3\n")
    assert machine.boot().returncode == 1
    assert machine.guest_attributes()["state"] == "failed"
    assert machine.steps()["image-seal"] == "waiting"
    assert "no such package" in machine.guest_attributes()["status"]


def test_a_node_that_boots_from_it_has_nothing_left_of_the_build(vm_machine: MakeVmMachine) -> None:
    machine = builder(vm_machine)
    machine.boot()
    del machine.hand_out  # a node's metadata from now on
    done = machine.boot(startup_script="#!/bin/bash\ntrue\n")
    assert done.returncode == 0, machine.log()
    assert list(machine.steps()) == ["startup-script"]
    assert machine.read("opt/made") == "I was here\n"
    left = {each.name for each in (machine.root / "etc/clusterprint").iterdir()}
    assert not {each for each in left if each.startswith("image")}
