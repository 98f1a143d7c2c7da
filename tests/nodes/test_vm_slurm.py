"""Slurm on nodes of kind vm: what is configured, how nodes get the key of the cluster, and sick nodes."""

import pytest
from msgspec.structs import replace
from nodes.test_vm_hosts import node_with
from nodes.vm_machine import MakeVmMachine, VmMachine

from clusterprint.plan.slurm import SlurmPartitionPlan, SlurmPlan, SlurmPowerPlan, SlurmQosPlan

PARTITION = SlurmPartitionPlan(
    name="gpu",
    groups=("gpu",),
    default=True,
    max_seconds=90,
    priority=3,
    memory_per_cpu_mib=2048,
    exclusive=True,
)
PARTITION_LINE = (
    "PartitionName=gpu Nodes=gpu Default=YES MaxTime=1:30 PriorityTier=3 DefMemPerCPU=2048 "
    "OverSubscribe=EXCLUSIVE State=UP"
)
SLURM = SlurmPlan(
    controller="spani-0",
    address="spani-0.z-a.c.p.internal",
    accounting=True,
    groups=("gpu",),
    partitions=(PARTITION,),
)
KEY = "k" * 128


def slurm_node(vm_machine: MakeVmMachine, name: str, version: str = "22.05.8") -> VmMachine:
    """A node whose image has Slurm, and whose services keep running once they are started."""
    node = node_with(vm_machine, group="gpu", ssh=True, slurm=SLURM)
    node.fake("hostname", f"printf '{name}\\n'")
    node.fake("sinfo", f"[[ $1 != --version ]] || echo 'slurm {version}'")
    for program in (
        "munged",
        "slurmd",
        "slurmctld",
        "slurmdbd",
        "mariadbd",
        "mariadb",
        "useradd",
        "scontrol",
    ):
        node.fake(program)
    node.write("etc/munge/munge.key", "", 0o400)
    node.write("dev/urandom", KEY)
    return node


def restarted(node: VmMachine) -> list[str]:
    """The services of Slurm that were started, in order."""
    calls = [call.split() for call in node.calls("systemctl")]
    return [words[1].removesuffix(".service") for words in calls if words[:1] == ["restart"]]


def test_the_controller_makes_the_key_and_runs_all_daemons(vm_machine: MakeVmMachine) -> None:
    node = slurm_node(vm_machine, "spani-0")
    assert node.boot().returncode == 0, node.log()
    config = node.read("etc/slurm/slurm.conf").splitlines()
    assert "SlurmctldHost=spani-0(spani-0.z-a.c.p.internal)" in config
    assert "AccountingStorageType=accounting_storage/slurmdbd" in config
    assert "ProctrackType=proctrack/linuxproc" in config  # there are no control groups here
    assert config[-2:] == [
        "NodeSet=gpu Feature=gpu",
        PARTITION_LINE,
    ]
    assert node.read("etc/slurm/gres.conf") == "Name=gpu File=/dev/nvidia[0-7]\n"
    assert '-Z --conf "Feature=gpu Gres=gpu:8"' in node.read(
        "etc/systemd/system/slurmd.service.d/clusterprint.conf"
    )
    assert "skip-networking" in node.read("etc/mysql/mariadb.conf.d/90-clusterprint.cnf")

    assert node.run("join-slurm").returncode == 0
    assert restarted(node)[-5:] == ["munge", "mariadb", "slurmdbd", "slurmctld", "slurmd"]
    assert node.read("etc/munge/munge.key") == KEY
    assert node.read("var/lib/clusterprint/slurm/munge.key") == KEY
    assert any("slurm@localhost IDENTIFIED VIA unix_socket" in line for line in node.calls("mariadb"))


def test_where_there_are_control_groups_jobs_are_confined(vm_machine: MakeVmMachine) -> None:
    node = slurm_node(vm_machine, "spani-0")
    node.write("sys/fs/cgroup/cgroup.controllers", "cpu\n")
    assert node.boot().returncode == 0, node.log()
    assert "TaskPlugin=task/affinity,task/cgroup\n" in node.read("etc/slurm/slurm.conf")
    assert node.read("etc/slurm/cgroup.conf").splitlines() == [
        "ConstrainCores=yes",
        "ConstrainRAMSpace=yes",
        "ConstrainDevices=yes",
    ]


@pytest.mark.parametrize(("answer", "code"), [(f"printf {KEY}", 0), ("printf half", 75), ("exit 255", 75)])
def test_other_nodes_get_the_key_by_ssh_and_wait_for_it(
    vm_machine: MakeVmMachine, answer: str, code: int
) -> None:
    node = slurm_node(vm_machine, "spani-1")
    node.fake("runuser", answer)
    assert node.boot().returncode == 0, node.log()
    done = node.run("join-slurm")
    assert done.returncode == code
    (call, *_) = node.calls("runuser")
    assert call.startswith("-u clusterprint-slurm -- ssh ")
    assert call.endswith(f"spani-0.z-a.c.p.internal cat {node.root}/var/lib/clusterprint/slurm/munge.key")
    if code:
        assert "has not given the key of the cluster yet" in done.stderr
        assert (node.read("etc/munge/munge.key"), restarted(node)) == ("", [])
        assert not [*(node.root / "var/lib/clusterprint").glob("munge.*")]
    else:
        assert node.read("etc/munge/munge.key") == KEY
        assert restarted(node)[-2:] == ["munge", "slurmd"]
        assert "slurmctld" not in restarted(node)


def test_daemons_that_run_are_left_until_what_they_read_changes(vm_machine: MakeVmMachine) -> None:
    node = slurm_node(vm_machine, "spani-1")
    node.fake("runuser", f"printf {KEY}")
    assert node.boot().returncode == 0, node.log()
    node.run("join-slurm")
    node.fake("systemctl", "exit 0")  # all is active
    before = restarted(node)
    node.run("join-slurm")
    assert restarted(node) == before
    node.fake("runuser", f"printf {KEY}{KEY}")
    node.run("join-slurm")
    assert restarted(node) == [*before, "munge", "slurmd"]


def test_packages_that_the_image_lacks_are_installed(vm_machine: MakeVmMachine) -> None:
    node = slurm_node(vm_machine, "spani-1")
    for program in ("munged", "slurmd", "slurmctld"):
        (node.tools / program).unlink()
    node.fake("apt-get")
    assert node.boot().returncode == 0, node.log()
    (call,) = [call for call in node.calls("apt-get") if " install " in call]
    assert call.endswith("install munge slurmd slurm-wlm-basic-plugins libpmix-dev")


@pytest.mark.parametrize(("version", "code"), [("21.08.5", 1), ("22.05.0", 0), ("23.11.4", 0)])
def test_an_older_slurm_is_refused(vm_machine: MakeVmMachine, version: str, code: int) -> None:
    node = slurm_node(vm_machine, "spani-0", version)
    assert node.boot().returncode == code, node.log()
    assert ("use Ubuntu 24.04, Debian 12 or newer" in node.log()) == bool(code)


@pytest.mark.parametrize(
    ("known", "told"),
    [
        ("spani-0 OWN idle", None),
        ("spani-0 10.9.9.9 idle*", "update nodename=spani-0 nodeaddr=OWN"),
        ("spani-7 10.9.9.7 down*", "delete nodename=spani-7"),
        ("spani-7 10.9.9.7 drain*", "delete nodename=spani-7"),
        ("spani-7 10.9.9.7 idle~ none", None),  # it is stopped
        ("spani-7 10.9.9.7 down# none", None),
        ("spani-7 10.9.9.7 down~ clusterprint: no such machine", "delete nodename=spani-7"),
        ("spani-7 10.9.9.7 idle", None),  # its first list of nodes may be older
    ],
)
def test_the_controller_follows_nodes_that_were_replaced_or_are_gone(
    vm_machine: MakeVmMachine, known: str, told: str | None
) -> None:
    node = slurm_node(vm_machine, "spani-0")
    assert node.boot().returncode == 0, node.log()
    own = node.read("var/lib/clusterprint/nodes").split()[1]
    node.fake("sinfo", f"echo {known.replace('OWN', own)!r}")
    node.run("join-slurm")
    calls = [call for call in node.calls("scontrol") if call != "ping"]
    assert calls == ([told.replace("OWN", own)] if told else [])


def test_a_sick_node_is_drained_and_comes_back_but_not_one_that_a_person_drained(
    vm_machine: MakeVmMachine,
) -> None:
    node = slurm_node(vm_machine, "spani-1")
    assert node.boot().returncode == 0, node.log()
    assert node.run("check-for-slurm").returncode == 0  # nobody examines this node
    check = "usr/local/bin/clusterprint-health"
    node.write(check, "#!/bin/bash\necho 'ok   gpus  8'\necho 'BAD  nvlink   2 links down'\nexit 1\n", 0o755)
    assert node.run("check-for-slurm").returncode == 1
    node.write(check, "#!/bin/bash\n", 0o755)
    for reason in ("clusterprint: nvlink 2 links down", "for Anna"):
        node.fake("sinfo", f"echo '{reason}'")
        assert node.run("check-for-slurm").returncode == 0
    assert node.calls("scontrol")[-2:] == [
        "update nodename=spani-1 state=drain reason=clusterprint: nvlink 2 links down",
        "update nodename=spani-1 state=resume",
    ]


def test_a_node_leaves_slurm_with_its_blueprint(vm_machine: MakeVmMachine) -> None:
    node = slurm_node(vm_machine, "spani-0")
    assert node.boot().returncode == 0, node.log()
    assert node.boot(slurm=None).returncode == 0, node.log()
    assert node.steps()["leave-slurm"] == "done"
    assert not [*(node.root / "etc/slurm").iterdir()]
    assert "disable --now slurmctld.service" in node.calls("systemctl")


def test_limits_are_enforced_and_the_database_is_changed_only_where_it_differs(
    vm_machine: MakeVmMachine,
) -> None:
    node = slurm_node(vm_machine, "spani-0")
    qos = [
        SlurmQosPlan(
            name=name, priority=10, max_jobs_per_user=jobs, max_seconds=93600, grace_seconds=60, preempts=low
        )
        for name, jobs, low in (("high", 0, ("low",)), ("low", 2, ()))
    ]
    assert (
        node.boot(
            slurm=replace(SLURM, qos=tuple(qos), partitions=(replace(PARTITION, qos="low"),))
        ).returncode
        == 0
    )
    config = node.read("etc/slurm/slurm.conf").splitlines()
    assert "AccountingStorageEnforce=limits,qos" in config
    assert "PreemptType=preempt/qos" in config
    assert "QOS=low State=UP" in config[-1]
    node.fake("getent", "echo ann:x:1001:1001::/home/ann:/bin/bash; echo daemon:x:1:1::/:/bin/sh")
    node.fake(
        "sacctmgr",
        'case "$*" in\n'
        "*'show qos high format=name') echo high ;;\n"
        "*'show qos high format=preempt') echo low ;;\n"
        "*'show qos low format=preempt') echo normal,old ;;\n"
        "*'show qos high format=p'*) echo '10|00:01:00||1-02:00:00|low' ;;\n"
        "*'show qos low format=p'*) echo '10|00:00:00|2|1-02:00:00|' ;;\n"
        "*'show qos format=name,description') printf '%s|clusterprint\\n' old low; echo 'theirs|Anna' ;;\n"
        "*'format=qos') echo low,normal,high ;;\n"
        "*'show user format=user') echo root ;;\n"
        "esac",
    )
    assert node.run("join-slurm").returncode == 0
    calls = [call.split("--parsable2 ")[1] for call in node.calls("sacctmgr")]
    assert [call for call in calls if not call.startswith("show ")] == [
        "add cluster spani",
        "add qos low description=clusterprint",
        "modify qos low set preempt-=normal,old",
        "modify qos low set priority=10 gracetime=60 maxjobspu=2 maxwall=1-02:00:00",
        "delete qos where name=old",
        "add account everyone description=clusterprint",
        "add user ann account=everyone",
    ]


def saving_node(vm_machine: MakeVmMachine, name: str) -> VmMachine:
    """A node of a group whose first node always runs, in two zones.

    Compute Engine knows all but number 5, and does not answer about number 6.
    """
    node = slurm_node(vm_machine, name)
    power = SlurmPowerPlan(group="gpu", prefix="spani", static=1, zones=("z-a", "z-b"))
    node.boot(slurm=replace(SLURM, idle_seconds=600, power=(power,)))
    node.fake(
        "curl",
        'case "$*" in\n'
        '*/token) echo \'{"access_token":"t-1"}\' ;;\n'
        "*/project-id) echo my-project ;;\n"
        "*/spani-5[?]*) printf '\\n404'; exit 22 ;;\n"
        "*/spani-6[?]*) printf '\\n000'; exit 28 ;;\n"
        "*fields=metadata/items) "
        'echo \'{"metadata":{"items":[{"key":"created-by",'
        '"value":"projects/1/zones/z/instanceGroupManagers/nodes"}]}}\'; printf "\\n200" ;;\n'
        '*Instances) [[ "$*" != *spani-7* ]] || exit 22 ;;\n'
        "esac\n",
    )
    node.fake("scontrol", "[[ $1 != show ]] || tr , '\\n' <<<\"$3\"")
    node.write("var/log/slurm/power.log", "")
    return node


def asked(node: VmMachine) -> list[str]:
    """What groups of machines were asked for."""
    return sorted(
        call.partition("--data-binary ")[2].replace("https://compute.googleapis.com/compute/v1/projects/", "")
        for call in node.calls("curl")
        if call.endswith("Instances")
    )


def test_nodes_that_may_be_stopped_are_in_a_partition_with_a_time_for_it(vm_machine: MakeVmMachine) -> None:
    node = saving_node(vm_machine, "spani-1")
    config = node.read("etc/slurm/slurm.conf").splitlines()
    assert config[-2:] == [
        "NodeSet=power_saving Feature=power_saving",
        "PartitionName=power_saving Nodes=power_saving Hidden=YES State=INACTIVE SuspendTime=600",
    ]
    assert "ResumeProgram=/usr/local/lib/clusterprint/start-nodes" in config
    unit = "etc/systemd/system/slurmd.service.d/clusterprint.conf"
    assert '"Feature=gpu,power_saving Gres=gpu:8"' in node.read(unit)
    assert '"Feature=gpu Gres=gpu:8"' in saving_node(vm_machine, "spani-0").read(unit)


def test_groups_of_machines_are_asked_to_stop_and_start_nodes(vm_machine: MakeVmMachine) -> None:
    node = saving_node(vm_machine, "spani-0")
    assert node.run("stop-nodes", "spani-0,spani-1,spani-2,spani-3").returncode == 0
    group = "my-project/zones/{0}/instanceGroupManagers/nodes/{1}Instances"
    body = '{{"instances":[{}]}} '
    odd = body.format('"zones/z-b/instances/spani-1","zones/z-b/instances/spani-3"')
    even = body.format('"zones/z-a/instances/spani-2"')
    assert asked(node) == [even + group.format("z-a", "stop"), odd + group.format("z-b", "stop")]
    assert node.run("start-nodes", "spani-2").returncode == 0
    assert even + group.format("z-a", "start") in asked(node)
    assert "spani-0 is not stopped or started: it always runs" in node.read("var/log/slurm/power.log")
    assert "t-1" not in "".join(node.calls("curl"))


def test_a_machine_that_is_gone_or_refuses_keeps_no_other_from_its_state(vm_machine: MakeVmMachine) -> None:
    node = saving_node(vm_machine, "spani-0")
    assert node.run("start-nodes", "spani-5,spani-6,spani-7,spani-9").returncode == 1
    assert [call for call in node.calls("scontrol") if call.startswith("update")] == [
        "update nodename=spani-5 state=down reason=clusterprint: no such machine"
    ]
    assert any(call.startswith('{"instances":["zones/z-b/instances/spani-9"]}') for call in asked(node))
    log = node.read("var/log/slurm/power.log")
    assert "spani-5: Compute Engine has no such machine in z-b" in log
    assert "spani-6: Compute Engine did not say which managed group it is in" in log
    assert "spani-7: its group nodes did not start it" in log
    assert "spani-9: its group" not in log


def test_nodes_that_did_not_come_are_given_up_and_may_be_asked_for_again(vm_machine: MakeVmMachine) -> None:
    node = saving_node(vm_machine, "spani-0")
    assert node.run("give-up-nodes", "spani-1").returncode == 0
    assert any("stopInstances" in call for call in asked(node))
    assert node.calls("scontrol")[-1] == "update nodename=spani-1 state=resume"
