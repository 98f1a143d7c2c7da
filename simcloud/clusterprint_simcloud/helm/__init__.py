"""Helm, simulated: releases, the objects that can be seen in them, and the API groups that they bring."""

from clusterprint_simcloud.cloud.behaviour import Provider
from clusterprint_simcloud.helm import release
from clusterprint_simcloud.kubernetes import cluster, objects

PROVIDER = Provider(
    "helm",
    {kind.name: kind for kind in release.RESOURCES},
    {},
    release.WORDS,
    admitted=[cluster.connect],
    value=objects.value,
    framework=True,
    settle=release.settle,
)
