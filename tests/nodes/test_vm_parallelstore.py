"""A Parallelstore on machines of kind vm: a client in user space, an agent, and services that keep both."""

from nodes import warm_fakes
from nodes.test_vm_volumes import Node, volume
from nodes.vm_machine import MakeVmMachine

POINTS = "10.255.240.2,10.255.240.3,10.255.240.4"
REMOTES = f"scratch\t{POINTS}\nhome\t10.255.241.2:/share\n"
CONFIG = "var/lib/clusterprint/parallelstore.yml"
SCRATCH = volume("scratch", "parallelstore", "/scratch")
# The interface of the addresses, beside those between GPUs.
ROUTE = "echo '10.255.240.2 via 10.0.0.1 dev ens4 src 10.0.0.7 uid 0 \\    cache'"


def node_with(vm_machine: MakeVmMachine, remotes: str = REMOTES, **settings: object) -> Node:
    node = Node(vm_machine(**{"volumes": (SCRATCH,), **settings}), remotes)
    machine = node.machine
    machine.fake("daos_agent")
    machine.fake("ip", ROUTE)
    machine.fake("dfuse", warm_fakes.body("disks", 'mount parallelstore "$2"'))
    return node


def dfuse(node: Node) -> list[str]:
    return [call.replace(str(node.machine.root), "") for call in node.machine.calls("dfuse")]


def test_it_is_mounted_by_its_client_after_its_agent(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine)
    assert node.machine.boot().returncode == 0, node.machine.log()
    pool = "-m /scratch --pool default-pool --container default-container"
    assert dfuse(node) == [
        f"{pool} --foreground --multi-user --disable-wb-cache --thread-count=16 --eq-count=8"
    ]
    assert node.mounts == [], "the kernel mounts nothing"
    assert node.machine.calls("daos_agent")[0] == f"-o {node.machine.root / CONFIG}"
    assert node.machine.read(CONFIG).splitlines() == [
        "access_points: [10.255.240.2, 10.255.240.3, 10.255.240.4]",
        "transport_config: {allow_insecure: true}",
        "include_fabric_ifaces: [ens4]",
        "log_file: /var/log/clusterprint/parallelstore-agent.log",
    ]


def test_everybody_may_write_to_a_new_one_without_the_sticky_bit(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine)
    node.machine.fake("stat", '[[ $* == *%u:%a*/scratch ]] && echo 0:755 || exec "$REAL/stat" "$@"')
    node.machine.fake("chmod", '[[ $2 == */scratch ]] || exec "$REAL/chmod" "$@"')
    assert node.machine.boot().returncode == 0, node.machine.log()
    changed = {call for call in node.machine.calls("chmod") if call.endswith("/scratch")}
    assert changed == {f"0777 {node.machine.root}/scratch"}


def test_what_is_mounted_stays_when_the_step_runs_again(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine)
    node.machine.boot()
    assert node.machine.run("mount-volumes").returncode == 0
    assert len(dfuse(node)) == 1


def test_one_that_moved_is_mounted_from_its_new_place(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine)
    node.machine.boot()
    world = node.machine.known("google")
    world["attributes"]["clusterprint-volumes"] = "scratch\t10.9.0.2\n"
    node.machine.know("google", world)
    # Its client ends when somebody unmounts it.
    node.machine.fake("umount", 'cat "$WORLD/unmounted.json" >"$WORLD/disks.json"')
    node.machine.know("unmounted", {**node.machine.known("disks"), "mounts": {}})
    done = node.machine.run("mount-volumes")
    assert done.returncode == 0, done.stderr
    assert node.machine.calls("umount")[-2].endswith("/scratch")
    assert node.machine.read(CONFIG).splitlines()[0] == "access_points: [10.9.0.2]"
    assert len(dfuse(node)) == 2


def test_one_that_may_only_be_read(vm_machine: MakeVmMachine) -> None:
    theirs = volume("scratch", "parallelstore", "/scratch", read_only=True, fresh=False)
    node = node_with(vm_machine, volumes=(theirs,))
    assert node.machine.boot().returncode == 0, node.machine.log()
    assert dfuse(node)[0].endswith(" --read-only")


def test_an_image_without_the_client_fails_the_step(vm_machine: MakeVmMachine) -> None:
    node = Node(vm_machine(volumes=(SCRATCH,)), REMOTES)
    assert node.machine.boot().returncode == 1
    assert "this image has no Parallelstore client" in node.machine.log()


def test_a_client_that_finds_no_servers_fails_the_step_and_others_are_mounted(
    vm_machine: MakeVmMachine,
) -> None:
    node = node_with(vm_machine, volumes=(SCRATCH, volume()))
    node.machine.fake("dfuse", "exit 1")
    assert node.machine.boot().returncode == 1
    assert "could not mount volume scratch" in node.machine.log()
    assert node.mounts[0].endswith("10.255.241.2:/share /home")


def test_it_goes_when_it_is_no_longer_asked_for(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine)
    node.machine.boot()
    assert node.machine.boot(volumes=()).returncode == 0, node.machine.log()
    assert "disable --now clusterprint-parallelstore.service" in node.machine.calls("systemctl")
    assert "disable --now clusterprint-parallelstore-agent.service" in node.machine.calls("systemctl")
    assert not (node.machine.root / CONFIG).exists()
