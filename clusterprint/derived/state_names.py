"""Names of a cluster's stacks, and of the objects in buckets for their state and files."""

from clusterprint.blueprint import blueprint_type


def stacks(kind: str, name: str) -> tuple[str, ...]:
    """All stacks that a cluster may have: the folders of their states."""
    return tuple(f"{name}-{part}" for part in blueprint_type(kind).stacks) or (name,)


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


# What Terraform calls the state in such a folder: its GCS backend is given a folder only.
_STATE = "/default.tfstate"


def state_object(prefix: str, stack_name: str) -> str:
    """The object that Terraform keeps a stack's state in."""
    return f"{state_folder(prefix, stack_name)}{_STATE}"


def state_address(bucket: str, folder: str) -> str:
    """Where the state in such a folder is, in the words of Cloud Storage."""
    return f"gs://{bucket}/{folder}{_STATE}"


def lock_address(bucket: str, folder: str) -> str:
    """Where Terraform says who is using that state."""
    return f"gs://{bucket}/{folder}/default.tflock"


def folder_of_state(name: str) -> str:
    """The folder of a state, from its object or its address; empty for what is called otherwise."""
    return name.removesuffix(_STATE) if name.endswith(_STATE) else ""


def file_object(prefix: str, path: str) -> str:
    """The object that carries a copied file to the nodes; `path` is below the cluster's files."""
    return f"{prefix}/files/{path}"


def init_script(prefix: str, pool: str, checksum: str) -> str:
    """The object with the script of a pool's nodes; another text is another object."""
    return f"{init_scripts(prefix)}{pool}-{checksum[:8]}.sh"


def init_scripts(prefix: str) -> str:
    """The prefix of the names of all such objects."""
    return f"{prefix}/init/"


def file_manifest(prefix: str) -> str:
    """The object that lists the files of the nodes, beside their folder."""
    return f"{prefix}/files.manifest"


def end_notice(prefix: str) -> str:
    """The object that tells nodes when they end, beside the folder of their files."""
    return f"{prefix}/end"


def ray_head(prefix: str) -> str:
    """The object whose metadata says which node is the head of Ray."""
    return f"{prefix}/ray-head"


def run_results(prefix: str, run: str) -> str:
    """The folder for log and status of a run, in a bucket of the user's."""
    return f"{prefix}/runs/{run}"


def image_source(prefix: str) -> str:
    """The folder in the state bucket that image builds read their source from."""
    return f"{prefix}/image-source"


def longest_state_object(kind: str, name: str, prefix: str) -> str:
    """The longest name among the objects that Terraform keeps the states of a cluster in."""
    return max((state_object(prefix, each) for each in stacks(kind, name)), key=len)
