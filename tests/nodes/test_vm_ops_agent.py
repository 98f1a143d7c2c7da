"""Google's Ops Agent on machines of kind vm."""

import pytest
from nodes.keys import KEYS, WANTED
from nodes.vm_machine import MakeVmMachine, VmMachine
from nodes.warm_fakes import FAKES

ENGINE = "opt/google-cloud-ops-agent/libexec/google_cloud_ops_agent_engine"
KEY = "https://packages.cloud.google.com/apt/doc/apt-key.gpg"
FINGERPRINT = "35BAA0B33E9EB396F59CA838C0BA5CE6DC6315A3"
LISTED = "etc/apt/sources.list.d/clusterprint-ops-agent.list"

# Each line of the file is what one part says next; the last one counts from then on.
SHOW = """
if [[ $1 == show ]]; then
    file="$WORLD/${{*: -1}}"
    "$REAL/head" -n 1 "$file" | "$REAL/tr" ' ' '\\n'
    [[ $("$REAL/wc" -l <"$file") == 1 ]] || "$REAL/sed" -i 1d "$file"
    exit
fi
exec bash {} "$@"
"""


def says(node: VmMachine, part: str, *states: str) -> None:
    text = "".join(f"{state}\n" for state in states)
    (node.state / f"google-cloud-ops-agent-{part}.service").write_text(text, "utf-8")


def bare(vm_machine: MakeVmMachine, **changes: object) -> VmMachine:
    """Ubuntu with a driver and no agent; the package brings it, and it runs."""
    node = vm_machine(**{"ops_agent": True, **changes})
    node.fake("nvidia-smi")
    node.fake("systemctl", SHOW.format(FAKES / "systemctl.sh"))
    says(node, "opentelemetry-collector", "ActiveState=active MainPID=10")
    says(node, "fluent-bit", "ActiveState=active MainPID=11")
    place = node.root / ENGINE
    node.fake(
        "apt-get",
        f'[[ $* == *"install google-cloud-ops-agent=2.70.0*" ]] || exit 0\n'
        f'"$REAL/mkdir" -p {place.parent}\n: >{place}',
    )
    node.fake("gpg", f'exec "$REAL/gpg" "${{@/{FINGERPRINT}/{WANTED}}}"')
    node.world(pages={KEY: KEYS})
    return node


def service(node: VmMachine) -> list[str]:
    """The actions on the service."""
    return [call for call in node.calls("systemctl") if call.endswith(" google-cloud-ops-agent.service")]


ENABLE = "enable google-cloud-ops-agent.service"
START = "start google-cloud-ops-agent.service"
RESTART = "restart google-cloud-ops-agent.service"


def test_it_is_installed_once_and_started_anew_at_each_boot(vm_machine: MakeVmMachine) -> None:
    node = bare(vm_machine)
    assert node.boot().returncode == 0, node.log()
    assert node.steps() == {"ops-agent": "done"}
    assert node.read(LISTED) == (
        "deb [signed-by=/etc/apt/keyrings/clusterprint-ops-agent.gpg]"
        " https://packages.cloud.google.com/apt google-cloud-ops-agent-noble-all main\n"
    )
    assert service(node) == [ENABLE, RESTART]
    # systemd starts it, and then the step again: the driver of GPUs may have come after it at this boot.
    assert node.boot().returncode == 0
    assert service(node) == [ENABLE, RESTART, START, ENABLE, RESTART]
    assert len([call for call in node.calls("apt-get") if " install " in call]) == 1
    assert "driver" not in node.log()


def test_setting_up_again_in_the_same_boot_interrupts_nothing(vm_machine: MakeVmMachine) -> None:
    node = bare(vm_machine)
    node.boot()
    assert node.run("run-steps").returncode == 0
    assert service(node) == [ENABLE, RESTART, ENABLE, START]


def test_the_agent_of_an_image_and_its_configuration_are_left_alone(vm_machine: MakeVmMachine) -> None:
    node = bare(vm_machine)
    node.write(ENGINE, "")
    node.write("etc/google-cloud-ops-agent/config.yaml", "logging: {}\n")
    assert node.boot().returncode == 0
    assert node.calls("apt-get") == []
    assert node.read("etc/google-cloud-ops-agent/config.yaml") == "logging: {}\n"


def test_other_repositories_at_googles_address_are_not_taken_for_its_own(vm_machine: MakeVmMachine) -> None:
    node = bare(vm_machine)
    node.write(
        "etc/apt/sources.list.d/clusterprint-nccl-gib.list",
        "deb https://packages.cloud.google.com/apt gpudirect-gib-apt main\n",
    )
    node.write(
        "etc/apt/sources.list.d/agent.list",
        "deb https://packages.cloud.google.com/apt google-cloud-ops-agent-noble-2 main\n",
    )
    assert node.boot().returncode == 0
    assert "google-cloud-ops-agent-noble-all" in node.read(LISTED)


@pytest.mark.parametrize(
    "known",
    [
        "deb https://packages.cloud.google.com/apt google-cloud-ops-agent-noble-all main\n",
        "Types: deb\nURIs: https://packages.cloud.google.com/apt\nSuites: google-cloud-ops-agent-noble-all\n",
    ],
)
def test_a_repository_that_the_image_knows_is_not_added(vm_machine: MakeVmMachine, known: str) -> None:
    node = bare(vm_machine)
    node.write("etc/apt/sources.list.d/agent", known)
    assert node.boot().returncode == 0
    assert not (node.root / LISTED).exists()


def test_without_a_driver_it_is_said_that_nothing_comes_of_the_gpus(vm_machine: MakeVmMachine) -> None:
    node = bare(vm_machine)
    node.fake("nvidia-smi", "exit 9")
    assert node.boot().returncode == 0
    assert "nvidia-smi failed" in node.log()


def test_machines_without_gpus_are_not_asked_for_a_driver(vm_machine: MakeVmMachine) -> None:
    node = bare(vm_machine, gpus=0)
    assert node.boot().returncode == 0
    assert node.calls("nvidia-smi") == []


def test_a_part_that_takes_its_time_is_waited_for(vm_machine: MakeVmMachine) -> None:
    node = bare(vm_machine)
    says(
        node,
        "opentelemetry-collector",
        "ActiveState=activating MainPID=0",
        "ActiveState=active MainPID=10",
        "ActiveState=active MainPID=12",
    )
    assert node.boot().returncode == 0, node.log()
    # Asked again after a while: not active, then another process than before, then the same twice.
    assert node.calls("sleep") == ["10"] * 4


@pytest.mark.parametrize(
    ("part", "states"),
    [
        ("opentelemetry-collector", ["ActiveState=failed MainPID=0"]),
        ("opentelemetry-collector", ["ActiveState=inactive MainPID=0"]),
        ("opentelemetry-collector", [f"ActiveState=active MainPID={number}" for number in range(20, 40)]),
        ("fluent-bit", ["ActiveState=activating MainPID=0"]),
        ("fluent-bit", ["ActiveState=failed MainPID=0"]),
    ],
)
def test_an_agent_that_does_not_stay_up_is_a_failure(
    vm_machine: MakeVmMachine, part: str, states: list[str]
) -> None:
    node = bare(vm_machine)
    says(node, part, *states)
    assert node.boot().returncode == 1
    (step,) = node.status()["steps"]
    assert step["message"] == "47-ops-agent: the Ops Agent does not stay up: Error: no permission"


def test_logs_that_are_sent_by_no_part_of_their_own_are_fine(vm_machine: MakeVmMachine) -> None:
    node = bare(vm_machine)
    says(node, "fluent-bit", "ActiveState=inactive MainPID=0")
    assert node.boot().returncode == 0


def test_on_a_system_without_apt_the_step_says_so(vm_machine: MakeVmMachine) -> None:
    node = bare(vm_machine)
    node.remove("apt-get")
    assert node.boot().returncode == 1
    assert "ops-agent can be installed on Debian and Ubuntu only" in node.status()["steps"][0]["message"]
