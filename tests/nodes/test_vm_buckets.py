"""Buckets on machines of kind vm: mounted with gcsfuse, at every boot, and again when it dies."""

from pathlib import Path

import pytest
from nodes import warm_fakes
from nodes.keys import KEYS, OTHER, WANTED
from nodes.vm_machine import MakeVmMachine, VmMachine

from clusterprint.nodes.vm import MOUNTED
from clusterprint.plan.vm_nodes import BucketMount, MountProfile, NodeSettings

KEY_URL = "https://packages.cloud.google.com/apt/doc/apt-key.gpg"


def mount(
    bucket: str = "data",
    folder: str = "/mnt/data",
    *,
    read_only: bool = False,
    profile: MountProfile = "",
    options: tuple[str, ...] = (),
) -> BucketMount:
    return BucketMount(bucket=bucket, mount=folder, read_only=read_only, profile=profile, options=options)


def gcsfuse(node: VmMachine, version: str = "3.11.2") -> None:
    node.fake(
        "gcsfuse",
        f'[[ $1 != --version ]] || {{ echo "gcsfuse version {version} (Go version go1.24.0)"; exit; }}\n'
        + warm_fakes.body("disks", 'mount "gs://${@: -2:1}" "${@: -1}"'),
    )


def node_with(vm_machine: MakeVmMachine, *mounts: BucketMount, **changes: object) -> VmMachine:
    node = vm_machine(mounts=mounts, **changes)
    gcsfuse(node)
    node.fake("df", "printf '1M-blocks\\n6000\\n'")
    return node


def mounted(node: VmMachine) -> dict[str, str]:
    return {
        source: target.removeprefix(str(node.root))
        for source, target in node.known("disks")["mounts"].items()
    }


def mounts_of(node: VmMachine) -> list[str]:
    return [call.replace(str(node.root), "") for call in node.calls("gcsfuse") if call != "--version"]


def test_metadata_say_how_a_name_with_random_digits_goes_on(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, mount("@ckpt", "/ckpt"), mount("sets", "/sets"))
    hand_out = node.hand_out

    def with_names(settings: NodeSettings) -> Path:
        script = hand_out(settings)
        world = node.known("google")
        world["attributes"][MOUNTED] = "home\t10.0.0.2:/share\nckpt\tstores-ckpt-0a1b2c3d"
        node.know("google", world)
        return script

    node.hand_out = with_names  # type: ignore[method-assign]
    done = node.boot()
    assert done.returncode == 0, node.log()
    assert mounted(node) == {"gs://stores-ckpt-0a1b2c3d": "/ckpt", "gs://sets": "/sets"}


def test_buckets_are_mounted_before_the_start_up_script(vm_machine: MakeVmMachine) -> None:
    look = '#!/bin/bash\nmountpoint "$CLUSTERPRINT_ROOT/mnt/data" && touch $WORLD/seen\n'
    node = node_with(vm_machine, mount(), mount("sets", "/srv/my-sets", read_only=True), startup_script=look)
    done = node.boot()
    assert done.returncode == 0, node.log()
    assert mounted(node) == {"gs://data": "/mnt/data", "gs://sets": "/srv/my-sets"}
    assert mounts_of(node) == [
        "--foreground --implicit-dirs -o allow_other --dir-mode 777 --file-mode 777 data /mnt/data",
        "--foreground --implicit-dirs -o allow_other --dir-mode 777 --file-mode 777 -o ro sets /srv/my-sets",
    ]
    assert (node.state / "seen").exists()
    assert node.calls("apt-get") == []


@pytest.mark.parametrize(
    ("profile", "option"),
    [
        ("training", "--profile aiml-training"),
        ("checkpoints", "--profile aiml-checkpointing"),
        ("serving", "--profile aiml-serving"),
    ],
)
def test_profiles(vm_machine: MakeVmMachine, profile: MountProfile, option: str) -> None:
    node = node_with(vm_machine, mount(profile=profile))
    node.boot()
    assert option in mounts_of(node)[0]


def test_options_come_after_the_profile_and_so_hold_against_it(vm_machine: MakeVmMachine) -> None:
    given = ("only-dir=shards", "metadata-cache-ttl-secs=60", "enable-streaming-writes=false")
    node = node_with(vm_machine, mount(profile="training", options=given), mount("plain", "/mnt/plain"))
    assert node.boot().returncode == 0, node.log()
    first, second = mounts_of(node)
    wanted = "--only-dir=shards --metadata-cache-ttl-secs=60 --enable-streaming-writes=false data /mnt/data"
    assert first.endswith(f"--profile aiml-training {wanted}")
    assert second.endswith("--file-mode 777 plain /mnt/plain")


def test_what_is_read_is_kept_on_the_local_ssds(vm_machine: MakeVmMachine) -> None:
    node = node_with(
        vm_machine,
        mount(profile="training"),
        mount("sets", "/mnt/sets"),
        mount("saves", "/mnt/saves", profile="checkpoints"),
        scratch="/mnt/scratch",
        local_ssds=1,
    )
    node.know("disks", {"disks": {"/dev/nvme0n1": {"model": "nvme_card", "content": ""}}})
    assert node.boot().returncode == 0, node.log()
    first, second, third = mounts_of(node)
    assert "--cache-dir /mnt/scratch/.gcsfuse/data --file-cache-max-size-mb 1500 " in first
    assert "--cache-dir /mnt/scratch/.gcsfuse/sets --file-cache-max-size-mb 1500 " in second
    assert "cache" not in third


def test_after_a_reboot_they_are_back_before_the_chain_begins(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, mount())
    node.boot()
    node.boot()
    assert mounted(node) == {"gs://data": "/mnt/data"}
    assert (node.state / "enabled/clusterprint-bucket@mnt-data.service").exists()
    calls = [call for call in node.calls("systemctl") if "bucket@" in call]
    assert calls[2:] == [
        "start clusterprint-bucket@mnt-data.service",  # systemd, at the boot
        "enable clusterprint-bucket@mnt-data.service",
        "start clusterprint-bucket@mnt-data.service",  # the step: it runs already
    ]


def test_a_changed_mount_is_made_anew(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, mount())
    node.boot()
    node.boot(mounts=(mount(profile="serving"),))
    assert "restart clusterprint-bucket@mnt-data.service" in node.calls("systemctl")[4:]
    assert "aiml-serving" in mounts_of(node)[-1]


def test_a_mount_that_is_no_longer_asked_for_goes(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, mount(), mount("sets", "/mnt/sets"))
    node.boot()
    node.boot(mounts=(mount(),))
    assert "disable --now clusterprint-bucket@mnt-sets.service" in node.calls("systemctl")
    assert not (node.root / "mnt/sets").exists()
    assert (node.root / "mnt/data").exists()


def test_the_last_mount_goes_as_well(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, mount())
    node.fake("umount")
    node.boot()
    assert node.boot(mounts=()).returncode == 0, node.log()
    assert node.calls("systemctl")[-4:-2] == [
        "stop clusterprint-bucket@*.service",
        "disable clusterprint-bucket@.service",
    ]
    assert not (node.root / "etc/systemd/system/clusterprint-bucket@.service").exists()


def test_nothing_is_written_to_the_boot_disk_while_the_bucket_is_away(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, mount())
    node.boot()
    assert node.calls("chattr") == [f"+i {node.root}/mnt/data"]


def test_a_folder_with_something_in_it_is_not_hidden(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, mount())
    node.write("mnt/data/thesis.tex", "years of work")
    assert node.boot().returncode == 1
    assert mounts_of(node) == []
    assert "/mnt/data is not empty" in (node.state / "units.log").read_text("utf-8")


def test_a_bucket_that_never_comes_is_a_failure_with_its_reason(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, mount())
    world = node.known("disks")
    node.know("disks", {**world, "mount_fails": True})
    node.fake("systemctl", f'bash {warm_fakes.FAKES / "systemctl.sh"} "$@" || true')
    assert node.boot().returncode == 1
    message = node.status()["steps"][0]["message"]
    assert "could not mount data at /mnt/data: Error: no permission" in message
    assert len(node.calls("sleep")) == 59


# Where the image has no gcsfuse


def without_gcsfuse(node: VmMachine, *, fingerprint: str = WANTED) -> VmMachine:
    """The tool comes with apt-get, and its repository has a key that the tests know."""
    (node.tools / "gcsfuse").rename(node.state / "gcsfuse")
    node.fake("apt-get", f'[[ $* != *gcsfuse=* ]] || "$REAL/mv" "$WORLD/gcsfuse" {node.tools}/gcsfuse')
    node.world(pages={KEY_URL: KEYS})
    node.fake("gpg", f'exec "$REAL/gpg" "${{@/35BAA0B33E9EB396F59CA838C0BA5CE6DC6315A3/{fingerprint}}}"')
    return node


def test_gcsfuse_is_installed_in_its_version_from_a_repository_with_the_right_key(
    vm_machine: MakeVmMachine,
) -> None:
    node = without_gcsfuse(node_with(vm_machine, mount()))
    assert node.boot().returncode == 0, node.log()
    assert node.calls("apt-get")[-1].endswith("install gcsfuse=3.11.2")
    assert node.read("etc/apt/sources.list.d/clusterprint-gcsfuse.list") == (
        "deb [signed-by=/etc/apt/keyrings/clusterprint-gcsfuse.gpg] "
        "https://packages.cloud.google.com/apt gcsfuse-noble main\n"
    )
    keyring = str(node.root / "etc/apt/keyrings/clusterprint-gcsfuse.gpg")
    shown = node.run_tool("gpg", "--homedir", str(node.state), "--show-keys", "--with-colons", keyring).stdout
    assert WANTED in shown
    assert OTHER not in shown, "what else lies beside the key is not trusted"
    assert mounted(node) == {"gs://data": "/mnt/data"}
    installed = len(node.calls("apt-get"))
    assert node.boot().returncode == 0
    assert len(node.calls("apt-get")) == installed


def test_another_key_installs_nothing(vm_machine: MakeVmMachine) -> None:
    node = without_gcsfuse(node_with(vm_machine, mount()), fingerprint="0" * 40)
    assert node.boot().returncode == 1
    keys = "35BAA0B33E9EB396F59CA838C0BA5CE6DC6315A3 A362B822F6DEDC652817EA46B53DC80D13EDEF05"
    assert f"could not get key {keys} from" in node.log()
    assert node.calls("apt-get") == []


def test_a_network_that_comes_late_is_waited_for(vm_machine: MakeVmMachine) -> None:
    node = without_gcsfuse(node_with(vm_machine, mount()))
    node.world(failures=3)
    assert node.boot().returncode == 0
    assert node.calls("sleep") == ["15"] * 3


def test_a_gcsfuse_from_before_profiles_is_replaced(vm_machine: MakeVmMachine) -> None:
    node = without_gcsfuse(node_with(vm_machine, mount()))
    node.fake("gcsfuse", "echo 'gcsfuse version 2.5.1 (Go version go1.23.0)'")
    assert node.boot(mounts=(mount(profile="training"),)).returncode == 0
    assert node.calls("apt-get")[-1].endswith("gcsfuse=3.11.2")


def test_an_image_of_another_kind_has_to_bring_gcsfuse(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, mount())
    node.remove("gcsfuse")
    assert node.boot().returncode == 1
    assert "use an image that includes it" in node.status()["steps"][0]["message"]
