"""Helm, simulated: releases, the objects that can be seen in them, and the API groups that they bring."""

from clusterprint.simcloud.cloud.behaviour import Provider
from clusterprint.simcloud.helm import release
from clusterprint.simcloud.kubernetes import cluster, objects

PROVIDER = Provider(
    "helm",
    {kind.name: kind for kind in release.RESOURCES},
    {},
    release.WORDS,
    admitted=[cluster.connect],
    value=objects.value,
)
