"""Requirements of workloads for their cluster."""

from typing import NamedTuple

from clusterprint.plan.builds import BuildsPlan
from clusterprint.plan.gke.cluster import IdentityPlan


class Needs(NamedTuple):
    """The cluster settings that workloads require, besides those of its blueprint.

    `services` are names of APIs, `identities` rights of service accounts in the cluster, `mpi_pools` names of
    the pools that workers of MPI jobs run on, `beta_apis` those of Kubernetes that it has to serve although
    they are beta. `acts` is that some act as an account at Google, and `makes_pools` that some make node
    pools themselves, which no release channel may upgrade. `builds` is what images are built with, `gateway`
    that something is behind one, `models` that it chooses among pods, and `checkpoints` that jobs save in
    the memory of nodes.
    """

    ray_operator: bool = False
    services: tuple[str, ...] = ()
    identities: tuple[IdentityPlan, ...] = ()
    mpi_pools: frozenset[str] = frozenset()
    beta_apis: tuple[str, ...] = ()
    acts: bool = False
    makes_pools: bool = False
    builds: BuildsPlan = BuildsPlan()
    gateway: bool = False
    models: bool = False
    checkpoints: bool = False
