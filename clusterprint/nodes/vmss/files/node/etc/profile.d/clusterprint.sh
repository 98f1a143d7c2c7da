# shellcheck shell=sh
# Models and data sets of Hugging Face belong on the scratch file system, if this machine has one.
if mountpoint -q /mnt/resource_nvme; then
    export HF_HOME=/mnt/resource_nvme/hf_cache
fi
