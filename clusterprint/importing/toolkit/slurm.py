"""Slurm: its controller, login nodes and sets of nodes become groups of machines, its partitions partitions.

Every machine runs the Slurm of its distribution, and its nodes are stopped where Slurm-GCP deletes them.
"""

import re
from copy import deepcopy
from typing import Any

from clusterprint import catalog
from clusterprint.importing.toolkit import machines
from clusterprint.importing.toolkit.deployment import Deployment
from clusterprint.importing.toolkit.expressions import Unresolved, module_of
from clusterprint.importing.toolkit.module import Module
from clusterprint.importing.toolkit.part import Part
from clusterprint.importing.toolkit.shape import accelerator, disk, label, smt
from clusterprint.importing.toolkit.volume import volume_name

CONTROLLER = "scheduler/schedmd-slurm-gcp-v6-controller"
LOGIN = "scheduler/schedmd-slurm-gcp-v6-login"
NODES = "compute/schedmd-slurm-gcp-v6-nodeset"
PARTITION = "compute/schedmd-slurm-gcp-v6-partition"
_ACCOUNTS = "database/slurm-cloudsql-federation"

# Modules that no blueprint has a counterpart for, so that the rest would be another cluster; and the way out.
_REFUSED = {
    "nodeset-tpu": (
        "machines of kind vm have no TPUs",
        "use pools of kind gke for the TPUs, and remove it here",
    ),
    "nodeset-dynamic": (
        "its nodes are created outside of the file",
        "write a group of node_groups in its place",
    ),
    "gcp-v5": ("Slurm-GCP before version 6 is not read", "write the modules of version 6"),
}
_NODESET = re.compile(r"[-_]*node[-_]?sets?(?![a-z])[-_]*")
_TIME = re.compile(r"(?:(\d+)-)?(\d+)(?::(\d+))?(?::(\d+))?")
_LONGEST_PARTITION = 30
# Models whose machines are where Google has them.
_PLACED = ("reservation", "flex_start")
_TIMES = ("resume_timeout", "suspend_timeout")
_RATES = "when nodes are started and stopped is settled here, but for the time that they are idle"
_HOOKS = "nodes examine their GPUs by themselves, and are drained with the reason"
# Settings that something else decides, by the reason.
_FOLLOW = {
    "names follow from the cluster's": "slurm_cluster_name name name_prefix",
    "MUNGE says who a user is; its key stays on the nodes": "enable_slurm_auth",
    "nodes go with the cluster": "enable_cleanup_compute",
    "start-up scripts have the time that they take": "controller_startup_scripts_timeout "
    "login_startup_scripts_timeout compute_startup_scripts_timeout",
    "queue and accounts of jobs are on the controller's boot disk, which is kept": "controller_state_disk",
    _HOOKS: "enable_external_prolog_epilog enable_chs_gpu_health_check_prolog "
    "enable_chs_gpu_health_check_epilog",
    "nodes register with the processors and GPUs that they have": "node_conf",
    "any image is taken": "instance_image_custom",
}
_ONE = "there is one controller, and its queue is on its boot disk"
# Settings of the controller that have no counterpart, by the reason.
_LOST = {
    "accounts of jobs are in MariaDB on the controller": "cloudsql",
    _ONE: "backup_zone static_ips",
    "bootstrap.slurm has limits and accounting": "slurm_conf_tpl slurmdbd_conf_tpl cgroup_conf_tpl",
}


def refused(deployment: Deployment) -> bool:
    """Whether a file of Slurm cannot be a blueprint, which is said of each module that is to blame."""
    before = len(deployment.work.findings)
    for module in deployment.modules:
        for found in (found for sort, found in _REFUSED.items() if sort in module.kind):
            _refuse(module, *found)
    for each in deployment.of(CONTROLLER)[1:]:
        _refuse(each, "a blueprint has one controller", "import each cluster from a file of its own")
    return len(deployment.work.findings) > before


def _refuse(module: Module, why: str, help_text: str) -> None:
    deployment = module.deployment
    deployment.work.say(module.at, "error", f"{module.id} ({module.kind}): {why}", help_text)


def controller(module: Module) -> None:
    """The machine that decides, with the database of jobs."""
    work = module.deployment.work
    script = (module, "controller_startup_script")
    found = _machine(module, ("controller", "c2-standard-4", 1), "enable_controller_public_ips", script)
    work.append(module.at, ("node_groups",), found)
    work.put(module.at, ("bootstrap", "slurm", "controller"), found["name"])
    work.put(module.at, ("bootstrap", "slurm", "accounting"), {})
    module.same("enable_backup_controller", False, why=_ONE)
    module.same("controller_ha_type", "zonal", why=_ONE)
    for why, names in _LOST.items():
        for name in names.split():
            module.lost(name, why)
    rates = ("no_comma_params", "resume_rate", "suspend_rate", "slurmd_timeout", *_TIMES)
    module.part("cloud_parameters").follows(_RATES, *rates)
    for name in ("prolog_scripts", "epilog_scripts", "task_prolog_scripts", "task_epilog_scripts"):
        for each in module.parts(name):
            each.lose("filename", each.get("filename"), f"({each.get('filename')}) is not run: {_HOOKS}")
            for key in ("content", "source"):
                each.raw(key)
    _mounts(module, "login_network_storage")
    module.refers("login_nodes")
    if module.deployment.of(LOGIN):
        module.refers("login_startup_script")


def login(module: Module) -> None:
    """Machines that people submit jobs from."""
    size = (str(module.get("name_prefix") or "login"), "c2-standard-4", module.get("num_instances", 1))
    owner = next(iter(module.deployment.of(CONTROLLER)), module)
    script = (owner, "login_startup_script")
    found = _machine(module, size, "enable_login_public_ips", script)
    module.deployment.work.append(module.at, ("node_groups",), found)


def nodes(module: Module) -> None:
    """A set of nodes: a group, or two where some of its nodes always run."""
    deployment = module.deployment
    partitions = [each for each in deployment.of(PARTITION) if each.has(module)]
    if not partitions:
        module.gone("no partition uses it")
        return
    name = str(module.get("name") or _NODESET.sub("-", module.id).strip("-_") or "nodes")
    static, dynamic = module.get("node_count_static", 0), module.get("node_count_dynamic_max", 10)
    size = (name, "c2-standard-60", static)
    found = _machine(module, size, "enable_public_ips", (module, "startup_script"))
    module.settle("node_conf")
    if not isinstance(static, int) or not isinstance(dynamic, int):
        deployment.work.say(module.at, "error", f"numbers of nodes of {module.id} are no numbers")
        return
    _placed(module, found, static)
    deployment.groups[module.id] = [*_sized(module, found, static, dynamic, min(map(_idle, partitions)))]


def _sized(module: Module, found: dict[str, Any], static: int, dynamic: int, idle: int) -> list[str]:
    """Write the groups of a set of nodes, and return their names."""
    work = module.deployment.work
    model = found.get("capacity", {}).get("model")
    machine = catalog.machine(found["machine_type"])
    has_disks = "local_ssd" in found or (machine is not None and machine.local_ssd.mode == "bundled")
    runs = (
        "flex-start machines are granted once"
        if model == "flex_start"
        else f"machines with local SSDs ({found['machine_type']}) are not stopped"
        if has_disks
        else "its partition keeps them"
        if idle < 0
        else ""
    )
    if dynamic and model == "reservation":
        work.decide(f"nodes of {found['name']} always run: reserved machines cost the same when stopped")
        groups = [{**found, "count": static + dynamic}]
    elif dynamic and runs:
        line, count = module.line("node_count_dynamic_max"), max(static, 1)
        message = f"node_count_dynamic_max of {module.id}: {count}, not up to {static + dynamic}, run: {runs}"
        help_text = "write into count how many are to run all the time"
        work.say(line, "loss", message, help_text)
        groups = [{**found, "count": count}]
    elif dynamic and static and len(module.deployment.of(NODES)) > 1:
        more = machines.group_name(module, f"{found['name'][:10].rstrip('-')}-more")
        groups = [found, {**deepcopy(found), "name": more, "count": dynamic}]
        work.append(module.at, ("bootstrap", "slurm", "power_saving", "groups"), more)
    elif dynamic:
        groups = [{**found, "count": static + dynamic}]
        if static:
            work.put(module.at, ("bootstrap", "slurm", "power_saving", "static"), static)
        work.append(module.at, ("bootstrap", "slurm", "power_saving", "groups"), found["name"])
    else:
        groups = [found]
    for each in groups:
        work.append(module.at, ("node_groups",), each)
    return [each["name"] for each in groups]


def partition(module: Module) -> None:
    """A partition of the nodes of its sets."""
    deployment = module.deployment
    owned = [each for each in deployment.of(NODES) if module.has(each)]
    named = [name for each in owned for name in deployment.groups.get(each.id, ())]
    if not named or not any(each.has(module) for each in deployment.of(CONTROLLER)):
        module.gone("it has no nodes" if not named else "no controller uses it")
        return
    wished = str(module.get("partition_name") or module.id)
    found: dict[str, Any] = {"name": label(wished, _LONGEST_PARTITION), "groups": named}
    if found["name"] != wished:
        deployment.work.decide(f"partition {wished} is called {found['name']}")
    if module.on("is_default"):
        found["default"] = True
    conf = module.part("partition_conf")
    _shared(module, conf, found)
    if limit := conf.get("MaxTime"):
        _limit(conf, str(limit), found)
    if tier := conf.get("PriorityTier"):
        found["priority"] = tier
    conf.same("State", "UP")
    why = "memory of a job that asks for none follows from the machines"
    conf.follows(why, "DefMemPerCPU", "DefMemPerGPU", "DefMemPerNode")
    conf.follows(_RATES, "ResumeTimeout", "SuspendTimeout")
    module.follows(_RATES, *_TIMES)
    _mounts(module, "network_storage")
    deployment.work.append(module.at, ("bootstrap", "slurm", "partitions"), found)


def _shared(module: Module, conf: Part, found: dict[str, Any]) -> None:
    shared = conf.get("OverSubscribe")
    if module.get("exclusive", default=True) is not False or shared == "EXCLUSIVE":
        found["exclusive"] = True
    elif shared not in (None, False, "NO"):
        conf.lose("OverSubscribe", shared)


def decide(deployment: Deployment) -> None:
    """Say what is the case of every Slurm that is imported."""
    work = deployment.work
    work.decide("Slurm is that of the packages of Ubuntu 24.04, without Pyxis, Enroot, Lmod and Apptainer")
    slurm = work.data["bootstrap"]["slurm"]
    if saves := slurm.get("power_saving"):
        work.decide("idle nodes are stopped, not deleted: disks cost money; they run when they are created")
        times = {idle for each in deployment.of(PARTITION) if (idle := _idle(each)) > 0}
        saves["idle"] = f"{max(times)}s" if max(times) % 60 else f"{max(times) // 60}m"
        if len(times) > 1:
            work.decide("all nodes are stopped after the longest of the times that partitions say")


def _idle(module: Module) -> int:
    """Seconds after which a partition stops nodes; negative: never."""
    found = module.part("partition_conf").get("SuspendTime", module.get("suspend_time", 300))
    return found if isinstance(found, int) and found else -1


def _limit(conf: Part, text: str, found: dict[str, Any]) -> None:
    """The longest run time of a job: minutes, M:S, H:M:S, D-H, D-H:M or D-H:M:S."""
    if text in ("UNLIMITED", "INFINITE"):
        return
    match = _TIME.fullmatch(text)
    if match is None:
        conf.lose("MaxTime", text)
        return
    days, *rest = ((None if each is None else int(each)) for each in match.groups())
    if days is None and None in rest:
        rest = [0, *rest[:2]]
    hours, minutes, seconds = (each or 0 for each in rest)
    total = ((days or 0) * 24 + hours) * 3600 + minutes * 60 + seconds
    found["max_time"] = f"{total}s" if total % 60 else f"{total // 60}m"


def _machine(
    module: Module, size: tuple[str, str, Any], public: str, script: tuple[Module, str]
) -> dict[str, Any]:
    """A group of machines of any sort; `size` is its name, its machine type by default, and its count."""
    machine_type = str(module.get("machine_type", size[1]))
    name = machines.group_name(module, size[0])
    found: dict[str, Any] = {"name": name, "machine_type": machine_type, "count": size[2]}
    _zones(module, found)
    found |= {"capacity": each} if (each := _capacity(module)) else {}
    _image(module, machine_type, found)
    found |= {"boot_disk": each} if (each := disk(module, machine_type)) else {}
    module.same("disk_auto_delete", True)
    accelerator(module, machine_type, found)
    kinds = [part.get("disk_type") for part in module.parts("additional_disks")]
    if {*kinds} == {"local-ssd"}:
        module.settle("additional_disks")
        found["local_ssd"] = {"count": len(kinds)}
    features = module.part("advanced_machine_features")
    asked = features.get("threads_per_core") if features else 1
    if (threads := smt(module, machine_type, asked)) is not None:
        found["threads_per_core"] = threads
    if module.get("enable_oslogin") is False:
        found["os_login"] = False
    if module.on(public):
        found["public_ip"] = True
    if module_of(module.refers("service_account_email")):
        module.follows("all nodes have the account of the cluster", "service_account_email")
    else:
        module.put("service_account_email", ("service_account", "email"))
    machines.scopes(module)
    machines.host(module, machine_type, found)
    machines.networks(module, machine_type)
    _metadata(module)
    help_text = "updates: {mode: security} has nodes install security updates"
    module.same("allow_automatic_updates", False, why="no node is updated", help_text=help_text)
    for why, names in _FOLLOW.items():
        module.follows(why, *names.split())
    _mounts(module, "network_storage")
    _script(*script, found)
    return found


def _zones(module: Module, found: dict[str, Any]) -> None:
    zones, zone = module.texts("zones"), module.get("zone")
    if len(zones) > 1:
        found["zones"] = zones
    elif (zone := next(iter(zones), zone)) and zone != module.deployment.variable("zone"):
        found["zone"] = zone


def _capacity(module: Module) -> dict[str, Any]:
    flex, name = module.part("dws_flex"), module.get("reservation_name")
    spot = module.on("enable_spot_vm") or module.on("preemptible")
    if flex.on("enabled"):
        seconds = flex.get("max_run_duration")
        return {"model": "flex_start"} | ({"max_run_duration": f"{seconds}s"} if seconds else {})
    if name:
        return {"model": "reservation", "reservation": name}
    return {"model": "spot"} if spot else {}


def _image(module: Module, machine_type: str, found: dict[str, Any]) -> None:
    """No image is taken over: the images of such modules have the programs of Slurm-GCP in them."""
    image = module.part("instance_image")
    shown = "/".join(str(image.raw(key)) for key in ("project", "family", "name") if image.raw(key))
    module.settle("instance_image")
    if not module.leaves_out("instance_image"):
        help_text = "image_build adds what else is in it; image takes one of Ubuntu 24.04 or Debian 12"
        why = f"{shown} has Slurm-GCP in it; here Slurm is installed on Ubuntu 24.04"
        module.lost("instance_image", why, help_text)
    machine = catalog.machine(machine_type)
    if machine and machine.network.rdma_nic == "IRDMA":
        found["image"] = {"project": "ubuntu-os-cloud", "family": "ubuntu-2404-lts-amd64"}
        message = f"{module.id}: Ubuntu has no driver for the RDMA interface of {machine_type}"
        help_text = "name an image of your own that has it, of Ubuntu 24.04 or Debian 12"
        module.deployment.work.say(module.at, "loss", message, help_text)


def _metadata(module: Module) -> None:
    metadata = module.part("metadata")
    metadata.follows("nodes have zonal names", "VmDnsSetting")
    for key in metadata.names:
        value = metadata.raw(key)
        if isinstance(value, str) and value.startswith("$("):
            metadata.lose(key, value, "is computed")
        elif key != "VmDnsSetting":
            module.deployment.work.put(metadata.line(key), ("metadata", key), value)


def _script(module: Module, name: str, found: dict[str, Any]) -> None:
    """The start-up script of machines: a module, or a text."""
    raw = module.refers(name)
    owner = module.deployment.named(module_of(raw))
    used = [] if name.startswith("login") else [*module.uses("scripts/startup-script")]
    for each in used if owner is None else [owner]:
        machines.startup(each, found)
    if owner is not None or not raw:
        return
    try:
        text = module.deployment.values.resolve(raw)
    except Unresolved:
        module.lost(name, "it is computed", "write its text into startup_script of the group")
    else:
        found["startup_script"] = {"inline": machines.script_of(text)}


def _mounts(module: Module, name: str) -> None:
    """Volumes of the file are mounted everywhere; other file systems are not."""
    for each in module.parts(name):
        where = str(each.get("local_mount", ""))
        owner = module.deployment.named(module_of(each.raw("server_ip")))
        volumes = module.deployment.work.data.get("storage", {}).get("volumes", [])
        volume = next((one for one in volumes if owner and one["name"] == volume_name(owner)), None)
        if volume is not None and where.startswith("/var/spool/"):
            each.lose("local_mount", where, f"({where}): the queue is on the boot disk of the controller")
            volumes.remove(volume)
        elif owner is not None:
            keys = ("server_ip", "remote_mount", "local_mount", "fs_type", "mount_options")
            each.follows("all nodes mount all volumes", *keys, "client_install_runner", "mount_runner")
            if volume is not None and where:
                volume["mount"] = where
            continue
        else:
            each.lose("local_mount", where, f"({where}) is that of a file system that is there")
        for key in ("server_ip", "remote_mount", "fs_type", "mount_options"):
            each.raw(key)


def _placed(module: Module, found: dict[str, Any], static: int) -> None:
    """Nodes that always run are placed together, as there; others are by job, which no group can be."""
    wanted, topology = module.get("enable_placement"), module.get("accelerator_topology")
    machine = catalog.machine(found["machine_type"])
    model = found.get("capacity", {}).get("model")
    if wanted is False:
        if machine and (machine.workload_policy or machine.network.nics > 1):
            found["placement"] = {"policy": "none"}
        module.same("accelerator_topology")
    elif machine and machine.workload_policy and topology:
        module.same("accelerator_topology", machine.workload_policy.accelerator_topology)
        found["placement"] = {"policy": "workload"}
    elif machine and machine.compact_placement and "zones" not in found and model not in _PLACED:
        if static:
            found["placement"] = {"policy": "compact"}
        else:
            module.deployment.work.decide(
                "nodes of one job are not placed together; placement: {policy: compact} places a group so"
            )


#: Handlers of the modules, in the order in which groups are written.
HANDLERS = {CONTROLLER: controller, LOGIN: login, NODES: nodes, PARTITION: partition}
