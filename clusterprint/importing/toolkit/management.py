"""Components that Cluster Toolkit installs in clusters."""

import re

from clusterprint.importing.toolkit.expressions import module_of
from clusterprint.importing.toolkit.module import Module
from clusterprint.importing.toolkit.part import Part
from clusterprint.importing.toolkit.volume import volume_name

_PLUGIN = "NCCL's plug-in comes with the machines that need it, in our version"

_CHARTS = {
    "kueue": "kueue",
    "jobset": "jobset",
    "nvidia_dra_driver": "nvidia_dra",
    "cert_manager": "cert_manager",
}

# An amount of memory, as Kubernetes writes it.
_GIB = re.compile(r"([0-9]{1,4})Gi")

_TEMPLATE = "what fills a template in is lost with it"


def kubectl_apply(module: Module) -> None:
    """Kueue, JobSet and the like are fields; other manifests are lost."""
    for name, field in _CHARTS.items():
        _installed(module, name, field)
    gib = module.part("gib")
    if gib.on("install"):
        gib.follows(_PLUGIN, "path", "template_vars")
        module.deployment.work.decide("NCCL's plug-in for RDMA is installed with the machines that have it")
    asapd = module.part("asapd_lite")
    if asapd.on("install"):
        asapd.follows(
            "asapd-lite comes with the machines that need it", "config_path", "config_template_vars"
        )
    module.follows("what is installed follows from the machines", "target_architecture", "cluster_id")
    for each in module.parts("apply_manifests"):
        _manifest(module, each)


def _manifest(module: Module, each: Part) -> None:
    text = str(module.deployment.shown(each.raw("source") or "its content"))
    # How the file is filled in and applied goes with the file.
    settings = [key for key in ("content", "template_vars", "server_side_apply", "wait") if each.raw(key)]
    last = text.rsplit("/", maxsplit=1)[-1].replace("_", "-")
    if "nvidia-dra-driver" in last and module.part("nvidia_dra_driver").on("install"):
        each.follows("its namespace and quota come with NVIDIA's DRA driver", "source", *settings)
    elif "nccl" in last or "gib" in last or "nri-device-injector" in last:
        each.follows(_PLUGIN, "source", *settings)
    elif "mpi-operator" in last:
        module.deployment.work.put(each.line("source"), ("workloads", "mpi"), {})
        each.follows("the MPI operator is installed in our version", "source", *settings)
    elif not _checkpoints(module, each):
        help_text = "apply it with workloads.manifests, or by kubectl"
        message = f"manifest {text} of {module.id} is not carried over"
        module.deployment.work.say(each.line("source"), "loss", message, help_text)
        each.follows(_TEMPLATE, *settings)


def _checkpoints(module: Module, each: Part) -> bool:
    """Whether it says where checkpoints are kept, in a bucket of the file that can take them."""
    raw = each.raw("template_vars")
    found = raw if isinstance(raw, dict) else {}
    memory = _GIB.fullmatch(str(found.get("inMemoryVolumeSize")))
    bucket = module.deployment.named(module_of(found.get("cloudStorageBucketName")))
    if memory is None or bucket is None or not bucket.on("enable_hierarchical_namespace"):
        return False
    settings = each.part("template_vars")
    said = {"volume": volume_name(bucket), "memory_gb": int(memory[1])}
    for key in ("inMemoryVolumeSize", "cloudStorageBucketName"):
        settings.raw(key)
    module.deployment.work.put(settings.line("inMemoryVolumeSize"), ("workloads", "checkpoints"), said)
    each.follows("checkpoints are a field", "source", "server_side_apply", "wait")
    settings.follows("checkpoints are a field", "namespace")
    return True


def _installed(module: Module, name: str, field: str) -> None:
    part = module.part(name)
    if not part.on("install"):
        return
    work = module.deployment.work
    work.put(module.line(name), ("workloads", field), {})
    part.follows("charts have the version that was tried together", "version", "accelerator_type")
    part.follows("charts are waited for", "wait")
    part.follows("Kueue counts what each pool has", "enable_pathways_for_tpus")
    if not part.on("enable_dynamic_slicing_for_tpus"):
        part.follows("it is said for dynamic slices", "accelerator_topology_mode", "machine_type")
    else:
        part.lose("enable_dynamic_slicing_for_tpus", True)
    if part.raw("config_path"):
        part.follows(_TEMPLATE, "config_template_vars")
        message = f"{name}.config_path of {module.id}: queues are not read from a template"
        help_text = "name local_queues, topology_pools and priorities under workloads.kueue"
        work.say(part.line("config_path"), "loss", message, help_text)


def job_template(module: Module) -> None:
    """Writes a file for kubectl and makes nothing."""
    module.gone(
        "it only writes a manifest of a job",
        "workloads.jobsets runs jobs; kubectl applies what was written before",
    )


def dashboard(module: Module) -> None:
    """The dashboard of the machines."""
    module.follows("the dashboard follows from the machines", "title", "base_dashboard")
    module.deployment.work.put(module.at, ("monitoring", "dashboard"), value=True)
