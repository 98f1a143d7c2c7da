"""Google Kubernetes Engine: clusters and their node pools."""

from clusterprint_simcloud.google.gke import cluster, pool, versions

RESOURCES = (*cluster.RESOURCES, *pool.RESOURCES)
DATA_SOURCES = (*cluster.DATA_SOURCES, *versions.DATA_SOURCES)
