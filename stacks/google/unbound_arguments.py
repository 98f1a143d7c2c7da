"""Arguments that stacks set and the bindings of the provider google lack.

The bindings stop at 6.50.0, stacks need not: Terraform JSON is what counts. This is all that any stack sets
without them; a test holds it against what the provider says of itself.
"""

#: Arguments by type, dotted.
BEYOND: dict[str, frozenset[str]] = {
    "google_compute_disk": frozenset({"deletion_policy"}),
    "google_container_cluster": frozenset(
        {
            "addons_config.high_scale_checkpointing_config",
            "addons_config.high_scale_checkpointing_config.enabled",
            "maintenance_policy.disruption_budget",
            "maintenance_policy.disruption_budget.minor_version_disruption_interval",
            "maintenance_policy.disruption_budget.patch_version_disruption_interval",
            "maintenance_policy.maintenance_exclusion.exclusion_options.end_time_behavior",
        }
    ),
    "google_container_node_pool": frozenset(
        {
            "maintenance_policy",
            "maintenance_policy.exclusion_until_end_of_support",
            "maintenance_policy.exclusion_until_end_of_support.enabled",
            "network_config.accelerator_network_profile",
            "node_config.gpudirect_strategy",
            "node_config.kubelet_config.memory_manager",
            "node_config.kubelet_config.memory_manager.policy",
            "node_config.kubelet_config.topology_manager",
            "node_config.kubelet_config.topology_manager.policy",
            "node_config.kubelet_config.topology_manager.scope",
            "node_config.linux_node_config.custom_node_init",
            "node_config.linux_node_config.custom_node_init.init_script",
            "node_config.linux_node_config.custom_node_init.init_script.gcs_generation",
            "node_config.linux_node_config.custom_node_init.init_script.gcs_uri",
            "node_drain_config",
            "node_drain_config.respect_pdb_during_node_pool_deletion",
        }
    ),
    "google_compute_instance_template": frozenset({"disk.storage_pool"}),
    "google_filestore_instance": frozenset({"deletion_policy"}),
    "google_lustre_instance": frozenset({"deletion_policy", "kms_key"}),
    "google_netapp_storage_pool": frozenset({"type"}),
    "google_parallelstore_instance": frozenset({"deletion_policy"}),
    "google_storage_bucket": frozenset({"deletion_policy"}),
}
