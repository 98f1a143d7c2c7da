"""Slurm: its controller, login nodes and sets of nodes become groups of machines, its partitions partitions.

Every machine runs the Slurm of its distribution, and its nodes are stopped where Slurm-GCP deletes them.
"""

import re
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

# Modules that no blueprint has a counterpart for, so that the rest would be another cluster.
_REFUSED = {
    f"{NODES}-tpu": (
        "machines of kind vm have no TPUs",
        "pools of kind gke have them, and Kueue queues their jobs; remove the module and its partition",
    ),
    f"{NODES}-dynamic": (
        "its nodes are created outside of the file",
        "write a group of node_groups for them, and remove the module and its partition",
    ),
}
_OLD = re.compile(r"schedmd-slurm-(on-gcp|gcp-v5)")

_LONGEST_PARTITION = 30
_NODESET = re.compile(r"[-_]*node[-_]?sets?(?![a-z])[-_]*")
_TIME = re.compile(r"(?:(\d+)-)?(\d+)(?::(\d+))?(?::(\d+))?")
_TIMES = ("resume_timeout", "suspend_timeout")
_RATES = "when nodes are started and stopped is settled here, but for the time that they are idle"
_UNTOLD = "memory of a job that asks for none follows from the machines"
_NAMES = "names follow from the cluster's"
_MOUNTS = "all nodes mount all volumes"
_ONE_ACCOUNT = "all nodes have the account of the cluster"
_DNS = "VmDnsSetting"
_CONF = "slurm.conf is written here: bootstrap.slurm has partitions, limits and accounting"
_SCRIPTS = "nodes examine their GPUs by themselves, and are drained with the reason"
_IDLE = 300


def refused(deployment: Deployment) -> bool:
    """Whether a file of Slurm cannot be a blueprint, which is said of each module that is to blame."""
    before = len(deployment.work.findings)
    for module in deployment.modules:
        if found := _REFUSED.get(module.kind):
            _refuse(module, *found)
        elif _OLD.search(module.kind):
            _refuse(module, "Slurm-GCP before version 6 is not read", "write the modules of version 6")
    for each in deployment.of(CONTROLLER)[1:]:
        _refuse(each, "a blueprint has one controller", "import each cluster from a file of its own")
    return len(deployment.work.findings) > before


def _refuse(module: Module, why: str, help_text: str) -> None:
    deployment = module.deployment
    deployment.work.say(module.at, "error", f"{module.id} ({module.kind}): {why}", help_text)


def controller(module: Module) -> None:
    """The machine that decides, with the database of jobs."""
    work = module.deployment.work
    found = _machine(module, "controller", "c2-standard-4", 1)
    _public(module, found, "enable_controller_public_ips")
    _script(module, found, "controller_startup_script")
    work.append(module.at, ("node_groups",), found)
    work.put(module.at, ("bootstrap", "slurm", "controller"), found["name"])
    work.put(module.at, ("bootstrap", "slurm", "accounting"), {})
    why = "the queue and the accounts of jobs are on the boot disk of the controller, which is kept"
    module.follows(why, "controller_state_disk")
    module.lost("cloudsql", "accounts of jobs are in MariaDB on the controller")
    for name in ("enable_backup_controller", "backup_zone", "static_ips"):
        if module.get(name):
            module.lost(name, "there is one controller, and its queue is on its boot disk")
    module.same("controller_ha_type", "zonal", why="the controller is in one zone")
    module.follows(_NAMES, "slurm_cluster_name")
    module.follows("MUNGE says who a user is; its key stays on the nodes", "enable_slurm_auth")
    module.follows("nodes go with the cluster", "enable_cleanup_compute")
    times = [f"{each}_startup_scripts_timeout" for each in ("controller", "login", "compute")]
    module.follows("start-up scripts have the time that they take", *times)
    rates = ("no_comma_params", "resume_rate", "suspend_rate", "slurmd_timeout", *_TIMES)
    module.part("cloud_parameters").follows(_RATES, *rates)
    for name in ("slurm_conf_tpl", "slurmdbd_conf_tpl", "cgroup_conf_tpl"):
        module.lost(name, _CONF)
    module.follows(_SCRIPTS, "enable_external_prolog_epilog", "enable_chs_gpu_health_check_prolog")
    module.follows(_SCRIPTS, "enable_chs_gpu_health_check_epilog")
    for name in ("prolog_scripts", "epilog_scripts", "task_prolog_scripts", "task_epilog_scripts"):
        for each in module.parts(name):
            each.lose("filename", each.get("filename"), f"({each.get('filename')}) is not run: {_SCRIPTS}")
            for key in ("content", "source"):
                each.raw(key)
    for name in ("network_storage", "login_network_storage"):
        _mounts(module, name)
    module.refers("login_nodes")
    module.refers("login_startup_script")


def login(module: Module) -> None:
    """Machines that people submit jobs from."""
    work = module.deployment.work
    name = str(module.get("name_prefix") or "login")
    found = _machine(module, name, "c2-standard-4", module.get("num_instances", 1))
    _public(module, found, "enable_login_public_ips")
    for each in module.deployment.of(CONTROLLER):
        _script(each, found, "login_startup_script")
    module.same("static_ips", [])
    work.append(module.at, ("node_groups",), found)


def nodes(module: Module) -> None:
    """A set of nodes: a group, or two where some of its nodes always run."""
    deployment = module.deployment
    partitions = [each for each in deployment.of(PARTITION) if each.has(module)]
    if not partitions:
        module.gone("no partition uses it")
        return
    name = str(module.get("name") or _NODESET.sub("-", module.id).strip("-_") or "nodes")
    static = module.get("node_count_static", 0)
    dynamic = module.get("node_count_dynamic_max", 10)
    found = _machine(module, name, "c2-standard-60", static)
    _public(module, found, "enable_public_ips")
    _script(module, found, "startup_script")
    module.follows("nodes register with the processors and GPUs that they have", "node_conf")
    module.settle("node_conf")
    _mounts(module, "network_storage")
    if not isinstance(static, int) or not isinstance(dynamic, int):
        module.deployment.work.say(module.at, "error", f"numbers of nodes of {module.id} are no numbers")
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
        groups = [found, {**found, "name": more, "count": dynamic}]
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
    conf.follows(_UNTOLD, "DefMemPerCPU", "DefMemPerGPU", "DefMemPerNode")
    conf.follows(_RATES, "ResumeTimeout", "SuspendTimeout")
    module.follows(_RATES, *_TIMES)
    _mounts(module, "network_storage")
    _stopped(module, named)
    deployment.work.append(module.at, ("bootstrap", "slurm", "partitions"), found)


def _shared(module: Module, conf: Part, found: dict[str, Any]) -> None:
    shared = conf.get("OverSubscribe")
    if module.get("exclusive", default=True) is not False or shared == "EXCLUSIVE":
        found["exclusive"] = True
    elif shared not in (None, False, "NO"):
        conf.lose("OverSubscribe", shared)


def _stopped(module: Module, groups: list[str]) -> None:
    """All nodes are stopped after the longest time that a partition of some of them says."""
    work = module.deployment.work
    saves = work.data["bootstrap"]["slurm"].get("power_saving", {})
    idle, before = _idle(module), _seconds(saves.get("idle"))
    if idle < 0 or not {*groups} & {*saves.get("groups", ())}:
        return
    if before not in (0, idle):
        work.decide("all nodes are stopped after the longest of the times that partitions say")
    if idle > before:
        work.put(module.at, ("bootstrap", "slurm", "power_saving", "idle"), _duration(idle))


def decide(deployment: Deployment) -> None:
    """Say what is the case of every Slurm that is imported."""
    decide = deployment.work.decide
    decide("Slurm is that of the packages of Ubuntu 24.04, without Pyxis, Enroot, Lmod and Apptainer")
    if "power_saving" in deployment.work.data["bootstrap"]["slurm"]:
        decide("idle nodes are stopped, not deleted: their disks cost money; they run when they are created")


def _idle(module: Module) -> int:
    """Seconds after which a partition stops nodes; negative: never."""
    found = module.part("partition_conf").get("SuspendTime", module.get("suspend_time", _IDLE))
    return found if isinstance(found, int) and found else -1


def _duration(seconds: int) -> str:
    return f"{seconds}s" if seconds % 60 else f"{seconds // 60}m"


def _seconds(text: str | None) -> int:
    return int(text[:-1]) * (60 if text[-1] == "m" else 1) if text else 0


def _limit(conf: Part, text: str, found: dict[str, Any]) -> None:
    """The longest run time of a job: minutes, M:S, H:M:S, D-H, D-H:M or D-H:M:S."""
    if text in ("UNLIMITED", "INFINITE"):
        return
    match = _TIME.fullmatch(text)
    if match is None:
        conf.lose("MaxTime", text)
        return
    days, *rest = match.groups()
    numbers = [int(each) for each in rest if each is not None]
    if days is None:
        numbers = [0, *numbers] if len(numbers) < len(rest) else numbers
    hours, minutes, seconds = (*numbers, 0, 0)[:3]
    total = (int(days or 0) * 24 + hours) * 3600 + minutes * 60 + seconds
    if total:
        found["max_time"] = _duration(total)


def _machine(module: Module, name: str, usual: str, count: Any) -> dict[str, Any]:
    """What machines of all sorts have."""
    machine_type = str(module.get("machine_type", usual))
    name = machines.group_name(module, name)
    found: dict[str, Any] = {"name": name, "machine_type": machine_type, "count": count}
    _zones(module, found)
    found |= {"capacity": each} if (each := _capacity(module)) else {}
    _image(module, machine_type, found)
    found |= {"boot_disk": each} if (each := disk(module, machine_type)) else {}
    module.same("disk_auto_delete", True)
    accelerator(module, machine_type, found)
    local = [part for part in module.parts("additional_disks") if part.get("disk_type") == "local-ssd"]
    for part in local:
        names = ("disk_name", "device_name", "disk_labels", "disk_resource_manager_tags", "disk_size_gb")
        part.follows("local SSDs are one disk", *names, "boot", "auto_delete")
    if local:
        found["local_ssd"] = {"count": len(local)}
    features = module.part("advanced_machine_features")
    asked = features.get("threads_per_core") if features else 1
    if (threads := smt(module, machine_type, asked)) is not None:
        found["threads_per_core"] = threads
    if module.get("enable_oslogin") is False:
        found["os_login"] = False
    _account(module)
    machines.host(module, machine_type, found)
    machines.networks(module, machine_type)
    _metadata(module)
    help_text = "updates: {mode: security} has nodes install security updates"
    module.same("allow_automatic_updates", False, why="no node is updated", help_text=help_text)
    module.follows(_NAMES, "name", "name_prefix")
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
    help_text = "image_build adds what else is in it; image takes one of Ubuntu 24.04 or Debian 12"
    if module.leaves_out("instance_image"):
        module.settle("instance_image")
    else:
        why = f"{shown} has Slurm-GCP in it; here Slurm is installed on Ubuntu 24.04"
        module.lost("instance_image", why, help_text)
    module.follows("any image is taken", "instance_image_custom")
    machine = catalog.machine(machine_type)
    if machine and machine.network.rdma_nic == "IRDMA":
        found["image"] = {"project": "ubuntu-os-cloud", "family": "ubuntu-2404-lts-amd64"}
        message = f"{module.id}: Ubuntu has no driver for the RDMA interface of {machine_type}"
        help_text = "name an image of your own that has it, of Ubuntu 24.04 or Debian 12"
        module.deployment.work.say(module.at, "loss", message, help_text)


def _public(module: Module, found: dict[str, Any], name: str) -> None:
    if module.on(name):
        found["public_ip"] = True


def _account(module: Module) -> None:
    """All nodes have one account; roles of the accounts of a file are its roles."""
    if module_of(module.refers("service_account_email")):
        module.follows(_ONE_ACCOUNT, "service_account_email")
    else:
        module.put("service_account_email", ("service_account", "email"))
    machines.scopes(module)


def _metadata(module: Module) -> None:
    metadata = module.part("metadata")
    for key in metadata.names:
        if key == _DNS:
            metadata.follows("nodes have zonal names", key)
            continue
        try:
            value = module.deployment.values.resolve(metadata.raw(key))
        except Unresolved:
            metadata.lose(key, metadata.raw(key), "is computed")
        else:
            module.deployment.work.put(metadata.line(key), ("metadata", key), value)


def _script(module: Module, found: dict[str, Any], name: str) -> None:
    """The start-up script of machines: a module, or a text."""
    raw = module.refers(name)
    owner = module.deployment.named(module_of(raw))
    for each in [owner] if owner is not None else [*module.uses("scripts/startup-script")]:
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
            each.follows(_MOUNTS, *keys, "client_install_runner", "mount_runner")
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
    elif machine and machine.compact_placement and "zones" not in found and model not in _PLACED_ANYWAY:
        if static:
            found["placement"] = {"policy": "compact"}
        else:
            module.deployment.work.decide(
                "nodes of one job are not placed together; placement: {policy: compact} places a group so"
            )


_PLACED_ANYWAY = ("reservation", "flex_start")

#: Handlers of the modules, in the order in which groups are written.
HANDLERS = {CONTROLLER: controller, LOGIN: login, NODES: nodes, PARTITION: partition}
