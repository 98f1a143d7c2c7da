"""`compute/vm-instance` and the scripts that go with it."""

from typing import Any

from clusterprint import catalog
from clusterprint.importing.toolkit.expressions import module_of
from clusterprint.importing.toolkit.fabric import DATA_NETWORKS
from clusterprint.importing.toolkit.module import Module
from clusterprint.importing.toolkit.shape import accelerator, disk, label, smt

_LONGEST = 15
#: Who has Slurm on all machines has groups of machines.
SLURM = "scheduler/schedmd-slurm-gcp-v6-controller"
_INTERFACES = ("network_interfaces", "additional_networks")
_SCOPE = "https://www.googleapis.com/auth/cloud-platform"
_NO_UPDATES = "google_disable_automatic_updates"
_OURS = "names follow from the cluster's"


def instances(module: Module) -> None:
    """Machines: the nodes of a blueprint, or one group of them."""
    machine_type = str(module.get("machine_type", "c2-standard-60"))
    found: dict[str, Any] = {"machine_type": machine_type, "count": module.get("instance_count", 1)}
    found |= {"capacity": each} if (each := _capacity(module)) else {}
    found |= {"image": each} if (each := _image(module)) else {}
    found |= {"boot_disk": each} if (each := disk(module, machine_type)) else {}
    if module.get("auto_delete_boot_disk") is False:
        found.setdefault("boot_disk", {})["keep"] = True
    accelerator(module, machine_type, found)
    if machine_type.startswith(("n1-", "n2-", "n2d-", "c2-", "c2d-")):
        module.into(found, "local_ssd_count", "local_ssd", lambda count: {"count": count})
    else:
        module.off("local_ssd_count")
    module.same("local_ssd_interface", "NVME")
    threads = smt(module, machine_type, module.get("threads_per_core"))
    if threads is not None:
        found["threads_per_core"] = threads
    _access(module, found)
    _placement(module, found)
    host(module, machine_type, found)
    networks(module, machine_type)
    module.follows(_OURS, "name_prefix", "add_deployment_name_before_prefix")
    script = module.get("startup_script")
    if script:
        found["startup_script"] = {"inline": script_of(script)}
    for script_module in module.uses("scripts/startup-script"):
        startup(script_module, found)
    _write(module, found)


def _write(module: Module, found: dict[str, Any]) -> None:
    work = module.deployment.work
    kinds = (module.kind, SLURM)
    groups = [each for each in module.deployment.modules if each.kind in kinds]
    if module.get("allow_automatic_updates") is False:
        work.put(module.line("allow_automatic_updates"), ("metadata", _NO_UPDATES), "TRUE")
        if len(groups) > 1:
            work.decide(f"packages are not updated on any node, as {module.id} asks for")
    metadata = module.part("metadata")
    if len(groups) > 1:
        why, help_text = "it is that of all nodes here, and of one group there", "write it at the top level"
        if metadata:
            module.settle("metadata")
            module.lost("metadata", why, help_text)
        work.append(module.at, ("node_groups",), {"name": group_name(module, module.id), **found})
        return
    for key in metadata.names:
        work.put(metadata.line(key), ("metadata", key), metadata.get(key))
    script = found.pop("startup_script", None)
    for key, value in found.items():
        work.put(module.line(key) if key in module.settings else module.at, ("nodes", key), value)
    if script:
        work.put(module.line("startup_script"), ("startup_script",), script)


def group_name(module: Module, wished: str) -> str:
    """A name of a group that no other group has."""
    taken = {each["name"] for each in module.deployment.work.data.get("node_groups", ())}
    short = label(wished, _LONGEST)
    more = (f"{short[: _LONGEST - 3].rstrip('-')}-{number}" for number in range(2, 99))
    return next(each for each in (short, *more) if each not in taken)


def script_of(text: Any) -> str:
    """A text as a script."""
    script = str(text)
    return script if script.startswith("#!") else f"#!/bin/bash\n{script}\n"


def _capacity(module: Module) -> dict[str, Any]:
    name = module.get("reservation_name")
    if name:
        module.same("provisioning_model", "RESERVATION_BOUND", "STANDARD")
        module.off("spot")
        return {"model": "reservation", "reservation": name}
    model = module.get("provisioning_model")
    if module.on("spot") or model == "SPOT":
        return {"model": "spot"}
    if model == "FLEX_START":
        return {"model": "flex_start"}
    module.same("provisioning_model", "STANDARD", why=f"{model} needs a reservation here")
    return {}


def _image(module: Module) -> dict[str, Any]:
    if module.leaves_out("instance_image") and (what := _needs_apt(module)):
        module.deployment.work.decide(
            f"machines of {module.id} boot Ubuntu, as {what} is set up from its packages; "
            "they booted hpc-rocky-linux-8 where no image was named"
        )
        return {}
    image = module.part("instance_image")
    if module.deployment.of(SLURM):
        module.settle("instance_image")
        module.lost("instance_image", "all nodes have Ubuntu 24.04, from whose packages Slurm is installed")
        return {}
    found = {key: said for key in ("project", "family", "name") if (said := image.get(key))}
    module.follows("any image is taken", "instance_image_custom")
    return found


def _needs_apt(module: Module) -> str:
    """The settings of the file that work on Debian and Ubuntu only."""
    if module.deployment.of(SLURM):
        return "Slurm"
    volumes = module.deployment.work.data.get("storage", {}).get("volumes", [])
    kinds = {each["kind"] for each in volumes} & {"bucket", "lustre"}
    scripts = [*module.uses("scripts/startup-script")]
    agents = ("install_cloud_ops_agent", "install_stackdriver_agent")
    if any(each.on(name) for each in scripts for name in agents):
        return "the Ops Agent"
    return f"the mount of a {min(kinds)}" if kinds else ""


def _access(module: Module, found: dict[str, Any]) -> None:
    hidden = module.get("disable_public_ips")
    if hidden is None:
        module.deployment.work.decide(
            "nodes have no public addresses, which they had by default; public_ip: true gives them some"
        )
    elif not hidden:
        found["public_ip"] = True
    login = module.get("enable_oslogin")
    if login in ("ENABLE", "DISABLE"):
        found["os_login"] = login == "ENABLE"
    else:
        module.same("enable_oslogin")
    module.put("service_account_email", ("service_account", "email"))
    scopes(module)


def scopes(module: Module) -> None:
    """The most that the account of a machine may do: roles say so here."""
    if module.get("service_account_scopes") not in (None, [_SCOPE]):
        module.lost("service_account_scopes", "nodes have the rights of their account's roles, in all scopes")


def _placement(module: Module, found: dict[str, Any]) -> None:
    raw = module.refers("placement_policy")
    if isinstance(raw, str) and module_of(raw):
        target = module.deployment.named(module_of(raw))
        if target is not None:
            module.follows("machines and slices are placed by their shape", "placement_policy")
            return
    if isinstance(raw, str):
        module.lost("placement_policy", "it is computed")
        return
    part = module.part("placement_policy")
    if not part:
        return
    if (how := part.get("collocation")) == "COLLOCATED":
        machine = catalog.machine(found["machine_type"])
        alike = "workload" if machine and machine.workload_policy else "compact"
        found["placement"] = {"policy": alike}
    elif how is not None:
        part.lose("collocation", how)
    part.same("vm_count", found["count"])
    machine = catalog.machine(found["machine_type"])
    if machine and machine.workload_policy:
        part.same("gpu_topology", machine.workload_policy.accelerator_topology)


def host(module: Module, machine_type: str, found: dict[str, Any]) -> None:
    """The maintenance behavior: as the machine type allows."""
    machine = catalog.machine(machine_type)
    stays = (
        machine is not None and machine.live_migration and not {"placement", "guest_accelerator"} & {*found}
    )
    stays = stays and found.get("capacity", {}).get("model") != "spot"
    module.same("on_host_maintenance", "MIGRATE" if stays else "TERMINATE")
    module.same("automatic_restart", found.get("capacity", {}).get("model") not in ("spot", "flex_start"))


def networks(module: Module, machine_type: str) -> None:
    """Networks of machines come with their type, others are lost."""
    module.same("bandwidth_tier", "not_enabled", "gvnic_enabled", "platform_default")
    if machine_type.startswith(DATA_NETWORKS):
        module.follows("networks of nodes come with their machines", *_INTERFACES)
    for name in _INTERFACES:
        if module.says(name) and not machine_type.startswith(DATA_NETWORKS):
            module.lost(name, f"{machine_type} gets one network, that of the cluster")
    if module_of(module.refers("subnetwork_self_link")) or module_of(module.refers("network_self_link")):
        module.follows("nodes are in the network of the cluster", "network_self_link", "subnetwork_self_link")
    else:
        module.same("network_self_link")
        module.same("subnetwork_self_link")


def script(module: Module) -> None:
    """A script module: machines that use it read it, and an image that Packer builds is lost with it."""
    users = [each for each in module.deployment.modules if module.id in each.use]
    if users and all(each.kind.startswith("packer/") for each in users):
        module.gone("it sets up an image that Packer builds", "nodes.image_build builds one from a script")


def startup(module: Module, found: dict[str, Any]) -> None:
    """A script module, into the machines that use it."""
    work = module.deployment.work
    if module.says("configure_ssh_host_patterns"):
        work.put(module.line("configure_ssh_host_patterns"), ("cluster", "ssh"), value=True)
        why = "ssh is set up between all nodes, whatever they are called"
        module.follows(why, "configure_ssh_host_patterns")
    docker = module.part("docker")
    if module.on("install_docker") or docker.on("enabled"):
        found["docker"] = True
    for name in ("install_cloud_ops_agent", "install_stackdriver_agent"):
        if module.get(name) is not None:
            work.put(module.line(name), ("monitoring", "ops_agent"), module.on(name))
    machine = catalog.machine(str(found["machine_type"]))
    if machine and machine.network.rdma_nic == "IRDMA":
        why = "libfabric is set up on nodes that have an RDMA interface"
        module.follows(why, "set_ofi_cloud_rdma_tunables")
    _scratch(module, found)
    module.follows("runners are not carried over, and so need nothing", "install_ansible")
    runners = module.refers("runners")
    for number, each in enumerate(runners if isinstance(runners, list) else []):
        owner = module.deployment.named(module_of(each))
        if owner is not None and owner.kind.startswith("file-system/"):
            module.deployment.follows(
                "nodes mount volumes by themselves", f"{each} of runners of {module.id}"
            )
            continue
        what = each.get("destination") or each.get("type") if isinstance(each, dict) else each
        place = (*module.place, "settings", "runners", number)
        message = f"runner {what} of {module.id} is not carried over"
        work.say(module.source.at(place), "loss", message, "write it into startup_script, or among files")


def _scratch(module: Module, found: dict[str, Any]) -> None:
    """Local SSDs as one file system, which everybody writes to."""
    part = module.part("local_ssd_filesystem")
    if mount := part.get("mountpoint"):
        found["scratch"] = {"mount": mount}
        part.same("fs_type", "ext4")
        part.same("permissions", "1777")


def wait(module: Module) -> None:
    """Waiting for the end of start-up scripts."""
    module.follows("all nodes are waited for", "instance_name", "instance_names")
    seconds = module.get("timeout", 1200)
    module.deployment.work.put(module.at, ("wait",), {"until": "ready", "timeout": f"{seconds}s"})
