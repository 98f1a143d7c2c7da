# shellcheck shell=sh
# Copy the TCPX plug-in to where GPU containers find it.
set -ex
/scripts/container_entry.sh install --install-nccl
mkdir -p /usr/local/nvidia/lib64
cp -r /var/lib/tcpx/lib64/. /usr/local/nvidia/lib64
