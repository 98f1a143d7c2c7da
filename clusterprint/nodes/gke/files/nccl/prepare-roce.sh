# shellcheck shell=sh
# Keep the kernel from logging each packet that comes in by another card of the rail than it would answer by.
set -e
for setting in /proc/sys/net/ipv4/conf/gpu*rdma*/log_martians; do
  if [ -e "$setting" ]; then
    echo 0 >"$setting"
  fi
done
