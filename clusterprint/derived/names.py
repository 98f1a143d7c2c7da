"""Names derived from the name of a cluster, whatever the cloud.

Networks have theirs in network_names.py, stacks and objects in buckets in state_names.py. resolve takes names
from these and nowhere else, and a rule compares each with what Google allows, so a longer suffix is noticed
before any user meets it.
"""

#: The label that every resource of a cluster carries, with the cluster's name as its value.
CLUSTER_LABEL = "clusterprint"

#: The label that machines carry where there are several groups of them, with the group's name as its value.
GROUP_LABEL = "clusterprint-group"

#: What Compute Engine calls the boot disk of a machine whose template does not say: so nodes that were made
#: before this was written down have the device that their group is to keep.
BOOT_DEVICE = "persistent-disk-0"


def monitoring_page(name: str) -> str:
    """The name of a cluster's dashboard in Cloud Monitoring."""
    return f"Cluster {name}"


# ---- nodes


def node_group(name: str, group: str) -> str:
    """The prefix of the names of one node group's resources, in place of the cluster's name."""
    return f"{name}-{group}"


def service_account(name: str) -> str:
    """The id (the part before the @) of the nodes' own service account."""
    return f"{name}-nodes"


def node_role(name: str) -> str:
    """The custom role with which nodes find each other; ids of roles know no hyphens."""
    return f"{name.replace('-', '_')}_nodes"


def health_check(name: str) -> str:
    """The health check of a group of nodes."""
    return f"{name}-health"


def health_firewall(name: str) -> str:
    """The firewall rule that admits Google's health checks."""
    return f"{name}-health"


def image_family(name: str) -> str:
    """The family of the images that are built for a group of nodes."""
    return name


def image(family: str, checksum: str) -> str:
    """One image of a family; the checksum is of what it is made from, and has 12 digits."""
    return f"{family}-{checksum}"


def image_builder(image_name: str) -> str:
    """The machine that an image is built on."""
    return f"{image_name}-build"


def instance_template_prefix(name: str) -> str:
    """The prefix of the names of instance templates: a template is immutable, so each is a new one."""
    return f"{name}-"


def instance_group(name: str, *parts: str) -> str:
    """The managed instance group of the nodes, of those that `parts` tell from others.

    Placement is one of them: a group never gets another one while it has nodes, so it is another group.
    """
    return "-".join((name, "nodes", *filter(None, parts)))


def node(name: str, index: int) -> str:
    """One node, counted from 0."""
    return f"{name}-{index}"


def resize_request(name: str) -> str:
    """The request for all nodes at once, where they are queued for."""
    return f"{name}-nodes"


def placement_policy(name: str, placement: str) -> str:
    """The resource policy that says how close together the nodes are put: another one has another name."""
    return f"{name}-placement-{placement}"


# ---- the end of a cluster


def end_account(name: str) -> str:
    """The id (the part before the @) of the account that ends a cluster."""
    return f"{name}-ends"


def end_role(name: str) -> str:
    """The custom role of that account; ids of roles know no hyphens."""
    return f"{name.replace('-', '_')}_ends"


def end_job(name: str, part: str = "") -> str:
    """The scheduled job that ends one group of nodes; `part` tells it from others of the same nodes.

    It comes last: part 1 of a group is not the group whose name ends in it.
    """
    return "-".join(filter(None, (name, "end", part)))


# ---- images


def registry(name: str, form: str) -> str:
    """The cluster's own repository of packages of a form, `docker` or `python`."""
    return f"{name}-{form}"


def remote_registry(name: str, form: str) -> str:
    """The repository that keeps copies of packages from the public one of that form."""
    return f"{name}-{form}-public"


def virtual_registry(name: str, form: str) -> str:
    """The repository that looks into both, the cluster's own first."""
    return f"{name}-{form}-all"


def worker_pool(name: str) -> str:
    """The private pool of Cloud Build machines."""
    return f"{name}-build"


def builder_account(name: str) -> str:
    """The id (the part before the @) of the account that builds images."""
    return f"{name}-builder"


def builder_email(name: str, project: str) -> str:
    """The e-mail address of that account."""
    return account_email(builder_account(name), project)


def account_email(account: str, project: str) -> str:
    """The e-mail address of a service account of a project."""
    # Projects of old domains are called `example.com:project`; addresses have the parts turned round.
    domain, _, own = project.rpartition(":")
    return f"{account}@{'.'.join(filter(None, [own, domain]))}.iam.gserviceaccount.com"


def image_lock(name: str) -> str:
    """The file beside the blueprint that remembers which image was built last."""
    return f"{name}.image.lock"


def build_lock(name: str, build: str) -> str:
    """The file beside the blueprint that remembers which image of several was built last."""
    return f"{name}.{build}.image.lock"


def provisioner_lock(name: str) -> str:
    """The file beside the blueprint that remembers which image of the slice provisioner was built last."""
    return f"{name}.provisioner.image.lock"


# ---- volumes

#: The service account of pods, in the cluster, that use the buckets among its volumes.
VOLUMES_ACCOUNT = "volumes"


def volume(name: str, volume_name: str) -> str:
    """Cloud name of a volume: of an instance of a file system, or a disk."""
    return f"{name}-{volume_name}"


def persistent_volume(namespace: str, volume: str) -> str:
    """A volume as one namespace sees it; no name of either has a dot in it."""
    return f"{volume}.{namespace}"


def storage_class(name: str, volume: str) -> str:
    """The class of a volume and of others like it."""
    return f"{name}-{volume}"


# ---- Ray

#: The service account of all Ray pods, in the cluster.
RAY_ACCOUNT = "ray"


def dashboard(name: str) -> str:
    """The service and the load balancer of the dashboard."""
    return f"{name}-dashboard"


# ---- node pools


def slice_pool(pool: str, index: int) -> str:
    """The node pool of one TPU slice out of several, counted from 0."""
    return f"{pool}-{index}"


def pool_policy(name: str, pool: str) -> str:
    """The resource policy that says how close together the nodes of a pool are put."""
    return f"{name}-{pool}"


# ---- inside clusters


def tpu_provisioner(name: str) -> str:
    """The id of the TPU provisioner's service account."""
    return f"{name}-tpus"


def tpu_provisioner_role(name: str) -> str:
    """The custom role of the TPU provisioner; ids of roles know no hyphens."""
    return f"{name.replace('-', '_')}_tpu_provisioner"
