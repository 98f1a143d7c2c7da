"""`clusterprint jobs`, with programs of the clouds that write down how they were called, and simulated."""

import json
import re
from pathlib import Path

import pytest
from stand_ins import Answer, StandIns
from support import BLUEPRINTS, Run

from clusterprint.exit_codes import Code

GKE, VM = BLUEPRINTS / "gke-mpi-hpl.yaml", BLUEPRINTS / "vm-mpi-hpl.yaml"
KEY = (BLUEPRINTS / "cluster.pub").read_text().strip()
OWN = "hpl-9b95ebe4"
OF_CLUSTER = "--context=gke_my-gpu-project_us-east4_mpi-bench"
NO_KIND = 'error: the server doesn\'t have a resource type "x"'
STATUS = "run=hpl-1\nstate={}\nnode=hpl-1\nexit_status=\nmessage=\n"


def listed(*names_and_conditions: tuple[str, str]) -> Answer:
    items = [
        {
            "kind": "MPIJob",
            "metadata": {"name": name, "namespace": "default"},
            "status": {"conditions": [{"type": condition, "status": "True", "message": "said"}]},
        }
        for name, condition in names_and_conditions
    ]
    return Answer("get mpijobs", {"items": items})


def kubectl(folder: Path, *answers: Answer) -> StandIns:
    return StandIns(folder / "bin", kubectl=[*answers, Answer("get ", err=NO_KIND, code=1)])


def test_jobs_of_kubernetes_are_listed_with_their_names_in_the_blueprint(
    clusterprint: Run, tmp_path: Path
) -> None:
    real = kubectl(tmp_path, listed((OWN, "Running"), ("other", "Suspended")))
    done = clusterprint("jobs", "list", GKE, env=real.first)
    assert [line.split() for line in done.stdout.splitlines()] == [
        ["NAME", "KIND", "NAMESPACE", "STATE", "MESSAGE"],
        [OWN, "MPIJob", "default", "running", "said"],
        ["other", "MPIJob", "default", "queued", "said"],
    ]
    data = json.loads(clusterprint("jobs", "list", GKE, "--format", "json", env=real.first).stdout)
    assert [each["job"] for each in data["jobs"]] == ["hpl", ""]
    assert data["unknown"] == []
    one = clusterprint("jobs", "list", f"{GKE}/hpl", env=real.first).stdout
    assert len(one.splitlines()) == 2


def test_a_job_is_cancelled_only_when_that_is_confirmed(clusterprint: Run, tmp_path: Path) -> None:
    real = kubectl(tmp_path, listed((OWN, "Running"), ("done", "Succeeded")), Answer("delete ", "deleted"))
    delete = f"kubectl {OF_CLUSTER} --namespace=default delete mpijobs.kubeflow.org {OWN} --wait=false"
    assert clusterprint("jobs", "cancel", GKE, "hpl", env=real.first).returncode == Code.REFUSED
    assert clusterprint("jobs", "cancel", GKE, "hpl", "--print", env=real.first).stdout == f"{delete}\n"
    assert clusterprint("jobs", "cancel", GKE, "done", "--yes", env=real.first).returncode == Code.DONE
    assert not [each for each in real.calls if "delete" in each]
    done = clusterprint("jobs", "cancel", GKE, "hpl", "--yes", env=real.first)
    assert (done.returncode, real.calls[-1]) == (Code.DONE, delete.split())
    assert f"cancelled {OWN}\nto run it again, change it in the blueprint" in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["hpl-none"], "there is no job 'hpl-none'; the jobs are serving"),
        (["serving"], "serving serves without end: remove it from the blueprint, and run clusterprint up"),
        ([], "name one job: clusterprint jobs cancel CLUSTER NAME"),
    ],
)
def test_what_cannot_be_cancelled_is_refused(
    words: list[str], said: str, clusterprint: Run, tmp_path: Path
) -> None:
    item = {"kind": "LeaderWorkerSet", "metadata": {"name": "serving", "namespace": "default"}}
    real = kubectl(tmp_path, Answer("get leaderworkersets", {"items": [item]}))
    done = clusterprint("jobs", "cancel", GKE, *words, "--yes", env=real.first)
    assert (done.returncode, said in done.stderr) == (Code.WRONG_USAGE, True), done.stderr


def test_what_could_not_be_read_is_told(clusterprint: Run, tmp_path: Path) -> None:
    real = StandIns(tmp_path / "bin", kubectl=[Answer("", err="Unable to connect to the server", code=1)])
    done = clusterprint("jobs", "list", GKE, env=real.first)
    assert done.returncode == Code.FAILED
    assert "not known: mpijobs.kubeflow.org: kubectl: Unable to connect" in done.stderr


@pytest.mark.parametrize(("condition", "code"), [("Succeeded", Code.DONE), ("Failed", Code.PROBLEMS)])
def test_the_end_of_a_watched_job_is_the_exit_code(
    condition: str, code: Code, clusterprint: Run, tmp_path: Path
) -> None:
    real = kubectl(tmp_path, listed((OWN, condition)))
    done = clusterprint("jobs", "watch", f"{GKE}/hpl", env=real.first)
    assert (done.returncode, done.stdout) == (code, f"{OWN}: {condition.lower()} (said)\n")
    assert clusterprint("jobs", "watch", GKE, env=real.first).stdout == "no job runs or waits\n"


def test_a_job_that_goes_on_is_a_failure_after_the_timeout(clusterprint: Run, tmp_path: Path) -> None:
    real = kubectl(tmp_path, listed((OWN, "Running")))
    done = clusterprint("jobs", "watch", GKE, "--timeout", "0s", env=real.first)
    assert (done.returncode, "the time is up; the jobs go on" in done.stderr) == (Code.FAILED, True)


def test_runs_of_machines_are_read_from_their_bucket_and_ended_on_their_node(
    clusterprint: Run, tmp_path: Path
) -> None:
    real = StandIns(tmp_path / "bin", gcloud=[Answer("storage cat", STATUS.format("running")), Answer("ssh")])
    done = clusterprint("jobs", "list", VM, env=real.first)
    assert done.stdout.splitlines()[1].split()[1:] == ["Run", "-", "running"]
    assert clusterprint("jobs", "cancel", f"{VM}/hpl", "--yes", env=real.first).returncode == Code.DONE
    assert real.calls[-1][:4] == ["gcloud", "compute", "ssh", "hpl-1"]
    assert real.calls[-1][-7:] == ["--", "sudo", "pkill", "--uid", "clusterprint", "--exact", "timeout"]


def test_a_run_whose_nodes_wait_has_nothing_to_end(clusterprint: Run, tmp_path: Path) -> None:
    missing = Answer("storage cat", err="ERROR: gs://b/x not found: 404.", code=1)
    real = StandIns(tmp_path / "bin", gcloud=[missing])
    assert "queued" in clusterprint("jobs", "list", VM, env=real.first).stdout
    done = clusterprint("jobs", "cancel", VM, "hpl", "--yes", env=real.first)
    assert (done.returncode, "has not begun, so no node runs it" in done.stderr) == (Code.WRONG_USAGE, True)


def test_machines_without_jobs_are_told(clusterprint: Run) -> None:
    done = clusterprint("jobs", "list", BLUEPRINTS / "vmss-nc-dev.yaml")
    assert (done.returncode, "have no jobs" in done.stderr) == (Code.WRONG_USAGE, True)


# ---- Slurm

TEAM = BLUEPRINTS / "vm-login-compute.yaml"
CONTROLLER = [
    *("gcloud", "compute", "ssh", "team-login-0", "--project=my-gpu-project", "--zone=us-central1-f"),
    *("--tunnel-through-iap", "--"),
]
QUEUE = """\
7|RUNNING|gpu|2|ann|None|train | of ann
8_[1-4]|PENDING|gpu|1|bob|Priority|sweep
6|OUT_OF_MEMORY|interactive|1|bob|OutOfMemory|shell
"""


def slurm(folder: Path, queue: str = QUEUE) -> StandIns:
    return StandIns(folder / "bin", gcloud=[Answer("squeue", queue), Answer("scancel"), Answer("sbatch")])


def test_jobs_of_slurm_are_listed_and_ended_by_their_ids(clusterprint: Run, tmp_path: Path) -> None:
    real = slurm(tmp_path)
    done = clusterprint("jobs", "list", TEAM, "--format", "json", env=real.first)
    assert [(each["name"], each["state"], each["message"]) for each in json.loads(done.stdout)["jobs"]] == [
        ("7", "running", "train | of ann, of ann, in gpu, nodes: 2"),
        ("8_[1-4]", "queued", "sweep, of bob, in gpu, nodes: 1 (Priority)"),
        ("6", "failed", "shell, of bob, in interactive, nodes: 1 (OutOfMemory)"),
    ]
    assert clusterprint("jobs", "cancel", TEAM, "7", "--yes", env=real.first).returncode == Code.DONE
    assert real.calls[-1] == [*CONTROLLER, "scancel 7"]
    assert "failed" in clusterprint("jobs", "cancel", TEAM, "6", "--yes", env=real.first).stdout
    assert real.calls[-1][-1].startswith("squeue")


ACCOUNTS = """\
4|COMPLETED|0:0|1-02:03:04|team-compute-[0-1]|ann|gpu|train | of ann
5_2|CANCELLED by 1001|0:15|00:00:09|None assigned|bob|gpu|sweep
6|OUT_OF_MEMORY|0:125|00:10:00|team-login-0|bob|interactive|shell
7|RUNNING|0:0|00:10:00|team-compute-0|bob|gpu|more
"""
REMEMBERED = """\
JobId=9 ArrayJobId=8 ArrayTaskId=2 JobName=a UserId=b c UserId=ann(1001) GroupId=ann(1001) MCS_label=N/A \
JobState=NODE_FAIL Reason=NodeDown Dependency=(null) Requeue=1 ExitCode=1:0 RunTime=00:00:07 \
TimeLimit=UNLIMITED Partition=gpu AllocNode:Sid=x:1 ReqNodeList=(null) ExcNodeList=(null) \
NodeList=team-compute-0 NumNodes=1
JobId=10 JobName=more UserId=bob(1002) GroupId=bob(1002) JobState=PENDING Reason=Resources Requeue=1 \
ExitCode=0:0 \
RunTime=00:00:00 TimeLimit=UNLIMITED Partition=gpu AllocNode:Sid=x:1 ReqNodeList=(null) NodeList= NumNodes=1
"""


def test_ended_jobs_of_slurm_come_from_its_accounts(clusterprint: Run, tmp_path: Path) -> None:
    real = StandIns(tmp_path / "bin", gcloud=[Answer("sacct", ACCOUNTS)])
    done = clusterprint("jobs", "list", TEAM, "--ended", "--since", "30d", "--format", "json", env=real.first)
    data = json.loads(done.stdout)
    columns = ("name", "state", "exit_code", "elapsed", "node_list")
    assert [tuple(each[column] for column in columns) for each in data["jobs"]] == [
        ("4", "succeeded", "0:0", "1-02:03:04", "team-compute-[0-1]"),
        ("5_2", "stopped", "0:15", "00:00:09", "None assigned"),
        ("6", "failed", "0:125", "00:10:00", "team-login-0"),
    ]
    assert (data["source"], done.returncode) == ("sacct", Code.DONE)
    assert "--starttime=now-2592000seconds" in real.calls[0][-1]
    text = clusterprint("jobs", "list", f"{TEAM}/4", "--ended", env=real.first).stdout
    message = "exit code 0:0, 1-02:03:04 on team-compute-[0-1]: train | of ann, of ann, in gpu"
    assert f"4     SlurmJob  -          succeeded  {message}\nfrom the accounts of Slurm (sacct)" in text


def test_without_accounts_ended_jobs_come_from_the_memory_of_the_controller(
    clusterprint: Run, tmp_path: Path
) -> None:
    team = tmp_path / "team.yaml"
    team.write_text(re.sub("accounting: {}|, qos: one-each|    qos:(\n      - .*)+", "", TEAM.read_text()))
    real = StandIns(tmp_path / "bin", gcloud=[Answer("scontrol --oneliner show jobs", REMEMBERED)])
    done = clusterprint("jobs", "list", team, "--ended", env=real.first)
    assert done.stdout.splitlines()[1].endswith(
        "exit code 1:0, 00:00:07 on team-compute-0: a UserId=b c, of ann, in gpu"
    )
    assert done.stdout.splitlines()[1].split()[:4] == ["8_2", "SlurmJob", "-", "failed"]
    assert "from the memory of Slurm's controller (scontrol)" in done.stdout
    assert len(done.stdout.splitlines()) == 3
    (tmp_path / "none").mkdir()
    none = StandIns(tmp_path / "none/bin", gcloud=[Answer("scontrol", "No jobs in the system\n")])
    assert clusterprint("jobs", "list", team, "--ended", env=none.first).stdout.startswith(
        "no jobs\nfrom the"
    )


def test_another_list_than_one_of_ended_jobs_is_told(clusterprint: Run, tmp_path: Path) -> None:
    real = StandIns(tmp_path / "bin", gcloud=[Answer("sacct", "4|COMPLETED\n")])
    done = clusterprint("jobs", "list", TEAM, "--ended", env=real.first)
    assert (done.returncode, "Slurm: the controller did not list jobs: 4|COMPL" in done.stderr) == (3, True)


def test_ended_jobs_of_kubernetes_are_those_that_go_on_no_more(clusterprint: Run, tmp_path: Path) -> None:
    real = kubectl(tmp_path, listed((OWN, "Running"), ("done", "Succeeded")))
    done = clusterprint("jobs", "list", GKE, "--ended", env=real.first)
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["NAME", "done"]
    refused = clusterprint("jobs", "list", GKE, "--since", "1d", env=real.first)
    assert (refused.returncode, "give --ended, too" in refused.stderr) == (Code.WRONG_USAGE, True)


@pytest.mark.parametrize("queue", ["Welcome to this machine\n", "7|RUNNING\n"])
def test_lines_that_are_none_of_the_queue_are_told(queue: str, clusterprint: Run, tmp_path: Path) -> None:
    done = clusterprint("jobs", "list", TEAM, env=slurm(tmp_path, queue).first)
    assert (done.returncode, "Slurm: squeue did not answer with 7 columns" in done.stderr) == (
        Code.FAILED,
        True,
    )


def test_slurm_gets_a_script_on_standard_input_or_a_command(clusterprint: Run, tmp_path: Path) -> None:
    real = slurm(tmp_path)
    script = tmp_path / "train.sbatch"
    script.write_text("#!/bin/bash\nsrun hostname\n")
    done = clusterprint("submit", TEAM, "--file", script, "--", "--nodes=2", env=real.first)
    assert (done.returncode, real.calls[-1]) == (Code.DONE, [*CONTROLLER, "sbatch --nodes=2"])
    wrap = "srun hostname | sort; echo $HOME"
    assert clusterprint("submit", TEAM, "--wrap", wrap, env=real.first).returncode == Code.DONE
    assert real.calls[-1] == [*CONTROLLER, f"sbatch --wrap '{wrap}'"]
    shown = clusterprint("submit", TEAM, "--file", script, "--print", env=real.first).stdout
    assert shown == f"{' '.join(CONTROLLER)} sbatch < {script}\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "give Slurm a script (--file train.sbatch) or a command"),
        (["--file", "none.sbatch", "--wrap", "x"], "give Slurm a script"),
        (["--file", "none.sbatch"], "none.sbatch is not a file"),
        (["--file", "."], ". is not a file"),
        (["--file", "text"], "text is no script: its first line names no interpreter"),
        (["--file", "huge"], "huge has 4,194,305 bytes, and Slurm takes scripts of at most 4,194,304"),
        (["--wrap", "x", "--", "python"], "python is no option of sbatch"),
        (["--wrap", " "], "--wrap is empty"),
        (["--wrap", "x", "--", "--wrap=y"], "--wrap is an option of this command: write it before --"),
        (["--wrap", "x", "--working-dir", "."], "Slurm takes a script or a command"),
    ],
)
def test_what_slurm_would_refuse_is_not_sent(
    words: list[str], said: str, clusterprint: Run, tmp_path: Path
) -> None:
    (tmp_path / "text").write_text("srun hostname\n")
    (tmp_path / "huge").write_bytes(b"#!".ljust((4 << 20) + 1))
    real = slurm(tmp_path)
    done = clusterprint("submit", TEAM, *words, env=real.first, cwd=tmp_path)
    assert (done.returncode, said in done.stderr, real.calls) == (Code.WRONG_USAGE, True, []), done.stderr


def test_slurm_that_ssh_does_not_reach_gets_no_work(clusterprint: Run, tmp_path: Path) -> None:
    text = (BLUEPRINTS / "vmss-h200.yaml").read_text().replace("file: ./cluster.pub", f"inline: {KEY}")
    closed = tmp_path / "closed.yaml"
    closed.write_text(text.replace("ssh_source_ranges: [203.0.113.0/24]", "public_ip: false"))
    done = clusterprint("submit", closed, "--wrap", "x")
    assert (done.returncode, "kind vmss: head_node.public_ip" in done.stderr) == (Code.WRONG_USAGE, True)
    done = clusterprint("jobs", "list", closed)
    assert (done.returncode, "a public address of the head" in done.stderr) == (Code.WRONG_USAGE, True)


def test_a_command_for_slurm_needs_slurm(clusterprint: Run) -> None:
    done = clusterprint("submit", VM, "--wrap", "x")
    assert (done.returncode, "with bootstrap.slurm" in done.stderr) == (Code.WRONG_USAGE, True)


def test_results_of_slurm_are_where_slurm_keeps_them(clusterprint: Run) -> None:
    done = clusterprint("results", f"{TEAM}/7")
    assert (done.returncode, "Slurm keeps the output of job 7 itself" in done.stderr) == (
        Code.WRONG_USAGE,
        True,
    )


def test_the_log_of_a_job_is_its_output_on_the_controller(clusterprint: Run) -> None:
    shown = clusterprint("logs", f"{TEAM}/12_3", "--print", "-n", "5", "-f").stdout
    assert "scontrol show job 12_3" in shown
    assert 'tail -n 5 -f -- "$file"' in shown
    assert "setup.log" in clusterprint("logs", f"{TEAM}/compute-1", "--print").stdout


@pytest.mark.terraform
def test_simulated_jobs_of_slurm_wait_run_and_end(clusterprint: Run, tmp_path: Path) -> None:
    at = ("--simulate", tmp_path / "sim")
    assert clusterprint("up", *at, "--yes", TEAM).returncode == Code.DONE
    script = tmp_path / "train.sbatch"
    script.write_text("#!/bin/bash\n#SBATCH --job-name=train\n")
    for outcome in ("succeeded", "failed"):
        done = clusterprint("submit", *at, TEAM, "--file", script, "--outcome", outcome)
        assert done.stdout.startswith("Submitted batch job"), done.stderr
    clusterprint("submit", *at, TEAM, "--wrap", "sleep 9")
    status = clusterprint("status", *at, TEAM, "--no-drift").stdout
    assert "\n    interactive: 1 idle\n    gpu: 2 idle\n  SlurmJob 1: " in status
    (data,) = json.loads(clusterprint("status", *at, TEAM, "--no-drift", "--format", "json").stdout)[
        "clusters"
    ]
    assert data["slurm"]["partitions"]["gpu"]["idle"] == 2
    assert data["slurm"]["running"] + data["slurm"]["waiting"] == len(data["jobs"])
    assert clusterprint("jobs", "cancel", *at, TEAM, "3", "--yes").returncode == Code.DONE
    assert clusterprint("jobs", "watch", *at, TEAM).returncode == Code.PROBLEMS
    found = json.loads(clusterprint("jobs", "list", *at, TEAM, "--format", "json").stdout)["jobs"]
    assert [each["state"] for each in found] == ["succeeded", "failed", "stopped"]
    ended = clusterprint("jobs", "list", *at, TEAM, "--ended").stdout
    assert "2     SlurmJob  -          failed     exit code 1:0, 00:01:00 on simulated: train" in ended
    assert "simulated: failed on request" in clusterprint("logs", *at, f"{TEAM}/2").stdout
    assert clusterprint("logs", *at, f"{TEAM}/9").returncode == 1


@pytest.mark.terraform
def test_simulated_slurm_of_a_scale_set_answers_at_the_address_of_its_head(
    clusterprint: Run, tmp_path: Path
) -> None:
    at, file = ("--simulate", tmp_path / "sim"), BLUEPRINTS / "vmss-h200.yaml"
    assert clusterprint("jobs", "list", *at, file).returncode == Code.WRONG_USAGE  # it does not exist
    assert clusterprint("up", *at, "--yes", file).returncode == Code.DONE
    done = clusterprint("submit", *at, file, "--wrap", "sleep 9", "--", "--partition=debug")
    assert done.stdout.startswith("Submitted batch job 1"), done.stderr
    assert (
        "\n    train: 2 idle\n    debug: 2 idle\n  SlurmJob 1: "
        in clusterprint("status", *at, file, "--no-drift").stdout
    )
    assert "simulated" in clusterprint("logs", *at, f"{file}/1").stdout
    assert clusterprint("results", *at, f"{file}/1").returncode == Code.WRONG_USAGE
    printed = clusterprint("submit", *at, file, "--wrap", "hostname", "--print").stdout
    assert re.match(r"ssh azureuser@[0-9.]+ 'sbatch --wrap hostname'", printed)
    assert clusterprint("jobs", "cancel", *at, file, "1", "--yes").returncode == Code.DONE
    ended = clusterprint("jobs", "list", *at, file, "--ended").stdout
    assert "1     SlurmJob  -          stopped" in ended
    assert "from the accounts of Slurm" in ended
