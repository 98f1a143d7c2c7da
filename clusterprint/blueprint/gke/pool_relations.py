"""Relations of a node pool: its settings against each other, its machines and the cluster."""

from msgspec import UNSET

from clusterprint.blueprint.relations import (
    Excludes,
    Forbids,
    InRegion,
    Needs,
    Refuses,
    Relation,
    Since,
    Unique,
    Within,
    excludes_each,
    unless,
    when,
    written,
)

_FLEX_START = when("capacity.model", "flex_start")
_RESERVED = when("capacity.model", "reservation")
_UBUNTU = when("image_type", "ubuntu_containerd")
_COS = when("image_type", "cos_containerd")
_NOT_SCALED = when("autoscaling", UNSET)
_NO_TPUS = when("@tpu", False)
_NOT_FLEX_START = unless("capacity.model", "flex_start")
_ROLLED = when("update.strategy", "roll")
_SPARES = unless("health.spares", 0)

_OF_CAPACITY: tuple[Relation, ...] = (
    Excludes("GKE001", when("count"), when("autoscaling")),
    Excludes("GKE004", when("count"), _FLEX_START, given=(_NOT_SCALED, when("@is_count_of_slice", False))),
    Excludes("GKE005", unless("autoscaling.min", 0), _FLEX_START),
    Excludes("GKE006", when("auto_repair"), _FLEX_START, instead=""),
    Excludes("GKE006", when("health.on_fault", "replace"), _FLEX_START, words="health"),
    Excludes("GKE007", when("autoscaling.location_policy", "balanced"), _FLEX_START),
    Excludes(
        "GKE009",
        when("placement.policy", "compact"),
        when("capacity.queued"),
        given=(_FLEX_START, _NO_TPUS),
    ),
    Refuses("GKE040", "node_labels", "kubernetes_label"),
    Refuses("GKE041", "node_labels", "node_label"),
    Needs("GKE012", _RESERVED, when("@named_zones")),
    Excludes("GKE016", when("capacity.reservation"), when("/project"), given=(when("@project_of_block"),)),
    Excludes("GKE086", when("upgrades.strategy", "blue_green"), _RESERVED, words="blue_green"),
    Excludes(
        "GKE086",
        unless("upgrades.max_surge", 0),
        _RESERVED,
        given=(when("upgrades.strategy", "surge"),),
        words="surge",
    ),
    Within("GKE057", "@create_seconds", least="@least_create_seconds"),
)

_OF_HEALTH: tuple[Relation, ...] = (
    Excludes("GKE474", written("auto_repair"), when("health")),
    Excludes("GKE475", _SPARES, when("@tpu"), words="slices"),
    Excludes("GKE475", _SPARES, _FLEX_START, (_NO_TPUS,), words="flex_start"),
    Excludes("GKE475", _SPARES, when("autoscaling"), (_NO_TPUS, _NOT_FLEX_START), words="scaled"),
    Forbids("GKE475", _SPARES, (_NO_TPUS, _NOT_SCALED, _NOT_FLEX_START, when("@is_topology_pool", False))),
)

_OF_UPGRADES: tuple[Relation, ...] = (
    Excludes(
        "GKE084",
        when("upgrades.max_unavailable", 0),
        when("@max_surge", 0),
        given=(when("upgrades.strategy", "surge"), unless("capacity.model", "flex_start")),
    ),
    *excludes_each(
        "GKE085",
        "upgrades.strategy upgrades.max_surge upgrades.max_unavailable upgrades.blue_green",
        _FLEX_START,
        instead="",
        words="flex_start",
    ),
    *excludes_each(
        "GKE085",
        "upgrades.blue_green",
        when("upgrades.strategy", "surge"),
        unless("capacity.model", "flex_start"),
    ),
    *excludes_each(
        "GKE085",
        "upgrades.max_surge upgrades.max_unavailable",
        when("upgrades.strategy", "blue_green"),
        unless("capacity.model", "flex_start"),
    ),
    Excludes(
        "GKE087", when("upgrades.strategy", "blue_green"), when("placement.policy", "compact", "workload")
    ),
    Needs(
        "GKE083",
        when("@trains"),
        written("/cluster.maintenance"),
        given=(unless("/cluster.release_channel", "none"), when("/cluster.existing", UNSET)),
    ),
    *(
        Excludes("GKE520", _ROLLED, other, words=words)
        for words, other in (
            ("flex_start", _FLEX_START),
            ("class", when("@in_compute_class")),
            ("policy", when("@has_workload_policy")),
        )
    ),
    Excludes("GKE521", _ROLLED, _RESERVED),
    Excludes("GKE522", _ROLLED, when("@long_generation")),
    Excludes(
        "GKE273",
        when("upgrades.exclude_until_end_of_support"),
        _FLEX_START,
        instead="",
        words="flex_start",
    ),
    Excludes(
        "GKE273",
        when("upgrades.exclude_until_end_of_support"),
        when("/cluster.release_channel", "none"),
        given=(unless("capacity.model", "flex_start"),),
        words="no_channel",
    ),
)

_OF_ZONES: tuple[Relation, ...] = (
    InRegion("GKE010", "zones"),
    Unique(
        "GKE011",
        "zones",
        "zone {item} is listed twice",
        key=(),
        help="remove one of them, or name the zone that was meant",
    ),
    Excludes("GKE013", when("@several_zones"), _RESERVED),
    Excludes("GKE014", when("placement.policy", "compact", "workload"), when("@several_zones")),
    Excludes("GKE015", when("@several_zones"), when("@rdma")),
    Excludes(
        "GKE018", when("@zones_away"), when("/cluster.location", "zonal"), given=(when("@several_zones"),)
    ),
    Excludes("GKE027", when("@several_zones"), when("@hosts")),
    Excludes("GKE322", when("@several_zones"), when("@managed_networks")),
)

_OF_TPUS: tuple[Relation, ...] = (
    Excludes("GKE020", when("@tpu"), when("tpu", UNSET)),
    Excludes("GKE021", when("tpu"), when("@machine")),
    Excludes("GKE022", when("@topology_edges"), when("@edges_of_tpu")),
    Excludes("GKE023", when("@missing_shape"), when("@tpu")),
    Excludes("GKE024", when("@shape_of_others"), when("@tpu")),
    Excludes(
        "GKE025",
        unless("count", 0),
        when("@hosts"),
        given=(_NOT_SCALED, when("@is_count_of_slice", False)),
    ),
    Excludes("GKE026", when("@partial_max"), when("@hosts"), words="max"),
    Excludes("GKE026", when("@partial_min"), when("@hosts"), words="min"),
    Excludes("GKE029", when("placement.policy"), when("@tpu")),
    Excludes("GKE098", _UBUNTU, when("@tpu")),
    Excludes("GKE160", when("autoscaling.location_policy", "balanced"), when("@hosts"), instead=""),
)

_OF_GPUS: tuple[Relation, ...] = (
    Excludes("GKE174", when("@has_own_plugin"), when("gpu.driver", "default", "latest"), (when("@gpus"),)),
    *excludes_each("GKE030", "gpu.driver gpu.sharing gpu.partition_size", when("@without_gpus")),
    Excludes("GKE031", when("gpu.partition_size"), when("@gpu_of_other_sizes")),
    Excludes("GKE032", when("gpu.partition_size"), when("@undivided_gpu")),
    Excludes("GKE033", when("gpu.partition_size"), when("@gpu_of_unknown_sizes")),
    Excludes("GKE035", when("gpu.driver", "none"), when("secure_boot"), given=(when("@gpus"),)),
    Excludes("GKE036", when("fast_socket"), when("@gpus", False), instead="", words="no_gpus"),
    Excludes("GKE036", when("fast_socket"), _UBUNTU, (when("@gpus"),), instead="", words="ubuntu"),
    Excludes(
        "GKE036",
        when("fast_socket"),
        when("@gpudirect"),
        (_COS, when("@gpus")),
        instead="",
        words="gpudirect",
    ),
    Excludes("GKE038", when("gpu_networks", False), when("@own_fabric"), given=(when("@several_nodes"),)),
    Excludes("GKE039", _UBUNTU, when("@fabric")),
)

_OF_MACHINES: tuple[Relation, ...] = (
    Excludes("GKE037", when("secondary_boot_disks"), when("/cluster.image_streaming", False)),
    Excludes(
        "GKE037",
        when("secondary_boot_disks"),
        _UBUNTU,
        given=(when("/cluster.image_streaming"),),
        words="ubuntu",
    ),
    Within("GKE260", "@huge_pages_gb", most="@most_huge_pages_gb"),
    Excludes("GKE261", when("boot_disk_kms_key"), when("/region"), given=(when("@foreign_disk_key"),)),
    Needs("GKE320", when("accelerator_network_profile"), when("@device_class"), instead=""),
    Excludes("GKE323", when("gpudirect_strategy"), when("@without_strategy"), instead=""),
    Needs(
        "GKE323",
        when("gpudirect_strategy"),
        when("@managed_networks"),
        given=(when("@without_strategy", False),),
    ),
    Excludes("GKE324", when("accelerator_network_profile"), when("gpu_networks", False)),
    Excludes("GKE326", when("autoscaling"), when("@bare_metal"), words="autoscaling"),
    Excludes(
        "GKE326",
        when("secure_boot"),
        when("@bare_metal"),
        given=(written("secure_boot"),),
        words="secure_boot",
    ),
    Within(
        "GKE326",
        "system.huge_pages.size_2m",
        least="@huge_pages_of_host",
        given=(unless("system.huge_pages.size_2m", 0),),
    ),
    Excludes("GKE410", when("second_network"), when("@why_no_second_network")),
)

_OF_VERSIONS: tuple[Relation, ...] = (
    *(
        Since("GKE073", *each)
        for each in (
            (_FLEX_START, "flex-start-gpu", "flex-start", (_NO_TPUS,)),
            (_FLEX_START, "flex-start-tpu", "flex-start for TPUs", (when("@tpu"),)),
            (when("secondary_boot_disks"), "secondary-boot-disk", "secondary boot disks"),
            (when("@managed_networks"), "dranet", "managed networks of accelerators (DRANET)"),
            (when("gpu.sharing.strategy", "mps"), "mps", "GPU sharing by MPS"),
            (when("confidential"), "confidential-gpus", "confidential nodes with GPUs", (when("@gpus"),)),
        )
    ),
    *(
        Since("GKE074", *each)
        for each in (
            (when("@gpudirect", "TCPX"), "tcpx", "TCPX"),
            (when("@gpudirect", "TCPXO"), "tcpxo", "TCPXO"),
            (when("fast_socket"), "fast-socket", "NCCL Fast Socket"),
            (
                when("second_network"),
                "second-network-on-ubuntu",
                "a second network on Ubuntu",
                (_UBUNTU,),
            ),
            (
                when("@kind", "h4d"),
                "h4d-unreserved",
                "H4D without a reservation",
                (unless("capacity.model", "reservation"),),
            ),
        )
    ),
    Since("GKE165", when("@machines_since"), "@machines_since"),
    Since("GKE166", when("@machines_perhaps_since"), "@machines_perhaps_since"),
)

POOL_RELATIONS: tuple[Relation, ...] = (
    *_OF_CAPACITY,
    *_OF_HEALTH,
    *_OF_UPGRADES,
    *_OF_ZONES,
    *_OF_TPUS,
    *_OF_GPUS,
    *_OF_MACHINES,
    *_OF_VERSIONS,
    Unique(
        "GKE044",
        "taints",
        "the taint {item.key} with effect {item.effect} is listed twice",
        key=("key", "effect"),
        help="remove one of them",
    ),
)
