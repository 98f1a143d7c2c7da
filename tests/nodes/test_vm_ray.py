"""Ray on nodes of kind vm: one head, whoever it is, and workers that find it."""

import json
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest
from nodes.vm_machine import BUCKET, MakeVmMachine, VmMachine

from clusterprint.derived import ports
from clusterprint.plan.vm_nodes import RayPlan

RAY = RayPlan(image="rayproject/ray:2.48.0", bucket=BUCKET, object="clusterprint/spani/ray-head", leads=True)

# It remembers how it was run; whether the container runs, the test says.
DOCKER = """
case " $* " in
*" inspect "*) [[ -e $WORLD/image ]] ;;
*" pull "*) [[ ! -e $WORLD/no-image ]] && touch "$WORLD/image" ;;
*" login "*) "$REAL/cat" >"$WORLD/password" ;;
*" ps "*) [[ ! -e $WORLD/running ]] || printf 'abc\\n' ;;
*" run "*) touch "$WORLD/running" ;;
esac
"""


class Lease:
    """The object that says who is the head, and the clock of the storage that it lies in."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "lease.json"
        now = int(time.time())
        self.file.write_text(json.dumps({"metageneration": 1, "updated": now, "now": now}))

    def read(self) -> dict[str, Any]:
        """The metadata of the object."""
        said: dict[str, Any] = json.loads(self.file.read_text())
        return said

    @property
    def head(self) -> str:
        """The name of the head, empty as long as there is none."""
        return str(self.read().get("metadata", {}).get("name", ""))

    def later(self, seconds: int) -> None:
        """Let time pass where the object is."""
        said = self.read()
        said["now"] += seconds
        self.file.write_text(json.dumps(said))


@pytest.fixture
def lease(tmp_path: Path) -> Lease:
    return Lease(tmp_path)


def node(vm_machine: MakeVmMachine, lease: Lease, name: str, number: int, **changes: object) -> VmMachine:
    made = vm_machine(**{"ray": RAY, **changes})
    made.fake("docker", DOCKER)
    made.fake("nvidia-ctk")
    made.fake("hostname", f"printf '{name}\\n'")
    made.world(**{"lease": str(lease.file), "id": str(number), "network-interfaces/0/ip": f"10.0.0.{number}"})
    return made


def role(machine: VmMachine) -> str:
    return machine.read("var/lib/clusterprint/ray.role").strip()


def started(machine: VmMachine) -> str:
    """How Ray was started last."""
    return [call for call in machine.calls("docker") if call.startswith("run ")][-1]


def starts(machine: VmMachine) -> int:
    return len([call for call in machine.calls("docker") if call.startswith("run ")])


@pytest.mark.parametrize("names", [("a-b-c-0", "z"), ("z-99", "a-0"), ("node-10", "node-9")])
def test_of_two_nodes_one_becomes_the_head_whatever_they_are_called(
    vm_machine: MakeVmMachine, lease: Lease, names: tuple[str, str]
) -> None:
    first, second = (node(vm_machine, lease, name, number) for number, name in enumerate(names, 1))
    assert first.boot().returncode == 0, first.log()
    assert second.boot().returncode == 0, second.log()
    assert (role(first), role(second)) == ("head 10.0.0.1", "worker 10.0.0.1")
    assert lease.head == names[0]
    head, dashboard = ports.RAY["gcs-server"], ports.RAY["dashboard"]
    assert f"--head --port={head} --dashboard-host=10.0.0.1 --dashboard-port={dashboard}" in started(first)
    assert f"--address=10.0.0.1:{head}" in started(second)
    assert "--head" not in started(second)


def test_who_is_slower_at_the_very_moment_is_a_worker(vm_machine: MakeVmMachine, lease: Lease) -> None:
    slower = node(vm_machine, lease, "slower", 1)
    slower.world(faster=True)
    assert slower.boot().returncode == 0
    assert role(slower) == "worker 10.0.0.9"
    assert lease.head == "faster"


def test_gpus_are_advertised_and_folders_are_there(vm_machine: MakeVmMachine, lease: Lease) -> None:
    one = node(vm_machine, lease, "one", 1)
    one.boot()
    assert " --gpus all " in started(one)
    assert " --num-gpus=8 " in started(one)
    assert " rayproject/ray:2.48.0 ray start --block " in started(one)
    none = node(vm_machine, lease, "none", 2, gpus=0)
    none.boot()
    assert "--gpus all" not in started(none)
    assert " --num-gpus=0 " in started(none)


def test_nccl_goes_past_the_processors_where_the_machine_does(
    vm_machine: MakeVmMachine, lease: Lease
) -> None:
    one = node(vm_machine, lease, "one", 1)
    one.boot()
    assert "nccl.env" not in started(one)
    one.write("var/lib/clusterprint/nccl.env", "NCCL_NET=gIB\n")
    (one.root / "dev/infiniband").mkdir(parents=True)
    one.boot()
    assert f" --env-file {one.root}/var/lib/clusterprint/nccl.env " in started(one)
    assert " --volume /usr/local/gib:/usr/local/gib:ro " in started(one)
    assert " --device /dev/infiniband " in started(one)
    # Docker refuses a network that is named twice.
    assert started(one).count("--network host") == 1


@pytest.mark.long
def test_a_node_that_joins_an_hour_later_is_a_worker(vm_machine: MakeVmMachine, lease: Lease) -> None:
    head = node(vm_machine, lease, "head", 1)
    head.boot()
    for _ in range(12):
        lease.later(300)
        assert head.run("keep-ray-head").returncode == 0
    late = node(vm_machine, lease, "a-late-one", 2)
    late.boot()
    assert role(late) == "worker 10.0.0.1"
    assert starts(head) == 1


def test_a_head_that_reboots_stays_the_head(vm_machine: MakeVmMachine, lease: Lease) -> None:
    head, worker = node(vm_machine, lease, "head", 1), node(vm_machine, lease, "worker", 2)
    head.boot()
    worker.boot()
    lease.later(300)
    assert worker.run("keep-ray-head").returncode == 0
    assert starts(worker) == 1
    assert head.boot().returncode == 0
    assert role(head) == "head 10.0.0.1"
    assert starts(head) == 2


def test_a_head_that_is_gone_has_a_successor_and_is_a_worker_when_it_is_back(
    vm_machine: MakeVmMachine, lease: Lease
) -> None:
    head, worker = node(vm_machine, lease, "head", 1), node(vm_machine, lease, "worker", 2)
    head.boot()
    worker.boot()
    lease.later(601)
    assert worker.run("keep-ray-head").returncode == 0
    assert role(worker) == "head 10.0.0.2"
    assert "--head" in started(worker)
    assert head.run("keep-ray-head").returncode == 0
    assert role(head) == "worker 10.0.0.2"
    assert "--address=10.0.0.2:6379" in started(head)


def test_a_machine_made_anew_under_the_same_name_is_another_one(
    vm_machine: MakeVmMachine, lease: Lease
) -> None:
    node(vm_machine, lease, "head", 1).boot()
    anew = node(vm_machine, lease, "head", 3)
    anew.boot()
    assert role(anew) == "worker 10.0.0.1"
    lease.later(601)
    anew.run("keep-ray-head")
    assert role(anew) == "head 10.0.0.3"


@pytest.mark.long
def test_a_head_whose_ray_does_not_run_gives_no_sign(vm_machine: MakeVmMachine, lease: Lease) -> None:
    head, worker = node(vm_machine, lease, "head", 1), node(vm_machine, lease, "worker", 2)
    head.boot()
    worker.boot()
    (head.state / "running").unlink()
    for _ in range(11):
        lease.later(60)
        head.run("keep-ray-head")
        worker.run("keep-ray-head")
    assert role(worker) == "head 10.0.0.2"


@pytest.mark.long
@pytest.mark.parametrize("jump", ["2001-01-01", "2099-01-01"])
def test_a_clock_that_jumps_makes_nobody_the_head(vm_machine: MakeVmMachine, lease: Lease, jump: str) -> None:
    head, worker = node(vm_machine, lease, "head", 1), node(vm_machine, lease, "worker", 2)
    head.boot()
    worker.fake("date", f'[[ $* != +%s ]] || set -- --date {jump} +%s\nexec {worker.bin}/date "$@"')
    worker.boot()
    lease.later(120)
    worker.run("keep-ray-head")
    assert role(worker) == "worker 10.0.0.1"
    assert lease.head == "head"


def test_heads_come_from_the_group_that_was_said(vm_machine: MakeVmMachine, lease: Lease) -> None:
    other = RayPlan(image=RAY.image, bucket=RAY.bucket, object=RAY.object, leads=False)
    worker = node(vm_machine, lease, "a", 1, ray=other)
    assert worker.boot().returncode == 0, "nobody waits for the head"
    assert starts(worker) == 0
    head = node(vm_machine, lease, "z", 2)
    head.boot()
    assert worker.run("keep-ray-head").returncode == 0
    assert role(worker) == "worker 10.0.0.2"
    lease.later(3600)
    worker.run("keep-ray-head")
    assert role(worker) == "worker 10.0.0.2"


def test_without_the_bucket_all_stays_as_it_is(vm_machine: MakeVmMachine, lease: Lease) -> None:
    head = node(vm_machine, lease, "head", 1)
    head.boot()
    head.world(down=True)
    done = head.run("keep-ray-head")
    assert done.returncode == 1
    assert "nothing was changed" in done.stderr
    assert starts(head) == 1


def test_an_image_that_cannot_be_had_is_said(vm_machine: MakeVmMachine, lease: Lease) -> None:
    one = node(vm_machine, lease, "one", 1)
    (one.state / "no-image").touch()
    assert one.boot().returncode == 1
    assert "could not pull rayproject/ray:2.48.0" in one.status()["steps"][1]["message"]
    assert starts(one) == 0


def test_googles_registry_gets_a_token_that_no_list_of_processes_shows(
    vm_machine: MakeVmMachine, lease: Lease
) -> None:
    image = "us-docker.pkg.dev/p/r/ray:1"
    one = node(vm_machine, lease, "one", 1, ray=RayPlan(image=image, bucket=BUCKET, object="o", leads=True))
    one.boot()
    assert (one.state / "password").read_text("utf-8").strip() == "t-1"
    assert "t-1" not in "".join([*one.calls("docker"), *one.calls("curl")])


def test_people_are_told_how_to_reach_it(vm_machine: MakeVmMachine, lease: Lease) -> None:
    worker, head = node(vm_machine, lease, "worker", 2), node(vm_machine, lease, "head", 1)
    head.boot()
    worker.boot()
    lease.later(7)
    said = worker.run("clusterprint-ray").stdout
    assert "head: head, 10.0.0.1; last seen 7 s ago" in said
    assert "-L 8265:10.0.0.1:8265" in said
    worker.run("clusterprint-ray", "status", "--verbose")
    assert worker.calls("docker")[-1] == "exec clusterprint-ray ray status --verbose"


IDLE = "Usage:\\n 0.0/16.0 CPU\\n 0.0/16.0 GPU\\n 0B/90.0GiB memory\\n"
BUSY = "Usage:\\n 0.0/16.0 CPU\\n 1.0/16.0 GPU\\n 0B/90.0GiB memory\\n"
JOBS = "http://10.0.0.1:8265/api/jobs/"
STOPPING = msgspec.structs.replace(RAY, autostop_seconds=600)


def uses(machine: VmMachine, usage: str, jobs: str = "[]") -> None:
    machine.fake("docker", DOCKER.replace("esac", f"*\" status \"*) printf '{usage}' ;;\nesac"))
    machine.world(pages={JOBS: jobs})


def tick(machine: VmMachine, uptime: int) -> bool:
    """Whether it shuts itself down when it looks at this time."""
    machine.write("proc/uptime", f"{uptime}.00 1.00\n")
    machine.run("keep-ray-head")
    return "poweroff" in machine.calls("systemctl")


def idle_pair(vm_machine: MakeVmMachine, lease: Lease) -> tuple[VmMachine, VmMachine]:
    head, worker = (node(vm_machine, lease, name, n, ray=STOPPING) for n, name in ((1, "a"), (2, "b")))
    for each in (head, worker):
        assert each.boot().returncode == 0, each.log()
    uses(head, IDLE)
    return head, worker


def test_without_work_the_workers_stop_and_the_head_goes_last(
    vm_machine: MakeVmMachine, lease: Lease
) -> None:
    head, worker = idle_pair(vm_machine, lease)
    assert not tick(head, 100)
    assert not tick(head, 600)
    assert not tick(worker, 600)
    assert not tick(head, 701)
    assert tick(worker, 720)
    assert not tick(head, 800)
    assert tick(head, 881)


@pytest.mark.long
def test_nodes_that_are_started_again_do_not_obey_the_word_from_before(
    vm_machine: MakeVmMachine, lease: Lease
) -> None:
    head, worker = idle_pair(vm_machine, lease)
    tick(head, 100)
    tick(head, 701)
    assert lease.read()["metadata"]["stop"]
    for each in (worker, head):
        each.boot()
        assert not tick(each, 60)
    assert not (head.root / "var/lib/clusterprint/ray.idle").read_text("utf-8").startswith("100")


@pytest.mark.long
@pytest.mark.parametrize(
    ("usage", "jobs"),
    [
        (BUSY, "[]"),
        (IDLE, '[{"status": "SUCCEEDED"}, {"status": "RUNNING"}]'),
        (IDLE, '[{"status": "PENDING"}]'),
        (IDLE, ""),
        ("no answer", "[]"),
    ],
)
def test_whoever_works_or_cannot_be_asked_keeps_the_nodes(
    vm_machine: MakeVmMachine, lease: Lease, usage: str, jobs: str
) -> None:
    head, _ = idle_pair(vm_machine, lease)
    tick(head, 100)
    uses(head, usage, jobs)
    tick(head, 690)
    uses(head, IDLE)
    assert not tick(head, 720)
    assert "stop" not in {key for key, value in lease.read()["metadata"].items() if value}


def test_without_autostop_nothing_is_asked_and_nothing_stops(vm_machine: MakeVmMachine, lease: Lease) -> None:
    head = node(vm_machine, lease, "a", 1)
    head.boot()
    uses(head, IDLE)
    assert not tick(head, 100_000)
    assert not any("8265" in call for call in head.calls("curl"))
