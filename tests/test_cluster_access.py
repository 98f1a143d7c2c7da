"""The commands into a cluster, run with programs that write down how they were called."""

import json
import re
from pathlib import Path

import click
import pytest
from every_command import about_clusters, every_command
from stand_ins import Answer, StandIns
from support import BLUEPRINTS, GOLDENS, Run

from clusterprint.access.target import Target, find_target
from clusterprint.errors import UsageError

VM = BLUEPRINTS / "vm-smallest.yaml"
RAY = BLUEPRINTS / "ray-l4-dev.yaml"
SHELL = "gcloud compute ssh first-0 --project=my-gpu-project --zone=us-central1-a --tunnel-through-iap"
# A port-forward that opens the port that it is told, until somebody ends it.
FORWARD = """\
#!/usr/bin/env python3
import socket, sys, time
with socket.create_server(("localhost", int(sys.argv[-1].partition(":")[0]))):
    time.sleep(60)
"""


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        (str(VM), Target(VM, "")),
        (f"{VM}/first-0", Target(VM, "first-0")),
        ("first", Target(VM, "")),
        ("first/0", Target(VM, "0")),
    ],
)
def test_a_cluster_is_named_by_its_file_or_its_name(text: str, meant: Target) -> None:
    assert find_target(text, [BLUEPRINTS]) == meant


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("firts", r"there is no cluster 'firts', .*Did you mean 'first' \(.*vm-smallest\.yaml\)\?"),
        ("vm-smallest", r"Did you mean 'first' \(.*vm-smallest\.yaml\)\?"),
        ("first/--help", "'--help' is not the name of a node"),
        ("first/a b", "'a b' is not the name of a node"),
        ("a/b/c", "is neither a blueprint nor NAME/PART"),
        ("", "is neither a blueprint nor NAME/PART"),
    ],
)
def test_what_names_no_cluster_is_refused(text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        find_target(text, [BLUEPRINTS])


def test_a_name_that_two_clusters_have_is_refused(tmp_path: Path) -> None:
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / name).write_text(VM.read_text())
    with pytest.raises(UsageError, match=r"several blueprints are called 'first': .*a\.yaml, .*b\.yaml"):
        find_target("first", [tmp_path])


#: Every command that is about clusters, with its argument for them.
ABOUT_CLUSTERS = {
    words: argument for words, command in every_command() if (argument := about_clusters(command))
}


def test_blueprints_are_only_named_by_the_argument_for_clusters() -> None:
    others = {
        (words, each.name)
        for words, command in every_command()
        for each in command.params
        if isinstance(each, click.Argument) and each.name in {"path", "paths", "blueprint", "target"}
    }
    assert others == {(words, argument.name) for words, argument in ABOUT_CLUSTERS.items()}
    assert len(others) > 20


@pytest.mark.parametrize("words", ABOUT_CLUSTERS, ids=" ".join)
def test_every_command_about_clusters_takes_a_name(
    words: tuple[str, ...], clusterprint: Run, tmp_path: Path
) -> None:
    (tmp_path / "vm.yaml").write_text(VM.read_text())
    told = clusterprint(*words, "firts", "--in", tmp_path).stderr
    if words != ("review",):  # which is also about folders that are not there any more
        assert "there is no cluster 'firts'" in told
        assert f"looked up in {tmp_path}/vm.yaml. Did you mean 'first'" in told


def test_a_file_or_folder_of_a_name_comes_before_the_cluster(clusterprint: Run, tmp_path: Path) -> None:
    (tmp_path / "vm.yaml").write_text("clusterprint: v1\nkind: vm\nname: first\n")
    for words in (("show", "first"), ("validate", "first"), ("ssh", "first/0", "--print")):
        done = clusterprint(*words, "--in", "vm.yaml", cwd=tmp_path)
        assert "--> vm.yaml:" in done.stdout + done.stderr
    (tmp_path / "first").write_text("clusterprint: v1\nkind: vm\n")
    for words in (("show", "first"), ("validate", "first"), ("ssh", "first/0", "--print")):
        done = clusterprint(*words, "--in", "vm.yaml", cwd=tmp_path)
        assert "--> first:" in done.stdout + done.stderr


def test_in_names_the_folder_of_all_blueprints(clusterprint: Run, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/vm.yaml").write_text(VM.read_text())
    assert "1 blueprint checked" in clusterprint("validate", "--in", "mine", cwd=tmp_path).stdout
    done = clusterprint("down", "--in", "mine", cwd=tmp_path)
    assert (done.returncode, "name clusters or blueprints" in done.stderr) == (2, True)


def test_a_file_that_is_missing_but_called_as_a_cluster_is(clusterprint: Run, tmp_path: Path) -> None:
    (tmp_path / "blueprints").mkdir()
    (tmp_path / "blueprints/vm.yaml").write_text(VM.read_text())
    said = clusterprint("validate", "first.yaml", cwd=tmp_path).stdout
    assert "first is the name of the cluster in blueprints/vm.yaml: name that" in said
    assert "is the name of" not in clusterprint("validate", "second.yaml", cwd=tmp_path).stdout


def test_a_command_is_said_run_and_ended_as_it_ended(clusterprint: Run, tmp_path: Path) -> None:
    gcloud = StandIns(tmp_path / "bin", gcloud=[Answer("^compute ssh first-0", "a shell\n", code=7)])
    done = clusterprint("ssh", "first", "--", "nvidia-smi", "-L", env=gcloud.first)
    assert (done.returncode, done.stdout) == (7, "a shell\n")
    assert f"$ {SHELL} -- nvidia-smi -L" in done.stderr
    assert gcloud.calls == [[*SHELL.split(), "--", "nvidia-smi", "-L"]]


def test_a_shell_on_a_node_that_slurm_has_stopped_says_how_to_start_it(
    clusterprint: Run, tmp_path: Path
) -> None:
    team = str(BLUEPRINTS / "vm-login-compute.yaml")
    rows = [
        {"name": f"team-compute-{number}", "zone": "x/us-central1-f", "status": "TERMINATED"}
        for number in "01"
    ]
    gcloud = StandIns(
        tmp_path / "bin", gcloud=[Answer("instances list", json.dumps(rows)), Answer("ssh", "a shell\n")]
    )
    for command in ("ssh", "logs"):
        done = clusterprint(command, f"{team}/compute-1", env=gcloud.first)
        assert (done.returncode, done.stdout) == (3, ""), done.stderr
        assert "team-compute-1 is stopped, because no job needs it" in done.stderr
        assert "ssh team -- sudo scontrol update nodename=team-compute-1 state=power_up" in done.stderr
        assert "ssh team-compute-1" in clusterprint(command, f"{team}/compute-1", "--print").stdout
        assert clusterprint(command, f"{team}/compute-0", env=gcloud.first).stdout == "a shell\n"  # static
    assert clusterprint("ssh", team, env=gcloud.first).stdout == "a shell\n"


def test_a_shell_on_a_node_of_an_idle_group_says_how_to_start_it(clusterprint: Run, tmp_path: Path) -> None:
    file = tmp_path / "idle.yaml"
    text = VM.read_text("utf-8")
    file.write_text(text.replace("a2-highgpu-1g", "a2-highgpu-1g, idle: {action: stop}"), "utf-8")
    rows = [{"name": "first-0", "zone": "x/us-central1-a", "status": "TERMINATED"}]
    gcloud = StandIns(tmp_path / "bin", gcloud=[Answer("instances list", json.dumps(rows))])
    for command in ("ssh", "logs"):
        done = clusterprint(command, file, env=gcloud.first)
        assert (done.returncode, done.stdout) == (3, ""), done.stderr
        assert "first-0 is stopped, because nobody used its group: start it by gcloud compute " in done.stderr
        assert "start-instances first" in done.stderr
        assert "--instances=first-0 --zone=us-central1-a --project=my-gpu-project" in done.stderr


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ("", "get-serial-port-output first-0 --project=my-gpu-project --zone=us-central1-a\n"),
        ("/1", "get-serial-port-output first-1 --project=my-gpu-project --zone=us-central1-a\n"),
        ("/first-1", "get-serial-port-output first-1 --project=my-gpu-project --zone=us-central1-a\n"),
        ("/9", "error: there is no node '9'; the nodes are first-0, first-1\n"),
    ],
)
def test_consoles_are_read_without_a_way_in(part: str, said: str, clusterprint: Run, tmp_path: Path) -> None:
    file = tmp_path / "shut.yaml"
    text = VM.read_text("utf-8")
    file.write_text(
        f"{text}network: {{ssh_source_ranges: []}}\n".replace("a2-highgpu-1g", "n2-standard-2, count: 2"),
        "utf-8",
    )
    done = clusterprint("logs", f"{file}{part}", "--serial", "--print")
    assert (done.stdout or done.stderr).removeprefix("gcloud compute instances ") == said
    assert "SSH is closed" in clusterprint("logs", f"{file}{part}", "--print").stderr


def test_printed_commands_are_not_run(clusterprint: Run, tmp_path: Path) -> None:
    none = StandIns(tmp_path / "bin", gcloud=[], kubectl=[])
    printed = {
        words: clusterprint(*words, "--print", env=none.first).stdout.strip()
        for words in (
            ("ssh", "first"),
            ("kubeconfig", str(BLUEPRINTS / "gke-smallest.yaml")),
            ("dashboard", str(RAY)),
            ("logs", str(BLUEPRINTS / "gke-mpi-hpl.yaml")),
        )
    }
    assert printed["ssh", "first"] == SHELL
    assert all(each.startswith(("gcloud ", "kubectl ")) for each in printed.values())
    assert none.calls == []


def test_without_the_program_the_command_is_said(clusterprint: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = clusterprint("ssh", "first", env={"PATH": str(tmp_path / "empty")})
    assert done.returncode == 3
    assert f"gcloud is not installed; the command is: {SHELL}" in done.stderr


def test_a_program_is_submitted_to_ray_while_a_way_is_open(
    clusterprint: Run, tmp_path: Path, unused_port: int
) -> None:
    programs = StandIns(tmp_path / "bin", kubectl=[], ray=[Answer("^job submit", "submitted\n", code=4)])
    (tmp_path / "bin" / "kubectl").write_text(FORWARD)
    words = ("submit", RAY, "--port", str(unused_port), "--", "python", "train.py")
    done = clusterprint(*words, env=programs.first)
    assert (done.returncode, done.stdout) == (4, "submitted\n")
    address = f"http://localhost:{unused_port}"
    assert programs.calls == [["ray", "job", "submit", "--address", address, "--", "python", "train.py"]]


def test_a_way_that_does_not_open_is_said(clusterprint: Run, tmp_path: Path, unused_port: int) -> None:
    refused = Answer("port-forward", err="error: context does not exist\n", code=1)
    programs = StandIns(tmp_path / "bin", kubectl=[refused], ray=[])
    done = clusterprint("submit", RAY, "--port", str(unused_port), "--", "x", env=programs.first)
    assert done.returncode == 3
    assert "context does not exist" in done.stderr
    assert "ended with 1" in done.stderr


def test_work_that_a_cluster_cannot_take_is_refused(clusterprint: Run) -> None:
    assert "give Ray a program" in clusterprint("submit", RAY).stderr
    gke = BLUEPRINTS / "gke-smallest.yaml"
    assert "give Kubernetes a job of the blueprint" in clusterprint("submit", gke, "--", "x").stderr
    assert "not a Kubernetes cluster" in clusterprint("submit", "first", "--", "x").stderr


HPL = BLUEPRINTS / "gke-mpi-hpl.yaml"
RUN = {
    "apiVersion": "kubeflow.org/v2beta1",
    "kind": "MPIJob",
    "metadata": {
        "name": "hpl-1",
        "uid": "7",
        "resourceVersion": "8",
        "labels": {"app.kubernetes.io/managed-by": "Helm", "kueue.x-k8s.io/queue-name": "team"},
        "annotations": {"meta.helm.sh/release-name": "workloads"},
    },
    "spec": {"slotsPerWorker": 2},
    "status": {"conditions": []},
}
# Notes what it is given to create, and calls that hpl-x7k2p.
TAKES = """\
#!/bin/sh
case "$*" in
  *" get "*) cat {folder}/run ;;
  *" create "*) cat > {folder}/created; echo mpijob.kubeflow.org/hpl-x7k2p ;;
esac
"""


@pytest.mark.parametrize("words", [(f"{HPL}/hpl",), (HPL, "hpl")])
def test_a_job_of_the_blueprint_runs_again_under_another_name(
    words: tuple[str, ...], clusterprint: Run, tmp_path: Path
) -> None:
    programs = StandIns(tmp_path / "bin", kubectl=[])
    (tmp_path / "bin/kubectl").write_text(TAKES.format(folder=tmp_path))
    (tmp_path / "run").write_text(json.dumps(RUN))
    done = clusterprint("submit", *words, env=programs.first)
    assert (done.returncode, done.stdout) == (0, "mpijob.kubeflow.org/hpl-x7k2p\n"), done.stderr
    labels = {"kueue.x-k8s.io/queue-name": "team"}
    assert json.loads((tmp_path / "created").read_text()) == {
        **{name: RUN[name] for name in ("apiVersion", "kind", "spec")},
        "metadata": {"generateName": "hpl-", "labels": labels},
    }
    (tmp_path / "run").write_text("")
    done = clusterprint("submit", *words, env=programs.first)
    assert done.returncode == 3
    assert "is not in the cluster" in done.stderr


def test_a_train_job_runs_again_wherever_its_queue_puts_it(clusterprint: Run, tmp_path: Path) -> None:
    programs = StandIns(tmp_path / "bin", kubectl=[])
    (tmp_path / "bin/kubectl").write_text(TAKES.format(folder=tmp_path))
    patches = [{"manager": "kueue.x-k8s.io/manager", "trainingRuntimeSpec": {}}]
    run = {**RUN, "kind": "TrainJob", "spec": {"runtimeRef": {"name": "tune-1"}, "runtimePatches": patches}}
    (tmp_path / "run").write_text(json.dumps(run))
    golden = GOLDENS / "gke-jobs.yaml"
    done = clusterprint("submit", f"{golden}/tune", env=programs.first)
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "created").read_text())["spec"] == {"runtimeRef": {"name": "tune-1"}}
    assert "spec: (.spec | del(.runtimePatches))" in clusterprint("submit", golden, "tune", "--print").stdout
    printed = clusterprint("logs", f"{golden}/tune", "--print").stdout
    assert "--selector=jobset.sigs.k8s.io/jobset-name=tune-" in printed
    assert "--container=node" in printed


def test_a_rerun_can_be_printed_and_names_the_jobs_that_there_are(clusterprint: Run) -> None:
    printed = clusterprint("submit", HPL, "hpl", "--print").stdout
    assert re.search(r"^kubectl --context=gke_\S+ --namespace=\S+ get mpijobs.kubeflow.org hpl-\S+ ", printed)
    assert " | jq '{apiVersion, kind, " in printed
    assert printed.endswith(" create --filename=-\n")
    assert (
        "there is no job 'hpx' in the blueprint; the jobs are hpl"
        in clusterprint("submit", f"{HPL}/hpx").stderr
    )
    assert "hpl runs again as it is" in clusterprint("submit", HPL, "hpl", "--file", "x.yaml").stderr
    ray = BLUEPRINTS / "ray-tpu-v6e.yaml"
    assert " get rayjobs.ray.io " in clusterprint("submit", ray, "hello", "--print").stdout


def test_a_blueprint_with_problems_is_not_reached(clusterprint: Run, tmp_path: Path) -> None:
    broken = tmp_path / "broken.yaml"
    broken.write_text(VM.read_text().replace("a2-highgpu-1g", "a2-nothing"))
    done = clusterprint("ssh", broken, "--print")
    assert done.returncode == 1
    assert done.stdout == ""
    assert "a2-nothing" in done.stderr


@pytest.fixture
def unused_port() -> int:
    import socket

    with socket.create_server(("localhost", 0)) as server:
        port: int = server.getsockname()[1]
        return port
