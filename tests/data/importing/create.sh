#!/bin/bash
# As a runbook has it.
python3 xpk.py cluster create \
  --cluster v6e-training --project=my-tpu-project \
  --zone=us-east5-b \
  --tpu-type=v6e-16 --num-slices=2 \
  --spot \
  --enable-gcsfuse-csi-driver \
  --custom-cluster-arguments="--enable-ip-alias"
