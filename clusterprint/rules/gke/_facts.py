"""Facts that relations of GKE clusters look at, by their names."""

from clusterprint.rules.gke._cluster_facts import CLUSTER_FACTS
from clusterprint.rules.gke._job_facts import JOB_FACTS
from clusterprint.rules.gke._pool_facts import POOL_FACTS

FACTS = {**CLUSTER_FACTS, **JOB_FACTS, **POOL_FACTS}
