"""The chain of steps on machines of kind vm: boots, failures, and what is said about them."""

import json
import subprocess
from pathlib import Path

import msgspec
import pytest
from nodes.vm_machine import MakeVmMachine, VmMachine

import clusterprint.nodes
from clusterprint.nodes.vm import LIMIT, RESERVED, metadata
from clusterprint.nodes.vm.image import image_script
from clusterprint.plan.slurm import SlurmPlan
from clusterprint.plan.updates import UpdatesPlan
from clusterprint.plan.vm_end import NoticePlan
from clusterprint.plan.vm_image import ImageSettings
from clusterprint.plan.vm_nodes import (
    BucketMount,
    ContainerPlan,
    HealthPlan,
    IdlePlan,
    NodeSettings,
    RayPlan,
    ReceivePlan,
    VolumeMount,
)

LAYERS = Path(clusterprint.nodes.__file__).parent
SCRIPT = '#!/bin/bash\necho "hello from the script"\necho ran >>"$WORLD/ran"\n'


def ran(machine: VmMachine) -> int:
    return (machine.state / "ran").read_text("utf-8").count("ran\n")


def test_a_first_boot_ends_ready_and_says_so(vm_machine: MakeVmMachine) -> None:
    node = vm_machine(startup_script=SCRIPT)
    done = node.boot()
    assert done.returncode == 0, done.stderr
    status = node.status()
    assert (status["state"], status["cluster"], status["group"]) == ("ready", "spani", "nodes")
    assert status["node"] == "vm-000001"
    assert status["boot"] == "boot-1"
    assert status["finished"] >= status["started"] > "2026"
    assert node.steps() == {"startup-script": "done"}
    assert json.loads(node.guest_attributes()["status"]) == status
    assert node.guest_attributes()["state"] == "ready"
    assert [state for key, state in node.known("google")["said"] if key == "state"] == ["running", "ready"]
    assert "hello from the script" in node.log()


def test_a_machine_without_wishes_is_ready(vm_machine: MakeVmMachine) -> None:
    node = vm_machine()
    assert node.boot().returncode == 0
    assert node.status()["steps"] == []
    assert node.guest_attributes()["state"] == "ready"


def test_the_start_up_script_runs_at_every_boot(vm_machine: MakeVmMachine) -> None:
    node = vm_machine(startup_script=SCRIPT)
    node.boot()
    assert node.boot().returncode == 0
    assert ran(node) == 2
    assert node.status()["boot"] == "boot-2"


def test_a_changed_start_up_script_is_the_one_that_runs(vm_machine: MakeVmMachine) -> None:
    node = vm_machine(startup_script=SCRIPT)
    node.boot()
    node.boot(startup_script="#!/bin/sh\necho another >$WORLD/another\n")
    assert ran(node) == 1
    assert (node.state / "another").exists()


def test_a_script_without_a_first_line_is_run_by_bash(vm_machine: MakeVmMachine) -> None:
    node = vm_machine(startup_script='[[ x == x ]] && echo ran >"$WORLD/ran"\n')
    assert node.boot().returncode == 0
    assert ran(node) == 1


def test_a_script_may_hold_anything(vm_machine: MakeVmMachine) -> None:
    text = "#!/bin/bash\n#file 0755 /etc/passwd\n|x\nexit\n" + "\u00e9\t\\ ' \" ${HOME}\n"
    node = vm_machine(startup_script=text)
    node.boot()
    assert node.read("var/lib/clusterprint/startup-script") == text
    assert not (node.root / "etc/passwd").exists()


def test_a_failing_script_is_a_failed_step(vm_machine: MakeVmMachine) -> None:
    node = vm_machine(startup_script='#!/bin/bash\necho one\necho "no \\"data\\" in C:\\\\" >&2\nexit 7\n')
    done = node.boot()
    assert done.returncode == 1
    assert "failed with exit status 7" in done.stderr
    assert node.guest_attributes()["state"] == "failed"
    (step,) = node.status()["steps"]
    assert (step["state"], step["exit_status"], step["message"]) == ("failed", 7, 'no "data" in C:\\')


def add_steps(node: VmMachine) -> None:
    """Two steps, of which the first can be made to fail."""
    folder = "usr/local/lib/clusterprint/steps"
    node.write(
        f"{folder}/10-first",
        "#!/bin/bash\ntest ! -e $WORLD/broken || { echo 'it is broken'; exit 3; }\n",
        0o755,
    )
    node.write(f"{folder}/20-second", "#!/bin/bash\ntouch $WORLD/second\n", 0o755)


def test_the_chain_stops_at_the_first_step_that_fails_and_goes_on_when_it_is_fixed(
    vm_machine: MakeVmMachine,
) -> None:
    node = vm_machine(startup_script=SCRIPT)
    add_steps(node)
    (node.state / "broken").touch()
    assert node.boot().returncode == 1
    assert node.steps() == {"first": "failed", "second": "waiting", "startup-script": "waiting"}
    assert node.status()["steps"][0]["message"] == "it is broken"
    assert not (node.state / "second").exists()
    assert not (node.state / "ran").exists()
    shown = node.run("clusterprint-status")
    assert shown.returncode == 1
    assert "it is broken" in shown.stdout
    assert "not run" in shown.stdout
    assert "/var/log/clusterprint/setup.log" in shown.stdout

    (node.state / "broken").unlink()
    assert node.run("run-steps").returncode == 0
    assert node.steps() == {"first": "done", "second": "done", "startup-script": "done"}
    assert node.guest_attributes()["state"] == "ready"


def test_the_status_is_shown(vm_machine: MakeVmMachine) -> None:
    node = vm_machine(startup_script=SCRIPT)
    assert node.hand_out(node.settings)
    node.boot()
    shown = node.run("clusterprint-status")
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.startswith("vm-000001 of cluster spani, nodes: ready\n")
    assert json.loads(node.run("clusterprint-status", "--json").stdout) == node.status()
    assert node.run("clusterprint-status", "--all").returncode == 64


def test_the_status_of_an_earlier_boot_is_not_taken_for_the_present_one(vm_machine: MakeVmMachine) -> None:
    node = vm_machine()
    node.boot()
    node.write("proc/sys/kernel/random/boot_id", "another\n")
    shown = node.run("clusterprint-status")
    assert shown.returncode == 2
    assert "was restarted" in shown.stderr


def test_before_the_first_boot_is_over_there_is_no_status(vm_machine: MakeVmMachine) -> None:
    node = vm_machine()
    node.boot()
    (node.root / "var/lib/clusterprint/status.json").unlink()
    assert node.run("clusterprint-status").returncode == 2


def test_the_chain_runs_once_at_a_time(vm_machine: MakeVmMachine) -> None:
    node = vm_machine(
        startup_script='#!/bin/bash\n"$CLUSTERPRINT_ROOT/usr/local/lib/clusterprint/run-steps"\n'
    )
    assert node.boot().returncode == 1
    assert "already running" in node.status()["steps"][0]["message"]
    assert node.status()["steps"][0]["exit_status"] == 2


def test_what_a_script_leaves_running_holds_up_nobody(vm_machine: MakeVmMachine) -> None:
    node = vm_machine(startup_script="#!/bin/bash\n/bin/sleep 60 &\necho $! >$WORLD/pid\n")
    try:
        assert node.boot().returncode == 0
        assert node.run("run-steps").returncode == 0
    finally:
        for pid in (node.state / "pid").read_text("utf-8").split():
            node.run_tool("kill", pid)


def test_a_clock_that_jumps_spoils_no_duration(vm_machine: MakeVmMachine) -> None:
    node = vm_machine()
    add_steps(node)
    # The clock of a machine is set by the network, an hour or years away, at any time.
    node.write(
        "usr/local/lib/clusterprint/steps/20-second",
        "#!/bin/bash\necho 50.0 1 >$CLUSTERPRINT_ROOT/proc/uptime\ntouch $WORLD/jumped\n",
        0o755,
    )
    node.fake("date", "[[ -e $WORLD/jumped ]] && echo 2001-01-01T00:00:00Z || echo 2026-11-22T00:00:00Z")
    assert node.boot().returncode == 0
    assert [step["seconds"] for step in node.status()["steps"]] == [0, 30]


def test_without_a_metadata_server_the_status_is_on_the_machine(vm_machine: MakeVmMachine) -> None:
    node = vm_machine()
    add_steps(node)
    node.world(metadata_down=True)
    done = node.boot()
    assert done.returncode == 0
    assert "could not publish" in done.stderr
    assert node.status()["state"] == "ready"


def test_a_start_up_script_that_cannot_be_had_is_a_failure(vm_machine: MakeVmMachine) -> None:
    node = vm_machine(startup_script=SCRIPT)
    node.world(metadata_down=True)
    assert node.boot().returncode == 1
    assert "could not get the start-up script" in node.status()["steps"][0]["message"]
    assert node.calls("sleep") == ["3"] * 9


def test_what_is_asked_for_no_longer_leaves_the_machine(vm_machine: MakeVmMachine) -> None:
    node = vm_machine(startup_script=SCRIPT)
    node.boot()
    node.boot(startup_script="")
    assert node.steps() == {"leave-startup-script": "done"}
    node.boot()
    assert node.steps() == {}
    assert not (node.root / "usr/local/lib/clusterprint/steps/90-startup-script").exists()


def test_a_machine_that_dies_while_it_gets_its_files_is_whole_after_the_next_boot(
    vm_machine: MakeVmMachine,
) -> None:
    node = vm_machine(startup_script=SCRIPT)
    node.fake("mv", '[[ $* == *startup-script* ]] && { kill -9 $PPID; exit; }; exec "$REAL/mv" "$@"')
    script = node.hand_out(node.settings)
    assert node.run_tool("bash", str(script)).returncode == -9
    assert (node.root / "usr/local/lib/clusterprint/steps/.90-startup-script.new").exists()
    assert not (node.root / "usr/local/lib/clusterprint/steps/90-startup-script").exists()
    node.remove("mv")
    assert node.boot().returncode == 0
    assert node.steps() == {"startup-script": "done"}
    assert list((node.root / "usr/local/lib/clusterprint/steps").glob(".*")) == []


@pytest.mark.parametrize("script", ["", SCRIPT])
def test_metadata_is_small_and_the_same_every_time(script: str, vm_machine: MakeVmMachine) -> None:
    settings = vm_machine(startup_script=script).settings
    ours = metadata(settings)
    assert ours == metadata(settings)
    assert set(ours) <= set(RESERVED)
    assert len(ours["startup-script"].encode()) < LIMIT // 2
    assert ours.get("clusterprint-startup-script", "") == script


def everything(settings: NodeSettings) -> NodeSettings:
    """All that can be asked for."""
    return msgspec.structs.replace(
        settings,
        local_ssds=2,
        scratch="/mnt/scratch",
        mounts=(BucketMount(bucket="data", mount="/mnt/data", read_only=False, profile="training"),),
        files_bucket="state",
        files_manifest="files.manifest",
        unlimited_memlock=True,
        driver="580",
        confidential_gpus=True,
        docker=True,
        startup_script=SCRIPT,
        health=HealthPlan(interfaces=2, rdma_interfaces=8),
        gpudirect="roce",
        container=ContainerPlan(image="x", args=(), env={}, ports=(), gpus=True, restart="no"),
        hosts=True,
        ssh=True,
        updates=UpdatesPlan(),
        end=NoticePlan(bucket="state", object="end"),
        mpi=True,
        nccl_tests=True,
        dcgm=True,
        ops_agent=True,
        ray=RayPlan(image="x", bucket="state", object="ray", leads=True),
        notebook_port=8888,
        volumes=tuple(
            VolumeMount(name=kind, kind=kind, mount=f"/{kind}", read_only=False, fresh=False)
            for kind in ("nfs4", "lustre")
        ),
    )


def without_comments(script: Path | str) -> str:
    """A script as bash understands it."""
    text = script if isinstance(script, str) else script.read_text("utf-8")
    command = ["bash", "-c", 'eval "read_back() {\n$1\n}" && declare -f read_back', "bash", text]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def test_comments_stay_at_home_and_nothing_else(vm_machine: MakeVmMachine) -> None:
    """A comment that is changed replaces no template, and a script means what it meant."""
    node = vm_machine()
    node.run_tool("bash", str(node.hand_out(everything(node.settings))))
    folders = (LAYERS / "common/files", LAYERS / "vm/files")
    written = {
        path.relative_to(layer): path
        for each in folders
        for layer in each.iterdir()
        if not layer.name.endswith("cos")  # another system has files of the same names
        for path in layer.rglob("*")
    }
    compared = 0
    for name, source in written.items():
        there = node.root / name
        if there.is_file() and (name.suffix == ".sh" or source.read_bytes().startswith(b"#!/bin/bash")):
            assert without_comments(there) == without_comments(source), name
            code = there.read_text("utf-8").partition("\n\n")[2]
            assert not [line for line in code.splitlines() if line.strip().startswith("# ")]
            compared += 1
    assert compared > 50


def test_steps_come_in_an_order_in_which_each_finds_what_it_needs(vm_machine: MakeVmMachine) -> None:
    node = vm_machine()
    script = node.hand_out(everything(node.settings))
    assert node.run_tool("bash", str(script)).returncode == 0
    order = [file.name[3:] for file in sorted((node.root / "usr/local/lib/clusterprint/steps").iterdir())]
    for first, then in (
        ("scratch", "docker"),
        ("driver", "docker"),
        ("driver", "confidential-gpus"),
        ("confidential-gpus", "container"),
        ("docker", "container"),
        ("scratch", "buckets"),
        ("buckets", "files"),
        ("hosts", "ssh"),
        ("mpi", "nccl-tests"),
        ("driver", "nccl-tests"),
        ("driver", "dcgm"),
        ("driver", "ops-agent"),
        ("mpi", "startup-script"),
        ("gib", "container"),
        ("health", "container"),
        ("buckets", "ray"),
        ("docker", "ray"),
        ("files", "startup-script"),
    ):
        assert order.index(first) < order.index(then)
    assert order[-1] == "startup-script"
    # What a blueprint brings itself, a start-up script above all, has room beside it.
    assert len(script.read_bytes()) < LIMIT - 118 * 1024


def test_every_step_of_the_package_is_of_use(vm_machine: MakeVmMachine) -> None:
    settings = everything(vm_machine().settings)
    receive = ReceivePlan(
        plugin="p", daemon="d", entrypoint="", arguments=(), capabilities=(), environment={}, profile=""
    )
    of_cos = msgspec.structs.replace(settings, system="cos", gpudirect="tcpx", receive=receive)
    of_h4d = msgspec.structs.replace(settings, rdma={"FI_PROVIDER": "verbs;ofi_rxm"})
    scratch = VolumeMount(name="s", kind="parallelstore", mount="/s", read_only=False, fresh=False)
    of_parallelstore = msgspec.structs.replace(settings, volumes=(scratch,))
    slurm = SlurmPlan(controller="c", address="a", accounting=False, groups=(), partitions=())
    of_slurm = msgspec.structs.replace(settings, slurm=slurm)
    of_idle = msgspec.structs.replace(settings, idle=IdlePlan(seconds=7200, stops=True))
    kinds = (settings, of_cos, of_h4d, of_parallelstore, of_slurm, of_idle)
    scripts = [metadata(each)["startup-script"] for each in kinds]
    scripts.append(image_script(ImageSettings(settings=settings, packages=(), files=())))
    used = {
        line.split()[2] for script in scripts for line in script.splitlines() if line.startswith("#file ")
    }
    folder = Path(clusterprint.nodes.__file__).parent / "vm/files"
    files = {
        f"/{file.relative_to(folder).as_posix().split('/', 1)[1]}"
        for file in folder.rglob("*")
        if file.is_file()
    }
    assert files <= used
