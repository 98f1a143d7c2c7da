# The cluster provisioning container in its last version, as a group of virtual machines.
project_id      = "my-gpu-project"
region          = "us-central1"
resource_prefix = "research"
instance_groups = [
  {
    zone         = "us-central1-a"
    target_size  = 2
    machine_type = "a2-highgpu-8g"
  },
]
disk_size_gb  = 500
disk_type     = "pd-ssd"
labels        = { team = "ml" }
machine_image = { project = "deeplearning-platform-release", family = "pytorch-latest-gpu-debian-11-py310", name = "" }
filestore_new = [{ filestore_tier = "BASIC_SSD", local_mount = "/home", size_gb = 2560, zone = "us-central1-a" }]
gcsfuse_existing = [{ local_mount = "/data", remote_mount = "my-datasets" }]
startup_script = <<-EOT
  #!/bin/bash
  nvidia-smi
EOT
wait_for_instances = false
unheard_of = "x"
