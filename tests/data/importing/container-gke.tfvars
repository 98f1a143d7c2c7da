project_id      = "my-gpu-project"
region          = "us-central1"
resource_prefix = "pools"
disk_size_gb    = 300
gke_version     = "1.35"
node_pools = [{
  zone         = "us-central1-a"
  node_count   = 2
  machine_type = "a3-megagpu-8g"
  compact_placement_policy = { new_policy = false, specific_reservation = "my-h100-block" }
}]
ksa = { name = "trainer", namespace = "default" }
