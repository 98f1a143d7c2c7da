"""`compute/vm-instance` and the scripts that go with it."""

from typing import Any

from clusterprint.importing.toolkit.expressions import module_of
from clusterprint.importing.toolkit.module import Module
from clusterprint.importing.toolkit.shape import accelerator, disk, label, smt

_LONGEST = 15


def instances(module: Module) -> None:
    """Machines: the nodes of a blueprint, or one group of them."""
    work = module.deployment.work
    machine_type = str(module.get("machine_type", "c2-standard-60"))
    found: dict[str, Any] = {"machine_type": machine_type, "count": module.get("instance_count", 1)}
    found |= {"capacity": each} if (each := _capacity(module)) else {}
    found |= {"image": each} if (each := _image(module)) else {}
    found |= {"boot_disk": each} if (each := disk(module)) else {}
    gpus = accelerator(module, machine_type)
    if "attached" in gpus:
        found["guest_accelerator"] = gpus["attached"]
    if machine_type.startswith(("n1-", "n2-", "n2d-", "c2-", "c2d-")) and (
        count := module.get("local_ssd_count")
    ):
        found["local_ssd"] = {"count": count}
    threads = smt(module, machine_type, off_by_default=True)
    if threads is not None:
        found["threads_per_core"] = threads
    _access(module, found)
    _placement(module, found)
    module.follows(
        "name_prefix", "add_deployment_name_before_prefix", "project_id", "region", "zone", "deployment_name"
    )
    module.follows(
        "network_interfaces", "network_self_link", "subnetwork_self_link", "bandwidth_tier", "labels"
    )
    module.follows(
        "on_host_maintenance", "automatic_restart", "auto_delete_boot_disk", "service_account_scopes"
    )
    script = module.get("startup_script")
    if script:
        found["startup_script"] = {"inline": _script(script)}
    for script_module in module.uses("scripts/startup-script"):
        startup(script_module, found)
    _write(module, found)
    if not any(True for _ in module.uses("network/pre-existing-vpc")):
        work.decide(
            "nodes are called after the cluster; images follow from the machine type where none is named"
        )


def _write(module: Module, found: dict[str, Any]) -> None:
    work = module.deployment.work
    groups = [each for each in module.deployment.modules if each.kind == module.kind]
    if len(groups) > 1:
        module.lose(
            "metadata", "it is that of all nodes here, and of one group there", "write it at the top level"
        )
        work.append(module.at, ("node_groups",), {"name": label(module.id, _LONGEST), **found})
        return
    module.put("metadata", ("metadata",))
    script = found.pop("startup_script", None)
    for key, value in found.items():
        work.put(module.line(key) if key in module.settings else module.at, ("nodes", key), value)
    if script:
        work.put(module.line("startup_script"), ("startup_script",), script)


def _script(text: Any) -> str:
    script = str(text)
    return script if script.startswith("#!") else f"#!/bin/bash\n{script}\n"


def _capacity(module: Module) -> dict[str, Any]:
    name = module.get("reservation_name")
    model = module.get("provisioning_model")
    spot = module.get("spot", default=False)
    if name:
        return {"model": "reservation", "reservation": name}
    if spot or model == "SPOT":
        return {"model": "spot"}
    if "reservation_name" in module.settings:
        message = f"reservation_name of {module.id} has no value"
        module.deployment.work.say(
            module.line("reservation_name"), "error", message, "write it, or take the line out"
        )
    return {"model": "flex_start"} if model == "FLEX_START" else {}


def _image(module: Module) -> dict[str, Any]:
    image = module.get("instance_image")
    module.follows("instance_image_custom")
    if not isinstance(image, dict):
        return {}
    return {key: image[key] for key in ("project", "family", "name") if image.get(key)}


def _access(module: Module, found: dict[str, Any]) -> None:
    work = module.deployment.work
    hidden = module.get("disable_public_ips")
    if hidden is None:
        work.decide(
            "nodes have no public addresses, which they had by default; public_ip: true gives them some"
        )
    elif not hidden:
        found["public_ip"] = True
    login = module.get("enable_oslogin")
    if login in ("ENABLE", "DISABLE"):
        found["os_login"] = login == "ENABLE"


def _placement(module: Module, found: dict[str, Any]) -> None:
    policy = module.raw("placement_policy")
    if isinstance(policy, dict) and policy.get("collocation") == "COLLOCATED":
        found["placement"] = {"policy": "compact"}
    elif policy is not None and not isinstance(policy, dict):
        module_name = module_of(policy)
        target = module.deployment.named(module_name)
        if target is None:
            module.deployment.work.say(
                module.line("placement_policy"), "loss", f"placement_policy of {module.id} is computed"
            )


def startup(module: Module, found: dict[str, Any]) -> None:
    """A script module, into the machines that use it."""
    work = module.deployment.work
    if module.get("configure_ssh_host_patterns"):
        work.put(module.line("configure_ssh_host_patterns"), ("cluster", "ssh"), value=True)
    if module.get("install_docker") or module.map("docker").get("enabled"):
        found["docker"] = True
    if module.get("install_cloud_ops_agent") or module.get("install_stackdriver_agent"):
        work.put(module.line("install_cloud_ops_agent"), ("monitoring", "ops_agent"), value=True)
    mount = module.map("local_ssd_filesystem").get("mountpoint")
    if mount:
        found["scratch"] = {"mount": mount}
    module.follows("project_id", "region", "deployment_name", "labels")
    runners = module.raw("runners")
    for number, each in enumerate(runners if isinstance(runners, list) else []):
        what = each.get("destination") or each.get("type") if isinstance(each, dict) else each
        place = (*module.place, "settings", "runners", number)
        help_text = "write it into startup_script, or among files"
        work.say(
            module.source.at(place), "loss", f"runner {what} of {module.id} is not carried over", help_text
        )


def wait(module: Module) -> None:
    """Waiting for the end of start-up scripts."""
    module.raw("instance_name")
    module.raw("instance_names")
    module.follows("zone", "project_id", "gcloud_path_override")
    seconds = module.get("timeout", 1200)
    module.deployment.work.put(module.at, ("wait",), {"until": "ready", "timeout": f"{seconds}s"})
