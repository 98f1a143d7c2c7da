"""Constructs for workloads of a cluster, for every kind with a cluster.

Nothing here needs the cluster at plan time, as `kubernetes_manifest` would, which queries the definition of
each kind. So components that have a chart are charts, core objects are typed resources, and everything else
is values of one small chart beside the stack (`objects_chart`).
"""
