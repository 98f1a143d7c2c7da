"""The container that runs on every node of kind vm."""

import msgspec
import pytest
from nodes.vm_machine import MakeVmMachine, VmMachine

from clusterprint.errors import InternalError
from clusterprint.nodes.vm import metadata
from clusterprint.plan.vm_nodes import ContainerPlan

CONTAINER = ContainerPlan(
    image="us-docker.pkg.dev/p/r/train:1",
    args=("--epochs", "3", "a b; $(reboot)"),
    env={"B": "two words", "A": "1"},
    ports=("8080:80",),
    gpus=True,
    restart="always",
)

# It remembers the label of the one container, and whether it runs.
DOCKER = """
case " $* " in
*" inspect "*) "$REAL/cat" "$WORLD/label" ;;
*" login "*) "$REAL/cat" >"$WORLD/password" ;;
*" pull "*) [[ ! -e $WORLD/no-image ]] ;;
*" create "*)
    for word; do
        printf '<%s>' "$word" | "$REAL/sed" "s#$ROOT##" >>"$WORLD/run"
        [[ $word != io.clusterprint.settings=* ]] || printf '%s\\n' "${word#*=}" >"$WORLD/label"
    done ;;
esac
"""


def node_with(vm_machine: MakeVmMachine, **changes: object) -> VmMachine:
    node = vm_machine(**{"container": CONTAINER, **changes})
    node.fake("docker", DOCKER)
    node.fake("nvidia-ctk")
    return node


def runs(node: VmMachine) -> int:
    return len([call for call in node.calls("docker") if call.startswith("create ")])


def run_of(node: VmMachine) -> str:
    return (node.state / "run").read_text("utf-8")


def test_it_runs_with_what_was_asked_for_word_by_word(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine)
    assert node.boot().returncode == 0, node.log()
    assert node.steps() == {"docker": "done", "container": "done"}
    run = run_of(node)
    assert run.endswith("<us-docker.pkg.dev/p/r/train:1><--epochs><3><a b; $(reboot)>")
    for words in ("<--restart><no>", "<--publish><8080:80>", "<--gpus><all>", "<--ulimit><memlock=-1>"):
        assert words in run
    assert node.read("var/lib/clusterprint/container.env") == "A=1\nB=two words\n"


def test_googles_registries_know_the_machine_by_a_token_that_does_not_stay(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine)
    node.boot()
    assert (node.state / "password").read_text("utf-8") == "t-1\n"
    (login,) = [call for call in node.calls("docker") if " login " in call]
    assert login.endswith("https://us-docker.pkg.dev")
    assert not (node.root / login.split()[1].lstrip("/")).exists()


def test_other_registries_are_not_told_who_the_machine_is(vm_machine: MakeVmMachine) -> None:
    node = node_with(
        vm_machine, container=msgspec.structs.replace(CONTAINER, image="nvcr.io/nvidia/pytorch:26.08-py3")
    )
    node.boot()
    assert not (node.state / "password").exists()
    assert runs(node) == 1


def test_after_a_reboot_it_is_the_same_container(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine)
    node.boot()
    node.boot()
    assert runs(node) == 1
    assert node.calls("docker").count("start clusterprint") == 4, (
        "by the step, and by the service, at each boot"
    )


def test_docker_does_not_start_it_before_the_machine_is_set_up(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine)
    node.boot()
    assert "<--restart><no>" in run_of(node)
    assert "start clusterprint-container.service" in node.calls("systemctl")
    assert not (node.state / "enabled/clusterprint-container.service").exists()
    unit = node.read("etc/systemd/system/clusterprint-container.service")
    assert "[Install]" not in unit, "a boot does not start it, only the chain of steps does"


@pytest.mark.parametrize(
    ("restart", "code", "again"),
    [
        ("always", 0, True),
        ("always", 1, True),
        ("on-failure", 0, False),
        ("on-failure", 137, True),
        ("no", 1, False),
    ],
)
def test_it_is_started_again_as_its_policy_says(
    vm_machine: MakeVmMachine, restart: str, code: int, again: bool
) -> None:
    node = node_with(vm_machine, container=msgspec.structs.replace(CONTAINER, restart=restart))
    node.boot()
    node.fake("docker", f"[[ $1 != wait ]] || echo {code}")
    assert (node.run("keep-container").returncode != 0) == again


def test_it_is_started_again_when_docker_itself_went(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, container=msgspec.structs.replace(CONTAINER, restart="on-failure"))
    node.boot()
    node.fake("docker", "[[ $1 != wait ]]")
    assert node.run("keep-container").returncode == 1


@pytest.mark.parametrize("change", [{"image": "x:2"}, {"args": ()}, {"env": {"A": "2"}}, {"gpus": False}])
def test_another_wish_is_another_container(vm_machine: MakeVmMachine, change: dict[str, object]) -> None:
    node = node_with(vm_machine)
    node.boot()
    node.boot(container=msgspec.structs.replace(CONTAINER, **change))
    assert runs(node) == 2
    assert "rm --force clusterprint" in node.calls("docker")


def test_it_sees_scratch_buckets_and_nccl(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine)
    node.boot()
    node.write("etc/clusterprint/buckets", "data\t/mnt/data\trw\t-\n")
    node.write("var/lib/clusterprint/nccl.env", "NCCL_NET=gIB\n")
    (node.root / "dev/infiniband").mkdir(parents=True)
    assert node.run("steps/80-container").returncode == 0
    run = run_of(node)
    assert "<type=bind,source=/mnt/data,target=/mnt/data,bind-propagation=rslave>" in run
    assert "<--device></dev/infiniband>" in run
    assert "<--network><host>" in run
    assert "</usr/local/gib:/usr/local/gib:ro>" in run


def test_an_image_that_cannot_be_had_is_a_failure_and_the_old_container_stays(
    vm_machine: MakeVmMachine,
) -> None:
    node = node_with(vm_machine)
    node.boot()
    (node.state / "no-image").touch()
    assert node.boot(container=msgspec.structs.replace(CONTAINER, image="x:2")).returncode == 1
    assert "could not pull x:2" in node.status()["steps"][1]["message"]
    assert node.calls("docker").count("rm --force clusterprint") == runs(node) == 1


def test_a_line_break_is_no_way_in(vm_machine: MakeVmMachine) -> None:
    container = msgspec.structs.replace(CONTAINER, env={"A": "1\nimage=evil"})
    with pytest.raises(InternalError):
        metadata(msgspec.structs.replace(vm_machine().settings, container=container))
