"""NetApp Volumes: pools, and the volumes in them."""

from typing import Any

from clusterprint import catalog
from clusterprint.importing.toolkit.module import Module
from clusterprint.importing.toolkit.volume import NAMES, OURS, add_volume, new_volume, own_zone, volume_name

#: What the modules are called.
POOL, VOLUME = "file-system/netapp-storage-pool", "file-system/netapp-volume"

_PROTOCOLS = {("NFSV3",): "nfs_v3", ("NFSV4",): "nfs_v4_1"}


def volume(module: Module) -> None:
    """A volume of NetApp, which is all of a pool here."""
    pool = next(module.uses(POOL), None)
    if pool is None:
        module.gone("its pool is not in these files", "a volume that exists is named by its export")
        return
    found = new_volume(module, "netapp", "/shared")
    level = str(pool.get("service_level", "PREMIUM")).lower()
    if level in catalog.tiers_of("netapp"):
        found["tier"] = level
    else:
        pool.lost("service_level", f"no such level is built: {level}")
    if level == "flex":
        _flex(pool, found)
    found["size_gb"] = _size(module, pool)
    protocols = tuple(module.texts("protocols"))
    if protocols in _PROTOCOLS:
        found["protocol"] = _PROTOCOLS[protocols]
    elif protocols:
        module.lost("protocols", "a volume speaks one of NFSV3 and NFSV4")
    module.off("large_capacity")
    module.follows("everybody may write to its top folder", "unix_permissions")
    add_volume(module, found)


def _flex(pool: Module, found: dict[str, Any]) -> None:
    """The settings of pools of level flex only: a zone, and purchased throughput."""
    own_zone(pool, found)
    if throughput := pool.get("total_throughput_mibps"):
        found["throughput_mbps"] = throughput
    for key in ("replica_zone", "scale_type", "total_iops", "hot_tier_size_gib"):
        if pool.get(key) is not None:
            pool.lost(key, "pools of level flex are zonal, and have the IOPS of their throughput")


def _size(module: Module, pool: Module) -> Any:
    """All of the pool; where volumes share one, each gets its own, which cannot be smaller than a pool."""
    whole, own = pool.get("capacity_gib", 2048), module.get("capacity_gib", 1024)
    decide = module.deployment.work.decide
    sharing = [each for each in module.deployment.of(VOLUME) if pool in each.uses(POOL)]
    if len(sharing) == 1:
        if own != whole:
            decide(f"volume {volume_name(module)} takes all {whole} GiB of its pool, not {own}")
        return whole
    decide(f"volume {volume_name(module)} has a pool of its own, as a pool holds one volume: {own} GiB")
    level = catalog.netapp_tier(str(pool.get("service_level", "PREMIUM")).lower())
    return max(own, level.smallest) if level and isinstance(own, int) else own


def pool(module: Module) -> None:
    """A pool of NetApp, which comes with its volume."""
    if not any(module in each.uses(POOL) for each in module.deployment.of(VOLUME)):
        module.gone("no volume uses it: a pool comes with its volume")
        return
    module.follows(OURS, *NAMES)
    module.off("ldap_enabled", "allow_auto_tiering")
