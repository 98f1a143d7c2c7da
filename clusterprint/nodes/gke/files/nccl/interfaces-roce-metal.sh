# shellcheck shell=sh
# Set up the RDMA interfaces of a bare metal node. One whose IPv6 address was taken for a duplicate stays without it: such
# interfaces go down and up, and the container starts again.
set -e
/usr/local/bin/run_asapd_lite.sh --run_hairpin_probe=true --hairpin_sender_port_start=12345 --hairpin_receiver_port_start=23456 \
  --metrics_domain=prod
# Interfaces take a moment until they are up.
sleep 15
failed=
for interface in $(ip -o link show | awk -F': ' '{ print $2 }' | grep gpu); do
  if ip -6 addr show dev "$interface" | grep -q dadfailed; then
    echo "$interface: duplicate address detection has failed; it goes down and up" >&2
    ip link set dev "$interface" down
    ip link set dev "$interface" up
    failed=yes
  fi
done
[ -z "$failed" ] || exit 1
wait
