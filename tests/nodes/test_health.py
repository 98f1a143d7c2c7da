"""Health checks of a node: truthful logs, status files and exit statuses."""

import re
import subprocess

import pytest
from nodes.health_tools import BAD, GOOD, TABLE, aznhc, dcgm
from nodes.machine import Machine, MakeMachine

STATUS_LINE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d (\w+)")


def states(node: Machine, log: str) -> list[str]:
    """The states in a status file, each in the format of the file."""
    lines = node.read(f"var/log/{log}.status").splitlines()
    matches = [STATUS_LINE.fullmatch(line) for line in lines]
    assert all(matches), lines
    return [match[1] for match in matches if match]


AZNHC_CASES = [
    pytest.param(GOOD, 0, "passed", 0, id="passed"),
    pytest.param(BAD, 1, "failed", 1, id="failed"),
    pytest.param(BAD, 0, "failed", 1, id="failed, and ends with 0 as old versions do"),
    pytest.param("it broke", 1, "failed", 1, id="failed without a word"),
    pytest.param(
        "The vm SKU 'standard_x' is currently not supported by Azure health checks.",
        0,
        "unknown",
        2,
        id="size",
    ),
    pytest.param("docker: cannot connect", 125, "unknown", 2, id="docker did not start it"),
    pytest.param("", 0, "unknown", 2, id="nothing was said"),
]


@pytest.mark.parametrize(("output", "status", "state", "code"), AZNHC_CASES)
def test_azures_checks_are_reported_as_they_ended(
    machine: MakeMachine, output: str, status: int, state: str, code: int
) -> None:
    node = machine()
    aznhc(node, output, status)
    assert node.run("run-aznhc").returncode == code
    assert states(node, "aznhc-health.log") == ["started", state]
    assert output in node.read("var/log/aznhc-health.log")


def test_yesterdays_failure_does_not_fail_today(machine: MakeMachine) -> None:
    node = machine()
    aznhc(node, BAD, 1)
    node.run("run-aznhc")
    aznhc(node, GOOD)
    assert node.run("run-aznhc").returncode == 0
    assert states(node, "aznhc-health.log") == ["started", "failed", "started", "passed"]


def test_an_image_without_azures_checks_is_unknown(machine: MakeMachine) -> None:
    node = machine()
    assert node.run("run-aznhc").returncode == 2
    assert states(node, "aznhc-health.log")[-1] == "unknown"


def test_checks_that_run_already_are_not_run_twice(machine: MakeMachine) -> None:
    node = machine()
    aznhc(node, GOOD)
    node.fake("docker", '[[ $1 == ps ]] && printf "abc\\n"')
    assert node.run("run-aznhc").returncode == 2
    assert not (node.root / "var/log/aznhc-health.log.status").exists()


def test_a_run_that_was_killed_is_unknown_not_what_the_one_before_was(machine: MakeMachine) -> None:
    node = machine()
    aznhc(node, GOOD)
    dcgm(node, TABLE.format("Pass"))
    assert node.run("run-health-checks").returncode == 0
    node.kill_during("run-dcgmi-diag", "dcgmi")
    assert states(node, "dcgmi-diag.log") == ["started", "passed", "started"]
    done = node.run("check-node-health")
    assert done.returncode == 2
    assert "dcgmi-diag has no result (started)" in done.stdout


DCGM_CASES = [
    pytest.param(TABLE.format("Pass"), 0, "passed", 0, id="passed"),
    pytest.param(TABLE.format("Pass") + TABLE.format("Fail"), 226, "failed", 1, id="failed"),
    pytest.param(
        TABLE.format("Pass") + TABLE.format("Fail - All"), 0, "failed", 1, id="failed, and ends with 0"
    ),
    pytest.param(TABLE.format("Pass"), 3, "failed", 1, id="ends with an error after passing rows"),
    pytest.param("Error: unable to establish a connection", 0, "unknown", 2, id="service down"),
    pytest.param(
        "Error: unable to establish a connection", 255, "unknown", 2, id="service down, with an error"
    ),
    pytest.param("", 124, "failed", 1, id="did not end in time"),
]


@pytest.mark.parametrize(("output", "status", "state", "code"), DCGM_CASES)
def test_dcgm_is_reported_as_it_ended(
    machine: MakeMachine, output: str, status: int, state: str, code: int
) -> None:
    node = machine()
    dcgm(node, output, status)
    assert node.run("run-dcgmi-diag", "3").returncode == code
    assert node.calls("dcgmi") == ["diag --run 3 --verbose"]
    assert states(node, "dcgmi-diag.log") == ["started", state]
    assert output in node.read("var/log/dcgmi-diag.log")


@pytest.mark.parametrize("command", ["run-dcgmi-diag", "run-health-checks"])
@pytest.mark.parametrize("arguments", [["0"], ["5"], ["2; reboot"], ["1", "2"], ["--help"]])
def test_a_level_that_does_not_exist_is_refused(
    machine: MakeMachine, command: str, arguments: list[str]
) -> None:
    node = machine()
    dcgm(node, TABLE.format("Pass"))
    done = node.run(command, *arguments)
    assert done.returncode == 64
    assert "usage:" in done.stderr
    assert node.calls("dcgmi") == []


@pytest.mark.parametrize(
    ("first", "second", "state", "code"),
    [
        ("passed", "passed", "healthy", 0),
        ("passed", "failed", "unhealthy", 1),
        ("failed", "unknown", "unhealthy", 1),
        ("unknown", "failed", "unhealthy", 1),
        ("passed", "unknown", "unknown", 2),
        ("started", "passed", "unknown", 2),
        ("", "passed", "unknown", 2),
        ("", "", "unknown", 2),
    ],
)
def test_health_is_what_the_last_results_say(
    machine: MakeMachine, first: str, second: str, state: str, code: int
) -> None:
    node = machine()
    for log, last in (("aznhc-health.log", first), ("dcgmi-diag.log", second)):
        if last:
            node.write(f"var/log/{log}.status", f"2026-01-01T00:00:00 failed\n2026-01-02T00:00:00 {last}\n")
    done = node.run("check-node-health")
    assert done.returncode == code
    assert states(node, "node-health.log") == [state]
    assert re.fullmatch(rf"\[[-\dT:]+\] This node is {state}.*\.\n", node.read("var/log/node-health.log"))


def test_all_checks_run_and_one_failure_is_the_result(machine: MakeMachine) -> None:
    node = machine()
    aznhc(node, BAD, 1)
    dcgm(node, TABLE.format("Pass"))
    done = node.run("run-health-checks", "1")
    assert done.returncode == 1
    assert node.calls("dcgmi") == ["diag --run 1 --verbose"]
    assert "This node is unhealthy: aznhc-health failed." in done.stdout


def test_the_level_of_the_blueprint_is_the_default(machine: MakeMachine) -> None:
    node = machine(dcgm_level=4)
    aznhc(node, GOOD)
    dcgm(node, TABLE.format("Pass"))
    assert node.run("run-health-checks").returncode == 0
    assert node.calls("dcgmi") == ["diag --run 4 --verbose"]


def test_amd_nodes_are_healthy_without_dcgm(machine: MakeMachine) -> None:
    node = machine(gpu_vendor="amd")
    aznhc(node, GOOD)
    assert node.run("run-health-checks").returncode == 0
    assert node.run("run-dcgmi-diag").returncode == 2


@pytest.mark.parametrize(
    ("state", "answer"),
    [("healthy", "200 OK"), ("unknown", "200 OK"), ("unhealthy", "503 Service Unavailable")],
)
def test_the_health_extension_hears_of_unhealthy_nodes_only(
    machine: MakeMachine, state: str, answer: str
) -> None:
    node = machine()
    node.write("var/log/node-health.log.status", f"2026-01-01T00:00:00 {state}\n")
    done = node.run("answer-health", stdin="GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
    head, _, body = done.stdout.partition("\n\n")
    assert head.splitlines()[0] == f"HTTP/1.1 {answer}"
    assert body == f"{state}\n"
    assert f"Content-Length: {len(body)}" in head


def test_a_question_is_read_to_its_end(machine: MakeMachine) -> None:
    """Closing a connection with unread data would reset it, and the answer would be lost."""
    node = machine()
    question = "GET /health HTTP/1.1\r\nHost: localhost\r\nUser-Agent: x\r\n\r\n"
    program = f'{node.script("answer-health")} >/dev/null; printf "left: %s" "$(cat)"'
    done = subprocess.run(
        ["bash", "-c", program],
        env=node.environment(),
        input=question,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "left: "


def test_the_health_extension_is_answered_before_the_first_check(machine: MakeMachine) -> None:
    assert machine().run("answer-health").stdout.startswith("HTTP/1.1 200 OK")


def test_a_node_without_gpus_is_judged_by_azures_checks_alone(machine: MakeMachine) -> None:
    node = machine(gpu_vendor="none", gpus_per_node=0)
    aznhc(node, GOOD)
    done = node.run("run-health-checks")
    assert done.returncode == 0, done.stderr
    assert node.read("var/log/node-health.log.status").endswith(" healthy\n")
    assert not (node.root / "var/log/dcgmi-diag.log").exists()
