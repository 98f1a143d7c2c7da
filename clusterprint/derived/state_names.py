"""Names of a cluster's stacks, and of the objects in buckets for their state and files."""

from clusterprint.blueprint import blueprint_type
from clusterprint.derived.name_forms import OfOne, OfTwo


def stacks(kind: str, name: str) -> tuple[str, ...]:
    """All stacks that a cluster may have: the folders of their states."""
    return tuple(f"{name}-{part}" for part in blueprint_type(kind).stacks) or (name,)


#: The stack of a Kubernetes cluster and its nodes, without what runs inside.
cluster_stack: OfOne = "{}-cluster".format


def cluster_stack_around(stack: str) -> str:
    """The stack of the cluster inside of which everything of another stack runs: `a-cluster` of `a-ray`."""
    return cluster_stack(stack.rpartition("-")[0])


#: The stack of Ray inside its Kubernetes cluster.
ray_stack: OfOne = "{}-ray".format
#: The stack of what runs inside a Kubernetes cluster.
workloads_stack: OfOne = "{}-workloads".format
#: The folder in the state bucket when the blueprint does not name one.
default_state_prefix: OfOne = "clusterprint/{}".format
#: The folder in the state bucket that belongs to one stack: the `prefix` of its GCS backend.
state_folder: OfTwo = "{}/{}".format


# What Terraform calls the state in such a folder: its GCS backend is given a folder only.
_STATE = "/default.tfstate"


def state_object(prefix: str, stack_name: str) -> str:
    """The object that Terraform keeps a stack's state in."""
    return f"{state_folder(prefix, stack_name)}{_STATE}"


def state_address(bucket: str, folder: str) -> str:
    """Where the state in such a folder is, in the words of Cloud Storage."""
    return f"gs://{bucket}/{folder}{_STATE}"


#: Where Terraform says who is using that state.
lock_address: OfTwo = "gs://{}/{}/default.tflock".format


def folder_of_state(name: str) -> str:
    """The folder of a state, from its object or its address; empty for what is called otherwise."""
    return name.removesuffix(_STATE) if name.endswith(_STATE) else ""


#: The object that carries a copied file to the nodes; `path` is below the cluster's files.
file_object: OfTwo = "{}/files/{}".format


def init_script(prefix: str, pool: str, checksum: str) -> str:
    """The object with the script of a pool's nodes; another text is another object."""
    return f"{init_scripts(prefix)}{pool}-{checksum[:8]}.sh"


#: The prefix of the names of all such objects.
init_scripts: OfOne = "{}/init/".format
#: The object that lists the files of the nodes, beside their folder.
file_manifest: OfOne = "{}/files.manifest".format
#: The object that tells nodes when they end, beside the folder of their files.
end_notice: OfOne = "{}/end".format
#: The object whose metadata says which node is the head of Ray.
ray_head: OfOne = "{}/ray-head".format
#: The folder for log and status of a run, in a bucket of the user's.
run_results: OfTwo = "{}/runs/{}".format
#: The folder in the state bucket that image builds read their source from.
image_source: OfOne = "{}/image-source".format


def longest_state_object(kind: str, name: str, prefix: str) -> str:
    """The longest name among the objects that Terraform keeps the states of a cluster in."""
    return max((state_object(prefix, each) for each in stacks(kind, name)), key=len)
