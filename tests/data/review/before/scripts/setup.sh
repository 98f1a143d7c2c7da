#!/bin/bash
set -euo pipefail
mkdir --parents /mnt/checkpoints
export NCCL_DEBUG=WARN
nvidia-smi --query-gpu=name,serial --format=csv
systemctl enable --now nvidia-persistenced
