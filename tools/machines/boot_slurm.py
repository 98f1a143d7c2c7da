"""Slurm on machines that really boot: jobs, a sick node, and a controller that goes."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from boot_machine import Machine, eventually, expect

from clusterprint.access import slurm
from clusterprint.status.jobs import ended_in, queued
from clusterprint.status.machines import OutOfService
from clusterprint.status.slurm import answered

if TYPE_CHECKING:
    from boot import Bench

_CHECK = "usr/local/bin/clusterprint-health"
_BOOTED = (
    '[Service]\nExecStart=\nExecStart=/usr/sbin/slurmd -D -s -Z -b --conf "Feature=nodes,power_saving"\n'
)
_CONFIG = "/etc/slurm/slurm.conf"
_ASK = "/usr/local/lib/clusterprint/check-for-slurm"


def slurm_runs_jobs(bench: "Bench") -> None:
    """A job over two nodes, an array, and their accounts."""
    for each in bench.nodes:
        eventually(f"Slurm on {each.instance.name}", partial(_state, bench, each), "idle")
    said = bench.first.inside("srun", "--nodes=2", "--mpi=pmix", "hostname")
    expect("nodes of a job", len(set(said.split())), 2)
    bench.first.inside("sbatch", "--wait", "--array=0-3", "--output=/dev/null", "--wrap", "sleep 1")
    eventually("states of jobs", partial(_jobs, bench), ["COMPLETED"] * 5)
    bench.first.attempt("srun", "--nodes=1", "--job-name=a|b UserId=c", "sh", "-c", "exit 3")
    for words in (slurm.accounts(3600), slurm.REMEMBERED):
        states = partial(_ended, bench, words)
        eventually("ended jobs", states, ["failed", *["succeeded"] * 5])
        jobs, more = ended_in(bench.first.inside(*words))
        last = max(jobs, key=lambda each: int(each.name.partition("_")[0]))
        nodes = more[last.name]["node_list"]
        expect("exit code", more[last.name]["exit_code"], "3:0")
        expect("where it ran", nodes in {each.instance.name for each in bench.nodes}, wanted=True)
        expect("its name", last.message.endswith(": a|b UserId=c, of root, in all"), wanted=True)
        expect("tasks of an array", {"2_0", "2_3"} <= {*more}, wanted=True)


def slurm_limits_jobs(bench: "Bench") -> None:
    """The database has the QOS of the blueprint, and a second look changes nothing; users get accounts."""
    for each in bench.nodes:
        eventually(f"Slurm on {each.instance.name}", partial(_state, bench, each), "idle")
    qos = ("sacctmgr", "--noheader", "--parsable2", "show", "qos")
    fields = "format=name,priority,gracetime,maxjobspu,maxwall,preempt"
    wanted = {
        "normal|0|00:00:00|||",
        "whole|0|00:00:00||2-00:00:00|scavenger",
        "urgent|100|00:00:00|||scavenger",
        "scavenger|0|00:00:02|1|01:30:00|",
    }
    eventually("QOS", lambda: {*bench.first.inside(*qos, fields).split()}, wanted)
    join = "/usr/local/lib/clusterprint/join-slurm"
    log = ("sacctmgr", "--noheader", "--parsable2", "list", "transactions", "format=time,action,where,info")
    bench.first.inside(join)
    before = bench.first.inside(*log)
    bench.first.inside(join)
    expect("changes of a second run", bench.first.inside(*log), before)

    bench.first.inside(
        "sacctmgr", "--immediate", "modify", "qos", "urgent", "set", "priority=7", "maxjobspu=3"
    )
    bench.first.inside("sacctmgr", "--immediate", "add", "qos", "gone", "description=clusterprint")
    bench.first.inside("useradd", "--create-home", "--shell=/bin/sh", "Ann.Lee")
    bench.first.inside(join)
    expect("QOS that a person changed", {*bench.first.inside(*qos, fields).split()}, wanted)
    as_ann = ("runuser", "-u", "Ann.Lee", "--", "sbatch", "--parsable", "--output=/dev/null", "--chdir=/tmp")
    submitted = [
        bench.first.inside(*as_ann, "--qos=scavenger", "--exclusive", "--wrap", "sleep 60").strip()
        for _ in "ab"
    ]
    eventually(
        "jobs of a user",
        lambda: _queued(bench, submitted),
        ["RUNNING None", "PENDING QOSMaxJobsPerUserLimit"],
    )
    size = f"--nodes={len(bench.nodes)}"
    bench.first.inside("timeout", "60", "srun", "--qos=urgent", size, "--exclusive", "true")
    shown = bench.first.inside("scontrol", "show", "job", submitted[0]).split()
    expect("starts of a job that yielded, but for the first", "Restarts=1" in shown, wanted=True)
    bench.first.inside("scancel", *submitted)
    for each in bench.nodes:
        eventually(f"{each.instance.name} after all jobs", partial(_state, bench, each), "idle")


def slurm_answers_commands(bench: "Bench") -> None:
    """What `submit`, `jobs` and `logs` send over SSH: a script, the queue, the output of a job."""
    said = bench.first.inside(
        "sh", "-c", "printf '#!/bin/sh\necho hello\nsleep 30\n' | sbatch --job-name='a|b'"
    )
    job = said.split()[-1]

    sweep = bench.first.inside("sbatch", "--parsable", "--hold", "--array=1-20", "--wrap", "true").strip()

    def counts() -> tuple[int, int, int]:
        state, jobs = answered(bench.first.inside("env", "TZ=UTC", "sh", "-c", slurm.STATE))
        return state.running, state.waiting, len(jobs)

    eventually("jobs that run, wait, and are listed", counts, (1, 20, 2))
    bench.first.inside("scancel", sweep)

    def row() -> tuple[str, str]:
        [found] = [each for each in queued(bench.first.inside(*slurm.QUEUE)) if each.name == job]
        return found.state, found.message.partition(",")[0]

    eventually("job in the queue", row, ("running", "a|b"))
    script = slurm.log_script(job, lines=5, follow=False)
    # A job may run for a while before its first line makes the file.
    script = f"({script}) || true"
    eventually("output of a job", lambda: bench.first.inside("sh", "-c", script).strip(), "hello")
    bench.first.inside("scancel", job)
    eventually("cancelled job", row, ("stopped", "a|b"))


def slurm_drains_a_sick_node(bench: "Bench") -> None:
    """A node that its health check finds sick gets no jobs, and gets them again once it is well."""
    machine = bench.nodes[1]
    machine.inside("install", "--mode=755", "/dev/null", f"/{_CHECK}")
    machine.write(_CHECK, "#!/bin/bash\necho 'BAD      gpus      7 GPUs, expected 8'\nexit 1\n")
    machine.attempt(_ASK)
    eventually("state of a sick node", partial(_state, bench, machine), "drained")
    seen, _ = answered(bench.first.inside("env", "TZ=UTC", "sh", "-c", slurm.STATE))
    expect("drained nodes", seen.partitions["all"]["drained"], 1)
    [reason] = seen.out_of_service
    expect(
        "reason",
        reason._replace(since=reason.since[:2]),
        OutOfService(machine.instance.name, "drained", "20", "root", "clusterprint: gpus 7 GPUs, expected 8"),
    )
    machine.inside("ln", "--symbolic", "--force", "/bin/true", f"/{_CHECK}")
    machine.inside(_ASK)
    eventually("state of a node that is well again", partial(_state, bench, machine), "idle")


def slurm_saves_power(bench: "Bench") -> None:
    """Nodes that are idle are switched off, but never the controller; a job switches one of them on."""
    others = [each for each in bench.nodes if each is not bench.first]
    for each in others:
        eventually(f"Slurm on {each.instance.name}", partial(_state, bench, each), "idle")
    for each in others:
        # The kernel of all machines booted long ago: without -b Slurm waits for a later boot.
        each.write("etc/systemd/system/slurmd.service.d/zz-bench.conf", _BOOTED)
    bench.first.inside(
        "sed", "-i", "s/SuspendTime=.*/SuspendTime=5/; s/SuspendTimeout=.*/SuspendTimeout=20/", _CONFIG
    )
    bench.first.inside("systemctl", "start", "clusterprint-slurm.service")
    for each in others:
        eventually(
            f"power of {each.instance.name}", partial(_power, bench, each), (False, "IDLE+POWERED_DOWN"), 240
        )
    expect("power of the controller", bench.first.instance.running, wanted=True)
    bench.first.inside("/usr/local/bin/update-hosts")
    bench.first.inside("systemctl", "start", "clusterprint-slurm.service")
    expect("nodes that are known", {_state(bench, each) for each in others}, {"idle~"})
    seen, _ = answered(bench.first.inside("env", "TZ=UTC", "sh", "-c", slurm.STATE))
    expect("nodes that are powered down", seen.partitions["all"]["powered_down"], len(others))

    bench.first.inside("sed", "-i", "s/SuspendTime=.*/SuspendTime=3600/", _CONFIG)
    bench.first.inside("systemctl", "start", "clusterprint-slurm.service")
    woken = others[-1]
    where = f"--nodelist={woken.instance.name}"
    eventually("Slurm after a restart", partial(_state, bench, bench.first), "idle")
    said = bench.first.inside("timeout", "300", "srun", where, "hostname")
    expect("where the job ran", said.split(), [woken.instance.name])
    expect(
        "machines that run", [each.instance.running for each in others], [False] * (len(others) - 1) + [True]
    )
    for each in others[:-1]:
        bench.first.inside("scontrol", "update", f"nodename={each.instance.name}", "state=power_up")
        eventually(
            f"{each.instance.name}, switched on by a person", partial(_state, bench, each), "idle", 240
        )


def slurm_outlives_its_controller(bench: "Bench") -> None:
    """A job goes on while the controller boots; another controller has another key, which nodes learn."""
    where, failed = f"--nodelist={bench.nodes[1].instance.name}", _jobs(bench).count("FAILED")
    bench.first.inside("sbatch", where, "--output=/dev/null", "--wrap", "sleep 15; date >/var/lib/bench-job")
    before = bench.first.status()["boot"]
    bench.first.shut_down()
    bench.first.boot()
    bench.first.wait(other_than=before)
    eventually("the job's file", lambda: bool(bench.nodes[1].read("var/lib/bench-job")), wanted=True)
    eventually("jobs that go on", lambda: {"RUNNING", "PENDING"} & set(_jobs(bench)), set())
    expect("jobs that failed", _jobs(bench).count("FAILED"), failed)

    bench.first.cut_power()
    bench.first = bench.nodes[0] = bench.machine(bench.first.instance.name)
    bench.first.boot()
    bench.first.wait()
    for each in bench.nodes:
        each.inside("/usr/local/bin/update-hosts")
    for each in bench.nodes:
        eventually(f"{each.instance.name} in the new Slurm", partial(_state, bench, each), "idle")


def _state(bench: "Bench", machine: Machine) -> str:
    """The state of a node in Slurm; empty while it has none."""
    try:
        rows = bench.first.inside("sinfo", "--noheader", "--Node", "--format=%N %T").splitlines()
    except RuntimeError:
        return ""
    return dict(row.split() for row in rows).get(machine.instance.name, "")


def _power(bench: "Bench", machine: Machine) -> tuple[bool, str]:
    """Whether a machine runs, and what Slurm says of it."""
    said = bench.first.inside("scontrol", "show", "node", machine.instance.name)
    state = next(word for word in said.split() if word.startswith("State="))
    flags = state.removeprefix("State=").split("+")
    return machine.instance.running, "+".join(each for each in flags if each != "DYNAMIC_NORM")


def _ended(bench: "Bench", words: tuple[str, ...]) -> list[str]:
    """The states of ended jobs, as `jobs list --ended` asks for them."""
    jobs, _ = ended_in(bench.first.inside(*words))
    return sorted(each.state for each in jobs)


def _queued(bench: "Bench", jobs: Sequence[str]) -> list[str]:
    """The states of jobs, and why they wait."""
    said = bench.first.inside("squeue", "--noheader", "--format=%i %T %r", f"--jobs={','.join(jobs)}")
    rows = dict(row.split(" ", 1) for row in said.splitlines())
    return [rows.get(each, "") for each in jobs]


def _jobs(bench: "Bench") -> list[str]:
    """The states of all jobs that there are accounts of."""
    words = ("--allusers", "--noheader", "--allocations", "--parsable2", "--format=State")
    return bench.first.inside("sacct", *words).split()


LIVES: tuple[Callable[["Bench"], None], ...] = (
    slurm_runs_jobs,
    slurm_limits_jobs,
    slurm_answers_commands,
    slurm_drains_a_sick_node,
    slurm_saves_power,
    slurm_outlives_its_controller,
)
