# shellcheck shell=sh
# Let a node accept traffic between GPUs, and show the cards' memory where the daemon looks.
set -e
/sbin/iptables -C INPUT -p tcp -m tcp -j ACCEPT 2>/dev/null || /sbin/iptables -I INPUT -p tcp -m tcp -j ACCEPT
modprobe import-helper
mkdir -p /dev/aperture_devices
for card in $(lspci -nn -D | awk '/1ae0:0084/ {print $1}'); do
  mkdir -p "/dev/aperture_devices/$card"
  umount -R "/dev/aperture_devices/$card" 2>/dev/null || true
  mount --bind "$(readlink -f "/sys/bus/pci/devices/$card")" "/dev/aperture_devices/$card"
done
chmod -R a+r /dev/aperture_devices
chmod a+rw /dev/aperture_devices/*/resource*
