"""Resolved workloads of a cluster: runs, commands, networks, namespaces."""

from typing import Any

import pytest
from unit.conftest import POOLS, Inside

from clusterprint.plan.gke.mpi import MpiJobPlan
from stacks.gke.jobset import train_job, training_runtime

JOB = "name: hpl, image: my/hpl:v1, workers: 3, command: [xhpl]"


def test_nothing_inside_is_no_stack(inside: Inside) -> None:
    assert inside.plan(POOLS) is None
    assert inside.plan(f"{POOLS}workloads: {{}}\n") is None


@pytest.mark.parametrize(
    "body",
    [
        f"{POOLS}compute_classes: [{{name: batch, prefer: [cpu]}}]\n",
        f"{POOLS}workload_identity: [{{name: trainer, roles: [roles/pubsub.publisher]}}]\n",
        "node_pools: [{name: gpus, machine_type: a3-megagpu-8g, count: 2, capacity: {model: spot}}]\n",
    ],
    ids=["compute class", "service account", "GPU networks"],
)
def test_what_the_cluster_brings_is_something_inside(inside: Inside, body: str) -> None:
    assert inside.plan(body) is not None


# ---- runs


def test_what_is_said_or_left_out_makes_no_other_run(inside: Inside) -> None:
    names = {
        inside.job(job).name
        for job in (JOB, f"{JOB}, retries: 0", f"{JOB}, ssh_user: root", f"{JOB}, clean_pods: running")
    }
    assert len(names) == 1
    assert names.pop().startswith("hpl-")


@pytest.mark.parametrize(
    "change", ["retries: 1", "env: {A: b}", "run: again", "slots_per_worker: 2", "time_limit: 1h"]
)
def test_whatever_changes_is_another_run(inside: Inside, change: str) -> None:
    assert inside.job(f"{JOB}, {change}").name != inside.job(JOB).name


def test_the_content_of_a_file_counts_not_its_date(inside: Inside) -> None:
    job = f"{JOB}, files: [{{source: ./HPL.dat, destination: /data/HPL.dat}}]"
    names = []
    for content in ("one", "two", "one"):
        (inside.folder / "HPL.dat").write_text(content)
        names.append(inside.job(job).name)
    assert names[0] == names[2] != names[1]


def test_files_of_one_name_get_keys_of_their_own(inside: Inside) -> None:
    for folder in ("a", "b"):
        (inside.folder / folder).mkdir()
        (inside.folder / folder / "in@put.dat").write_text(folder)
    (inside.folder / "b" / "raw").write_bytes(b"\xff")
    files = "{source: ./a, destination: /x/a}, {source: ./b, destination: /x/b}"
    plan = inside.job(f"{JOB}, files: [{files}]").files
    assert plan is not None
    assert plan.destinations == {
        "in_put.dat": "/x/a/in@put.dat",
        "b.in_put.dat": "/x/b/in@put.dat",
        "raw": "/x/b/raw",
    }
    assert plan.texts == {"in_put.dat": "a", "b.in_put.dat": "b"}
    assert plan.binaries == {"raw": "/w=="}


# ---- commands


def program(job: MpiJobPlan) -> list[str]:
    """The command of the launcher, after the script that waits for workers."""
    shell, _, _, *arguments = job.launcher.command
    assert (shell, arguments[:2]) == ("/bin/sh", ["launch", "/etc/mpi/hostfile"])
    return arguments[4:]


@pytest.mark.parametrize(
    ("more", "command"),
    [
        ("slots_per_worker: 2", ["mpirun", "--allow-run-as-root", "-np", "6", "xhpl"]),
        ("ssh_user: mpi, env: {A: b}", ["mpirun", "-np", "3", "-x", "A", "xhpl"]),
        ("implementation: intel, env: {A: b, C: d}", ["mpirun", "-np", "3", "-genvlist", "A,C", "xhpl"]),
        (
            "mpirun_options: [--bind-to, core], ssh_user: mpi",
            ["mpirun", "-np", "3", "--bind-to", "core", "xhpl"],
        ),
    ],
)
def test_mpirun_is_derived(inside: Inside, more: str, command: list[str]) -> None:
    assert program(inside.job(f"{JOB}, {more}")) == command


GPUS = (
    "node_pools: [{name: gpus, machine_type: a4-highgpu-8g, count: 3, capacity: {model: spot}, "
    "zones: [us-central1-b]}]\n"
)


@pytest.mark.parametrize(
    ("more", "layers"),
    [
        ("", ["btl_tcp", "oob_tcp"]),
        (", mpirun_options: [--mca, btl_tcp_if_exclude, lo]", ["oob_tcp"]),
        (", env: {OMPI_MCA_btl_tcp_if_exclude: lo}", ["oob_tcp"]),
        (", env: {OMPI_MCA_oob_tcp_if_exclude: eth1}", ["btl_tcp"]),
        (", implementation: mpich", []),
    ],
)
def test_open_mpi_stays_off_the_networks_between_gpus(inside: Inside, more: str, layers: list[str]) -> None:
    words = program(inside.job(JOB + more, GPUS))
    included = [word for word in words if word.endswith("_if_include")]
    assert included == [f"{layer}_if_include" for layer in layers]
    assert words.count("eth0") == len(layers)
    assert "eth0" not in program(inside.job(JOB + more)), "the only interface there is"


def test_the_launcher_knows_the_port_and_asks_for_little(inside: Inside) -> None:
    job = inside.job(f"{JOB}, ssh_port: 2222, launcher_node_pool: system")
    assert job.workers.ssh_port == 2222
    assert job.launcher.command[5:7] == ("2222", "300")
    assert job.launcher.env["OMPI_MCA_plm_rsh_agent"].startswith("ssh -p 2222 ")
    assert job.launcher.nodes == {"cloud.google.com/gke-nodepool": "system"}
    assert (job.launcher.requests, job.launcher.limits) == ({"cpu": "250m", "memory": "256Mi"}, {})
    asked = inside.job(f"{JOB}, launcher_cpus: 1, launcher_memory_gb: 2, launcher_node_pool: cpu").launcher
    assert (asked.requests, asked.limits) == ({"cpu": "1", "memory": "2Gi"}, {"memory": "2Gi"})
    assert [each.key for each in asked.tolerations] == ["clusterprint/mpi-workers"]
    own = inside.job(f"{JOB}, env: {{OMPI_MCA_plm_rsh_agent: my-ssh}}").launcher
    assert "OMPI_MCA_plm_rsh_agent" not in own.env, "what the job says wins"
    assert own.env["PRTE_MCA_prte_default_hostfile"] == "/etc/mpi/hostfile", (
        "the operator names it for version 4"
    )


def test_a_queue_is_not_asked_for_the_launcher(inside: Inside) -> None:
    queue = "kueue: {local_queues: [{name: q}]}"
    plan = inside.plan(f"{POOLS}workloads: {{{queue}, mpi: {{jobs: [{{{JOB}, queue: q}}]}}}}\n")
    assert plan is not None
    assert plan.mpi is not None
    assert plan.mpi.jobs[0].launcher.requests == {}


def test_the_operator_gives_workers_whole_names(inside: Inside) -> None:
    plan = inside.plan(f"{POOLS}workloads: {{mpi: {{}}}}\n")
    assert plan is not None
    assert plan.mpi is not None
    assert "--cluster-domain=cluster.local" in plan.mpi.operator.args


def test_on_gpus_there_is_a_process_for_each_and_nccl_finds_its_networks(inside: Inside) -> None:
    job = inside.job(JOB, GPUS)
    assert (job.slots, job.workers.gpus) == (8, 8)
    assert program(job)[:4] == ["mpirun", "--allow-run-as-root", "-np", "24"]
    assert program(job)[-3:] == ["with-profile", "/usr/local/gib/scripts/set_nccl_env.sh", "xhpl"]
    assert job.workers.fabric is not None
    assert job.workers.fabric.networks == ("host", *(f"rdma-b-{index}" for index in range(8)))
    assert [each.key for each in job.workers.tolerations] == ["nvidia.com/gpu"]


# ---- the rest


def test_networks_of_several_zones_have_the_zone_in_their_name(inside: Inside) -> None:
    pool = "machine_type: a3-ultragpu-8g, count: 2, capacity: {model: spot}"
    plan = inside.plan(
        "node_pools:\n"
        f"  - {{name: one, {pool}, zones: [us-central1-b]}}\n"
        f"  - {{name: other, {pool}, zones: [us-central1-c]}}\n"
    )
    assert plan is not None
    names = [each.name for each in plan.networks]
    assert len(names) == len(set(names)) == 17
    assert {"host", "rdma-b-0", "rdma-c-7"} <= set(names)


def test_namespaces_that_are_named_are_made_unless_they_are_there_or_brought(inside: Inside) -> None:
    objects: Any = [("Namespace", "batch", ""), ("ConfigMap", "a", "batch"), ("ConfigMap", "b", "gmp-public")]
    objects += [("ConfigMap", "c", "research"), ("ConfigMap", "d", "default")]
    texts = [
        f"apiVersion: v1\\nkind: {kind}\\nmetadata: {{name: {name}, namespace: {home or '~'}}}\\n"
        for kind, name, home in objects
    ]
    inline = "---\\n".join(texts)
    plan = inside.plan(f'{POOLS}workloads: {{jobset: {{}}, manifests: [{{inline: "{inline}"}}]}}\n')
    assert plan is not None
    assert plan.namespaces == ("jobset-system", "research")


# ---- JobSets

SLICES = """\
node_pools: [{name: v6e, machine_type: ct6e-standard-4t, tpu: {topology: 4x4, slices: 3}}]
workloads:
  jobset: {}
  jobsets: [{name: train, image: "my/jax:v1", command: [train]}]
"""


def test_a_jobset_on_slices_has_a_replica_for_each_and_a_pod_for_each_host(inside: Inside) -> None:
    plan = inside.plan(SLICES)
    assert plan is not None
    (job,) = plan.jobsets
    assert (job.replicas, job.pods, job.exclusive) == (3, 4, "cloud.google.com/gke-nodepool")
    assert job.pod.limits == {"google.com/tpu": "4"}
    assert job.pod.env["MASTER_ADDR"] == f"{job.name}-workers-0-0.{job.name}"
    assert plan.outputs.runs == {"train": job.name}


def test_what_a_blueprint_says_of_a_variable_wins(inside: Inside) -> None:
    plan = inside.plan(
        SLICES.replace("command: [train]", "command: [train], env: {REPLICAS: x, REPLICA_INDEX: y}")
    )
    assert plan is not None
    (job,) = plan.jobsets
    assert (job.pod.env["REPLICAS"], job.pod.env["REPLICA_INDEX"]) == ("x", "y")
    assert job.pod.fields == {}


# ---- TrainJobs

ON_NODES = "node_pools: [{{name: a, {pool}}}]\nworkloads:\n  jobset: {{}}\n  trainer: {{}}\n"
PROGRAM = 'name: llm, image: "my/t:v1", command: [train]'


@pytest.mark.parametrize(
    ("pool", "more", "pods", "trainer"),
    [
        ("machine_type: n2-standard-8", "", 1, ("torch", 1)),
        ("machine_type: g2-standard-24, count: 4", "nodes: 3", 3, ("torch", 2)),
        ("machine_type: g2-standard-24, count: 4", "processes_per_node: 1", 1, ("torch", 1)),
        ("machine_type: g2-standard-24", "runtime: xgboost-distributed", 1, ("xgboost", 0)),
        (
            "machine_type: ct6e-standard-4t, tpu: {topology: 4x4}",
            "runtime: jax-distributed",
            4,
            ("jax", 0),
        ),
    ],
)
def test_a_train_job_has_a_pod_per_node_and_a_process_per_gpu(
    inside: Inside, pool: str, more: str, pods: int, trainer: tuple[str, int]
) -> None:
    job = ", ".join(filter(None, (PROGRAM, more)))
    plan = inside.plan(ON_NODES.format(pool=pool) + f"  train_jobs: [{{{job}}}]\n")
    assert plan is not None
    (made,) = plan.jobsets
    assert made.trainer is not None
    assert (made.replicas, made.pods, made.container, made.job) == (1, pods, "node", "node")
    assert (made.trainer.policy, made.trainer.processes) == trainer
    assert plan.outputs.runs == {"llm": made.name}
    assert [chart.name for chart in plan.charts] == ["jobset", "kubeflow-trainer"]


def test_trainer_finds_the_pods_that_it_adds_to(inside: Inside) -> None:
    """It takes a job by its label, and a container by its name; anything else is refused."""
    pool = "machine_type: ct6e-standard-4t, tpu: {topology: 4x4, slices: 2}"
    plan = inside.plan(ON_NODES.format(pool=pool) + f"  train_jobs: [{{{PROGRAM}, retries: 2}}]\n")
    assert plan is not None
    (made,) = plan.jobsets
    assert made.trainer is not None
    runtime, run = training_runtime(made, made.trainer), train_job(made, made.trainer)
    assert run["spec"]["runtimeRef"] == {"kind": runtime["kind"], "name": runtime["metadata"]["name"]}
    template = runtime["spec"]["template"]
    # One slice for the job, as for each replica of a JobSet.
    assert set(template["metadata"]["annotations"].values()) == {"cloud.google.com/gke-nodepool"}
    (job,) = template["spec"]["replicatedJobs"]
    assert (job["name"], job["replicas"]) == ("node", 1)
    assert job["template"]["metadata"]["labels"] == {"trainer.kubeflow.org/trainjob-ancestor-step": "trainer"}
    (container,) = job["template"]["spec"]["template"]["spec"]["containers"]
    assert container["name"] == "node"
    assert run["spec"]["trainer"]["numNodes"] == job["template"]["spec"]["parallelism"] == 4
    assert template["spec"]["failurePolicy"] == {"maxRestarts": 2}


# ---- charts


def test_values_are_laid_over_those_of_the_catalog(inside: Inside) -> None:
    plan = inside.plan("""\
node_pools: [{name: cpu, machine_type: n2-standard-8}]
workloads:
  nvidia_dra: {values: {inline: "resources: {computeDomains: {enabled: true}}\\nnvidiaDriverRoot: /opt\\n"}}
""")
    assert plan is not None
    (chart,) = plan.charts
    assert chart.values["resources"] == {"gpus": {"enabled": False}, "computeDomains": {"enabled": True}}
    assert chart.values["nvidiaDriverRoot"] == "/opt"
    assert "kubeletPlugin" in chart.values
