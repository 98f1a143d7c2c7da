"""Machines that really boot: `make machines`.

    python tools/machines/boot.py           all lives
    python tools/machines/boot.py first     those with such a word in their names

Boots Debian 12 with systemd, sshd and Google's guest agent by systemd-nspawn, two nodes and later more on a
bridge of their own, in front of a metadata server, a bucket and a list of machines that this program serves.
The agent runs the start-up script that `clusterprint synth` writes for vm.yaml beside this file. Needs Linux,
root, debootstrap and systemd-container, and once the network, for the image (.cache/machines, some minutes);
the lives themselves take three minutes. Nothing else is left behind, also after Ctrl-C: all is in namespaces
that end with this program. Exit code 1 if a life fails, 3 if no machine can be booted here.
"""

import base64
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from functools import cached_property
from hashlib import md5
from pathlib import Path
from typing import Any

import msgspec

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import boot_cloud  # noqa: E402 - the checkout first, then the import
import boot_machine  # noqa: E402
import boot_scale_set  # noqa: E402
import boot_slurm  # noqa: E402
from boot_machine import expect  # noqa: E402

FAILED, UNABLE = 1, 3
NEEDED = ("debootstrap", "systemd-nspawn", "setpriv", "unshare", "nsenter", "ip", "openssl")
#: Set in the process that has its own namespaces: the folder of the machines.
INSIDE = "CLUSTERPRINT_MACHINES_INSIDE"
CACHE = ROOT / ".cache/machines"
STACK = "stacks/bench"
RUNS = "var/lib/bench-runs"
GREETING = "opt/bench/greet.sh"
BUCKET = "my-terraform-state"


class Bench:
    """Two nodes that have booted once, and what they see of the cloud."""

    def __init__(self, scratch: Path, image: Path) -> None:
        self.scratch, self.image, self.world = scratch, image, boot_cloud.World()
        certificate, key, self.trusted = boot_machine.make_network(scratch, image)
        boot_cloud.serve(self.world, certificate, key)
        self.world.switch = self.switch
        self.fill_bucket({})
        self.made = 0
        self.nodes: list[boot_machine.Machine] = []
        self.nodes = [self.machine(), self.machine()]
        self.first, self.second = self.nodes

    @cached_property
    def stack(self) -> dict[str, Any]:
        """What synth writes for the blueprint."""
        program = ROOT / ".venv/bin/clusterprint"
        boot_machine.run(program, "synth", HERE / "vm.yaml", "--out", self.scratch / "out")
        text = (self.scratch / "out" / STACK / "cdk.tf.json").read_bytes()
        resources: dict[str, Any] = msgspec.json.decode(text)["resource"]
        return resources

    def fill_bucket(self, changed: dict[str, str]) -> None:
        """Upload what Terraform uploads, some of it with another content."""
        files = self.stack["google_storage_bucket_object"]
        listed = files["files_manifest"]["content"]
        for path, old in files["files"]["for_each"].items():
            content = (self.scratch / "out" / STACK / "files" / path).read_bytes()
            content = changed[path].encode() if path in changed else content
            listed = listed.replace(
                base64.b64decode(old).hex(), md5(content, usedforsecurity=False).hexdigest()
            )
            self.world.objects[BUCKET, files["files"]["name"].replace("${each.key}", path)] = content
        self.world.objects[BUCKET, files["files_manifest"]["name"]] = listed.encode()

    def content(self, path: str) -> str:
        """A file as it is in the bucket."""
        return self.world.objects[BUCKET, f"clusterprint/bench/files/{path}"].decode()

    def switch(self, name: str, on: bool) -> None:  # noqa: FBT001 - as a switch is
        """What the group of the machines does when it is asked to."""
        machine = next(each for each in self.nodes if each.instance.name == name)
        if on:
            machine.boot()
        else:
            machine.shut_down()

    def machine(self, name: str = "") -> boot_machine.Machine:
        """A new machine, off: the next node, or one that has the name of an earlier one."""
        number, self.made = self.made, self.made + 1
        template = self.stack["google_compute_instance_template"]["template"]["metadata"]
        instance = boot_cloud.Instance(
            name or f"bench-{number}",
            str(1000 + self.made),
            f"10.0.0.{10 + self.made}",
            # As Terraform reads its escapes.
            {key: text.replace("$${", "${").replace("%%{", "%{") for key, text in template.items()},
        )
        self.world.instances[instance.address] = instance
        made = boot_machine.Machine(self.scratch, self.image, self.trusted, instance)
        addresses = {each.name: each.address for each in self.world.instances.values()}
        for each in (*self.nodes, made):
            each.resolve(addresses)
        return made


def healthy(machine: boot_machine.Machine, status: dict[str, Any], runs: int) -> None:
    """What is true of every node that is ready."""
    expect("states of steps", {step["state"] for step in status["steps"]}, {"done"})
    end = time.monotonic() + 10  # it is said after it is written
    while machine.instance.guest.get("clusterprint/state") != "ready" and time.monotonic() < end:
        time.sleep(0.2)
    expect("state in guest attributes", machine.instance.guest.get("clusterprint/state"), "ready")
    expect("runs of the user's script", len(machine.read(RUNS).split()), runs)
    boot = machine.inside("cat", "/proc/sys/kernel/random/boot_id").strip()
    expect("boot of the last run", machine.read(RUNS).split()[-1], boot)
    failed = machine.inside("systemctl", "list-units", "--failed", "--plain", "--no-legend").splitlines()
    ours = [unit for unit in failed if unit.startswith("clusterprint")]
    expect("failed units of ours", ours, [])
    halves = ("-name", ".*", "-o", "-regex", r".*/\(files\|startup-script\)\.[A-Za-z0-9]\{6\}")
    found = machine.inside("find", "/opt/bench", "/etc/clusterprint", "/var/lib/clusterprint", *halves)
    expect("files that were half written", found.split(), [])


def first_boot(bench: Bench) -> None:
    """Both nodes become ready."""
    for each in (bench.first, bench.second):
        each.boot()
    for each in (bench.first, bench.second):
        healthy(each, each.wait(), runs=1)


def reboot(bench: Bench) -> None:
    """The script runs once more, and the machine is known by the same key."""
    machine = bench.first
    before, key = machine.status()["boot"], machine.read("etc/ssh/ssh_host_ed25519_key.pub")
    runs = len(machine.read(RUNS).split())
    machine.shut_down()
    machine.boot()
    healthy(machine, machine.wait(other_than=before), runs + 1)
    expect("host key", machine.read("etc/ssh/ssh_host_ed25519_key.pub"), key)


def _cut(bench: Bench, step: str, hold: str) -> None:
    """Cut the power while a step waits for an answer; the next boot is ready."""
    machine = bench.first
    before, runs = machine.status()["boot"], len(machine.read(RUNS).split())
    machine.shut_down()
    if step == "files":
        # Something has to be fetched.
        bench.fill_bucket({GREETING: f"#!/bin/bash\necho {time.time()}\n"})
    bench.world.held.clear()
    bench.world.hold = hold
    try:
        machine.boot()
        if not bench.world.held.wait(60):
            raise RuntimeError(f"the step {step} asked for nothing within a minute")
        time.sleep(0.5)
        states = {each["name"]: each["state"] for each in machine.status()["steps"]}
        expect(f"state of {step}", states[step], "running")
        cut = machine.status()["boot"]
        machine.cut_power()
    finally:
        bench.world.hold = ""
    expect("another boot", cut != before, wanted=True)
    machine.boot()
    healthy(machine, machine.wait(other_than=cut), runs + 1)
    expect("the file of the bucket", machine.read(GREETING), bench.content(GREETING))


def power_cut_in_files(bench: Bench) -> None:
    """While a file of the bucket comes."""
    _cut(bench, "files", "greet.sh")


def power_cut_in_hosts(bench: Bench) -> None:
    """While Compute Engine is asked for the nodes."""
    _cut(bench, "hosts", "aggregated/instances")


def power_cut_in_startup_script(bench: Bench) -> None:
    """While the user's script comes: it has not run in that boot."""
    _cut(bench, "startup-script", "clusterprint-startup-script")


def bucket_away(bench: Bench) -> None:
    """Google's services do not answer at first: the setup waits for them."""
    machine = bench.first
    before, runs = machine.status()["boot"], len(machine.read(RUNS).split())
    machine.shut_down()
    bench.world.down = True
    try:
        machine.boot()
        machine.wait("running", other_than=before)
        time.sleep(5)
    finally:
        bench.world.down = False
    healthy(machine, machine.wait(other_than=before), runs + 1)
    # On the other node the timer of every minute may have met the same; what it starts next is well again.
    bench.second.inside("systemctl", "start", "clusterprint-hosts.service")


def changed_file(bench: Bench) -> None:
    """It reaches a node that runs by what its timer starts; the script does not run again."""
    runs = len(bench.second.read(RUNS).split())
    bench.fill_bucket({GREETING: "#!/bin/bash\necho changed\n"})
    bench.second.inside("systemctl", "is-active", "clusterprint-files.timer")
    bench.second.inside("systemctl", "start", "clusterprint-files.service")
    expect("the file on a node that runs", bench.second.inside("/opt/bench/greet.sh").strip(), "changed")
    healthy(bench.second, bench.second.wait(), runs)


def added_node(bench: Bench) -> None:
    """A third one: all know all."""
    third = bench.machine()
    third.boot()
    healthy(third, third.wait(), runs=1)
    bench.nodes.append(third)
    know_each_other(bench)


def replaced_node(bench: Bench) -> None:
    """One that has the name of the second, and another key: the others know the new one, not the old one."""
    old = bench.nodes[1]
    old.cut_power()
    new = bench.machine(old.instance.name)
    new.boot()
    healthy(new, new.wait(), runs=1)
    bench.nodes[1] = new
    know_each_other(bench)


def know_each_other(bench: Bench) -> None:
    """Each node lists all that run, with their keys, and nobody else."""
    for each in bench.nodes:
        each.inside("/usr/local/bin/update-hosts")
    for each in bench.nodes:
        rows = [line.split() for line in each.read("var/lib/clusterprint/nodes").splitlines()]
        found = {(row[0], row[1], row[-1]) for row in rows}
        wanted = {
            (
                node.instance.name,
                node.instance.address,
                node.read("etc/ssh/ssh_host_ed25519_key.pub").split()[1],
            )
            for node in bench.nodes
        }
        expect(f"nodes that {each.instance.name} knows", found, wanted)


LIVES: list[Callable[[Bench], None]] = [
    first_boot,
    know_each_other,
    reboot,
    power_cut_in_files,
    power_cut_in_hosts,
    power_cut_in_startup_script,
    bucket_away,
    changed_file,
    added_node,
    replaced_node,
]


def _lives(bench: Bench, words: Sequence[str]) -> list[tuple[str, str, str]]:
    """Live the chosen ones; the first boot is where all others begin."""
    rows = []
    lives = [*LIVES, *boot_slurm.LIVES, *boot_scale_set.LIVES]
    chosen = [
        each for each in lives if each is first_boot or not words or any(w in each.__name__ for w in words)
    ]
    for each in chosen:
        began, outcome = time.monotonic(), "ok"
        try:
            each(bench)
        except Exception as problem:  # noqa: BLE001 - the table says it, and the next life is tried
            traceback.print_exc()
            outcome = f"FAILED: {str(problem).splitlines()[0]}"
        rows.append((each.__name__.replace("_", " "), f"{time.monotonic() - began:.0f} s", outcome))
        print(f"{rows[-1][0]:32}{rows[-1][1]:>6}  {outcome}", flush=True)
        if each is first_boot and outcome != "ok":
            break
    return rows


def live(words: Sequence[str]) -> int:
    """Live the lives in their order, and print the table."""
    folder = os.environ[INSIDE]
    # Where machines are, and where systemd-nspawn notes something about them: both go with the namespace.
    Path("/run/systemd/nspawn").mkdir(parents=True, exist_ok=True)
    for place in (folder, "/run/systemd/nspawn"):
        boot_machine.run("mount", "-t", "tmpfs", "machines", place)
    rows = _lives(Bench(Path(folder), boot_machine.image_in(CACHE)), words)
    failed = [row for row in rows if row[2] != "ok"]
    print(f"\n{len(rows) - len(failed)} of {len(rows)} lives as they should be")
    return FAILED if failed else 0


def main(words: Sequence[str]) -> int:
    """Begin again in namespaces of our own, and live; the exit code."""
    if os.environ.get(INSIDE):
        return live(words)
    missing = [name for name in NEEDED if not shutil.which(name)]
    if os.geteuid() != 0 or missing:
        why = f"not found: {', '.join(missing)}" if missing else "this takes root"
        print(f"NO MACHINE WAS BOOTED: {why} (needs root, debootstrap, systemd-container)", file=sys.stderr)
        return UNABLE
    boot_machine.make_image(CACHE)  # here: inside, there is no other network than that of the machines
    # Whatever ends this process, also what it cannot catch, ends the namespaces and all in them.
    own = (
        "setpriv",
        "--pdeathsig",
        "KILL",
        "unshare",
        "--mount",
        "--net",
        "--pid",
        "--fork",
        "--kill-child",
        "--mount-proc",
    )
    command = [*own, sys.executable, __file__, *words]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    with tempfile.TemporaryDirectory(prefix="machines-") as folder:
        try:
            return subprocess.run(command, env={**os.environ, INSIDE: folder}, check=False).returncode
        finally:
            time.sleep(0.5)  # until the last process is gone
            groups = ("-depth", "-type", "d", "-path", "*/clusterprint-bench-*", "-exec", "rmdir", "{}", ";")
            subprocess.run(["find", "/sys/fs/cgroup", *groups], check=False, stderr=subprocess.DEVNULL)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
