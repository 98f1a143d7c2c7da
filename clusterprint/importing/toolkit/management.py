"""What is installed in clusters."""

from typing import Any

from clusterprint.importing.toolkit.module import Module


def kubectl_apply(module: Module) -> None:
    """Kueue, JobSet and the like are fields; other manifests are lost."""
    module.follows("cluster_id", "project_id")
    _installed(module, "kueue", "kueue")
    _installed(module, "jobset", "jobset")
    _installed(module, "nvidia_dra_driver", "nvidia_dra")
    gib = module.raw("gib")
    if gib:
        module.deployment.work.decide("NCCL's plug-in for RDMA is installed with the machines that have it")
    manifests = module.raw("apply_manifests")
    for number, each in enumerate(manifests if isinstance(manifests, list) else []):
        text = str(each.get("source") or "content") if isinstance(each, dict) else str(each)
        place = (*module.place, "settings", "apply_manifests", number)
        if "nccl" in text or "gib" in text:
            module.deployment.work.decide(
                "NCCL's plug-in for RDMA is installed with the machines that have it"
            )
        elif "mpi-operator" in text:
            module.deployment.work.put(module.source.at(place), ("workloads", "mpi"), {})
        else:
            help_text = "apply it with workloads.manifests, or by kubectl"
            message = f"manifest {text} of {module.id} is not carried over"
            module.deployment.work.say(module.source.at(place), "loss", message, help_text)


def _installed(module: Module, name: str, field: str) -> None:
    raw = module.raw(name)
    if not isinstance(raw, dict) or not raw.get("install"):
        return
    line = module.line(name)
    found: dict[str, Any] = {}
    module.deployment.work.put(line, ("workloads", field), found)
    if raw.get("version"):
        message = f"{name} of {module.id} is pinned to {raw['version']}; ours is taken"
        module.deployment.work.decide(message)
    if raw.get("config_path"):
        message = f"{name}.config_path of {module.id}: queues are not read from a template"
        help_text = "name local_queues, topology_pools and priorities under workloads.kueue"
        module.deployment.work.say(line, "loss", message, help_text)


def job_template(module: Module) -> None:
    """Writes a file for kubectl and makes nothing."""
    module.gone(
        "it only writes a manifest of a job",
        "workloads.jobsets runs jobs; kubectl applies what was written before",
    )


def dashboard(module: Module) -> None:
    """The dashboard of the machines."""
    module.follows("title", "base_dashboard", "project_id", "deployment_name", "labels")
    module.deployment.work.put(module.at, ("monitoring", "dashboard"), value=True)
