"""What things are called: every name that is derived from the name of a cluster.

resolve takes names from here and nowhere else, and a rule compares each with what Google allows, so a
longer suffix is noticed before any user meets it.
"""

#: The label that every resource of a cluster carries, with the cluster's name as its value.
CLUSTER_LABEL = "clusterprint"

#: The label that machines carry where there are several groups of them, with the group's name as its value.
GROUP_LABEL = "clusterprint-group"


def monitoring_page(name: str) -> str:
    """What the page of a cluster in Cloud Monitoring is called."""
    return f"Cluster {name}"


# ---- networks


def network(name: str) -> str:
    """The primary VPC network of a cluster."""
    return f"{name}-net"


def subnet(name: str) -> str:
    """The nodes' subnet in the primary network."""
    return network(name)


def gpu_network(name: str, index: int) -> str:
    """One of the extra VPC networks for GPU traffic, counted from 0."""
    return f"{name}-gpu-{index}"


def gpu_subnet(name: str, index: int) -> str:
    """The only subnet of a GPU network."""
    return gpu_network(name, index)


def pod_range(name: str) -> str:
    """The secondary range of the nodes' subnet that pods have their addresses from."""
    return f"{name}-pods"


def service_range(name: str) -> str:
    """The secondary range of the nodes' subnet that services have their addresses from."""
    return f"{name}-services"


def host_network(name: str) -> str:
    """The second VPC network of machines with RDMA, for the other of their two host interfaces."""
    return f"{name}-host"


def host_firewall(name: str) -> str:
    """The firewall rule that lets nodes talk to each other in that network."""
    return f"{host_network(name)}-internal"


def zonal_rdma(zone: str, word: str = "rdma") -> str:
    """What the network for RDMA in one zone is called in its cluster; `word` tells kinds of them apart."""
    return f"{word}-{zone.rpartition('-')[2]}"


def zonal_rdma_network(name: str, zone: str, word: str = "rdma") -> str:
    """The VPC network for RDMA in one zone of a region."""
    return f"{name}-{zonal_rdma(zone, word)}"


def zonal_rdma_subnet(name: str, zone: str, index: int, word: str = "rdma") -> str:
    """One subnet of such a network, counted from 0: one for each RDMA interface of a node."""
    return f"{zonal_rdma_network(name, zone, word)}-{index}"


def rdma_network(name: str) -> str:
    """The VPC network for RDMA between GPUs."""
    return f"{name}-rdma"


def rdma_subnet(name: str, index: int) -> str:
    """One subnet of the RDMA network, counted from 0: one for each RDMA interface of a node."""
    return f"{rdma_network(name)}-{index}"


def internal_firewall(name: str) -> str:
    """The firewall rule that lets nodes of the primary network talk to each other."""
    return f"{name}-internal"


def gpu_firewall(name: str, index: int) -> str:
    """The firewall rule that lets nodes talk to each other in one GPU network."""
    return f"{gpu_network(name, index)}-internal"


def ssh_firewall(name: str) -> str:
    """The firewall rule that admits SSH."""
    return f"{name}-ssh"


def volume(name: str, volume_name: str) -> str:
    """What a volume stands on: an instance of a file system, or a disk."""
    return f"{name}-{volume_name}"


def private_services(name: str) -> str:
    """The range of addresses that Google's file systems have in the network."""
    return f"{name}-services-range"


def netapp_services(name: str) -> str:
    """The range of addresses that NetApp's file systems have in the network."""
    return f"{name}-netapp-range"


def lustre_firewall(name: str) -> str:
    """The firewall rule that lets servers of Managed Lustre call their clients."""
    return f"{name}-lustre"


def router(name: str) -> str:
    """The Cloud Router that carries the NAT."""
    return f"{name}-nat"


def nat(name: str) -> str:
    """The Cloud NAT."""
    return router(name)


# ---- nodes


def node_group(name: str, group: str) -> str:
    """What the names of the resources of one group of nodes begin with, in place of the cluster's name."""
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
    """What the names of instance templates begin with; a template cannot change, so each is a new one."""
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


def end_notice(prefix: str) -> str:
    """The object that tells nodes when they end, beside the folder of their files."""
    return f"{prefix}/end"


def ray_head(prefix: str) -> str:
    """The object whose metadata says which node is the head of Ray."""
    return f"{prefix}/ray-head"


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


# ---- Ray

#: The service account of all Ray pods, in the cluster.
RAY_ACCOUNT = "ray"

#: The service account of pods, in the cluster, that use the buckets among its volumes.
VOLUMES_ACCOUNT = "volumes"


def persistent_volume(namespace: str, volume: str) -> str:
    """A volume as one namespace sees it; no name of either has a dot in it."""
    return f"{volume}.{namespace}"


def storage_class(name: str, volume: str) -> str:
    """The class of a volume and of others like it."""
    return f"{name}-{volume}"


def proxy_subnet(name: str) -> str:
    """The subnet of the proxies of internal load balancers."""
    return f"{name}-proxies"


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


# ---- state and files


# What the stacks of a kind are called after the name of the cluster; other kinds have one, called like it.
_SEVERAL_STACKS: dict[str, tuple[str, ...]] = {"gke": ("cluster", "workloads"), "ray": ("cluster", "ray")}


def stacks(kind: str, name: str) -> tuple[str, ...]:
    """All stacks that a cluster may have: the folders of their states."""
    return tuple(f"{name}-{part}" for part in _SEVERAL_STACKS.get(kind, ())) or (name,)


def cluster_stack(name: str) -> str:
    """The stack of a Kubernetes cluster and its nodes, without what runs inside."""
    return f"{name}-cluster"


def cluster_stack_around(stack: str) -> str:
    """The stack of the cluster inside of which everything of another stack runs: `a-cluster` of `a-ray`."""
    return cluster_stack(stack.rpartition("-")[0])


def ray_stack(name: str) -> str:
    """The stack of Ray inside its Kubernetes cluster."""
    return f"{name}-ray"


def workloads_stack(name: str) -> str:
    """The stack of what runs inside a Kubernetes cluster."""
    return f"{name}-workloads"


def default_state_prefix(name: str) -> str:
    """The folder in the state bucket when the blueprint does not name one."""
    return f"clusterprint/{name}"


def state_folder(prefix: str, stack_name: str) -> str:
    """The folder in the state bucket that belongs to one stack: the `prefix` of its GCS backend."""
    return f"{prefix}/{stack_name}"


def state_object(prefix: str, stack_name: str) -> str:
    """The object that Terraform keeps a stack's state in."""
    return f"{state_folder(prefix, stack_name)}/default.tfstate"


def file_object(prefix: str, path: str) -> str:
    """The object that carries a copied file to the nodes; `path` is below the cluster's files."""
    return f"{prefix}/files/{path}"


def init_script(prefix: str, pool: str, checksum: str) -> str:
    """The object with the script of a pool's nodes; another text is another object."""
    return f"{init_scripts(prefix)}{pool}-{checksum[:8]}.sh"


def init_scripts(prefix: str) -> str:
    """What the names of all such objects begin with."""
    return f"{prefix}/init/"


def file_manifest(prefix: str) -> str:
    """The object that lists the files of the nodes, beside their folder."""
    return f"{prefix}/files.manifest"


def run_results(prefix: str, run: str) -> str:
    """The folder for log and status of a run, in a bucket of the user's."""
    return f"{prefix}/runs/{run}"


def image_source(prefix: str) -> str:
    """The folder in the state bucket that image builds read their source from."""
    return f"{prefix}/image-source"


def longest_state_object(kind: str, name: str, prefix: str) -> str:
    """The longest name among the objects that Terraform keeps the states of a cluster in."""
    return max((state_object(prefix, each) for each in stacks(kind, name)), key=len)
