"""Names derived from the name of a cluster, whatever the cloud.

Networks have theirs in network_names.py, stacks and objects in buckets in state_names.py. resolve takes names
from these and nowhere else, and a rule compares each with what Google allows, so a longer suffix is noticed
before any user meets it.
"""

from clusterprint.derived.name_forms import Numbered, OfOne, OfTwo

#: The label that every resource of a cluster carries, with the cluster's name as its value.
CLUSTER_LABEL = "clusterprint"

#: The label that machines carry where there are several groups of them, with the group's name as its value.
GROUP_LABEL = "clusterprint-group"

#: What Compute Engine calls the boot disk of a machine whose template does not say: so nodes that were made
#: before this was written down have the device that their group is to keep.
BOOT_DEVICE = "persistent-disk-0"

#: The name of a cluster's dashboard in Cloud Monitoring.
monitoring_page: OfOne = "Cluster {}".format


# ---- nodes

#: The prefix of the names of one node group's resources, in place of the cluster's name.
node_group: OfTwo = "{}-{}".format
#: The id (the part before the @) of the nodes' own service account.
service_account: OfOne = "{}-nodes".format


def node_role(name: str) -> str:
    """The custom role with which nodes find each other; ids of roles know no hyphens."""
    return f"{name.replace('-', '_')}_nodes"


#: The health check of a group of nodes.
health_check: OfOne = "{}-health".format
#: The firewall rule that admits Google's health checks.
health_firewall: OfOne = "{}-health".format


def image_family(name: str) -> str:
    """The family of the images that are built for a group of nodes."""
    return name


#: One image of a family; the checksum is of what it is made from, and has 12 digits.
image: OfTwo = "{}-{}".format
#: The machine that an image is built on.
image_builder: OfOne = "{}-build".format
#: The prefix of the names of instance templates: a template is immutable, so each is a new one.
instance_template_prefix: OfOne = "{}-".format


def instance_group(name: str, *parts: str) -> str:
    """The managed instance group of the nodes, of those that `parts` tell from others.

    Placement is one of them: a group never gets another one while it has nodes, so it is another group.
    """
    return "-".join((name, "nodes", *filter(None, parts)))


#: One node, counted from 0.
node: Numbered = "{}-{}".format
#: The request for all nodes at once, where they are queued for.
resize_request: OfOne = "{}-nodes".format
#: The resource policy that says how close together the nodes are put: another one has another name.
placement_policy: OfTwo = "{}-placement-{}".format


# ---- the end of a cluster

#: The id (the part before the @) of the account that ends a cluster.
end_account: OfOne = "{}-ends".format


def end_role(name: str) -> str:
    """The custom role of that account; ids of roles know no hyphens."""
    return f"{name.replace('-', '_')}_ends"


def end_job(name: str, part: str = "") -> str:
    """The scheduled job that ends one group of nodes; `part` tells it from others of the same nodes.

    It comes last: part 1 of a group is not the group whose name ends in it.
    """
    return "-".join(filter(None, (name, "end", part)))


# ---- images

#: The cluster's own repository of packages of a form, `docker` or `python`.
registry: OfTwo = "{}-{}".format
#: The repository that keeps copies of packages from the public one of that form.
remote_registry: OfTwo = "{}-{}-public".format
#: The repository that looks into both, the cluster's own first.
virtual_registry: OfTwo = "{}-{}-all".format
#: The private pool of Cloud Build machines.
worker_pool: OfOne = "{}-build".format
#: The id (the part before the @) of the account that builds images.
builder_account: OfOne = "{}-builder".format


def builder_email(name: str, project: str) -> str:
    """The e-mail address of that account."""
    return account_email(builder_account(name), project)


def account_email(account: str, project: str) -> str:
    """The e-mail address of a service account of a project."""
    # Projects of old domains are called `example.com:project`; addresses have the parts turned round.
    domain, _, own = project.rpartition(":")
    return f"{account}@{'.'.join(filter(None, [own, domain]))}.iam.gserviceaccount.com"


#: The file beside the blueprint that remembers which image was built last.
image_lock: OfOne = "{}.image.lock".format
#: The file beside the blueprint that remembers which image of several was built last.
build_lock: OfTwo = "{}.{}.image.lock".format
#: The file beside the blueprint that remembers which image of the slice provisioner was built last.
provisioner_lock: OfOne = "{}.provisioner.image.lock".format


# ---- volumes

#: The service account of pods, in the cluster, that use the buckets among its volumes.
VOLUMES_ACCOUNT = "volumes"

#: Cloud name of a volume: of an instance of a file system, or a disk.
volume: OfTwo = "{}-{}".format
#: A volume as one namespace sees it; no name of either has a dot in it.
persistent_volume: OfTwo = "{1}.{0}".format
#: The class of a volume and of others like it.
storage_class: OfTwo = "{}-{}".format


# ---- Ray

#: The service account of all Ray pods, in the cluster.
RAY_ACCOUNT = "ray"

#: The service and the load balancer of the dashboard.
dashboard: OfOne = "{}-dashboard".format


# ---- node pools

#: The node pool of one TPU slice out of several, counted from 0.
slice_pool: Numbered = "{}-{}".format
#: The resource policy that says how close together the nodes of a pool are put.
pool_policy: OfTwo = "{}-{}".format


# ---- inside clusters

#: The id of the TPU provisioner's service account.
tpu_provisioner: OfOne = "{}-tpus".format


def tpu_provisioner_role(name: str) -> str:
    """The custom role of the TPU provisioner; ids of roles know no hyphens."""
    return f"{name.replace('-', '_')}_tpu_provisioner"
