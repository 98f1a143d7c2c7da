# shellcheck shell=sh
# Receive for the GPUs of a pod: the daemon that runs beside a program that uses TCPXO.
set -ex
chmod 755 /fts/entrypoint_rxdm_container.sh
exec /fts/entrypoint_rxdm_container.sh --num_hops=2
