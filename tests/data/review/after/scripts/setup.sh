#!/bin/bash
set -euo pipefail
mkdir --parents /mnt/checkpoints
export NCCL_DEBUG=INFO
export WANDB_API_KEY=0123456789abcdef
systemctl enable --now nvidia-persistenced
