#!/bin/bash
# What this node has: its GPUs, their driver, and how they are wired to each other.
set -euo pipefail

nvidia-smi --query-gpu=index,name,memory.total,driver_version --format=csv
nvidia-smi topo --matrix
