"""The tools of the head: gather-files and run-nccl-test."""

import pytest
from nodes.machine import Machine, MakeMachine
from nodes.warm_fakes import FAKES

RESULT = """# nThread 1 nGpus 1 minBytes 8589934592 maxBytes 8589934592
  8589934592    2147483648     float     sum      -1    33333  257.70  {}      0
# Out of bounds values : {} OK
# Avg bus bandwidth    : {}
"""


@pytest.fixture
def head(machine: MakeMachine) -> Machine:
    """A head with two nodes, a and b."""
    made = machine("head")
    made.fake("ssh", f"source {FAKES / 'ssh.sh'}")
    made.fake("ssh-add")
    made.fake("ssh-agent", "printf 'SSH_AUTH_SOCK=/x; export SSH_AUTH_SOCK;\\nSSH_AGENT_PID=999999;\\n'")
    made.write("home/azureuser/hostfile", "a\nb\n")
    for name in ("a", "b"):
        on(made, name, "var/log/status", f"{name} one\n{name} two\n")
    return made


def on(head: Machine, host: str, path: str, text: str) -> None:
    """Put a file on a node."""
    place = head.state / "hosts" / host / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, "utf-8")


# gather-files


def test_the_last_line_of_every_node_is_gathered_in_the_order_of_the_host_file(head: Machine) -> None:
    done = head.run("gather-files", "hostfile", "/var/log/status", "out")
    assert done.returncode == 0, done.stderr
    assert head.read("home/azureuser/out") == "a: a two\nb: b two\n"


def test_more_lines_and_all_lines(head: Machine) -> None:
    head.run("gather-files", "hostfile", "/var/log/status", "out", "-n", "2")
    two = head.read("home/azureuser/out")
    head.run("gather-files", "-a", "hostfile", "/var/log/status", "out")
    assert head.read("home/azureuser/out") == two == "a: a one\na: a two\nb: b one\nb: b two\n"


def test_comments_and_blank_lines_are_no_hosts(head: Machine) -> None:
    head.write("home/azureuser/mine", "# all of them\n\n  b slots=8\n")
    assert head.run("gather-files", "mine", "/var/log/status", "out").returncode == 0
    assert head.read("home/azureuser/out") == "b: b two\n"


def test_a_node_that_cannot_be_reached_is_named_and_the_others_are_gathered(head: Machine) -> None:
    head.write("home/azureuser/hostfile", "a\ngone\nb\n")
    done = head.run("gather-files", "hostfile", "/var/log/status", "out")
    assert done.returncode == 1
    assert "gone: unreachable: ssh: connect to host gone port 22: No route to host" in done.stderr
    assert head.read("home/azureuser/out") == "a: a two\nb: b two\n"


def test_a_node_without_the_file_is_named(head: Machine) -> None:
    on(head, "b", "only/here", "x\n")
    done = head.run("gather-files", "hostfile", "/only/here", "out")
    assert done.returncode == 1
    assert "a: failed with exit status 1: tail: cannot open" in done.stderr
    assert head.read("home/azureuser/out") == "b: x\n"


def test_a_path_is_a_path_whatever_is_in_it(head: Machine) -> None:
    for name in ("a", "b"):
        on(head, name, "odd; touch pwned $(x) 'q'", f"{name}\n")
    done = head.run("gather-files", "hostfile", "/odd; touch pwned $(x) 'q'", "out")
    assert done.returncode == 0, done.stderr
    assert head.read("home/azureuser/out") == "a: a\nb: b\n"
    assert not (head.state / "hosts/a/pwned").exists()


def test_many_nodes_are_asked_at_once(head: Machine) -> None:
    names = [f"n{number:03}" for number in range(100)]
    for name in names:
        on(head, name, "f", f"{name}\n")
    head.write("home/azureuser/hostfile", "\n".join(names))
    assert head.run("gather-files", "hostfile", "/f", "out").returncode == 0
    assert head.read("home/azureuser/out").splitlines() == [f"{name}: {name}" for name in names]


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["hostfile", "/var/log/status"],
        ["hostfile", "/var/log/status", "out", "more"],
        ["hostfile", "/var/log/status", "out", "-n"],
        ["hostfile", "/var/log/status", "out", "-n", "x"],
        ["hostfile", "/var/log/status", "out", "--what"],
    ],
)
def test_wrong_arguments_of_gather_files(head: Machine, arguments: list[str]) -> None:
    done = head.run("gather-files", *arguments)
    assert done.returncode == 64
    assert "usage: gather-files" in done.stderr
    assert not (head.home / "out").exists()


@pytest.mark.parametrize("tool", ["gather-files", "run-nccl-test"])
def test_a_host_file_that_is_none(head: Machine, tool: str) -> None:
    more = ["/f", "out"] if tool == "gather-files" else []
    head.write("home/azureuser/options", "-oProxyCommand=reboot\n")
    head.write("home/azureuser/empty", "# nobody\n")
    for name, message in (
        ("missing", "cannot read host file"),
        ("options", "invalid host in options: -oProxyCommand=reboot"),
        ("empty", "no hosts in empty"),
    ):
        done = head.run(tool, name, *more)
        assert done.returncode == 1
        assert message in done.stderr
    assert head.calls("ssh") == []


# run-nccl-test


def measure(head: Machine, bandwidth: str, wrong: str = "0") -> None:
    on(head, "a", "all-reduce", RESULT.format(bandwidth, wrong, bandwidth))


def test_fast_enough(head: Machine) -> None:
    measure(head, "389.2")
    done = head.run("run-nccl-test")
    assert done.returncode == 0, done.stderr
    assert "bus bandwidth of 2 nodes: 389.2 GB/s; at least 320 was expected: passed" in done.stdout
    assert (head.state / "hosts/a/hosts-given").read_text("utf-8") == "a\nb\n"
    launched = [call for call in head.calls("ssh") if "all-reduce" in call]
    assert len(launched) == 1
    assert launched[0].endswith(" -A -- a /usr/local/lib/clusterprint/all-reduce 8G")


def test_the_nodes_get_addresses_where_they_are_known(head: Machine) -> None:
    measure(head, "389.2")
    head.write("var/lib/clusterprint/nodes", "b 10.0.0.11 id-b\n\n")
    assert head.run("run-nccl-test").returncode == 0
    assert (head.state / "hosts/a/hosts-given").read_text("utf-8") == "a\n10.0.0.11\n"


def test_too_slow(head: Machine) -> None:
    measure(head, "319.9")
    done = head.run("run-nccl-test")
    assert done.returncode == 1
    assert "at least 320 was expected: FAILED" in done.stdout


def test_a_single_node_is_compared_with_a_single_node(head: Machine) -> None:
    measure(head, "400")
    head.write("home/azureuser/one", "a\n")
    assert "at least 431 was expected: FAILED" in head.run("run-nccl-test", "one").stdout


def test_what_is_fast_enough_can_be_said(head: Machine) -> None:
    measure(head, "10.5")
    assert head.run("run-nccl-test", "--minimum", "10.5").returncode == 0
    assert head.run("run-nccl-test", "--minimum", "10.6").returncode == 1
    done = head.run("run-nccl-test", "--minimum", "0")
    assert done.returncode == 0
    assert "no minimum is known for comparison" in done.stdout


def test_wrong_results_are_a_failure_however_fast(head: Machine) -> None:
    measure(head, "999", wrong="7")
    done = head.run("run-nccl-test")
    assert done.returncode == 1
    assert "wrong results (7 values)" in done.stderr


def test_a_benchmark_that_breaks_off_is_a_failure(head: Machine) -> None:
    measure(head, "999")
    on(head, "a", "status", "3")
    done = head.run("run-nccl-test")
    assert done.returncode == 1
    assert "the benchmark failed with exit status 3" in done.stderr


def test_a_benchmark_that_says_nothing_is_a_failure(head: Machine) -> None:
    on(head, "a", "all-reduce", "hello\n")
    assert "did not report its bus bandwidth" in head.run("run-nccl-test").stderr


def test_nothing_is_started_when_a_node_cannot_be_reached(head: Machine) -> None:
    measure(head, "999")
    head.write("home/azureuser/hostfile", "a\ngone\n")
    done = head.run("run-nccl-test")
    assert done.returncode == 1
    assert "gone: unreachable" in done.stderr
    assert not any("all-reduce" in call for call in head.calls("ssh"))


def test_the_users_ssh_settings_are_left_alone(head: Machine) -> None:
    measure(head, "389")
    mine = head.write("home/azureuser/.ssh/config", "Host *\n")
    head.run("run-nccl-test")
    assert mine.read_text("utf-8") == "Host *\n"
    assert [file.name for file in (head.home / ".ssh").iterdir()] == ["config"]


def test_a_single_gpu_has_nobody_to_talk_to(machine: MakeMachine) -> None:
    head = machine("head", gpus_per_node=1)
    head.write("home/azureuser/hostfile", "a\n")
    for hosts in ([], [str(head.home / "hostfile")]):
        done = head.run("run-nccl-test", *hosts)
        assert done.returncode == 1
        assert "at least two GPUs" in done.stderr


@pytest.mark.parametrize(
    "arguments", [["a", "b"], ["--size"], ["--size", "8G; reboot"], ["--minimum", "fast"], ["-x"]]
)
def test_wrong_arguments_of_run_nccl_test(head: Machine, arguments: list[str]) -> None:
    done = head.run("run-nccl-test", *arguments)
    assert done.returncode == 64
    assert "usage: run-nccl-test" in done.stderr


def test_nodes_without_gpus_have_nothing_to_measure(machine: MakeMachine) -> None:
    head = machine("head", gpus_per_node=0, gpu_vendor="none")
    head.write("home/azureuser/hostfile", "a\nb\n")
    done = head.run("run-nccl-test")
    assert done.returncode == 1
    assert "this test requires GPUs, and none are known" in done.stderr
