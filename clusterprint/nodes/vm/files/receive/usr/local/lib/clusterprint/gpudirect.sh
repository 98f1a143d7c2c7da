# shellcheck shell=bash disable=SC2034 # the scripts that source this use what is unused here
# What belongs to GPUDirect-TCPX and -TCPXO on this machine. Sourced, after common.sh.

# usage: gpudirect_fact KEY; all values of a key, one a line
gpudirect_fact() {
    sed -n "s/^$1=//p" "$ETC/gpudirect"
}

KIND="$(gpudirect_fact kind)"
# Where the plug-in puts itself, here; in containers it is in /usr/local.
PLUGIN="$ROOT/var/lib/$KIND"
# Where programs and the daemon meet: by sockets (TCPX), or by the memory of network cards (TCPXO).
case "$KIND" in
tcpx) MEETING=/run/tcpx ;;
tcpxo) MEETING=/dev/aperture_devices ;;
*) die "GPUDirect-${KIND^^} is not supported here" ;;
esac
